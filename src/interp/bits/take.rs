//! Matching bitstrings.
//!
//! A match context is a heap object of its own kind: position, end, and where it begins, in bits, and the term whose bytes are meant
//! (a heap binary or a shared one, never a part of one). Only the position and the beginning are ever written (H2), and neither is beyond
//! the end. The bytes of a shared binary do not move: the context has their address, so that reading them takes no way around.

use super::read_bits;
use crate::atom::known;
use crate::bif::Cx;
use crate::code::bits::Segment;
use crate::heap::AllocError;
use crate::heap::shared::buffer_of;
use crate::interp::live::{Live, a, b};
use crate::interp::machine::{Machine, Next};
use crate::term::bits::HEAP_LIMIT_BYTES;
use crate::term::{Bits, Subtag, Term, Word};

/// Words of a match context.
pub(in crate::interp) const CONTEXT_WORDS: usize = 6;
const POSITION: usize = 1;
const END: usize = 2;
const BEGINNING: usize = 3;
/// Address of the bytes, or 0 where they follow the length of a heap binary, which moves.
const BYTES: usize = 4;
const BASE: usize = 5;

/// A match context in a register.
#[derive(Clone, Copy)]
pub(in crate::interp) struct Context(*mut Word);

impl Context {
    /// The context in a register, if it holds one.
    #[inline(always)]
    pub fn in_word(word: Word) -> Option<Context> {
        Live::is_boxed_of(word, Subtag::MatchContext).then(|| Context::of(word))
    }

    /// The context in a register that holds one (verified).
    #[inline(always)]
    pub fn of(word: Word) -> Context {
        Context(word.address())
    }

    #[inline(always)]
    pub fn position(self) -> usize {
        // SAFETY: I3: the object of a context.
        unsafe { (*self.0.add(POSITION)).bits() as usize }
    }

    #[inline(always)]
    pub fn set_position(self, position: usize) {
        // SAFETY: I3, H2: one of the two words of a context that may be written.
        unsafe { *self.0.add(POSITION) = Word::from_bits(position as u64) }
    }

    #[inline(always)]
    pub fn end(self) -> usize {
        // SAFETY: I3: the object of a context.
        unsafe { (*self.0.add(END)).bits() as usize }
    }

    /// Where it begins.
    #[inline(always)]
    pub fn beginning(self) -> usize {
        // SAFETY: I3: the object of a context.
        unsafe { (*self.0.add(BEGINNING)).bits() as usize }
    }

    /// From now on it begins at its position.
    #[inline(always)]
    pub fn begin(self) {
        // SAFETY: I3, H2: one of the two words of a context that may be written.
        unsafe { *self.0.add(BEGINNING) = *self.0.add(POSITION) }
    }

    /// Bits left.
    #[inline(always)]
    pub fn left(self) -> usize {
        self.end() - self.position()
    }

    /// The term whose bytes are meant.
    #[inline(always)]
    pub fn base(self) -> Word {
        // SAFETY: I3: the object of a context.
        unsafe { *self.0.add(BASE) }
    }

    /// Address of the first byte of the base; good until the next collection.
    #[inline(always)]
    pub fn first_byte(self) -> *const u8 {
        // SAFETY: I3: the object of a context.
        match unsafe { (*self.0.add(BYTES)).bits() } {
            0 => self.base().address().wrapping_add(2).cast(),
            bytes => std::ptr::with_exposed_provenance(bytes as usize),
        }
    }

    /// The bytes up to the context's end; good until the next collection.
    #[inline]
    pub fn bytes<'a>(self) -> &'a [u8] {
        // SAFETY: I3, H3, H5: the bytes of the base, which keeps them, and the end lies inside.
        unsafe { std::slice::from_raw_parts(self.first_byte(), self.end().div_ceil(8)) }
    }

    /// The `bits` bits (1 to 57) from `position` on as an unsigned number; they lie before the end.
    #[inline(always)]
    pub fn read(self, position: usize, bits: usize) -> u64 {
        read(self.first_byte(), position, bits)
    }

    /// Moves on by `bits` if so many are left: the position they begin at.
    #[inline(always)]
    pub fn advance(self, bits: usize) -> Option<usize> {
        let position = self.position();
        if bits > self.end() - position {
            return None;
        }
        self.set_position(position + bits);
        Some(position)
    }
}

/// First bit, length in bits, and the term whose bytes are meant, of a bitstring; `None` for other terms.
#[inline(always)]
pub(in crate::interp) fn parts(source: Word) -> Option<(u64, u64, Word)> {
    if !source.is_boxed() {
        return None;
    }
    match Live::header(source).header_subtag() {
        Subtag::HeapBits | Subtag::SharedBits => Some((0, Live::body(source, 0).bits(), source)),
        Subtag::SubBits => {
            Some((Live::body(source, 0).bits(), Live::body(source, 1).bits(), Live::body(source, 2)))
        }
        _ => None,
    }
}

/// The `bits` bits (1 to 57) from `position` on of the bytes at `first` as an unsigned number; they are there.
#[inline(always)]
pub(in crate::interp) fn read(first: *const u8, position: usize, bits: usize) -> u64 {
    let end = position + bits;
    // The eight bytes that end with the last byte in question: what is in front of the bits is shifted out. In front of the first
    // byte of a binary there is the length of a heap binary, or the head of a buffer.
    // SAFETY: I3, H3, H5: bytes of one object or of one buffer.
    let word = unsafe { first.add(end.div_ceil(8)).sub(8).cast::<[u8; 8]>().read_unaligned() };
    (u64::from_be_bytes(word) >> (end.wrapping_neg() % 8)) & (u64::MAX >> (64 - bits))
}

/// The word of a context that says where the bytes of its base are.
#[inline(always)]
pub(in crate::interp) fn address_of_bytes(base: Word) -> Word {
    if Live::header(base).is_header_of(Subtag::HeapBits) {
        return Word::from_bits(0);
    }
    // SAFETY: I3, H3: else the base is a shared binary.
    let buffer = unsafe { buffer_of(base.address()) };
    Word::from_bits(buffer.wrapping_add(1).expose_provenance() as u64)
}

/// `size * unit` bits; `None` if that is no size or larger than anything.
#[inline(always)]
pub(in crate::interp) fn bits_of(size: Word, unit: u64) -> Option<usize> {
    if !size.is_small() {
        return None;
    }
    u64::try_from(size.small_value()).ok()?.checked_mul(unit).and_then(|bits| usize::try_from(bits).ok())
}

impl Machine<'_> {
    fn fail(&self) -> Next {
        self.target(1).unwrap_or_else(|| self.pc())
    }

    /// `bs_start`.
    #[inline(never)]
    pub fn bs_start(&mut self) -> Next {
        let word = self.operand(0);
        let source = self.get(a(word));
        let Some((position, length, base)) = parts(source) else { return self.fail() };
        let place = match self.process.heap.alloc(CONTEXT_WORDS) {
            Ok(place) => place,
            Err(error) => return self.no_memory(error),
        };
        // SAFETY: I2: `alloc` gave the room; the object is written whole before a register names it.
        unsafe {
            place.write(Word::header(Subtag::MatchContext, CONTEXT_WORDS - 1));
            place.add(POSITION).write(Word::from_bits(position));
            place.add(END).write(Word::from_bits(position + length));
            place.add(BEGINNING).write(Word::from_bits(position));
            place.add(BYTES).write(address_of_bytes(base));
            place.add(BASE).write(base);
        }
        self.set(b(word), Word::boxed(place));
        self.after(2)
    }

    /// `bs_integer`.
    #[inline(never)]
    pub fn bs_integer(&mut self) -> Next {
        let word = self.operand(0);
        let context = Context::of(self.get(a(word)));
        let segment = Segment::from_bits(self.operand(3));
        let Some(bits) = bits_of(self.source(self.operand(2)), segment.unit()) else { return self.fail() };
        let start = context.position();
        let Some(position) = context.advance(bits) else { return self.fail() };
        let value = if bits <= 64 {
            let value = integer(context.bytes(), position, bits, segment);
            match i64::try_from(value).ok().and_then(Word::try_small) {
                Some(value) => Ok(value),
                None => self.cx().int_i128(value).map(Term::word),
            }
        } else {
            big_integer(&mut self.cx(), context.bytes(), position, bits, segment)
        };
        match value {
            Ok(value) => {
                self.set(b(word), value);
                self.after(4)
            }
            // An integer beyond what integers may be does not match.
            Err(AllocError::SystemLimit) => {
                context.set_position(start);
                self.fail()
            }
            Err(error) => self.no_memory(error),
        }
    }

    /// `bs_float`.
    #[inline(never)]
    pub fn bs_float(&mut self) -> Next {
        let word = self.operand(0);
        let context = Context::of(self.get(a(word)));
        let segment = Segment::from_bits(self.operand(3));
        let Some(bits) = bits_of(self.source(self.operand(2)), segment.unit()) else { return self.fail() };
        if !matches!(bits, 16 | 32 | 64) || bits > context.left() {
            return self.fail();
        }
        let position = context.position();
        let raw = little_or_big(read_bits(context.bytes(), position, bits), bits, segment.is_little());
        let value = match bits {
            16 => half_to_double(raw as u16),
            32 => f64::from(f32::from_bits(raw as u32)),
            _ => f64::from_bits(raw),
        };
        match self.cx().float(value).map(|float| float.map(Term::word)) {
            Ok(Some(float)) => {
                context.set_position(position + bits);
                self.set(b(word), float);
                self.after(4)
            }
            Ok(None) => self.fail(),
            Err(error) => self.no_memory(error),
        }
    }

    /// How many bits `bs_binary` or `bs_skip` takes; `None` if it fails.
    fn part_bits(&self, context: Context) -> Option<usize> {
        let segment = Segment::from_bits(self.operand(3));
        let size = self.source(self.operand(2));
        if size == Word::atom(known::THE_REST) {
            let left = context.left();
            return (left as u64).is_multiple_of(segment.unit()).then_some(left);
        }
        bits_of(size, segment.unit()).filter(|bits| *bits <= context.left())
    }

    /// `bs_binary`.
    #[inline(never)]
    pub fn bs_binary(&mut self) -> Next {
        let word = self.operand(0);
        let context = Context::of(self.get(a(word)));
        let Some(bits) = self.part_bits(context) else { return self.fail() };
        let position = context.position();
        match self.part(context, position, bits) {
            Ok(part) => {
                context.set_position(position + bits);
                self.set(b(word), part);
                self.after(4)
            }
            Err(error) => self.no_memory(error),
        }
    }

    fn part(&mut self, context: Context, first: usize, bits: usize) -> Result<Word, AllocError> {
        let base = context.base();
        let part = Bits::from_parts(context.bytes(), first, bits);
        if part.byte_length() <= HEAP_LIMIT_BYTES {
            return Ok(self.cx().bits(part)?.word());
        }
        // More than the limit: of a shared binary. All of that is the binary itself.
        if first == 0 && Live::body(base, 0).bits() as usize == bits {
            return Ok(base);
        }
        Ok(self.cx().sub_object(base, first, bits)?.word())
    }

    /// `bs_get_tail`.
    #[inline(never)]
    pub fn bs_get_tail(&mut self) -> Next {
        let word = self.operand(0);
        let context = Context::of(self.get(a(word)));
        match self.part(context, context.position(), context.left()) {
            Ok(part) => {
                self.set(b(word), part);
                self.after(1)
            }
            Err(error) => self.no_memory(error),
        }
    }

    /// `bs_whole` of a context.
    #[inline(never)]
    pub fn bs_whole(&mut self) -> Next {
        let word = self.operand(0);
        let context = Context::of(self.get(a(word)));
        let (beginning, end) = (context.beginning(), context.end());
        match self.part(context, beginning, end - beginning) {
            Ok(whole) => {
                self.set(b(word), whole);
                self.after(1)
            }
            Err(error) => self.no_memory(error),
        }
    }

    /// `bs_utf`.
    #[inline(never)]
    pub fn bs_utf(&mut self) -> Next {
        let word = self.operand(0);
        let context = Context::of(self.get(a(word)));
        let segment = Segment::from_bits(self.operand(2));
        match code_point(context, segment) {
            Some((point, bits)) => {
                context.set_position(context.position() + bits);
                self.set(b(word), Word::small(i64::from(point)));
                self.after(3)
            }
            None => self.fail(),
        }
    }

    /// `bs_string`.
    #[inline(never)]
    pub fn bs_string(&mut self) -> Next {
        let context = Context::of(self.get(a(self.operand(0))));
        // SAFETY: I1: a literal.
        let wanted: Term<'_> = unsafe { Term::from_word(Word::from_bits(self.operand(2))) };
        let wanted = wanted.as_bits().expect("the verifier sees that the literal is a bitstring");
        let (length, position) = (wanted.bit_length(), context.position());
        if length > context.left() {
            return self.fail();
        }
        let found = crate::term::Bits::from_parts(context.bytes(), position, length);
        if !found.equals(wanted) {
            return self.fail();
        }
        context.set_position(position + length);
        self.after(3)
    }

    /// `bs_set_position`.
    pub fn bs_set_position(&mut self) -> Next {
        let word = self.operand(0);
        let (context, position) = (Context::of(self.get(a(word))), self.get(b(word)));
        // The position must lie inside whatever the register holds: code of any origin may come here.
        match usize::try_from(position.small_value()) {
            Ok(position_bits) if position.is_small() && position_bits <= context.end() => {
                context.set_position(position_bits);
                self.after(1)
            }
            _ => self.raise_atom(crate::atom::known::BADARG),
        }
    }
}

/// An integer of at most 64 bits.
#[inline]
fn integer(bytes: &[u8], position: usize, bits: usize, segment: Segment) -> i128 {
    let raw = little_or_big(read_bits(bytes, position, bits), bits, segment.is_little());
    if segment.is_signed() && bits > 0 && raw >> (bits - 1) & 1 != 0 {
        return i128::from(raw) - (1_i128 << bits);
    }
    i128::from(raw)
}

/// The number whose `bits` bits were read most significant first, if they stand in that order of bytes; in little-endian
/// order the last, partial byte holds the most significant bits.
#[inline]
fn little_or_big(raw: u64, bits: usize, little: bool) -> u64 {
    if !little || bits <= 8 {
        return raw;
    }
    let (whole, rest) = (bits / 8, bits % 8);
    let mut value = if rest == 0 { 0 } else { raw & ((1 << rest) - 1) };
    let raw = raw >> rest;
    for byte in 0..whole {
        // Bytes from the last whole one to the first: each has less weight than those before it in the loop.
        value = value << 8 | raw >> (8 * byte) & 0xff;
    }
    value
}

/// An integer of more than 64 bits.
fn big_integer(
    cx: &mut Cx<'_>,
    bytes: &[u8],
    position: usize,
    bits: usize,
    segment: Segment,
) -> Result<Word, AllocError> {
    // Bytes of the number, least significant first.
    let (whole, rest) = (bits / 8, bits % 8);
    let mut number = Vec::with_capacity(whole + 1);
    if segment.is_little() {
        number.extend((0..whole).map(|byte| read_bits(bytes, position + 8 * byte, 8) as u8));
        if rest > 0 {
            number.push(read_bits(bytes, position + 8 * whole, rest) as u8);
        }
    } else {
        number.extend((0..whole).map(|byte| read_bits(bytes, position + bits - 8 * (byte + 1), 8) as u8));
        if rest > 0 {
            number.push(read_bits(bytes, position, rest) as u8);
        }
    }
    let mut limbs: Vec<u64> = number
        .chunks(8)
        .map(|chunk| chunk.iter().rev().fold(0, |limb, byte| limb << 8 | u64::from(*byte)))
        .collect();
    let top = (bits - 1) % 64;
    let negative = segment.is_signed() && limbs.last().is_some_and(|limb| limb >> top & 1 != 0);
    if negative {
        // The magnitude of a number in two's complement.
        if let Some(last) = limbs.last_mut()
            && top < 63
        {
            *last |= u64::MAX << (top + 1);
        }
        let mut carry = true;
        for limb in &mut limbs {
            let (value, overflow) = (!*limb).overflowing_add(u64::from(carry));
            *limb = value;
            carry = overflow;
        }
        if carry {
            limbs.push(1);
        }
    }
    Ok(cx.big(negative, &limbs)?.word())
}

/// The double with the value of a half-precision float.
fn half_to_double(half: u16) -> f64 {
    let sign = if half >> 15 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(half >> 10 & 0x1f), f64::from(half & 0x3ff));
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

/// The code point next in the context, and how many bits it takes; `None` if there is no well-formed one.
fn code_point(context: Context, segment: Segment) -> Option<(u32, usize)> {
    use erlet_lang::bytecode::SegmentKind;
    let (bytes, position, left) = (context.bytes(), context.position(), context.left());
    let unit = |offset: usize, bits: usize| {
        let raw = (offset + bits <= left).then(|| read_bits(bytes, position + offset, bits))?;
        Some(little_or_big(raw, bits, segment.is_little()) as u32)
    };
    let (point, bits) = match segment.kind() {
        SegmentKind::Utf8 => {
            let first = unit(0, 8)?;
            let (length, least) = match first {
                0..=0x7f => return Some((first, 8)),
                0xc2..=0xdf => (2, 0x80),
                0xe0..=0xef => (3, 0x800),
                0xf0..=0xf4 => (4, 0x1_0000),
                _ => return None,
            };
            let mut point = first & (0x7f >> length);
            for index in 1..length {
                let next = unit(8 * index, 8).filter(|byte| byte & 0xc0 == 0x80)?;
                point = point << 6 | next & 0x3f;
            }
            (Some(point).filter(|point| *point >= least)?, 8 * length)
        }
        SegmentKind::Utf16 => match unit(0, 16)? {
            high @ 0xd800..=0xdbff => {
                let low = unit(16, 16).filter(|low| (0xdc00..=0xdfff).contains(low))?;
                (0x1_0000 + ((high & 0x3ff) << 10 | low & 0x3ff), 32)
            }
            unit => (unit, 16),
        },
        _ => (unit(0, 32)?, 32),
    };
    char::from_u32(point).map(|_| (point, bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_endian_numbers_put_a_partial_byte_on_top() {
        // <<16#1234:16/little>> is <<16#34, 16#12>>; <<16#1ab:9/little>> is <<16#ab, 1:1>>.
        assert_eq!(little_or_big(0x3412, 16, true), 0x1234);
        assert_eq!(little_or_big(0xab << 1 | 1, 9, true), 0x1ab);
        assert_eq!(little_or_big(0x0102_0304, 32, true), 0x0403_0201);
    }

    #[test]
    fn halves_have_their_value() {
        assert_eq!(half_to_double(0x3c00), 1.0);
        assert_eq!(half_to_double(0xc000), -2.0);
        assert_eq!(half_to_double(0x7bff), 65504.0);
        assert_eq!(half_to_double(0x0001), 2f64.powi(-24));
        assert!(half_to_double(0x7c00).is_infinite());
    }
}

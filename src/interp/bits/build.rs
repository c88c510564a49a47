//! Building bitstrings.
//!
//! `bs_create` first judges all segments and measures them, then writes them in one go: into the spare room behind the
//! first segment if that is a binary nobody else extended, else into a new binary.

use erlet_lang::bytecode::SegmentKind;

use super::{copy_bits, write_bits};
use crate::atom::{Atom, known};
use crate::bif::Cx;
use crate::code::bits::{SEGMENT_WORDS, Segment};
use crate::heap::AllocError;
use crate::interp::exception::Begin;
use crate::interp::live::{a, b};
use crate::interp::machine::{Machine, Next};
use crate::process::Class;
use crate::term::{Bits, Term, View, Word};

/// Bits of the largest bitstring: a terabyte, well below what lengths in bits can say.
const MAX_BITS: usize = 1 << 43;

/// A segment that was judged: how many bits, and what.
struct Piece<'h> {
    bits: usize,
    value: Value<'h>,
    little: bool,
}

enum Value<'h> {
    Int(i64),
    Big(crate::term::Big<'h>),
    /// The bytes of a float or code point, in order.
    Bytes([u8; 8]),
    Bits(Bits<'h>),
}

/// Why a segment cannot be built: OTP's words for it.
struct Fault<'h> {
    /// `badarg` or `system_limit`.
    reason: Atom,
    kind: SegmentKind,
    what: Atom,
    value: Term<'h>,
}

enum Built {
    Done(Word),
    /// Reason, and the `error_info` map.
    Failed(Atom, Word),
}

impl Machine<'_> {
    /// `bs_create`.
    #[inline(never)]
    pub fn bs_create(&mut self) -> Next {
        let word = self.operand(0);
        let (dst, count) = (a(word), b(word) as usize);
        let words: Vec<(Segment, Word, Word)> = (0..count)
            .map(|index| {
                let at = 2 + SEGMENT_WORDS * index;
                let value = self.source(self.operand(at + 1));
                (Segment::from_bits(self.operand(at)), value, self.source(self.operand(at + 2)))
            })
            .collect();
        let guarded = self.target(1);
        let mut cx = self.cx();
        match create(&mut cx, &words) {
            Ok(Built::Done(bits)) => {
                self.set(dst, bits);
                self.after(2 + SEGMENT_WORDS * count)
            }
            Ok(Built::Failed(reason, info)) => match guarded {
                Some(fail) => fail,
                None => self.raise_bits(reason, info),
            },
            Err(AllocError::SystemLimit) => match guarded {
                Some(fail) => fail,
                None => self.raise_atom(known::SYSTEM_LIMIT),
            },
            Err(error) => self.no_memory(error),
        }
    }

    #[cold]
    fn raise_bits(&mut self, reason: Atom, info: Word) -> Next {
        match self.own_frame(None, Some(info)) {
            Ok(frame) => self.raise_from(Class::Error, Word::atom(reason), Begin::Instead(frame)),
            Err(error) => self.no_memory(error),
        }
    }
}

fn create<'h>(cx: &mut Cx<'h>, words: &[(Segment, Word, Word)]) -> Result<Built, AllocError> {
    let mut pieces = Vec::with_capacity(words.len());
    let mut total = 0_usize;
    for (index, &(segment, value, size)) in words.iter().enumerate() {
        // SAFETY: I3: operands.
        let (value, size) = unsafe { (cx.term(value), cx.term(size)) };
        match piece(cx, segment, value, size) {
            Ok(piece) => {
                total = total
                    .checked_add(piece.bits)
                    .filter(|bits| *bits <= MAX_BITS)
                    .ok_or(AllocError::SystemLimit)?;
                pieces.push(piece);
            }
            Err(fault) => {
                return fault_info(cx, index + 1 + segment.before(), &fault)
                    .map(|info| Built::Failed(fault.reason, info));
            }
        }
    }
    if let [first, rest @ ..] = &pieces[..]
        && let Value::Bits(_) = first.value
    {
        // SAFETY: I3: an operand.
        let head = unsafe { cx.term(words[0].1) };
        let more = total - first.bits;
        if head.as_bits().is_some_and(|bits| bits.bit_length() == first.bits)
            && let Some(appended) = cx.append(head, more, |place| write_pieces(place, 0, rest))?
        {
            return Ok(Built::Done(appended.word()));
        }
    }
    let built = cx.bits_with(total, |place| write_pieces(place, 0, &pieces))?;
    Ok(Built::Done(built.word()))
}

/// Judges and measures one segment.
fn piece<'h>(
    cx: &mut Cx<'h>,
    segment: Segment,
    value: Term<'h>,
    size: Term<'h>,
) -> Result<Piece<'h>, Fault<'h>> {
    let kind = segment.kind();
    let fault = |what: Atom, value: Term<'h>| Fault { reason: known::BADARG, kind, what, value };
    let little = segment.is_little();
    let measured = || match size.view() {
        View::Int(units) if units >= 0 => (units as u64)
            .checked_mul(segment.unit())
            .and_then(|bits| usize::try_from(bits).ok())
            .filter(|bits| *bits <= MAX_BITS)
            .ok_or(Fault { reason: known::SYSTEM_LIMIT, kind, what: known::SIZE, value: size }),
        View::Big(units) if !units.is_negative() => {
            Err(Fault { reason: known::SYSTEM_LIMIT, kind, what: known::SIZE, value: size })
        }
        _ => Err(fault(known::SIZE, size)),
    };
    match kind {
        SegmentKind::Integer => {
            let value = match value.view() {
                View::Int(value) => Value::Int(value),
                View::Big(value) => Value::Big(value),
                _ => return Err(fault(known::TYPE, value)),
            };
            Ok(Piece { bits: measured()?, value, little })
        }
        SegmentKind::Float => {
            let bits = measured()?;
            if !matches!(bits, 16 | 32 | 64) {
                return Err(fault(known::INVALID, size));
            }
            float_bytes(cx, value, bits, little)
                .map(|bytes| Piece { bits, value: Value::Bytes(bytes), little })
                .map_err(|what| fault(what, value))
        }
        SegmentKind::Binary => {
            let as_bits = || value.as_bits().ok_or_else(|| fault(known::TYPE, value));
            if size.is_atom(known::THE_REST) {
                let bits = as_bits()?;
                if !(bits.bit_length() as u64).is_multiple_of(segment.unit()) {
                    return Err(fault(known::UNIT, value));
                }
                return Ok(Piece { bits: bits.bit_length(), value: Value::Bits(bits), little });
            }
            // Sizes are judged before values.
            let wanted = measured()?;
            let bits = as_bits()?;
            if wanted > bits.bit_length() {
                return Err(fault(known::SHORT, value));
            }
            Ok(Piece { bits: wanted, value: Value::Bits(bits), little })
        }
        SegmentKind::Utf8 | SegmentKind::Utf16 | SegmentKind::Utf32 => {
            let point = value.as_small().and_then(|point| u32::try_from(point).ok()).and_then(char::from_u32);
            let point = point.ok_or_else(|| fault(known::TYPE, value))?;
            let (bytes, length) = encode(point, kind, little);
            Ok(Piece { bits: 8 * length, value: Value::Bytes(bytes), little })
        }
    }
}

/// The bytes of a float segment of 16, 32 or 64 bits, or what is wrong.
fn float_bytes<'h>(cx: &mut Cx<'h>, value: Term<'h>, bits: usize, little: bool) -> Result<[u8; 8], Atom> {
    let value = match value.view() {
        View::Float(value) => value,
        View::Int(value) => value as f64,
        View::Big(_) => cx.to_float(value).ok().and_then(Term::as_float).ok_or(known::NO_FLOAT)?,
        _ => return Err(known::TYPE),
    };
    let mut bytes = [0; 8];
    match bits {
        64 => bytes = value.to_be_bytes(),
        // What is too large for the format becomes the bits of an infinity, as in OTP; no term ever is one.
        32 => bytes[..4].copy_from_slice(&(value as f32).to_be_bytes()),
        _ => bytes[..2].copy_from_slice(&half(value).to_be_bytes()),
    }
    if little {
        bytes[..bits / 8].reverse();
    }
    Ok(bytes)
}

/// The half-precision float nearest to a double, ties to even; infinity if it is too large.
fn half(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    // Below the normal halves, steps are 2^-24; above, 2^-10 of the power of two at or below the value.
    let exponent = if magnitude < 2f64.powi(-14) { -14 } else { magnitude.log2().floor() as i32 };
    let scaled = (magnitude * 2f64.powi(10 - exponent)).round_ties_even();
    let (exponent, scaled) = if scaled >= 2048.0 { (exponent + 1, scaled / 2.0) } else { (exponent, scaled) };
    if exponent > 15 {
        return sign | 0x7c00;
    }
    let fraction = scaled as u16;
    let biased = if fraction < 1024 { 0 } else { (exponent + 15) as u16 };
    sign | biased << 10 | fraction & 0x3ff
}

/// A code point's bytes, and how many.
fn encode(point: char, kind: SegmentKind, little: bool) -> ([u8; 8], usize) {
    let mut bytes = [0; 8];
    let length = match kind {
        SegmentKind::Utf8 => point.encode_utf8(&mut bytes).len(),
        SegmentKind::Utf16 => {
            let mut units = [0; 2];
            let units = point.encode_utf16(&mut units);
            for (index, unit) in units.iter().enumerate() {
                let unit = if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
                bytes[2 * index..2 * index + 2].copy_from_slice(&unit);
            }
            2 * units.len()
        }
        _ => {
            let unit = point as u32;
            bytes[..4].copy_from_slice(&if little { unit.to_le_bytes() } else { unit.to_be_bytes() });
            4
        }
    };
    (bytes, length)
}

fn write_pieces(place: &mut [u8], first: usize, pieces: &[Piece<'_>]) {
    let mut at = first;
    for piece in pieces {
        match &piece.value {
            Value::Bits(bits) => {
                let (bytes, skip, _) = bits.parts();
                copy_bits(place, at, bytes, skip as usize, piece.bits);
            }
            Value::Bytes(bytes) => copy_bits(place, at, bytes, 0, piece.bits),
            Value::Int(value) => write_int(place, at, *value, piece),
            Value::Big(value) => write_big(place, at, value.is_negative(), value.limbs(), piece),
        }
        at += piece.bits;
    }
}

fn write_int(place: &mut [u8], at: usize, value: i64, piece: &Piece<'_>) {
    if at.is_multiple_of(8) && piece.bits.is_multiple_of(8) && piece.bits <= 64 {
        let length = piece.bits / 8;
        let target = &mut place[at / 8..at / 8 + length];
        if piece.little {
            target.copy_from_slice(&value.to_le_bytes()[..length]);
        } else {
            target.copy_from_slice(&value.to_be_bytes()[8 - length..]);
        }
        return;
    }
    let sign = if value < 0 { 0xff } else { 0 };
    let bytes = value.to_le_bytes();
    write_number(place, at, piece, |index| bytes.get(index).copied().unwrap_or(sign));
}

fn write_big(place: &mut [u8], at: usize, negative: bool, limbs: &[u64], piece: &Piece<'_>) {
    // The two's complement of a negative number is the complement of its magnitude less one: all limbs below the lowest
    // non-zero one stay zero, that one is negated, those above are complemented.
    let lowest = limbs.iter().position(|limb| *limb != 0).unwrap_or(0);
    let limb = |index: usize| match limbs.get(index) {
        Some(limb) if !negative || index < lowest => *limb,
        Some(limb) if index == lowest => limb.wrapping_neg(),
        Some(limb) => !*limb,
        None if negative => u64::MAX,
        None => 0,
    };
    write_number(place, at, piece, |index| (limb(index / 8) >> (8 * (index % 8))) as u8);
}

/// Writes a number whose bytes, least significant first, `byte` gives.
fn write_number(place: &mut [u8], at: usize, piece: &Piece<'_>, byte: impl Fn(usize) -> u8) {
    let (whole, rest) = (piece.bits / 8, piece.bits % 8);
    if piece.little {
        for index in 0..whole {
            write_bits(place, at + 8 * index, byte(index), 8);
        }
        write_bits(place, at + 8 * whole, byte(whole), rest);
    } else {
        write_bits(place, at, byte(whole), rest);
        for index in 0..whole {
            write_bits(place, at + rest + 8 * index, byte(whole - 1 - index), 8);
        }
    }
}

/// `#{cause => {Segment, Type, What, Value}, function => format_bs_fail, module => erl_erts_errors}`.
fn fault_info<'h>(cx: &mut Cx<'h>, index: usize, fault: &Fault<'h>) -> Result<Word, AllocError> {
    let kind = match fault.kind {
        SegmentKind::Integer => known::INTEGER,
        SegmentKind::Float => known::FLOAT,
        SegmentKind::Binary => known::BINARY,
        SegmentKind::Utf8 => known::UTF8,
        SegmentKind::Utf16 => known::UTF16,
        SegmentKind::Utf32 => known::UTF32,
    };
    let index = cx.int(index as i64)?;
    let cause = cx.tuple(&[index, Term::atom(kind), Term::atom(fault.what), fault.value])?;
    let pairs = [
        (Term::atom(known::CAUSE), cause),
        (Term::atom(known::FUNCTION), Term::atom(known::FORMAT_BS_FAIL)),
        (Term::atom(known::MODULE), Term::atom(known::ERL_ERTS_ERRORS)),
    ];
    Ok(cx.map(&pairs)?.word())
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn doubles_are_rounded_to_halves() {
        assert_eq!(half(1.0), 0x3c00);
        assert_eq!(half(-2.0), 0xc000);
        assert_eq!(half(65504.0), 0x7bff);
        assert_eq!(half(65520.0), 0x7c00);
        assert_eq!(half(2f64.powi(-24)), 1);
        assert_eq!(half(0.0), 0);
    }
}

//! The common cases of matching, for the loop: what needs no call out.

use super::append::APPEND_WORDS;
use super::take::{CONTEXT_WORDS, Context, address_of_bytes, bits_of, parts, read};
use crate::atom::known;
use crate::code::bits::{SHAPE_BITS, SHAPE_LITTLE, SHAPE_SIGNED};
use crate::code::match_run::{COMMAND_CONSTANT, COMMAND_INTEGER, COMMAND_POSITION, COMMAND_SKIP};
use crate::interp::live::Live;
use crate::term::bits::HEAP_LIMIT_BYTES;
use crate::term::{Subtag, Word};

/// How an attempt at the common case went.
pub(in crate::interp) enum Fast {
    /// It is done, and the position is behind the instruction.
    Done,
    /// Nothing was changed: this case is not the common one.
    Slow,
    /// The instruction fails; nothing was changed.
    Fail,
}

/// `bs_start`.
#[inline(always)]
pub(in crate::interp) fn start(m: &mut Live) -> Fast {
    let source = m.get(m.a());
    if let Some(context) = Context::in_word(source) {
        context.begin();
        m.set(m.b(), source);
        m.go(2);
        return Fast::Done;
    }
    let Some((position, length, base)) = parts(source) else { return Fast::Fail };
    if !m.has_room(CONTEXT_WORDS) {
        return Fast::Slow;
    }
    let position = Word::from_bits(position);
    let end = Word::from_bits(position.bits() + length);
    let header = Word::header(Subtag::MatchContext, CONTEXT_WORDS - 1);
    let context = m.object(header, [position, end, position, address_of_bytes(base), base]);
    m.set(m.b(), context);
    m.go(2);
    Fast::Done
}

/// Prefix of `bs_start`, `bs_get_position` and `bs_integer` of a byte: if what is matched is a context that stands at a byte and has whole
/// ones left. Whether it was done.
#[inline(always)]
pub(in crate::interp) fn start_byte(m: &mut Live) -> bool {
    let source = m.x(m.a());
    let Some(context) = Context::in_word(source) else { return false };
    let (position, end) = (context.position(), context.end());
    if end == position || !(position | end).is_multiple_of(8) {
        return false;
    }
    context.begin();
    context.set_position(position + 8);
    // SAFETY: I3: the byte lies before the end.
    let byte = unsafe { *context.first_byte().add(position / 8) };
    m.set_x(m.b(), source);
    m.set_x(m.field(1, 0), Word::small(position as i64));
    m.set_x(m.c(), Word::small(i64::from(byte)));
    true
}

/// Prefix of a run of commands on one context: whether all succeed. If not, they find out one by one which fails (what was written they
/// write again).
#[inline(never)]
pub(in crate::interp) fn run(pc: *const u64, x: *mut Word) -> bool {
    // Nothing of the stack or the heap is looked at.
    let mut m = Live { pc, sp: std::ptr::null_mut(), hp: std::ptr::null_mut(), reductions: 0, x };
    let count = m.b() as usize;
    let context = Context::of(m.x(m.a()));
    let (mut position, end, first) = (context.position(), context.end(), context.first_byte());
    if end - position < m.c() as usize {
        return false;
    }
    for index in 0..count {
        let command = m.operand(2 + index);
        let bits = (command >> 8 & 0xff) as usize;
        match command as u8 {
            COMMAND_SKIP => position += (command >> 32) as usize,
            COMMAND_INTEGER => {
                let value = read(first, position, bits);
                m.set_x((command >> 16) as u16, Word::small(value as i64));
                position += bits;
            }
            COMMAND_CONSTANT => {
                if read(first, position, bits) != command >> 32 {
                    return false;
                }
                position += bits;
            }
            COMMAND_POSITION => m.set_x((command >> 16) as u16, Word::small(position as i64)),
            _ => {
                if !(end - position).is_multiple_of(8) {
                    return false;
                }
            }
        }
    }
    context.set_position(position);
    true
}

/// Prefix of `bs_rest` of whole bytes and a tail call: whether the rest is whole.
#[inline(always)]
pub(in crate::interp) fn rest_is_bytes(m: &Live) -> bool {
    Context::of(m.x(m.a())).left().is_multiple_of(8)
}

/// `bs_integer` of a fixed size, unsigned and most significant byte first.
#[inline(always)]
pub(in crate::interp) fn integer(m: &mut Live) -> bool {
    let (context, bits) = (Context::of(m.get(m.a())), m.c() as usize);
    let Some(position) = context.advance(bits) else { return false };
    let value = context.read(position, bits);
    m.set(m.b(), Word::small(value as i64));
    m.go(2);
    true
}

/// `bs_integer` of a fixed size, signed or least significant byte first.
#[inline(always)]
pub(in crate::interp) fn shaped_integer(m: &mut Live) -> bool {
    let (context, shape) = (Context::of(m.get(m.a())), m.c());
    let bits = usize::from(shape & SHAPE_BITS);
    let Some(position) = context.advance(bits) else { return false };
    let mut value = context.read(position, bits) << (64 - bits);
    if shape & SHAPE_LITTLE != 0 {
        // The last byte read is the most significant one.
        value = (value >> (64 - bits)).swap_bytes();
    }
    let value =
        if shape & SHAPE_SIGNED == 0 { (value >> (64 - bits)) as i64 } else { value as i64 >> (64 - bits) };
    m.set(m.b(), Word::small(value));
    m.go(2);
    true
}

/// `bs_string` of a few bits.
#[inline(always)]
pub(in crate::interp) fn constant(m: &mut Live) -> bool {
    let (context, bits) = (Context::of(m.get(m.a())), m.c() as usize);
    let position = context.position();
    if context.end() - position < bits || context.read(position, bits) != m.operand(2) {
        return false;
    }
    context.set_position(position + bits);
    m.go(3);
    true
}

/// `bs_float` of 64 bits that begin at a byte.
#[inline(always)]
pub(in crate::interp) fn float(m: &mut Live) -> Fast {
    let context = Context::of(m.get(m.a()));
    let position = context.position();
    if m.c() != 64 || context.left() < 64 || !position.is_multiple_of(8) {
        return Fast::Slow;
    }
    // SAFETY: I3: these bytes lie before the end.
    let bytes = unsafe { context.first_byte().add(position / 8).cast::<[u8; 8]>().read_unaligned() };
    match Word::float(f64::from_be_bytes(bytes)) {
        Some(float) => {
            context.set_position(position + 64);
            m.set(m.b(), float);
            m.go(4);
            Fast::Done
        }
        None => Fast::Slow,
    }
}

/// `bs_utf` of a code point below 128 in UTF-8.
#[inline(always)]
pub(in crate::interp) fn utf(m: &mut Live) -> Fast {
    let context = Context::of(m.get(m.a()));
    let position = context.position();
    if m.c() != 8 || context.end() - position < 8 {
        return Fast::Slow;
    }
    let byte = context.read(position, 8);
    if byte > 0x7f {
        return Fast::Slow;
    }
    context.set_position(position + 8);
    m.set(m.b(), Word::small(byte as i64));
    m.go(3);
    Fast::Done
}

/// How many bits `bs_binary` and `bs_skip` take; `None` if there are not as many or that is no size.
#[inline(always)]
fn part_bits(m: &Live, context: Context) -> Option<usize> {
    let (size, unit, left) = (m.operand(2), u64::from(m.field(3, 0)), context.left());
    if size == Word::atom(known::THE_REST).bits() {
        let whole = if unit == 8 { left.is_multiple_of(8) } else { (left as u64).is_multiple_of(unit) };
        return whole.then_some(left);
    }
    bits_of(m.source(size), unit).filter(|bits| *bits <= left)
}

/// `bs_skip`.
#[inline(always)]
pub(in crate::interp) fn skip(m: &mut Live) -> bool {
    let context = Context::of(m.get(m.a()));
    let Some(bits) = part_bits(m, context) else { return false };
    context.set_position(context.position() + bits);
    m.go(4);
    true
}

/// `bs_binary`.
#[inline(always)]
pub(in crate::interp) fn binary(m: &mut Live) -> Fast {
    let context = Context::of(m.get(m.a()));
    let Some(bits) = part_bits(m, context) else { return Fast::Fail };
    if !m.has_room(APPEND_WORDS) {
        return Fast::Slow;
    }
    let position = context.position();
    let (part, hp) = part(context, position, bits, m.hp);
    if hp.is_null() {
        return Fast::Slow;
    }
    m.hp = hp;
    context.set_position(position + bits);
    m.set(m.b(), part);
    m.go(4);
    Fast::Done
}

/// `bs_get_tail`.
#[inline(always)]
pub(in crate::interp) fn get_tail(m: &mut Live) -> Fast {
    let context = Context::of(m.get(m.a()));
    if !m.has_room(APPEND_WORDS) {
        return Fast::Slow;
    }
    let (part, hp) = part(context, context.position(), context.left(), m.hp);
    if hp.is_null() {
        return Fast::Slow;
    }
    m.hp = hp;
    m.set(m.b(), part);
    m.go(1);
    Fast::Done
}

/// `bits` bits of a context from `first` on, and the heap's new top; null for that if this is not the common case. There is room for a
/// heap binary of any size.
#[inline(never)]
fn part(context: Context, first: usize, bits: usize, hp: *mut Word) -> (Word, *mut Word) {
    if bits > 8 * HEAP_LIMIT_BYTES {
        // A part of a shared binary; all of it is that itself.
        if first == 0 {
            return (Word::NIL, std::ptr::null_mut());
        }
        // SAFETY: I2: there is room.
        unsafe {
            hp.write(Word::header(Subtag::SubBits, 3));
            hp.add(1).write(Word::from_bits(first as u64));
            hp.add(2).write(Word::from_bits(bits as u64));
            hp.add(3).write(context.base());
        }
        return (Word::boxed(hp), hp.wrapping_add(4));
    }
    if !(first | bits).is_multiple_of(8) {
        return (Word::NIL, std::ptr::null_mut());
    }
    let words = bits.div_ceil(64);
    // SAFETY: I2: there is room for these words, of which the last is zero beyond the bytes. I3: the bytes lie before the context's end.
    unsafe {
        hp.write(Word::header(Subtag::HeapBits, 1 + words));
        hp.add(1 + words).write(Word::from_bits(0));
        hp.add(1).write(Word::from_bits(bits as u64));
        let (from, to) = (context.first_byte().add(first / 8), hp.add(2).cast::<u8>());
        to.copy_from_nonoverlapping(from, bits / 8);
    }
    (Word::boxed(hp), hp.wrapping_add(2 + words))
}

/// `bs_rest`.
#[inline(always)]
pub(in crate::interp) fn rest(m: &mut Live) -> bool {
    let (left, unit) = (Context::of(m.get(m.a())).left(), m.b() as usize);
    let whole = if unit == 8 { left.is_multiple_of(8) } else { left.is_multiple_of(unit) };
    if !whole {
        return false;
    }
    m.go(2);
    true
}

/// `bs_whole`: what is no context stays what it is.
#[inline(always)]
pub(in crate::interp) fn whole(m: &mut Live) -> Fast {
    let source = m.get(m.a());
    if Context::in_word(source).is_some() {
        return Fast::Slow;
    }
    m.set(m.b(), source);
    m.go(1);
    Fast::Done
}

/// `bs_begin`.
#[inline(always)]
pub(in crate::interp) fn begin(m: &mut Live) {
    if let Some(context) = Context::in_word(m.get(m.a())) {
        context.begin();
    }
    m.go(1);
}

/// `bs_set_position`, within the context.
#[inline(always)]
pub(in crate::interp) fn set_position(m: &mut Live) -> Fast {
    let (context, position) = (Context::of(m.get(m.a())), m.get(m.b()));
    // A small number: its position may be beyond this context's end, if the code is of another origin.
    let position = position.small_value() as usize;
    if position > context.end() {
        return Fast::Slow;
    }
    context.set_position(position);
    m.go(1);
    Fast::Done
}

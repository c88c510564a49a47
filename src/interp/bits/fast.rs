//! The common cases of matching, for the loop: what needs no call out.

use super::take::{CONTEXT_WORDS, Context, parts};
use crate::atom::known;
use crate::interp::live::Live;
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
    let context = m.object(Word::header(Subtag::MatchContext, 4), [position, end, position, base]);
    m.set(m.b(), context);
    m.go(2);
    Fast::Done
}

/// `bs_integer` of a fixed size.
#[inline(always)]
pub(in crate::interp) fn integer(m: &mut Live) -> Fast {
    match Context::of(m.get(m.a())).take_small(m.c() as usize) {
        Some(value) => {
            m.set(m.b(), Word::small(value as i64));
            m.go(2);
            Fast::Done
        }
        None => Fast::Fail,
    }
}

/// `bs_binary`.
#[inline(always)]
pub(in crate::interp) fn binary(m: &mut Live) -> Fast {
    let context = Context::of(m.get(m.a()));
    let all = m.operand(2) == Word::atom(known::ALL).bits() && context.left().is_multiple_of(8);
    if all && m.operand(3) as u16 == 8 && context.is_tail_shared() && m.has_room(4) {
        let tail = shared_tail(m, context);
        context.set_position(context.end());
        m.set(m.b(), tail);
        m.go(4);
        return Fast::Done;
    }
    Fast::Slow
}

/// `bs_get_tail`.
#[inline(always)]
pub(in crate::interp) fn get_tail(m: &mut Live) -> Fast {
    let context = Context::of(m.get(m.a()));
    if context.is_tail_shared() && m.has_room(4) {
        let tail = shared_tail(m, context);
        m.set(m.b(), tail);
        m.go(1);
        return Fast::Done;
    }
    Fast::Slow
}

#[inline(always)]
fn shared_tail(m: &mut Live, context: Context) -> Word {
    let part =
        [Word::from_bits(context.position() as u64), Word::from_bits(context.left() as u64), context.base()];
    m.object(Word::header(Subtag::SubBits, 3), part)
}

/// `bs_rest`.
#[inline(always)]
pub(in crate::interp) fn rest(m: &mut Live) -> Fast {
    let (left, unit) = (Context::of(m.get(m.a())).left(), m.b() as usize);
    let whole = if unit == 8 { left.is_multiple_of(8) } else { left.is_multiple_of(unit) };
    if !whole {
        return Fast::Fail;
    }
    m.go(2);
    Fast::Done
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

//! The instructions that run one behind the other without a dispatch between.
//!
//! A row of the table of chains ([`code::op`](crate::code::op)) names two instructions that are often neighbours; the loader
//! gives the first the number of the chain, and the loop runs both functions. Nothing else changes: the second stands where
//! it stood, has its own number there, and can be jumped to; and each runs with `pc` on its own first word, so what it does
//! when a check fails is the same in a chain.
//!
//! Here are what they share, moves and frames; calls, tests, terms and operators have files of their own.

macro_rules! steps {
    ($($(#[doc = $doc:literal])* $name:ident |$m:ident, $machine:ident| $body:expr;)*) => {$(
        $(#[doc = $doc])*
        #[inline(always)]
        pub(in crate::interp) fn $name($m: &mut Live, $machine: &mut Machine<'_>) -> Flow {
            $body
        }
    )*};
}

mod call;
mod operator;
mod term;
mod test;

use std::cmp::Ordering;

use super::live::Live;
use super::machine::{Machine, Next};
use super::{order, same, same_value};
use crate::term::Word;
pub(super) use {call::*, operator::*, term::*, test::*};

/// How an instruction ended.
#[must_use]
pub(super) enum Flow {
    /// `pc` is behind it.
    On,
    /// `pc` is somewhere else.
    Elsewhere,
    /// The slice is over.
    Ended,
}

/// Goes on behind the instruction's `words` words.
#[inline(always)]
pub(in crate::interp) fn on(m: &mut Live, words: isize) -> Flow {
    m.go(words);
    Flow::On
}

/// Goes on `words` further or back.
#[inline(always)]
pub(in crate::interp) fn jump(m: &mut Live, words: isize) -> Flow {
    m.go(words);
    Flow::Elsewhere
}

/// Calls out: the live state goes to its one home and comes back from there.
#[inline(always)]
fn out(m: &mut Live, machine: &mut Machine<'_>, what: impl FnOnce(&mut Machine<'_>) -> Next) -> Flow {
    machine.store(*m);
    let next = what(machine);
    if next.is_null() {
        return Flow::Ended;
    }
    *m = machine.load(next);
    Flow::Elsewhere
}

/// Goes on behind `words` words if `condition` holds, else at `h`.
#[inline(always)]
fn test(m: &mut Live, words: isize, condition: bool) -> Flow {
    if condition { on(m, words) } else { jump(m, m.h()) }
}

/// The same with the offset in word 1.
#[inline(always)]
fn test_far(m: &mut Live, words: isize, condition: bool) -> Flow {
    if condition { on(m, words) } else { jump(m, m.operand(1) as isize) }
}

/// A test of `=:=` (exactly) or `==` of two fields, which is decided here if it is decided soon.
#[inline(always)]
fn test_same(m: &mut Live, machine: &mut Machine<'_>, exact: bool, wanted: bool) -> Flow {
    let (x, y) = (m.get(m.a()), m.get(m.b()));
    match if exact { same(m, x, y) } else { same_value(m, x, y) } {
        Some(equal) => test_far(m, 2, equal == wanted),
        None => out(m, machine, |machine| machine.long_equality(x, y, exact, wanted)),
    }
}

/// The same for the order of two operands.
#[inline(always)]
fn test_order(
    m: &mut Live,
    machine: &mut Machine<'_>,
    (x, y): (Word, Word),
    holds: fn(Ordering) -> bool,
) -> Flow {
    match order(m, machine.rt, x, y) {
        Some(order) => test_far(m, 2, holds(order)),
        None => out(m, machine, |machine| machine.long_order(x, y, holds)),
    }
}

// ---- moves ----

steps! {
    move_xx |m, _machine| {
        let value = m.x(m.a());
        m.set_x(m.b(), value);
        on(m, 1)
    };
    move_xy |m, _machine| {
        let value = m.x(m.a());
        m.set_y(m.b(), value);
        on(m, 1)
    };
    move_yx |m, _machine| {
        let value = m.y(m.a());
        m.set_x(m.b(), value);
        on(m, 1)
    };
    move_const |m, _machine| {
        m.set(m.a(), Word::from_bits(m.operand(1)));
        on(m, 2)
    };
    swap |m, _machine| {
        let (x, y) = (m.get(m.a()), m.get(m.b()));
        m.set(m.a(), y);
        m.set(m.b(), x);
        on(m, 1)
    };
}

// ---- frames ----

/// `allocate` and `count` moves from X to Y registers.
#[inline(always)]
fn frame_of_moves(m: &mut Live, count: usize) -> Flow {
    let slots = m.a() as usize;
    if !m.has_room(slots) {
        return jump(m, 1);
    }
    m.make_frame(slots);
    for index in 0..count {
        let value = m.x(m.field(2 + index, 1));
        m.set_y(m.field(2 + index, 2), value);
    }
    on(m, 2 + count as isize)
}

steps! {
    allocate_move |m, _machine| {
        let slots = m.a() as usize;
        if !m.has_room(slots) {
            return jump(m, 1);
        }
        let value = m.x(m.b());
        m.make_frame(slots);
        m.set_y(m.c(), value);
        on(m, 3)
    };
    allocate_moves |m, _machine| frame_of_moves(m, m.b() as usize);
    allocate_moves2 |m, _machine| frame_of_moves(m, 2);
    allocate_moves3 |m, _machine| frame_of_moves(m, 3);
    allocate |m, machine| {
        let slots = m.a() as usize;
        if m.has_room(slots) {
            m.make_frame(slots);
            return on(m, 1);
        }
        let live = m.b() as usize;
        out(m, machine, |machine| machine.make_room(slots, live))
    };
}

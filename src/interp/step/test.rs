//! Tests: those that jump, those that return, and those whose outcome is a value.

use std::cmp::Ordering;

use super::{Flow, jump, on, out, test, test_order, test_same};
use crate::atom::known;
use crate::code::BifId;
use crate::interp::live::Live;
use crate::interp::machine::Machine;
use crate::interp::{EQ, EQ_EXACT, GE, LT, NE, NE_EXACT, order, same, same_value};
use crate::term::Word;

// ---- tests and returns ----

/// Returns with `value` if `condition` holds, else goes on behind the `words` words of the prefix and its parts, where the
/// test would have jumped to.
#[inline(always)]
fn test_return(m: &mut Live, words: isize, condition: bool, value: Option<Word>) -> Flow {
    if !condition {
        return on(m, words);
    }
    if let Some(value) = value {
        m.set_x(0, value);
    }
    m.pop_return();
    Flow::Elsewhere
}

/// The same for an order test of field `a` with the small constant in word 2: what is no small integer runs the parts.
#[inline(always)]
fn order_return(m: &mut Live, holds: impl FnOnce(i64, i64) -> bool) -> Flow {
    let x = m.x(m.a());
    if !x.is_small() {
        return jump(m, 1);
    }
    test_return(m, 4, holds(x.bits() as i64, m.operand(2) as i64), None)
}

steps! {
    lt_small_return |m, _machine| order_return(m, |x, y| x < y);
    ge_small_return |m, _machine| order_return(m, |x, y| x >= y);
    eq_return |m, _machine| test_return(m, 4, m.x(m.a()).bits() == m.operand(2), None);
    eq_move_return |m, _machine| test_return(m, 5, m.x(m.a()).bits() == m.operand(2), Some(m.x(m.b())));
    eq_const_return |m, _machine| {
        let value = Word::from_bits(m.operand(4));
        test_return(m, 6, m.x(m.a()).bits() == m.operand(2), Some(value))
    };
    nil_return |m, _machine| test_return(m, 3, m.x(m.a()).is_nil(), None);
    nil_move_return |m, _machine| test_return(m, 4, m.x(m.a()).is_nil(), Some(m.x(m.b())));
}

// ---- tests ----

/// `is_exact_eq_imm` that jumps `words` words on.
#[inline(always)]
fn equal_near(m: &mut Live, words: isize) -> Flow {
    if m.get(m.a()).bits() == m.operand(1) {
        // Two positions that differ by a constant would be chosen from by arithmetic, and the next instruction would have to
        // wait for the comparison: a branch is predicted.
        std::hint::black_box(());
        return on(m, 2);
    }
    jump(m, words)
}

/// The header of field `a`; for what has none a word that is no header.
#[inline(always)]
fn header_of(m: &Live) -> u64 {
    let term = m.get(m.a());
    if term.is_boxed() { Live::header(term).bits() } else { 0 }
}

/// Goes where the first of `count` pairs with that word says. (With a constant count there is no loop, and each comparison
/// has a branch of its own.)
#[inline(always)]
fn select(m: &mut Live, key: u64, count: usize) -> Flow {
    for index in 0..count {
        if m.operand(2 + 2 * index) == key {
            std::hint::black_box(());
            return jump(m, m.operand(3 + 2 * index) as isize);
        }
    }
    jump(m, m.operand(1) as isize)
}

steps! {
    is_integer |m, _machine| test(m, 1, Live::is_integer(m.get(m.a())));
    is_float |m, _machine| test(m, 1, Live::is_float(m.get(m.a())));
    is_cons |m, _machine| test(m, 1, m.get(m.a()).is_cons());
    is_tuple_of |m, _machine| {
        let term = m.get(m.a());
        test(m, 2, term.is_boxed() && Live::header(term).bits() == m.operand(1))
    };
    is_tagged |m, _machine| {
        let term = m.get(m.a());
        let holds = term.is_boxed()
            && Live::header(term).bits() == m.operand(1)
            && Live::body(term, 0).bits() == m.operand(2);
        test(m, 3, holds)
    };
    is_eq |m, machine| test_same(m, machine, false, true);
    is_ne |m, machine| test_same(m, machine, false, false);
    is_exact_eq |m, machine| test_same(m, machine, true, true);
    is_exact_ne |m, machine| test_same(m, machine, true, false);
    is_exact_eq_immediate |m, _machine| test(m, 2, m.get(m.a()).bits() == m.operand(1));
    is_exact_eq_near4 |m, _machine| equal_near(m, 4);
    is_exact_eq_near5 |m, _machine| equal_near(m, 5);
    is_exact_eq_near6 |m, _machine| equal_near(m, 6);
    is_exact_eq_near7 |m, _machine| equal_near(m, 7);
    is_exact_eq_near8 |m, _machine| equal_near(m, 8);
    is_exact_eq_near9 |m, _machine| equal_near(m, 9);
    is_exact_ne_immediate |m, _machine| test(m, 2, m.get(m.a()).bits() != m.operand(1));
    is_lt |m, machine| test_order(m, machine, (m.get(m.a()), m.get(m.b())), Ordering::is_lt);
    is_ge |m, machine| test_order(m, machine, (m.get(m.a()), m.get(m.b())), Ordering::is_ge);
    is_lt_xx |m, machine| test_order(m, machine, (m.x(m.a()), m.x(m.b())), Ordering::is_lt);
    is_ge_xx |m, machine| test_order(m, machine, (m.x(m.a()), m.x(m.b())), Ordering::is_ge);
    is_lt_small |m, machine| {
        let (x, y) = (m.get(m.a()), Word::from_bits(m.operand(1)));
        let holds = order(m, machine.rt, x, y).is_some_and(Ordering::is_lt);
        test(m, 2, holds)
    };
    is_ge_small |m, machine| {
        let (x, y) = (m.get(m.a()), Word::from_bits(m.operand(1)));
        let holds = order(m, machine.rt, x, y).is_some_and(Ordering::is_ge);
        test(m, 2, holds)
    };
    is_gt_small |m, machine| {
        let (x, y) = (Word::from_bits(m.operand(1)), m.get(m.a()));
        let holds = order(m, machine.rt, x, y).is_some_and(Ordering::is_lt);
        test(m, 2, holds)
    };
    is_le_small |m, machine| {
        let (x, y) = (Word::from_bits(m.operand(1)), m.get(m.a()));
        let holds = order(m, machine.rt, x, y).is_some_and(Ordering::is_ge);
        test(m, 2, holds)
    };
    select_arity |m, _machine| select(m, header_of(m), m.b() as usize);
    select_arity2 |m, _machine| select(m, header_of(m), 2);
    select2 |m, _machine| {
        let key = m.get(m.a()).bits();
        let offset = if key == m.operand(2) {
            m.operand(3)
        } else if key == m.operand(4) {
            m.operand(5)
        } else {
            m.operand(1)
        };
        jump(m, offset as isize)
    };
    select_linear |m, _machine| select(m, m.get(m.a()).bits(), m.b() as usize);
    select3 |m, _machine| select(m, m.get(m.a()).bits(), 3);
}

/// `c :=` whether the operands compare so; what is not known soon is for the native.
#[inline(always)]
fn boolean(
    m: &mut Live,
    machine: &mut Machine<'_>,
    native: BifId,
    compared: impl FnOnce(&mut Live, &Machine<'_>, Word, Word) -> Option<bool>,
) -> Flow {
    let (x, y) = (m.get(m.a()), m.get(m.b()));
    match compared(m, machine, x, y) {
        Some(value) => {
            m.set(m.c(), Word::atom(if value { known::TRUE } else { known::FALSE }));
            on(m, 2)
        }
        None => out(m, machine, |machine| machine.operator(native, x, y)),
    }
}

steps! {
    value_eq |m, machine| boolean(m, machine, EQ, |m, _, x, y| same_value(m, x, y));
    value_ne |m, machine| boolean(m, machine, NE, |m, _, x, y| same_value(m, x, y).map(|same| !same));
    value_exact_eq |m, machine| boolean(m, machine, EQ_EXACT, |m, _, x, y| same(m, x, y));
    value_exact_ne |m, machine| boolean(m, machine, NE_EXACT, |m, _, x, y| same(m, x, y).map(|same| !same));
    value_lt |m, machine| boolean(m, machine, LT, |m, machine, x, y| order(m, machine.rt, x, y).map(Ordering::is_lt));
    value_ge |m, machine| boolean(m, machine, GE, |m, machine, x, y| order(m, machine.rt, x, y).map(Ordering::is_ge));
}

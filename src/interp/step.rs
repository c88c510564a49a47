//! The instructions that run one behind the other without a dispatch between.
//!
//! A row of the table of chains ([`code::op`](crate::code::op)) names two instructions that are often neighbours; the loader
//! gives the first the number of the chain, and the loop runs both functions. Nothing else changes: the second stands where
//! it stood, has its own number there, and can be jumped to; and each runs with `pc` on its own first word, so what it does
//! when a check fails is the same in a chain.

use std::cmp::Ordering;

use super::live::Live;
use super::machine::{Machine, Next};
use super::{
    BAND, BOR, BSL, BSR, BXOR, DIV, EQ, EQ_EXACT, GE, LT, MINUS, NE, NE_EXACT, NEGATE, PLUS, REM, SLASH,
    TIMES, applied, arity_at, closure, export, number, order, same, same_value,
};
use crate::atom::known;
use crate::code::BifId;
use crate::term::{Subtag, Word};

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
pub(super) fn on(m: &mut Live, words: isize) -> Flow {
    m.go(words);
    Flow::On
}

/// Goes on `words` further or back.
#[inline(always)]
pub(super) fn jump(m: &mut Live, words: isize) -> Flow {
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

/// A test of `=:=` of two fields, which is decided here if it is decided soon.
#[inline(always)]
fn test_same(m: &mut Live, machine: &mut Machine<'_>, wanted: bool) -> Flow {
    let (x, y) = (m.get(m.a()), m.get(m.b()));
    match same(x, y) {
        Some(equal) => test_far(m, 2, equal == wanted),
        None => out(m, machine, |machine| machine.long_equality(x, y, true, wanted)),
    }
}

/// The same for the order of two X registers.
#[inline(always)]
fn test_order(m: &mut Live, machine: &mut Machine<'_>, holds: fn(Ordering) -> bool) -> Flow {
    let (x, y) = (m.x(m.a()), m.x(m.b()));
    match order(machine.rt, x, y) {
        Some(order) => test_far(m, 2, holds(order)),
        None => out(m, machine, |machine| machine.long_order(x, y, holds)),
    }
}

macro_rules! steps {
    ($($(#[doc = $doc:literal])* $name:ident |$m:ident, $machine:ident| $body:expr;)*) => {$(
        $(#[doc = $doc])*
        #[inline(always)]
        pub(super) fn $name($m: &mut Live, $machine: &mut Machine<'_>) -> Flow {
            $body
        }
    )*};
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

// ---- calls ----

/// Takes a reduction and calls; if there is none, the instruction runs again later with `live` registers.
#[inline(always)]
fn charged(
    m: &mut Live,
    machine: &mut Machine<'_>,
    live: impl FnOnce(&Live) -> usize,
    call: impl FnOnce(&mut Live),
) -> Flow {
    m.reductions -= 1;
    if m.reductions < 0 {
        let live = live(m);
        return out(m, machine, |machine| machine.used_up(live));
    }
    call(m);
    Flow::Elsewhere
}

steps! {
    call |m, machine| charged(m, machine, |m| arity_at(m, m.h()), |m| {
        m.push_return(1);
        m.go(m.h());
    });
    call_last |m, machine| charged(m, machine, |m| arity_at(m, m.h()), |m| {
        m.drop_slots(m.a());
        m.go(m.h());
    });
    call_only |m, machine| charged(m, machine, |m| arity_at(m, m.h()), |m| m.go(m.h()));
    call_ext |m, machine| {
        let cell = export(m.operand(1));
        charged(m, machine, |_| usize::from(cell.mfa.arity), |m| {
            m.push_return(2);
            m.pc = cell.entry();
        })
    };
    call_ext_last |m, machine| {
        let cell = export(m.operand(1));
        charged(m, machine, |_| usize::from(cell.mfa.arity), |m| {
            m.drop_slots(m.a());
            m.pc = cell.entry();
        })
    };
    call_ext_only |m, machine| {
        let cell = export(m.operand(1));
        charged(m, machine, |_| usize::from(cell.mfa.arity), |m| m.pc = cell.entry())
    };
    call_native |m, machine| {
        m.reductions -= 1;
        if m.reductions < 0 {
            let live = m.b() as usize;
            return out(m, machine, |machine| machine.used_up(live));
        }
        let (id, arity, next) = (BifId(m.a()), m.b() as usize, m.pc.wrapping_add(1));
        out(m, machine, |machine| machine.call_native(id, arity, next))
    };
    call_fun |m, machine| {
        m.reductions -= 1;
        let arity = m.a() as usize;
        if m.reductions < 0 {
            return out(m, machine, |machine| machine.used_up(arity + 1));
        }
        match closure(m) {
            Some(target) => {
                m.push_return(1);
                m.pc = target;
                Flow::Elsewhere
            }
            None => {
                let next = m.pc.wrapping_add(1);
                out(m, machine, |machine| machine.call_fun(arity, next))
            }
        }
    };
    apply |m, machine| {
        m.reductions -= 1;
        let arity = m.a() as usize;
        if m.reductions < 0 {
            return out(m, machine, |machine| machine.used_up(arity + 2));
        }
        match applied(machine.rt, m) {
            Some(target) => {
                m.push_return(1);
                m.pc = target;
                Flow::Elsewhere
            }
            None => {
                let next = m.pc.wrapping_add(1);
                out(m, machine, |machine| machine.apply(arity, next))
            }
        }
    };
    return_ |m, _machine| {
        m.pop_return();
        Flow::Elsewhere
    };
    deallocate_return |m, _machine| {
        m.drop_slots(m.a());
        m.pop_return();
        Flow::Elsewhere
    };
    trim |m, _machine| {
        m.drop_slots(m.a());
        on(m, 1)
    };
}

/// Which call a super-instruction ends with.
#[derive(Clone, Copy)]
enum Call {
    Normal,
    Only,
    Last,
}

/// Two or three moves from Y to X registers, and the local call behind the moves that follow the two words of the prefix.
#[inline(always)]
fn moves_call(m: &mut Live, moves: usize, call: Call) -> Flow {
    if m.reductions <= 0 {
        return jump(m, 2);
    }
    m.reductions -= 1;
    let value = m.y(m.a());
    m.set_x(m.b(), value);
    let value = m.y(m.c());
    m.set_x(m.field(1, 0), value);
    if moves > 2 {
        let value = m.y(m.field(1, 1));
        m.set_x(m.field(1, 2), value);
    }
    let at = 2 + moves;
    match call {
        Call::Normal => m.push_return(at + 1),
        Call::Only => {}
        Call::Last => m.drop_slots(m.field(at, 1)),
    }
    jump(m, at as isize + m.h_at(at))
}

steps! {
    move2_call_yx |m, _machine| moves_call(m, 2, Call::Normal);
    move2_call_last_yx |m, _machine| moves_call(m, 2, Call::Last);
    move3_call_last_yx |m, _machine| moves_call(m, 3, Call::Last);
}

/// A small constant added to `value`, into field `c`, and the local call in word 3.
#[inline(always)]
fn add_small_call(m: &mut Live, value: Word, call: Call) -> Flow {
    match small_sum(value, m.b()) {
        Some(sum) if m.reductions > 0 => {
            m.reductions -= 1;
            m.set(m.c(), sum);
            match call {
                Call::Normal => {
                    let callee = 3 + m.h_at(3);
                    m.push_return(4);
                    jump(m, callee)
                }
                Call::Only => jump(m, 3 + m.h_at(3)),
                Call::Last => {
                    m.drop_slots(m.field(3, 1));
                    jump(m, 3 + m.h_at(3))
                }
            }
        }
        _ => jump(m, 1),
    }
}

/// `x` plus the constant in a field, if both it and the sum are small.
#[inline(always)]
fn small_sum(x: Word, field: u16) -> Option<Word> {
    let y = Word::small(i64::from(field as i16));
    if x.is_small() { number::add(x, y) } else { None }
}

/// The sum of two values in `x0`, the frame of word 3 dropped, and back.
#[inline(always)]
fn add_return(m: &mut Live, x: Word, y: Word) -> Flow {
    match if x.both_small(y) { number::add(x, y) } else { None } {
        Some(sum) => {
            m.set_x(0, sum);
            m.drop_slots(m.field(3, 1));
            m.pop_return();
            Flow::Elsewhere
        }
        None => jump(m, 1),
    }
}

steps! {
    add_small_call_any |m, _machine| add_small_call(m, m.get(m.a()), Call::Normal);
    add_small_call_only |m, _machine| add_small_call(m, m.get(m.a()), Call::Only);
    add_small_call_last |m, _machine| add_small_call(m, m.get(m.a()), Call::Last);
    add_small_call_yx |m, _machine| match small_sum(m.y(m.a()), m.b()) {
        Some(sum) if m.reductions > 0 => {
            m.reductions -= 1;
            m.set_x(m.c(), sum);
            let callee = 3 + m.h_at(3);
            m.push_return(4);
            jump(m, callee)
        }
        _ => jump(m, 1),
    };
    add_return_any |m, _machine| add_return(m, m.get(m.a()), m.get(m.b()));
    add_return_yx |m, _machine| add_return(m, m.y(m.a()), m.x(m.b()));
}

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

// ---- frames ----

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
    allocate_moves |m, _machine| {
        let (slots, count) = (m.a() as usize, m.b() as usize);
        if !m.has_room(slots) {
            return jump(m, 1);
        }
        m.make_frame(slots);
        for index in 0..count {
            let value = m.x(m.field(2 + index, 1));
            m.set_y(m.field(2 + index, 2), value);
        }
        on(m, 2 + count as isize)
    };
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

// ---- tests ----

steps! {
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
    is_exact_eq |m, machine| test_same(m, machine, true);
    is_exact_ne |m, machine| test_same(m, machine, false);
    is_exact_eq_immediate |m, _machine| test(m, 2, m.get(m.a()).bits() == m.operand(1));
    is_exact_ne_immediate |m, _machine| test(m, 2, m.get(m.a()).bits() != m.operand(1));
    is_lt_xx |m, machine| test_order(m, machine, Ordering::is_lt);
    is_ge_xx |m, machine| test_order(m, machine, Ordering::is_ge);
    is_lt_small |m, machine| {
        test(m, 2, order(machine.rt, m.get(m.a()), Word::from_bits(m.operand(1))).is_some_and(Ordering::is_lt))
    };
    is_ge_small |m, machine| {
        test(m, 2, order(machine.rt, m.get(m.a()), Word::from_bits(m.operand(1))).is_some_and(Ordering::is_ge))
    };
    is_gt_small |m, machine| {
        test(m, 2, order(machine.rt, Word::from_bits(m.operand(1)), m.get(m.a())).is_some_and(Ordering::is_lt))
    };
    is_le_small |m, machine| {
        test(m, 2, order(machine.rt, Word::from_bits(m.operand(1)), m.get(m.a())).is_some_and(Ordering::is_ge))
    };
    select_arity |m, _machine| {
        let (tuple, count) = (m.get(m.a()), m.b() as usize);
        let header = if tuple.is_boxed() { Live::header(tuple).bits() } else { 0 };
        let found = (0..count).find(|&index| m.operand(2 + 2 * index) == header);
        jump(m, m.operand(found.map_or(1, |index| 3 + 2 * index)) as isize)
    };
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
    select_linear |m, _machine| {
        let (key, count) = (m.get(m.a()).bits(), m.b() as usize);
        let found = (0..count).find(|&index| m.operand(2 + 2 * index) == key);
        jump(m, m.operand(found.map_or(1, |index| 3 + 2 * index)) as isize)
    };
}

/// `c :=` whether the operands compare so; what is not known soon is for the native.
#[inline(always)]
fn boolean(
    m: &mut Live,
    machine: &mut Machine<'_>,
    native: BifId,
    compared: impl FnOnce(&Machine<'_>, Word, Word) -> Option<bool>,
) -> Flow {
    let (x, y) = (m.get(m.a()), m.get(m.b()));
    match compared(machine, x, y) {
        Some(value) => {
            m.set(m.c(), Word::atom(if value { known::TRUE } else { known::FALSE }));
            on(m, 2)
        }
        None => out(m, machine, |machine| machine.operator(native, x, y)),
    }
}

steps! {
    value_eq |m, machine| boolean(m, machine, EQ, |_, x, y| same_value(x, y));
    value_ne |m, machine| boolean(m, machine, NE, |_, x, y| same_value(x, y).map(|same| !same));
    value_exact_eq |m, machine| boolean(m, machine, EQ_EXACT, |_, x, y| same(x, y));
    value_exact_ne |m, machine| boolean(m, machine, NE_EXACT, |_, x, y| same(x, y).map(|same| !same));
    value_lt |m, machine| boolean(m, machine, LT, |machine, x, y| order(machine.rt, x, y).map(Ordering::is_lt));
    value_ge |m, machine| boolean(m, machine, GE, |machine, x, y| order(machine.rt, x, y).map(Ordering::is_ge));
}

// ---- taking apart ----

steps! {
    get_list |m, _machine| {
        let (head, tail) = Live::cell(m.get(m.a()));
        m.set(m.b(), head);
        m.set(m.c(), tail);
        on(m, 1)
    };
    get_list_xxx |m, _machine| {
        let (head, tail) = Live::cell(m.x(m.a()));
        m.set_x(m.b(), head);
        m.set_x(m.c(), tail);
        on(m, 1)
    };
    get_hd |m, _machine| {
        let (head, _) = Live::cell(m.get(m.a()));
        m.set(m.b(), head);
        on(m, 1)
    };
    get_tl |m, _machine| {
        let (_, tail) = Live::cell(m.get(m.a()));
        m.set(m.b(), tail);
        on(m, 1)
    };
    get_element_xx |m, _machine| {
        let element = Live::body(m.x(m.a()), m.c() as usize);
        m.set_x(m.b(), element);
        on(m, 1)
    };
    get_element |m, _machine| {
        let element = Live::body(m.get(m.a()), m.c() as usize);
        m.set(m.b(), element);
        on(m, 1)
    };
    get_element2 |m, _machine| {
        let (tuple, places) = (m.get(m.a()), m.operand(1));
        let first = Live::body(tuple, places as u32 as usize);
        let second = Live::body(tuple, (places >> 32) as usize);
        m.set(m.b(), first);
        m.set(m.c(), second);
        on(m, 2)
    };
    cons_split |m, _machine| {
        let list = m.x(m.a());
        if !list.is_cons() {
            return jump(m, 1 + m.h_at(1));
        }
        let (head, tail) = Live::cell(list);
        m.set_x(m.b(), head);
        m.set_x(m.c(), tail);
        on(m, 3)
    };
    cons_allocate_split |m, _machine| {
        let list = m.x(m.a());
        let slots = m.field(2, 1) as usize;
        if !list.is_cons() {
            return jump(m, 1 + m.h_at(1));
        }
        if !m.has_room(slots) {
            return jump(m, 1);
        }
        let (head, tail) = Live::cell(list);
        m.make_frame(slots);
        m.set(m.b(), head);
        m.set(m.c(), tail);
        on(m, 4)
    };
}

// ---- building ----

/// `test_heap` and `put_tuple` of `count` elements.
#[inline(always)]
fn build_tuple(m: &mut Live, count: usize) -> Flow {
    if !m.has_room(m.h_at(1) as usize) {
        return jump(m, 1);
    }
    let tuple = m.build(Word::header(Subtag::Tuple, count), 3, count);
    m.set(m.a(), tuple);
    on(m, 3 + count as isize)
}

steps! {
    heap_tuple |m, _machine| build_tuple(m, m.b() as usize);
    heap_tuple2 |m, _machine| build_tuple(m, 2);
    heap_tuple3 |m, _machine| build_tuple(m, 3);
    heap_cons |m, _machine| {
        if !m.has_room(m.h_at(1) as usize) {
            return jump(m, 1);
        }
        let (head, tail) = (m.get(m.a()), m.get(m.b()));
        let list = m.cons(head, tail);
        m.set(m.c(), list);
        on(m, 3)
    };
    heap_cons_const |m, _machine| {
        if !m.has_room(m.h_at(1) as usize) {
            return jump(m, 1);
        }
        let (head, tail) = (m.get(m.a()), Word::from_bits(m.operand(3)));
        let list = m.cons(head, tail);
        m.set(m.b(), list);
        on(m, 4)
    };
    heap_cons_return |m, _machine| {
        if !m.has_room(m.h_at(1) as usize) {
            return jump(m, 1);
        }
        let (head, tail) = (m.y(m.a()), m.x(m.b()));
        let list = m.cons(head, tail);
        m.set_x(0, list);
        m.drop_slots(m.field(3, 1));
        m.pop_return();
        Flow::Elsewhere
    };
    put_list |m, _machine| {
        let (head, tail) = (m.get(m.a()), m.get(m.b()));
        let list = m.cons(head, tail);
        m.set(m.c(), list);
        on(m, 1)
    };
}

// ---- arithmetic ----

/// The result of an operator on immediates.
#[inline(always)]
fn operated(
    x: Word,
    y: Word,
    small: impl FnOnce(Word, Word) -> Option<Word>,
    float: impl Fn(f64, f64) -> Option<Word>,
) -> Option<Word> {
    if x.both_small(y) {
        small(x, y)
    } else if x.is_nonzero_float() && y.is_nonzero_float() {
        float(x.nonzero_float_value(), y.nonzero_float_value())
    } else {
        number::mixed(x, y).and_then(|(x, y)| float(x, y))
    }
}

/// `c := a op b` where word 1 is the jump: the result if it is an immediate, else the native finds it.
#[inline(always)]
fn arithmetic(
    m: &mut Live,
    machine: &mut Machine<'_>,
    native: BifId,
    (x, y): (Word, Word),
    set: impl FnOnce(&mut Live, u16, Word),
    small: impl FnOnce(Word, Word) -> Option<Word>,
    float: impl Fn(f64, f64) -> Option<Word>,
) -> Flow {
    match operated(x, y, small, float) {
        Some(result) => {
            set(m, m.c(), result);
            on(m, 2)
        }
        None => out(m, machine, |machine| machine.operator(native, x, y)),
    }
}

/// `c := a op constant`, or `constant op a` if `b` is not zero; the constant is in word 2.
#[inline(always)]
fn constant_arithmetic(
    m: &mut Live,
    machine: &mut Machine<'_>,
    native: BifId,
    small: impl FnOnce(Word, Word) -> Option<Word>,
    float: impl Fn(f64, f64) -> Option<Word>,
) -> Flow {
    let (x, y) = (m.get(m.a()), Word::from_bits(m.operand(2)));
    match operated(x, y, small, float) {
        Some(result) => {
            m.set(m.c(), result);
            on(m, 3)
        }
        None => out(m, machine, |machine| machine.constant_operator(native, x, y)),
    }
}

/// `c := a op b` where `b` is a small constant; `left` says that it is the left operand.
#[inline(always)]
fn small_arithmetic(
    m: &mut Live,
    machine: &mut Machine<'_>,
    native: BifId,
    x: Word,
    set: impl FnOnce(&mut Live, u16, Word),
    small: impl FnOnce(Word, Word) -> Option<Word>,
    left: bool,
) -> Flow {
    let y = Word::small(i64::from(m.b() as i16));
    match if x.is_small() { small(x, y) } else { None } {
        Some(result) => {
            set(m, m.c(), result);
            on(m, 2)
        }
        None if left => out(m, machine, |machine| machine.operator(native, y, x)),
        None => out(m, machine, |machine| machine.operator(native, x, y)),
    }
}

macro_rules! operators {
    ($($any:ident $constant:ident = $native:ident $small:ident $float:ident;)*) => {steps! {$(
        $any |m, machine| {
            let operands = (m.get(m.a()), m.get(m.b()));
            arithmetic(m, machine, $native, operands, Live::set, number::$small, number::$float)
        };
        $constant |m, machine| {
            constant_arithmetic(m, machine, $native, number::$small, number::$float)
        };
    )*}};
}

operators! {
    add add_const = PLUS add float_add;
    sub sub_const = MINUS sub float_sub;
    mul mul_const = TIMES mul float_mul;
    slash slash_const = SLASH slash float_div;
    div div_const = DIV div no_float;
    rem rem_const = REM rem no_float;
    band band_const = BAND band no_float;
    bor bor_const = BOR bor no_float;
    bxor bxor_const = BXOR bxor no_float;
    bsl bsl_const = BSL bsl no_float;
    bsr bsr_const = BSR bsr no_float;
}

steps! {
    add_xxx |m, machine| {
        let operands = (m.x(m.a()), m.x(m.b()));
        arithmetic(m, machine, PLUS, operands, Live::set_x, number::add, number::float_add)
    };
    add_yxx |m, machine| {
        let operands = (m.y(m.a()), m.x(m.b()));
        arithmetic(m, machine, PLUS, operands, Live::set_x, number::add, number::float_add)
    };
    sub_xxx |m, machine| {
        let operands = (m.x(m.a()), m.x(m.b()));
        arithmetic(m, machine, MINUS, operands, Live::set_x, number::sub, number::float_sub)
    };
    mul_xxx |m, machine| {
        let operands = (m.x(m.a()), m.x(m.b()));
        arithmetic(m, machine, TIMES, operands, Live::set_x, number::mul, number::float_mul)
    };
    add_small |m, machine| small_arithmetic(m, machine, PLUS, m.get(m.a()), Live::set, number::add, false);
    add_small_left |m, machine| small_arithmetic(m, machine, PLUS, m.get(m.a()), Live::set, number::add, true);
    add_small_xx |m, machine| small_arithmetic(m, machine, PLUS, m.x(m.a()), Live::set_x, number::add, false);
    sub_small |m, machine| small_arithmetic(m, machine, MINUS, m.get(m.a()), Live::set, number::sub, false);
    sub_small_xx |m, machine| small_arithmetic(m, machine, MINUS, m.x(m.a()), Live::set_x, number::sub, false);
    sub_small_yx |m, machine| small_arithmetic(m, machine, MINUS, m.y(m.a()), Live::set_x, number::sub, false);
    negate |m, machine| {
        let x = m.get(m.a());
        match if x.is_small() { number::sub(Word::small(0), x) } else { None } {
            Some(result) => {
                m.set(m.b(), result);
                on(m, 2)
            }
            None => out(m, machine, |machine| machine.unary(NEGATE, x)),
        }
    };
}

//! Operators on numbers: done here on immediates, else by the native of the same name.

use super::call::Call;
use super::{Flow, jump, on, out};
use crate::code::BifId;
use crate::interp::live::Live;
use crate::interp::machine::Machine;
use crate::interp::{
    ABS, BAND, BOR, BSL, BSR, BXOR, DIV, FLOAT, MINUS, NEGATE, PLUS, REM, ROUND, SLASH, SQRT, TIMES, TRUNC,
    number,
};
use crate::term::Word;

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
    } else if x.both_nonzero_floats(y) {
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

/// `c := a op float`, or `float op a` if `b` is not zero; the float is in word 2, ready to be computed with.
#[inline(always)]
fn float_arithmetic(
    m: &mut Live,
    machine: &mut Machine<'_>,
    native: BifId,
    float: impl Fn(f64, f64) -> Option<Word>,
) -> Flow {
    let (x, y) = (m.x(m.a()), f64::from_bits(m.operand(2)));
    let result = if x.is_nonzero_float() {
        float(x.nonzero_float_value(), y)
    } else {
        number::value(x).and_then(|x| float(x, y))
    };
    match result {
        Some(result) => {
            m.set_x(m.c(), result);
            on(m, 3)
        }
        None => {
            let y = Word::float(y).expect("the loader puts immediate floats there");
            out(m, machine, |machine| machine.constant_operator(native, x, y))
        }
    }
}

/// `c := a / number`, or `number / a` if the number is on the left: quotients of integers are floats, so that the number may be
/// either.
#[inline(always)]
fn quotient(m: &mut Live, machine: &mut Machine<'_>, left: bool) -> Flow {
    let (x, number) = (m.x(m.a()), f64::from_bits(m.operand(2)));
    let divided = |x| if left { number::float_div(number, x) } else { number::float_div(x, number) };
    let result = if x.is_nonzero_float() {
        divided(x.nonzero_float_value())
    } else {
        number::value(x).and_then(divided)
    };
    match result {
        Some(result) => {
            m.set_x(m.c(), result);
            on(m, 4)
        }
        None => {
            let number = Word::from_bits(m.operand(3));
            let operands = if left { [number, x] } else { [x, number] };
            out(m, machine, |machine| machine.quotient(operands, number))
        }
    }
}

/// `b := op(a)` where word 1 is the jump: the result if it is an immediate, else the native finds it.
#[inline(always)]
fn unary(
    m: &mut Live,
    machine: &mut Machine<'_>,
    native: BifId,
    result: impl FnOnce(Word) -> Option<Word>,
) -> Flow {
    let x = m.get(m.a());
    match result(x) {
        Some(result) => {
            m.set(m.b(), result);
            on(m, 2)
        }
        None => out(m, machine, |machine| machine.unary(native, x)),
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
        None if left => out(m, machine, |machine| machine.small_operator(native, y, x)),
        None => out(m, machine, |machine| machine.small_operator(native, x, y)),
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
    slash_xxx |m, machine| {
        let operands = (m.x(m.a()), m.x(m.b()));
        arithmetic(m, machine, SLASH, operands, Live::set_x, number::slash, number::float_div)
    };
    add_float |m, machine| float_arithmetic(m, machine, PLUS, number::float_add);
    sub_float |m, machine| float_arithmetic(m, machine, MINUS, number::float_sub);
    mul_float |m, machine| float_arithmetic(m, machine, TIMES, number::float_mul);
    slash_number |m, machine| quotient(m, machine, false);
    number_slash |m, machine| quotient(m, machine, true);
    negate |m, machine| unary(m, machine, NEGATE, number::negate);
    abs |m, machine| unary(m, machine, ABS, number::abs);
    float |m, machine| unary(m, machine, FLOAT, number::float);
    trunc |m, machine| unary(m, machine, TRUNC, number::trunc);
    round |m, machine| unary(m, machine, ROUND, number::round);
    math_sqrt |m, machine| unary(m, machine, SQRT, number::sqrt);
    math |m, machine| {
        let id = BifId(m.c());
        unary(m, machine, id, |x| number::math(id, x))
    };
}

// ---- with calls and returns ----

/// A small constant added to `value`, written to field `c` with `set`, and the local call in word 3.
#[inline(always)]
fn add_small_call(m: &mut Live, value: Word, set: impl FnOnce(&mut Live, u16, Word), call: Call) -> Flow {
    match small_sum(value, m.b()) {
        Some(sum) if m.reductions > 0 => {
            m.reductions -= 1;
            set(m, m.c(), sum);
            let callee = 3 + m.h_at(3);
            match call {
                Call::Normal => m.push_return(4),
                Call::Only => {}
                Call::Last => m.drop_slots(m.field(3, 1)),
            }
            jump(m, callee)
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
    add_small_call_any |m, _machine| add_small_call(m, m.get(m.a()), Live::set, Call::Normal);
    add_small_call_only |m, _machine| add_small_call(m, m.get(m.a()), Live::set, Call::Only);
    add_small_call_last |m, _machine| add_small_call(m, m.get(m.a()), Live::set, Call::Last);
    add_small_call_yx |m, _machine| add_small_call(m, m.y(m.a()), Live::set_x, Call::Normal);
    add_small_call_xx |m, _machine| add_small_call(m, m.x(m.a()), Live::set_x, Call::Normal);
    add_return_any |m, _machine| add_return(m, m.get(m.a()), m.get(m.b()));
    add_return_yx |m, _machine| add_return(m, m.y(m.a()), m.x(m.b()));
}

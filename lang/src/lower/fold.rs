//! Operators on constants, where OTP's result is certain; what would raise is left to raise.

use dashu_int::IBig;

use crate::ast::{BinaryOp, UnaryOp};
use crate::core::literal::Term;
use crate::core::{Const, Pool};
use crate::known;

/// Results of more bits are left to the program: a constant of megabytes helps nobody.
const MAX_BITS: usize = 4096;

/// A number.
enum Number {
    Int(IBig),
    Float(f64),
}

impl Number {
    /// The nearest float; infinite where there is none.
    fn float(&self) -> f64 {
        match self {
            Number::Int(value) => value.to_f64().value(),
            Number::Float(value) => *value,
        }
    }
}

/// The constant of a big integer.
pub(super) fn big(pool: &mut Pool, value: &IBig) -> Const {
    let negative = *value < IBig::ZERO;
    let (_, magnitude) = value.clone().into_parts();
    pool.integer(negative, magnitude.to_le_bytes().to_vec())
}

fn number(pool: &Pool, value: Const) -> Option<Number> {
    match value {
        Const::Int(value) => Some(Number::Int(IBig::from(value))),
        Const::Lit(id) => match pool.term(id) {
            Term::Big { negative, magnitude } => {
                let value = IBig::from(dashu_int::UBig::from_le_bytes(magnitude));
                Some(Number::Int(if *negative { -value } else { value }))
            }
            Term::Float(bits) => Some(Number::Float(f64::from_bits(*bits))),
            _ => None,
        },
        _ => None,
    }
}

/// `op value`
pub(super) fn unary(pool: &mut Pool, op: UnaryOp, value: Const) -> Option<Const> {
    match (op, value) {
        (UnaryOp::Not, Const::Atom(known::TRUE)) => return Some(Const::Atom(known::FALSE)),
        (UnaryOp::Not, Const::Atom(known::FALSE)) => return Some(Const::Atom(known::TRUE)),
        _ => {}
    }
    Some(match (op, number(pool, value)?) {
        (UnaryOp::Minus, Number::Int(value)) => big(pool, &-value),
        (UnaryOp::Minus, Number::Float(value)) => pool.float(-value),
        (UnaryOp::Plus, _) => value,
        (UnaryOp::Bnot, Number::Int(value)) => big(pool, &!value),
        _ => return None,
    })
}

/// `a op b`
pub(super) fn binary(pool: &mut Pool, op: BinaryOp, a: Const, b: Const) -> Option<Const> {
    if op == BinaryOp::Append {
        let items = pool.proper_list(a)?;
        return Some(pool.list(items, b));
    }
    if let (Some(a), Some(b)) = (boolean(a), boolean(b)) {
        let value = match op {
            BinaryOp::And => a && b,
            BinaryOp::Or => a || b,
            BinaryOp::Xor => a != b,
            _ => return None,
        };
        return Some(truth(value));
    }
    match (number(pool, a)?, number(pool, b)?) {
        (Number::Int(a), Number::Int(b)) if op != BinaryOp::Divide => integers(pool, op, &a, &b),
        (a, b) => floats(pool, op, a.float(), b.float()),
    }
}

fn boolean(value: Const) -> Option<bool> {
    match value {
        Const::Atom(known::TRUE) => Some(true),
        Const::Atom(known::FALSE) => Some(false),
        _ => None,
    }
}

fn truth(value: bool) -> Const {
    Const::Atom(if value { known::TRUE } else { known::FALSE })
}

/// A big integer as the float it stands for in a segment of floats, if it is that big and no bigger.
pub(super) fn big_as_float(pool: &mut Pool, constant: Const) -> Option<Const> {
    let Const::Lit(_) = constant else { return None };
    let Number::Int(value) = number(pool, constant)? else { return None };
    let value = value.to_f64().value();
    value.is_finite().then(|| pool.float(value))
}

fn floats(pool: &mut Pool, op: BinaryOp, a: f64, b: f64) -> Option<Const> {
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Divide if b != 0.0 => a / b,
        _ => return None,
    };
    // An operand too large for a float makes no finite result, but a divisor.
    (b.is_finite() && value.is_finite()).then(|| pool.float(value))
}

fn integers(pool: &mut Pool, op: BinaryOp, a: &IBig, b: &IBig) -> Option<Const> {
    let zero = IBig::ZERO;
    let truth = |value| Some(truth(value));
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul if bits(a) + bits(b) <= MAX_BITS => a * b,
        BinaryOp::Div if *b != zero => a / b,
        BinaryOp::Rem if *b != zero => a % b,
        BinaryOp::Band => a & b,
        BinaryOp::Bor => a | b,
        BinaryOp::Bxor => a ^ b,
        BinaryOp::Bsl => return shift(pool, a, i64::try_from(b).ok()?),
        BinaryOp::Bsr => return shift(pool, a, i64::try_from(b).ok()?.checked_neg()?),
        BinaryOp::Eq | BinaryOp::ExactEq => return truth(a == b),
        BinaryOp::Ne | BinaryOp::ExactNe => return truth(a != b),
        BinaryOp::Lt => return truth(a < b),
        BinaryOp::Le => return truth(a <= b),
        BinaryOp::Gt => return truth(a > b),
        BinaryOp::Ge => return truth(a >= b),
        _ => return None,
    };
    Some(big(pool, &value))
}

/// To the left; to the right if negative.
fn shift(pool: &mut Pool, value: &IBig, by: i64) -> Option<Const> {
    let distance = usize::try_from(by.unsigned_abs()).ok()?;
    if distance > MAX_BITS || by > 0 && bits(value) + distance > MAX_BITS {
        return None;
    }
    Some(big(pool, &if by < 0 { value >> distance } else { value << distance }))
}

fn bits(value: &IBig) -> usize {
    let (_, magnitude) = value.clone().into_parts();
    magnitude.to_le_bytes().len() * 8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(op: BinaryOp, a: i64, b: i64, expected: Option<i64>) {
        let mut pool = Pool::new();
        assert_eq!(
            binary(&mut pool, op, Const::Int(a), Const::Int(b)),
            expected.map(Const::Int),
            "{a} {op:?} {b}"
        );
    }

    #[test]
    fn integers_as_otp_computes_them() {
        check(BinaryOp::Div, -7, 2, Some(-3));
        check(BinaryOp::Rem, -7, 2, Some(-1));
        check(BinaryOp::Bsl, 1, -1, Some(0));
        check(BinaryOp::Bsr, -1, 100, Some(-1));
        check(BinaryOp::Div, 1, 0, None);
        check(BinaryOp::Band, -1, 5, Some(5));
        let mut pool = Pool::new();
        let big = binary(&mut pool, BinaryOp::Bsl, Const::Int(1), Const::Int(64)).expect("small enough");
        let negative = unary(&mut pool, UnaryOp::Minus, big).expect("a number");
        let mixed = binary(&mut pool, BinaryOp::Bxor, negative, Const::Int(-1));
        assert_eq!(mixed, Some(pool.integer(false, vec![0xFF; 8])));
    }
}

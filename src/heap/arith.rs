//! Arithmetic on terms: Erlang's operators where the interpreter's fast paths do not apply.
//!
//! Small operands are computed in 128 bits; bigger ones on their limbs where they lie, into room taken from the heap, of
//! which what is not needed is given back. Sizes are bounded before anything is computed.

use std::cmp::Ordering;

use super::{AllocError, HeapRef};
use crate::num::float::compare_with_integer;
use crate::num::huge::{self, product_units, quotient_units};
use crate::num::integer::{self, Int, MAX_LIMBS};
use crate::term::{Term, View, Word};

/// Why an operator has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArithError {
    /// `badarith` (or `badarg` for conversions): an operand of the wrong type, division by zero, a float out of range.
    BadArith,
    /// `system_limit`: the integer would be too large.
    SystemLimit,
    /// No room for the result.
    Alloc(AllocError),
}

impl From<AllocError> for ArithError {
    fn from(error: AllocError) -> ArithError {
        match error {
            AllocError::SystemLimit => ArithError::SystemLimit,
            error => ArithError::Alloc(error),
        }
    }
}

/// What an operator gives.
pub type ArithResult<'h> = Result<Term<'h>, ArithError>;

/// A number taken apart.
#[derive(Clone, Copy)]
enum Number<'h> {
    Small(i64),
    Big(Int<'h>),
    Float(f64),
}

fn number<'h>(term: Term<'h>) -> Result<Number<'h>, ArithError> {
    match term.view() {
        View::Int(value) => Ok(Number::Small(value)),
        View::Big(big) => Ok(Number::Big(Int { negative: big.is_negative(), limbs: big.limbs() })),
        View::Float(value) => Ok(Number::Float(value)),
        _ => Err(ArithError::BadArith),
    }
}

impl Number<'_> {
    /// The nearest float; an integer too large for one is an error.
    fn float(self) -> Result<f64, ArithError> {
        match self {
            Number::Small(value) => Ok(value as f64),
            Number::Big(int) => int.to_f64().ok_or(ArithError::BadArith),
            Number::Float(value) => Ok(value),
        }
    }
}

/// Two integers of which one at least is not small, as numbers of 128 bits if both are below 2^127: the commonest big ones have a limb
/// or two, and the processor computes with those.
#[inline]
fn narrow(a: Number<'_>, b: Number<'_>) -> Option<(i128, i128)> {
    let one = |number: Number<'_>| match number {
        Number::Small(value) => Some(i128::from(value)),
        Number::Big(Int { negative, limbs }) => {
            let magnitude = match *limbs {
                [low] => u128::from(low),
                [low, high] => u128::from(high) << 64 | u128::from(low),
                _ => return None,
            };
            let value = i128::try_from(magnitude).ok()?;
            Some(if negative { -value } else { value })
        }
        Number::Float(_) => None,
    };
    Some((one(a)?, one(b)?))
}

/// Calls `f` with a number as sign and limbs; a float is an error.
fn with_int<R>(
    number: Number<'_>,
    f: impl FnOnce(Int<'_>) -> Result<R, ArithError>,
) -> Result<R, ArithError> {
    match number {
        Number::Small(value) => {
            let limbs = [value.unsigned_abs()];
            f(Int { negative: value < 0, limbs: if value == 0 { &[] } else { &limbs } })
        }
        Number::Big(int) => f(int),
        Number::Float(_) => Err(ArithError::BadArith),
    }
}

/// Calls `f` with two numbers as sign and limbs.
fn with_ints<R>(
    a: Number<'_>,
    b: Number<'_>,
    f: impl FnOnce(Int<'_>, Int<'_>) -> Result<R, ArithError>,
) -> Result<R, ArithError> {
    with_int(a, |a| with_int(b, |b| f(a, b)))
}

/// Limbs of the operands from which on an operation may take long, unless one of them is short.
const HUGE_LIMBS: usize = 2 * huge::PIECE;

/// Limbs of an operand that is short: what is done with it takes linear time.
const SHORT_LIMBS: usize = 16;

/// The operand of the other sign.
fn negated(int: Int<'_>) -> Int<'_> {
    Int { negative: !int.negative, limbs: int.limbs }
}

/// Operators, as Erlang defines them.
impl<'h> HeapRef<'h> {
    /// `A + B`.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn add(&mut self, a: Term<'h>, b: Term<'h>) -> ArithResult<'h> {
        match (number(a)?, number(b)?) {
            (Number::Small(a), Number::Small(b)) => Ok(self.int_i128(i128::from(a) + i128::from(b))?),
            (a @ Number::Float(_), b) | (a, b @ Number::Float(_)) => self.finite(a.float()? + b.float()?),
            (a, b) => match narrow(a, b).and_then(|(a, b)| a.checked_add(b)) {
                Some(result) => Ok(self.int_i128(result)?),
                None => with_ints(a, b, |a, b| self.sum(a, b)),
            },
        }
    }

    /// `A - B`.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn subtract(&mut self, a: Term<'h>, b: Term<'h>) -> ArithResult<'h> {
        match (number(a)?, number(b)?) {
            (Number::Small(a), Number::Small(b)) => Ok(self.int_i128(i128::from(a) - i128::from(b))?),
            (a @ Number::Float(_), b) | (a, b @ Number::Float(_)) => self.finite(a.float()? - b.float()?),
            (a, b) => match narrow(a, b).and_then(|(a, b)| a.checked_sub(b)) {
                Some(result) => Ok(self.int_i128(result)?),
                None => with_ints(a, b, |a, b| self.sum(a, negated(b))),
            },
        }
    }

    /// Announces an operation that looks at each limb once.
    fn linear(&mut self, limbs: usize) -> Result<(), AllocError> {
        self.work(limbs / 4)
    }

    fn sum(&mut self, a: Int<'_>, b: Int<'_>) -> ArithResult<'h> {
        self.linear(a.limbs.len() + b.limbs.len())?;
        Ok(self.big_with(integer::add_room(a, b), |out| integer::add(out, a, b))?)
    }

    /// `A * B`.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn multiply(&mut self, a: Term<'h>, b: Term<'h>) -> ArithResult<'h> {
        match (number(a)?, number(b)?) {
            (Number::Small(a), Number::Small(b)) => Ok(self.int_i128(i128::from(a) * i128::from(b))?),
            (a @ Number::Float(_), b) | (a, b @ Number::Float(_)) => self.finite(a.float()? * b.float()?),
            (a, b) => match narrow(a, b).and_then(|(a, b)| a.checked_mul(b)) {
                Some(result) => Ok(self.int_i128(result)?),
                None => with_ints(a, b, |a, b| self.product(a, b)),
            },
        }
    }

    fn product(&mut self, a: Int<'_>, b: Int<'_>) -> ArithResult<'h> {
        let room = integer::multiply_room(a, b);
        if room <= HUGE_LIMBS || a.limbs.len().min(b.limbs.len()) <= SHORT_LIMBS {
            self.work(product_units(a.limbs.len(), b.limbs.len()))?;
            return Ok(self.big_with(room, |out| integer::multiply(out, a, b))?);
        }
        if room > MAX_LIMBS + 1 {
            return Err(ArithError::SystemLimit);
        }
        let product = huge::multiply(a.limbs, b.limbs, &mut |units| self.work(units))?;
        Ok(self.big_with(room, |out| {
            integer::store(out, &product);
            a.negative != b.negative
        })?)
    }

    /// Quotient or remainder of operands that are not both short, the divisor not zero.
    fn quotient(&mut self, a: Int<'_>, b: Int<'_>, wants_rest: bool) -> ArithResult<'h> {
        let room = integer::divide_room(a);
        if a.limbs.len() <= HUGE_LIMBS || b.limbs.len() <= SHORT_LIMBS || a.limbs.len() < b.limbs.len() {
            self.work(quotient_units(a.limbs.len(), b.limbs.len()))?;
            let divide = if wants_rest { integer::remainder } else { integer::divide };
            return Ok(self.big_with(room, |out| divide(out, a, b))?);
        }
        let (dividend, divisor) = (integer::unsigned(a.limbs), integer::unsigned(b.limbs));
        let (quotient, rest) = huge::divide(&dividend, &divisor, &mut |units| self.work(units))?;
        Ok(self.big_with(room, |out| {
            integer::store(out, if wants_rest { &rest } else { &quotient });
            a.negative != (b.negative && !wants_rest)
        })?)
    }

    /// `A / B`: always a float.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn divide(&mut self, a: Term<'h>, b: Term<'h>) -> ArithResult<'h> {
        let (a, b) = (number(a)?.float()?, number(b)?.float()?);
        if b == 0.0 {
            return Err(ArithError::BadArith);
        }
        self.finite(a / b)
    }

    /// `A div B`, towards zero.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn int_divide(&mut self, a: Term<'h>, b: Term<'h>) -> ArithResult<'h> {
        match (number(a)?, number(b)?) {
            (_, Number::Small(0)) => Err(ArithError::BadArith),
            (Number::Small(a), Number::Small(b)) => Ok(self.int(a / b)?),
            (a, b) => with_ints(a, b, |a, b| self.quotient(a, b, false)),
        }
    }

    /// `A rem B`, with the sign of `A`.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn remainder(&mut self, a: Term<'h>, b: Term<'h>) -> ArithResult<'h> {
        match (number(a)?, number(b)?) {
            (_, Number::Small(0)) => Err(ArithError::BadArith),
            (Number::Small(a), Number::Small(b)) => Ok(self.int(a % b)?),
            (a, b) => with_ints(a, b, |a, b| self.quotient(a, b, true)),
        }
    }

    /// `-A`.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn negate(&mut self, a: Term<'h>) -> ArithResult<'h> {
        match number(a)? {
            Number::Small(value) => Ok(self.int(-value)?),
            Number::Big(int) => {
                self.linear(int.limbs.len())?;
                Ok(self.big(!int.negative, int.limbs)?)
            }
            Number::Float(value) => self.finite(-value),
        }
    }

    /// `abs(A)`.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn absolute(&mut self, a: Term<'h>) -> ArithResult<'h> {
        match number(a)? {
            Number::Small(value) => Ok(self.int(value.abs())?),
            Number::Big(Int { negative: false, .. }) => Ok(a),
            Number::Big(int) => Ok(self.big(false, int.limbs)?),
            Number::Float(value) => self.finite(value.abs()),
        }
    }

    fn bitwise(&mut self, a: Term<'h>, b: Term<'h>, operation: impl Fn(u64, u64) -> u64) -> ArithResult<'h> {
        match (number(a)?, number(b)?) {
            // A bitwise result of two small integers is small: their sign bits are alike down to bit 60.
            (Number::Small(a), Number::Small(b)) => Ok(self.int(operation(a as u64, b as u64) as i64)?),
            (a, b) => match narrow(a, b) {
                Some((a, b)) => {
                    let (low, high) =
                        (operation(a as u64, b as u64), operation((a >> 64) as u64, (b >> 64) as u64));
                    Ok(self.int_i128(((u128::from(high) << 64) | u128::from(low)) as i128)?)
                }
                None => with_ints(a, b, |a, b| {
                    self.linear(a.limbs.len() + b.limbs.len())?;
                    Ok(self.big_with(integer::bitwise_room(a, b), |out| {
                        integer::bitwise(out, a, b, operation)
                    })?)
                }),
            },
        }
    }

    /// `A band B`.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn band(&mut self, a: Term<'h>, b: Term<'h>) -> ArithResult<'h> {
        self.bitwise(a, b, |a, b| a & b)
    }

    /// `A bor B`.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn bor(&mut self, a: Term<'h>, b: Term<'h>) -> ArithResult<'h> {
        self.bitwise(a, b, |a, b| a | b)
    }

    /// `A bxor B`.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn bxor(&mut self, a: Term<'h>, b: Term<'h>) -> ArithResult<'h> {
        self.bitwise(a, b, |a, b| a ^ b)
    }

    /// `bnot A`.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn bnot(&mut self, a: Term<'h>) -> ArithResult<'h> {
        let minus_one = Term::small(-1).expect("small");
        self.bitwise(a, minus_one, |a, _| !a)
    }

    /// `A bsl B`.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn shift_left(&mut self, a: Term<'h>, b: Term<'h>) -> ArithResult<'h> {
        let (a, b) = (number(a)?, number(b)?);
        self.shift(a, b, false)
    }

    /// `A bsr B`.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn shift_right(&mut self, a: Term<'h>, b: Term<'h>) -> ArithResult<'h> {
        let (a, b) = (number(a)?, number(b)?);
        self.shift(a, b, true)
    }

    fn shift(&mut self, a: Number<'h>, by: Number<'h>, right: bool) -> ArithResult<'h> {
        let (amount, right) = match by {
            Number::Small(by) => (by.unsigned_abs(), right != (by < 0)),
            // Beyond any integer's bits.
            Number::Big(by) => (u64::MAX, right != by.negative),
            Number::Float(_) => return Err(ArithError::BadArith),
        };
        // More bits than any integer has: the exact number no longer matters.
        let amount = amount.min(MAX_LIMBS as u64 * 64 + 64) as usize;
        match a {
            Number::Float(_) => Err(ArithError::BadArith),
            Number::Small(0) => Ok(self.int(0)?),
            Number::Small(value) if right => Ok(self.int(value >> amount.min(63))?),
            Number::Small(value) if amount < 64 => Ok(self.int_i128(i128::from(value) << amount)?),
            a => with_int(a, |a| {
                self.linear(a.limbs.len() + amount / 64)?;
                if right {
                    let room = integer::shift_right_room(a, amount);
                    return Ok(self.big_with(room, |out| integer::shift_right(out, a, amount))?);
                }
                if a.bit_length() + amount > MAX_LIMBS * 64 {
                    return Err(ArithError::SystemLimit);
                }
                Ok(self.big_with(integer::shift_left_room(a, amount), |out| {
                    integer::shift_left(out, a, amount)
                })?)
            }),
        }
    }

    // ---- conversions ----

    fn finite(&mut self, value: f64) -> ArithResult<'h> {
        self.float(value)?.ok_or(ArithError::BadArith)
    }

    /// `float(A)`.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn to_float(&mut self, a: Term<'h>) -> ArithResult<'h> {
        let value = number(a)?.float()?;
        self.finite(value)
    }

    /// The integer a float without fraction is; integers as they are.
    fn whole(&mut self, a: Term<'h>, round: impl FnOnce(f64) -> f64) -> ArithResult<'h> {
        let Number::Float(value) = number(a)? else { return Ok(a) };
        let value = round(value);
        // Below 2^60 the conversion is exact and small.
        if value.abs() < (1_u64 << 60) as f64 {
            return Ok(self.int(value as i64)?);
        }
        Ok(self.big(value < 0.0, &integer::limbs_of_float(value.abs()))?)
    }

    /// `trunc(A)`.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn truncate(&mut self, a: Term<'h>) -> ArithResult<'h> {
        self.whole(a, f64::trunc)
    }

    /// `round(A)`, halves away from zero.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn round(&mut self, a: Term<'h>) -> ArithResult<'h> {
        self.whole(a, f64::round)
    }

    /// `floor(A)`.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn floor(&mut self, a: Term<'h>) -> ArithResult<'h> {
        self.whole(a, f64::floor)
    }

    /// `ceil(A)`.
    ///
    /// # Errors
    /// See [`ArithError`].
    pub fn ceiling(&mut self, a: Term<'h>) -> ArithResult<'h> {
        self.whole(a, f64::ceil)
    }

    /// The integer written in `text` in a base from 2 to 36; `None` if it is not one.
    ///
    /// # Errors
    /// If it is too large or there is no room.
    pub fn parse_integer(&mut self, text: &[u8], base: u32) -> Result<Option<Term<'h>>, AllocError> {
        // Sixteen digits of any base up to 10 fit in 64 bits; most numbers are shorter.
        if base == 10 && text.len() <= 16 && !text.is_empty() && text.iter().all(u8::is_ascii_digit) {
            let value = text.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
            return self.int(value).map(Some);
        }
        match integer::parse(text, base) {
            Some(value) => self.int_big(&value).map(Some),
            None => Ok(None),
        }
    }
}

/// The digits of an integer in a base from 2 to 36; `None` for other terms.
pub fn integer_text(term: Term<'_>, base: u32) -> Option<String> {
    with_int(number(term).ok()?, |int| Ok(integer::to_text(int, base))).ok()
}

/// The nearest float of a number; `None` for other terms and integers too large.
pub fn number_as_float(term: Term<'_>) -> Option<f64> {
    number(term).ok()?.float().ok()
}

/// `1.0` and the like as a word-sized fast answer: order of a small integer and an immediate float.
pub fn compare_small_with_float(small: Word, float: f64) -> Ordering {
    let value = small.small_value();
    compare_with_integer(value < 0, &[value.unsigned_abs()], float)
}

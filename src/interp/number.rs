//! Arithmetic of immediates: what operators do without calling out.
//!
//! Each function takes two small integers (or two floats), or one of either, and gives `None` when the result, or the error, is
//! for the native of the same name to find. Floats are not boxed, so what computing with them costs is the test of their tags and
//! a rotation each way; an operator with a float written out has it ready in its instruction.

use crate::bif;
use crate::code::BifId;
use crate::term::Word;

/// `x + y`. The tags of small integers are zero, so their words add up.
#[inline(always)]
pub(super) fn add(x: Word, y: Word) -> Option<Word> {
    (x.bits() as i64).checked_add(y.bits() as i64).map(word)
}

/// `x - y`.
#[inline(always)]
pub(super) fn sub(x: Word, y: Word) -> Option<Word> {
    (x.bits() as i64).checked_sub(y.bits() as i64).map(word)
}

/// `x * y`.
#[inline(always)]
pub(super) fn mul(x: Word, y: Word) -> Option<Word> {
    x.small_value().checked_mul(y.bits() as i64).map(word)
}

/// `x div y`.
#[inline(always)]
pub(super) fn div(x: Word, y: Word) -> Option<Word> {
    if y.bits() == 0 {
        return None;
    }
    match unsigned(x, y) {
        Some((x, y)) => Some(Word::small(i64::from(x / y))),
        None => Word::try_small(x.small_value() / y.small_value()),
    }
}

/// `x rem y`.
#[inline(always)]
pub(super) fn rem(x: Word, y: Word) -> Option<Word> {
    if y.bits() == 0 {
        return None;
    }
    match unsigned(x, y) {
        Some((x, y)) => Some(Word::small(i64::from(x % y))),
        None => Some(Word::small(x.small_value() % y.small_value())),
    }
}

/// Both as 32-bit numbers if they are such: dividing those takes a fraction of the time.
#[inline(always)]
fn unsigned(x: Word, y: Word) -> Option<(u32, u32)> {
    let (x, y) = (x.small_value() as u64, y.small_value() as u64);
    ((x | y) >> 32 == 0).then_some((x as u32, y as u32))
}

/// `x band y`.
#[inline(always)]
pub(super) fn band(x: Word, y: Word) -> Option<Word> {
    Some(Word::from_bits(x.bits() & y.bits()))
}

/// `x bor y`.
#[inline(always)]
pub(super) fn bor(x: Word, y: Word) -> Option<Word> {
    Some(Word::from_bits(x.bits() | y.bits()))
}

/// `x bxor y`.
#[inline(always)]
pub(super) fn bxor(x: Word, y: Word) -> Option<Word> {
    Some(Word::from_bits(x.bits() ^ y.bits()))
}

/// `x bsl y`.
#[inline(always)]
pub(super) fn bsl(x: Word, y: Word) -> Option<Word> {
    shifted_left(x, y.small_value())
}

/// `x bsr y`.
#[inline(always)]
pub(super) fn bsr(x: Word, y: Word) -> Option<Word> {
    shifted_left(x, y.small_value().wrapping_neg())
}

/// `x bsl count`, or `bsr` of the opposite.
#[inline(always)]
fn shifted_left(x: Word, count: i64) -> Option<Word> {
    let value = x.small_value();
    if count <= 0 {
        return Some(Word::small(value >> count.wrapping_neg().clamp(0, 63)));
    }
    if count >= 60 {
        return if value == 0 { Some(x) } else { None };
    }
    let shifted = value << count;
    if shifted >> count == value { Word::try_small(shifted) } else { None }
}

/// `x / y` of integers.
#[inline(always)]
pub(super) fn slash(x: Word, y: Word) -> Option<Word> {
    float_div(x.small_value() as f64, y.small_value() as f64)
}

/// `x + y` of floats.
#[inline(always)]
pub(super) fn float_add(x: f64, y: f64) -> Option<Word> {
    Word::float(x + y)
}

/// `x - y` of floats.
#[inline(always)]
pub(super) fn float_sub(x: f64, y: f64) -> Option<Word> {
    Word::float(x - y)
}

/// `x * y` of floats.
#[inline(always)]
pub(super) fn float_mul(x: f64, y: f64) -> Option<Word> {
    Word::float(x * y)
}

/// `x / y` of floats. Of a division by zero comes no float.
#[inline(always)]
pub(super) fn float_div(x: f64, y: f64) -> Option<Word> {
    Word::float(x / y)
}

/// No floats, for operators of integers.
#[inline(always)]
pub(super) fn no_float(_x: f64, _y: f64) -> Option<Word> {
    None
}

/// The immediates as floats where at least one is a float: what is left when they are neither two small integers nor two
/// floats that are not zero. (A small integer of more than 53 bits would be rounded as any integer is.)
#[inline(always)]
pub(super) fn mixed(x: Word, y: Word) -> Option<(f64, f64)> {
    if x.both_small(y) { None } else { Some((value(x)?, value(y)?)) }
}

/// An immediate number as a float.
#[inline(always)]
pub(super) fn value(x: Word) -> Option<f64> {
    if x.is_small() {
        Some(x.small_value() as f64)
    } else if x.is_float() {
        Some(x.float_value())
    } else {
        None
    }
}

// ---- one operand ----

/// `-x` of a small integer or a float other than zero.
#[inline(always)]
pub(super) fn negate(x: Word) -> Option<Word> {
    if x.is_small() {
        sub(Word::small(0), x)
    } else if x.is_nonzero_float() {
        Word::float(-x.nonzero_float_value())
    } else {
        None
    }
}

/// `abs(x)` of a small integer or a float other than zero.
#[inline(always)]
pub(super) fn abs(x: Word) -> Option<Word> {
    if x.is_nonzero_float() {
        Word::float(x.nonzero_float_value().abs())
    } else if x.is_small() {
        (x.bits() as i64).checked_abs().map(word)
    } else {
        None
    }
}

/// `float(x)`.
#[inline(always)]
pub(super) fn float(x: Word) -> Option<Word> {
    if x.is_small() {
        Word::float(x.small_value() as f64)
    } else if x.is_float() {
        Some(x)
    } else {
        None
    }
}

/// `trunc(x)`.
#[inline(always)]
pub(super) fn trunc(x: Word) -> Option<Word> {
    whole(x, |value| value)
}

/// `round(x)`: halves away from zero. (What is added is the largest float below one half: that below zero's half plus one
/// half would be one.)
#[inline(always)]
pub(super) fn round(x: Word) -> Option<Word> {
    whole(x, |value| value + 0.499_999_999_999_999_94_f64.copysign(value))
}

/// The integer that is left of a rounded float without its fraction.
#[inline(always)]
fn whole(x: Word, rounded: impl FnOnce(f64) -> f64) -> Option<Word> {
    /// Below it a float without its fraction is a small integer.
    const SAFE: f64 = (1_u64 << 59) as f64;
    if x.is_nonzero_float() {
        let value = x.nonzero_float_value();
        return if value.abs() < SAFE { Some(Word::small(rounded(value) as i64)) } else { None };
    }
    if x.is_small() {
        Some(x)
    } else if x.is_float() {
        Some(Word::small(0))
    } else {
        None
    }
}

/// `math:sqrt(x)`.
#[inline(always)]
pub(super) fn sqrt(x: Word) -> Option<Word> {
    Word::float(value(x)?.sqrt())
}

/// The function of module `math` that the native is.
#[inline(never)]
pub(super) fn math(id: BifId, x: Word) -> Option<Word> {
    Word::float(bif::MATH_FUNCTIONS[usize::from(id.0)]?(value(x)?))
}

#[inline(always)]
fn word(bits: i64) -> Word {
    Word::from_bits(bits as u64)
}

//! Operators: arithmetic, comparison, booleans, list append and subtract.
//!
//! The interpreter has instructions of its own for the usual cases (small integers, floats in words, immediates); what is
//! here is the whole meaning of each operator.

use crate::bif::{BifResult, Cx, Stop};
use crate::term::Term;
use crate::term::compare::{compare, equal, equal_exact};

macro_rules! arithmetic {
    ($($(#[doc = $doc:literal])+ $name:ident = $method:ident($($arg:ident),*);)*) => {$(
        $(#[doc = $doc])+
        ///
        /// # Errors
        /// `badarith` for operands of the wrong type; `system_limit` for results that are too large.
        pub fn $name<'h>(cx: &mut Cx<'h>, [$($arg),*]: [Term<'h>; [$(stringify!($arg)),*].len()]) -> BifResult<'h> {
            Ok(cx.$method($($arg),*)?)
        }
    )*};
}

arithmetic! {
    /// `number() + number() -> number()`.
    plus = add(a, b);
    /// `number() - number() -> number()`.
    minus = subtract(a, b);
    /// `number() * number() -> number()`.
    times = multiply(a, b);
    /// `number() / number() -> float()`.
    slash = divide(a, b);
    /// `integer() div integer() -> integer()`.
    div = int_divide(a, b);
    /// `integer() rem integer() -> integer()`.
    rem = remainder(a, b);
    /// `- number() -> number()`.
    negate = negate(a);
    /// `integer() band integer() -> integer()`.
    band = band(a, b);
    /// `integer() bor integer() -> integer()`.
    bor = bor(a, b);
    /// `integer() bxor integer() -> integer()`.
    bxor = bxor(a, b);
    /// `bnot integer() -> integer()`.
    bnot = bnot(a);
    /// `integer() bsl integer() -> integer()`.
    bsl = shift_left(a, b);
    /// `integer() bsr integer() -> integer()`.
    bsr = shift_right(a, b);
}

/// `+ number() -> number()`.
///
/// # Errors
/// `badarith` if it is no number.
pub fn identity<'h>(_: &mut Cx<'h>, [a]: [Term<'h>; 1]) -> BifResult<'h> {
    if a.is_number() { Ok(a) } else { Err(Stop::badarith()) }
}

macro_rules! comparisons {
    ($($(#[doc = $doc:literal])+ $name:ident = |$cx:ident, $a:ident, $b:ident| $value:expr;)*) => {$(
        $(#[doc = $doc])+
        pub fn $name<'h>($cx: &mut Cx<'h>, [$a, $b]: [Term<'h>; 2]) -> BifResult<'h> {
            Ok(Term::boolean($value))
        }
    )*};
}

comparisons! {
    /// `term() < term() -> boolean()`.
    less = |cx, a, b| compare(cx.atoms(), a, b).is_lt();
    /// `term() =< term() -> boolean()`.
    less_or_equal = |cx, a, b| compare(cx.atoms(), a, b).is_le();
    /// `term() > term() -> boolean()`.
    greater = |cx, a, b| compare(cx.atoms(), a, b).is_gt();
    /// `term() >= term() -> boolean()`.
    greater_or_equal = |cx, a, b| compare(cx.atoms(), a, b).is_ge();
    /// `term() == term() -> boolean()`.
    equals = |_cx, a, b| equal(a, b);
    /// `term() /= term() -> boolean()`.
    differs = |_cx, a, b| !equal(a, b);
    /// `term() =:= term() -> boolean()`.
    equals_exactly = |_cx, a, b| equal_exact(a, b);
    /// `term() =/= term() -> boolean()`.
    differs_exactly = |_cx, a, b| !equal_exact(a, b);
}

macro_rules! booleans {
    ($($(#[doc = $doc:literal])+ $name:ident = |$a:ident, $b:ident| $value:expr;)*) => {$(
        $(#[doc = $doc])+
        ///
        /// # Errors
        /// `badarg` if one of them is no boolean.
        pub fn $name<'h>(_: &mut Cx<'h>, [a, b]: [Term<'h>; 2]) -> BifResult<'h> {
            let (Some($a), Some($b)) = (a.as_boolean(), b.as_boolean()) else { return Err(Stop::badarg()) };
            Ok(Term::boolean($value))
        }
    )*};
}

booleans! {
    /// `boolean() and boolean() -> boolean()`.
    and = |a, b| a && b;
    /// `boolean() or boolean() -> boolean()`.
    or = |a, b| a || b;
    /// `boolean() xor boolean() -> boolean()`.
    xor = |a, b| a != b;
}

/// `not boolean() -> boolean()`.
///
/// # Errors
/// `badarg` if it is no boolean.
pub fn not<'h>(_: &mut Cx<'h>, [a]: [Term<'h>; 1]) -> BifResult<'h> {
    a.as_boolean().map(|value| Term::boolean(!value)).ok_or_else(Stop::badarg)
}

/// Cells of a list that one reduction pays for.
const CELLS_PER_REDUCTION: usize = 64;

/// `list() ++ term() -> term()`: the cells of the first in front of the second.
///
/// # Errors
/// `badarg` if the first is no proper list.
pub fn append<'h>(cx: &mut Cx<'h>, [a, b]: [Term<'h>; 2]) -> BifResult<'h> {
    let length = a.proper_length().ok_or_else(Stop::badarg)?;
    if b.is_nil() {
        return Ok(a);
    }
    cx.charge(length / CELLS_PER_REDUCTION);
    let elements: Vec<Term<'h>> = a.list().collect();
    Ok(cx.list_with_tail(&elements, b)?)
}

/// `list() -- list() -> list()`: the first without the first occurrence of each element of the second.
///
/// # Errors
/// `badarg` if one of them is no proper list.
pub fn subtract<'h>(cx: &mut Cx<'h>, [a, b]: [Term<'h>; 2]) -> BifResult<'h> {
    let (Some(length), Some(count)) = (a.proper_length(), b.proper_length()) else {
        return Err(Stop::badarg());
    };
    if length == 0 || count == 0 {
        return Ok(a);
    }
    // Sorted with counts, so that the cost is (m + n) log n and not m * n.
    let atoms = cx.atoms();
    let mut counts: Vec<(Term<'h>, usize)> = Vec::with_capacity(count);
    let mut sorted: Vec<Term<'h>> = b.list().collect();
    sorted.sort_by(|x, y| crate::term::compare::compare_exact(atoms, *x, *y));
    for term in sorted {
        match counts.last_mut() {
            Some((last, count)) if equal_exact(*last, term) => *count += 1,
            _ => counts.push((term, 1)),
        }
    }
    cx.charge((length + count) / 8);
    let mut kept = Vec::with_capacity(length);
    for term in a.list() {
        let found =
            counts.binary_search_by(|(other, _)| crate::term::compare::compare_exact(atoms, *other, term));
        match found {
            Ok(index) if counts[index].1 > 0 => counts[index].1 -= 1,
            _ => kept.push(term),
        }
    }
    Ok(cx.list(&kept)?)
}

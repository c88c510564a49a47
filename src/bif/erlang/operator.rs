//! Operators: arithmetic, comparison, booleans, list append and subtract.
//!
//! The interpreter has instructions of its own for the usual cases (small integers, floats in words, immediates); what is
//! here is the whole meaning of each operator.

use std::cmp::Ordering;

use crate::bif::sorting::sort;
use crate::bif::{BifResult, Cx, Stop};
use crate::heap::{AllocError, Scratch};
use crate::term::Term;

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
    less = |cx, a, b| cx.compare(a, b)?.is_lt();
    /// `term() =< term() -> boolean()`.
    less_or_equal = |cx, a, b| cx.compare(a, b)?.is_le();
    /// `term() > term() -> boolean()`.
    greater = |cx, a, b| cx.compare(a, b)?.is_gt();
    /// `term() >= term() -> boolean()`.
    greater_or_equal = |cx, a, b| cx.compare(a, b)?.is_ge();
    /// `term() == term() -> boolean()`.
    equals = |cx, a, b| cx.equals(a, b, false)?;
    /// `term() /= term() -> boolean()`.
    differs = |cx, a, b| !cx.equals(a, b, false)?;
    /// `term() =:= term() -> boolean()`.
    equals_exactly = |cx, a, b| cx.equals(a, b, true)?;
    /// `term() =/= term() -> boolean()`.
    differs_exactly = |cx, a, b| !cx.equals(a, b, true)?;
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
    if b.is_nil() {
        let length = cx.length(a)?.ok_or_else(Stop::badarg)?;
        cx.charge(length / CELLS_PER_REDUCTION);
        return Ok(a);
    }
    let length = cx.length(a)?.ok_or_else(Stop::badarg)?;
    cx.charge(length / CELLS_PER_REDUCTION);
    cx.work(length)?;
    Ok(cx.list_copy(a, length, b)?)
}

/// `list() -- list() -> list()`: the first without the first occurrence of each element of the second.
///
/// # Errors
/// `badarg` if one of them is no proper list.
pub fn subtract<'h>(cx: &mut Cx<'h>, [a, b]: [Term<'h>; 2]) -> BifResult<'h> {
    let (Some(length), Some(mut sorted)) = (cx.length(a)?, cx.elements(b)?) else {
        return Err(Stop::badarg());
    };
    if length == 0 || sorted.is_empty() {
        return Ok(a);
    }
    cx.charge((length + sorted.len()) / 8);
    // Sorted with counts, so that the cost is (m + n) log n and not m * n.
    sort(cx, &mut sorted, |cx, x, y| cx.compare_exact(*x, *y))?;
    let mut counts: Scratch<'h, (Term<'h>, usize)> = cx.scratch();
    for term in sorted.iter() {
        match counts.last_mut() {
            Some((last, count)) if cx.equals(*last, *term, true)? => *count += 1,
            _ => counts.push((*term, 1))?,
        }
    }
    let mut kept = cx.scratch();
    let mut items = a.list();
    // Behind the last that goes, the list stays as it is.
    let mut left = sorted.len();
    while left > 0
        && let Some(term) = items.next()
    {
        cx.work(1)?;
        match position(cx, &counts, term)? {
            Some(index) if counts[index].1 > 0 => {
                counts[index].1 -= 1;
                left -= 1;
            }
            _ => kept.push(term)?,
        }
    }
    cx.work(kept.len())?;
    Ok(cx.list_with_tail(&kept, items.rest())?)
}

/// Where a term is among others in exact order.
fn position<'h>(
    cx: &mut Cx<'h>,
    row: &[(Term<'h>, usize)],
    term: Term<'h>,
) -> Result<Option<usize>, AllocError> {
    let (mut low, mut high) = (0, row.len());
    while low < high {
        let middle = low + (high - low) / 2;
        match cx.compare_exact(row[middle].0, term)? {
            Ordering::Less => low = middle + 1,
            Ordering::Equal => return Ok(Some(middle)),
            Ordering::Greater => high = middle,
        }
    }
    Ok(None)
}

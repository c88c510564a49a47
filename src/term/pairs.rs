//! Two terms walked down side by side, through lists and through tuples of the same size: how nearly all comparisons of
//! objects go.
//!
//! The walk is one tight loop that allocates nothing for terms of usual depth and remembers no pair. Pairs of any other kinds
//! are compared by the walks of [`equal`](super::equal) and [`compare`](super::compare), which know everything; so is the whole,
//! by the caller, if the budget does not do.

use std::cmp::Ordering;

use super::compare::{Comparison, quick};
use super::equal::{Equality, words_equal};
use super::worklist::Worklist;
use super::{Subtag, Term};
use crate::atom::Atoms;

/// What a walk, or a look at one pair of it, came to.
enum Outcome<R> {
    /// No difference.
    Same,
    /// This decides.
    Decided(R),
    /// It would take longer.
    Unknown,
}

/// Whether two terms are `=:=` (exactly) or `==`, if that takes no more than `budget` pairs, of which those looked at are
/// taken off.
pub fn equal_soon(a: Term<'_>, b: Term<'_>, exact: bool, budget: &mut usize) -> Option<bool> {
    let outcome = side_by_side(a.shorten(), b.shorten(), budget, |a, b, budget| {
        let same = match words_equal(a.word(), b.word(), exact) {
            None => in_steps(budget, Equality::new(a, b, exact), Equality::step, Equality::ahead),
            known => known,
        };
        match same {
            Some(true) => Outcome::Same,
            Some(false) => Outcome::Decided(()),
            None => Outcome::Unknown,
        }
    });
    match outcome {
        Outcome::Same => Some(true),
        Outcome::Decided(()) => Some(false),
        Outcome::Unknown => None,
    }
}

/// The order of two terms, the exact or the usual one, in the same way.
pub fn order_soon(
    atoms: &Atoms,
    a: Term<'_>,
    b: Term<'_>,
    exact: bool,
    budget: &mut usize,
) -> Option<Ordering> {
    let outcome = side_by_side(a.shorten(), b.shorten(), budget, |a, b, budget| {
        let order = match quick(atoms, a, b) {
            None => {
                in_steps(budget, Comparison::new(atoms, a, b, exact), Comparison::step, Comparison::ahead)
            }
            known => known,
        };
        match order {
            // An integer and a float of the same value.
            Some(Ordering::Equal) => Outcome::Same,
            Some(order) => Outcome::Decided(order),
            None => Outcome::Unknown,
        }
    });
    match outcome {
        Outcome::Same => Some(Ordering::Equal),
        Outcome::Decided(order) => Some(order),
        Outcome::Unknown => None,
    }
}

/// Pairs looked at between two looks at the budget.
const PAIRS_PER_STEP: usize = 64;

/// The result of a walk of another kind, if the budget does.
fn in_steps<W, R>(
    budget: &mut usize,
    mut walk: W,
    step: impl Fn(&mut W, usize) -> Option<R>,
    ahead: impl Fn(&W) -> usize,
) -> Option<R> {
    loop {
        let result = step(&mut walk, PAIRS_PER_STEP);
        if result.is_some() || ahead(&walk) > 0 {
            return result;
        }
        *budget = budget.checked_sub(PAIRS_PER_STEP)?;
    }
}

/// Elements of two rows that are still to be compared.
#[derive(Clone, Copy)]
struct Rows<'h>(&'h [Term<'h>], &'h [Term<'h>]);

/// Tuples up to this size are walked through here; a larger one takes longer than a pair may.
const ROW_LIMIT: usize = 64;

/// The parts of two lists, or of two tuples of the same size.
#[inline(always)]
fn rows<'h>(a: Term<'h>, b: Term<'h>) -> Option<Rows<'h>> {
    if let (Some(a), Some(b)) = (a.as_cons(), b.as_cons()) {
        return Some(Rows(a.parts(), b.parts()));
    }
    if !a.word().is_boxed() || !b.word().is_boxed() {
        return None;
    }
    let (left, right) = (a.object(), b.object());
    let alike = left[0] == right[0] && left[0].is_header_of(Subtag::Tuple) && left.len() <= ROW_LIMIT;
    alike.then(|| Rows(a.terms_of(&left[1..]), b.terms_of(&right[1..])))
}

/// Walks down; `differ` looks at the pairs that this does not take apart, and may take from the budget too.
#[inline(always)]
fn side_by_side<'h, R>(
    mut a: Term<'h>,
    mut b: Term<'h>,
    budget: &mut usize,
    mut differ: impl FnMut(Term<'h>, Term<'h>, &mut usize) -> Outcome<R>,
) -> Outcome<R> {
    let mut above = Worklist::<Rows<'h>, 16>::new();
    loop {
        let Some(left) = budget.checked_sub(1) else { return Outcome::Unknown };
        *budget = left;
        let mut row = match rows(a, b) {
            Some(row) => row,
            None => match differ(a, b, budget) {
                Outcome::Same => Rows(&[], &[]),
                outcome => return outcome,
            },
        };
        // On to the next pair of different words.
        (a, b) = loop {
            let differing = row.0.iter().zip(row.1).position(|(a, b)| a.word() != b.word());
            if let Some(index) = differing {
                if index + 1 < row.0.len() {
                    above.push(Rows(&row.0[index + 1..], &row.1[index + 1..]));
                }
                break (row.0[index], row.1[index]);
            }
            match above.pop() {
                Some(next) => row = next,
                None => return Outcome::Same,
            }
        };
    }
}

//! Natives of module `lists`.
//!
//! The searching and reversing ones walk at most what the slice pays for ([`ELEMENTS_PER_REDUCTION`]) and then are called
//! again with the rest.

use std::cmp::Ordering;

use crate::atom::known;
use crate::bif::sorting::sort;
use crate::bif::{BifResult, Cx, Stop};
use crate::heap::AllocError;
use crate::term::compare::{equal, equal_exact};
use crate::term::{Term, View};

/// Elements a walk may pass for one reduction: a step costs about a tenth of a call.
pub const ELEMENTS_PER_REDUCTION: usize = 10;

/// How many elements the rest of the slice pays for; at least a few, so that every call gets on.
pub fn element_budget(cx: &Cx<'_>) -> usize {
    usize::try_from(cx.process().reductions).unwrap_or(0).max(8) * ELEMENTS_PER_REDUCTION
}

/// The same for a walk that compares each element with `wanted`: no comparison takes longer than all of it.
///
/// # Errors
/// If a single comparison may take too long.
fn comparison_budget<'h>(cx: &mut Cx<'h>, wanted: Term<'h>) -> Result<usize, AllocError> {
    let words = cx.weigh(wanted)?;
    Ok(1 + element_budget(cx) / (1 + words / WORDS_PER_ELEMENT))
}

/// Words compared in the time that passing an element takes.
const WORDS_PER_ELEMENT: usize = 8;

/// Charges for a walk over `elements`.
pub fn charge_elements(cx: &mut Cx<'_>, elements: usize) {
    cx.charge(elements / ELEMENTS_PER_REDUCTION);
}

/// `reverse([T]) -> [T]`.
///
/// # Errors
/// `function_clause` in OTP, whose version is written in Erlang; here `badarg` becomes that in `lists.erl`.
pub fn reverse<'h>(cx: &mut Cx<'h>, [list, tail]: [Term<'h>; 2]) -> BifResult<'h> {
    let budget = element_budget(cx);
    let (mut rest, mut reversed) = (list, tail);
    for walked in 0..budget {
        match rest.view() {
            View::Cons(cell) => {
                reversed = cx.cons(cell.head(), reversed)?;
                rest = cell.tail();
            }
            View::Nil => {
                charge_elements(cx, walked);
                return Ok(reversed);
            }
            _ => return Err(Stop::badarg()),
        }
    }
    charge_elements(cx, budget);
    Err(Stop::again(vec![rest, reversed]))
}

/// `member(T, [T]) -> boolean()`.
///
/// # Errors
/// `badarg` if an improper end is met first.
pub fn member<'h>(cx: &mut Cx<'h>, [element, list]: [Term<'h>; 2]) -> BifResult<'h> {
    let budget = comparison_budget(cx, element)?;
    let mut rest = list;
    for walked in 0..budget {
        match rest.view() {
            View::Cons(cell) => {
                if equal_exact(cell.head(), element) {
                    charge_elements(cx, walked);
                    return Ok(Term::boolean(true));
                }
                rest = cell.tail();
            }
            View::Nil => {
                charge_elements(cx, walked);
                return Ok(Term::boolean(false));
            }
            _ => return Err(Stop::badarg()),
        }
    }
    charge_elements(cx, budget);
    Err(Stop::again(vec![element, rest]))
}

/// What a search by key came to.
enum Found<'h> {
    Tuple(Term<'h>),
    Nothing,
}

/// Positions from here on are big integers on OTP, which its natives refuse.
const FIRST_BIG: i64 = 1 << 59;

fn key_search<'h>(cx: &mut Cx<'h>, [key, position, list]: [Term<'h>; 3]) -> Result<Found<'h>, Stop<'h>> {
    let index = match position.view() {
        View::Int(position) if (1..FIRST_BIG).contains(&position) => position as usize - 1,
        _ => return Err(Stop::badarg()),
    };
    let budget = comparison_budget(cx, key)?;
    let mut rest = list;
    for walked in 0..budget {
        match rest.view() {
            View::Cons(cell) => {
                let element = cell.head().as_tuple().and_then(|elements| elements.get(index));
                if element.is_some_and(|element| equal(*element, key)) {
                    charge_elements(cx, walked);
                    return Ok(Found::Tuple(cell.head()));
                }
                rest = cell.tail();
            }
            View::Nil => {
                charge_elements(cx, walked);
                return Ok(Found::Nothing);
            }
            _ => return Err(Stop::badarg()),
        }
    }
    charge_elements(cx, budget);
    Err(Stop::again(vec![key, position, rest]))
}

/// `keyfind(Key, N, [Tuple]) -> Tuple | false`.
///
/// # Errors
/// `badarg` if `N` is no positive integer or an improper end is met first.
pub fn keyfind<'h>(cx: &mut Cx<'h>, args: [Term<'h>; 3]) -> BifResult<'h> {
    Ok(match key_search(cx, args)? {
        Found::Tuple(tuple) => tuple,
        Found::Nothing => Term::boolean(false),
    })
}

/// `keymember(Key, N, [Tuple]) -> boolean()`.
///
/// # Errors
/// As `keyfind/3`.
pub fn keymember<'h>(cx: &mut Cx<'h>, args: [Term<'h>; 3]) -> BifResult<'h> {
    Ok(Term::boolean(matches!(key_search(cx, args)?, Found::Tuple(_))))
}

/// `keysearch(Key, N, [Tuple]) -> {value, Tuple} | false`.
///
/// # Errors
/// As `keyfind/3`.
pub fn keysearch<'h>(cx: &mut Cx<'h>, args: [Term<'h>; 3]) -> BifResult<'h> {
    match key_search(cx, args)? {
        Found::Tuple(tuple) => Ok(cx.tuple(&[Term::atom(known::VALUE), tuple])?),
        Found::Nothing => Ok(Term::boolean(false)),
    }
}

/// Longest list that is sorted natively in one go: about half a millisecond of comparisons of small integers. Longer ones are
/// cut, sorted and merged by `lists.erl`.
const SORT_AT_ONCE: usize = 4096;

/// `erlet_lists:sort_short([T]) -> [T] | false | tied`: a stable sort of a proper list of at most [`SORT_AT_ONCE`] elements;
/// `false` for any other argument, `tied` if elements compare equal that are not the same.
pub fn sort_short<'h>(cx: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    sorted(cx, list, true)
}

/// `erlet_lists:sort_block([T]) -> [T] | false`: the same, of elements of which some may be tied.
pub fn sort_block<'h>(cx: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    sorted(cx, list, false)
}

/// How many elements `tied/1` looks at in a call: as much work as sorting a short list.
const TIES_AT_ONCE: usize = 8 * SORT_AT_ONCE;

/// `erlet_lists:tied([T]) -> boolean() | [T]`: whether neighbours in a sorted list compare equal and are not the same; the rest of
/// the list if that is not known yet.
pub fn tied<'h>(cx: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    let mut cells = list.list();
    let Some(mut before) = cells.next() else { return Ok(Term::boolean(false)) };
    for index in 1..TIES_AT_ONCE {
        let Some(next) = cells.next() else {
            charge_elements(cx, index);
            return Ok(Term::boolean(false));
        };
        if are_tied(cx, before, next)? {
            charge_elements(cx, index);
            return Ok(Term::boolean(true));
        }
        before = next;
    }
    charge_elements(cx, TIES_AT_ONCE);
    // The last one looked at may be tied with the next.
    let rest = cells.rest();
    Ok(if rest.is_nil() { Term::boolean(false) } else { cx.cons(before, rest)? })
}

/// Whether two neighbours of a sorted list compare equal and are not the same: `1` and `1.0`, and what contains them.
fn are_tied<'h>(cx: &mut Cx<'h>, a: Term<'h>, b: Term<'h>) -> Result<bool, AllocError> {
    let may_be = |term: Term<'h>| {
        matches!(term.view(), View::Float(_) | View::Cons(_) | View::Tuple(_) | View::Map(_))
    };
    if !may_be(a) && !may_be(b) {
        return Ok(false);
    }
    Ok(cx.compare(a, b)? == Ordering::Equal && cx.compare_exact(a, b)? != Ordering::Equal)
}

fn sorted<'h>(cx: &mut Cx<'h>, list: Term<'h>, mind_ties: bool) -> BifResult<'h> {
    let Some(mut elements) = short_list(list) else { return Ok(Term::boolean(false)) };
    // An ordered list, the commonest special case, is given back as it is.
    let mut ordered = true;
    for pair in elements.windows(2) {
        if cx.compare(pair[0], pair[1])? == Ordering::Greater {
            ordered = false;
            break;
        }
    }
    if ordered {
        charge_elements(cx, elements.len());
        return Ok(list);
    }
    if elements.iter().all(|element| element.as_small().is_some()) {
        elements.sort_by_key(|element| element.as_small());
    } else {
        sort(cx, &mut elements, |cx, a, b| cx.compare(*a, *b))?;
        if mind_ties {
            for pair in elements.windows(2) {
                if are_tied(cx, pair[0], pair[1])? {
                    return Ok(Term::atom(known::TIED));
                }
            }
        }
    }
    charge_elements(cx, sorting_steps(elements.len()));
    Ok(cx.list(&elements)?)
}

/// `erlet_lists:keysort_short(N, [Tuple]) -> [Tuple] | false`: the same by the Nth element of each tuple; `false` also if
/// an element has none.
pub fn keysort_short<'h>(cx: &mut Cx<'h>, [position, list]: [Term<'h>; 2]) -> BifResult<'h> {
    let position = position.as_small().and_then(|position| usize::try_from(position).ok());
    let (Some(position), Some(elements)) = (position, short_list(list)) else {
        return Ok(Term::boolean(false));
    };
    let Some(index) = position.checked_sub(1) else { return Ok(Term::boolean(false)) };
    let keyed: Option<Vec<(Term<'h>, Term<'h>)>> = elements
        .iter()
        .map(|element| element.as_tuple().and_then(|parts| parts.get(index)).map(|key| (*key, *element)))
        .collect();
    let Some(mut keyed) = keyed else { return Ok(Term::boolean(false)) };
    if keyed.iter().all(|(key, _)| key.as_small().is_some()) {
        keyed.sort_by_key(|(key, _)| key.as_small());
    } else {
        sort(cx, &mut keyed, |cx, a, b| cx.compare(a.0, b.0))?;
    }
    charge_elements(cx, sorting_steps(keyed.len()));
    let sorted: Vec<Term<'h>> = keyed.iter().map(|pair| pair.1).collect();
    Ok(cx.list(&sorted)?)
}

/// The elements of a proper list of at most [`SORT_AT_ONCE`].
fn short_list<'h>(list: Term<'h>) -> Option<Vec<Term<'h>>> {
    let mut items = list.list();
    let elements: Vec<Term<'h>> = items.by_ref().take(SORT_AT_ONCE + 1).collect();
    (elements.len() <= SORT_AT_ONCE && items.rest().is_nil()).then_some(elements)
}

/// What sorting so many elements counts as, in elements walked.
fn sorting_steps(len: usize) -> usize {
    len * (1 + len.checked_ilog2().unwrap_or(0) as usize)
}

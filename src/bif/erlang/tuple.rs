//! Tuples: making, changing, converting.

use crate::bif::{BifResult, Cx, Stop};
use crate::heap::{AllocError, Scratch};
use crate::term::Term;

/// Elements of the largest tuple, as OTP's.
const MAX_TUPLE: usize = (1 << 24) - 1;

/// `tuple_to_list(tuple()) -> list()`.
///
/// # Errors
/// `badarg` if it is no tuple.
pub fn tuple_to_list<'h>(cx: &mut Cx<'h>, [tuple]: [Term<'h>; 1]) -> BifResult<'h> {
    let elements = tuple.as_tuple().ok_or_else(Stop::badarg)?;
    moved(cx, elements.len())?;
    Ok(cx.list(elements)?)
}

/// `list_to_tuple(list()) -> tuple()`.
///
/// # Errors
/// `badarg` if it is no proper list; `system_limit` if it is too long.
pub fn list_to_tuple<'h>(cx: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    let elements = cx.elements(list)?.ok_or_else(Stop::badarg)?;
    if elements.len() > MAX_TUPLE {
        return Err(Stop::badarg());
    }
    moved(cx, elements.len())?;
    Ok(cx.tuple(&elements)?)
}

/// Says that so many elements are moved.
fn moved<'h>(cx: &mut Cx<'h>, elements: usize) -> Result<(), AllocError> {
    cx.charge(elements / 64);
    cx.work(elements / 2)
}

/// Elements to be changed, for a new tuple.
fn copied<'h>(cx: &mut Cx<'h>, elements: &[Term<'h>]) -> Result<Scratch<'h, Term<'h>>, AllocError> {
    moved(cx, elements.len())?;
    let mut copy = cx.scratch();
    copy.extend(elements)?;
    Ok(copy)
}

/// The position, from 0, that an index from 1 means in `0..limit`.
fn position(index: Term<'_>, limit: usize) -> Option<usize> {
    let position = usize::try_from(index.as_small()?).ok()?.checked_sub(1)?;
    (position < limit).then_some(position)
}

/// `setelement(N :: pos_integer(), tuple(), Value) -> tuple()`.
///
/// # Errors
/// `badarg` if it is no tuple or has no such element.
pub fn setelement<'h>(cx: &mut Cx<'h>, [index, tuple, value]: [Term<'h>; 3]) -> BifResult<'h> {
    let elements = tuple.as_tuple().ok_or_else(Stop::badarg)?;
    let position = position(index, elements.len()).ok_or_else(Stop::badarg)?;
    let mut changed = copied(cx, elements)?;
    changed[position] = value;
    Ok(cx.tuple(&changed)?)
}

/// `make_tuple(Arity, Initial) -> tuple()`.
///
/// # Errors
/// `badarg` if the arity is no non-negative integer that a tuple may have.
pub fn make_tuple<'h>(cx: &mut Cx<'h>, [arity, initial]: [Term<'h>; 2]) -> BifResult<'h> {
    make_tuple_with(cx, [arity, initial, Term::NIL])
}

/// `make_tuple(Arity, Default, [{Position, Value}]) -> tuple()`; of values for one position the last counts.
///
/// # Errors
/// `badarg` if an argument is wrong or a position is not inside.
pub fn make_tuple_with<'h>(cx: &mut Cx<'h>, [arity, default, values]: [Term<'h>; 3]) -> BifResult<'h> {
    let arity = arity.as_small().and_then(|arity| usize::try_from(arity).ok());
    let arity = arity.filter(|arity| *arity <= MAX_TUPLE).ok_or_else(Stop::badarg)?;
    if cx.length(values)?.is_none() {
        return Err(Stop::badarg());
    }
    moved(cx, arity)?;
    let mut elements = cx.scratch();
    elements.reserve(arity)?;
    for _ in 0..arity {
        elements.push(default)?;
    }
    for value in values.list() {
        cx.work(1)?;
        match value.as_tuple() {
            Some(&[index, value]) => elements[position(index, arity).ok_or_else(Stop::badarg)?] = value,
            _ => return Err(Stop::badarg()),
        }
    }
    Ok(cx.tuple(&elements)?)
}

/// `append_element(tuple(), Term) -> tuple()`.
///
/// # Errors
/// `badarg` if it is no tuple.
pub fn append_element<'h>(cx: &mut Cx<'h>, [tuple, element]: [Term<'h>; 2]) -> BifResult<'h> {
    let old = tuple.as_tuple().filter(|old| old.len() < MAX_TUPLE).ok_or_else(Stop::badarg)?;
    let mut elements = copied(cx, old)?;
    elements.push(element)?;
    Ok(cx.tuple(&elements)?)
}

/// `insert_element(Index, tuple(), Term) -> tuple()`.
///
/// # Errors
/// `badarg` if it is no tuple or the index is not in `1..=tuple_size + 1`.
pub fn insert_element<'h>(cx: &mut Cx<'h>, [index, tuple, element]: [Term<'h>; 3]) -> BifResult<'h> {
    let old = tuple.as_tuple().filter(|old| old.len() < MAX_TUPLE).ok_or_else(Stop::badarg)?;
    let position = position(index, old.len() + 1).ok_or_else(Stop::badarg)?;
    let mut elements = copied(cx, &old[..position])?;
    elements.push(element)?;
    elements.extend(&old[position..])?;
    moved(cx, old.len() - position)?;
    Ok(cx.tuple(&elements)?)
}

/// `delete_element(Index, tuple()) -> tuple()`.
///
/// # Errors
/// `badarg` if it is no tuple or has no such element.
pub fn delete_element<'h>(cx: &mut Cx<'h>, [index, tuple]: [Term<'h>; 2]) -> BifResult<'h> {
    let old = tuple.as_tuple().ok_or_else(Stop::badarg)?;
    let position = position(index, old.len()).ok_or_else(Stop::badarg)?;
    let mut elements = copied(cx, &old[..position])?;
    elements.extend(&old[position + 1..])?;
    moved(cx, old.len() - position)?;
    Ok(cx.tuple(&elements)?)
}

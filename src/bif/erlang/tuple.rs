//! Tuples: making, changing, converting.

use crate::bif::{BifResult, Cx, Stop};
use crate::term::Term;

/// Elements of the largest tuple, as OTP's.
const MAX_TUPLE: usize = (1 << 24) - 1;

/// `tuple_to_list(tuple()) -> list()`.
///
/// # Errors
/// `badarg` if it is no tuple.
pub fn tuple_to_list<'h>(cx: &mut Cx<'h>, [tuple]: [Term<'h>; 1]) -> BifResult<'h> {
    let elements = tuple.as_tuple().ok_or_else(Stop::badarg)?;
    cx.charge(elements.len() / 64);
    Ok(cx.list(elements)?)
}

/// `list_to_tuple(list()) -> tuple()`.
///
/// # Errors
/// `badarg` if it is no proper list; `system_limit` if it is too long.
pub fn list_to_tuple<'h>(cx: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    let length = list.proper_length().ok_or_else(Stop::badarg)?;
    if length > MAX_TUPLE {
        return Err(Stop::system_limit());
    }
    cx.charge(length / 64);
    let elements: Vec<Term<'h>> = list.list().collect();
    Ok(cx.tuple(&elements)?)
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
    cx.charge(elements.len() / 64);
    let mut changed = elements.to_vec();
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
    if values.proper_length().is_none() {
        return Err(Stop::badarg());
    }
    cx.charge(arity / 64);
    let mut elements = vec![default; arity];
    for value in values.list() {
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
    let mut elements =
        tuple.as_tuple().filter(|old| old.len() < MAX_TUPLE).ok_or_else(Stop::badarg)?.to_vec();
    elements.push(element);
    Ok(cx.tuple(&elements)?)
}

/// `insert_element(Index, tuple(), Term) -> tuple()`.
///
/// # Errors
/// `badarg` if it is no tuple or the index is not in `1..=tuple_size + 1`.
pub fn insert_element<'h>(cx: &mut Cx<'h>, [index, tuple, element]: [Term<'h>; 3]) -> BifResult<'h> {
    let mut elements =
        tuple.as_tuple().filter(|old| old.len() < MAX_TUPLE).ok_or_else(Stop::badarg)?.to_vec();
    let position = position(index, elements.len() + 1).ok_or_else(Stop::badarg)?;
    elements.insert(position, element);
    Ok(cx.tuple(&elements)?)
}

/// `delete_element(Index, tuple()) -> tuple()`.
///
/// # Errors
/// `badarg` if it is no tuple or has no such element.
pub fn delete_element<'h>(cx: &mut Cx<'h>, [index, tuple]: [Term<'h>; 2]) -> BifResult<'h> {
    let mut elements = tuple.as_tuple().ok_or_else(Stop::badarg)?.to_vec();
    let position = position(index, elements.len()).ok_or_else(Stop::badarg)?;
    elements.remove(position);
    Ok(cx.tuple(&elements)?)
}

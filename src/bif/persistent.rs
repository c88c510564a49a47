//! Natives of `persistent_term`: terms for the whole machine, by key.

use std::sync::RwLockReadGuard;

use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::ets::Rows;
use crate::term::Term;

fn read<'h>(cx: &Cx<'h>) -> Result<RwLockReadGuard<'h, Rows>, Stop<'h>> {
    cx.rt.persistent.read().ok_or_else(Stop::badarg)
}

fn find<'h>(cx: &mut Cx<'h>, key: Term<'h>) -> Result<Option<Term<'h>>, Stop<'h>> {
    cx.weigh(key)?;
    let rows = read(cx)?;
    let row = cx.rt.persistent.lookup_one(&rows, cx.atoms(), key);
    match row.and_then(|row| row.term().as_tuple()).and_then(|row| row.get(1)) {
        Some(value) => Ok(Some(cx.copy_in(*value)?)),
        None => Ok(None),
    }
}

/// `get(Key) -> term()`.
///
/// # Errors
/// `badarg` if there is none.
pub fn get<'h>(cx: &mut Cx<'h>, [key]: [Term<'h>; 1]) -> BifResult<'h> {
    find(cx, key)?.ok_or_else(Stop::badarg)
}

/// `get(Key, Default) -> term()`.
pub fn get_or<'h>(cx: &mut Cx<'h>, [key, default]: [Term<'h>; 2]) -> BifResult<'h> {
    Ok(find(cx, key)?.unwrap_or(default))
}

/// `get() -> [{Key, Value}]`.
pub fn get_all<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let rows = read(cx)?;
    let mut pairs = Vec::with_capacity(rows.len());
    for row in rows.iter() {
        pairs.push(cx.copy_in(row.term())?);
    }
    drop(rows);
    Ok(cx.list(&pairs)?)
}

/// Keys of the logger say what everybody's log events go through, handlers and filters among it: within a machine, a tree with
/// limits or rights of its own may not change that without the right to change code.
fn check_key<'h>(cx: &Cx<'h>, key: Term<'h>) -> Result<(), Stop<'h>> {
    let is_loggers = key.as_tuple().is_some_and(|key| key.len() == 2 && key[0].is_atom(known::LOGGER));
    let is_the_machine = std::ptr::eq(cx.payer(), &raw const *cx.rt.account);
    if is_loggers && !is_the_machine && !cx.capabilities().has_code() { Err(Stop::denied()) } else { Ok(()) }
}

/// `put(Key, Value) -> ok`.
///
/// # Errors
/// `eacces` for keys of the logger without the right to change them.
pub fn put<'h>(cx: &mut Cx<'h>, [key, value]: [Term<'h>; 2]) -> BifResult<'h> {
    check_key(cx, key)?;
    let row = cx.tuple(&[key, value])?;
    let row = cx.copy_for_table(row, &cx.rt.persistent)?;
    let mut rows = cx.rt.persistent.write().ok_or_else(Stop::badarg)?;
    cx.rt.persistent.pay(&rows, std::slice::from_ref(&row))?;
    let replaced = cx.rt.persistent.insert(&mut rows, cx.atoms(), row);
    drop(rows);
    drop(replaced);
    Ok(Term::atom(known::OK))
}

/// `erase(Key) -> boolean()`: whether there was one.
///
/// # Errors
/// As `put/2`.
pub fn erase<'h>(cx: &mut Cx<'h>, [key]: [Term<'h>; 1]) -> BifResult<'h> {
    check_key(cx, key)?;
    cx.weigh(key)?;
    let mut rows = cx.rt.persistent.write().ok_or_else(Stop::badarg)?;
    let removed = cx.rt.persistent.remove(&mut rows, cx.atoms(), key, &mut |units| cx.work(units))?;
    drop(rows);
    Ok(Term::boolean(!removed.is_empty()))
}

/// `info() -> #{count, memory}`.
pub fn info<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let (count, bytes) = (read(cx)?.len(), cx.rt.persistent.bytes());
    let pairs = [
        (Term::atom(known::COUNT_ITEM), cx.int(count as i64)?),
        (Term::atom(known::MEMORY), cx.int(bytes as i64)?),
    ];
    Ok(cx.map(&pairs)?)
}

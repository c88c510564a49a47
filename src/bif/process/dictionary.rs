//! The process dictionary.

use crate::atom::known;
use crate::bif::{BifResult, Cx};
use crate::term::Term;

fn undefined<'h>() -> Term<'h> {
    Term::atom(known::UNDEFINED)
}

/// `get(Key) -> Value | undefined`.
pub fn get<'h>(cx: &mut Cx<'h>, [key]: [Term<'h>; 1]) -> BifResult<'h> {
    cx.weigh(key)?;
    Ok(cx.process().dictionary_get(&cx.rt.atoms, key).unwrap_or_else(undefined))
}

/// `get() -> [{Key, Value}]`.
pub fn get_all<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    pairs(cx)
}

fn pairs<'h>(cx: &mut Cx<'h>) -> BifResult<'h> {
    let entries = cx.process().dictionary_of(cx);
    cx.charge(entries.len());
    cx.work(8 * entries.len())?;
    let pairs =
        entries.into_iter().map(|(key, value)| cx.tuple(&[key, value])).collect::<Result<Vec<_>, _>>()?;
    Ok(cx.list(&pairs)?)
}

/// `put(Key, Value) -> OldValue | undefined`.
pub fn put<'h>(cx: &mut Cx<'h>, [key, value]: [Term<'h>; 2]) -> BifResult<'h> {
    cx.weigh(key)?;
    let (rt, _, process) = cx.parts();
    Ok(process.dictionary_put(&rt.atoms, key, value).unwrap_or_else(undefined))
}

/// `erase(Key) -> Value | undefined`.
pub fn erase<'h>(cx: &mut Cx<'h>, [key]: [Term<'h>; 1]) -> BifResult<'h> {
    cx.weigh(key)?;
    let (rt, _, process) = cx.parts();
    Ok(process.dictionary_erase(&rt.atoms, key).unwrap_or_else(undefined))
}

/// `erase() -> [{Key, Value}]`.
pub fn erase_all<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let all = pairs(cx)?;
    cx.process_mut().dictionary = None;
    Ok(all)
}

/// `get_keys() -> [Key]`.
pub fn get_keys<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let keys: Vec<_> = cx.process().dictionary_of(cx).into_iter().map(|(key, _)| key).collect();
    cx.charge(keys.len());
    Ok(cx.list(&keys)?)
}

/// `get_keys(Value) -> [Key]`: the keys whose value is exactly that.
pub fn get_keys_of<'h>(cx: &mut Cx<'h>, [wanted]: [Term<'h>; 1]) -> BifResult<'h> {
    let entries = cx.process().dictionary_of(cx);
    cx.charge(entries.len());
    cx.work(8 * entries.len())?;
    let mut keys = cx.scratch();
    for (key, value) in entries {
        if cx.equals(value, wanted, true)? {
            keys.push(key)?;
        }
    }
    Ok(cx.list(&keys)?)
}

//! What a table says about itself.

use super::ets::table;
use super::ets_lock::to_read;
use crate::atom::{Atom, known};
use crate::bif::{BifResult, Cx, Stop};
use crate::ets::{Access, Kind, Table};
use crate::term::Term;

/// `info(Table, Item) -> Value | undefined`.
///
/// # Errors
/// `badarg` if it is neither a name nor a reference, or there is no such item.
pub fn info<'h>(cx: &mut Cx<'h>, [name, item]: [Term<'h>; 2]) -> BifResult<'h> {
    if name.as_atom().is_none() && name.as_ref().is_none() {
        return Err(Stop::badarg());
    }
    let item = item.as_atom().ok_or_else(Stop::badarg)?;
    let Ok(table) = table(cx, name) else { return Ok(Term::atom(known::UNDEFINED)) };
    let size = match to_read(cx, &table) {
        Ok(rows) => rows.len(),
        Err(_) if table.is_deleted() => return Ok(Term::atom(known::UNDEFINED)),
        Err(stop) => return Err(stop),
    };
    Ok(match item {
        known::SIZE => cx.int(size as i64)?,
        known::MEMORY => cx.int(table.bytes().div_ceil(8) as i64)?,
        known::TYPE => Term::atom(match table.kind {
            Kind::Set => known::SET,
            Kind::OrderedSet => known::ORDERED_SET,
            Kind::Bag => known::BAG,
            Kind::DuplicateBag => known::DUPLICATE_BAG,
        }),
        known::PROTECTION => Term::atom(match table.access() {
            Access::Public => known::PUBLIC,
            Access::Protected => known::PROTECTED,
            Access::Private => known::PRIVATE,
        }),
        known::NAME => Term::atom(table.name()),
        known::NAMED_TABLE => Term::boolean(table.is_named()),
        known::KEYPOS => cx.int(table.key_position as i64)?,
        known::OWNER => Term::pid(table.owner()),
        known::HEIR => table.heir().map_or(Term::atom(known::NONE), Term::pid),
        known::ID => cx.reference(table.id().0, None)?,
        known::COMPRESSED => Term::boolean(table.compressed),
        known::WRITE_CONCURRENCY => Term::boolean(table.write_concurrency),
        known::READ_CONCURRENCY => Term::boolean(table.read_concurrency),
        known::FIXED => Term::boolean(table.is_fixed()),
        known::SAFE_FIXED | known::SAFE_FIXED_MONOTONIC_TIME => return fixed(cx, &table, item),
        known::DECENTRALIZED_COUNTERS => Term::boolean(false),
        known::NODE => Term::atom(known::NONODE_NOHOST),
        _ => return Err(Stop::badarg()),
    })
}

/// Since when a table is fixed, in the time that `item` means, and by whom how often; or `false`.
fn fixed<'h>(cx: &mut Cx<'h>, table: &Table, item: Atom) -> BifResult<'h> {
    let Some((since, fixers)) = table.fixed_by() else { return Ok(Term::boolean(false)) };
    let since = super::time::rounded(cx, since);
    let since = match item {
        known::SAFE_FIXED => {
            let offset = cx.rt.clock.offset_ns();
            super::time::stamp(cx, since.saturating_add(offset))?
        }
        _ => cx.int(since)?,
    };
    let mut by = Vec::with_capacity(fixers.len());
    for (pid, count) in fixers {
        let count = cx.int(count as i64)?;
        by.push(cx.tuple(&[Term::pid(pid), count])?);
    }
    let by = cx.list(&by)?;
    Ok(cx.tuple(&[since, by])?)
}

//! Natives of module `ets` that insert rows.

use super::ets::{keep, taken_to_write, writable};
use super::ets_lock::to_write;
use crate::bif::{BifResult, Cx, Stop};
use crate::ets::{Kind, Rows, Table};
use crate::heap::Fragment;
use crate::term::Term;

/// Copies of the rows an insertion adds: one tuple or a list of them, each long enough to have a key.
fn rows_of<'h>(cx: &mut Cx<'h>, table: &Table, rows: Term<'h>) -> Result<Vec<Fragment>, Stop<'h>> {
    let mut copies = Vec::new();
    let mut rest = rows;
    if !rows.is_list() {
        rest = cx.list(&[rows])?;
    }
    let mut items = rest.list();
    for row in items.by_ref() {
        match row.as_tuple() {
            Some(elements) if elements.len() >= table.key_position => {
                copies.push(cx.copy_for_table(row, table)?)
            }
            _ => return Err(Stop::badarg()),
        }
        cx.work(UNITS_PER_ROW)?;
    }
    if items.rest().is_nil() { Ok(copies) } else { Err(Stop::badarg()) }
}

/// Work (see `heap::work`) of putting a row into a table, or looking at it, besides its copy.
pub(super) const UNITS_PER_ROW: usize = 32;

/// Inserts copies of rows.
///
/// # Errors
/// `system_limit` if there is no room for them, as natives that fail; none is inserted then.
fn put<'h>(
    cx: &mut Cx<'h>,
    table: &Table,
    rows: &mut Rows,
    copies: Vec<Fragment>,
) -> Result<Vec<Fragment>, Stop<'h>> {
    cx.charge(copies.len());
    if !Table::has_room(rows, copies.len()) {
        return Err(Stop::system_limit());
    }
    table.pay(rows, &copies).map_err(|error| cx.fault_of_table(error, table))?;
    Ok(table.insert_all(rows, cx.atoms(), copies, &mut |units| cx.work(units))?)
}

/// `insert(Table, Row | [Row]) -> true`: all rows at once.
///
/// # Errors
/// `badarg` if it may not be written or a row is no tuple or too short.
pub fn insert<'h>(cx: &mut Cx<'h>, [name, rows]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = taken_to_write(cx, name)?;
    if rows.as_tuple().is_some() {
        let done = insert_one(cx, &table, rows);
        keep(cx, table);
        return done;
    }
    let copies = rows_of(cx, &table, rows)?;
    let mut rows = to_write(cx, &table)?;
    let replaced = put(cx, &table, &mut rows, copies)?;
    drop(rows);
    drop(replaced);
    Ok(Term::boolean(true))
}

fn insert_one<'h>(cx: &mut Cx<'h>, table: &Table, row: Term<'h>) -> BifResult<'h> {
    if row.as_tuple().is_none_or(|elements| elements.len() < table.key_position) {
        return Err(Stop::badarg());
    }
    let copy = cx.copy_for_table(row, table)?;
    cx.work(UNITS_PER_ROW)?;
    let mut rows = to_write(cx, table)?;
    if table.kind == Kind::Bag {
        let replaced = put(cx, table, &mut rows, vec![copy])?;
        drop(rows);
        drop(replaced);
        return Ok(Term::boolean(true));
    }
    cx.charge(1);
    if !Table::has_room(&rows, 1) {
        return Err(Stop::system_limit());
    }
    table.pay(&rows, std::slice::from_ref(&copy)).map_err(|error| cx.fault_of_table(error, table))?;
    let replaced = table.insert(&mut rows, cx.atoms(), copy);
    drop(rows);
    drop(replaced);
    Ok(Term::boolean(true))
}

/// `insert_new(Table, Row | [Row]) -> boolean()`: all rows, or none if one of their keys is there.
///
/// # Errors
/// As `insert/2`.
pub fn insert_new<'h>(cx: &mut Cx<'h>, [name, rows]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = writable(cx, name)?;
    let copies = rows_of(cx, &table, rows)?;
    let mut rows = to_write(cx, &table)?;
    if copies.iter().any(|row| table.contains(&rows, cx.atoms(), table.key_of(row))) {
        return Ok(Term::boolean(false));
    }
    let replaced = put(cx, &table, &mut rows, copies)?;
    drop(rows);
    drop(replaced);
    Ok(Term::boolean(true))
}

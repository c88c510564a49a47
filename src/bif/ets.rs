//! Natives of module `ets`: making tables, and operations on rows by key. Insertions are in [`ets_insert`](super::ets_insert),
//! changes inside rows in [`ets_update`](super::ets_update), searches by pattern in [`ets_select`](super::ets_select).

use std::sync::Arc;

use super::ets_lock::{to_read, to_write};
use crate::atom::{Atom, known};
use crate::bif::{BifResult, Cx, Stop};
use crate::ets::{Access, Heir, Kind, NoStep, Options, Rows, Table, TableId};
use crate::heap::Fragment;
use crate::process::{Process, Signal, SignalKind};
use crate::runtime::pool::JobKind;
use crate::runtime::{Runtime, WorkerCx, compose};
use crate::term::{Pid, Term, View};

/// The table an argument names, for any use.
///
/// # Errors
/// `badarg` if there is none.
pub(super) fn table<'h>(cx: &Cx<'h>, term: Term<'h>) -> Result<Arc<Table>, Stop<'h>> {
    let found = match term.view() {
        View::Atom(name) => cx.rt.tables.named(name),
        _ => {
            let reference = term.as_ref().ok_or_else(|| fault(known::TYPE))?;
            cx.rt.tables.get(TableId(reference.unique()))
        }
    };
    found.ok_or_else(|| fault(known::ID))
}

/// `badarg`, and which of a table's arguments is at fault how.
#[cold]
pub(super) fn fault<'h>(cause: Atom) -> Stop<'h> {
    Stop::badarg_because(cause)
}

/// The table an argument names, taken from the worker if it is the one used last. Who has used it gives it to [`keep`].
fn taken<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> Result<Arc<Table>, Stop<'h>> {
    let (_, worker, _) = cx.parts();
    let is_it = |table: &Arc<Table>| {
        !table.is_deleted()
            && match term.as_atom() {
                Some(name) => table.is_named() && table.name() == name,
                None => term.as_ref().is_some_and(|reference| reference.unique() == table.id().0),
            }
    };
    if worker.last_table.as_ref().is_some_and(is_it)
        && let Some(table) = worker.last_table.take()
    {
        return Ok(table);
    }
    table(cx, term)
}

/// Leaves the table with the worker, for the next use.
pub(super) fn keep(cx: &mut Cx<'_>, table: Arc<Table>) {
    let (_, worker, _) = cx.parts();
    worker.last_table = Some(table);
}

/// As [`readable`], by [`taken`].
fn taken_to_read<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> Result<Arc<Table>, Stop<'h>> {
    let table = taken(cx, term)?;
    if table.readable_by(cx.self_pid()) { Ok(table) } else { Err(fault(known::ACCESS)) }
}

/// As [`writable`], by [`taken`].
pub(super) fn taken_to_write<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> Result<Arc<Table>, Stop<'h>> {
    let table = taken(cx, term)?;
    if table.writable_by(cx.self_pid()) { Ok(table) } else { Err(fault(known::ACCESS)) }
}

/// The table an argument names, if the caller may read it.
pub(super) fn readable<'h>(cx: &Cx<'h>, term: Term<'h>) -> Result<Arc<Table>, Stop<'h>> {
    table(cx, term).and_then(|table| {
        if table.readable_by(cx.self_pid()) { Ok(table) } else { Err(fault(known::ACCESS)) }
    })
}

/// The table an argument names, if the caller may write to it.
pub(super) fn writable<'h>(cx: &Cx<'h>, term: Term<'h>) -> Result<Arc<Table>, Stop<'h>> {
    table(cx, term).and_then(|table| {
        if table.writable_by(cx.self_pid()) { Ok(table) } else { Err(fault(known::ACCESS)) }
    })
}

/// A table as a term: its name if it is named, else a reference.
pub(super) fn table_term<'h>(cx: &mut Cx<'h>, table: &Table) -> BifResult<'h> {
    if table.is_named() { Ok(Term::atom(table.name())) } else { Ok(cx.reference(table.id().0, None)?) }
}

/// `new(Name, Options) -> tid() | atom()`.
///
/// # Errors
/// `badarg` for wrong options or a name in use.
pub fn new<'h>(cx: &mut Cx<'h>, [name, options]: [Term<'h>; 2]) -> BifResult<'h> {
    let name = name.as_atom().ok_or_else(Stop::badarg)?;
    let mut chosen = Options {
        name,
        named: false,
        kind: Kind::Set,
        access: Access::Protected,
        key_position: 1,
        compressed: false,
        write_concurrency: false,
        read_concurrency: false,
        heir: None,
    };
    let mut items = options.list();
    for item in items.by_ref() {
        option(cx, item, &mut chosen)?;
    }
    if !items.rest().is_nil() {
        return Err(Stop::badarg());
    }
    let id = TableId(cx.worker.make_unique());
    let table = Table::new(id, cx.self_pid(), chosen, Arc::clone(cx.process().account())).paid()?;
    let table = cx.rt.tables.insert(table).map_err(|_| fault(known::ALREADY_EXISTS))?;
    table_term(cx, &table)
}

fn option<'h>(cx: &mut Cx<'h>, item: Term<'h>, chosen: &mut Options) -> Result<(), Stop<'h>> {
    match item.view() {
        View::Atom(known::SET) => chosen.kind = Kind::Set,
        View::Atom(known::ORDERED_SET) => chosen.kind = Kind::OrderedSet,
        View::Atom(known::BAG) => chosen.kind = Kind::Bag,
        View::Atom(known::DUPLICATE_BAG) => chosen.kind = Kind::DuplicateBag,
        View::Atom(known::NAMED_TABLE) => chosen.named = true,
        View::Atom(known::COMPRESSED) => chosen.compressed = true,
        View::Atom(atom) => chosen.access = access(atom).ok_or_else(Stop::badarg)?,
        View::Tuple(&[key, value]) => match key.as_atom() {
            Some(known::KEYPOS) => {
                let position = value.as_small().and_then(|position| usize::try_from(position).ok());
                chosen.key_position = position.filter(|position| *position > 0).ok_or_else(Stop::badarg)?;
            }
            Some(known::WRITE_CONCURRENCY) => {
                chosen.write_concurrency =
                    value.is_atom(known::AUTO) || value.as_boolean().ok_or_else(Stop::badarg)?;
            }
            Some(known::READ_CONCURRENCY) => {
                chosen.read_concurrency = value.as_boolean().ok_or_else(Stop::badarg)?;
            }
            // A hint to OTP's own layout of counters; all choices mean the same here.
            Some(known::DECENTRALIZED_COUNTERS) if value.as_boolean().is_some() => {}
            Some(known::HEIR) if value.is_atom(known::NONE) => chosen.heir = None,
            _ => return Err(Stop::badarg()),
        },
        View::Tuple(&[key, pid, data]) if key.is_atom(known::HEIR) => {
            chosen.heir = Some(heir(cx, pid, data)?)
        }
        _ => return Err(Stop::badarg()),
    }
    Ok(())
}

fn access(atom: Atom) -> Option<Access> {
    match atom {
        known::PUBLIC => Some(Access::Public),
        known::PROTECTED => Some(Access::Protected),
        known::PRIVATE => Some(Access::Private),
        _ => None,
    }
}

fn heir<'h>(cx: &mut Cx<'h>, pid: Term<'h>, data: Term<'h>) -> Result<Heir, Stop<'h>> {
    let pid = pid.as_pid().ok_or_else(Stop::badarg)?;
    let data = cx.copy_out(data)?;
    Ok(Heir { pid, data })
}

/// `setopts(Table, Opts) -> true`: another heir, another protection.
///
/// # Errors
/// `badarg` if the caller is not the owner or an option is wrong.
pub fn setopts<'h>(cx: &mut Cx<'h>, [name, options]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = table(cx, name)?;
    if table.owner() != cx.self_pid() {
        return Err(Stop::badarg());
    }
    let list = if options.is_list() { options } else { cx.list(&[options])? };
    for item in list.list() {
        match item.view() {
            View::Tuple(&[key, pid, data]) if key.is_atom(known::HEIR) => {
                table.set_heir(Some(heir(cx, pid, data)?))
            }
            View::Tuple(&[key, none]) if key.is_atom(known::HEIR) && none.is_atom(known::NONE) => {
                table.set_heir(None)
            }
            View::Tuple(&[key, value]) if key.is_atom(known::PROTECTION) => {
                table.set_access(value.as_atom().and_then(access).ok_or_else(Stop::badarg)?);
            }
            _ => return Err(Stop::badarg()),
        }
    }
    Ok(Term::boolean(true))
}

/// `rename(Table, Name) -> Name | tid()`.
///
/// # Errors
/// `badarg` if it may not be written or the name is in use.
pub fn rename<'h>(cx: &mut Cx<'h>, [name, new]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = writable(cx, name)?;
    let new = new.as_atom().ok_or_else(Stop::badarg)?;
    cx.rt.tables.rename(&table, new).map_err(|_| Stop::badarg())?;
    Ok(if table.is_named() { Term::atom(new) } else { name })
}

/// `delete(Table) -> true`.
///
/// # Errors
/// `badarg` if it may not be written.
pub fn delete_table<'h>(cx: &mut Cx<'h>, [name]: [Term<'h>; 1]) -> BifResult<'h> {
    let table = writable(cx, name)?;
    let rows = to_write(cx, &table)?;
    cx.work(rows.len().saturating_mul(UNITS_PER_ROW_FREED))?;
    cx.rt.tables.remove(&table);
    table.delete();
    drop(rows);
    table.free_rows();
    Ok(Term::boolean(true))
}

/// Work (see `heap::work`) of freeing a row.
const UNITS_PER_ROW_FREED: usize = 8;

/// `give_away(Table, Pid, Data) -> true`: the new owner gets `{'ETS-TRANSFER', Table, Self, Data}`.
///
/// # Errors
/// `badarg` if the caller is not the owner, or the other is not alive or the owner already.
pub fn give_away<'h>(cx: &mut Cx<'h>, [name, pid, data]: [Term<'h>; 3]) -> BifResult<'h> {
    let table = table(cx, name)?;
    let heir = pid.as_pid().ok_or_else(Stop::badarg)?;
    let owner = cx.self_pid();
    if table.owner() != owner || heir == owner || !cx.rt.slots.is_alive(heir) {
        return Err(Stop::badarg());
    }
    let data = cx.copy_out(data)?;
    let (rt, worker, _) = cx.parts();
    transfer(rt, worker, &table, owner, Heir { pid: heir, data });
    Ok(Term::boolean(true))
}

/// Hands a table over, and tells the new owner. If that one dies meanwhile, its exit finds the table.
fn transfer(rt: &Runtime, worker: &mut WorkerCx, table: &Table, from: Pid, heir: Heir) {
    if !rt.tables.give(table, heir.pid) {
        return;
    }
    let message = compose::fragment(rt, &rt.account, |heap| {
        let name =
            if table.is_named() { Term::atom(table.name()) } else { heap.reference(table.id().0, None)? };
        let data = heap.copy_in(heir.data.term())?;
        heap.tuple(&[Term::atom(known::ETS_TRANSFER), name, Term::pid(from), data])
    });
    if let Ok(message) = message {
        rt.deliver(worker, Signal::new(SignalKind::Message, heir.pid, message));
    }
    if !rt.slots.is_alive(heir.pid) {
        for table in release(rt, worker, heir.pid) {
            rt.pool.submit(JobKind::Bulk, Box::new(move || table.free_rows()));
        }
    }
}

/// What becomes of the tables of a process that ends: its heirs get them, or they are deleted. Called before its death, and
/// once more after it for tables it was given meanwhile.
pub fn release_tables(rt: &Runtime, worker: &mut WorkerCx, process: &mut Process) {
    for table in release(rt, worker, process.pid) {
        match table.try_len() {
            Some(0..=ROWS_FREED_AT_ONCE) => table.free_rows(),
            Some(_) => process.cold().remains.push(move || table.free_some(ROWS_FREED_AT_ONCE)),
            // A worker does not wait for whoever has them.
            None => rt.pool.submit(JobKind::Bulk, Box::new(move || table.free_rows())),
        }
    }
    for table in rt.tables.fixed_by(process.pid) {
        let_go(rt, table, process.pid);
    }
}

/// Gives the tables of a process to their heirs, and deletes the others, which are left to be freed.
fn release(rt: &Runtime, worker: &mut WorkerCx, owner: Pid) -> Vec<Arc<Table>> {
    let mut deleted = Vec::new();
    for table in rt.tables.owned_by(owner) {
        match table.take_heir().filter(|heir| heir.pid != owner && rt.slots.is_alive(heir.pid)) {
            Some(heir) => transfer(rt, worker, &table, owner, heir),
            None => {
                rt.tables.remove(&table);
                table.delete();
                deleted.push(table);
            }
        }
    }
    deleted
}

/// Ends all that a process that ends has fixed a table for; on the pool if somebody has the rows.
fn let_go(rt: &Runtime, table: Arc<Table>, owner: Pid) {
    if let Ok(rows) = table.try_write() {
        let swept = rows.map(|mut rows| rt.tables.unfix(&table, &mut rows, owner, true));
        return drop(swept);
    }
    let machine = rt.weak();
    rt.pool.submit(
        JobKind::Bulk,
        Box::new(move || {
            let hold = table.hold_long();
            if let (Some(rt), Some(mut rows)) = (machine.upgrade(), table.write()) {
                let swept = rt.tables.unfix(&table, &mut rows, owner, true);
                drop(rows);
                drop(swept);
            }
            drop(hold);
        }),
    );
}

/// Rows of a deleted table that a worker frees in one go: some hundred microseconds.
const ROWS_FREED_AT_ONCE: usize = 2_000;

/// `whereis(Name) -> tid() | undefined`.
///
/// # Errors
/// `badarg` if it is no atom.
pub fn whereis<'h>(cx: &mut Cx<'h>, [name]: [Term<'h>; 1]) -> BifResult<'h> {
    let name = name.as_atom().ok_or_else(Stop::badarg)?;
    match cx.rt.tables.named(name) {
        Some(table) => Ok(cx.reference(table.id().0, None)?),
        None => Ok(Term::atom(known::UNDEFINED)),
    }
}

/// `all() -> [tid() | atom()]`.
pub fn all<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let mut terms = Vec::new();
    for table in cx.rt.tables.all() {
        terms.push(table_term(cx, &table)?);
    }
    Ok(cx.list(&terms)?)
}

/// The rows of a key, copied to the caller's heap.
fn copied_rows<'h>(
    cx: &mut Cx<'h>,
    table: &Table,
    rows: &Rows,
    key: Term<'h>,
) -> Result<Vec<Term<'h>>, Stop<'h>> {
    cx.weigh(key)?;
    let found = table.lookup(rows, cx.atoms(), key, &mut |units| cx.work(units))?;
    let mut copies = Vec::with_capacity(found.len());
    for (_, row) in found {
        copies.push(cx.copy_in(row.term())?);
    }
    cx.charge(copies.len());
    Ok(copies)
}

/// `lookup(Table, Key) -> [Row]`.
///
/// # Errors
/// `badarg` if it may not be read.
pub fn lookup<'h>(cx: &mut Cx<'h>, [name, key]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = taken_to_read(cx, name)?;
    let found = found_rows(cx, &table, key);
    keep(cx, table);
    found
}

fn found_rows<'h>(cx: &mut Cx<'h>, table: &Table, key: Term<'h>) -> BifResult<'h> {
    let rows = to_read(cx, table)?;
    if matches!(table.kind, Kind::Set | Kind::OrderedSet) {
        cx.weigh(key)?;
        let Some(row) = table.lookup_one(&rows, cx.atoms(), key) else { return Ok(Term::NIL) };
        let copy = cx.copy_in(row.term())?;
        cx.charge(1);
        return Ok(cx.list(&[copy])?);
    }
    let found = copied_rows(cx, table, &rows, key)?;
    drop(rows);
    Ok(cx.list(&found)?)
}

/// `lookup_element(Table, Key, Position) -> term() | [term()]`.
///
/// # Errors
/// `badarg` if it may not be read, there is no such key, or a row is too short.
pub fn lookup_element<'h>(cx: &mut Cx<'h>, [name, key, position]: [Term<'h>; 3]) -> BifResult<'h> {
    element_of(cx, name, key, position, None)
}

/// `lookup_element(Table, Key, Position, Default) -> term() | [term()]`.
///
/// # Errors
/// `badarg` if it may not be read or a row is too short.
pub fn lookup_element_or<'h>(
    cx: &mut Cx<'h>,
    [name, key, position, default]: [Term<'h>; 4],
) -> BifResult<'h> {
    element_of(cx, name, key, position, Some(default))
}

fn element_of<'h>(
    cx: &mut Cx<'h>,
    name: Term<'h>,
    key: Term<'h>,
    position: Term<'h>,
    default: Option<Term<'h>>,
) -> BifResult<'h> {
    let table = readable(cx, name)?;
    cx.weigh(key)?;
    let position = position.as_small().filter(|position| *position > 0).ok_or_else(Stop::badarg)? as usize;
    let rows = to_read(cx, &table)?;
    let mut elements = Vec::new();
    for (_, row) in table.lookup(&rows, cx.atoms(), key, &mut |units| cx.work(units))? {
        let element = row.term().as_tuple().and_then(|row| row.get(position - 1)).copied();
        elements.push(cx.copy_in(element.ok_or_else(Stop::badarg)?)?);
    }
    drop(rows);
    match (table.kind, elements.first()) {
        (_, None) => default.ok_or_else(|| fault(known::BADKEY)),
        (Kind::Set | Kind::OrderedSet, Some(element)) => Ok(*element),
        (Kind::Bag | Kind::DuplicateBag, Some(_)) => Ok(cx.list(&elements)?),
    }
}

/// `member(Table, Key) -> boolean()`.
///
/// # Errors
/// `badarg` if it may not be read.
pub fn member<'h>(cx: &mut Cx<'h>, [name, key]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = readable(cx, name)?;
    cx.weigh(key)?;
    let rows = to_read(cx, &table)?;
    Ok(Term::boolean(table.contains(&rows, cx.atoms(), key)))
}

/// `delete(Table, Key) -> true`.
///
/// # Errors
/// `badarg` if it may not be written.
pub fn delete<'h>(cx: &mut Cx<'h>, [name, key]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = writable(cx, name)?;
    cx.weigh(key)?;
    let mut rows = to_write(cx, &table)?;
    let removed = table.remove(&mut rows, cx.atoms(), key, &mut |units| cx.work(units))?;
    drop(rows);
    drop(removed);
    Ok(Term::boolean(true))
}

/// `delete_object(Table, Row) -> true`.
///
/// # Errors
/// `badarg` if it may not be written or the row is too short.
pub fn delete_object<'h>(cx: &mut Cx<'h>, [name, row]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = writable(cx, name)?;
    let weight = cx.weigh(row)?;
    let key =
        row.as_tuple().and_then(|row| row.get(table.key_position - 1)).copied().ok_or_else(Stop::badarg)?;
    let mut rows = to_write(cx, &table)?;
    let atoms = cx.atoms();
    let removed = table.remove_equal(&mut rows, atoms, (key, row), weight, &mut |units| cx.work(units))?;
    drop(rows);
    drop(removed);
    Ok(Term::boolean(true))
}

/// `delete_all_objects(Table) -> true`.
///
/// # Errors
/// `badarg` if it may not be written.
pub fn delete_all_objects<'h>(cx: &mut Cx<'h>, [name]: [Term<'h>; 1]) -> BifResult<'h> {
    let table = writable(cx, name)?;
    let mut rows = to_write(cx, &table)?;
    cx.work(rows.len().saturating_mul(UNITS_PER_ROW_FREED))?;
    let cleared = table.clear(&mut rows);
    drop(rows);
    drop(cleared);
    Ok(Term::boolean(true))
}

/// `take(Table, Key) -> [Row]`: looks up and deletes.
///
/// # Errors
/// `badarg` if it may not be written.
pub fn take<'h>(cx: &mut Cx<'h>, [name, key]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = writable(cx, name)?;
    let mut rows = to_write(cx, &table)?;
    let taken = copied_rows(cx, &table, &rows, key)?;
    let removed = table.remove(&mut rows, cx.atoms(), key, &mut |units| cx.work(units))?;
    drop(rows);
    drop(removed);
    Ok(cx.list(&taken)?)
}

/// Why there is no step of a traversal.
pub(super) fn no_step<'h>(why: NoStep) -> Stop<'h> {
    match why {
        NoStep::NoKey => Stop::badarg(),
        NoStep::Work(error) => error.into(),
    }
}

/// A step of a traversal, as a term.
fn key_or_end<'h>(cx: &mut Cx<'h>, table: &Table, row: Option<&Fragment>) -> BifResult<'h> {
    match row {
        Some(row) => Ok(cx.copy_in(table.key_of(row))?),
        None => Ok(Term::atom(known::END_OF_TABLE)),
    }
}

/// `first(Table) -> Key | '$end_of_table'`.
///
/// # Errors
/// `badarg` if it may not be read.
pub fn first<'h>(cx: &mut Cx<'h>, [name]: [Term<'h>; 1]) -> BifResult<'h> {
    let table = readable(cx, name)?;
    let rows = to_read(cx, &table)?;
    let row = table.first(&rows, &mut |units| cx.work(units))?;
    key_or_end(cx, &table, row)
}

/// `last(Table) -> Key | '$end_of_table'`.
///
/// # Errors
/// `badarg` if it may not be read.
pub fn last<'h>(cx: &mut Cx<'h>, [name]: [Term<'h>; 1]) -> BifResult<'h> {
    let table = readable(cx, name)?;
    let rows = to_read(cx, &table)?;
    let row = table.last(&rows, &mut |units| cx.work(units))?;
    key_or_end(cx, &table, row)
}

/// `next(Table, Key) -> Key | '$end_of_table'`.
///
/// # Errors
/// `badarg` if it may not be read, or it is hashed and has no such key.
pub fn next<'h>(cx: &mut Cx<'h>, [name, key]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = readable(cx, name)?;
    cx.weigh(key)?;
    if key.is_atom(known::END_OF_TABLE) {
        return Err(Stop::badarg());
    }
    let rows = to_read(cx, &table)?;
    let row = table.next(&rows, cx.atoms(), key, &mut |units| cx.work(units)).map_err(no_step)?;
    key_or_end(cx, &table, row)
}

/// `prev(Table, Key) -> Key | '$end_of_table'`.
///
/// # Errors
/// As `next/2`.
pub fn prev<'h>(cx: &mut Cx<'h>, [name, key]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = readable(cx, name)?;
    cx.weigh(key)?;
    if key.is_atom(known::END_OF_TABLE) {
        return Err(Stop::badarg());
    }
    let rows = to_read(cx, &table)?;
    let row = table.previous(&rows, cx.atoms(), key, &mut |units| cx.work(units)).map_err(no_step)?;
    key_or_end(cx, &table, row)
}

/// `safe_fixtable(Table, boolean()) -> true`.
///
/// # Errors
/// `badarg` if it may not be read.
pub fn safe_fixtable<'h>(cx: &mut Cx<'h>, [name, fix]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = readable(cx, name)?;
    if fix.as_boolean().ok_or_else(Stop::badarg)? {
        let now = cx.rt.clock.now();
        cx.rt.tables.fix(&table, cx.self_pid(), now);
        return Ok(Term::boolean(true));
    }
    let mut rows = to_write(cx, &table)?;
    let swept = cx.rt.tables.unfix(&table, &mut rows, cx.self_pid(), false);
    drop(rows);
    drop(swept);
    Ok(Term::boolean(true))
}

//! Natives of module `ets` that search by pattern or match specification.
//!
//! A search whose pattern has a constant key looks that key up; in an ordered table one whose key is open begins where the first
//! that may fit stands, and ends behind the last; any other walks the table. The parts with a limit give a
//! continuation `{Table, Spec, Limit, After}`, where `After` is the key to go on behind.

use super::ets::{no_step, readable, writable};
use super::ets_insert::UNITS_PER_ROW;
use super::ets_lock::{to_read, to_write};
use crate::atom::{Atom, known};
use crate::bif::table::{Purity, ROWS};
use crate::bif::{BifResult, Cx, Stop, StopKind};
use crate::ets::{Bindings, Evaluation, Kind, Rows, Spec, Table, is_constant_key, is_pattern};
use crate::heap::{AllocError, Fragment, HeapRef};
use crate::term::{Term, View};

/// Evaluates expressions of match specifications in the caller's context.
struct Caller<'c, 'h>(&'c mut Cx<'h>);

impl<'h> Caller<'_, 'h> {
    fn row(&self, function: Atom, arity: usize) -> Option<&'static crate::bif::table::Row> {
        let name = self.0.atoms().text(function);
        let key = ("erlang", name, u8::try_from(arity).ok()?);
        let at = ROWS.binary_search_by(|row| (row.module, row.function, row.arity).cmp(&key)).ok()?;
        let callable = ROWS[at].class == Purity::Guard || matches!(name, "self" | "node");
        callable.then_some(&ROWS[at])
    }
}

impl<'h> Evaluation<'h> for Caller<'_, 'h> {
    fn heap(&mut self) -> &mut HeapRef<'h> {
        self.0
    }

    fn knows(&self, function: Atom, arity: usize) -> bool {
        self.row(function, arity).is_some()
    }

    fn call(&mut self, function: Atom, arguments: &[Term<'h>]) -> Result<Option<Term<'h>>, AllocError> {
        let Some(row) = self.row(function, arguments.len()) else { return Ok(None) };
        match (row.call)(self.0, arguments) {
            Ok(value) => Ok(Some(value)),
            Err(stop) => match stop.into_kind() {
                StopKind::NoMemory(error) => Err(error),
                _ => Ok(None),
            },
        }
    }

    fn copy(&mut self, term: Term<'_>) -> Result<Term<'h>, AllocError> {
        self.0.copy_in(term)
    }
}

/// The rows a search has to look at: those of a constant key in the pattern, or all.
fn candidates<'r, 'h>(
    cx: &mut Cx<'h>,
    table: &Table,
    rows: &'r Rows,
    pattern: Term<'h>,
) -> Result<Candidates<'r>, AllocError> {
    let atoms = cx.atoms();
    match key_of_pattern(table, pattern) {
        Some(key) if is_constant_key(atoms, key) => {
            table.lookup(rows, atoms, key, &mut |units| cx.work(units))
        }
        Some(key) => table.all_of_open(rows, atoms, key, &mut |units| cx.work(units)),
        None => table.all(rows, &mut |units| cx.work(units)),
    }
}

fn key_of_pattern<'h>(table: &Table, pattern: Term<'h>) -> Option<Term<'h>> {
    pattern.as_tuple().and_then(|pattern| pattern.get(table.key_position - 1)).copied()
}

/// Refuses what no pattern can be.
fn check_pattern<'h>(cx: &Cx<'h>, pattern: Term<'h>) -> Result<(), Stop<'h>> {
    if is_pattern(cx.atoms(), pattern) { Ok(()) } else { Err(Stop::badarg()) }
}

/// Rows that a search looks at; with their indices in a hashed table.
type Candidates<'r> = Vec<(Option<u32>, &'r Fragment)>;

/// Rows to be deleted once all are found: by index in a hashed table, by key in an ordered one.
#[derive(Default)]
struct Doomed<'h> {
    indices: Vec<u32>,
    keys: Vec<Term<'h>>,
}

impl<'h> Doomed<'h> {
    fn add(
        &mut self,
        cx: &mut Cx<'h>,
        table: &Table,
        index: Option<u32>,
        row: &Fragment,
    ) -> Result<(), AllocError> {
        match index {
            Some(index) => self.indices.push(index),
            None => self.keys.push(cx.copy_in(table.key_of(row))?),
        }
        Ok(())
    }

    /// Deletes them; how many, and what is to be dropped.
    fn delete(self, cx: &Cx<'h>, table: &Table, rows: &mut Rows) -> (usize, Vec<Fragment>) {
        let before = rows.len();
        let mut removed = table.remove_at(rows, &self.indices);
        for key in self.keys {
            removed.extend(table.remove_ordered(rows, cx.atoms(), key, |_| true));
        }
        (before - rows.len(), removed)
    }
}

/// Charges for rows looked at.
fn charge(cx: &mut Cx<'_>, rows: usize) {
    cx.charge(1 + rows);
}

/// `match(Table, Pattern) -> [[term()]]`.
///
/// # Errors
/// `badarg` if it may not be read.
pub fn match_rows<'h>(cx: &mut Cx<'h>, [name, pattern]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = readable(cx, name)?;
    check_pattern(cx, pattern)?;
    let rows = to_read(cx, &table)?;
    let candidates = candidates(cx, &table, &rows, pattern)?;
    charge(cx, candidates.len());
    let mut found = Vec::new();
    for (_, row) in candidates {
        cx.work(UNITS_PER_ROW)?;
        let mut bindings = Bindings::new();
        if bindings.match_value(cx.atoms(), pattern, row.term()) {
            let mut values = Vec::new();
            for value in bindings.in_order() {
                values.push(cx.copy_in(value)?);
            }
            found.push(cx.list(&values)?);
        }
    }
    drop(rows);
    Ok(cx.list(&found)?)
}

/// `match_object(Table, Pattern) -> [Row]`.
///
/// # Errors
/// `badarg` if it may not be read.
pub fn match_object<'h>(cx: &mut Cx<'h>, [name, pattern]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = readable(cx, name)?;
    check_pattern(cx, pattern)?;
    let rows = to_read(cx, &table)?;
    let candidates = candidates(cx, &table, &rows, pattern)?;
    charge(cx, candidates.len());
    let mut found = Vec::new();
    for (_, row) in candidates {
        cx.work(UNITS_PER_ROW)?;
        if Bindings::new().match_value(cx.atoms(), pattern, row.term()) {
            found.push(cx.copy_in(row.term())?);
        }
    }
    drop(rows);
    Ok(cx.list(&found)?)
}

/// `tab2list(Table) -> [Row]`.
///
/// # Errors
/// `badarg` if it may not be read.
pub fn tab2list<'h>(cx: &mut Cx<'h>, [name]: [Term<'h>; 1]) -> BifResult<'h> {
    let any = cx.atoms().intern("_").map_err(|_| Stop::system_limit())?;
    match_object(cx, [name, Term::atom(any)])
}

/// `match_delete(Table, Pattern) -> true`.
///
/// # Errors
/// `badarg` if it may not be written.
pub fn match_delete<'h>(cx: &mut Cx<'h>, [name, pattern]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = writable(cx, name)?;
    check_pattern(cx, pattern)?;
    let mut rows = to_write(cx, &table)?;
    let candidates = candidates(cx, &table, &rows, pattern)?;
    charge(cx, candidates.len());
    let mut doomed = Doomed::default();
    for (index, row) in candidates {
        cx.work(UNITS_PER_ROW)?;
        if Bindings::new().match_value(cx.atoms(), pattern, row.term()) {
            doomed.add(cx, &table, index, row)?;
        }
    }
    let (_, removed) = doomed.delete(cx, &table, &mut rows);
    drop(rows);
    drop(removed);
    Ok(Term::boolean(true))
}

fn spec<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> Result<Spec<'h>, Stop<'h>> {
    Spec::new(term, &mut Caller(cx)).map_err(|_| Stop::badarg())
}

/// The rows that a specification has to look at.
fn spec_candidates<'r, 'h>(
    cx: &mut Cx<'h>,
    table: &Table,
    rows: &'r Rows,
    spec: &Spec<'h>,
) -> Result<Candidates<'r>, AllocError> {
    let mut heads = spec.heads();
    match (heads.next(), heads.next()) {
        (Some(head), None) => candidates(cx, table, rows, head),
        _ => table.all(rows, &mut |units| cx.work(units)),
    }
}

/// `select(Table, Spec) -> [term()]`.
///
/// # Errors
/// `badarg` if it may not be read or that is no specification.
pub fn select<'h>(cx: &mut Cx<'h>, [name, term]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = readable(cx, name)?;
    let spec = spec(cx, term)?;
    let rows = to_read(cx, &table)?;
    let candidates = spec_candidates(cx, &table, &rows, &spec)?;
    charge(cx, candidates.len());
    let mut found = Vec::new();
    for (_, row) in candidates {
        cx.work(UNITS_PER_ROW)?;
        found.extend(spec.run(row.term(), &mut Caller(cx))?);
    }
    drop(rows);
    Ok(cx.list(&found)?)
}

/// `erlet_ets:run(Spec, [term()]) -> [term()]`: what a specification makes of terms that are in no table.
///
/// # Errors
/// `badarg` if that is no specification, or no proper list.
pub fn run<'h>(cx: &mut Cx<'h>, [term, objects]: [Term<'h>; 2]) -> BifResult<'h> {
    let spec = spec(cx, term)?;
    let mut found = Vec::new();
    let mut objects = objects.list();
    let mut count = 0;
    for object in objects.by_ref() {
        cx.work(UNITS_PER_ROW)?;
        found.extend(spec.run(object, &mut Caller(cx))?);
        count += 1;
    }
    if !objects.rest().is_nil() {
        return Err(Stop::badarg());
    }
    charge(cx, count);
    Ok(cx.list(&found)?)
}

/// `select_count(Table, Spec) -> non_neg_integer()`: rows for which the specification gives `true`.
///
/// # Errors
/// As `select/2`.
pub fn select_count<'h>(cx: &mut Cx<'h>, [name, term]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = readable(cx, name)?;
    let spec = spec(cx, term)?;
    let rows = to_read(cx, &table)?;
    let candidates = spec_candidates(cx, &table, &rows, &spec)?;
    charge(cx, candidates.len());
    let mut count = 0;
    for (_, row) in candidates {
        cx.work(UNITS_PER_ROW)?;
        let value = spec.run(row.term(), &mut Caller(cx))?;
        count += i64::from(value.is_some_and(|value| value.is_atom(known::TRUE)));
    }
    drop(rows);
    Ok(cx.int(count)?)
}

/// `select_delete(Table, Spec) -> non_neg_integer()`: deletes the rows for which the specification gives `true`.
///
/// # Errors
/// `badarg` if it may not be written or that is no specification.
pub fn select_delete<'h>(cx: &mut Cx<'h>, [name, term]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = writable(cx, name)?;
    let spec = spec(cx, term)?;
    let mut rows = to_write(cx, &table)?;
    let candidates = spec_candidates(cx, &table, &rows, &spec)?;
    charge(cx, candidates.len());
    let mut doomed = Doomed::default();
    for (index, row) in candidates {
        cx.work(UNITS_PER_ROW)?;
        if spec.run(row.term(), &mut Caller(cx))?.is_some_and(|value| value.is_atom(known::TRUE)) {
            doomed.add(cx, &table, index, row)?;
        }
    }
    let (count, removed) = doomed.delete(cx, &table, &mut rows);
    drop(rows);
    drop(removed);
    Ok(cx.int(count as i64)?)
}

/// `select_replace(Table, Spec) -> non_neg_integer()`: puts what the specification gives, a row of the same key, in the place of
/// each row it fits.
///
/// # Errors
/// `badarg` if it may not be written, is a bag, that is no specification, or one whose replacements may have another key.
pub fn select_replace<'h>(cx: &mut Cx<'h>, [name, term]: [Term<'h>; 2]) -> BifResult<'h> {
    let table = writable(cx, name)?;
    if table.kind == Kind::Bag {
        return Err(Stop::badarg());
    }
    let spec = spec(cx, term)?;
    if !spec.keeps_key(cx.atoms(), table.key_position) {
        return Err(Stop::badarg());
    }
    let mut rows = to_write(cx, &table)?;
    let candidates = spec_candidates(cx, &table, &rows, &spec)?;
    charge(cx, candidates.len());
    let mut replacements = Vec::new();
    for (index, row) in candidates {
        cx.work(UNITS_PER_ROW)?;
        if let Some(new) = spec.run(row.term(), &mut Caller(cx))? {
            let key = new.as_tuple().and_then(|new| new.get(table.key_position - 1)).copied();
            let same = |key| crate::term::compare::equal_exact(key, table.key_of(row));
            if !key.is_some_and(same) {
                return Err(Stop::badarg());
            }
            replacements.push((index, cx.copy_for_table(new, &table)?));
        }
    }
    let count = replacements.len();
    for (index, new) in replacements {
        match index {
            Some(index) => table.replace_at(&mut rows, index, new),
            None => drop(table.insert(&mut rows, cx.atoms(), new)),
        }
    }
    drop(rows);
    Ok(cx.int(count as i64)?)
}

/// `select(Table, Spec, Limit) -> {[term()], Continuation} | '$end_of_table'`.
///
/// # Errors
/// As `select/2`, and if the limit is no positive integer.
pub fn select_limited<'h>(cx: &mut Cx<'h>, [name, term, limit]: [Term<'h>; 3]) -> BifResult<'h> {
    chunk(cx, name, term, limit, None)
}

/// `select(Continuation) -> {[term()], Continuation} | '$end_of_table'`.
///
/// # Errors
/// `badarg` if that is no continuation, or a hashed table lost the key to go on from.
pub fn select_continued<'h>(cx: &mut Cx<'h>, [continuation]: [Term<'h>; 1]) -> BifResult<'h> {
    match continuation.view() {
        View::Atom(known::END_OF_TABLE) => Ok(continuation),
        View::Tuple(&[name, spec, limit, after]) => {
            let after = after.as_cons().ok_or_else(Stop::badarg)?.head();
            chunk(cx, name, spec, limit, Some(after))
        }
        _ => Err(Stop::badarg()),
    }
}

fn chunk<'h>(
    cx: &mut Cx<'h>,
    name: Term<'h>,
    term: Term<'h>,
    limit: Term<'h>,
    after: Option<Term<'h>>,
) -> BifResult<'h> {
    let table = readable(cx, name)?;
    let wanted = limit.as_small().filter(|limit| *limit > 0).ok_or_else(Stop::badarg)? as usize;
    let spec = spec(cx, term)?;
    let rows = to_read(cx, &table)?;
    let mut found = Vec::new();
    let last = match table.kind {
        Kind::Set | Kind::OrderedSet => walk(cx, &table, &rows, &spec, after, wanted, &mut found)?,
        Kind::Bag | Kind::DuplicateBag => walk_keys(cx, &table, &rows, &spec, after, wanted, &mut found)?,
    };
    drop(rows);
    cx.charge(found.len());
    if found.is_empty() && last.is_none() {
        return Ok(Term::atom(known::END_OF_TABLE));
    }
    let found = cx.list(&found)?;
    let continuation = match last {
        Some(key) => {
            let after = cx.cons(key, Term::NIL)?;
            // Not by its name, which another may have by then.
            let reference = cx.reference(table.id().0, None)?;
            cx.tuple(&[reference, term, limit, after])?
        }
        None => Term::atom(known::END_OF_TABLE),
    };
    Ok(cx.tuple(&[found, continuation])?)
}

/// What is found in a table that keeps one row a key; the key to go on behind, if there are more rows.
fn walk<'h>(
    cx: &mut Cx<'h>,
    table: &Table,
    rows: &Rows,
    spec: &Spec<'h>,
    after: Option<Term<'h>>,
    wanted: usize,
    found: &mut Vec<Term<'h>>,
) -> Result<Option<Term<'h>>, Stop<'h>> {
    let atoms = cx.atoms();
    let mut heads = spec.heads();
    // The key that all rows have which fit, if it can be told.
    let open = heads.next().and_then(|head| key_of_pattern(table, head)).filter(|_| heads.next().is_none());
    let mut cursor = table.walk_begins(rows, atoms, after, open).map_err(no_step)?;
    let mut last = None;
    while let Some((row, behind)) = cursor.step(rows, &mut |units| cx.work(units))? {
        if open.is_some_and(|open| table.is_behind_open(atoms, row, open)) {
            return Ok(None);
        }
        if found.len() >= wanted {
            return match last {
                Some(row) => Ok(Some(cx.copy_in(table.key_of(row))?)),
                None => Ok(None),
            };
        }
        cx.work(UNITS_PER_ROW)?;
        found.extend(spec.run(row.term(), &mut Caller(cx))?);
        last = Some(row);
        cursor = behind;
    }
    Ok(None)
}

/// The same in a bag, where all rows of a key are taken together: the continuation names the key only.
fn walk_keys<'h>(
    cx: &mut Cx<'h>,
    table: &Table,
    rows: &Rows,
    spec: &Spec<'h>,
    after: Option<Term<'h>>,
    wanted: usize,
    found: &mut Vec<Term<'h>>,
) -> Result<Option<Term<'h>>, Stop<'h>> {
    let atoms = cx.atoms();
    let mut next = match after {
        None => table.first(rows, &mut |units| cx.work(units))?,
        Some(key) => table.next(rows, atoms, key, &mut |units| cx.work(units)).map_err(no_step)?,
    };
    let mut last = None;
    while let Some(row) = next {
        if found.len() >= wanted {
            return Ok(last);
        }
        cx.work(UNITS_PER_ROW)?;
        let key = cx.copy_in(table.key_of(row))?;
        for (_, row) in table.lookup(rows, atoms, key, &mut |units| cx.work(units))? {
            found.extend(spec.run(row.term(), &mut Caller(cx))?);
        }
        last = Some(key);
        next = table.next(rows, atoms, key, &mut |units| cx.work(units)).map_err(no_step)?;
    }
    Ok(None)
}

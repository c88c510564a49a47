//! Natives of module `ets` that change elements of rows in place.

use super::ets::{fault, keep, taken_to_write, writable};
use super::ets_lock::to_write;
use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::ets::{Kind, Table, Update};
use crate::heap::Fragment;
use crate::term::{Term, View};

/// Work (see `heap::work`) of one change of an element.
const UNITS_PER_CHANGE: usize = 16;

/// `update_element(Table, Key, {Position, Value} | [{Position, Value}]) -> boolean()`.
///
/// # Errors
/// `badarg` if it may not be written, is a bag, or a position is out of range or the key's.
pub fn update_element<'h>(cx: &mut Cx<'h>, [name, key, changes]: [Term<'h>; 3]) -> BifResult<'h> {
    let table = writable(cx, name)?;
    if matches!(table.kind, Kind::Bag | Kind::DuplicateBag) {
        return Err(Stop::badarg());
    }
    let list = if changes.is_list() { changes } else { cx.list(&[changes])? };
    let mut wanted = Vec::new();
    let mut changes = list.list();
    for change in changes.by_ref() {
        cx.work(UNITS_PER_CHANGE)?;
        let Some(&[position, value]) = change.as_tuple() else { return Err(Stop::badarg()) };
        let position =
            position.as_small().filter(|position| *position > 0).ok_or_else(Stop::badarg)? as usize;
        if position == table.key_position {
            return Err(fault(known::KEYPOS));
        }
        wanted.push((position - 1, value));
    }
    if !changes.rest().is_nil() {
        return Err(Stop::badarg());
    }
    let mut rows = to_write(cx, &table)?;
    cx.weigh(key)?;
    let update = table.update(&mut rows, cx.atoms(), key, |row| {
        let mut elements = Vec::new();
        for element in row.term().as_tuple().unwrap_or_default() {
            elements.push(cx.copy_in(*element)?);
        }
        for (index, value) in &wanted {
            *elements.get_mut(*index).ok_or_else(|| fault(known::POSITION))? = *value;
        }
        let changed = cx.tuple(&elements)?;
        Ok::<_, Stop<'h>>(Some(cx.copy_for_table(changed, &table)?))
    })?;
    Ok(Term::boolean(matches!(update, Update::Done)))
}

/// One operation of `update_counter`.
struct CounterOp<'h> {
    index: usize,
    increment: Term<'h>,
    /// Threshold and what is set beyond it.
    wrap: Option<(Term<'h>, Term<'h>)>,
}

fn counter_op<'h>(table: &Table, term: Term<'h>, default_position: usize) -> Result<CounterOp<'h>, Stop<'h>> {
    let (position, increment, wrap) = match term.view() {
        View::Tuple(&[position, increment]) => (position.as_small(), increment, None),
        View::Tuple(&[position, increment, threshold, set]) => {
            (position.as_small(), increment, Some((threshold, set)))
        }
        _ => (Some(default_position as i64), term, None),
    };
    let position = position.filter(|position| *position > 0).ok_or_else(Stop::badarg)? as usize;
    let integers = wrap.is_none_or(|(threshold, set)| threshold.is_integer() && set.is_integer());
    if !increment.is_integer() || !integers {
        return Err(Stop::badarg());
    }
    if position == table.key_position {
        return Err(fault(known::KEYPOS));
    }
    Ok(CounterOp { index: position - 1, increment, wrap })
}

/// `update_counter(Table, Key, Increment | Op | [Op]) -> integer() | [integer()]`.
///
/// # Errors
/// `badarg` if it may not be written, is a bag, has no such key, or an element is no integer.
pub fn update_counter<'h>(cx: &mut Cx<'h>, [name, key, op]: [Term<'h>; 3]) -> BifResult<'h> {
    counter(cx, name, key, op, None)
}

/// `update_counter(Table, Key, Increment | Op | [Op], Default) -> integer() | [integer()]`.
///
/// # Errors
/// As `update_counter/3`, and if the default row is no tuple or too short.
pub fn update_counter_or<'h>(cx: &mut Cx<'h>, [name, key, op, default]: [Term<'h>; 4]) -> BifResult<'h> {
    counter(cx, name, key, op, Some(default))
}

fn counter<'h>(
    cx: &mut Cx<'h>,
    name: Term<'h>,
    key: Term<'h>,
    op: Term<'h>,
    default: Option<Term<'h>>,
) -> BifResult<'h> {
    let table = taken_to_write(cx, name)?;
    if matches!(table.kind, Kind::Bag | Kind::DuplicateBag) {
        return Err(Stop::badarg());
    }
    if let Some(increment) = op.as_small() {
        cx.weigh(key)?;
        let mut rows = to_write(cx, &table)?;
        // The element behind the key.
        let sum = table.add_small(&mut rows, cx.atoms(), key, table.key_position, increment);
        drop(rows);
        if let Some(sum) = sum.and_then(Term::immediate) {
            keep(cx, table);
            return Ok(sum);
        }
    }
    let many = op.is_list();
    let mut ops = Vec::new();
    if many {
        let mut list = op.list();
        for op in list.by_ref() {
            cx.work(UNITS_PER_CHANGE)?;
            ops.push(counter_op(&table, op, table.key_position + 1)?);
        }
        if !list.rest().is_nil() {
            return Err(Stop::badarg());
        }
    } else {
        ops.push(counter_op(&table, op, table.key_position + 1)?);
    }
    let mut rows = to_write(cx, &table)?;
    let mut results = Vec::new();
    cx.weigh(key)?;
    let update =
        table.update(&mut rows, cx.atoms(), key, |row| count(cx, &table, row, &ops, &mut results))?;
    if matches!(update, Update::NoRow) {
        let default = default.ok_or_else(|| fault(known::BADKEY))?;
        let mut elements = default.as_tuple().ok_or_else(Stop::badarg)?.to_vec();
        *elements.get_mut(table.key_position - 1).ok_or_else(Stop::badarg)? = key;
        let row = cx.tuple(&elements)?;
        let mut row = cx.copy_for_table(row, &table)?;
        if let Some(changed) = count(cx, &table, &mut row, &ops, &mut results)? {
            row = changed;
        }
        table.pay(&rows, std::slice::from_ref(&row)).map_err(|error| cx.fault_of_table(error, &table))?;
        table.insert(&mut rows, cx.atoms(), row);
    }
    drop(rows);
    match results[..] {
        [single] if !many => Ok(single),
        _ => Ok(cx.list(&results)?),
    }
}

/// Counts in a row: in place while everything is a small integer, else in a copy.
fn count<'h>(
    cx: &mut Cx<'h>,
    table: &Table,
    row: &mut Fragment,
    ops: &[CounterOp<'h>],
    results: &mut Vec<Term<'h>>,
) -> Result<Option<Fragment>, Stop<'h>> {
    let mut elements = Vec::new();
    for element in row.term().as_tuple().unwrap_or_default() {
        elements.push(Term::immediate(element.word()));
    }
    let mut changed = Vec::new();
    for op in ops {
        let old = match elements.get(op.index).ok_or_else(|| fault(known::POSITION))? {
            Some(immediate) => *immediate,
            None => {
                let element = row.term().as_tuple().and_then(|row| row.get(op.index)).copied();
                cx.copy_in(element.ok_or_else(Stop::badarg)?)?
            }
        };
        if !old.is_integer() {
            return Err(Stop::badarg());
        }
        let mut new = cx.add(old, op.increment)?;
        if let Some((threshold, set)) = op.wrap {
            let down =
                crate::term::compare::compare(cx.atoms(), op.increment, Term::small(0).unwrap_or(Term::NIL))
                    .is_lt();
            let order = crate::term::compare::compare(cx.atoms(), new, threshold);
            if if down { order.is_lt() } else { order.is_gt() } {
                new = set;
            }
        }
        results.push(new);
        elements[op.index] = Some(new);
        changed.push((op.index, new));
    }
    let all_immediate = changed.iter().all(|(_, new)| new.word().is_immediate());
    let fits = all_immediate
        && changed.iter().all(|(index, _)| {
            row.term().as_tuple().and_then(|row| row.get(*index)).is_some_and(|old| old.word().is_immediate())
        });
    if fits && changed.iter().all(|(index, new)| row.set_immediate(*index, new.word())) {
        return Ok(None);
    }
    let mut whole = Vec::new();
    for (index, element) in row.term().as_tuple().unwrap_or_default().iter().enumerate() {
        whole.push(match elements[index] {
            Some(element) => element,
            None => cx.copy_in(*element)?,
        });
    }
    let whole = cx.tuple(&whole)?;
    Ok(Some(cx.copy_for_table(whole, table)?))
}

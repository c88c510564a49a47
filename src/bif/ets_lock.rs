//! How natives of module `ets` get at the rows of a table.
//!
//! A worker never waits long for them: whoever works on a table at length is the pool, which says so beforehand
//! ([`Table::hold_long`]), and a native that finds the rows taken then goes to the pool itself, as long work does
//! (`heap::work`). Between workers the rows are held for less than a millisecond.

use std::ops::{Deref, DerefMut};
use std::sync::{RwLockReadGuard, RwLockWriteGuard, TryLockResult};

use crate::bif::{Cx, Stop};
use crate::ets::{LongHold, Rows, Table};

/// Tries before the processor is given to others meanwhile.
const SPINS: u32 = 100;

/// The rows, held.
pub(super) struct Held<'t, G> {
    rows: G,
    _hold: Option<LongHold<'t>>,
}

impl<G: Deref<Target = Rows>> Deref for Held<'_, G> {
    type Target = Rows;

    fn deref(&self) -> &Rows {
        &self.rows
    }
}

impl<G: DerefMut<Target = Rows>> DerefMut for Held<'_, G> {
    fn deref_mut(&mut self) -> &mut Rows {
        &mut self.rows
    }
}

/// The rows for reading.
///
/// # Errors
/// `badarg` once the table is deleted.
pub(super) fn to_read<'t, 'h>(
    cx: &mut Cx<'h>,
    table: &'t Table,
) -> Result<Held<'t, RwLockReadGuard<'t, Rows>>, Stop<'h>> {
    held(cx, table, Table::read, Table::try_read)
}

/// The rows for writing.
///
/// # Errors
/// As [`to_read`].
pub(super) fn to_write<'t, 'h>(
    cx: &mut Cx<'h>,
    table: &'t Table,
) -> Result<Held<'t, RwLockWriteGuard<'t, Rows>>, Stop<'h>> {
    held(cx, table, Table::write, Table::try_write)
}

#[inline(always)]
fn held<'t, 'h, G>(
    cx: &mut Cx<'h>,
    table: &'t Table,
    wait: fn(&'t Table) -> Option<G>,
    attempt: fn(&'t Table) -> TryLockResult<Option<G>>,
) -> Result<Held<'t, G>, Stop<'h>> {
    let (rows, hold) = match attempt(table) {
        Ok(rows) if !cx.is_on_pool() => (rows, None),
        tried => {
            drop(tried);
            taken(cx, table, wait, attempt)?
        }
    };
    Ok(Held { rows: rows.ok_or_else(Stop::badarg)?, _hold: hold })
}

/// On the pool, or where others have the rows.
#[cold]
fn taken<'t, 'h, G>(
    cx: &mut Cx<'h>,
    table: &'t Table,
    wait: fn(&'t Table) -> Option<G>,
    attempt: fn(&'t Table) -> TryLockResult<Option<G>>,
) -> Result<(Option<G>, Option<LongHold<'t>>), Stop<'h>> {
    if cx.is_on_pool() {
        let hold = table.hold_long();
        return Ok((wait(table), Some(hold)));
    }
    let mut tries = 0_u32;
    loop {
        if let Ok(rows) = attempt(table) {
            return Ok((rows, None));
        }
        if table.is_held_long() {
            cx.may_wait()?;
        }
        tries = tries.saturating_add(1);
        if tries < SPINS { std::hint::spin_loop() } else { std::thread::yield_now() }
    }
}

//! Who has fixed which tables, so that traversals go on from rows that were deleted meanwhile.
//!
//! A process may fix a table several times; what it has not let go when it ends is let go then.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::table::{Rows, Table};
use super::{TableId, Tables};
use crate::heap::Fragment;
use crate::term::Pid;

/// The processes that have fixed one table, and how often.
#[derive(Default)]
pub(super) struct Fixers {
    counts: Mutex<Vec<(Pid, usize)>>,
    /// How many processes these are.
    number: AtomicUsize,
    /// Monotonic time, in nanoseconds, at which the first of them did.
    since_ns: AtomicU64,
}

/// The tables that each process has fixed.
#[derive(Default)]
pub(super) struct Fixed {
    /// By the bits of the pid; no list is empty.
    by_process: Mutex<BTreeMap<u64, Vec<TableId>>>,
    /// How many processes these are, for those that exit where there are none.
    number: AtomicUsize,
}

impl Fixers {
    fn lock(&self) -> MutexGuard<'_, Vec<(Pid, usize)>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Since when, in nanoseconds of monotonic time, and by whom how often; `None` if by nobody.
    pub(super) fn all(&self) -> Option<(u64, Vec<(Pid, usize)>)> {
        let counts = self.lock();
        (!counts.is_empty()).then(|| (self.since_ns.load(Ordering::Relaxed), counts.clone()))
    }

    pub(super) fn are_there(&self) -> bool {
        // Relaxed: asked under the lock of the rows, by who fixed the table itself or does not care which of two came first.
        self.number.load(Ordering::Relaxed) > 0
    }
}

impl Fixed {
    fn change(&self, process: Pid, change: impl FnOnce(&mut Vec<TableId>)) {
        let mut all = self.by_process.lock().unwrap_or_else(PoisonError::into_inner);
        let ids = all.entry(process.bits()).or_default();
        change(ids);
        if ids.is_empty() {
            all.remove(&process.bits());
        }
        // Relaxed: an exiting process has fixed its tables itself.
        self.number.store(all.len(), Ordering::Relaxed);
    }

    fn forget(&self, process: Pid, table: TableId) {
        self.change(process, |ids| ids.retain(|id| *id != table));
    }
}

impl Tables {
    /// Holds deleted rows' places for traversals of a process.
    pub fn fix(&self, table: &Table, process: Pid, now_ns: u64) {
        let mut counts = table.fixers.lock();
        if counts.is_empty() {
            // Relaxed: read under the same lock.
            table.fixers.since_ns.store(now_ns, Ordering::Relaxed);
        }
        match counts.iter_mut().find(|(by, _)| *by == process) {
            Some((_, count)) => *count += 1,
            None => {
                counts.push((process, 1));
                self.fixed.change(process, |ids| ids.push(table.id()));
            }
        }
        table.fixers.number.store(counts.len(), Ordering::Relaxed);
    }

    /// Ends one hold of a process, or all of them; with the last one the places are freed. What stood there is the caller's to drop.
    pub fn unfix(&self, table: &Table, rows: &mut Rows, process: Pid, all: bool) -> Vec<Fragment> {
        let mut counts = table.fixers.lock();
        let Some(at) = counts.iter().position(|(by, _)| *by == process) else { return Vec::new() };
        if counts[at].1 > 1 && !all {
            counts[at].1 -= 1;
            return Vec::new();
        }
        counts.swap_remove(at);
        self.fixed.forget(process, table.id());
        table.fixers.number.store(counts.len(), Ordering::Relaxed);
        match rows {
            Rows::Hash(rows) if counts.is_empty() => rows.sweep(),
            _ => Vec::new(),
        }
    }

    /// A table that goes is fixed by nobody any more.
    pub(super) fn unfix_removed(&self, table: &Table) {
        for (process, _) in table.fixers.lock().drain(..) {
            self.fixed.forget(process, table.id());
        }
    }

    /// The tables that a process has fixed; asked once per exiting process.
    pub fn fixed_by(&self, process: Pid) -> Vec<Arc<Table>> {
        if self.fixed.number.load(Ordering::Relaxed) == 0 {
            return Vec::new();
        }
        let all = self.fixed.by_process.lock().unwrap_or_else(PoisonError::into_inner);
        let ids = all.get(&process.bits()).cloned().unwrap_or_default();
        drop(all);
        ids.into_iter().filter_map(|id| self.get(id)).collect()
    }
}

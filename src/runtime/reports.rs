//! Reports of what ended processes: how many are on their way, and which of them speak of a program's first process.
//!
//! A report is a message to the process registered `logger`, which writes it. Whoever ends the machine or tells the embedder
//! of a program's end waits until it has written what was sent to it, so that no report is lost.
//!
//! Anybody may send that process messages, and writing a report is work that nobody pays for. So each report has a number, which
//! is known here from before it is sent until it is written. A program that reads a number in the logger's mailbox gains nothing
//! by it: its own message comes behind the report, and when the logger gets to it the number is known no more.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::process::Process;

/// See the module's essay.
#[derive(Debug, Default)]
pub struct Reports {
    pending: Mutex<Pending>,
    /// By the reference with which the embedder watches a program's first process: whether its end was reported.
    programs: Mutex<BTreeMap<u64, bool>>,
}

/// Reports on their way.
#[derive(Debug, Default)]
struct Pending {
    numbers: BTreeSet<u64>,
    last: u64,
}

impl Reports {
    /// A report is about to be sent: its number.
    pub fn sent(&self) -> u64 {
        let mut pending = self.numbers();
        pending.last += 1;
        let number = pending.last;
        pending.numbers.insert(number);
        number
    }

    /// Whether that is the number of a report on its way.
    pub fn is_pending(&self, number: u64) -> bool {
        self.numbers().numbers.contains(&number)
    }

    /// A report was written, or will never be.
    pub fn written(&self, number: u64) {
        self.numbers().numbers.remove(&number);
    }

    /// Reports sent and not written.
    pub fn pending(&self) -> usize {
        self.numbers().numbers.len()
    }

    /// Whether all that was sent is written.
    pub fn is_quiet(&self) -> bool {
        self.pending() == 0
    }

    fn numbers(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A program starts, whose first process is watched with this reference.
    pub fn program(&self, reference: u64) {
        self.programs().insert(reference, false);
    }

    /// The process is being reported: it may be a program's.
    pub fn about(&self, process: &Process) {
        let Some(relations) = &process.relations else { return };
        let mut programs = self.programs();
        for (reference, reported) in programs.iter_mut() {
            *reported |= relations.watchers.contains_key(reference);
        }
    }

    /// The program has ended: whether it was reported.
    pub fn program_ended(&self, reference: u64) -> bool {
        self.programs().remove(&reference).unwrap_or(false)
    }

    fn programs(&self) -> MutexGuard<'_, BTreeMap<u64, bool>> {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

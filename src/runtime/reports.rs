//! Reports of what ended processes: how many are on their way, and which of them speak of a program's first process.
//!
//! A report is a message to the process registered `logger`, which writes it. Whoever ends the machine or tells the embedder
//! of a program's end waits until it has written what was sent to it, so that no report is lost.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::process::Process;

/// See the module's essay.
#[derive(Debug, Default)]
pub struct Reports {
    pending: AtomicUsize,
    /// By the reference with which the embedder watches a program's first process: whether its end was reported.
    programs: Mutex<BTreeMap<u64, bool>>,
}

impl Reports {
    /// A report was sent.
    pub fn sent(&self) {
        // Release: pairs with the Acquire in `is_quiet`.
        self.pending.fetch_add(1, Ordering::Release);
    }

    /// A report was written.
    pub fn written(&self) {
        // More writes than reports are the doing of a program that calls the native itself: the count stays at 0.
        let _ = self.pending.fetch_update(Ordering::AcqRel, Ordering::Acquire, |count| count.checked_sub(1));
    }

    /// Reports sent and not written.
    pub fn pending(&self) -> usize {
        // Relaxed: nothing is concluded from it but that there are many.
        self.pending.load(Ordering::Relaxed)
    }

    /// Whether all that was sent is written.
    pub fn is_quiet(&self) -> bool {
        self.pending.load(Ordering::Acquire) == 0
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

//! The schedulers: workers that pick processes and run them.
//!
//! [`Driver`] is one worker's loop body, the same for all modes: threads of their own ([`thread`]), or the caller's thread
//! ([`Driver::run_until_idle`]), with or without a seed.
//!
//! A pick asks, in this order: the run-next slot; every 61st time the injectors first; the worker's own queues; the
//! injectors; other workers' queues. Due timers are sent before.
//!
//! Invariant: a worker blocks nowhere but in its poll.

mod driver;
mod poll;
mod slice;
pub mod thread;

use std::cell::Cell;

// Which threads run processes is a fact about threads, and who asks is a host function that knows no more than its thread.
thread_local! { static RUNS_PROCESSES: Cell<bool> = const { Cell::new(false) }; }

/// Whether this thread runs processes now, of whatever machine: then it must not wait for any.
pub fn on_worker() -> bool {
    RUNS_PROCESSES.get()
}

/// While it lives, this thread runs processes.
struct OnWorker {
    before: bool,
}

impl OnWorker {
    fn enter() -> OnWorker {
        OnWorker { before: RUNS_PROCESSES.replace(true) }
    }
}

impl Drop for OnWorker {
    fn drop(&mut self) {
        RUNS_PROCESSES.set(self.before);
    }
}

pub use driver::{Driver, Idleness};

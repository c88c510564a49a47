//! Loom models of quiescence, over the library's own source file: what was taken away is freed when nobody uses it any more.

#[path = "loom_support/mod.rs"]
mod support;

#[path = "../src/sync/quiescence.rs"]
#[allow(dead_code, reason = "the models use a part of the interface")]
mod quiescence;

/// What the included file calls `crate::sync`.
mod sync {
    pub use super::support::atomic;
    pub use loom::sync::Mutex;
}

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;
use quiescence::Quiescence;
use support::{Fault, caught, fault_is, holds};

/// A thing that can be found as long as it is there, and is used in the slice in which it was found.
struct Machine {
    quiescence: Quiescence,
    is_there: AtomicBool,
    thing: UnsafeCell<u32>,
}

// SAFETY: loom checks that nobody frees the thing (writes it) while somebody uses it.
unsafe impl Sync for Machine {}
// SAFETY: as above.
unsafe impl Send for Machine {}

impl Machine {
    fn new() -> Arc<Machine> {
        Arc::new(Machine {
            quiescence: Quiescence::new(1),
            is_there: AtomicBool::new(true),
            thing: UnsafeCell::new(1),
        })
    }

    /// One slice: relaxed, so that only the protocol orders it.
    fn slice(&self) {
        if self.is_there.load(Ordering::Relaxed) {
            // SAFETY: what this model is about.
            self.thing.with(|thing| assert_eq!(unsafe { *thing }, 1));
        }
    }

    /// Takes the thing away, and frees it once everybody has let go; gives up after some looks.
    fn free(&self) {
        if !fault_is(Fault::ThingStays) {
            self.is_there.store(false, Ordering::Relaxed);
        }
        let watch = self.quiescence.watch();
        for _ in 0..2 {
            if self.quiescence.is_over(&watch) || fault_is(Fault::NotWaited) {
                // SAFETY: what this model is about.
                self.thing.with_mut(|thing| unsafe { *thing = 2 });
                return;
            }
            thread::yield_now();
        }
    }
}

#[test]
fn a_worker_that_passes_has_let_go() {
    holds(|| {
        let machine = Machine::new();
        let worker = Arc::clone(&machine);
        let running = thread::spawn(move || {
            worker.quiescence.woke(0);
            worker.slice();
            worker.quiescence.pass(0);
            worker.slice();
            worker.quiescence.sleep(0);
        });
        machine.free();
        running.join().unwrap();
    });
}

#[test]
fn a_worker_that_sleeps_and_wakes_finds_nothing_that_was_taken_away() {
    holds(|| {
        let machine = Machine::new();
        let worker = Arc::clone(&machine);
        let running = thread::spawn(move || {
            for _ in 0..2 {
                worker.quiescence.woke(0);
                worker.slice();
                worker.quiescence.sleep(0);
            }
        });
        machine.free();
        running.join().unwrap();
    });
}

#[test]
fn a_thread_with_a_ticket_is_waited_for() {
    holds(|| {
        let machine = Machine::new();
        let other = Arc::clone(&machine);
        let running = thread::spawn(move || {
            let ticket = other.quiescence.enter();
            other.slice();
            drop(ticket);
        });
        machine.free();
        running.join().unwrap();
    });
}

#[test]
fn planted_faults_are_caught() {
    for fault in [Fault::ThingStays, Fault::NotWaited, Fault::PassRelaxed] {
        caught(fault, "a_worker_that_passes_has_let_go");
    }
    for fault in [Fault::NotWaited, Fault::PassRelaxed] {
        caught(fault, "a_worker_that_sleeps_and_wakes_finds_nothing_that_was_taken_away");
    }
    caught(Fault::NotWaited, "a_thread_with_a_ticket_is_waited_for");
}

//! Quiescence: knowing that everybody who was in the middle of something has come out of it.
//!
//! Who takes something away (code, an address, the right to do a thing in the old manner) first makes sure that nobody can come by it
//! anew, and then waits until all who may have come by it before have let go. Workers let go of everything at the end of a
//! slice. So each of them has a word here that it changes between two slices, now and then, and when it goes to sleep and wakes:
//! odd while it sleeps, another number after each pass. A [`Watch`] remembers the words, and is over when each was odd or
//! has changed. Threads that are no workers take a ticket for the time in which they are in the middle of something.
//!
//! All accesses to a word are read-modify-writes, those of a watch too: so either the watch sees that the worker has passed, and
//! with that all that it did before; or the worker's next change comes after the watch's look, and with that sees all that was
//! done before the watch began. (Plain stores and loads would need a fence in each slice; this way a worker pays for one locked
//! operation in some sixty.) Loom model: `tests/loom_quiescence.rs`.
//!
//! Rejected: epochs that each slice publishes, as in crossbeam-epoch (a fence for each slice, and slices can be as short as a
//! message), and waiting for a signal from each worker (a sleeping one would have to be woken).

use crate::sync::Mutex;
use crate::sync::atomic::{AtomicU64, Ordering};

/// Added by a worker that goes to sleep, and by one that wakes.
const STEP: u64 = 1;

/// A worker's word, on a cache line (or two, as they are fetched) of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Passes(AtomicU64);

/// See the module's essay.
#[derive(Debug)]
pub struct Quiescence {
    workers: Box<[Passes]>,
    tickets: Mutex<Tickets>,
}

/// Tickets are numbered; those that are out.
#[derive(Debug, Default)]
struct Tickets {
    next: u64,
    out: Vec<u64>,
}

/// For the time in which a thread that is no worker is in the middle of something.
#[derive(Debug)]
#[must_use]
pub struct Ticket<'a> {
    quiescence: &'a Quiescence,
    number: u64,
}

/// Who was in the middle of something when the watch began.
#[derive(Debug)]
pub struct Watch {
    words: Vec<u64>,
    next_ticket: u64,
}

impl Quiescence {
    /// For so many workers, which all sleep.
    pub fn new(workers: usize) -> Quiescence {
        let workers = (0..workers).map(|_| Passes(AtomicU64::new(STEP))).collect();
        Quiescence { workers, tickets: Mutex::new(Tickets::default()) }
    }

    /// The worker is between two slices.
    #[inline]
    pub fn pass(&self, worker: usize) {
        // AcqRel, here and below: pairs with the look of a watch, in both directions.
        self.workers[worker].0.fetch_add(2 * STEP, Ordering::AcqRel);
    }

    /// The worker goes to sleep, between two slices.
    pub fn sleep(&self, worker: usize) {
        self.workers[worker].0.fetch_add(STEP, Ordering::AcqRel);
    }

    /// The worker has woken.
    pub fn woke(&self, worker: usize) {
        self.workers[worker].0.fetch_add(STEP, Ordering::AcqRel);
    }

    /// A thread that is no worker begins something.
    pub fn enter(&self) -> Ticket<'_> {
        let mut tickets = self.tickets.lock().expect("no code that holds this lock panics");
        let number = tickets.next;
        tickets.next += 1;
        tickets.out.push(number);
        Ticket { quiescence: self, number }
    }

    fn look(&self, worker: usize) -> u64 {
        // A write that changes nothing, so that it takes its place among the worker's own.
        self.workers[worker].0.fetch_add(0, Ordering::AcqRel)
    }

    /// Begins to watch.
    pub fn watch(&self) -> Watch {
        let words = (0..self.workers.len()).map(|worker| self.look(worker)).collect();
        let tickets = self.tickets.lock().expect("no code that holds this lock panics");
        Watch { words, next_ticket: tickets.next }
    }

    /// Whether everybody has let go since the watch began.
    pub fn is_over(&self, watch: &Watch) -> bool {
        let awake = |word: u64| word & STEP == 0;
        let passed = |(worker, then): (usize, &u64)| !awake(*then) || self.look(worker) != *then;
        if !watch.words.iter().enumerate().all(passed) {
            return false;
        }
        let tickets = self.tickets.lock().expect("no code that holds this lock panics");
        tickets.out.iter().all(|number| *number >= watch.next_ticket)
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        let mut tickets = self.quiescence.tickets.lock().expect("no code that holds this lock panics");
        tickets.out.retain(|number| *number != self.number);
    }
}

//! Who is awake: the idle protocol of the workers.
//!
//! One atomic word holds two counts, of workers that *search* for work and of workers that *sleep*. Which workers sleep
//! stands in bitmaps behind a lock that is taken only by a worker about to sleep or by whoever wakes one, both of which
//! enter the kernel next anyway.
//!
//! The rule to keep: if work is queued and a worker sleeps, somebody is searching or somebody is being woken; but for a single
//! process that its worker is going to take itself within a slice ([`enqueue_later`](super::WorkerCx::enqueue_later)), for those
//! woken in a clipped slice, of whom others are told at its end ([`tell_others`](super::WorkerCx::tell_others)), and for
//! those that it keeps to run next ([`worker`](super::worker)): those it runs within a slice, or queues, which is a push. A
//! worker on its way to sleep keeps none.
//! - After a push: [`Idle::to_wake`] fences, and if nobody searches and somebody sleeps claims one sleeper (which counts as
//!   searching from then on); the caller wakes it.
//! - To sleep: [`Idle::sleep`] leaves the searching count and joins the sleeping count in one step, then fences; the caller
//!   looks at every queue once more before it blocks. Either the pusher sees the sleeper or the sleeper sees the work.
//! - The last searcher that finds work hands its duty on ([`Found::WakeAnother`]): at once, or, if all it has found is one process that
//!   somebody who is no worker has queued, after some microseconds of running it, unless it then finds no more. So a host that asks one
//!   question after the other keeps one worker busy and wakes no second one between two of them. Before what may take any time, a host
//!   function, it hands its duty on.
//!
//! Rejected, as in Go's scheduler: waking a worker for every push (a storm of context switches), and waking none while a
//! queue is short (work waits while cores idle). Sleepers as a lock-free stack or bitmap were rejected too: a claimed
//! sleeper that wakes by itself in the same moment needs a second handshake, for a path that costs a system call.

use crate::sync::Mutex;
use crate::sync::atomic::{AtomicUsize, Ordering, fence};

/// Counts are packed in one word: sleeping in the low half, searching above.
const SEARCHING: usize = 1 << 16;
const SLEEPING: usize = 1;
const COUNT_MASK: usize = 0xffff;

/// Most workers one virtual machine can have; what the counts can hold with room to spare.
pub const MAX_WORKERS: usize = 1024;

/// What a searcher that has found work must do.
#[must_use]
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub enum Found {
    /// Nothing: others still search.
    GoOn,
    /// It was the last searcher; there may be more work than it can do: call [`Idle::to_wake`].
    WakeAnother,
}

/// The protocol's state; see the module's essay.
#[derive(Debug)]
pub struct Idle {
    counts: AtomicUsize,
    sleepers: Mutex<Sleepers>,
    workers: usize,
}

#[derive(Debug)]
struct Sleepers {
    bits: Vec<u64>,
}

impl Sleepers {
    fn contains(&self, worker: usize) -> bool {
        self.bits[worker / 64] >> (worker % 64) & 1 == 1
    }

    fn insert(&mut self, worker: usize) {
        self.bits[worker / 64] |= 1 << (worker % 64);
    }

    fn remove(&mut self, worker: usize) {
        self.bits[worker / 64] &= !(1 << (worker % 64));
    }

    fn first(&self) -> Option<usize> {
        let (place, bits) = self.bits.iter().enumerate().find(|(_, bits)| **bits != 0)?;
        Some(place * 64 + bits.trailing_zeros() as usize)
    }
}

impl Idle {
    /// A protocol for `workers` workers, all of which are running at first (neither searching nor asleep).
    pub fn new(workers: usize) -> Idle {
        assert!(workers <= MAX_WORKERS, "the builder bounds the number of workers");
        Idle {
            counts: AtomicUsize::new(0),
            sleepers: Mutex::new(Sleepers { bits: vec![0; workers.div_ceil(64)] }),
            workers,
        }
    }

    /// After work was made visible: the sleeper the caller must wake, if one is needed.
    #[inline]
    pub fn to_wake(&self) -> Option<usize> {
        // SeqCst: pairs with the fence in `sleep` (store work, fence, load counts / store counts, fence, load work).
        fence(Ordering::SeqCst);
        if !wake_is_needed(self.counts.load(Ordering::Relaxed)) {
            return None;
        }
        self.claim()
    }

    #[cold]
    fn claim(&self) -> Option<usize> {
        let mut sleepers = self.sleepers.lock().expect("no code that holds this lock panics");
        if !wake_is_needed(self.counts.load(Ordering::SeqCst)) {
            return None;
        }
        let worker = sleepers.first()?;
        sleepers.remove(worker);
        self.counts.fetch_add(SEARCHING.wrapping_sub(SLEEPING), Ordering::SeqCst);
        Some(worker)
    }

    /// Claims one sleeper whatever the counts say (a timer thread's or teardown's need).
    pub fn claim_this(&self, worker: usize) -> bool {
        let mut sleepers = self.sleepers.lock().expect("no code that holds this lock panics");
        if !sleepers.contains(worker) {
            return false;
        }
        sleepers.remove(worker);
        self.counts.fetch_add(SEARCHING.wrapping_sub(SLEEPING), Ordering::SeqCst);
        true
    }

    /// A running worker out of work wants to search the queues of others. No more than half of all may, since more
    /// would only contend; one refused goes to sleep.
    pub fn start_search(&self) -> bool {
        let searching = self.counts.load(Ordering::SeqCst) >> 16;
        if searching > 0 && 2 * searching >= self.workers {
            return false;
        }
        self.counts.fetch_add(SEARCHING, Ordering::SeqCst);
        true
    }

    /// A searching worker has found work.
    pub fn found(&self) -> Found {
        let before = self.counts.fetch_sub(SEARCHING, Ordering::SeqCst);
        if before >> 16 == 1 { Found::WakeAnother } else { Found::GoOn }
    }

    /// A worker (searching or not) goes to sleep. The caller must look at all queues once more before it blocks, and
    /// call [`Idle::woke`] when it is awake, for whatever reason.
    pub fn sleep(&self, worker: usize, was_searching: bool) {
        let mut sleepers = self.sleepers.lock().expect("no code that holds this lock panics");
        sleepers.insert(worker);
        let change = if was_searching { SLEEPING.wrapping_sub(SEARCHING) } else { SLEEPING };
        self.counts.fetch_add(change, Ordering::SeqCst);
        drop(sleepers);
        // SeqCst: pairs with the fence in `to_wake`.
        fence(Ordering::SeqCst);
    }

    /// A worker is awake again; it counts as searching from here on, whether it was claimed or woke by itself.
    pub fn woke(&self, worker: usize) {
        let mut sleepers = self.sleepers.lock().expect("no code that holds this lock panics");
        if sleepers.contains(worker) {
            sleepers.remove(worker);
            self.counts.fetch_add(SEARCHING.wrapping_sub(SLEEPING), Ordering::SeqCst);
        }
    }

    /// How many workers sleep: a fact about one moment.
    pub fn sleeping(&self) -> usize {
        self.counts.load(Ordering::SeqCst) & COUNT_MASK
    }

    /// How many workers search: a fact about one moment.
    pub fn searching(&self) -> usize {
        self.counts.load(Ordering::SeqCst) >> 16
    }
}

fn wake_is_needed(counts: usize) -> bool {
    counts >> 16 == 0 && counts & COUNT_MASK != 0
}

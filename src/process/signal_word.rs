//! One atomic word: a slot's signal queue and its scheduling state.
//!
//! ```text
//! EMPTY    the owner is active (running or in a run queue); nothing is queued
//! PARKED   the owner waits; nothing is queued
//! DEAD     nobody owns the slot, or the owner has died
//! other    the newest node of a list of queued signals, newest first; the owner is active
//! ```
//!
//! A sender pushes with one compare-and-swap. The sender whose push finds `PARKED` has, alone, won the right to touch the
//! owner and must get it scheduled; every other sender is done. The owner takes the whole list with one swap and reverses
//! it. Queue and state being one word, there is no window between "the queue is empty" and "I am asleep".
//!
//! The transitions return what the caller must do now. The file knows neither processes nor terms: a loom model runs this
//! very code with nodes of its own.

use crate::sync::atomic::{AtomicUsize, Ordering, fence};

/// The owner is active and nothing is queued.
const EMPTY: usize = 0;
/// The owner waits for a signal. Nodes are at least 8-byte aligned, so 1 and 2 are no node's raw form.
const PARKED: usize = 1;
/// Nobody is there.
const DEAD: usize = 2;

/// What can be queued.
///
/// # Safety
/// `into_raw` gives a unique non-zero value other than 1 and 2 that `from_raw` turns back, and between the two calls
/// `set_next` and `next` access one word of memory that belongs to the node.
pub unsafe trait Node: Sized {
    /// Gives up the node for its raw form.
    fn into_raw(self) -> usize;
    /// The node behind a raw form.
    ///
    /// # Safety
    /// `raw` came from `into_raw` and is used for this once.
    unsafe fn from_raw(raw: usize) -> Self;
    /// Writes the node's link.
    ///
    /// # Safety
    /// `raw` is live and only the caller can reach it.
    unsafe fn set_next(raw: usize, next: usize);
    /// Reads the node's link.
    ///
    /// # Safety
    /// `raw` is live, and what wrote the link happened before.
    unsafe fn next(raw: usize) -> usize;
}

/// What a push asks of the sender.
#[must_use]
#[derive(Debug)]
pub enum Push<N> {
    /// Nothing more: the owner is active and will look.
    Queued,
    /// The owner was parked: the sender holds it now and must enqueue it.
    Woke,
    /// The owner is dead: the node comes back, to be bounced.
    Dead(N),
}

/// What an attempt to park came to.
#[must_use]
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub enum Park {
    /// The owner is parked and whoever parked it may not touch it any more.
    Parked,
    /// Signals have come; the caller still holds the owner and must take them.
    Signals,
}

/// The word; see the module's essay.
#[derive(Debug)]
pub struct SignalWord(AtomicUsize);

impl Default for SignalWord {
    fn default() -> Self {
        SignalWord::dead()
    }
}

impl SignalWord {
    /// The word of a slot nobody owns.
    pub fn dead() -> SignalWord {
        SignalWord(AtomicUsize::new(DEAD))
    }

    /// Opens the word for a new, active owner. Called once per owner, by the one that is making it.
    pub fn revive(&self) {
        debug_assert_eq!(self.0.load(Ordering::Relaxed), DEAD);
        // Release: pairs with the Acquire side of `push`, so that a sender that finds the owner parked sees what was
        // written before (the body). A sender with an old pid may push from here on; the owner bounces what it finds.
        self.0.store(EMPTY, Ordering::Release);
    }

    /// Queues `node`.
    #[inline]
    pub fn push<N: Node>(&self, node: N) -> Push<N> {
        let raw = node.into_raw();
        let mut old = self.0.load(Ordering::Relaxed);
        loop {
            if old == DEAD {
                // Acquire: pairs with the Release side of `die`. All the dead owner has sent happened before; an answer
                // we now send ourselves cannot overtake it.
                fence(Ordering::Acquire);
                // SAFETY: `raw` is the node given up above and was not published.
                return Push::Dead(unsafe { N::from_raw(raw) });
            }
            let next = if old == PARKED { EMPTY } else { old };
            // SAFETY: not published yet, so only this thread reaches the node.
            unsafe { N::set_next(raw, next) };
            // Release publishes the node and its content to `take`; Acquire pairs with `park`, whose parker handed the
            // owner over.
            match self.0.compare_exchange_weak(old, raw, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => return if old == PARKED { Push::Woke } else { Push::Queued },
                Err(now) => old = now,
            }
        }
    }

    /// Takes all that is queued. Owner only.
    #[inline]
    pub fn take<N: Node>(&self) -> Taken<N> {
        if self.0.load(Ordering::Relaxed) == EMPTY {
            return Taken::none();
        }
        // Acquire: pairs with the Release of every `push` whose node is in the list (they form a release sequence).
        Taken::new(self.0.swap(EMPTY, Ordering::Acquire))
    }

    /// Whether something is queued. Owner only (for others the answer is stale at once).
    #[inline]
    pub fn has_signals(&self) -> bool {
        self.0.load(Ordering::Relaxed) > DEAD
    }

    /// Whether a queued node is one of the `wanted`. Owner only: nobody else takes nodes away, so the list stays as it is from
    /// the node that is newest now down to its end.
    pub fn any<N: Node>(&self, wanted: impl Fn(&N) -> bool) -> bool {
        // Acquire: as in `take`.
        let mut raw = self.0.load(Ordering::Acquire);
        while raw > DEAD {
            // SAFETY: the node is on the list, which only the caller could take it from; it is looked at and not given up.
            let node = std::mem::ManuallyDrop::new(unsafe { N::from_raw(raw) });
            if wanted(&node) {
                return true;
            }
            // SAFETY: as above; its link was written before it was published.
            raw = unsafe { N::next(raw) };
        }
        false
    }

    /// Parks the active owner. After `Parked` the caller may not read anything of the owner, not even a counter.
    #[inline]
    pub fn park(&self) -> Park {
        // Release: pairs with the Acquire of the `push` that wakes; all done to the owner so far is handed over.
        match self.0.compare_exchange(EMPTY, PARKED, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => Park::Parked,
            Err(_) => Park::Signals,
        }
    }

    /// The moment of death: no signal gets in any more; those that did come back, to be bounced. Owner only.
    pub fn die<N: Node>(&self) -> Taken<N> {
        // Acquire for the list, as in `take`; Release pairs with the fence in `push` (dead answers) and with `is_dead`.
        Taken::new(self.0.swap(DEAD, Ordering::AcqRel))
    }

    /// Whether the owner has died (or the slot is free).
    #[inline]
    pub fn is_dead(&self) -> bool {
        // Acquire: pairs with the Release side of `die`.
        self.0.load(Ordering::Acquire) == DEAD
    }

    /// Whether the owner waits with nothing queued: a fact about one moment.
    #[inline]
    pub fn is_parked(&self) -> bool {
        self.0.load(Ordering::Acquire) == PARKED
    }
}

/// A list taken from the word. It is given out oldest first once it is wholly reversed; the reversal can be cut into
/// steps, so that a million queued signals do not hold a worker.
#[derive(Debug)]
pub struct Taken<N: Node> {
    newest_first: usize,
    oldest_first: usize,
    nodes: std::marker::PhantomData<N>,
}

impl<N: Node> Default for Taken<N> {
    fn default() -> Self {
        Taken::none()
    }
}

impl<N: Node> Taken<N> {
    /// Nothing.
    pub const fn none() -> Self {
        Taken { newest_first: EMPTY, oldest_first: EMPTY, nodes: std::marker::PhantomData }
    }

    fn new(word: usize) -> Self {
        let head = if word == PARKED || word == DEAD { EMPTY } else { word };
        Taken { newest_first: head, ..Taken::none() }
    }

    /// Puts a list just taken in the place of this one, which is empty.
    #[inline(always)]
    pub fn refill(&mut self, taken: Taken<N>) {
        debug_assert!(self.is_empty());
        self.newest_first = taken.newest_first;
        std::mem::forget(taken);
    }

    /// Removes the node of a list of one that was not touched yet: what a receiver that keeps up finds.
    #[inline(always)]
    pub fn pop_only(&mut self) -> Option<N> {
        let raw = self.newest_first;
        // SAFETY: as in `reverse`; the node leaves the list here, once.
        unsafe {
            if raw == EMPTY || self.oldest_first != EMPTY || N::next(raw) != EMPTY {
                return None;
            }
            self.newest_first = EMPTY;
            Some(N::from_raw(raw))
        }
    }

    /// Whether nothing is left.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.newest_first == EMPTY && self.oldest_first == EMPTY
    }

    /// Reverses up to `limit` nodes; how many it did. The list is ready when fewer than `limit` were left.
    #[inline]
    pub fn reverse(&mut self, limit: usize) -> usize {
        let mut steps = 0;
        while self.newest_first != EMPTY && steps < limit {
            let raw = self.newest_first;
            // SAFETY: the list is owned by `self`; its links were published by the pushes `take` has acquired.
            unsafe {
                self.newest_first = N::next(raw);
                N::set_next(raw, self.oldest_first);
            }
            self.oldest_first = raw;
            steps += 1;
        }
        steps
    }

    /// Whether the reversal is complete, so that `next` gives signals in the order they came.
    #[inline]
    pub fn is_ready(&self) -> bool {
        self.newest_first == EMPTY
    }

    /// Removes the oldest node. The list must be ready.
    #[inline]
    pub fn pop(&mut self) -> Option<N> {
        debug_assert!(self.is_ready());
        if self.oldest_first == EMPTY {
            return None;
        }
        let raw = self.oldest_first;
        // SAFETY: as in `reverse`; the node leaves the list here, once.
        unsafe {
            self.oldest_first = N::next(raw);
            Some(N::from_raw(raw))
        }
    }
}

impl<N: Node> Drop for Taken<N> {
    fn drop(&mut self) {
        while self.reverse(usize::MAX) > 0 {}
        while let Some(node) = self.pop() {
            drop(node);
        }
    }
}

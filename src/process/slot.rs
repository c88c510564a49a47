//! A slot: the part of a process (or of a native body) that others may touch at any time.
//!
//! Slots are type-stable: their memory stays a slot for as long as the virtual machine lives, and only the owner changes.
//! So a sender needs no lock, count or epoch to look a pid up; it compares the pid, pushes, and if the slot changed hands in
//! between, the new owner finds a signal with a foreign destination and bounces it.
//!
//! Life of a slot: free (`DEAD`, pid of the last owner) - `open` - owned - `close` (the owner's death) - free. Order within
//! `open`: body, then the word, then the pid; a sender that sees the new pid therefore sees a word that takes signals.

use super::signal_word::{Node, Park, Push, SignalWord, Taken};
use crate::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering, fence};

/// One slot with a body of type `B`.
#[derive(Debug)]
#[repr(C, align(32))]
pub struct Slot<B> {
    word: SignalWord,
    /// Bits of the owner's pid; of the last owner's while the slot is free; `VACANT` before the first.
    pid: AtomicU64,
    body: AtomicPtr<B>,
    /// [`NAMED`]: a name was or is registered for the owner, so its exit must look into the table of names; [`TIMED`]: the same
    /// for timers.
    named: AtomicUsize,
}

const NAMED: usize = 1;
const TIMED: usize = 2;

/// No pid has these bits: pids have 58.
pub const VACANT: u64 = u64::MAX;

/// What a push through a pid asks of the sender.
#[must_use]
#[derive(Debug)]
pub enum Delivery<N, B> {
    /// Nothing more to do.
    Queued,
    /// The sender holds this body now and must enqueue it.
    Woke(*mut B),
    /// Nobody of that pid is there: the node comes back, to be bounced.
    Dead(N),
}

impl<B> Default for Slot<B> {
    fn default() -> Self {
        Slot {
            word: SignalWord::dead(),
            pid: AtomicU64::new(VACANT),
            body: AtomicPtr::new(std::ptr::null_mut()),
            named: AtomicUsize::new(0),
        }
    }
}

impl<B> Slot<B> {
    /// Gives the free slot to a new, active owner. The caller has taken the slot from the free list, and holds the body.
    pub fn open(&self, pid: u64, body: *mut B) {
        self.body.store(body, Ordering::Relaxed);
        self.named.store(0, Ordering::Relaxed);
        self.word.revive();
        // Release: pairs with the Acquire in `deliver`; who sees this pid sees an open word and the death of whoever
        // owned the slot before.
        self.pid.store(pid, Ordering::Release);
    }

    /// Queues `node` for the owner of `pid`.
    #[inline]
    pub fn deliver<N: Node>(&self, pid: u64, node: N) -> Delivery<N, B> {
        // Acquire: pairs with the Release in `open`.
        if self.pid.load(Ordering::Acquire) != pid {
            fence(Ordering::Acquire);
            return Delivery::Dead(node);
        }
        match self.word.push(node) {
            Push::Queued => Delivery::Queued,
            // The Acquire of the push has made the body pointer of whoever parked visible, also if the slot has changed
            // hands since the comparison above: it is the owner's that was found parked.
            Push::Woke => Delivery::Woke(self.body.load(Ordering::Relaxed)),
            Push::Dead(node) => Delivery::Dead(node),
        }
    }

    /// Takes what is queued. Owner only.
    #[inline]
    pub fn take<N: Node>(&self) -> Taken<N> {
        self.word.take()
    }

    /// Whether a queued node is one of the `wanted`. Owner only.
    pub fn any<N: Node>(&self, wanted: impl Fn(&N) -> bool) -> bool {
        self.word.any(wanted)
    }

    /// Whether something is queued. Owner only.
    #[inline]
    pub fn has_signals(&self) -> bool {
        self.word.has_signals()
    }

    /// Parks the owner; see [`SignalWord::park`].
    #[inline]
    pub fn park(&self) -> Park {
        self.word.park()
    }

    /// The owner dies; what was queued comes back, to be bounced.
    pub fn close<N: Node>(&self) -> Taken<N> {
        let taken = self.word.die();
        // SeqCst: pairs with the fence in `note_name`: either the exit sees the note or the registrar sees the death.
        fence(Ordering::SeqCst);
        taken
    }

    /// A name is being registered for the owner; afterwards the registrar must ask whether it is still alive.
    pub fn note_name(&self) {
        self.note(NAMED);
    }

    /// A timer for the owner is armed; afterwards whoever armed it must ask whether the owner is still alive.
    pub fn note_timer(&self) {
        self.note(TIMED);
    }

    fn note(&self, what: usize) {
        if self.named.load(Ordering::Relaxed) & what == 0 {
            self.named.fetch_or(what, Ordering::Relaxed);
        }
        // SeqCst: pairs with the fence in `close`.
        fence(Ordering::SeqCst);
    }

    /// Whether a name may be registered for the owner. Asked by the owner, before and after `close`.
    pub fn may_have_name(&self) -> bool {
        self.named.load(Ordering::Relaxed) & NAMED != 0
    }

    /// Whether timers may be armed for the owner. Asked by the owner, after `close`.
    pub fn may_have_timers(&self) -> bool {
        self.named.load(Ordering::Relaxed) & TIMED != 0
    }

    /// Bits of the pid of the owner, alive or not; [`VACANT`] if there never was one.
    #[inline]
    pub fn pid(&self) -> u64 {
        self.pid.load(Ordering::Acquire)
    }

    /// Whether the owner of `pid` is alive: a fact about one moment.
    pub fn is_alive(&self, pid: u64) -> bool {
        self.pid() == pid && !self.word.is_dead() && self.pid() == pid
    }

    /// Whether the owner waits with nothing queued: a fact about one moment.
    pub fn is_parked(&self) -> bool {
        self.word.is_parked()
    }

    /// The body, whoever owns it. Only for the teardown of the whole table, when nobody runs.
    pub fn body_at_teardown(&self) -> Option<*mut B> {
        (!self.word.is_dead()).then(|| self.body.load(Ordering::Relaxed))
    }
}

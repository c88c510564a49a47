//! What one worker has for itself: registers, caches, queues, random numbers. The scheduler drives it; natives and the
//! interpreter borrow it.
//!
//! **The run-next slot.** A process woken by the running one runs next on the same worker, with what the waker leaves of its
//! slice: the pair shares one slice, so two processes that wake each other for ever starve nobody. Filling the slot clips
//! the waker's slice to [`CLIPPED`]; if the waker uses that up first, the woken process goes to the queue like any other
//! and the waker gets the rest. Nobody steals from the slot, so it never passes a waiting process of a higher priority.
//! Less than [`LEAST`] is nothing to inherit: then the woken process goes to the queue, for a whole slice.
//!
//! **Who wakes goes on.** Whoever answers and then ends is gone, its name free and its tables deleted, before whoever got the
//! answer can look: the slice is long enough for it, and no other worker is told of those whom the slot has no room for before
//! the clipped slice is over. (To wake a worker may cost the waker its core.) A few microseconds are less than it takes to wake
//! one.
//!
//! **Nobody is passed by those woken later.** Of several woken in one slice the first has the slot and the others wait in the
//! queue. Until they have been picked (`crowded` counts down to it) the slot and the children's places are closed: whoever is
//! woken or made goes to the queue, behind them. Else a line of processes that wake each other, begun by the first, would run
//! before the second, and what it was told before them (to stop, say) would happen after all they do.
//!
//! If no other worker is idle, the woken process does not even wait: the two change places, and the waker goes on after it with
//! what it leaves. So what was sent is received while it is in the cache, and its memory is that of the next messages.
//!
//! **Children first.** The children of a process that waits or ends run next, in the order they were made, and theirs before their
//! younger siblings, all with what is left of the slice; when that is used up they go to the queue like any other. So a tree
//! of processes is walked in depth, a few at a time, whose memory is used again by the next ones, where a queue would bring
//! all of them to life at once. While another worker is idle, children are for him: then they go to the queue at once.

use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

use super::Runtime;
use super::entropy::Rng;
use super::idle::Found;
use super::queues::LocalQueues;
use super::statistics::Counts;
use super::watch::Happening;
use crate::ets::Table;
use crate::heap::work::Mode;
use crate::heap::{BlockCache, FragmentCache, Tally};
use crate::process::{FreeSlots, Handle, Priority, Process, Signal};
use crate::term::{Pid, Word};

/// X registers in the file.
pub const X_REGISTERS: usize = crate::code::op::X_REGISTERS;

/// What is left to a waker whose woken process waits in the run-next slot: some microseconds, enough to finish a request and
/// wait for the answer, short enough that the woken one is not held up on a machine with idle workers.
const CLIPPED: i32 = 500;

/// What a woken process needs to run in its waker's slice: as much as a waker keeps, so that an answer and the end behind it
/// are not torn apart by a slice that was nearly over before it began.
const LEAST: i32 = CLIPPED;

/// Most processes that wait to run next. They cannot be stolen; but it takes a slice at most until they can.
const NEXT: usize = 64;

/// One worker's own things.
#[derive(Debug)]
pub struct WorkerCx {
    /// The X registers.
    pub x: Box<[Word]>,
    /// Free blocks.
    pub blocks: BlockCache,
    /// Free messages.
    pub fragments: FragmentCache,
    /// Bytes of processes made here, less those that ended here, of which the machine's account was not told.
    pub(super) process_bytes: isize,
    /// The table its processes used last: most uses are of the same one again, and to look it up and count it would take
    /// longer than to use it.
    pub last_table: Option<Arc<Table>>,
    /// Random numbers of its own.
    pub rng: Rng,
    /// How much a native may do here at once, see `heap::work`.
    pub work_at_once: Mode,
    pub(super) free_slots: FreeSlots,
    /// `None`: the context of a host thread, which has no queues.
    local: Option<LocalQueues>,
    run_next: Option<Handle>,
    /// Who runs after that, the last first.
    next: Vec<Handle>,
    /// Children of the running process, the first first.
    children: Vec<Handle>,
    /// It has had more of them: the others went to the queue, and so do those that follow, so that they keep their order.
    has_many_children: bool,
    /// Reductions the running process gets back when its clipped slice is over.
    clipped: i32,
    /// What the run-next process inherits.
    inherited: i32,
    /// The running process has woken some that wait in the queue, and no other worker was told.
    untold: bool,
    /// Picks until those who were woken when the slot was full have had their turn.
    crowded: usize,
    index: usize,
    unique: u64,
    /// Reductions since the worker last looked around.
    since_look: u64,
    /// What it has done.
    pub counts: Arc<Counts>,
    /// Somebody outside the machine got an answer since this was asked last.
    answered: bool,
    /// It counts as searching, see [`idle`](super::idle).
    pub(crate) searching: bool,
    /// Room for the signals of due timers.
    pub(super) due: Vec<Signal>,
}

/// What a reduction takes under virtual time: about what it takes in truth.
const VIRTUAL_NS_PER_REDUCTION: u64 = 10;

/// Bits of a reference's number below the worker's index: at a billion references a second, three days per worker... times
/// a thousand: the counter of one worker lasts for years.
const COUNTER_BITS: u32 = 52;

/// Where the counters of host threads and of the pool begin: above what the first worker, whose timers theirs are, counts up to.
pub(super) const OUTSIDE_UNIQUE: u64 = 1 << (COUNTER_BITS - 1);

/// References that the context of a host thread has for itself; one that needs more is made again.
pub(super) const OUTSIDE_REFERENCES: u64 = 1 << 20;

/// The worker whose reference this is.
pub(super) fn unique_worker(unique: u64) -> usize {
    (unique >> COUNTER_BITS) as usize
}

impl WorkerCx {
    /// The context of worker `index`.
    pub fn new(index: usize, rng: Rng, local: LocalQueues, counts: Arc<Counts>) -> WorkerCx {
        WorkerCx {
            counts,
            local: Some(local),
            x: vec![Word::NIL; X_REGISTERS].into(),
            ..WorkerCx::bare(index, rng, (index as u64) << COUNTER_BITS)
        }
    }

    /// The context of a host thread that speaks to the machine; `unique` is where its references start.
    pub(super) fn outside(index: usize, rng: Rng, unique: u64) -> WorkerCx {
        WorkerCx::bare(index, rng, unique)
    }

    /// The context of a pool thread that runs a process for a slice.
    pub(super) fn of_pool(index: usize, rng: Rng, unique: u64, work_at_once: Mode) -> WorkerCx {
        let x = vec![Word::NIL; X_REGISTERS].into();
        WorkerCx { x, work_at_once, ..WorkerCx::bare(index, rng, unique) }
    }

    fn bare(index: usize, rng: Rng, unique: u64) -> WorkerCx {
        WorkerCx {
            x: Box::default(),
            blocks: BlockCache::new(),
            fragments: FragmentCache::default(),
            process_bytes: 0,
            last_table: None,
            rng,
            work_at_once: Mode::Free,
            free_slots: FreeSlots::default(),
            local: None,
            run_next: None,
            next: Vec::new(),
            children: Vec::new(),
            has_many_children: false,
            clipped: 0,
            inherited: 0,
            untold: false,
            crowded: 0,
            index,
            unique,
            since_look: 0,
            counts: Arc::default(),
            answered: false,
            searching: false,
            due: Vec::new(),
        }
    }

    /// Its number: from 0 for workers, one past the last for host threads.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Whose wheel its timers are on: its own, or, since threads that are no workers serve no wheel, the first worker's.
    pub(super) fn timer_index(&self) -> usize {
        if self.is_outside() { 0 } else { self.index }
    }

    /// Whether the thread is no worker: a host's, or the pool's.
    pub fn is_outside(&self) -> bool {
        self.local.is_none()
    }

    /// 64 bits no other reference of this machine has.
    #[inline]
    pub fn make_unique(&mut self) -> u64 {
        self.unique += 1;
        self.unique
    }

    /// Whether a host thread's context has used up most of its references.
    pub(super) fn is_worn(&self) -> bool {
        self.unique & (OUTSIDE_REFERENCES - 1) > OUTSIDE_REFERENCES / 2
    }

    /// Somebody outside the machine gets an answer, and may ask again at once.
    #[inline]
    pub fn has_answered(&mut self) {
        self.answered = true;
    }

    /// Whether somebody got an answer since this was asked last.
    pub fn take_answered(&mut self) -> bool {
        std::mem::take(&mut self.answered)
    }

    /// Out of work: from now on it counts as searching, if it may.
    pub(crate) fn start_search(&mut self, rt: &Runtime) -> bool {
        self.searching = self.searching || rt.idle.start_search();
        self.searching
    }

    /// A searcher that has found work, or is about to do what may take long, stops searching; the last one sees to it that somebody
    /// else searches on.
    #[inline]
    pub(crate) fn leave_search(&mut self, rt: &Runtime) {
        if std::mem::take(&mut self.searching) && rt.idle.found() == Found::WakeAnother {
            // SeqCst: pairs with the fence in `to_wake`: who pushed before this and saw a searcher has made its push visible.
            fence(Ordering::SeqCst);
            if !rt.queues.is_empty() {
                rt.notify();
            }
        }
    }

    /// Queues a process that can run: one that used its slice up, or a new one.
    #[inline]
    pub fn enqueue(&mut self, rt: &Runtime, handle: Handle) {
        let priority = handle.priority;
        self.enqueue_as(rt, handle, priority);
    }

    /// Queues a process once among those of another priority.
    #[inline]
    pub fn enqueue_as(&mut self, rt: &Runtime, handle: Handle, priority: Priority) {
        match &mut self.local {
            Some(local) => local.push_as(handle, priority),
            None => rt.queues.inject_as(handle, priority),
        }
        rt.notify();
    }

    /// Queues a process that this worker is about to take itself, within a slice: the one that just ran, or the child of the one
    /// that runs. If it is the only one here nobody is woken. To let another worker have it would only cool its caches, and
    /// if it must wait because its parent goes on, the parent's end of slice finds the queue not empty, and wakes somebody.
    #[inline]
    pub fn enqueue_later(&mut self, rt: &Runtime, handle: Handle) {
        if self.run_next.is_none()
            && let Some(local) = &mut self.local
            && local.is_empty()
        {
            return local.push(handle);
        }
        self.enqueue(rt, handle);
    }

    /// Queues a new process, a child of the one that runs.
    #[inline]
    pub fn enqueue_child(&mut self, rt: &Runtime, child: Handle) {
        let may_wait = child.priority == Priority::Normal
            && self.crowded == 0
            && !self.has_many_children
            && !self.is_outside()
            && !rt.is_seeded()
            && rt.idle.sleeping() == 0;
        if may_wait && self.next.len() + self.children.len() < NEXT {
            return self.children.push(child);
        }
        let mut older = std::mem::take(&mut self.children);
        older.drain(..).for_each(|handle| self.enqueue(rt, handle));
        self.children = older;
        self.has_many_children = may_wait || self.has_many_children;
        self.enqueue_later(rt, child);
    }

    /// Queues a process just woken, by the running process `waker` if there is one.
    #[inline]
    pub fn wake(&mut self, rt: &Runtime, handle: Handle, waker: Option<&mut Process>) {
        let Some(waker) = waker else { return self.enqueue(rt, handle) };
        let Some(local) = &mut self.local else { return self.enqueue(rt, handle) };
        if rt.is_seeded() || handle.priority != waker.priority || local.has_above(handle.priority) {
            return self.enqueue(rt, handle);
        }
        if self.run_next.is_some() || self.crowded > 0 {
            let priority = handle.priority;
            local.push(handle);
            if self.run_next.is_some() {
                self.crowded = local.len(priority);
            }
            self.untold = true;
        } else {
            handle.prefetch();
            self.run_next = Some(handle);
        }
        if waker.reductions > CLIPPED {
            self.clipped = waker.reductions - CLIPPED;
            waker.budget -= self.clipped;
            waker.reductions = CLIPPED;
        }
    }

    /// The worker has looked into its own queues, and found somebody there or nobody.
    #[inline]
    pub fn picked(&mut self, found: bool) {
        self.crowded = if found { self.crowded.saturating_sub(1) } else { 0 };
    }

    /// The end of a slice, or of its clipped part: others learn of the processes woken in it.
    #[inline]
    pub fn tell_others(&mut self, rt: &Runtime) {
        if std::mem::take(&mut self.untold) {
            rt.notify();
        }
    }

    /// The running process's slice is over by its reductions. If only its clipped part is: the woken process goes to the
    /// queue, and the rest of the slice comes back.
    pub fn unclip(&mut self, rt: &Runtime) -> i32 {
        self.tell_others(rt);
        if let Some(handle) = self.run_next.take() {
            self.enqueue(rt, handle);
        }
        if !self.next.is_empty() || !self.children.is_empty() {
            self.queue_next(rt);
        }
        std::mem::take(&mut self.clipped)
    }

    /// Whether the running process, whose clipped slice is over, had better change places with the one it has woken.
    #[inline]
    pub fn may_change_places(&self, rt: &Runtime) -> bool {
        self.clipped >= LEAST
            && self.next.len() < NEXT
            && self.run_next.as_ref().is_some_and(|woken| !self.has_above(woken.priority))
            && rt.idle.sleeping() == 0
    }

    /// The running process leaves, to go on when the process it has woken has had its turn.
    pub fn change_places(&mut self, waker: Handle) {
        self.adopt_children();
        self.next.push(waker);
        self.inherited = std::mem::take(&mut self.clipped);
    }

    fn has_above(&self, priority: Priority) -> bool {
        self.local.as_ref().is_none_or(|local| local.has_above(priority))
    }

    /// The running process leaves: its children run before those who wait already.
    #[inline]
    fn adopt_children(&mut self) {
        if !self.children.is_empty() {
            self.next.extend(self.children.drain(..).rev());
        }
    }

    /// Queues those who were to run next.
    #[cold]
    fn queue_next(&mut self, rt: &Runtime) {
        self.adopt_children();
        while let Some(handle) = self.next.pop() {
            self.enqueue(rt, handle);
        }
    }

    /// What the running process would get back.
    #[inline]
    pub fn clipped(&self) -> i32 {
        self.clipped
    }

    /// What the running process would get back; it will not.
    #[inline]
    pub fn take_clipped(&mut self) -> i32 {
        std::mem::take(&mut self.clipped)
    }

    /// The running process leaves with `left` reductions: who runs next inherits all but one.
    #[inline]
    pub fn leave(&mut self, left: i32) {
        self.inherited = left - 1;
    }

    /// The run-next process and the slice it inherits.
    #[inline]
    pub fn take_run_next(&mut self, rt: &Runtime) -> Option<(Handle, i32)> {
        let inherited = std::mem::take(&mut self.inherited);
        self.has_many_children = false;
        if let Some(handle) = self.run_next.take() {
            if inherited >= LEAST {
                return Some((handle, inherited));
            }
            self.enqueue_later(rt, handle);
        }
        if self.next.is_empty() && self.children.is_empty() {
            return None;
        }
        self.adopt_children();
        if inherited > 0 && self.next.last().is_some_and(|next| !self.has_above(next.priority)) {
            return self.next.pop().map(|handle| (handle, inherited));
        }
        self.queue_next(rt);
        None
    }

    /// Whether somebody is in the run-next slot.
    pub fn has_run_next(&self) -> bool {
        self.run_next.is_some()
    }

    /// Its queues; host threads have none.
    pub fn local(&mut self) -> Option<(&mut LocalQueues, &mut Rng)> {
        self.local.as_mut().map(|local| (local, &mut self.rng))
    }

    /// Counts what the process `pid` has used of its slice.
    #[inline]
    pub fn count_reductions(&mut self, rt: &Runtime, pid: Pid, used: u64) {
        if rt.is_seeded() {
            // Work takes time under virtual time too, or timers would never fire beside a process that never waits.
            rt.clock.advance_to(rt.clock.now().saturating_add(used * VIRTUAL_NS_PER_REDUCTION));
        }
        self.since_look += used;
        self.counts.reductions.add(used);
        if self.blocks.tally.minor + self.blocks.tally.major > 0 {
            self.count_collections(rt, pid);
        }
    }

    fn count_collections(&mut self, rt: &Runtime, pid: Pid) {
        let tally = self.blocks.tally.take();
        if let Some(watcher) = rt.watcher() {
            let Tally { minor, major, freed_words, .. } = tally;
            watcher(Happening::Collected { pid, minor, major, freed_words });
        }
        self.counts.minor_collections.add(u64::from(tally.minor));
        self.counts.major_collections.add(u64::from(tally.major));
        self.counts.collected_words.add(tally.freed_words);
        self.counts.collection_ns.add(tally.ns);
    }

    /// Reductions since [`looked_around`](WorkerCx::looked_around).
    #[inline]
    pub fn reductions_since_look(&self) -> u64 {
        self.since_look
    }

    /// The worker has looked at its poll.
    pub fn looked_around(&mut self) {
        self.since_look = 0;
    }

    /// Gives back to the machine what the leaving worker keeps.
    pub fn retire(&mut self, rt: &Runtime) {
        rt.slots.give_back_all(&mut self.free_slots);
        // A leaving worker's processes are there already.
        let _ = super::limits::tell(self, rt);
        if self.is_outside() {
            rt.counts.outside.take_over(&self.counts);
        }
    }
}

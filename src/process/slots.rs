//! The slot table of one virtual machine: from a pid to its slot, and from nothing to a fresh pid.
//!
//! Slots lie in segments of 256 behind atomic pointers, made when first needed and freed with the table. A pid is the
//! serial (the number of its birth, one count for the whole table) above the index, so pids compare by age, as on BEAM: who
//! sorts processes spawned one after the other finds them in that order. Counting births costs nothing, since the living have
//! to be counted anyway: they are the births less the ends.
//!
//! No pid ever comes back, for the serials of one slot only grow: after 2^30 births the count begins anew, and a slot whose
//! last owner's serial is not below the new one is retired for ever. One round retires about as many slots as are in use at
//! its beginning; there are 2^28.
//!
//! Free indices are taken and given back through a cache of each worker ([`FreeSlots`]); the table's own list, behind a
//! lock, is touched once per half cache.

use std::cell::Cell;
use std::ptr::{NonNull, null_mut};
use std::sync::Mutex;

use super::Process;
use super::handle::Handle;
use super::signal::Signal;
use super::signal_word::{Park, Taken};
use super::slot::{Delivery, Slot, VACANT};
use crate::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use crate::term::Pid;
use crate::term::word::{SLOT_INDEX_BITS, SLOT_SERIAL_BITS};

/// Slots in a segment: 8 KiB, so that a small machine is made soon, and making one is rare for a large one.
const SEGMENT: usize = 1 << SEGMENT_BITS;
const SEGMENT_BITS: usize = 8;
/// Segments in a chunk of the directory; 1,024 by 1,024 segments cover all 28 index bits.
const CHUNK: usize = 1 << CHUNK_BITS;
const CHUNK_BITS: usize = 10;
const CHUNKS: usize = 1 << (SLOT_INDEX_BITS as usize - SEGMENT_BITS - CHUNK_BITS);

/// Free indices a worker keeps: half of it moves at a time.
const CACHE: usize = 128;

type Segment = [Slot<Process>; SEGMENT];
type Chunk = Directory<Segment, CHUNK>;

/// Boxes behind atomic pointers, made when first needed, freed with the directory and never before: finding one costs a
/// load each.
#[derive(Debug)]
struct Directory<T, const N: usize>(Box<[AtomicPtr<T>; N]>);

impl<T, const N: usize> Directory<T, N> {
    fn new() -> Directory<T, N> {
        Directory(Box::new(std::array::from_fn(|_| AtomicPtr::new(null_mut()))))
    }

    #[inline]
    fn get(&self, index: usize) -> Option<&T> {
        // Acquire: pairs with the Release in `make`; who sees the pointer sees what it points at.
        let there = self.0[index].load(Ordering::Acquire);
        // SAFETY: not null, it is a box that `make` leaked, and only dropping the directory frees it.
        unsafe { there.as_ref() }
    }

    #[cold]
    fn make(&self, index: usize, new: impl FnOnce() -> Box<T>) -> &T {
        let fresh = Box::into_raw(new());
        let kept = match self.0[index].compare_exchange(
            null_mut(),
            fresh,
            // Release: pairs with the Acquire in `get`. Acquire on failure: the other's box is read.
            Ordering::AcqRel,
            Ordering::Acquire,
        ) {
            Ok(_) => fresh,
            Err(others) => {
                // SAFETY: leaked above and published to nobody.
                drop(unsafe { Box::from_raw(fresh) });
                others
            }
        };
        // SAFETY: as in `get`.
        unsafe { &*kept }
    }
}

impl<T, const N: usize> Drop for Directory<T, N> {
    fn drop(&mut self) {
        for place in self.0.iter() {
            let there = place.load(Ordering::Relaxed);
            if !there.is_null() {
                // SAFETY: a box that `make` leaked; the directory is being dropped, so nobody refers to it any more.
                drop(unsafe { Box::from_raw(there) });
            }
        }
    }
}

/// A worker's cache of free slot indices.
#[derive(Debug, Default)]
pub struct FreeSlots(Vec<u32>);

/// The table; see the module's essay.
#[derive(Debug)]
pub struct SlotTable {
    chunks: Directory<Chunk, CHUNKS>,
    /// Indices below this were handed out at least once.
    fresh: AtomicU32,
    free: Mutex<Vec<u32>>,
    /// Owners that there ever were; the serial of the next one.
    births: AtomicU64,
    /// Owners that are gone.
    ends: AtomicU64,
    limit: usize,
}

/// What delivering a signal asks of the sender.
#[must_use]
#[derive(Debug)]
pub enum Delivered {
    /// Nothing.
    Done,
    /// The sender holds this process now and must enqueue it.
    Enqueue(Handle),
    /// Nobody is there: the signal must be bounced.
    Bounce(Signal),
}

/// What an attempt to park came to.
#[must_use]
#[derive(Debug)]
pub enum Parked {
    /// The process is parked; nothing of it may be touched any more.
    Gone,
    /// Signals have come: the process is still held.
    Signals(Handle),
}

/// There are as many processes as there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyProcesses;

impl SlotTable {
    /// A table of at most `limit` owners at a time.
    pub fn new(limit: usize) -> SlotTable {
        SlotTable::after(0, limit)
    }

    /// A table that has seen so many births, whose owners are all gone.
    fn after(births: u64, limit: usize) -> SlotTable {
        SlotTable {
            chunks: Directory::new(),
            fresh: AtomicU32::new(0),
            free: Mutex::new(Vec::new()),
            births: AtomicU64::new(births),
            ends: AtomicU64::new(births),
            limit: limit.min(1 << SLOT_INDEX_BITS),
        }
    }

    /// The slot of `pid`, whoever owns it now.
    #[inline]
    fn slot(&self, pid: Pid) -> Option<&Slot<Process>> {
        self.slot_at(pid.index())
    }

    #[inline]
    fn slot_at(&self, index: u32) -> Option<&Slot<Process>> {
        let segment = index as usize / SEGMENT;
        // The masks change nothing: an index has 28 bits.
        Some(&self.chunks.get(segment / CHUNK % CHUNKS)?.get(segment % CHUNK)?[index as usize % SEGMENT])
    }

    fn make_slot(&self, index: u32) -> &Slot<Process> {
        match self.slot_at(index) {
            Some(slot) => slot,
            None => self.make_segment(index),
        }
    }

    #[cold]
    fn make_segment(&self, index: u32) -> &Slot<Process> {
        let segment = index as usize / SEGMENT;
        let place = segment / CHUNK % CHUNKS;
        let chunk = match self.chunks.get(place) {
            Some(chunk) => chunk,
            None => self.chunks.make(place, || Box::new(Directory::new())),
        };
        let new = || {
            let slots: Box<[Slot<Process>]> = (0..SEGMENT).map(|_| Slot::default()).collect();
            slots.try_into().expect("there are as many as a segment has")
        };
        &chunk.make(segment % CHUNK, new)[index as usize % SEGMENT]
    }

    /// Takes a free slot and names its next owner.
    ///
    /// # Errors
    /// If there are as many processes as there may be.
    pub fn reserve(&self, free: &mut FreeSlots) -> Result<Pid, TooManyProcesses> {
        if self.count() >= self.limit {
            return Err(TooManyProcesses);
        }
        loop {
            let index = match free.0.pop() {
                Some(index) => index,
                None => self.refill(free)?,
            };
            let slot = self.make_slot(index);
            // Relaxed: a number. Whoever owned the slot before has drawn its own earlier, for the slot came here from it.
            let birth = self.births.fetch_add(1, Ordering::Relaxed);
            let serial = (birth & ((1 << SLOT_SERIAL_BITS) - 1)) as u32;
            let last = slot.pid();
            if last != VACANT && Pid::from_bits(last).serial() >= serial {
                // Retired: the index is forgotten, and nobody was born.
                self.ends.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            return Ok(Pid::new(index, serial));
        }
    }

    #[cold]
    fn refill(&self, free: &mut FreeSlots) -> Result<u32, TooManyProcesses> {
        let mut shared = self.free.lock().expect("no code that holds this lock panics");
        let keep = shared.len().saturating_sub(CACHE / 2);
        free.0.extend(shared.drain(keep..).rev());
        drop(shared);
        if let Some(index) = free.0.pop() {
            return Ok(index);
        }
        // Fresh indices are taken a few at a time, so that workers do not share segments' cache lines all the time.
        const BATCH: u32 = 16;
        let first = self.fresh.fetch_add(BATCH, Ordering::Relaxed);
        if first as usize + BATCH as usize > 1 << SLOT_INDEX_BITS {
            self.fresh.fetch_sub(BATCH, Ordering::Relaxed);
            return Err(TooManyProcesses);
        }
        free.0.extend((first + 1..first + BATCH).rev());
        Ok(first)
    }

    /// Opens the reserved slot for its owner, which is complete, and gives the first handle.
    pub fn open(&self, mut process: Box<Process>) -> Handle {
        let pid = process.pid;
        let slot = self.make_slot(pid.index());
        process.slot = Some(NonNull::from(slot));
        let handle = Handle::new(process);
        slot.open(pid.bits(), handle.as_ptr());
        handle
    }

    /// Gives a reserved slot back that was never opened.
    pub fn cancel(&self, free: &mut FreeSlots, pid: Pid) {
        self.ends.fetch_add(1, Ordering::Relaxed);
        self.give_back(free, pid.index());
    }

    fn give_back(&self, free: &mut FreeSlots, index: u32) {
        free.0.push(index);
        if free.0.len() > CACHE {
            let mut shared = self.free.lock().expect("no code that holds this lock panics");
            // The oldest half goes, so that the newest, still warm, is used again first.
            shared.extend(free.0.drain(..CACHE / 2));
        }
    }

    /// Gives all of a leaving worker's indices back.
    pub fn give_back_all(&self, free: &mut FreeSlots) {
        let mut shared = self.free.lock().expect("no code that holds this lock panics");
        shared.append(&mut free.0);
    }

    /// Queues a signal for whom it is addressed to.
    #[inline]
    pub fn deliver(&self, signal: Signal) -> Delivered {
        let pid = signal.to();
        let Some(slot) = self.slot(pid) else { return Delivered::Bounce(signal) };
        match slot.deliver(pid.bits(), signal) {
            Delivery::Queued => Delivered::Done,
            // SAFETY: the push has changed the word from parked, so no handle exists but the one made here.
            Delivery::Woke(body) => Delivered::Enqueue(unsafe { Handle::from_body(body) }),
            Delivery::Dead(signal) => Delivered::Bounce(signal),
        }
    }

    #[inline]
    fn own(&self, process: &Process) -> &Slot<Process> {
        let slot = process.slot.expect("a process that can be reached lives in a slot");
        // SAFETY: `open` of this table (processes do not move to another machine) pointed it at one of the table's slots, and
        // they are freed with the table.
        unsafe { slot.as_ref() }
    }

    /// Takes what is queued for the process.
    #[inline]
    pub fn take(&self, process: &Process) -> Taken<Signal> {
        self.own(process).take()
    }

    /// Whether something is queued for the process.
    #[inline]
    pub fn has_signals(&self, process: &Process) -> bool {
        self.own(process).has_signals()
    }

    /// Whether a signal is queued that is sure to end the process of that pid, which the caller holds: an `exit/2` that it
    /// cannot or does not trap. (A link's exit is only looked at when it is handled.)
    pub fn is_doomed(&self, pid: Pid, traps: bool) -> bool {
        let ends = |signal: &Signal| signal.to() == pid && signal.is_deadly(traps);
        self.slot(pid).is_some_and(|slot| slot.any(ends))
    }

    /// Messages that are queued for the process, and their bytes. Only for its owner, who does not take them meanwhile.
    pub fn queued(&self, pid: Pid) -> (usize, usize) {
        let (messages, bytes) = (Cell::new(0), Cell::new(0));
        let count = |signal: &Signal| {
            messages.set(messages.get() + 1);
            bytes.set(bytes.get() + signal.content().bytes());
            false
        };
        let _ = self.slot(pid).is_some_and(|slot| slot.any(count));
        (messages.get(), bytes.get())
    }

    /// Parks the process.
    #[inline]
    pub fn park(&self, handle: Handle) -> Parked {
        match self.own(&handle).park() {
            Park::Parked => Parked::Gone,
            Park::Signals => Parked::Signals(handle),
        }
    }

    /// The moment of death; what was queued comes back, to be bounced.
    pub fn close(&self, process: &Process) -> Taken<Signal> {
        self.own(process).close()
    }

    /// A name is being registered for `pid`; whether it is alive after that was noted.
    pub fn note_name(&self, pid: Pid) -> bool {
        self.slot(pid).is_some_and(|slot| {
            slot.note_name();
            slot.is_alive(pid.bits())
        })
    }

    /// A timer for `pid` was armed; whether it is alive after that was noted.
    pub fn note_timer(&self, pid: Pid) -> bool {
        self.slot(pid).is_some_and(|slot| {
            slot.note_timer();
            slot.is_alive(pid.bits())
        })
    }

    /// Whether timers may be armed for the process.
    pub fn may_have_timers(&self, process: &Process) -> bool {
        self.own(process).may_have_timers()
    }

    /// Whether a name may be registered for the process.
    pub fn may_have_name(&self, process: &Process) -> bool {
        self.own(process).may_have_name()
    }

    /// Frees the dead process and its slot.
    pub fn release(&self, free: &mut FreeSlots, handle: Handle) {
        let index = handle.pid.index();
        debug_assert!(self.own(&handle).body_at_teardown().is_none(), "only the dead are released");
        handle.free();
        self.ends.fetch_add(1, Ordering::Relaxed);
        self.give_back(free, index);
    }

    /// Whether the process of that pid is alive: a fact about one moment.
    pub fn is_alive(&self, pid: Pid) -> bool {
        self.slot(pid).is_some_and(|slot| slot.is_alive(pid.bits()))
    }

    /// Whether the process of that pid waits with nothing queued: a fact about one moment.
    pub fn is_parked(&self, pid: Pid) -> bool {
        self.slot(pid)
            .is_some_and(|slot| slot.is_alive(pid.bits()) && slot.is_parked() && slot.is_alive(pid.bits()))
    }

    /// How many owners there are, the dying included.
    pub fn count(&self) -> usize {
        // Relaxed: a count that need not be exact under races. The ends are read first, so that none of them lacks its birth.
        let ends = self.ends.load(Ordering::Relaxed);
        self.births.load(Ordering::Relaxed).saturating_sub(ends) as usize
    }

    /// How many owners there may be.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Places that [`SlotTable::pids`] looks at.
    pub fn places(&self) -> u32 {
        // Relaxed: what is read behind it says itself whether it is there.
        self.fresh.load(Ordering::Relaxed)
    }

    /// Pids of all living owners, the oldest first.
    pub fn pids(&self) -> Vec<Pid> {
        let end = self.places();
        let mut pids: Vec<Pid> = (0..end)
            .filter_map(|index| {
                let slot = self.slot_at(index)?;
                let pid = slot.pid();
                (pid != VACANT && slot.is_alive(pid)).then(|| Pid::from_bits(pid))
            })
            .collect();
        pids.sort_unstable();
        pids
    }
}

impl Drop for SlotTable {
    fn drop(&mut self) {
        let used = 0..self.fresh.load(Ordering::Relaxed);
        for slot in used.filter_map(|index| self.slot_at(index)) {
            if let Some(body) = slot.body_at_teardown() {
                drop(slot.close::<Signal>());
                // SAFETY: the table is being dropped, so nobody else runs, and each owner is met once.
                unsafe { Handle::from_body(body) }.free();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atom::known;
    use crate::heap::{Account, Heap, Policy};
    use crate::process::state::Entry;

    fn born(table: &SlotTable, free: &mut FreeSlots) -> Handle {
        let pid = table.reserve(free).expect("there are few");
        let heap = Heap::new(Account::root(), Policy::default()).expect("memory");
        let entry = Entry { module: known::ERLANG, function: known::APPLY, arity: 2 };
        table.open(Process::new(pid, heap, entry))
    }

    fn ends(table: &SlotTable, free: &mut FreeSlots, handle: Handle) {
        drop(table.close(&handle));
        table.release(free, handle);
    }

    #[test]
    fn the_younger_compares_greater_whatever_slot_it_has() {
        let table = SlotTable::new(1000);
        let mut workers = [FreeSlots::default(), FreeSlots::default()];
        let (mut living, mut last) = (Vec::new(), None);
        for step in 0..1000_usize {
            let free = &mut workers[step / 7 % 2];
            let handle = born(&table, free);
            assert!(last < Some(handle.pid), "{last:?} {:?}", handle.pid);
            last = Some(handle.pid);
            living.push(handle);
            if step % 3 > 0 {
                ends(&table, free, living.remove(step % living.len()));
            }
        }
        let pids: Vec<Pid> = living.iter().map(|handle| handle.pid).collect();
        assert_eq!((table.count(), table.pids()), (pids.len(), pids));
        living.into_iter().for_each(|handle| ends(&table, &mut workers[0], handle));
        assert_eq!(table.count(), 0);
    }

    #[test]
    fn no_pid_comes_back_when_the_births_are_counted_anew() {
        let table = SlotTable::after((1 << SLOT_SERIAL_BITS) - 50, 1000);
        let mut free = FreeSlots::default();
        let stays = born(&table, &mut free);
        let mut seen = std::collections::BTreeSet::from([stays.pid]);
        for _ in 0..200 {
            let handle = born(&table, &mut free);
            assert!(seen.insert(handle.pid), "{:?} for the second time", handle.pid);
            assert!(table.is_alive(handle.pid) && table.is_alive(stays.pid));
            ends(&table, &mut free, handle);
        }
        assert!(seen.iter().any(|pid| pid.serial() == (1 << SLOT_SERIAL_BITS) - 1));
        assert!(seen.iter().any(|pid| pid.serial() == 100));
        ends(&table, &mut free, stays);
        assert_eq!(table.count(), 0);
    }
}

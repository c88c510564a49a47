//! Timers: of receives, and of `send_after` and `start_timer`.
//!
//! Every worker has a wheel of its own behind a small lock, so that arming is local, and any worker can cancel or read a
//! timer at once. The number of a reference tells whose wheel its timer is on ([`make_unique`](super::WorkerCx::make_unique) puts the worker into
//! it). The first deadline of each wheel also stands in an atomic, which its worker compares at every pick.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use super::limits::Paid;
use super::wheel::{Key, Wheel};
use super::{Runtime, WorkerCx};
use crate::atom::Atom;
use crate::heap::Fragment;
use crate::process::{Process, Signal, SignalKind};
use crate::term::{Pid, Word};

/// Where a timer's message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A process.
    Pid(Pid),
    /// Whoever has the name when it fires.
    Name(Atom),
}

/// What happens when an entry is due.
#[derive(Debug)]
enum Event {
    /// A receive's time-out.
    Receive { pid: Pid, number: u64 },
    /// A message of `send_after` or `start_timer`.
    Message { to: Destination, message: Fragment, reference: u64, paid: Option<Paid> },
    /// The end of a process's time.
    Expiry { pid: Pid, reference: u64 },
}

impl Event {
    /// What it is found by.
    fn key(&self) -> u64 {
        match self {
            Event::Message { reference, .. } | Event::Expiry { reference, .. } => *reference,
            Event::Receive { pid, .. } => receive_key(*pid),
        }
    }

    /// Whose death cancels it.
    fn receiver(&self) -> Option<Pid> {
        match self {
            Event::Message { to: Destination::Pid(pid), .. } | Event::Expiry { pid, .. } => Some(*pid),
            _ => None,
        }
    }
}

/// One worker's timers.
#[derive(Debug)]
pub struct Timers {
    shared: Mutex<Shared>,
    /// Not later than the first deadline; `u64::MAX` for none.
    first: AtomicU64,
}

#[derive(Debug, Default)]
struct Shared {
    wheel: Wheel<Event>,
    by_reference: HashMap<u64, Key, Unhashed>,
    /// Pids that messages go to, with the references: what to cancel when a process dies.
    by_receiver: BTreeSet<(u64, u64)>,
}

impl Shared {
    /// The timer is on the wheel no more.
    fn forget(&mut self, event: &Event) {
        if let Some(pid) = event.receiver() {
            self.by_receiver.remove(&(pid.bits(), event.key()));
        }
    }
}

/// References are counters: their low bits spread well enough by one multiplication.
type Unhashed = std::hash::BuildHasherDefault<MixHasher>;

/// Hashes one `u64` by a multiplication.
#[derive(Debug, Default)]
pub struct MixHasher(u64);

impl std::hash::Hasher for MixHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
}

impl Default for Timers {
    fn default() -> Self {
        Timers { shared: Mutex::default(), first: AtomicU64::new(u64::MAX) }
    }
}

impl Timers {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().expect("no code that holds this lock panics")
    }

    /// Not later than the first deadline.
    #[inline]
    pub fn first(&self) -> u64 {
        // Relaxed: only the own worker arms, and a cancelled timer's deadline only makes it look once too often.
        self.first.load(Ordering::Relaxed)
    }

    fn note_first(&self, shared: &Shared) {
        self.first.store(shared.wheel.next_deadline().unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    fn arm(&self, deadline: u64, event: Event) {
        let mut shared = self.lock();
        let reference = event.key();
        if let Some(pid) = event.receiver() {
            shared.by_receiver.insert((pid.bits(), reference));
        }
        let key = shared.wheel.arm(deadline, event);
        shared.by_reference.insert(reference, key);
        if deadline < self.first() {
            self.first.store(deadline, Ordering::Relaxed);
        }
    }

    fn cancel(&self, reference: u64) -> Option<(u64, Event)> {
        let mut shared = self.lock();
        let key = shared.by_reference.remove(&reference)?;
        let (deadline, event) = shared.wheel.cancel(key)?;
        shared.forget(&event);
        Some((deadline, event))
    }

    /// Cancels all that would send messages to this process.
    fn cancel_for(&self, pid: Pid) {
        let mut shared = self.lock();
        let (from, to) = ((pid.bits(), 0), (pid.bits(), u64::MAX));
        while let Some(&(owner, reference)) = shared.by_receiver.range(from..=to).next() {
            shared.by_receiver.remove(&(owner, reference));
            if let Some(key) = shared.by_reference.remove(&reference) {
                drop(shared.wheel.cancel(key));
            }
        }
    }
}

/// Receive timers are found by their process; references have the top bit clear.
fn receive_key(pid: Pid) -> u64 {
    1 << 63 | pid.bits()
}

/// What `wait_timeout` is to do.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitTimeout {
    /// Leave the slice with `SliceEnd::Wait`.
    Wait,
    /// The time has run out: go on behind the receive.
    TimedOut,
}

/// A receive with a time-out has seen all messages. The first time it sets the deadline, `milliseconds` from now; while the
/// receive lasts the deadline stays, so a message that does not match does not prolong it.
pub fn wait_timeout(rt: &Runtime, process: &mut Process, milliseconds: u64) -> WaitTimeout {
    if milliseconds == 0 {
        return WaitTimeout::TimedOut;
    }
    let now = rt.clock.now();
    let timer = process.timer.get_or_insert_default();
    if timer.deadline == u64::MAX {
        timer.deadline = now.saturating_add(milliseconds.saturating_mul(1_000_000)).min(u64::MAX - 1);
    }
    if now >= timer.deadline { WaitTimeout::TimedOut } else { WaitTimeout::Wait }
}

/// The receive is over, by a message or by its time-out.
#[inline]
pub fn end_receive(process: &mut Process) {
    if let Some(timer) = &mut process.timer {
        timer.deadline = u64::MAX;
    }
}

/// Whether the process waits in a receive whose time has run out.
pub fn is_timed_out(rt: &Runtime, process: &Process) -> bool {
    process.timer.as_ref().is_some_and(|timer| timer.deadline != u64::MAX && rt.clock.now() >= timer.deadline)
}

/// Arms what the parking process's receive needs. Before the park: afterwards it may not be touched.
#[inline]
pub fn arm_receive(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) {
    let Some(timer) = &mut process.timer else { return };
    if timer.deadline == u64::MAX || timer.armed <= timer.deadline {
        return;
    }
    if timer.armed != u64::MAX {
        rt.timers[timer.number as usize & WORKER_MASK].cancel(receive_key(process.pid));
    }
    // The number tells the worker whose wheel it is, and one arming from the next.
    timer.number = ((timer.number >> WORKER_BITS) + 1) << WORKER_BITS | worker.timer_index() as u64;
    timer.armed = timer.deadline;
    let event = Event::Receive { pid: process.pid, number: timer.number };
    rt.timers[worker.timer_index()].arm(timer.deadline, event);
}

const WORKER_BITS: u32 = 11;
const WORKER_MASK: usize = (1 << WORKER_BITS) - 1;

/// A `Timeout` signal has come.
pub fn receive_timer_fired(process: &mut Process, number: u64) {
    if let Some(timer) = &mut process.timer
        && timer.number == number
    {
        timer.armed = u64::MAX;
    }
}

/// Disarms the receive timer of an exiting process.
pub fn disarm_receive(rt: &Runtime, process: &mut Process) {
    if let Some(timer) = &mut process.timer
        && timer.armed != u64::MAX
    {
        rt.timers[timer.number as usize & WORKER_MASK].cancel(receive_key(process.pid));
        timer.armed = u64::MAX;
    }
}

/// Arms a timer that sends `message` at `deadline` (nanoseconds of the machine's clock); `reference` was made by this worker.
pub fn arm_message(
    worker: &WorkerCx,
    rt: &Runtime,
    deadline: u64,
    to: Destination,
    message: Fragment,
    reference: u64,
    armer: &Process,
) {
    let paid = Paid::by(armer, TIMER_BYTES + message.bytes());
    arm(worker, rt, deadline, Event::Message { to, message, reference, paid });
}

/// What a timer takes on the wheel and in the tables beside it, about.
const TIMER_BYTES: usize = 400;

/// Arms the end of a process's time, at `deadline`.
pub fn arm_expiry(worker: &mut WorkerCx, rt: &Runtime, deadline: u64, pid: Pid) {
    let reference = worker.make_unique();
    arm(worker, rt, deadline, Event::Expiry { pid, reference });
}

fn arm(worker: &WorkerCx, rt: &Runtime, deadline: u64, event: Event) {
    let (receiver, reference) = (event.receiver(), event.key());
    rt.timers[worker.timer_index()].arm(deadline, event);
    if worker.is_outside() {
        // A worker on its way to sleep is in the list of sleepers before it looks at its wheel, whose lock we have just given
        // back: either it sees the timer there, or we see it in the list.
        rt.nudge(worker.timer_index());
    }
    // Whoever dies between the two has not seen the note: the timer is for nobody.
    if let Some(pid) = receiver
        && !rt.slots.note_timer(pid)
    {
        rt.timers[worker.timer_index()].cancel(reference);
    }
}

/// A process has died: its timers go with it.
pub fn receiver_died(rt: &Runtime, pid: Pid) {
    for timers in &rt.timers {
        timers.cancel_for(pid);
    }
}

fn timers_of(rt: &Runtime, reference: u64) -> Option<&Timers> {
    rt.timers.get(super::worker::unique_worker(reference))
}

/// Cancels a timer: nanoseconds left, or `None` if there is none of that reference (any more).
pub fn cancel(rt: &Runtime, reference: u64) -> Option<u64> {
    let (deadline, event) = timers_of(rt, reference)?.cancel(reference)?;
    reaches_somebody(rt, &event).then(|| deadline.saturating_sub(rt.clock.now()))
}

/// Nanoseconds left of a timer.
pub fn read(rt: &Runtime, reference: u64) -> Option<u64> {
    let shared = timers_of(rt, reference)?.lock();
    let (deadline, event) = shared.wheel.get(*shared.by_reference.get(&reference)?)?;
    reaches_somebody(rt, event).then(|| deadline.saturating_sub(rt.clock.now()))
}

/// A timer whose receiver has died counts as cancelled.
fn reaches_somebody(rt: &Runtime, event: &Event) -> bool {
    match event {
        Event::Message { to: Destination::Pid(pid), .. } => rt.slots.is_alive(*pid),
        _ => true,
    }
}

/// How late another worker's timers may be before they are served for it: well above what a slice takes.
pub const RESCUE_NS: u64 = 5_000_000;

/// Serves the timers of workers that are held up (by a long native): whoever looks around does.
pub fn rescue(worker: &mut WorkerCx, rt: &Runtime) {
    let late = |timers: &Timers, now: u64| timers.first().saturating_add(RESCUE_NS) <= now;
    if rt.timers.iter().all(|timers| timers.first() == u64::MAX) {
        return;
    }
    let now = rt.clock.now();
    for index in 0..rt.timers.len() {
        if index != worker.timer_index() && late(&rt.timers[index], now) {
            expire(worker, rt, index);
        }
    }
}

/// Sends what is due on the wheel of worker `index`: the worker's own, as a rule.
pub fn expire(worker: &mut WorkerCx, rt: &Runtime, index: usize) {
    let now = rt.clock.now();
    let timers = &rt.timers[index];
    let mut due = std::mem::take(&mut worker.due);
    {
        let mut shared = timers.lock();
        let mut events = Vec::new();
        shared.wheel.expire(now, &mut events);
        for (_, event) in &events {
            shared.by_reference.remove(&event.key());
            shared.forget(event);
        }
        timers.note_first(&shared);
        due.extend(events.into_iter().filter_map(|(_, event)| signal_of(rt, event)));
    }
    for signal in due.drain(..) {
        rt.deliver(worker, signal);
    }
    worker.due = due;
}

fn signal_of(rt: &Runtime, event: Event) -> Option<Signal> {
    match event {
        Event::Receive { pid, number } => Signal::bare(SignalKind::Timeout, pid, Word::NIL, number).ok(),
        Event::Expiry { pid, .. } => Signal::bare(SignalKind::Expired, pid, Word::NIL, 0).ok(),
        Event::Message { to, message, paid, .. } => {
            // From here on it is its receiver's.
            drop(paid);
            let pid = match to {
                Destination::Pid(pid) => pid,
                Destination::Name(name) => rt.names.pid(name)?,
            };
            Some(Signal::new(SignalKind::Message, pid, message))
        }
    }
}

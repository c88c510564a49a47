//! Threads that many machines share.
//!
//! A machine of a pool has one worker and no thread: it is a *seat*, which the pool's threads run for a while whenever it has
//! something to do. So a thousand machines, one for each tenant or document, cost a thousand heaps and no thousand threads, and a
//! busy one gets no more than its turn.
//!
//! A seat is idle, queued, running, or running and rung: rung at by somebody while it runs, so that it is queued again. Whoever
//! changes idle to queued puts it into the queue; it is there once at most.
//!
//! A thread that has just answered somebody outside looks for the next question for some microseconds before it sleeps, as the
//! workers of a machine of its own do; who queues a seat wakes nobody while enough threads look.
//!
//! Rejected: a lock around the seat's state, taken by every wake; the state is one atomic, as the tasks of executors have it.

use std::collections::{BinaryHeap, VecDeque};
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use crate::error::Error;
use crate::runtime::Runtime;
use crate::runtime::clock::host_ns;
use crate::runtime::idle::MAX_WORKERS;
use crate::runtime::queues::LocalQueues;
use crate::sched::{Driver, Idleness};

/// Slices of a machine before the next one has its turn: a few milliseconds at most.
const SLICES: usize = 50;

/// How long a thread looks for the next question of somebody who got an answer just now; as a machine's own threads do.
const LOOK_NS: u64 = 20_000;

/// Threads that run the processes of many machines: see [`Builder::pool`](crate::Builder::pool).
///
/// Clones are the same pool. Its threads start when there is work for them, and end when the last handle and the last machine of
/// the pool are gone.
///
/// ```
/// # fn main() -> Result<(), erlet::Error> {
/// use erlet::{Pool, Vm};
/// let pool = Pool::new(2)?;
/// let machines: Vec<Vm> =
///     (0..10).map(|_| Vm::builder().pool(&pool).build()).collect::<Result<_, _>>()?;
/// for (n, vm) in machines.iter().enumerate() {
///     assert_eq!(vm.call::<usize>("erlang", "*", (n, n))?, n * n);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Pool(Arc<Handle>);

/// Held by handles and seats, and not by the threads.
struct Handle(Arc<Shared>);

struct Shared {
    most: usize,
    state: Mutex<State>,
    /// How many seats are queued, for threads that look without the lock.
    queued: AtomicUsize,
    work: Condvar,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Arc<Seat>>,
    timers: BinaryHeap<Alarm>,
    threads: usize,
    idle: usize,
    /// Threads that look for a seat, and find it without being woken.
    looking: usize,
    is_closed: bool,
}

/// When a seat is to be rung at; the first is the greatest.
struct Alarm {
    at: u64,
    seat: Weak<Seat>,
}

impl PartialEq for Alarm {
    fn eq(&self, other: &Alarm) -> bool {
        self.at == other.at
    }
}

impl Eq for Alarm {}

impl PartialOrd for Alarm {
    fn partial_cmp(&self, other: &Alarm) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Alarm {
    fn cmp(&self, other: &Alarm) -> std::cmp::Ordering {
        other.at.cmp(&self.at)
    }
}

/// The place of a machine in its pool.
pub(super) struct Seat {
    pool: Pool,
    state: AtomicU8,
    /// The time of its alarm, `u64::MAX` if it has none: it has one at a time, but for one that an earlier one came before.
    alarm: AtomicU64,
    /// Locked by the thread that runs it; taken out when the machine is over.
    driver: Mutex<Option<Driver>>,
}

const IDLE: u8 = 0;
const QUEUED: u8 = 1;
const RUNNING: u8 = 2;
const RUNG: u8 = 3;

impl Pool {
    /// A pool of at most `threads` threads.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let pool = erlet::Pool::new(4)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Setting`] for no threads, or more than 1,024.
    pub fn new(threads: usize) -> Result<Pool, Error> {
        if threads == 0 || threads > MAX_WORKERS {
            return Err(Error::Setting("a pool has 1 to 1024 threads"));
        }
        let shared = Shared {
            most: threads,
            state: Mutex::default(),
            queued: AtomicUsize::new(0),
            work: Condvar::new(),
        };
        Ok(Pool(Arc::new(Handle(Arc::new(shared)))))
    }

    /// Gives a machine its place.
    pub(super) fn seat(&self, rt: &Arc<Runtime>, local: LocalQueues) -> std::io::Result<Arc<Seat>> {
        let driver = Driver::new(Arc::clone(rt), 0, local, false)?;
        let seat = Seat {
            pool: self.clone(),
            state: AtomicU8::new(QUEUED),
            alarm: AtomicU64::new(u64::MAX),
            driver: Mutex::new(Some(driver)),
        };
        let seat = Arc::new(seat);
        let weak = Arc::downgrade(&seat);
        rt.set_starter(Box::new(move |_| {
            if let Some(seat) = weak.upgrade() {
                seat.ring();
            }
        }));
        self.shared().push(Arc::clone(&seat));
        Ok(seat)
    }

    fn shared(&self) -> &Arc<Shared> {
        &self.0.0
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("threads", &self.shared().most).finish_non_exhaustive()
    }
}

impl Drop for Handle {
    /// Nobody can queue anything any more.
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.work.notify_all();
    }
}

impl Seat {
    /// It has something to run.
    fn ring(self: &Arc<Seat>) {
        // AcqRel: what was queued for the machine before is seen by whoever runs it next.
        let rung = self.state.fetch_update(Ordering::AcqRel, Ordering::Acquire, |state| match state {
            IDLE => Some(QUEUED),
            RUNNING => Some(RUNG),
            _ => None,
        });
        if rung == Ok(IDLE) {
            self.pool.shared().push(Arc::clone(self));
        }
    }

    /// Runs it for its turn: whether it is to be queued again, and when it is to be rung at; `answered` is set if somebody
    /// outside got an answer.
    fn run(self: &Arc<Seat>, answered: &mut bool) -> (bool, Option<u64>) {
        self.state.store(RUNNING, Ordering::Release);
        let mut place = self.driver.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(driver) = place.as_mut() else { return (false, None) };
        let idleness = driver.run_until_idle(SLICES);
        *answered |= driver.may_be_asked_again();
        let alarm = match idleness {
            Idleness::Budget => {
                self.state.store(QUEUED, Ordering::Release);
                return (true, None);
            }
            Idleness::Until(nanoseconds) => Some(host_ns().saturating_add(nanoseconds)),
            Idleness::Quiet => None,
            Idleness::Halted(_) => {
                *place = None;
                return (false, None);
            }
        };
        if driver.is_over() {
            *place = None;
            return (false, None);
        }
        let is_idle = driver.arm();
        drop(place);
        let rests = self.state.compare_exchange(RUNNING, IDLE, Ordering::AcqRel, Ordering::Acquire).is_ok();
        if is_idle && rests {
            return (false, alarm);
        }
        // Whoever rang has left the queueing to this thread; if it has just rested, it may be queued by another meanwhile.
        match self.state.compare_exchange(RUNG, QUEUED, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => (true, None),
            Err(_) => {
                (self.state.compare_exchange(IDLE, QUEUED, Ordering::AcqRel, Ordering::Acquire).is_ok(), None)
            }
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics between two changes.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(self: &Arc<Shared>, seat: Arc<Seat>) {
        let mut state = self.lock();
        state.queue.push_back(seat);
        self.queued.store(state.queue.len(), Ordering::Relaxed);
        if state.queue.len() <= state.looking {
            return;
        }
        // A thread that was notified counts as idle until it has the lock.
        let is_short = state.queue.len() > state.looking + state.idle;
        if is_short && state.threads < self.most {
            state.threads += 1;
            drop(state);
            let shared = Arc::clone(self);
            let started =
                std::thread::Builder::new().name("erlet-shared".into()).spawn(move || shared.serve());
            if started.is_err() {
                // The other threads do its work; without any, the next push tries again.
                self.lock().threads -= 1;
                self.work.notify_one();
            }
        } else if state.idle > 0 {
            drop(state);
            self.work.notify_one();
        }
    }

    /// Looks for a queued seat, without the lock, for a short while.
    fn look(&self) {
        let start = host_ns();
        // Relaxed: the caller looks again under the lock.
        while self.queued.load(Ordering::Relaxed) == 0 && host_ns().saturating_sub(start) < LOOK_NS {
            std::hint::spin_loop();
        }
    }

    fn serve(self: &Arc<Shared>) {
        let mut answered = false;
        let mut state = self.lock();
        loop {
            let now = host_ns();
            if state.timers.peek().is_some_and(|alarm| alarm.at <= now)
                && let Some(alarm) = state.timers.pop()
            {
                let seat = alarm.seat.upgrade();
                if let Some(seat) = &seat {
                    seat.alarm.store(u64::MAX, Ordering::Relaxed);
                }
                drop(state);
                // It may be the last of its machine and of the pool, whose end takes the lock.
                if let Some(seat) = seat {
                    seat.ring();
                }
                state = self.lock();
                continue;
            }
            if let Some(seat) = state.queue.pop_front() {
                self.queued.store(state.queue.len(), Ordering::Relaxed);
                drop(state);
                let (again, alarm) = seat.run(&mut answered);
                state = self.lock();
                // Relaxed: alarms are set and go off under the pool's lock.
                if let Some(at) = alarm.filter(|at| *at < seat.alarm.load(Ordering::Relaxed)) {
                    seat.alarm.store(at, Ordering::Relaxed);
                    state.timers.push(Alarm { at, seat: Arc::downgrade(&seat) });
                }
                if again {
                    state.queue.push_back(seat);
                    self.queued.store(state.queue.len(), Ordering::Relaxed);
                } else {
                    // It may be the last of its machine and of the pool, whose end takes the lock.
                    drop(state);
                    drop(seat);
                    state = self.lock();
                }
                continue;
            }
            if state.is_closed {
                break;
            }
            if std::mem::take(&mut answered) {
                state.looking += 1;
                drop(state);
                self.look();
                state = self.lock();
                state.looking -= 1;
                continue;
            }
            state.idle += 1;
            let limit = state.timers.peek().map(|alarm| Duration::from_nanos(alarm.at.saturating_sub(now)));
            state = match limit {
                None => self.work.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(limit) => self.work.wait_timeout(state, limit).unwrap_or_else(PoisonError::into_inner).0,
            };
            state.idle -= 1;
        }
        state.threads -= 1;
    }
}

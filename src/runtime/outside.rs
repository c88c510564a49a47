//! Threads that are no workers: what they borrow to speak to the machine, and who of them waits for it.
//!
//! A host thread that spawns, sends or asks needs a context of a worker's kind: caches, a generator, references of its own.
//! Making one takes longer than most of what is done with it, so contexts are kept and lent ([`Runtime::lend`]).
//!
//! Threads and tasks that wait for something of the machine's leave a waker here as well, since the machine may be stopped
//! before what they wait for comes.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::Waker;

use super::{Runtime, WorkerCx};

/// Most contexts kept: as many as threads that speak at the same moment on a large host.
const KEPT: usize = 64;

/// What host threads share.
#[derive(Debug, Default)]
pub struct Outside {
    #[allow(clippy::vec_box, reason = "contexts are large and are taken out and put back all the time")]
    contexts: Mutex<Vec<Box<WorkerCx>>>,
    waiting: Mutex<slab::Slab<Waker>>,
    /// Answers that are on their way from outside; see [`Expected`].
    expected: AtomicUsize,
    /// Threads of the machine's own that run processes.
    threads: AtomicUsize,
    /// One more than the core on which somebody began to wait last; 0 if that is not known. A hint.
    waits_on: AtomicUsize,
    /// The worker that answered last shares its core with who waited: whoever spins holds the other one up. A hint.
    shares_a_core: AtomicBool,
}

/// Whether the host has several cores: asking reads files.
static PARALLEL: OnceLock<bool> = OnceLock::new();

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing panics between two changes.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A lent context; dropping it gives it back.
pub struct Lent<'r> {
    rt: &'r Runtime,
    /// `None` only while it is dropped.
    worker: Option<Box<WorkerCx>>,
}

impl Deref for Lent<'_> {
    type Target = WorkerCx;

    fn deref(&self) -> &WorkerCx {
        self.worker.as_ref().expect("it is there until it is dropped")
    }
}

impl DerefMut for Lent<'_> {
    fn deref_mut(&mut self) -> &mut WorkerCx {
        self.worker.as_mut().expect("it is there until it is dropped")
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let Some(mut worker) = self.worker.take() else { return };
        if worker.is_worn() {
            return worker.retire(self.rt);
        }
        self.rt.counts.outside.take_over(&worker.counts);
        let mut kept = lock(&self.rt.outside.contexts);
        if kept.len() < KEPT {
            return kept.push(worker);
        }
        drop(kept);
        worker.retire(self.rt);
    }
}

/// A place among those who wait.
#[derive(Debug)]
pub struct WaitingKey(usize);

/// The same, given up when dropped.
#[derive(Debug)]
pub struct Waiting<'r> {
    rt: &'r Runtime,
    key: usize,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.rt.stop_waiting(WaitingKey(self.key));
    }
}

/// Somebody outside is going to answer a process: a machine that is driven by its caller and has nothing to run waits for
/// it instead of giving up.
#[derive(Debug)]
pub struct Expected<'r>(&'r Runtime);

impl Drop for Expected<'_> {
    fn drop(&mut self) {
        // Relaxed: the driver looks again when it is woken, which orders.
        self.0.outside.expected.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A thread of the machine's own, while it runs processes.
pub struct Presence(Arc<Runtime>);

impl Presence {
    /// The thread has come.
    pub fn of(rt: &Arc<Runtime>) -> Presence {
        // Relaxed: a count.
        rt.outside.threads.fetch_add(1, Ordering::Relaxed);
        Presence(Arc::clone(rt))
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.0.outside.threads.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Outside {
    /// How many threads of the machine's own there are.
    pub fn threads(&self) -> usize {
        self.threads.load(Ordering::Relaxed)
    }
}

/// One more than the core that the thread is on; 0 if the system does not say.
fn core() -> usize {
    #[cfg(target_os = "linux")]
    return rustix::thread::sched_getcpu() + 1;
    #[cfg(not(target_os = "linux"))]
    return 0;
}

impl Runtime {
    /// A context for a thread that is no worker, for a short while: what it enqueues goes to the injectors.
    pub fn lend(&self) -> Lent<'_> {
        let kept = lock(&self.outside.contexts).pop();
        let worker = kept.unwrap_or_else(|| Box::new(self.outside()));
        Lent { rt: self, worker: Some(worker) }
    }

    /// From now on `waker` is woken when the machine halts or is stopped. The caller must look at [`Runtime::is_over`] once more
    /// before it sleeps.
    pub fn wait_outside(&self, waker: &Waker) -> Waiting<'_> {
        self.outside.waits_on.store(core(), Ordering::Relaxed);
        let key = lock(&self.outside.waiting).insert(waker.clone());
        Waiting { rt: self, key }
    }

    /// The same for a task, which may be polled with another waker each time.
    pub fn keep_waiting(&self, place: &mut Option<WaitingKey>, waker: &Waker) {
        self.outside.waits_on.store(core(), Ordering::Relaxed);
        let mut waiting = lock(&self.outside.waiting);
        let old = match place.as_ref().and_then(|key| waiting.get_mut(key.0)) {
            Some(old) if old.will_wake(waker) => None,
            Some(old) => Some(std::mem::replace(old, waker.clone())),
            None => {
                *place = Some(WaitingKey(waiting.insert(waker.clone())));
                None
            }
        };
        drop(waiting);
        // Outside the lock: it is foreign code.
        drop(old);
    }

    /// Gives the place up.
    pub fn stop_waiting(&self, key: WaitingKey) {
        let waker = lock(&self.outside.waiting).try_remove(key.0);
        drop(waker);
    }

    /// Whether several threads can run at the same time, so that one may spin for another.
    pub fn is_parallel(&self) -> bool {
        *PARALLEL.get_or_init(|| std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1))
    }

    /// What a thread has waited for has come before it slept.
    #[inline]
    pub fn waits_no_more(&self) {
        // A look first, so that the line stays with everybody.
        if self.outside.waits_on.load(Ordering::Relaxed) != 0 {
            self.outside.waits_on.store(0, Ordering::Relaxed);
        }
    }

    /// A worker that has answered somebody outside asks whether to spin for the next question: not if who asks was last seen on
    /// this thread's core, where it cannot run before this thread sleeps.
    pub fn may_spin_for_outside(&self) -> bool {
        let waits_on = self.outside.waits_on.load(Ordering::Relaxed);
        let shares = waits_on != 0 && waits_on == core();
        if self.outside.shares_a_core.load(Ordering::Relaxed) != shares {
            self.outside.shares_a_core.store(shares, Ordering::Relaxed);
        }
        !shares && self.is_parallel()
    }

    /// Whether a thread that waits for an answer may spin: not if the last one came from this core. (Of several idle cores the system
    /// takes another one for the worker; when it has, the next one may.)
    pub fn may_spin_for_answer(&self) -> bool {
        self.is_parallel() && !self.outside.shares_a_core.load(Ordering::Relaxed)
    }

    /// Somebody outside is going to answer.
    pub fn expect_from_outside(&self) -> Expected<'_> {
        self.outside.expected.fetch_add(1, Ordering::Relaxed);
        Expected(self)
    }

    /// Whether somebody outside is going to answer.
    pub fn expects_from_outside(&self) -> bool {
        self.outside.expected.load(Ordering::Relaxed) > 0
    }

    /// Whether nothing runs any more.
    pub fn is_over(&self) -> bool {
        self.is_stopping() || self.halted().is_some()
    }

    /// The machine is over: tells all who wait.
    pub(super) fn wake_outside(&self) {
        let waiting: Vec<Waker> =
            lock(&self.outside.waiting).iter().map(|(_, waker)| waker.clone()).collect();
        waiting.into_iter().for_each(Waker::wake);
    }
}

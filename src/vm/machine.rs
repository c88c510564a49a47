//! What all handles of a machine share: its services and, if it is driven by its owner, its driver.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use super::pool::{Pool, Seat};
use super::trace::Tracer;
use crate::runtime::Runtime;
use crate::runtime::queues::LocalQueues;
use crate::sched::{Driver, thread};

/// Shared by the handles; dropped with the last one.
pub(super) struct Machine {
    pub rt: Arc<Runtime>,
    pub tracer: Tracer,
    /// In a machine without threads of its own: who drives.
    pub driven: Option<Driven>,
    /// In a machine of a pool: its place there, kept as long as the machine.
    seat: Option<Arc<Seat>>,
}

/// Who runs a machine.
pub(super) enum Workers<'p> {
    Own,
    Owner,
    Pool(&'p Pool),
}

impl Machine {
    /// Gets the workers of a new machine ready.
    ///
    /// # Errors
    /// If the operating system refuses what they need.
    pub fn start(
        rt: Arc<Runtime>,
        mut locals: Vec<LocalQueues>,
        workers: &Workers<'_>,
        tracer: Tracer,
    ) -> std::io::Result<Machine> {
        match workers {
            Workers::Own => {
                thread::prepare(&rt, locals);
                return Ok(Machine { rt, tracer, driven: None, seat: None });
            }
            Workers::Pool(pool) => {
                let seat = pool.seat(&rt, locals.swap_remove(0))?;
                return Ok(Machine { rt, tracer, driven: None, seat: Some(seat) });
            }
            Workers::Owner => {}
        }
        let bell = Arc::new(Bell::default());
        let rung = Arc::clone(&bell);
        rt.set_starter(Box::new(move |_| rung.ring()));
        let driver = Driver::new(Arc::clone(&rt), 0, locals.swap_remove(0), false)?;
        Ok(Machine { rt, tracer, driven: Some(Driven { driver: Mutex::new(driver), bell }), seat: None })
    }
}

impl Machine {
    /// Calls are to be expected soon: the first of the machine's own threads is started meanwhile.
    pub fn expect_calls(&self) {
        if self.driven.is_none() && self.seat.is_none() {
            self.rt.start_first_worker();
        }
    }
}

impl Drop for Machine {
    /// Workers leave within a slice, and whoever leaves last frees the rest: so a handle may be dropped on a worker.
    fn drop(&mut self) {
        self.rt.stop();
    }
}

/// The driver of a machine without threads of its own.
pub(super) struct Driven {
    driver: Mutex<Driver>,
    pub bell: Arc<Bell>,
}

impl Driven {
    pub fn lock(&self) -> MutexGuard<'_, Driver> {
        // A panic of a process is caught below; whatever else panicked has left the queues whole.
        self.driver.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the embedder wants to be told by.
pub(super) type Hook = Arc<dyn Fn() + Send + Sync>;

/// Whom to tell that an idle driven machine has something to run.
#[derive(Default)]
pub(super) struct Bell {
    state: Mutex<Listeners>,
}

#[derive(Default)]
struct Listeners {
    hook: Option<Hook>,
    /// Told once.
    wakers: Vec<Waker>,
}

impl Bell {
    fn lock(&self) -> MutexGuard<'_, Listeners> {
        // Nothing panics between two changes.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells all, outside the lock: they are the embedder's.
    pub fn ring(&self) {
        let mut listeners = self.lock();
        let (hook, wakers) = (listeners.hook.clone(), std::mem::take(&mut listeners.wakers));
        drop(listeners);
        wakers.into_iter().for_each(Waker::wake);
        if let Some(hook) = hook {
            hook();
        }
    }

    pub fn set_hook(&self, hook: Option<Hook>) {
        let old = std::mem::replace(&mut self.lock().hook, hook);
        drop(old);
    }

    pub fn has_hook(&self) -> bool {
        self.lock().hook.is_some()
    }

    /// Wakes `waker` once, when the bell rings next.
    pub fn listen(&self, waker: &Waker) {
        let mut listeners = self.lock();
        if !listeners.wakers.iter().any(|known| known.will_wake(waker)) {
            listeners.wakers.push(waker.clone());
        }
    }
}

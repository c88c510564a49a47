//! How a thread of the host waits for something of the machine's: it spins, then sleeps; or, if the machine has no threads, it
//! drives.

use std::sync::Arc;
use std::task::{Wake, Waker};
use std::thread::Thread;
use std::time::Duration;

use super::Vm;
use super::machine::Driven;
use crate::error::Error;
use crate::runtime::Runtime;
use crate::runtime::clock::host_ns;
use crate::sched::{Idleness, on_worker};

/// What can be waited for.
pub(super) trait Awaitable {
    type Output;

    /// Whether it has come: a look at a flag.
    fn is_ready(&self) -> bool;

    /// Takes it if it has come; if not, `waker` is woken when it has.
    fn take(&mut self, waker: &Waker) -> Option<Self::Output>;
}

/// How long a thread looks before it sleeps: a process that a worker just waited for has answered by then, and what it costs to
/// sleep and be woken is about as much.
const SPIN_NS: u64 = 20_000;
/// When a worker that had to be woken has begun: if it has not, it may be that it waits for this thread's core. On an idle core it
/// takes some five microseconds.
const WAKE_NS: u64 = 8_000;
/// Looks between two looks at the clock.
const SPINS_AT_ONCE: u32 = 16;

/// How long a driver sleeps at most if the embedder's clock says when timers are due: it may go faster than the system's.
const HOST_CLOCK_LOOK_NS: u64 = 1_000_000;

/// Slices a driver runs before it looks at the time, and lets others have the machine.
const DRIVE_AT_ONCE: usize = 1000;

/// Wakes a thread.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.unpark();
    }
}

pub(super) fn thread_waker() -> Waker {
    Waker::from(Arc::new(Unpark(std::thread::current())))
}

/// A moment of the machine's clock, in nanoseconds.
pub(super) type Deadline = Option<u64>;

/// Looks for a few microseconds whether it has come; less if nobody begins with what waits in the queues.
fn spin(rt: &Runtime, is_ready: impl Fn() -> bool) {
    let start = host_ns();
    let mut has_begun = false;
    loop {
        for _ in 0..SPINS_AT_ONCE {
            if is_ready() {
                return;
            }
            std::hint::spin_loop();
        }
        let spun = host_ns().saturating_sub(start);
        if spun > WAKE_NS && !has_begun {
            has_begun = rt.queues.is_empty();
            if !has_begun {
                return;
            }
        }
        if spun > SPIN_NS {
            return;
        }
    }
}

impl Vm {
    /// The moment `time` from now.
    pub(super) fn deadline(&self, time: Duration) -> Deadline {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        Some(self.rt().clock.now().saturating_add(nanoseconds))
    }

    /// Blocks until it has come.
    ///
    /// # Errors
    /// `WouldBlockScheduler` on a thread that runs processes; `Timeout` when the deadline has passed; `Stopped` or `Halted` when the
    /// machine is over; `Stuck` if a driven machine has nothing to run and nobody is known who could change that.
    pub(super) fn wait_for<A: Awaitable>(
        &self,
        what: &mut A,
        deadline: Deadline,
    ) -> Result<A::Output, Error> {
        if on_worker() {
            return Err(Error::WouldBlockScheduler);
        }
        match &self.machine().driven {
            Some(driven) => self.drive_for(driven, what, deadline),
            None => self.sleep_for(what, deadline),
        }
    }

    /// Why nothing more will come.
    pub(super) fn why_over(&self) -> Error {
        self.rt().halted().map_or(Error::Stopped, Error::Halted)
    }

    fn sleep_for<A: Awaitable>(&self, what: &mut A, deadline: Deadline) -> Result<A::Output, Error> {
        let rt = self.rt();
        if rt.may_spin_for_answer() {
            spin(rt, || what.is_ready());
        }
        if what.is_ready()
            && let Some(output) = what.take(Waker::noop())
        {
            rt.waits_no_more();
            return Ok(output);
        }
        let waker = thread_waker();
        let _waiting = rt.wait_outside(&waker);
        loop {
            if let Some(output) = what.take(&waker) {
                return Ok(output);
            }
            if rt.is_over() {
                return Err(self.why_over());
            }
            match deadline {
                None => std::thread::park(),
                Some(deadline) => {
                    let left = deadline.saturating_sub(rt.clock.now());
                    if left == 0 {
                        return Err(Error::Timeout);
                    }
                    std::thread::park_timeout(Duration::from_nanos(left));
                }
            }
        }
    }

    fn drive_for<A: Awaitable>(
        &self,
        driven: &Driven,
        what: &mut A,
        deadline: Deadline,
    ) -> Result<A::Output, Error> {
        let rt = self.rt();
        let mut waker = None;
        loop {
            let idleness = driven.lock().run_until(DRIVE_AT_ONCE, || what.is_ready());
            if what.is_ready()
                && let Some(output) = what.take(waker.as_ref().unwrap_or(Waker::noop()))
            {
                return Ok(output);
            }
            if rt.is_over() {
                return Err(self.why_over());
            }
            if deadline.is_some_and(|deadline| deadline <= rt.clock.now()) {
                return Err(Error::Timeout);
            }
            let timer = match idleness {
                Idleness::Budget | Idleness::Halted(_) => continue,
                Idleness::Until(nanoseconds) => Some(nanoseconds),
                Idleness::Quiet => None,
            };
            let left = deadline.map(|deadline| deadline.saturating_sub(rt.clock.now()));
            let expects = rt.expects_from_outside();
            if timer.is_none() && !expects {
                // Under virtual time only a deadline can still come.
                match (rt.clock.is_virtual(), deadline) {
                    (_, None) => return Err(Error::Stuck),
                    (true, Some(deadline)) => {
                        rt.clock.advance_to(deadline);
                        return Err(Error::Timeout);
                    }
                    (false, Some(_)) => {}
                }
            }
            let waker = waker.get_or_insert_with(thread_waker);
            if let Some(output) = what.take(waker) {
                return Ok(output);
            }
            let by_the_host = rt.clock.is_the_hosts().then_some(HOST_CLOCK_LOOK_NS);
            let limit = timer.into_iter().chain(left).chain(by_the_host).min();
            self.wait_for_the_bell(driven, waker, limit.map(Duration::from_nanos));
        }
    }

    /// Sleeps until the idle driven machine has something to run, or `limit` has passed.
    pub(super) fn wait_for_the_bell(&self, driven: &Driven, waker: &Waker, limit: Option<Duration>) {
        let _waiting = self.rt().wait_outside(waker);
        driven.bell.listen(waker);
        // After listening, so that a ring in between is heard.
        if !driven.lock().arm() {
            return;
        }
        match limit {
            None => std::thread::park(),
            Some(limit) => std::thread::park_timeout(limit),
        }
    }
}

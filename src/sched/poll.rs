//! How a worker sleeps: in the operating system's poll, until it is woken, a timer is due, or input is ready.
//!
//! mio rounds time-outs up to whole milliseconds, which would make every `after 1` late by half of one. On Linux the time
//! to wake is therefore a timer of the kernel in the poll set, exact to some microseconds.

use mio::{Events, Poll, Token};
use std::time::Duration;

use crate::runtime::Runtime;

/// The waker's token; sources use those below.
const WAKER: Token = Token(usize::MAX);
/// The precise timer's token.
const TIMER: Token = Token(usize::MAX - 1);

/// What ended a sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Woken {
    /// The limit, and nothing else.
    ByTime,
    /// Somebody, or something.
    ByEvent,
}

/// One worker's poll.
pub(super) struct Sleeper {
    poll: Poll,
    events: Events,
    /// Made when it is first needed; `Some(None)` if it cannot be had.
    #[cfg(target_os = "linux")]
    timer: Option<Option<precise::Timer>>,
}

impl Sleeper {
    /// Makes the poll of `worker` and gives the runtime its waker.
    pub fn new(rt: &Runtime, worker: usize) -> std::io::Result<Sleeper> {
        let poll = Poll::new()?;
        rt.set_waker(worker, mio::Waker::new(poll.registry(), WAKER)?);
        Ok(Sleeper {
            poll,
            events: Events::with_capacity(256),
            #[cfg(target_os = "linux")]
            timer: None,
        })
    }

    /// Sleeps for at most `limit` (`None`: for ever), or looks without sleeping for a limit of zero.
    pub fn sleep(&mut self, limit: Option<Duration>) -> Woken {
        let mut limit = limit;
        #[cfg(target_os = "linux")]
        if let Some(duration) = limit.filter(|duration| !duration.is_zero())
            && let registry = self.poll.registry()
            && let timer = self.timer.get_or_insert_with(|| precise::Timer::new(registry, TIMER).ok())
            && timer.as_ref().is_some_and(|timer| timer.arm(duration))
        {
            limit = None;
        }
        // An interrupted poll is an early wake-up, which the caller is ready for.
        let _ = self.poll.poll(&mut self.events, limit);
        #[cfg(target_os = "linux")]
        if self.events.iter().any(is_timer)
            && let Some(Some(timer)) = &self.timer
        {
            timer.clear();
        }
        match self.events.iter().all(is_timer) {
            true => Woken::ByTime,
            false => Woken::ByEvent,
        }
    }
}

/// Whether the event only says that the time has come.
fn is_timer(event: &mio::event::Event) -> bool {
    cfg!(target_os = "linux") && event.token() == TIMER
}

#[cfg(target_os = "linux")]
mod precise {
    use mio::unix::SourceFd;
    use mio::{Interest, Registry, Token};
    use rustix::fd::{AsRawFd, OwnedFd};
    use rustix::time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
        timerfd_settime,
    };
    use std::time::Duration;

    /// A timer of the kernel.
    pub struct Timer(OwnedFd);

    impl Timer {
        pub fn new(registry: &Registry, token: Token) -> std::io::Result<Timer> {
            let fd =
                timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC)?;
            registry.register(&mut SourceFd(&fd.as_raw_fd()), token, Interest::READABLE)?;
            Ok(Timer(fd))
        }

        /// Fires once after `duration`; whether it could be armed.
        pub fn arm(&self, duration: Duration) -> bool {
            let zero = Timespec { tv_sec: 0, tv_nsec: 0 };
            let value = Timespec {
                tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
                tv_nsec: i64::from(duration.subsec_nanos()),
            };
            let spec = Itimerspec { it_interval: zero, it_value: value };
            timerfd_settime(&self.0, TimerfdTimerFlags::empty(), &spec).is_ok()
        }

        /// Takes the expiry, so that the next one is an edge again.
        pub fn clear(&self) {
            let mut count = [0; 8];
            let _ = rustix::io::read(&self.0, &mut count);
        }
    }
}

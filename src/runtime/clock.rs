//! The only door to time.
//!
//! A real clock reads the host's; a virtual one (seeded mode) goes on with the reductions that are done, and when nothing is
//! runnable the scheduler advances it to the next timer. Monotonic time is nanoseconds since the virtual machine was made.
//!
//! An embedder may tell both times instead ([`HostClocks`]). Monotonic time only where it drives the machine itself: threads that
//! sleep till a timer is due do so by the operating system's clock.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Where the virtual clock's calendar starts: 2024-01-01T00:00:00Z, in nanoseconds since 1970. Any fixed moment would do.
const VIRTUAL_EPOCH_NS: i64 = 1_704_067_200 * 1_000_000_000;

/// A clock of the embedder's.
pub type HostClock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// The clocks an embedder supplies.
#[derive(Clone, Default)]
pub struct HostClocks {
    /// Tells the time since 1970-01-01T00:00:00Z.
    pub wall: Option<HostClock>,
    /// Tells the time since any moment.
    pub monotonic: Option<HostClock>,
}

impl fmt::Debug for HostClocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wall, monotonic) = (self.wall.is_some(), self.monotonic.is_some());
        f.debug_struct("HostClocks").field("wall", &wall).field("monotonic", &monotonic).finish()
    }
}

/// What an embedder's clock tells; one that panics has stopped at 0.
fn told(clock: &HostClock) -> u64 {
    let time = catch_unwind(AssertUnwindSafe(|| clock())).unwrap_or_default();
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The clock of one virtual machine.
#[derive(Debug)]
pub struct Clock {
    source: Source,
    host: HostClocks,
}

#[derive(Debug)]
#[allow(clippy::disallowed_types, reason = "this module is the door the lint keeps shut elsewhere")]
enum Source {
    Real {
        start: std::time::Instant,
        offset_ns: i64,
    },
    /// Relaxed everywhere: only the one thread that drives the machine reads or advances it meaningfully.
    Virtual(AtomicU64),
    /// The embedder's clock, of which monotonic time begins at `start`. `last` is the latest that was told, so that it never goes
    /// back; relaxed as above.
    Host {
        start: u64,
        last: AtomicU64,
    },
}

#[allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "this module is the door the lint keeps shut elsewhere"
)]
impl Clock {
    /// The clock of a machine: virtual for a seeded one, else the embedder's or the system's.
    pub fn new(is_virtual: bool, host: HostClocks) -> Clock {
        let clock = if is_virtual { Clock::virtual_time() } else { Clock::real() };
        let source = match &host.monotonic {
            Some(clock) if !is_virtual => Source::Host { start: told(clock), last: AtomicU64::new(0) },
            _ => clock.source,
        };
        Clock { source, host }
    }

    /// A clock that follows the host.
    pub fn real() -> Clock {
        let since_epoch =
            std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let offset_ns = i64::try_from(since_epoch.as_nanos()).unwrap_or(i64::MAX);
        let source = Source::Real { start: std::time::Instant::now(), offset_ns };
        Clock { source, host: HostClocks::default() }
    }

    /// A clock that only [`advance_to`](Clock::advance_to) moves.
    pub fn virtual_time() -> Clock {
        Clock { source: Source::Virtual(AtomicU64::new(0)), host: HostClocks::default() }
    }

    /// Nanoseconds since the machine was made; never goes back.
    #[inline]
    pub fn now(&self) -> u64 {
        match &self.source {
            Source::Real { start, .. } => start.elapsed().as_nanos() as u64,
            Source::Virtual(now) => now.load(Ordering::Relaxed),
            Source::Host { start, last } => self.host_now(*start, last),
        }
    }

    #[cold]
    fn host_now(&self, start: u64, last: &AtomicU64) -> u64 {
        let now = self.host.monotonic.as_ref().map_or(start, told).saturating_sub(start);
        last.fetch_max(now, Ordering::Relaxed).max(now)
    }

    /// What to add to [`now`](Clock::now) for nanoseconds since 1970: as of the machine's start, if the embedder does not tell the
    /// time.
    pub fn offset_ns(&self) -> i64 {
        if let Some(wall) = self.host.wall.as_ref() {
            return signed(told(wall)).saturating_sub(signed(self.now()));
        }
        match &self.source {
            Source::Real { offset_ns, .. } => *offset_ns,
            Source::Virtual(_) => VIRTUAL_EPOCH_NS,
            Source::Host { .. } => self.system_ns().saturating_sub(signed(self.now())),
        }
    }

    /// Nanoseconds since 1970 as the host tells them now (it may have been set since the start).
    pub fn system_ns(&self) -> i64 {
        if let Some(wall) = self.host.wall.as_ref() {
            return signed(told(wall));
        }
        match &self.source {
            Source::Real { .. } | Source::Host { .. } => {
                let since_epoch =
                    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
                i64::try_from(since_epoch.as_nanos()).unwrap_or(i64::MAX)
            }
            // Virtual time may have been moved to the end of all time by a timer set for then.
            Source::Virtual(now) => signed(now.load(Ordering::Relaxed)).saturating_add(VIRTUAL_EPOCH_NS),
        }
    }

    /// Processor time the operating system process has used, in nanoseconds; under virtual time, that time.
    pub fn cpu_ns(&self) -> u64 {
        #[cfg(unix)]
        if !self.is_virtual() {
            let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
            return (time.tv_sec as u64).saturating_mul(1_000_000_000).saturating_add(time.tv_nsec as u64);
        }
        self.now()
    }

    /// Whether monotonic time is told by the embedder, and nobody knows how it goes on.
    pub fn is_the_hosts(&self) -> bool {
        matches!(self.source, Source::Host { .. })
    }

    /// Whether time stands still by itself.
    pub fn is_virtual(&self) -> bool {
        matches!(self.source, Source::Virtual(_))
    }

    /// Moves a virtual clock forward; a real one is left alone.
    pub fn advance_to(&self, time: u64) {
        if let Source::Virtual(now) = &self.source {
            now.fetch_max(time, Ordering::Relaxed);
        }
    }
}

fn signed(nanoseconds: u64) -> i64 {
    i64::try_from(nanoseconds).unwrap_or(i64::MAX)
}

/// Nanoseconds of the host's steady clock, whatever clock a machine has, for measuring what the machine itself does; 0 where
/// there is none.
pub fn host_ns() -> u64 {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        (time.tv_sec as u64).saturating_mul(1_000_000_000).saturating_add(time.tv_nsec as u64)
    }
    #[cfg(not(unix))]
    0
}

/// Processor time the calling thread has used, in nanoseconds; 0 where that is not told.
pub fn thread_ns() -> u64 {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        (time.tv_sec as u64).saturating_mul(1_000_000_000).saturating_add(time.tv_nsec as u64)
    }
    #[cfg(not(unix))]
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn virtual_time_moves_only_when_told_and_never_back() {
        let clock = Clock::virtual_time();
        assert_eq!((clock.now(), clock.system_ns()), (0, VIRTUAL_EPOCH_NS));
        clock.advance_to(7);
        clock.advance_to(3);
        assert_eq!(clock.now(), 7);
    }

    #[test]
    fn time_told_by_the_embedder_never_goes_back_and_survives_its_panics() {
        let at = Arc::new(AtomicU64::new(1000));
        let told = Arc::clone(&at);
        let monotonic: HostClock = Arc::new(move || match told.load(Ordering::Relaxed) {
            0 => panic!("no time"),
            nanoseconds => Duration::from_nanos(nanoseconds),
        });
        let wall: HostClock = Arc::new(|| Duration::from_secs(7));
        let clock = Clock::new(false, HostClocks { wall: Some(wall), monotonic: Some(monotonic) });
        assert_eq!(clock.now(), 0, "it begins with the machine");
        at.store(1500, Ordering::Relaxed);
        assert_eq!((clock.now(), clock.system_ns(), clock.offset_ns()), (500, 7_000_000_000, 6_999_999_500));
        for back in [1200, 0] {
            at.store(back, Ordering::Relaxed);
            assert_eq!(clock.now(), 500);
        }
    }
}

//! The only door to time.
//!
//! A real clock reads the host's; a virtual one (seeded mode) goes on with the reductions that are done, and when nothing is
//! runnable the scheduler advances it to the next timer. Monotonic time is nanoseconds since the virtual machine was made.

use std::sync::atomic::{AtomicU64, Ordering};

/// Where the virtual clock's calendar starts: 2024-01-01T00:00:00Z, in nanoseconds since 1970. Any fixed moment would do.
const VIRTUAL_EPOCH_NS: i64 = 1_704_067_200 * 1_000_000_000;

/// The clock of one virtual machine.
#[derive(Debug)]
pub struct Clock {
    source: Source,
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
}

#[allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "this module is the door the lint keeps shut elsewhere"
)]
impl Clock {
    /// A clock that follows the host.
    pub fn real() -> Clock {
        let since_epoch =
            std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let offset_ns = i64::try_from(since_epoch.as_nanos()).unwrap_or(i64::MAX);
        Clock { source: Source::Real { start: std::time::Instant::now(), offset_ns } }
    }

    /// A clock that only [`advance_to`](Clock::advance_to) moves.
    pub fn virtual_time() -> Clock {
        Clock { source: Source::Virtual(AtomicU64::new(0)) }
    }

    /// Nanoseconds since the machine was made; never goes back.
    #[inline]
    pub fn now(&self) -> u64 {
        match &self.source {
            Source::Real { start, .. } => start.elapsed().as_nanos() as u64,
            Source::Virtual(now) => now.load(Ordering::Relaxed),
        }
    }

    /// What to add to [`now`](Clock::now) for nanoseconds since 1970, as of the machine's start.
    pub fn offset_ns(&self) -> i64 {
        match &self.source {
            Source::Real { offset_ns, .. } => *offset_ns,
            Source::Virtual(_) => VIRTUAL_EPOCH_NS,
        }
    }

    /// Nanoseconds since 1970 as the host tells them now (it may have been set since the start).
    pub fn system_ns(&self) -> i64 {
        match &self.source {
            Source::Real { .. } => {
                let since_epoch =
                    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
                i64::try_from(since_epoch.as_nanos()).unwrap_or(i64::MAX)
            }
            // Virtual time may have been moved to the end of all time by a timer set for then.
            Source::Virtual(now) => i64::try_from(now.load(Ordering::Relaxed))
                .unwrap_or(i64::MAX)
                .saturating_add(VIRTUAL_EPOCH_NS),
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
}

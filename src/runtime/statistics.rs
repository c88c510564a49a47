//! What a machine counts: what has been done by all of its processes, and by its workers for them.
//!
//! Each worker counts in numbers that only it writes, with plain loads and stores, and whoever asks adds them up: nothing is
//! told at intervals, so the sums are right at any moment, and workers share no line. A context that is no worker's counts
//! for itself and hands in its numbers when it retires.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! counts {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The numbers one worker writes.
        // As far apart as processors fetch lines in pairs.
        #[repr(align(128))]
        #[derive(Debug, Default)]
        pub struct Counts {
            $($(#[$doc])* pub $name: Count,)*
        }

        impl Counts {
            /// Takes over what a context has counted that nobody else writes meanwhile; it counts from 0 again.
            pub fn take_over(&self, other: &Counts) {
                $(other.$name.move_to(&self.$name);)*
            }
        }

        /// What a machine has done so far.
        ///
        /// ```
        /// fn collections(done: &erlet::Statistics) -> u64 {
        ///     done.minor_collections + done.major_collections
        /// }
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Statistics {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl Statistics {
            /// The sum over those who count.
            pub(super) fn sum<'a>(all: impl Iterator<Item = &'a Counts>) -> Statistics {
                let mut sum = Statistics::default();
                for counts in all {
                    $(sum.$name += counts.$name.get();)*
                }
                sum
            }
        }
    };
}

counts! {
    /// Reductions done by processes, up to their last slice end.
    reductions,
    /// Slices begun.
    slices,
    /// Messages sent by processes.
    messages,
    /// Processes made, the machine's own servers included.
    spawned,
    /// Times a worker took processes from another one's queue.
    steals,
    /// Times a sleeping worker was woken.
    wakes,
    /// Collections of young terms only.
    minor_collections,
    /// Collections of a whole heap.
    major_collections,
    /// Words that collections have freed.
    collected_words,
    /// Time spent in collections, in nanoseconds; 0 unless the builder was asked to measure it.
    collection_ns,
}

/// The numbers of all who count.
#[derive(Debug)]
pub struct AllCounts {
    workers: Box<[Arc<Counts>]>,
    /// Of contexts that have retired, and what is counted by no context.
    pub outside: Counts,
}

impl AllCounts {
    /// Nothing done yet.
    pub(super) fn new(workers: usize) -> AllCounts {
        AllCounts { workers: (0..workers).map(|_| Arc::default()).collect(), outside: Counts::default() }
    }

    /// Those that a worker is to write.
    pub fn of_worker(&self, index: usize) -> Arc<Counts> {
        Arc::clone(&self.workers[index])
    }

    /// The sums as they are now.
    pub fn sum(&self) -> Statistics {
        Statistics::sum(self.workers.iter().map(|counts| &**counts).chain([&self.outside]))
    }
}

/// A number that one thread writes and any reads.
#[derive(Debug, Default)]
pub struct Count(AtomicU64);

impl Count {
    /// Adds `n`. Not one operation: only the thread that owns the number may call it.
    #[inline]
    pub fn add(&self, n: u64) {
        // Relaxed: a statistic; it orders nothing.
        self.0.store(self.0.load(Ordering::Relaxed).wrapping_add(n), Ordering::Relaxed);
    }

    /// Moves what was counted to a number that several threads write. For the one that owns this one.
    #[inline]
    fn move_to(&self, other: &Count) {
        let counted = self.get();
        if counted > 0 {
            other.0.fetch_add(counted, Ordering::Relaxed);
            self.0.store(0, Ordering::Relaxed);
        }
    }

    /// Adds 1 to a number that several threads write.
    pub fn add_shared(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// The number.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

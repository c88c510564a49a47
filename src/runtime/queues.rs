//! Run queues.
//!
//! For each priority every worker has a FIFO of its own, from which others may steal, and there is one injector for those who
//! are no worker. Higher levels first; `low` gets every eighth pick of the normal level, so that it is slow but not
//! starved. In the single-thread modes there is one worker and nobody steals; under a seed the pick is a random one.

use crossbeam_deque::{Injector, Steal, Stealer, Worker};

use super::entropy::Rng;
use crate::process::{Handle, Priority};

/// Number of priorities.
pub const LEVELS: usize = 4;

/// Each this many picks from normal and low together, low comes first.
const LOW_EVERY: u32 = 8;

/// The shared side: injectors, and what is needed to steal.
pub struct Queues {
    injectors: [Injector<Handle>; LEVELS],
    stealers: Box<[[Stealer<Handle>; LEVELS]]>,
}

impl std::fmt::Debug for Queues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queues").finish_non_exhaustive()
    }
}

/// One worker's own queues.
#[derive(Debug)]
pub struct LocalQueues {
    levels: [Worker<Handle>; LEVELS],
    /// Under a seed: the runnable processes, instead of `levels`.
    seeded: Option<[Vec<Handle>; LEVELS]>,
    picks: u32,
}

impl Queues {
    /// Queues for `workers` workers; `seeded` if a seed is to decide every pick.
    pub fn new(workers: usize, seeded: bool) -> (Queues, Vec<LocalQueues>) {
        let locals: Vec<LocalQueues> = (0..workers)
            .map(|_| LocalQueues {
                levels: std::array::from_fn(|_| Worker::new_fifo()),
                seeded: seeded.then(Default::default),
                picks: 0,
            })
            .collect();
        let stealers =
            locals.iter().map(|local| std::array::from_fn(|level| local.levels[level].stealer())).collect();
        (Queues { injectors: std::array::from_fn(|_| Injector::new()), stealers }, locals)
    }

    /// Adds a process from outside.
    pub fn inject(&self, handle: Handle) {
        let priority = handle.priority;
        self.inject_as(handle, priority);
    }

    /// Adds a process from outside, once among those of another priority.
    pub fn inject_as(&self, handle: Handle, priority: Priority) {
        self.injectors[priority as usize].push(handle);
    }

    /// How many processes wait in the queues of each worker, and in those for who comes from outside.
    pub fn lengths(&self) -> (Vec<usize>, usize) {
        let own = |levels: &[Stealer<Handle>; LEVELS]| levels.iter().map(Stealer::len).sum();
        (self.stealers.iter().map(own).collect(), self.injectors.iter().map(Injector::len).sum())
    }

    /// Whether any queue of anyone holds something: what a worker asks before it sleeps.
    pub fn is_empty(&self) -> bool {
        self.injectors.iter().all(Injector::is_empty)
            && self.stealers.iter().all(|levels| levels.iter().all(Stealer::is_empty))
    }

    /// How many processes wait in queues: a statistic.
    pub fn len(&self) -> usize {
        let injected: usize = self.injectors.iter().map(Injector::len).sum();
        let local: usize = self.stealers.iter().flatten().map(Stealer::len).sum();
        injected + local
    }
}

impl LocalQueues {
    /// Adds a process at the end of its level.
    #[inline]
    pub fn push(&mut self, handle: Handle) {
        let priority = handle.priority;
        self.push_as(handle, priority);
    }

    /// Adds a process at the end of another level than its own, for once.
    #[inline]
    pub fn push_as(&mut self, handle: Handle, priority: Priority) {
        let level = priority as usize;
        match &mut self.seeded {
            Some(lists) => lists[level].push(handle),
            None => self.levels[level].push(handle),
        }
    }

    /// Whether a process of a higher priority waits here.
    #[inline]
    pub fn has_above(&self, priority: Priority) -> bool {
        (0..priority as usize).any(|level| match &self.seeded {
            Some(lists) => !lists[level].is_empty(),
            None => !self.levels[level].is_empty(),
        })
    }

    /// How many of this priority wait here.
    pub fn len(&self, priority: Priority) -> usize {
        match &self.seeded {
            Some(lists) => lists[priority as usize].len(),
            None => self.levels[priority as usize].len(),
        }
    }

    /// Whether nothing is here.
    pub fn is_empty(&self) -> bool {
        match &self.seeded {
            Some(lists) => lists.iter().all(Vec::is_empty),
            None => self.levels.iter().all(Worker::is_empty),
        }
    }

    /// The next process of this worker's own queues.
    #[inline]
    pub fn pop(&mut self, rng: &mut Rng) -> Option<Handle> {
        self.picks = self.picks.wrapping_add(1);
        let low_first = self.picks.is_multiple_of(LOW_EVERY);
        order(low_first).into_iter().find_map(|level| match &mut self.seeded {
            Some(lists) => {
                let list = &mut lists[level];
                (!list.is_empty()).then(|| list.swap_remove(rng.below(list.len())))
            }
            None => self.levels[level].pop(),
        })
    }

    /// Work from the injectors: one process to run, and a fair share of the rest into the own queues.
    pub fn take_injected(&mut self, queues: &Queues) -> Option<Handle> {
        if let Some(lists) = &mut self.seeded {
            for (level, injector) in queues.injectors.iter().enumerate() {
                while let Steal::Success(handle) = injector.steal() {
                    lists[level].push(handle);
                }
            }
            return None;
        }
        (0..LEVELS).find_map(|level| {
            let injector = &queues.injectors[level];
            // A look costs less than the fences of an attempt.
            if injector.is_empty() {
                return None;
            }
            insist(|| injector.steal_batch_and_pop(&self.levels[level]))
        })
    }

    /// Half of what some other worker has, the highest levels first.
    pub fn steal(&mut self, queues: &Queues, own: usize, rng: &mut Rng) -> Option<Handle> {
        let workers = queues.stealers.len();
        if workers < 2 {
            return None;
        }
        for level in 0..LEVELS {
            let first = rng.below(workers);
            for victim in (0..workers).map(|step| (first + step) % workers).filter(|victim| *victim != own) {
                let stealer = &queues.stealers[victim][level];
                if let Some(handle) = insist(|| stealer.steal_batch_and_pop(&self.levels[level])) {
                    return Some(handle);
                }
            }
        }
        None
    }
}

/// The order in which a pick asks the levels.
fn order(low_first: bool) -> [usize; LEVELS] {
    if low_first { [0, 1, 3, 2] } else { [0, 1, 2, 3] }
}

fn insist(mut attempt: impl FnMut() -> Steal<Handle>) -> Option<Handle> {
    loop {
        match attempt() {
            Steal::Success(handle) => return Some(handle),
            Steal::Empty => return None,
            Steal::Retry => std::hint::spin_loop(),
        }
    }
}

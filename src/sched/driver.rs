//! One worker's loop body: what to run next, and what to do when there is nothing.

use std::sync::Arc;
use std::time::Duration;

use super::poll::{Sleeper, Woken};
use super::slice;
use crate::process::Handle;
use crate::runtime::idle::Found;
use crate::runtime::queues::LocalQueues;
use crate::runtime::{Runtime, WorkerCx, timers};

/// Each this many picks the injectors, the poll and the clock come first, so that a busy worker serves them too. A prime, as
/// in Go, so that it does not beat in time with a program's own rhythm.
const LOOK_AROUND_EVERY: u32 = 61;

/// And at least after this many reductions, about half a millisecond.
const LOOK_AROUND_REDUCTIONS: u64 = 100_000;

/// A worker.
pub struct Driver {
    rt: Arc<Runtime>,
    worker: WorkerCx,
    /// Not in the single-thread modes, whose driver decides how to wait.
    sleeper: Option<Sleeper>,
    picks: u32,
    searching: bool,
}

/// What a driver of a single-thread machine finds when nothing is runnable.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idleness {
    /// `halt` was called.
    Halted(i32),
    /// Nothing will ever happen by itself.
    Quiet,
    /// The next timer is due in this many nanoseconds (real time only).
    Until(u64),
    /// The budget of picks is used up.
    Budget,
}

impl Driver {
    /// Worker `index`, with a poll of its own if it is to run on a thread of its own.
    ///
    /// # Errors
    /// If the operating system refuses a poll.
    pub fn new(
        rt: Arc<Runtime>,
        index: usize,
        local: LocalQueues,
        threaded: bool,
    ) -> std::io::Result<Driver> {
        let sleeper = if threaded { Some(Sleeper::new(&rt, index)?) } else { None };
        let rng = match rt.config.seed {
            Some(seed) => crate::runtime::entropy::Rng::new(seed),
            None => rt.entropy.fork(),
        };
        let mut worker = WorkerCx::new(index, rng, local, rt.counts.of_worker(index));
        worker.work_at_once = rt.work_at_once();
        worker.blocks.tally.clock = rt.collection_clock();
        Ok(Driver { rt, worker, sleeper, picks: 0, searching: false })
    }

    /// A worker whose thread was started because it was woken counts as searching.
    pub(super) fn start_searching(&mut self) {
        self.searching = true;
    }

    /// Runs until the machine stops.
    pub fn run(&mut self) {
        let rt = Arc::clone(&self.rt);
        while !rt.is_stopping() && rt.halted().is_none() {
            match self.pick(&rt) {
                Some((handle, budget)) => slice::run(&mut self.worker, &rt, handle, budget),
                None => self.idle(&rt),
            }
        }
        self.worker.retire(&rt);
    }

    /// Single-thread modes: runs what is runnable, at most `picks` slices.
    pub fn run_until_idle(&mut self, picks: usize) -> Idleness {
        let rt = Arc::clone(&self.rt);
        for _ in 0..picks {
            if let Some(status) = rt.halted() {
                return Idleness::Halted(status);
            }
            if rt.is_stopping() {
                return Idleness::Quiet;
            }
            if let Some((handle, budget)) = self.pick(&rt) {
                slice::run(&mut self.worker, &rt, handle, budget);
                continue;
            }
            if rt.pool.run_one() {
                continue;
            }
            let first = rt.timers_of(self.worker.index()).first();
            if first == u64::MAX {
                return Idleness::Quiet;
            }
            if rt.clock.is_virtual() {
                rt.clock.advance_to(first);
            } else {
                let now = rt.clock.now();
                if first > now {
                    return Idleness::Until(first - now);
                }
            }
        }
        Idleness::Budget
    }

    /// The next process and its budget.
    fn pick(&mut self, rt: &Runtime) -> Option<(Handle, i32)> {
        self.send_due_timers(rt);
        if let Some((handle, inherited)) = self.worker.take_run_next(rt) {
            self.worker.counts.slices.add(1);
            return Some((handle, inherited));
        }
        self.picks = self.picks.wrapping_add(1);
        let looks_around = self.picks.is_multiple_of(LOOK_AROUND_EVERY)
            || self.worker.reductions_since_look() >= LOOK_AROUND_REDUCTIONS;
        if looks_around {
            self.look_around(rt);
        }
        let handle = self.find(rt, looks_around)?;
        self.leave_search(rt);
        self.worker.counts.slices.add(1);
        Some((handle, self.budget(rt)))
    }

    fn budget(&mut self, rt: &Runtime) -> i32 {
        if rt.is_seeded() {
            // Every length from 1 up: a process may be interrupted anywhere, also after its first step.
            return 1 + self.worker.rng.below(rt.config.slice.max(1) as usize) as i32;
        }
        rt.config.slice
    }

    fn find(&mut self, rt: &Runtime, injected_first: bool) -> Option<Handle> {
        let index = self.worker.index();
        let (local, rng) = self.worker.local()?;
        if rt.is_seeded() {
            let _ = local.take_injected(&rt.queues);
            return local.pop(rng);
        }
        if injected_first && let Some(handle) = local.take_injected(&rt.queues) {
            // What waits here may be one that was requeued without a word, counting on its turn now.
            if !local.is_empty() {
                rt.notify();
            }
            return Some(handle);
        }
        if let Some(handle) = local.pop(rng).or_else(|| local.take_injected(&rt.queues)) {
            return Some(handle);
        }
        if rt.workers() == 1 {
            return None;
        }
        if !self.searching {
            self.searching = rt.idle.start_search();
        }
        if !self.searching {
            return None;
        }
        let (local, rng) = self.worker.local()?;
        let stolen = local.steal(&rt.queues, index, rng)?;
        self.worker.counts.steals.add(1);
        Some(stolen)
    }

    /// A searcher that has found work stops searching; the last one sees to it that somebody else searches on.
    fn leave_search(&mut self, rt: &Runtime) {
        if std::mem::take(&mut self.searching) && rt.idle.found() == Found::WakeAnother {
            rt.notify();
        }
    }

    fn send_due_timers(&mut self, rt: &Runtime) {
        let first = rt.timers_of(self.worker.index()).first();
        if first != u64::MAX && first <= rt.clock.now() {
            let index = self.worker.index();
            timers::expire(&mut self.worker, rt, index);
        }
    }

    fn look_around(&mut self, rt: &Runtime) {
        self.worker.looked_around();
        if rt.workers() > 1 {
            timers::rescue(&mut self.worker, rt);
        }
        if let Some(sleeper) = &mut self.sleeper {
            let _ = sleeper.sleep(Some(Duration::ZERO));
        }
    }

    /// Nothing to run: sleeps until woken or until the next timer.
    fn idle(&mut self, rt: &Runtime) {
        let index = self.worker.index();
        rt.idle.sleep(index, std::mem::take(&mut self.searching));
        let own_is_empty = self.worker.local().is_none_or(|(local, _)| local.is_empty());
        if own_is_empty && rt.queues.is_empty() && !rt.is_stopping() && rt.halted().is_none() {
            let first = rt.timers_of(index).first();
            let now = if first == u64::MAX { 0 } else { rt.clock.now() };
            let limit = (first != u64::MAX).then(|| Duration::from_nanos(first.saturating_sub(now)));
            if let Some(sleeper) = &mut self.sleeper {
                sleep(sleeper, &mut self.worker, limit);
            }
        }
        rt.idle.woke(index);
        self.searching = true;
    }
}

/// How long a worker without work keeps large free blocks, in case that work comes soon.
const KEEP_LARGE_BLOCKS: Duration = Duration::from_millis(20);

/// Sleeps for at most `limit`. A worker that keeps large blocks first takes a nap, and gives them back if nothing woke it: so
/// one that sleeps for long holds little, and still wakes only once for that.
fn sleep(sleeper: &mut Sleeper, worker: &mut WorkerCx, limit: Option<Duration>) {
    if worker.blocks.has_large() && limit.is_none_or(|limit| limit > KEEP_LARGE_BLOCKS) {
        if sleeper.sleep(Some(KEEP_LARGE_BLOCKS)) == Woken::ByTime {
            worker.blocks.clear_large();
        }
        return;
    }
    let _ = sleeper.sleep(limit);
}

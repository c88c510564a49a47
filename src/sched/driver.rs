//! One worker's loop body: what to run next, and what to do when there is nothing.

use std::sync::Arc;
use std::time::Duration;

use super::poll::{Sleeper, Woken};
use super::{OnWorker, slice};
use crate::process::Handle;
use crate::runtime::clock::host_ns;
use crate::runtime::queues::LocalQueues;
use crate::runtime::{Runtime, WorkerCx, timers};

/// Each this many picks the injectors, the poll and the clock come first, so that a busy worker serves them too. A prime, as
/// in Go, so that it does not beat in time with a program's own rhythm.
const LOOK_AROUND_EVERY: u32 = 61;

/// And at least after this many reductions, about half a millisecond.
const LOOK_AROUND_REDUCTIONS: u64 = 100_000;

/// Reductions of a process that a host thread has queued, in which the worker that has found it goes on counting as searching: some
/// microseconds, in which most requests are done, with enough for one that is woken by it to inherit. That long what is queued next waits
/// for this worker, which costs less than to wake another one.
const ERRAND: i32 = 1_000;

/// How long a worker looks for the next question of a host thread that it has just answered: several times what the host needs
/// to read the answer and ask again, and not much more than what it costs to fall asleep and be woken.
const SPIN_NS: u64 = 20_000;
/// Looks between two looks at the clock.
const SPINS_AT_ONCE: u32 = 16;

/// A worker.
pub struct Driver {
    rt: Arc<Runtime>,
    worker: WorkerCx,
    /// Not in the single-thread modes, whose driver decides how to wait.
    sleeper: Option<Sleeper>,
    picks: u32,
    /// It has a thread of its own, which may spin.
    is_threaded: bool,
    /// The owner of a driven machine is to be told when something becomes runnable.
    armed: bool,
}

/// Where a process was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// In an injector: somebody who is no worker has queued it.
    Injected,
    /// In the queue of this worker or of another one.
    Workers,
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
        Ok(Driver { rt, worker, sleeper, picks: 0, is_threaded: threaded, armed: false })
    }

    /// Whether the machine has halted or was stopped.
    pub fn is_over(&self) -> bool {
        self.rt.is_over()
    }

    /// The worker's own things, for an owner that drives it.
    pub fn worker(&mut self) -> &mut WorkerCx {
        &mut self.worker
    }

    /// Whether somebody outside got an answer since this was asked last, and may ask again while this thread looks.
    pub fn may_be_asked_again(&mut self) -> bool {
        self.worker.take_answered() && self.rt.is_parallel()
    }

    /// A worker whose thread was started because it was woken counts as searching.
    pub(super) fn start_searching(&mut self) {
        self.worker.searching = true;
    }

    /// Runs until the machine stops.
    pub fn run(&mut self) {
        let _on_worker = OnWorker::enter();
        let rt = Arc::clone(&self.rt);
        rt.quiescence.woke(self.worker.index());
        while !rt.is_stopping() && rt.halted().is_none() {
            match self.pick(&rt) {
                Some((handle, budget)) => slice::run(&mut self.worker, &rt, handle, budget),
                None => self.idle(&rt),
            }
        }
        rt.quiescence.sleep(self.worker.index());
        self.worker.retire(&rt);
    }

    /// Single-thread modes: runs what is runnable, at most `picks` slices.
    pub fn run_until_idle(&mut self, picks: usize) -> Idleness {
        self.run_until(picks, || false)
    }

    /// The same, but no longer than until what `done` asks for has come; then it is `Budget`.
    pub fn run_until(&mut self, picks: usize, done: impl Fn() -> bool) -> Idleness {
        let _on_worker = OnWorker::enter();
        self.disarm();
        let rt = Arc::clone(&self.rt);
        rt.quiescence.woke(self.worker.index());
        let idleness = self.run_picks(&rt, picks, done);
        rt.quiescence.sleep(self.worker.index());
        idleness
    }

    fn run_picks(&mut self, rt: &Runtime, picks: usize, done: impl Fn() -> bool) -> Idleness {
        for _ in 0..picks {
            if done() {
                return Idleness::Budget;
            }
            if let Some(status) = rt.halted() {
                return Idleness::Halted(status);
            }
            if rt.is_stopping() {
                return Idleness::Quiet;
            }
            if let Some((handle, budget)) = self.pick(rt) {
                slice::run(&mut self.worker, rt, handle, budget);
                continue;
            }
            // Where there are threads for jobs, one that blocks must not block this one: other machines may share it.
            if rt.config.is_threadless() && rt.pool.run_one() {
                continue;
            }
            rt.quiescence.pass(self.worker.index());
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

    /// Single-thread modes, after `Quiet` or `Until`: from now on the machine's starter is called when something becomes runnable,
    /// once. `false` if something has become so already.
    pub fn arm(&mut self) -> bool {
        if !std::mem::replace(&mut self.armed, true) {
            self.rt.idle.sleep(self.worker.index(), false);
        }
        let is_idle = self.rt.queues.is_empty()
            && self.worker.local().is_none_or(|(local, _)| local.is_empty())
            && !self.rt.is_over();
        if !is_idle {
            self.disarm();
        }
        is_idle
    }

    fn disarm(&mut self) {
        if std::mem::take(&mut self.armed) {
            // Whoever was asleep counts as searching when it wakes; the only worker has nobody to search for.
            self.rt.idle.woke(self.worker.index());
            let _ = self.rt.idle.found();
        }
    }

    /// The next process and its budget.
    fn pick(&mut self, rt: &Runtime) -> Option<(Handle, i32)> {
        self.worker.tell_others(rt);
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
        let (handle, origin) = self.find(rt, looks_around)?;
        self.worker.counts.slices.add(1);
        let budget = self.budget(rt);
        if self.worker.searching && origin == Origin::Injected && rt.queues.is_empty() {
            return Some((handle, budget.min(ERRAND)));
        }
        self.worker.leave_search(rt);
        Some((handle, budget))
    }

    fn budget(&mut self, rt: &Runtime) -> i32 {
        if rt.is_seeded() {
            // Every length from 1 up: a process may be interrupted anywhere, also after its first step.
            return 1 + self.worker.rng.below(rt.config.slice.max(1) as usize) as i32;
        }
        rt.config.slice
    }

    fn find(&mut self, rt: &Runtime, injected_first: bool) -> Option<(Handle, Origin)> {
        let index = self.worker.index();
        let (local, rng) = self.worker.local()?;
        if rt.is_seeded() {
            let _ = local.take_injected(&rt.queues);
            return Some((local.pop(rng)?, Origin::Workers));
        }
        if injected_first && let Some(handle) = local.take_injected(&rt.queues) {
            // What waits here may be one that was requeued without a word, counting on its turn now.
            if !local.is_empty() {
                rt.notify();
            }
            return Some((handle, Origin::Injected));
        }
        let own = local.pop(rng);
        self.worker.picked(own.is_some());
        if let Some(own) = own {
            return Some((own, Origin::Workers));
        }
        let (local, _) = self.worker.local()?;
        if let Some(handle) = local.take_injected(&rt.queues) {
            return Some((handle, Origin::Injected));
        }
        if rt.workers() == 1 {
            return None;
        }
        if !self.worker.start_search(rt) {
            return None;
        }
        let (local, rng) = self.worker.local()?;
        let stolen = local.steal(&rt.queues, index, rng)?;
        self.worker.counts.steals.add(1);
        Some((stolen, Origin::Workers))
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
        rt.quiescence.pass(self.worker.index());
        if rt.workers() > 1 {
            timers::rescue(&mut self.worker, rt);
        }
        if let Some(sleeper) = &mut self.sleeper {
            let _ = sleeper.sleep(Some(Duration::ZERO));
        }
    }

    /// A host thread got an answer just now and may ask again at once: looks for what it asks, for a few microseconds, counting
    /// as searching, so that the host need not wake anybody. Whether something has come.
    fn spin(&mut self, rt: &Runtime) -> bool {
        if !self.worker.take_answered() || !self.is_threaded || !rt.may_spin_for_outside() {
            return false;
        }
        if !self.worker.start_search(rt) {
            return false;
        }
        let start = host_ns();
        loop {
            for _ in 0..SPINS_AT_ONCE {
                if !rt.queues.is_empty() {
                    return true;
                }
                std::hint::spin_loop();
            }
            if host_ns().saturating_sub(start) > SPIN_NS || rt.is_over() {
                return false;
            }
        }
    }

    /// Nothing to run: sleeps until woken or until the next timer.
    fn idle(&mut self, rt: &Runtime) {
        if self.spin(rt) {
            return;
        }
        let index = self.worker.index();
        rt.quiescence.sleep(index);
        rt.idle.sleep(index, std::mem::take(&mut self.worker.searching));
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
        rt.quiescence.woke(index);
        self.worker.searching = true;
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

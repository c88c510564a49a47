//! Rounds in which purged code is freed: see [`code::purge`](crate::code::purge).
//!
//! Whoever cares (the code server) takes one step after the other, each of which is short:
//! 1. A round begins: the areas of the retired code are condemned, and watched are its funs.
//! 2. Everybody lets go of what was begun before ([`quiescence`](crate::sync::quiescence)): copies that were measured when the
//!    areas were not condemned yet, and ways into the code that were found when there were some. From then on nothing that
//!    leads to the areas comes into a process or on its way to one.
//! 3. Every process is asked, by a signal, to leave the areas; what was on its way to it stands before the signal, and is in its
//!    mailbox when it answers. Those born since step 2 have nothing to leave. The dead have left.
//! 4. When all have answered, everybody lets go once more: of the slices in which they did.
//! 5. What nobody runs is freed.
//!
//! What processes keep beside heap and mailbox, and what is kept outside of processes, consists of whole copies (H9).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::requests::runs;
use super::{Runtime, WorkerCx};
use crate::code::purge::Round;
use crate::heap::collect::LONG_COLLECTION;
use crate::heap::work::Mode;
use crate::process::{Process, Signal, SignalKind};
use crate::sync::quiescence::Watch;
use crate::term::{Pid, Word};

/// Processes asked in one step.
const BATCH: usize = 500;

/// The round of a machine, if one is under way.
#[derive(Debug, Default)]
pub struct Purging {
    state: Mutex<State>,
    /// Its number counts the rounds.
    round: RwLock<Option<(u64, Arc<Asked>)>>,
}

/// A round, and how many have not answered yet.
#[derive(Debug)]
struct Asked {
    round: Round,
    missing: AtomicUsize,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Idle,
    LettingGo(Watch),
    /// These are still to be asked.
    Asking(Vec<Pid>),
    /// Everybody lets go for the last time.
    Ending(Watch),
}

/// When the next step is to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// When something has been purged.
    Never,
    /// At once.
    Now,
    /// After a while.
    Soon,
}

impl Purging {
    fn current(&self, number: u64) -> Option<Arc<Asked>> {
        let round = self.round.read().unwrap_or_else(PoisonError::into_inner);
        round.as_ref().filter(|(current, _)| *current == number).map(|(_, asked)| Arc::clone(asked))
    }

    /// A process has left the areas of this round, or has nothing any more.
    pub fn left(&self, number: u64) {
        if let Some(asked) = self.current(number) {
            // Release: pairs with the Acquire in `step`.
            asked.missing.fetch_sub(1, Ordering::Release);
        }
    }

    /// One step.
    pub fn step(&self, worker: &mut WorkerCx, rt: &Runtime) -> NextStep {
        // Somebody else is about to take one.
        let Ok(mut state) = self.state.try_lock() else { return NextStep::Soon };
        match &mut *state {
            State::Idle => {
                let Some(round) = rt.code.begin_round() else { return NextStep::Never };
                let asked = Asked { round, missing: AtomicUsize::new(0) };
                *self.round.write().unwrap_or_else(PoisonError::into_inner) =
                    Some((worker.make_unique(), Arc::new(asked)));
                *state = State::LettingGo(rt.quiescence.watch());
                NextStep::Soon
            }
            State::LettingGo(watch) if rt.quiescence.is_over(watch) => {
                *state = State::Asking(rt.slots.pids());
                NextStep::Now
            }
            State::Asking(pids) if !pids.is_empty() => {
                let from = pids.len().saturating_sub(BATCH);
                self.ask(worker, rt, pids.drain(from..));
                NextStep::Now
            }
            State::Asking(_) if self.all_have_left() => {
                *state = State::Ending(rt.quiescence.watch());
                NextStep::Soon
            }
            State::Ending(watch) if rt.quiescence.is_over(watch) => {
                let ended = self.round.write().unwrap_or_else(PoisonError::into_inner).take();
                *state = State::Idle;
                if let Some((_, asked)) = ended {
                    rt.code.end_round(&asked.round);
                }
                NextStep::Now
            }
            State::LettingGo(_) | State::Asking(_) | State::Ending(_) => NextStep::Soon,
        }
    }

    fn all_have_left(&self) -> bool {
        let round = self.round.read().unwrap_or_else(PoisonError::into_inner);
        round.as_ref().is_none_or(|(_, asked)| asked.missing.load(Ordering::Acquire) == 0)
    }

    fn ask(&self, worker: &mut WorkerCx, rt: &Runtime, pids: impl Iterator<Item = Pid>) {
        let round = self.round.read().unwrap_or_else(PoisonError::into_inner).clone();
        let Some((number, asked)) = round else { return };
        for pid in pids {
            match Signal::bare(SignalKind::Leave, pid, Word::NIL, number) {
                Ok(signal) => {
                    asked.missing.fetch_add(1, Ordering::Relaxed);
                    rt.deliver(worker, signal);
                }
                // Without memory to ask, nothing is known of what it needs.
                Err(_) => asked.round.keep(|_| true),
            }
        }
    }
}

/// The process is asked to leave the areas of a round: it does, or, if that would hold the worker for long, the pool does it before
/// the process does anything else.
pub(super) fn leave(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, number: u64) {
    let words = process.heap.used_words() + WORDS_PER_MESSAGE * process.mailbox.len();
    if words > LONG_COLLECTION && worker.work_at_once != Mode::Free {
        process.cold().leaving = Some(number);
        process.heap.request_major();
        return;
    }
    leave_now(worker, rt, process, number);
}

/// What a message counts for: as a rule it is small, and far away.
const WORDS_PER_MESSAGE: usize = 32;

/// Does what `leave` has left to the pool.
pub fn leave_at_last(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) {
    if let Some(number) = process.cold.as_mut().and_then(|cold| cold.leaving.take()) {
        leave_now(worker, rt, process, number);
    }
}

fn leave_now(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, number: u64) {
    let Some(asked) = rt.purging.current(number) else { return };
    match process.leave(&mut worker.blocks, asked.round.areas()) {
        Ok(words) => process.charge((words / 16) as u32),
        // It may still lead there.
        Err(_) => asked.round.keep(|_| true),
    }
    asked.round.keep(|module| runs(process, module));
    asked.missing.fetch_sub(1, Ordering::Release);
}

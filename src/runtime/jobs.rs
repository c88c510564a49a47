//! Blocking work on behalf of a process.
//!
//! A native that would block hands its work, with arguments of its own, to the pool and lets the process wait in `Job(number)`. The
//! result comes as a `Reply` signal with that number, so a process that was killed meanwhile, or waits for something else,
//! never sees it; the work then ends unobserved.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::pool::JobKind;
use super::requests::RAISES;
use super::{Runtime, WorkerCx, clock, compose};
use crate::atom::known;
use crate::heap::{AllocError, Fragment, HeapRef};
use crate::limits::Quota;
use crate::process::{Process, Signal, SignalKind, WaitState};
use crate::term::{Term, Word};

/// Reductions that handing something to the pool and back takes.
const HAND_OVER: u64 = 40;

/// What a thread of the pool does for a process with limits costs a reduction for so long; time in which it only waits is free.
const NANOSECONDS_PER_REDUCTION: u64 = 250;

/// Makes the result of a job as a term.
pub type Answer = Box<dyn for<'h> FnOnce(&mut HeapRef<'h>) -> Result<Term<'h>, AllocError> + Send>;

/// Hands `work` to the pool; the calling process waits for what it answers. The native that calls this leaves with
/// `Stop::Block` of the wait state.
pub fn submit(
    worker: &mut WorkerCx,
    rt: &Runtime,
    process: &mut Process,
    kind: JobKind,
    work: impl FnOnce() -> Answer + Send + 'static,
) -> WaitState {
    let number = worker.make_unique();
    let (asker, account, machine) = (process.pid, Arc::clone(process.account()), rt.weak());
    // Where the machine's time is virtual, what it does is not to depend on the true one.
    let is_timed = account.is_limited() && !rt.clock.is_virtual();
    process.wait = WaitState::Job(number);
    rt.pool.submit(
        kind,
        Box::new(move || {
            // A panic of the work is a bug of ours that must not leave its process waiting for ever.
            let begun = is_timed.then(clock::thread_ns);
            let answer = catch_unwind(AssertUnwindSafe(work));
            let Some(rt) = machine.upgrade() else { return };
            let made = match answer {
                Ok(answer) => compose::fragment(&rt, &account, answer).map_err(|_| known::SYSTEM_LIMIT),
                Err(_) => Err(known::INTERNAL_ERROR),
            };
            let spent = begun.map_or(0, |begun| clock::thread_ns().saturating_sub(begun));
            if account.is_limited() {
                // If that is too much, the process ends of it when it goes on.
                let _ = account.spend(Quota::Reductions, HAND_OVER + spent / NANOSECONDS_PER_REDUCTION);
            }
            let (content, flags) = match made {
                Ok(content) => (Some(content), 0),
                Err(reason) => (Fragment::immediate(Word::atom(reason)).ok(), RAISES),
            };
            if let Some(content) = content {
                let reply =
                    Signal::new(SignalKind::Reply, asker, content).with(Word::NIL, number).with_flags(flags);
                rt.deliver(&mut rt.lend(), reply);
            }
        }),
    );
    process.wait
}

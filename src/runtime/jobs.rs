//! Blocking work on behalf of a process.
//!
//! A native that would block hands its work, with arguments of its own, to the pool and lets the process wait in `Job(number)`. The
//! result comes as a `Reply` signal with that number, so a process that was killed meanwhile, or waits for something else,
//! never sees it; the work then ends unobserved.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::pool::JobKind;
use super::requests::RAISES;
use super::{Runtime, WorkerCx, compose};
use crate::atom::known;
use crate::heap::{AllocError, Fragment, HeapRef};
use crate::process::{Process, Signal, SignalKind, WaitState};
use crate::term::{Term, Word};

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
    process.wait = WaitState::Job(number);
    rt.pool.submit(
        kind,
        Box::new(move || {
            // A panic of the work is a bug of ours that must not leave its process waiting for ever.
            let answer = catch_unwind(AssertUnwindSafe(work));
            let Some(rt) = machine.upgrade() else { return };
            let made = match answer {
                Ok(answer) => compose::fragment(&rt, &account, answer).map_err(|_| known::SYSTEM_LIMIT),
                Err(_) => Err(known::INTERNAL_ERROR),
            };
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

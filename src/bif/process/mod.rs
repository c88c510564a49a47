//! Natives on processes.
//!
//! Signals a native sends to its own process act before the native returns, as in OTP: it ends the slice with its result
//! (`after_own_signals`), and the next pick handles them first.

pub mod alias;
pub mod dictionary;
pub mod exit;
pub mod flag;
pub mod info;
pub mod link;
pub mod monitor;
pub mod name;
pub mod send;
pub mod spawn;
pub mod suspend;
pub mod timer;

use crate::bif::{BifResult, Cx, Stop, StopKind};
use crate::term::{Pid, Term};

/// The pid that an argument must be.
pub(super) fn pid<'h>(term: Term<'h>) -> Result<Pid, Stop<'h>> {
    term.as_pid().ok_or_else(Stop::badarg)
}

/// The result `true`.
pub(super) fn yes<'h>() -> BifResult<'h> {
    Ok(Term::boolean(true))
}

/// Ends the slice with this result, so that what the process has sent to itself acts first.
fn after_own_signals<'h>(result: Term<'h>) -> BifResult<'h> {
    Err(Stop::new(StopKind::Yield { result }))
}

/// `self() -> pid()`.
pub fn self_<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    Ok(Term::pid(cx.self_pid()))
}

/// `make_ref() -> reference()`.
pub fn make_ref<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let unique = new_reference(cx);
    let owner = cx.self_pid();
    Ok(cx.reference(unique, Some(owner))?)
}

/// A fresh reference's number, with a mark in the mailbox: no message here yet can hold it.
fn new_reference(cx: &mut Cx<'_>) -> u64 {
    let unique = cx.worker.make_unique();
    cx.process_mut().mailbox.mark(unique);
    unique
}

/// `yield() -> true`.
pub fn yield_<'h>(_: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    after_own_signals(Term::boolean(true))
}

/// `bump_reductions(Reductions) -> true`.
///
/// # Errors
/// `badarg` if it is no positive integer.
pub fn bump_reductions<'h>(cx: &mut Cx<'h>, [reductions]: [Term<'h>; 1]) -> BifResult<'h> {
    match reductions.as_small() {
        Some(reductions) if reductions > 0 => {
            cx.charge(reductions as usize);
            yes()
        }
        _ => Err(Stop::badarg()),
    }
}

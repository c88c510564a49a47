//! Exit signals, hibernation, and the end of the machine.

use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop, StopKind};
use crate::process::{Signal, SignalKind, WaitState};
use crate::term::{Term, Word};

/// `exit(Pid, Reason) -> true`.
///
/// # Errors
/// `badarg` if it is neither pid nor port.
pub fn exit<'h>(cx: &mut Cx<'h>, [to, reason]: [Term<'h>; 2]) -> BifResult<'h> {
    if to.as_port().is_some() {
        // No port is open: the signal reaches nobody.
        return super::yes();
    }
    let pid = super::pid(to)?;
    let me = cx.self_pid();
    let tuple = cx.tuple(&[Term::atom(known::EXIT_SIGNAL), Term::pid(me), reason])?;
    let content = cx.copy_out(tuple)?;
    let (rt, worker, process) = cx.parts();
    let signal = Signal::new(SignalKind::Exit, pid, content).with(Word::pid(me), 0);
    rt.deliver_from(worker, Some(process), signal);
    if pid == me { super::after_own_signals(Term::boolean(true)) } else { super::yes() }
}

/// `hibernate(Module, Function, Args) -> no_return()`: forgets the stack, shrinks the heap, and calls the function when there
/// is a message.
///
/// # Errors
/// `badarg` if module and function are no atoms or the arguments no list; `system_limit` for too many.
pub fn hibernate<'h>(cx: &mut Cx<'h>, [module, function, args]: [Term<'h>; 3]) -> BifResult<'h> {
    let arity = args.proper_length().ok_or_else(Stop::badarg)?;
    if module.as_atom().is_none() || function.as_atom().is_none() {
        return Err(Stop::badarg());
    }
    if arity > usize::from(erlet_lang::bytecode::MAX_ARITY) {
        return Err(Stop::system_limit());
    }
    let call = cx.tuple(&[module, function, args])?;
    let call = cx.copy_out(call)?;
    cx.process_mut().cold().hibernating = Some(call);
    Err(Stop::block(WaitState::Receive(0)))
}

/// `halt() -> no_return()`.
pub fn halt<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    Err(end(cx, 0))
}

/// The machine ends; with reports on their way, when they are written.
fn end<'h>(cx: &Cx<'h>, status: i32) -> Stop<'h> {
    match Term::small(i64::from(status)) {
        Some(status) if !cx.rt.reports.is_quiet() => {
            Stop::tail_call(known::ERLET_REPORTER, known::HALT, vec![status])
        }
        _ => Stop::new(StopKind::Halt(status)),
    }
}

/// `halt(Status) -> no_return()`: a status from 0, a slogan (status 1), or `abort`.
///
/// # Errors
/// `badarg` if it is none of these.
pub fn halt_with<'h>(cx: &mut Cx<'h>, [status]: [Term<'h>; 1]) -> BifResult<'h> {
    if let Some(status) = status.as_small() {
        let status = i32::try_from(status).ok().filter(|status| *status >= 0).ok_or_else(Stop::badarg)?;
        return Err(end(cx, status));
    }
    if status.is_atom(known::ABORT) {
        return Err(end(cx, ABORTED));
    }
    let mut slogan = String::new();
    if status.proper_length().is_none() {
        return Err(Stop::badarg());
    }
    for character in status.list() {
        let code = character.as_small().and_then(|code| u32::try_from(code).ok()).and_then(char::from_u32);
        slogan.push(code.ok_or_else(Stop::badarg)?);
    }
    slogan.push('\n');
    // A broken standard error has nobody to be told of it.
    let _ = cx.rt.stderr.put(slogan.as_bytes());
    Err(end(cx, 1))
}

/// Status of a program that was aborted: what a shell shows for it.
const ABORTED: i32 = 134;

/// `halt(Status, Options) -> no_return()`: `{flush, boolean()}` is known; output is complete in any case.
///
/// # Errors
/// As `halt/1`; `badarg` for other options.
pub fn halt_with_options<'h>(cx: &mut Cx<'h>, [status, options]: [Term<'h>; 2]) -> BifResult<'h> {
    if options.proper_length().is_none() {
        return Err(Stop::badarg());
    }
    for option in options.list() {
        match option.as_tuple() {
            Some(&[key, value]) if key.is_atom(known::FLUSH) && value.as_boolean().is_some() => {}
            Some(&[key, value])
                if key.is_atom(known::FLUSH_TIMEOUT)
                    && (value.is_integer() || value.is_atom(known::INFINITY)) => {}
            _ => return Err(Stop::badarg()),
        }
    }
    halt_with(cx, [status])
}

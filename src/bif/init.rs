//! Natives of module `erlet_init`.

use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop, StopKind};
use crate::term::{Term, Word};

/// `arguments() -> [string()]`: what follows the program's name on the command line.
pub fn arguments<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let rt = cx.rt;
    let mut terms = Vec::with_capacity(rt.config.arguments.len());
    for argument in &rt.config.arguments {
        terms.push(cx.string(argument)?);
    }
    Ok(cx.list(&terms)?)
}

/// The report that a number means to the process `logger`; nobody else is told of any.
fn report<'h>(cx: &Cx<'h>, number: Term<'h>) -> Option<u64> {
    let logger = cx.rt.names.get(known::LOGGER).and_then(Word::as_pid);
    let number = number.as_small().and_then(|number| u64::try_from(number).ok())?;
    (logger == Some(cx.self_pid()) && cx.rt.reports.is_pending(number)).then_some(number)
}

/// `is_report(Number) -> boolean()`: whether that is a report that the machine has sent to `logger`, which asks.
pub fn is_report<'h>(cx: &mut Cx<'h>, [number]: [Term<'h>; 1]) -> BifResult<'h> {
    Ok(Term::boolean(report(cx, number).is_some()))
}

/// `reported(Number) -> boolean()`: a report that the machine has sent to `logger` is written.
pub fn reported<'h>(cx: &mut Cx<'h>, [number]: [Term<'h>; 1]) -> BifResult<'h> {
    let report = report(cx, number);
    if let Some(number) = report {
        cx.rt.reports.written(number);
    }
    Ok(Term::boolean(report.is_some()))
}

/// `may_halt() -> true`.
///
/// # Errors
/// `eacces` if it may not.
pub fn may_halt<'h>(_: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    Ok(Term::boolean(true))
}

/// `halt(Status) -> no_return()`: the machine ends, whatever is still to be reported.
///
/// # Errors
/// `badarg` if the status is none.
pub fn halt<'h>(_: &mut Cx<'h>, [status]: [Term<'h>; 1]) -> BifResult<'h> {
    let status = status.as_small().and_then(|status| i32::try_from(status).ok());
    Err(status.map_or_else(Stop::badarg, |status| Stop::new(StopKind::Halt(status))))
}

//! Natives of module `erlet_init`.

use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop, StopKind};
use crate::term::Term;

/// `arguments() -> [string()]`: what follows the program's name on the command line.
pub fn arguments<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let rt = cx.rt;
    let mut terms = Vec::with_capacity(rt.config.arguments.len());
    for argument in &rt.config.arguments {
        terms.push(cx.string(argument)?);
    }
    Ok(cx.list(&terms)?)
}

/// `reported() -> ok`: a report that the machine has sent to `logger` is written.
pub fn reported<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    if !cx.payer().is_own() {
        return Ok(Term::boolean(false));
    }
    cx.rt.reports.written();
    Ok(Term::atom(known::OK))
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

//! Natives on processes: making them, sending to them.

use crate::bif::{BifResult, Cx, Stop};
use crate::term::{Term, View};

/// `self() -> pid()`.
pub fn self_<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    Ok(Term::pid(cx.self_pid()))
}

/// `send(Destination, Message) -> Message`, and the operator `!`.
///
/// # Errors
/// `badarg` if the destination is nothing one can send to, or a name nobody has.
pub fn send<'h>(cx: &mut Cx<'h>, [to, message]: [Term<'h>; 2]) -> BifResult<'h> {
    match to.view() {
        View::Pid(pid) => {
            let (rt, worker, process) = cx.parts();
            rt.send(worker, process, pid, message)?;
            Ok(message)
        }
        _ => Err(Stop::badarg()),
    }
}

//! Sending.

use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::term::{Term, View};

/// `send(Destination, Message) -> Message`, and the operator `!`.
///
/// # Errors
/// `badarg` if the destination is nothing one can send to, or a name nobody has.
pub fn send<'h>(cx: &mut Cx<'h>, [to, message]: [Term<'h>; 2]) -> BifResult<'h> {
    deliver(cx, to, message)?;
    Ok(message)
}

/// `send(Destination, Message, Options) -> ok`. Local sends need neither `nosuspend` nor `noconnect`.
///
/// # Errors
/// As `send/2`; `badarg` for other options.
pub fn send_with<'h>(cx: &mut Cx<'h>, [to, message, options]: [Term<'h>; 3]) -> BifResult<'h> {
    check_options(options)?;
    deliver(cx, to, message)?;
    Ok(Term::atom(known::OK))
}

/// `send_nosuspend(Destination, Message) -> true`.
///
/// # Errors
/// As `send/2`.
pub fn send_nosuspend<'h>(cx: &mut Cx<'h>, [to, message]: [Term<'h>; 2]) -> BifResult<'h> {
    deliver(cx, to, message)?;
    super::yes()
}

/// `send_nosuspend(Destination, Message, Options) -> true`.
///
/// # Errors
/// As `send/3`.
pub fn send_nosuspend_with<'h>(cx: &mut Cx<'h>, [to, message, options]: [Term<'h>; 3]) -> BifResult<'h> {
    check_options(options)?;
    deliver(cx, to, message)?;
    super::yes()
}

fn check_options<'h>(options: Term<'h>) -> Result<(), Stop<'h>> {
    if options.proper_length().is_none() {
        return Err(Stop::badarg_because(known::BADOPT));
    }
    let known = |option: Term<'h>| option.is_atom(known::NOSUSPEND) || option.is_atom(known::NOCONNECT);
    if options.list().all(known) { Ok(()) } else { Err(Stop::badarg_because(known::BADOPT)) }
}

#[inline]
fn deliver<'h>(cx: &mut Cx<'h>, to: Term<'h>, message: Term<'h>) -> Result<(), Stop<'h>> {
    if let Some(pid) = to.as_pid() {
        let (rt, worker, process) = cx.parts();
        return Ok(rt.send(worker, process, pid, message)?);
    }
    deliver_otherwise(cx, to, message)
}

fn deliver_otherwise<'h>(cx: &mut Cx<'h>, to: Term<'h>, message: Term<'h>) -> Result<(), Stop<'h>> {
    let (rt, worker, process) = cx.parts();
    match to.view() {
        View::Atom(name) => {
            let pid = rt.names.pid(name).ok_or_else(Stop::badarg)?;
            rt.send(worker, process, pid, message)?
        }
        View::Ref(reference) => {
            // One without an owner is never an alias: the message is lost.
            if let Some(owner) = reference.owner() {
                rt.send_to_alias(worker, process, owner, reference.unique(), message)?;
            }
        }
        View::Tuple(&[name, node]) => {
            let (Some(name), Some(node)) = (name.as_atom(), node.as_atom()) else {
                return Err(Stop::badarg());
            };
            // A name nobody has, here or on a node there is no connection to: the message is lost, silently.
            if let Some(pid) = rt.names.pid(name).filter(|_| node == known::NONODE_NOHOST) {
                rt.send(worker, process, pid, message)?;
            }
        }
        _ => return Err(Stop::badarg()),
    }
    Ok(())
}

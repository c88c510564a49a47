//! Links.

use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::process::{Signal, SignalKind};
use crate::runtime::compose::{self, Part};
use crate::term::Term;

/// `link(Pid) -> true`.
///
/// # Errors
/// `badarg` if it is no pid; `noproc` if the process is dead and the caller does not trap exits (one that does gets the
/// exit as a message).
pub fn link<'h>(cx: &mut Cx<'h>, [peer]: [Term<'h>; 1]) -> BifResult<'h> {
    let pid = super::pid(peer)?;
    let me = cx.self_pid();
    if pid == me {
        return super::yes();
    }
    let (rt, worker, process) = cx.parts();
    if !rt.slots.is_alive(pid) {
        if process.relations.as_ref().is_some_and(|relations| relations.is_linked(peer.word())) {
            // Its exit is on its way.
            return super::yes();
        }
        if !process.trap_exit {
            return Err(Stop::error(Term::atom(known::NOPROC)));
        }
        let noproc = Part::atom(known::NOPROC);
        if let Some(tuple) = compose::exit_tuple(process.account(), peer.word(), noproc) {
            rt.deliver(worker, Signal::new(SignalKind::Message, me, tuple));
        }
        return super::yes();
    }
    let id = worker.make_unique();
    if process.relations().link(peer.word(), id) {
        rt.send_bare(worker, process, SignalKind::Link, pid, id);
    }
    super::yes()
}

/// `unlink(Pid) -> true`. When it has returned, no exit of that link reaches the caller.
///
/// # Errors
/// `badarg` if it is no pid.
pub fn unlink<'h>(cx: &mut Cx<'h>, [peer]: [Term<'h>; 1]) -> BifResult<'h> {
    if peer.as_port().is_some() {
        return super::yes();
    }
    let pid = super::pid(peer)?;
    let (rt, worker, process) = cx.parts();
    let id = worker.make_unique();
    if process.relations.as_mut().is_some_and(|relations| relations.unlink(peer.word(), id)) {
        rt.send_bare(worker, process, SignalKind::Unlink, pid, id);
    }
    super::yes()
}

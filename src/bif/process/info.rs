//! Questions about processes.

use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::runtime::info;
use crate::runtime::requests::{self, Question};
use crate::term::{Pid, Term};

/// `process_info(Pid) -> [{Item, Value}] | undefined`.
///
/// # Errors
/// `badarg` if it is no pid.
pub fn process_info<'h>(cx: &mut Cx<'h>, [pid]: [Term<'h>; 1]) -> BifResult<'h> {
    let pid = super::pid(pid)?;
    let items: Vec<_> = info::DEFAULT_ITEMS.iter().map(|item| Term::atom(*item)).collect();
    let items = cx.list(&items)?;
    // The name is left out if there is none, and not an empty list as when it is asked for.
    let marked = cx.tuple(&[items])?;
    answer(cx, pid, marked)
}

/// `process_info(Pid, Item | [Item]) -> {Item, Value} | [{Item, Value}] | undefined`.
///
/// # Errors
/// `badarg` if it is no pid or an item is unknown.
pub fn process_info_of<'h>(cx: &mut Cx<'h>, [pid, items]: [Term<'h>; 2]) -> BifResult<'h> {
    let pid = super::pid(pid)?;
    let is_good = |item: Term<'h>| info::is_item(item);
    let good = match items.proper_length() {
        Some(_) => items.list().all(is_good),
        None => is_good(items),
    };
    if !good {
        return Err(Stop::badarg());
    }
    answer(cx, pid, items)
}

/// What looking up where a process is takes at most, about.
const UNITS_PER_ANSWER: usize = 500;

fn answer<'h>(cx: &mut Cx<'h>, pid: Pid, items: Term<'h>) -> BifResult<'h> {
    if pid == cx.self_pid() {
        let (rt, worker, process) = cx.parts();
        // What was sent to it before counts as received.
        let _ = crate::runtime::signals::handle_all(worker, rt, process);
        let answer = info::about(rt, process, items)?;
        cx.work(answer.words() + UNITS_PER_ANSWER)?;
        return Ok(cx.adopt(answer));
    }
    let (rt, worker, process) = cx.parts();
    let wait = requests::ask(worker, rt, process, pid, Question::Info, items)?;
    Err(Stop::block(wait))
}

/// `is_process_alive(Pid) -> boolean()`. Signals sent to it before act first.
///
/// # Errors
/// `badarg` if it is no pid.
pub fn is_process_alive<'h>(cx: &mut Cx<'h>, [pid]: [Term<'h>; 1]) -> BifResult<'h> {
    let pid = super::pid(pid)?;
    if pid == cx.self_pid() {
        return super::yes();
    }
    if !cx.rt.slots.is_alive(pid) {
        return Ok(Term::boolean(false));
    }
    if cx.rt.slots.is_parked(pid) {
        // Nothing is queued that could end it.
        return super::yes();
    }
    let (rt, worker, process) = cx.parts();
    let wait = requests::ask(worker, rt, process, pid, Question::Alive, Term::NIL)?;
    Err(Stop::block(wait))
}

/// `processes() -> [pid()]`.
pub fn processes<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    // Those that are gone have left places that are passed over, too.
    let places = cx.rt.slots.places();
    cx.work(places as usize)?;
    let pids: Vec<_> = cx.rt.slots.pids().into_iter().map(Term::pid).collect();
    Ok(cx.list(&pids)?)
}

/// `node() -> atom()`.
pub fn node<'h>(_: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    Ok(Term::atom(known::NONODE_NOHOST))
}

/// `node(PidPortRef) -> atom()`.
///
/// # Errors
/// `badarg` for anything else.
pub fn node_of<'h>(_: &mut Cx<'h>, [term]: [Term<'h>; 1]) -> BifResult<'h> {
    if term.as_pid().is_some() || term.as_port().is_some() || term.as_ref().is_some() {
        return Ok(Term::atom(known::NONODE_NOHOST));
    }
    Err(Stop::badarg())
}

/// `nodes() -> [atom()]`.
pub fn nodes<'h>(_: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    Ok(Term::NIL)
}

/// `is_alive() -> boolean()`.
pub fn is_alive<'h>(_: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    Ok(Term::boolean(false))
}

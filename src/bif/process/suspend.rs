//! Suspending others, and collecting garbage on request.

use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::process::{Signal, SignalKind};
use crate::runtime::requests::{self, Question};
use crate::term::{Term, Word};

/// `suspend_process(Pid) -> true`. It has stopped when this returns.
///
/// # Errors
/// `badarg` if it is no other living process.
pub fn suspend<'h>(cx: &mut Cx<'h>, [pid]: [Term<'h>; 1]) -> BifResult<'h> {
    suspend_with(cx, [pid, Term::NIL])
}

/// `suspend_process(Pid, Options) -> boolean()`: `unless_suspending`, `asynchronous`, `{asynchronous, Tag}`.
///
/// # Errors
/// As `suspend_process/1`; `badarg` for other options.
pub fn suspend_with<'h>(cx: &mut Cx<'h>, [term, options]: [Term<'h>; 2]) -> BifResult<'h> {
    let pid = super::pid(term)?;
    if pid == cx.self_pid() || options.proper_length().is_none() {
        return Err(Stop::badarg());
    }
    let (mut unless, mut asynchronous, mut tag) = (false, false, None);
    for option in options.list() {
        match (option.as_atom(), option.as_tuple()) {
            (Some(known::UNLESS_SUSPENDING), _) => unless = true,
            (Some(known::ASYNCHRONOUS), _) => asynchronous = true,
            (_, Some(&[key, value])) if key.is_atom(known::ASYNCHRONOUS) => {
                (asynchronous, tag) = (true, Some(value))
            }
            _ => return Err(Stop::badarg()),
        }
    }
    let content = if asynchronous { Some(cx.copy_out(tag.unwrap_or(Term::NIL))?) } else { None };
    let mine = &mut cx.process_mut().cold().suspending;
    match mine.iter_mut().find(|(whom, _)| *whom == pid) {
        Some(_) if unless => return Ok(Term::boolean(false)),
        Some((_, count)) => *count += 1,
        None => mine.push((pid, 1)),
    }
    let Some(content) = content else {
        let (rt, worker, process) = cx.parts();
        let wait = requests::ask(worker, rt, process, pid, Question::Suspend, Term::NIL)?;
        return Err(Stop::block(wait));
    };
    let question = if tag.is_some() { Question::SuspendTagged } else { Question::SuspendSilently };
    let me = Word::pid(cx.self_pid());
    let (rt, worker, _) = cx.parts();
    let signal = Signal::new(SignalKind::Request, pid, content).with(me, 0).with_flags(question as u8);
    rt.deliver(worker, signal);
    super::yes()
}

/// `resume_process(Pid) -> true`.
///
/// # Errors
/// `badarg` if the caller has not suspended it.
pub fn resume<'h>(cx: &mut Cx<'h>, [pid]: [Term<'h>; 1]) -> BifResult<'h> {
    let pid = super::pid(pid)?;
    let me = Word::pid(cx.self_pid());
    let (rt, worker, process) = cx.parts();
    let mine = &mut process.cold().suspending;
    let place = mine.iter().position(|(whom, _)| *whom == pid).ok_or_else(Stop::badarg)?;
    mine[place].1 -= 1;
    if mine[place].1 == 0 {
        mine.remove(place);
    }
    if !rt.slots.is_alive(pid) {
        return Err(Stop::badarg());
    }
    rt.deliver_bare(worker, SignalKind::Resume, pid, me, 0);
    super::yes()
}

/// `garbage_collect() -> true`.
pub fn collect<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let me = cx.self_pid();
    ask(cx, me, Question::Collect)
}

/// `garbage_collect(Pid) -> boolean()`: `false` for a dead process.
///
/// # Errors
/// `badarg` if it is no pid.
pub fn collect_of<'h>(cx: &mut Cx<'h>, [pid]: [Term<'h>; 1]) -> BifResult<'h> {
    let pid = super::pid(pid)?;
    ask(cx, pid, Question::Collect)
}

/// `garbage_collect(Pid, Options) -> boolean() | async`: `{type, major | minor}`, `{async, RequestId}`.
///
/// # Errors
/// `badarg` if it is no pid, or for other options.
pub fn collect_with<'h>(cx: &mut Cx<'h>, [pid, options]: [Term<'h>; 2]) -> BifResult<'h> {
    let refused = || Stop::badarg_because(known::BAD_OPTION);
    if options.proper_length().is_none() {
        return Err(refused());
    }
    let (mut question, mut request) = (Question::Collect, None);
    for option in options.list() {
        match option.as_tuple() {
            Some(&[key, value]) if key.is_atom(known::TYPE) => {
                question = match value.as_atom() {
                    Some(known::MAJOR) => Question::Collect,
                    Some(known::MINOR) => Question::CollectMinor,
                    _ => return Err(refused()),
                };
            }
            Some(&[key, value]) if key.is_atom(known::ASYNC) => request = Some(value),
            _ => return Err(refused()),
        }
    }
    let pid = super::pid(pid)?;
    let Some(request) = request else { return ask(cx, pid, question) };
    let content = cx.copy_out(request)?;
    let me = Word::pid(cx.self_pid());
    let (rt, worker, _) = cx.parts();
    let flags = Question::CollectTagged as u8;
    rt.deliver(worker, Signal::new(SignalKind::Request, pid, content).with(me, 0).with_flags(flags));
    Ok(Term::atom(known::ASYNC))
}

fn ask<'h>(cx: &mut Cx<'h>, pid: crate::term::Pid, question: Question) -> BifResult<'h> {
    let (rt, worker, process) = cx.parts();
    let wait = requests::ask(worker, rt, process, pid, question, Term::NIL)?;
    Err(Stop::block(wait))
}

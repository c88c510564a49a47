//! Timers.

use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::process::{Signal, SignalKind};
use crate::runtime::timers::{self, Destination};
use crate::term::{Term, View};

/// `send_after(Time, Destination, Message) -> reference()`.
///
/// # Errors
/// `badarg` if the time is no integer from 0 (milliseconds), or the destination neither pid nor atom.
pub fn send_after<'h>(cx: &mut Cx<'h>, [time, to, message]: [Term<'h>; 3]) -> BifResult<'h> {
    arm(cx, time, to, message, Term::NIL, false)
}

/// `send_after(Time, Destination, Message, Options) -> reference()`: `{abs, boolean()}`.
///
/// # Errors
/// As `send_after/3`; `badarg` for other options.
pub fn send_after_with<'h>(cx: &mut Cx<'h>, [time, to, message, options]: [Term<'h>; 4]) -> BifResult<'h> {
    arm(cx, time, to, message, options, false)
}

/// `start_timer(Time, Destination, Message) -> reference()`: sends `{timeout, Ref, Message}`.
///
/// # Errors
/// As `send_after/3`.
pub fn start_timer<'h>(cx: &mut Cx<'h>, [time, to, message]: [Term<'h>; 3]) -> BifResult<'h> {
    arm(cx, time, to, message, Term::NIL, true)
}

/// `start_timer(Time, Destination, Message, Options) -> reference()`: `{abs, boolean()}`.
///
/// # Errors
/// As `send_after/4`.
pub fn start_timer_with<'h>(cx: &mut Cx<'h>, [time, to, message, options]: [Term<'h>; 4]) -> BifResult<'h> {
    arm(cx, time, to, message, options, true)
}

const MILLISECOND_NS: u64 = 1_000_000;

fn arm<'h>(
    cx: &mut Cx<'h>,
    time: Term<'h>,
    to: Term<'h>,
    message: Term<'h>,
    options: Term<'h>,
    wraps: bool,
) -> BifResult<'h> {
    let absolute =
        flags(options, [known::ABS]).map_err(|stop| stop.because(known::BADOPT))?[0].unwrap_or(false);
    let beyond = || Stop::badarg_because(known::TIME);
    let time = time.as_small().ok_or_else(beyond)?;
    let deadline = match u64::try_from(time) {
        Ok(time) if absolute => time.saturating_mul(MILLISECOND_NS),
        Ok(time) => cx.rt.clock.now().saturating_add(time.saturating_mul(MILLISECOND_NS)),
        // A moment before the machine's start is over.
        Err(_) if absolute => 0,
        Err(_) => return Err(beyond()),
    };
    if deadline >= u64::MAX / 2 {
        return Err(beyond());
    }
    let to = match to.view() {
        View::Pid(pid) => Destination::Pid(pid),
        View::Atom(name) => Destination::Name(name),
        _ => return Err(Stop::badarg()),
    };
    let me = cx.self_pid();
    let unique = cx.worker.make_unique();
    let reference = cx.reference(unique, Some(me))?;
    let sent = if wraps { cx.tuple(&[Term::atom(known::TIMEOUT), reference, message])? } else { message };
    let content = cx.copy_out(sent)?;
    let (rt, worker, process) = cx.parts();
    timers::arm_message(worker, rt, deadline, to, content, unique, process);
    Ok(reference)
}

/// Boolean options by name.
fn flags<'h, const N: usize>(
    options: Term<'h>,
    names: [crate::atom::Atom; N],
) -> Result<[Option<bool>; N], Stop<'h>> {
    if options.proper_length().is_none() {
        return Err(Stop::badarg());
    }
    let mut values = [None; N];
    for option in options.list() {
        let Some(&[key, value]) = option.as_tuple() else { return Err(Stop::badarg()) };
        let place = names.iter().position(|name| key.is_atom(*name)).ok_or_else(Stop::badarg)?;
        values[place] = Some(value.as_boolean().ok_or_else(Stop::badarg)?);
    }
    Ok(values)
}

/// `cancel_timer(Ref) -> Time | false`: milliseconds that were left.
///
/// # Errors
/// `badarg` if it is no reference.
pub fn cancel<'h>(cx: &mut Cx<'h>, [reference]: [Term<'h>; 1]) -> BifResult<'h> {
    let left = timers::cancel(cx.rt, unique(reference)?);
    milliseconds(cx, left)
}

/// `cancel_timer(Ref, Options) -> Time | false | ok`: `{async, boolean()}`, `{info, boolean()}`.
///
/// # Errors
/// As `cancel_timer/1`; `badarg` for other options.
pub fn cancel_with<'h>(cx: &mut Cx<'h>, [reference, options]: [Term<'h>; 2]) -> BifResult<'h> {
    let [asynchronous, info] = flags(options, [known::ASYNC, known::INFO])?;
    let left = timers::cancel(cx.rt, unique(reference)?);
    let result = milliseconds(cx, left)?;
    if !info.unwrap_or(true) {
        return Ok(Term::atom(known::OK));
    }
    if !asynchronous.unwrap_or(false) {
        return Ok(result);
    }
    tell(cx, known::CANCEL_TIMER, reference, result)
}

/// `read_timer(Ref) -> Time | false`: milliseconds left.
///
/// # Errors
/// `badarg` if it is no reference.
pub fn read<'h>(cx: &mut Cx<'h>, [reference]: [Term<'h>; 1]) -> BifResult<'h> {
    let left = timers::read(cx.rt, unique(reference)?);
    milliseconds(cx, left)
}

/// `read_timer(Ref, Options) -> Time | false | ok`: `{async, boolean()}`.
///
/// # Errors
/// As `read_timer/1`; `badarg` for other options.
pub fn read_with<'h>(cx: &mut Cx<'h>, [reference, options]: [Term<'h>; 2]) -> BifResult<'h> {
    let [asynchronous] = flags(options, [known::ASYNC])?;
    let left = timers::read(cx.rt, unique(reference)?);
    let result = milliseconds(cx, left)?;
    if asynchronous.unwrap_or(false) { tell(cx, known::READ_TIMER, reference, result) } else { Ok(result) }
}

fn unique<'h>(reference: Term<'h>) -> Result<u64, Stop<'h>> {
    Ok(reference.as_ref().ok_or_else(Stop::badarg)?.unique())
}

/// Nanoseconds left as milliseconds, rounded up: a timer just armed for 10 ms has 10 ms left.
fn milliseconds<'h>(cx: &mut Cx<'h>, left: Option<u64>) -> BifResult<'h> {
    match left {
        None => Ok(Term::boolean(false)),
        Some(left) => Ok(cx.int(left.div_ceil(MILLISECOND_NS) as i64)?),
    }
}

/// Sends the answer as a message, `{What, Ref, Result}`.
fn tell<'h>(
    cx: &mut Cx<'h>,
    what: crate::atom::Atom,
    reference: Term<'h>,
    result: Term<'h>,
) -> BifResult<'h> {
    // The timer is dealt with already.
    cx.commit();
    let me = cx.self_pid();
    let tuple = cx.tuple(&[Term::atom(what), reference, result])?;
    let content = cx.copy_out(tuple)?;
    let (rt, worker, _) = cx.parts();
    rt.deliver(worker, Signal::new(SignalKind::Message, me, content));
    Ok(Term::atom(known::OK))
}

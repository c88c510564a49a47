//! Natives of modules `erlet_io` and `io`: terms as text, and the program's standard streams.

use super::chardata::{Chars, Encoding, Fault};
use super::posix;
use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::limits::Quota;
use crate::process::SignalKind;
use crate::runtime::jobs::{self, Answer};
use crate::runtime::log::LogEvent;
use crate::runtime::output::{Backlog, Output};
use crate::runtime::pool::JobKind;
use crate::term::print::{self, Range, Style};
use crate::term::{Term, View};

fn is_unicode<'h>(encoding: Term<'h>) -> Result<bool, Stop<'h>> {
    match encoding.as_atom() {
        Some(known::LATIN1) => Ok(false),
        Some(known::UNICODE) => Ok(true),
        _ => Err(Stop::badarg()),
    }
}

/// Text as a list of code points, charged for.
fn chars<'h>(cx: &mut Cx<'h>, text: &str) -> BifResult<'h> {
    cx.charge(text.len() / 16);
    cx.work(text.len())?;
    Ok(cx.string(text)?)
}

/// The text of a term, as far as it has at most `limit` characters (`None` if not), as work that is paid for.
///
/// # Errors
/// If there is no time or room for it.
pub(super) fn printed<'h>(
    cx: &mut Cx<'h>,
    term: Term<'h>,
    style: Style,
    limit: usize,
) -> Result<Option<String>, Stop<'h>> {
    let mut text = String::new();
    let mut charge = cx.charge_for_scratch();
    let atoms = cx.atoms();
    let mut steps = 0;
    let mut meter = |bytes, units| {
        steps += print::ITEMS_AT_ONCE;
        cx.suspect(term, steps)?;
        // A string that grows doubles its room.
        charge.cover(2 * bytes)?;
        cx.work(units)
    };
    let whole = print::write_metered(&mut text, atoms, term, style, limit, &mut meter)?;
    Ok(whole.then_some(text))
}

/// `io:printable_range() -> latin1`: lists of which characters are shown as text.
pub fn printable_range<'h>(_: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    Ok(Term::atom(known::LATIN1))
}

/// `write_flat(Term, latin1 | unicode) -> Chars`: the term as `~w` or `~tw` prints it.
///
/// # Errors
/// `badarg` for another encoding.
pub fn write_flat<'h>(cx: &mut Cx<'h>, [term, encoding]: [Term<'h>; 2]) -> BifResult<'h> {
    let style = Style { strings: None, unicode: is_unicode(encoding)? };
    let text = printed(cx, term, style, usize::MAX)?.unwrap_or_default();
    chars(cx, &text)
}

/// `print_flat(Term, Encoding, Range, Max) -> Chars | false`: the term as `~p` or `~tp` prints it on one line, if that has
/// at most `Max` characters.
///
/// # Errors
/// `badarg` for another encoding or range, or if `Max` is no integer.
pub fn print_flat<'h>(cx: &mut Cx<'h>, [term, encoding, range, max]: [Term<'h>; 4]) -> BifResult<'h> {
    let max = max.as_small().ok_or_else(Stop::badarg)?;
    let Ok(max) = usize::try_from(max) else { return Ok(Term::boolean(false)) };
    let strings = match range.as_atom() {
        Some(known::NONE) => None,
        Some(known::LATIN1) => Some(Range::Latin1),
        Some(known::UNICODE) => Some(Range::Unicode),
        _ => return Err(Stop::badarg()),
    };
    let style = Style { strings, unicode: is_unicode(encoding)? };
    match printed(cx, term, style, max)? {
        Some(text) => chars(cx, &text),
        None => {
            cx.charge(max / 16);
            Ok(Term::boolean(false))
        }
    }
}

/// The built-in server a pid is: its output device.
fn direct<'h>(cx: &Cx<'h>, pid: Term<'h>) -> Option<&'h Output> {
    let pid = pid.as_pid()?;
    let rt = cx.rt;
    if rt.servers.user() == Some(pid) {
        return Some(&rt.stdout);
    }
    (rt.servers.standard_error() == Some(pid)).then_some(&rt.stderr)
}

/// `is_direct(Pid) -> boolean()`: whether that is one of the built-in servers of standard output and error.
pub fn is_direct<'h>(cx: &mut Cx<'h>, [pid]: [Term<'h>; 1]) -> BifResult<'h> {
    let alive = direct(cx, pid).is_some() && pid.as_pid().is_some_and(|pid| cx.rt.slots.is_alive(pid));
    Ok(Term::boolean(alive))
}

/// `fast_put(Pid, Chardata) -> ok | false | {error, Reason}`: puts characters out without asking the server, if it has nothing
/// to do that came earlier.
pub fn fast_put<'h>(cx: &mut Cx<'h>, [pid, data]: [Term<'h>; 2]) -> BifResult<'h> {
    let Some(device) = direct(cx, pid) else { return Ok(Term::boolean(false)) };
    if !pid.as_pid().is_some_and(|pid| cx.rt.slots.is_parked(pid)) {
        return Ok(Term::boolean(false));
    }
    let mut bytes = cx.scratch();
    let mut text = Chars::new(data, Encoding::Utf8);
    loop {
        match text.next(cx) {
            Ok(Some(code_point)) if Encoding::Utf8.encode(code_point, &mut bytes)? => {}
            Ok(None) => break,
            Err(Fault::Stopped(error)) => return Err(error.into()),
            Ok(Some(_)) | Err(Fault::Invalid | Fault::Incomplete | Fault::NotChardata) => {
                let reason = cx.tuple(&[Term::atom(known::PUT_CHARS), Term::atom(known::UNICODE), data])?;
                return Ok(cx.tuple(&[Term::atom(known::ERROR), reason])?);
            }
        }
    }
    cx.charge(bytes.len() / 16);
    cx.payer().spend(Quota::OutputBytes, bytes.len() as u64)?;
    put(cx, device, &bytes)
}

/// `charge(Pid, Bytes) -> ok`: a server has put something out for this process, whose output may be limited.
///
/// # Errors
/// `badarg` if these are no pid and number.
pub fn charge<'h>(cx: &mut Cx<'h>, [pid, bytes]: [Term<'h>; 2]) -> BifResult<'h> {
    let pid = pid.as_pid().ok_or_else(Stop::badarg)?;
    let bytes = bytes.as_small().and_then(|bytes| u64::try_from(bytes).ok()).ok_or_else(Stop::badarg)?;
    // Nobody else than the machine's own servers may charge others.
    let me = Some(cx.self_pid());
    if cx.rt.has_limits() && (cx.rt.servers.user() == me || cx.rt.servers.standard_error() == me) {
        let (rt, worker, process) = cx.parts();
        rt.send_bare(worker, process, SignalKind::Output, pid, bytes);
    }
    Ok(Term::atom(known::OK))
}

/// `is_limited() -> boolean()`: whether anything in this machine has limits, so that its servers should take care of what they do for
/// others.
pub fn is_limited<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    Ok(Term::boolean(cx.rt.has_limits()))
}

/// `log(Level, Text, Pid, Microseconds) -> boolean()`: hands an event to the embedder's sink, if there is one.
///
/// # Errors
/// `badarg` if these are no atom, binary, pid and integer.
pub fn log<'h>(cx: &mut Cx<'h>, [level, text, pid, time]: [Term<'h>; 4]) -> BifResult<'h> {
    let Some(log) = cx.rt.log.get() else { return Ok(Term::boolean(false)) };
    let level = level.as_atom().ok_or_else(Stop::badarg)?;
    let bits = text.as_bits().ok_or_else(Stop::badarg)?;
    let bytes = bits.to_bytes().ok_or_else(Stop::badarg)?;
    let process = print::pid_text(pid.as_pid().ok_or_else(Stop::badarg)?).to_string();
    let time_us = time.as_small().ok_or_else(Stop::badarg)?;
    cx.payer().spend(Quota::OutputBytes, bytes.len() as u64)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    log.put(LogEvent { level: cx.atoms().text(level).to_owned(), text, process, time_us, dropped: 0 });
    Ok(Term::boolean(true))
}

/// `log_now(Level, Head, Tail, Pid) -> ok | {error, Reason}`: what `log/4` and standard error get from a process that has no
/// right to the clock: the time, which it is not told, is put between the two.
///
/// # Errors
/// `badarg` if these are no atom, binaries and pid.
pub fn log_now<'h>(cx: &mut Cx<'h>, [level, head, tail, pid]: [Term<'h>; 4]) -> BifResult<'h> {
    let rt = cx.rt;
    let (now, level) = (rt.clock.system_ns(), level.as_atom().ok_or_else(Stop::badarg)?);
    let mut bytes = Vec::new();
    for (part, after) in [(head, super::time::local_stamp(now)), (tail, String::new())] {
        let part = part.as_bits().and_then(|bits| bits.to_bytes()).ok_or_else(Stop::badarg)?;
        bytes.extend_from_slice(&part);
        bytes.extend_from_slice(after.as_bytes());
    }
    let process = print::pid_text(pid.as_pid().ok_or_else(Stop::badarg)?).to_string();
    cx.payer().spend(Quota::OutputBytes, bytes.len() as u64)?;
    let Some(log) = rt.log.get() else { return put(cx, &rt.stderr, &bytes) };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let level = cx.atoms().text(level).to_owned();
    log.put(LogEvent { level, text, process, time_us: now.div_euclid(1000), dropped: 0 });
    Ok(Term::atom(known::OK))
}

/// Puts bytes out; with a high backlog, the process waits until it is low.
pub(super) fn put<'h>(cx: &mut Cx<'h>, device: &Output, bytes: &[u8]) -> BifResult<'h> {
    match device.put(bytes) {
        Ok(Backlog::Low) => Ok(Term::atom(known::OK)),
        Ok(Backlog::High) => {
            let device = device.clone();
            Err(block(cx, JobKind::Host, move || {
                device.drain();
                Box::new(|_| Ok(Term::atom(known::OK)))
            }))
        }
        Err(kind) => error(cx, posix::by_kind(kind)),
    }
}

/// `{error, Name}`.
pub(super) fn error<'h>(cx: &mut Cx<'h>, name: &str) -> BifResult<'h> {
    let name = cx.atoms().intern(name).map_err(|_| Stop::system_limit())?;
    Ok(cx.tuple(&[Term::atom(known::ERROR), Term::atom(name)])?)
}

/// Leaves the work to the pool; the caller waits for its answer.
pub(super) fn block<'h>(
    cx: &mut Cx<'h>,
    kind: JobKind,
    work: impl FnOnce() -> Answer + Send + 'static,
) -> Stop<'h> {
    let (rt, worker, process) = cx.parts();
    Stop::block(jobs::submit(worker, rt, process, kind, work))
}

fn write<'h>(cx: &mut Cx<'h>, device: &Output, data: Term<'h>) -> BifResult<'h> {
    let bits = data.as_bits().filter(|bits| bits.is_binary()).ok_or_else(Stop::badarg)?;
    let bytes = bits.to_bytes().ok_or_else(Stop::badarg)?;
    // The servers have charged those they do it for.
    if !cx.payer().is_own() {
        cx.payer().spend(Quota::OutputBytes, bytes.len() as u64)?;
    }
    put(cx, device, &bytes)
}

/// `write_stdout(binary()) -> ok | {error, Posix}`.
///
/// # Errors
/// `badarg` if it is no binary.
pub fn write_stdout<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    let rt = cx.rt;
    write(cx, &rt.stdout, data)
}

/// `write_stderr(binary()) -> ok | {error, Posix}`.
///
/// # Errors
/// `badarg` if it is no binary.
pub fn write_stderr<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    let rt = cx.rt;
    write(cx, &rt.stderr, data)
}

/// `read_stdin() -> binary() | eof | {error, Posix}`: waits for input; only the caller waits.
pub fn read_stdin<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let input = cx.rt.environment.input();
    Err(block(cx, JobKind::Host, move || match input.read() {
        Ok(bytes) if bytes.is_empty() => Box::new(|_| Ok(Term::atom(known::EOF))),
        Ok(bytes) => Box::new(move |heap| heap.binary(&bytes)),
        Err(error) => super::file::failure(&error),
    }))
}

/// `geometry(columns | rows) -> pos_integer() | error`.
///
/// # Errors
/// `badarg` for another word.
pub fn geometry<'h>(cx: &mut Cx<'h>, [what]: [Term<'h>; 1]) -> BifResult<'h> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok();
    let number = match what.view() {
        View::Atom(known::COLUMNS) => size.map(|size| size.ws_col),
        View::Atom(known::ROWS) => size.map(|size| size.ws_row),
        _ => return Err(Stop::badarg()),
    };
    match number.filter(|number| *number > 0) {
        Some(number) => Ok(cx.int(i64::from(number))?),
        None => Ok(Term::atom(known::ERROR)),
    }
}

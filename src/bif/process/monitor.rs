//! Monitors.

use crate::atom::{Atom, known};
use crate::bif::{BifResult, Cx, Stop};
use crate::heap::Fragment;
use crate::process::{AliasMode, Monitor, Signal, SignalKind, Target, Watcher};
use crate::runtime::compose::Part;
use crate::runtime::{MonitorOptions, signals};
use crate::term::{Pid, Term, View, Word};

/// `monitor(Type, Item) -> reference()`.
///
/// # Errors
/// `badarg` if the item is nothing that can be monitored.
pub fn monitor<'h>(cx: &mut Cx<'h>, [kind, item]: [Term<'h>; 2]) -> BifResult<'h> {
    begin(cx, kind, item, MonitorOptions::default())
}

/// `monitor(Type, Item, Options) -> reference()`.
///
/// # Errors
/// As `monitor/2`; `badarg` for bad options.
pub fn monitor_with<'h>(cx: &mut Cx<'h>, [kind, item, options]: [Term<'h>; 3]) -> BifResult<'h> {
    let options = self::options(cx, options).map_err(|stop| stop.because(known::BADOPT))?;
    begin(cx, kind, item, options)
}

/// The options of a monitor.
pub(super) fn options<'h>(cx: &mut Cx<'h>, list: Term<'h>) -> Result<MonitorOptions, Stop<'h>> {
    if list.proper_length().is_none() {
        return Err(Stop::badarg());
    }
    let mut options = MonitorOptions::default();
    for option in list.list() {
        let Some(&[key, value]) = option.as_tuple() else { return Err(Stop::badarg()) };
        match key.as_atom() {
            Some(known::ALIAS) => {
                options.alias = Some(match value.as_atom() {
                    Some(known::EXPLICIT_UNALIAS) => AliasMode::Explicit,
                    Some(known::DEMONITOR) => AliasMode::Demonitor,
                    Some(known::REPLY_DEMONITOR) => AliasMode::ReplyDemonitor,
                    _ => return Err(Stop::badarg()),
                });
            }
            Some(known::TAG) => options.tag = Some(cx.copy_out(value)?),
            _ => return Err(Stop::badarg()),
        }
    }
    Ok(options)
}

fn begin<'h>(cx: &mut Cx<'h>, kind: Term<'h>, item: Term<'h>, options: MonitorOptions) -> BifResult<'h> {
    match kind.as_atom() {
        Some(known::PROCESS) => {}
        // The clock service never changes its offset here, and there are no ports yet: both never fire.
        Some(known::TIME_OFFSET) if item.is_atom(known::CLOCK_SERVICE) => {
            return fresh(cx, Target::Port(item.word()), options);
        }
        Some(known::PORT) if item.as_port().is_some() => {
            return fresh(cx, Target::Port(item.word()), options);
        }
        Some(known::PORT | known::TIME_OFFSET) => return Err(Stop::badarg()),
        _ => return Err(Stop::badarg_because(known::BADTYPE)),
    }
    let (target, name) = match item.view() {
        View::Pid(pid) => (Some(pid), None),
        View::Atom(name) => (cx.rt.names.pid(name), Some(name)),
        View::Tuple(&[name, node]) => {
            let (Some(name), Some(node)) = (name.as_atom(), node.as_atom()) else {
                return Err(Stop::badarg());
            };
            if node != known::NONODE_NOHOST {
                return Err(Stop::error(Term::atom(known::NOTALIVE)));
            }
            (cx.rt.names.pid(name), Some(name))
        }
        _ => return Err(Stop::badarg()),
    };
    match (target, name) {
        (Some(pid), None) => watch(cx, pid, Target::Pid(pid), None, options),
        (Some(pid), Some(name)) => watch(cx, pid, Target::Name(name, Some(pid)), Some(name), options),
        (None, Some(name)) => watch_nobody(cx, name, options),
        (None, None) => Err(Stop::badarg()),
    }
}

/// Makes the reference and the caller's own entries.
fn enter(cx: &mut Cx<'_>, target: Target, options: MonitorOptions) -> u64 {
    let reference = super::new_reference(cx);
    let relations = cx.process_mut().relations();
    relations.monitors.insert(reference, Monitor { target, tag: options.tag });
    if let Some(mode) = options.alias {
        relations.aliases.insert(reference, mode);
    }
    reference
}

fn fresh<'h>(cx: &mut Cx<'h>, target: Target, options: MonitorOptions) -> BifResult<'h> {
    let (reference, me) = (enter(cx, target, options), cx.self_pid());
    Ok(cx.reference(reference, Some(me))?)
}

fn watch<'h>(
    cx: &mut Cx<'h>,
    pid: Pid,
    target: Target,
    name: Option<Atom>,
    options: MonitorOptions,
) -> BifResult<'h> {
    let me = cx.self_pid();
    if pid == me {
        // One cannot outlive oneself: the reference is good for nothing, but it is one.
        return super::make_ref(cx, []);
    }
    let root = name.map_or(Word::NIL, Word::atom);
    let content = Fragment::immediate(root)?;
    let reference = enter(cx, target, options);
    let (rt, worker, process) = cx.parts();
    let signal = Signal::new(SignalKind::Monitor, pid, content).with(Word::pid(me), reference);
    rt.deliver_from(worker, Some(process), signal);
    Ok(cx.reference(reference, Some(me))?)
}

/// Nobody has the name: the caller answers itself, through its own queue.
fn watch_nobody<'h>(cx: &mut Cx<'h>, name: Atom, options: MonitorOptions) -> BifResult<'h> {
    let me = cx.self_pid();
    let reference = enter(cx, Target::Name(name, None), options);
    let (rt, worker, _) = cx.parts();
    let watcher = Watcher { pid: me, name: Some(name) };
    signals::send_down(worker, rt, me, reference, watcher, Part::atom(known::NOPROC));
    Ok(cx.reference(reference, Some(me))?)
}

/// `demonitor(Ref) -> true`.
///
/// # Errors
/// `badarg` if it is no reference, or one that another process made.
pub fn demonitor<'h>(cx: &mut Cx<'h>, [reference]: [Term<'h>; 1]) -> BifResult<'h> {
    end(cx, reference)?;
    super::yes()
}

/// `demonitor(Ref, Options) -> boolean()`: options `flush` and `info`.
///
/// # Errors
/// As `demonitor/1`; `badarg` for other options.
pub fn demonitor_with<'h>(cx: &mut Cx<'h>, [reference, options]: [Term<'h>; 2]) -> BifResult<'h> {
    if options.proper_length().is_none() {
        return Err(Stop::badarg());
    }
    let (mut flush, mut info) = (false, false);
    for option in options.list() {
        match option.as_atom() {
            Some(known::FLUSH) => flush = true,
            Some(known::INFO) => info = true,
            _ => return Err(Stop::badarg()),
        }
    }
    let (unique, removed) = end(cx, reference)?;
    if flush {
        if !removed {
            flush_down(cx, unique);
        }
        // Who flushes is done with the request whose reference this is.
        cx.process_mut().mailbox.unmark(unique);
    }
    Ok(Term::boolean(!info || removed))
}

/// Ends the monitor: its reference, and whether it was still on.
fn end<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> Result<(u64, bool), Stop<'h>> {
    let reference = term.as_ref().ok_or_else(Stop::badarg)?;
    let unique = reference.unique();
    if reference.owner().is_some_and(|owner| owner != cx.self_pid()) {
        // Another's monitor: there is nothing of that name here to end.
        return Ok((unique, false));
    }
    let (rt, worker, process) = cx.parts();
    let removed = signals::demonitor_own(worker, rt, process, unique);
    if let Some(relations) = process.relations.as_mut()
        && matches!(relations.aliases.get(&unique), Some(AliasMode::Demonitor | AliasMode::ReplyDemonitor))
    {
        relations.aliases.remove(&unique);
    }
    Ok((unique, removed))
}

/// Removes the monitor's message, `{_, Ref, _, _, _}`. One that is still a signal will be dropped, since the monitor is off.
fn flush_down(cx: &mut Cx<'_>, unique: u64) {
    let mailbox = &mut cx.process_mut().mailbox;
    let is_down = |message: &Fragment| match message.term().view() {
        View::Tuple(&[_, reference, _, _, _]) => {
            reference.as_ref().is_some_and(|found| found.unique() == unique)
        }
        _ => false,
    };
    let place = mailbox.iter().position(is_down);
    if let Some(place) = place {
        mailbox.remove_at(place);
    }
}

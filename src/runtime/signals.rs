//! What signals do: to their owner (`handle`), and when nobody is there (`bounce`).
//!
//! The owner takes what is queued at every pick, at every receive and when its slice ends, and handles it in the order it came.
//! Messages go to the mailbox; everything else acts at once. Only the owner touches its tables, and a `DOWN`, a link's
//! `EXIT` and a message to an alias count only if the owner's own table says so.
//!
//! A bounced signal is answered by whoever found nobody: its answers are signals too and go through the receiver's queue, so
//! they overtake nothing that was sent before.

use super::compose::{self, Part};
use super::{Runtime, WorkerCx, exit, limits, purge, requests, send, timers};
use crate::atom::known;
use crate::heap::Fragment;
use crate::limits::Quota;
use crate::process::signal_word::Taken;
use crate::process::{Class, Process, Signal, SignalKind, Target, WaitState, Watcher};
use crate::term::{Term, View, Word};

/// Signals handled before the owner must yield: at some 30 ns each well below a tenth of a millisecond.
const BATCH: usize = 1000;

/// What the owner finds after handling.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handled {
    /// All that was queued is handled.
    All,
    /// There is more; the owner has done its share.
    More,
    /// The owner is to die: the exit machine has it now.
    Exiting,
}

/// What a receive that has looked at all messages finds. The interpreter's call at `loop_rec` with nothing left.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// A message stands at the save pointer.
    Message,
    /// No message: go on to `wait` or `wait_timeout`.
    Nothing,
    /// Leave with `SliceEnd::Yield`, keeping the save pointer: there is more to handle, or the process is exiting.
    Leave,
}

/// Takes and handles signals for a receive.
#[inline]
pub fn receive(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) -> Received {
    match handle_all(worker, rt, process) {
        Handled::Exiting => Received::Leave,
        _ if process.mailbox.has_next() => Received::Message,
        Handled::More => Received::Leave,
        Handled::All => Received::Nothing,
    }
}

/// Takes and handles what is queued, up to a batch.
#[inline(always)]
pub fn handle_all(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) -> Handled {
    if process.is_exiting {
        return Handled::Exiting;
    }
    if process.incoming.is_empty() {
        if !rt.slots.has_signals(process) {
            return Handled::All;
        }
        return take_and_handle(worker, rt, process);
    }
    handle_taken(worker, rt, process)
}

/// Takes what has come and handles it; as a rule that is one message.
#[inline(never)]
fn take_and_handle(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) -> Handled {
    process.incoming.refill(rt.slots.take(process));
    match process.incoming.pop_only() {
        Some(signal) if signal.kind() == SignalKind::Message && signal.to() == process.pid => {
            process.mailbox.push(signal.into_content());
            Handled::All
        }
        Some(signal) => {
            act(worker, rt, process, signal);
            if process.is_exiting { Handled::Exiting } else { Handled::All }
        }
        None => handle_taken(worker, rt, process),
    }
}

/// Handles a signal that is no message to this process.
fn act(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, signal: Signal) {
    if signal.to() != process.pid {
        // The slot had another owner when this was sent.
        return bounce(worker, rt, signal);
    }
    process.charge(1);
    handle(worker, rt, process, signal);
}

#[inline(never)]
fn handle_taken(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) -> Handled {
    let reversed = process.incoming.reverse(BATCH);
    process.charge((reversed / 16) as u32);
    if !process.incoming.is_ready() {
        return Handled::More;
    }
    for _ in 0..BATCH {
        let Some(signal) = process.incoming.pop() else { return Handled::All };
        if signal.kind() == SignalKind::Message && signal.to() == process.pid {
            process.mailbox.push(signal.into_content());
            continue;
        }
        act(worker, rt, process, signal);
        if process.is_exiting {
            return Handled::Exiting;
        }
    }
    if process.incoming.is_empty() { Handled::All } else { Handled::More }
}

macro_rules! dispatch {
    ($($(#[$doc:meta])* $name:ident $handle:ident / $bounce:ident;)*) => {
        fn handle(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, signal: Signal) {
            match signal.kind() {
                $(SignalKind::$name => $handle(worker, rt, process, signal)),*
            }
        }

        /// Answers a signal whose owner is dead or another one than it was sent to.
        #[cold]
        pub fn bounce(worker: &mut WorkerCx, rt: &Runtime, signal: Signal) {
            match signal.kind() {
                $(SignalKind::$name => $bounce(worker, rt, signal)),*
            }
        }
    };
}
crate::signal_table!(dispatch);

/// Bounces a whole list: what was queued when its owner died.
pub fn bounce_taken(worker: &mut WorkerCx, rt: &Runtime, taken: &mut Taken<Signal>, limit: usize) -> bool {
    if taken.reverse(limit) == limit || !taken.is_ready() {
        return false;
    }
    for _ in 0..limit {
        match taken.pop() {
            Some(signal) => bounce(worker, rt, signal),
            None => return true,
        }
    }
    taken.is_empty()
}

// ---- messages ----

fn message(_: &mut WorkerCx, _: &Runtime, process: &mut Process, signal: Signal) {
    process.mailbox.push(signal.into_content());
}

fn alias_message(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, signal: Signal) {
    let alias = signal.number();
    let Some(relations) = process.relations.as_mut() else { return };
    let Some(&mode) = relations.aliases.get(&alias) else { return };
    if send::ends_with_a_message(mode) {
        relations.aliases.remove(&alias);
        if mode == crate::process::AliasMode::ReplyDemonitor {
            demonitor_own(worker, rt, process, alias);
        }
    }
    process.mailbox.push(signal.into_content());
}

fn drop_signal(_: &mut WorkerCx, _: &Runtime, signal: Signal) {
    drop(signal);
}

// ---- exits ----

/// The reason of an `{'EXIT', From, Reason}` tuple.
fn reason_of(tuple: &Fragment) -> Term<'_> {
    match tuple.term().view() {
        View::Tuple(&[_, _, reason]) => reason,
        _ => Term::NIL,
    }
}

/// The fragment with the reason as its root.
fn into_reason(mut tuple: Fragment) -> Fragment {
    let reason = reason_of(&tuple).word();
    tuple.header_mut().root = reason;
    tuple
}

fn is_atom(term: Term<'_>, atom: crate::atom::Atom) -> bool {
    term.word() == Word::atom(atom)
}

/// `exit/2`. `kill` is untrappable; `normal` from another does nothing to one that does not trap, and from itself ends it.
fn exit(_: &mut WorkerCx, _: &Runtime, process: &mut Process, signal: Signal) {
    if process.is_protected() {
        return;
    }
    let from = signal.from();
    let content = signal.into_content();
    let reason = reason_of(&content);
    if is_atom(reason, known::KILL) {
        exit::begin_with_atom(process, known::KILLED);
    } else if process.trap_exit {
        process.mailbox.push(content);
    } else if !is_atom(reason, known::NORMAL) || from == Word::pid(process.pid) {
        exit::begin(process, into_reason(content));
    }
}

/// A link's other end died: `kill` has no power here, it is a reason like any other.
fn link_exit(_: &mut WorkerCx, _: &Runtime, process: &mut Process, signal: Signal) {
    let acts = process
        .relations
        .as_mut()
        .is_some_and(|relations| relations.link_exit_came(signal.from(), signal.number()));
    if !acts || process.is_protected() {
        return;
    }
    let content = signal.into_content();
    if process.trap_exit {
        process.mailbox.push(content);
    } else if !is_atom(reason_of(&content), known::NORMAL) {
        exit::begin(process, into_reason(content));
    }
}

// ---- links ----

fn link(_: &mut WorkerCx, _: &Runtime, process: &mut Process, signal: Signal) {
    process.relations().link_came(signal.from(), signal.number());
}

fn link_bounced(worker: &mut WorkerCx, rt: &Runtime, signal: Signal) {
    let Some(origin) = signal.from().as_pid() else { return };
    let gone = Word::pid(signal.to());
    if let Some(tuple) = compose::exit_tuple(&rt.account, gone, Part::atom(known::NOPROC)) {
        let answer = Signal::new(SignalKind::LinkExit, origin, tuple).with(gone, signal.number());
        rt.deliver(worker, answer);
    }
}

fn unlink(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, signal: Signal) {
    if let Some(relations) = process.relations.as_mut() {
        relations.unlink_came(signal.from());
    }
    unlink_bounced(worker, rt, signal);
}

/// An unlink is acknowledged by whoever gets it, so that the other end can forget.
fn unlink_bounced(worker: &mut WorkerCx, rt: &Runtime, signal: Signal) {
    if let Some(origin) = signal.from().as_pid() {
        rt.deliver_bare(worker, SignalKind::UnlinkAck, origin, Word::pid(signal.to()), signal.number());
    }
}

fn unlink_ack(_: &mut WorkerCx, _: &Runtime, process: &mut Process, signal: Signal) {
    if let Some(relations) = process.relations.as_mut() {
        relations.unlink_ack_came(signal.from(), signal.number());
    }
}

// ---- monitors ----

fn monitor(_: &mut WorkerCx, _: &Runtime, process: &mut Process, signal: Signal) {
    if let Some(pid) = signal.from().as_pid() {
        let name = signal.content().root().as_atom();
        process.relations().watchers.insert(signal.number(), Watcher { pid, name });
    }
}

fn monitor_bounced(worker: &mut WorkerCx, rt: &Runtime, signal: Signal) {
    let Some(origin) = signal.from().as_pid() else { return };
    let watcher = Watcher { pid: origin, name: signal.content().root().as_atom() };
    send_down(worker, rt, signal.to(), signal.number(), watcher, Part::atom(known::NOPROC));
}

/// Sends `{'DOWN', Ref, process, Pid | {Name, Node}, Reason}` to a watcher.
pub fn send_down(
    worker: &mut WorkerCx,
    rt: &Runtime,
    dead: crate::term::Pid,
    reference: u64,
    watcher: Watcher,
    reason: Part<'_>,
) {
    if let Some(down) = down_signal(rt, dead, reference, watcher, reason) {
        rt.deliver(worker, down);
    }
}

/// The signal with `{'DOWN', Ref, process, Pid | {Name, Node}, Reason}`; `None` if there is no memory for it.
pub fn down_signal(
    rt: &Runtime,
    dead: crate::term::Pid,
    reference: u64,
    watcher: Watcher,
    reason: Part<'_>,
) -> Option<Signal> {
    let who = watcher
        .name
        .and_then(|name| compose::tuple(&rt.account, &[Part::atom(name), Part::atom(known::NONODE_NOHOST)]));
    let object = match &who {
        Some(pair) => Part::Whole(pair),
        None => Part::pid(dead),
    };
    let parts = [
        Part::atom(known::DOWN),
        Part::Ref(reference, watcher.pid),
        Part::atom(known::PROCESS),
        object,
        reason,
    ];
    let tuple = compose::tuple(&rt.account, &parts)?;
    Some(Signal::new(SignalKind::Down, watcher.pid, tuple).with(Word::pid(dead), reference))
}

fn demonitor(_: &mut WorkerCx, _: &Runtime, process: &mut Process, signal: Signal) {
    if let Some(relations) = process.relations.as_mut() {
        relations.watchers.remove(&signal.number());
    }
}

fn down(_: &mut WorkerCx, _: &Runtime, process: &mut Process, signal: Signal) {
    let reference = signal.number();
    if process.is_native() {
        // A native body keeps its own account of what it watches.
        return process.mailbox.push(signal.into_content());
    }
    let Some(relations) = process.relations.as_mut() else { return };
    let Some(monitor) = relations.monitors.remove(&reference) else { return };
    use crate::process::AliasMode::{Demonitor, ReplyDemonitor};
    if matches!(relations.aliases.get(&reference), Some(Demonitor | ReplyDemonitor)) {
        relations.aliases.remove(&reference);
    }
    let content = signal.into_content();
    let tagged = monitor.tag.and_then(|tag| retag(process, &content, &tag));
    process.mailbox.push(tagged.unwrap_or(content));
}

/// The tuple with its first element replaced.
fn retag(process: &Process, tuple: &Fragment, tag: &Fragment) -> Option<Fragment> {
    let View::Tuple(elements) = tuple.term().view() else { return None };
    let mut parts: Vec<Part<'_>> = (0..elements.len()).map(|index| Part::Element(tuple, index)).collect();
    parts[0] = Part::Whole(tag);
    compose::tuple(process.account(), &parts)
}

/// Ends one of the process's own monitors: whether there was one.
pub fn demonitor_own(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, reference: u64) -> bool {
    let Some(monitor) = process.relations.as_mut().and_then(|tables| tables.monitors.remove(&reference))
    else {
        return false;
    };
    if let Target::Pid(target) | Target::Name(_, Some(target)) = monitor.target {
        rt.send_bare(worker, process, SignalKind::Demonitor, target, reference);
    }
    true
}

// ---- requests and replies ----

fn request(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, signal: Signal) {
    requests::answer(worker, rt, process, signal);
}

fn request_bounced(worker: &mut WorkerCx, rt: &Runtime, signal: Signal) {
    requests::answer_for_the_dead(worker, rt, signal);
}

/// What asking another process or thread takes both of them, and how many words of the answer cost one reduction more: who asks
/// pays.
const REDUCTIONS_PER_REPLY: u32 = 16;
const WORDS_PER_REDUCTION: usize = 16;

/// The reply becomes `x0` and the process runs again.
fn reply(_: &mut WorkerCx, _: &Runtime, process: &mut Process, signal: Signal) {
    let number = signal.number();
    if process.wait != WaitState::Reply(number) && process.wait != WaitState::Job(number) {
        return;
    }
    let raises = requests::raised(signal.flags());
    let content = signal.into_content();
    process.charge(REDUCTIONS_PER_REPLY + (content.words() / WORDS_PER_REDUCTION) as u32);
    resume_with(process, content, raises);
}

/// Ends a wait with a value, or with the reason of an exception.
pub fn resume_with(process: &mut Process, result: Fragment, raises: Option<Class>) {
    let value = process.heap.adopt(result);
    process.save_x(&[value], 1);
    process.wait = WaitState::Running;
    process.resume = match raises {
        Some(class) => crate::process::Resume::Raise(class),
        None => crate::process::Resume::Go,
    };
}

fn timeout(_: &mut WorkerCx, _: &Runtime, process: &mut Process, signal: Signal) {
    timers::receive_timer_fired(process, signal.number());
}

fn group_leader(_: &mut WorkerCx, _: &Runtime, process: &mut Process, signal: Signal) {
    if !process.is_protected() {
        process.group_leader = signal.content().root();
    }
}

fn resume(_: &mut WorkerCx, _: &Runtime, process: &mut Process, signal: Signal) {
    if let (Some(from), Some(cold)) = (signal.from().as_pid(), process.cold.as_mut()) {
        requests::end_suspension(cold, from);
    }
}

/// The time of a tree of processes is over.
fn expired(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, _: Signal) {
    limits::end(worker, rt, process, Quota::WallTime);
}

/// A server has put something out for the process.
fn output(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, signal: Signal) {
    if process.account().spend(Quota::OutputBytes, signal.number()).is_err() {
        limits::end(worker, rt, process, Quota::OutputBytes);
    }
}

fn leave(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, signal: Signal) {
    purge::leave(worker, rt, process, signal.number());
}

/// The dead need nothing any more.
fn has_left(_: &mut WorkerCx, rt: &Runtime, signal: Signal) {
    rt.purging.left(signal.number());
}

fn ready(_: &mut WorkerCx, _: &Runtime, process: &mut Process, _: Signal) {
    // Readiness is looked up in the source by the woken body; that it was woken is all there is to say.
    debug_assert!(process.is_native());
    process.wait = WaitState::Running;
}

//! The exit machine: how a process ends, in steps that can be spread over slices.
//!
//! The order is a promise to all others:
//! 1. *Exiting*: private. No code of its own runs again, and further exits are ignored.
//! 2. What it owns is closed: timers, tables, its name. Large tables are freed piece by piece.
//! 3. *Death*: the slot is closed in one atomic step; from now on senders are told that nobody is there.
//! 4. What others have attached to it between 2 and 3 (a name, an heir) is looked for again, and what was queued is bounced.
//! 5. Its memory is given back.
//! 6. Links and monitors are told.
//! 7. The slot is released, and who waits outside the machine for what the process returns is told ([`Answer`]).
//!
//! So a name is free when `DOWN` arrives (loom model `exit_order`), there is room for one more process, and nothing that was sent
//! before the death is lost without its answer.

use super::compose::{self, Part};
use super::{Runtime, WorkerCx, limits, signals, timers};
use crate::atom::{Atom, known};
use crate::heap::Fragment;
use crate::process::signal_word::Taken;
use crate::process::{Answer, Ended, Handle, Process, Relations, Signal, SignalKind, Target};
use crate::term::Word;

/// Links, monitors or queued signals dealt with before the dying process yields.
const BATCH: usize = 200;

/// How far a step of the machine came.
#[must_use]
#[derive(Debug)]
pub enum Step {
    /// The process is gone.
    Gone,
    /// There is more to do: it must be enqueued.
    More(Handle),
}

/// Lets the process die of `reason`; the first reason counts.
pub fn begin(process: &mut Process, reason: Fragment) {
    if process.is_exiting {
        return;
    }
    process.is_exiting = true;
    process.exit_reason = Some(reason);
}

/// Lets the process die of an atom.
pub fn begin_with_atom(process: &mut Process, reason: Atom) {
    match Fragment::immediate(Word::atom(reason)) {
        Ok(reason) => begin(process, reason),
        // No memory for a header: the process cannot go on either; the next step makes do without a reason.
        Err(_) => process.is_exiting = true,
    }
}

/// Goes on with the death of an exiting process.
pub fn step(worker: &mut WorkerCx, rt: &Runtime, mut handle: Handle) -> Step {
    let process = &mut *handle;
    if !process.is_dead {
        close_what_it_owns(worker, rt, process);
        if !free_some(process) {
            return Step::More(handle);
        }
        die(worker, rt, process);
        process.is_dead = true;
    }
    // What is queued and who is to be told stand in the process, so a step goes on where the last stopped.
    if !process.is_emptied {
        let mut incoming = std::mem::take(&mut process.incoming);
        let all = signals::bounce_taken(worker, rt, &mut incoming, BATCH);
        process.incoming = incoming;
        if !all || !free_some(process) || !drop_messages(process) {
            return Step::More(handle);
        }
        limits::leave(worker, rt, process);
        process.heap.release(&mut worker.blocks);
        process.is_emptied = true;
    }
    if !tell(worker, rt, process) {
        return Step::More(handle);
    }
    let answer = process.answer.take().inspect(|answer| say_why(answer, process));
    rt.slots.release(&mut worker.free_slots, handle);
    if answer.is_some() {
        worker.has_answered();
    }
    // Who waits for it outside is told last.
    drop(answer);
    Step::Gone
}

/// Who waits for the process outside learns why it ended, if it did not end by itself.
#[cold]
fn say_why(answer: &Answer, process: &mut Process) {
    if !answer.is_put() {
        answer.put(Ended::Exited(process.exit_reason.take().unwrap_or_else(unknown_reason)));
    }
}

/// The reason of a process that died for lack of memory for one.
fn unknown_reason() -> Fragment {
    let reason = Fragment::immediate(Word::atom(known::SYSTEM_LIMIT));
    reason.expect("a process that dies for lack of memory leaves a few words")
}

fn close_what_it_owns(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) {
    timers::disarm_receive(rt, process);
    if let Some(cold) = process.cold.as_mut() {
        cold.native = None;
        cold.owned = None;
        if let Some(round) = cold.leaving.take() {
            rt.purging.left(round);
        }
        for (pid, times) in std::mem::take(&mut cold.suspending) {
            for _ in 0..times {
                rt.deliver_bare(worker, SignalKind::Resume, pid, Word::pid(process.pid), 0);
            }
        }
    }
    (rt.hooks.owner_exits)(rt, worker, process);
    if rt.slots.may_have_name(process) {
        rt.names.owner_exits(process.pid);
    }
}

/// Closes the slot. What had been taken before and not handled is older than what comes back now.
fn die(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) {
    let mut older = std::mem::take(&mut process.incoming);
    while !signals::bounce_taken(worker, rt, &mut older, usize::MAX) {}
    let last: Taken<Signal> = rt.slots.close(process);
    process.incoming = last;
    if rt.slots.may_have_name(process) {
        rt.names.owner_exits(process.pid);
    }
    if rt.slots.may_have_timers(process) {
        timers::receiver_died(rt, process.pid);
    }
    (rt.hooks.owner_died)(rt, worker, process);
}

/// Tells links and monitors; whether all have been told.
fn tell(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) -> bool {
    let Some(mut relations) = process.relations.take() else { return true };
    let reason = process.exit_reason.take().unwrap_or_else(unknown_reason);
    let done = tell_some(worker, rt, process, &mut relations, &reason);
    process.exit_reason = Some(reason);
    if !done {
        process.relations = Some(relations);
    }
    done
}

fn tell_some(
    worker: &mut WorkerCx,
    rt: &Runtime,
    process: &mut Process,
    relations: &mut Relations,
    reason: &Fragment,
) -> bool {
    let me = Word::pid(process.pid);
    for _ in 0..BATCH {
        process.charge(1);
        if let Some((peer, link)) = relations.links.pop_first() {
            // A link whose unlink is on its way is none any more.
            if let (Some(peer), None) = (Word::from_bits(peer).as_pid(), link.unlinking)
                && let Some(tuple) = compose::exit_tuple(process.account(), me, Part::Whole(reason))
            {
                let exit = Signal::new(SignalKind::LinkExit, peer, tuple).with(me, link.seen);
                rt.deliver_from(worker, Some(process), exit);
            }
        } else if let Some((reference, watcher)) = relations.watchers.pop_first() {
            let reason = Part::Whole(reason);
            if let Some(down) = signals::down_signal(rt, process.pid, reference, watcher, reason) {
                rt.deliver_from(worker, Some(process), down);
            }
        } else if let Some((reference, monitor)) = relations.monitors.pop_first() {
            if let Target::Pid(target) | Target::Name(_, Some(target)) = monitor.target {
                rt.send_bare(worker, process, SignalKind::Demonitor, target, reference);
            }
        } else {
            return true;
        }
    }
    false
}

/// Frees a piece of the large things it leaves; whether that was all.
fn free_some(process: &mut Process) -> bool {
    process.cold.as_mut().is_none_or(|cold| cold.remains.free_some())
}

/// Frees the mailbox; whether it is empty.
fn drop_messages(process: &mut Process) -> bool {
    process.mailbox.reset();
    for _ in 0..50 * BATCH {
        if process.mailbox.remove().is_none() {
            return true;
        }
    }
    false
}

//! The side of a mailbox that lives in the machine.

use std::sync::Arc;
use std::task::Waker;

use super::weight::{Scale, Weight};
use super::{Command, Message, Shared};
use crate::atom::known;
use crate::heap::Fragment;
use crate::limits::Quota;
use crate::process::{ExitReason, Monitor, Process, Signal, SignalKind, SliceEnd, Target};
use crate::runtime::compose::{self, Part};
use crate::runtime::{Native, Runtime, WorkerCx, limits, signals};
use crate::term::{Pid, Word};

/// Messages moved in one step: at some ten nanoseconds each, well below what a worker may be held.
const BATCH: usize = 1000;

/// See the module's essay.
pub(super) struct Body {
    shared: Arc<Shared>,
    scale: Arc<Scale>,
    /// Messages on their way, kept for its memory.
    moving: Vec<Message>,
    /// Messages that may lie unread.
    limit: usize,
}

impl Body {
    pub fn new(shared: Arc<Shared>, scale: Arc<Scale>) -> Body {
        Body { shared, scale, moving: Vec::new(), limit: usize::MAX }
    }

    /// Carries out what the host's side has asked for; a reason if it is to end.
    fn obey(&mut self, worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) -> Option<Fragment> {
        loop {
            let commands = self.shared.take_commands();
            if commands.is_empty() {
                return None;
            }
            for command in commands {
                match command {
                    Command::Link(pid) => link(worker, rt, process, pid),
                    Command::Unlink(pid) => unlink(worker, rt, process, pid),
                    Command::Monitor(pid, reference) => {
                        let monitor = Monitor { target: Target::Pid(pid), tag: None };
                        process.relations().monitors.insert(reference, monitor);
                        rt.send_bare(worker, process, SignalKind::Monitor, pid, reference);
                    }
                    Command::Demonitor(reference) => {
                        signals::demonitor_own(worker, rt, process, reference);
                        self.shared.remove(|message| message.down == Some(reference));
                    }
                    Command::Send(signal) => rt.deliver_from(worker, Some(process), signal),
                    Command::Limit(messages) => self.limit = messages,
                    Command::Exit(reason) => return Some(reason),
                }
            }
        }
    }

    /// Moves what has come to the host's side; whether that was all.
    fn hand_over(&mut self, worker: &mut WorkerCx, process: &mut Process) -> bool {
        for _ in 0..BATCH {
            let Some(content) = process.mailbox.remove() else { break };
            let down = monitor_of(&content);
            // A monitor that was ended says nothing any more.
            let is_wanted = match (down, process.relations.as_mut()) {
                (Some(reference), Some(relations)) => relations.monitors.remove(&reference).is_some(),
                (Some(_), None) => false,
                (None, _) => true,
            };
            if is_wanted {
                // It is going to lie where no process looks. A message that there is no memory for is replaced by the reason why.
                let whole = content.into_whole(process.account());
                let content = whole.or_else(|_| Fragment::immediate(Word::atom(known::SYSTEM_LIMIT)));
                self.moving.extend(content.map(|content| {
                    let weight = Weight::new(&self.scale, &content, size_of::<Message>());
                    Message { content, down, _weight: weight }
                }));
            }
        }
        if !self.moving.is_empty() {
            let wakers = self.shared.hand_over(self.moving.drain(..));
            worker.has_answered();
            wakers.into_iter().for_each(Waker::wake);
        }
        process.mailbox.is_empty()
    }
}

impl Native for Body {
    fn step(&mut self, worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) -> SliceEnd {
        if let Some(reason) = self.obey(worker, rt, process) {
            return SliceEnd::Exit(ExitReason { reason, report: false });
        }
        let is_all = self.hand_over(worker, process);
        if self.limit < usize::MAX && self.shared.len() + process.mailbox.len() > self.limit {
            // Nothing is reported: its reader is told. Without memory for the reason it is the next step that ends it.
            if let Ok(reason) = limits::reason(rt, Quota::MailboxMessages) {
                return SliceEnd::Exit(ExitReason { reason, report: false });
            }
        }
        if is_all { SliceEnd::Wait } else { SliceEnd::Yield }
    }

    fn queued(&self) -> usize {
        self.shared.len()
    }
}

impl Drop for Body {
    /// The process ends, or the machine does: nothing more will come.
    fn drop(&mut self) {
        let wakers = self.shared.close();
        wakers.into_iter().for_each(Waker::wake);
    }
}

/// The reference of a `'DOWN'` message that a monitor sent.
fn monitor_of(content: &Fragment) -> Option<u64> {
    let header = content.header();
    (header.kind == SignalKind::Down as u8).then_some(header.aux[1])
}

fn link(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, pid: Pid) {
    let (me, peer) = (process.pid, Word::pid(pid));
    if pid == me {
        return;
    }
    let is_linked = process.relations.as_ref().is_some_and(|relations| relations.is_linked(peer));
    if !rt.slots.is_alive(pid) && !is_linked {
        if let Some(tuple) = compose::exit_tuple(process.account(), peer, Part::atom(known::NOPROC)) {
            rt.deliver(worker, Signal::new(SignalKind::Message, me, tuple));
        }
        return;
    }
    let id = worker.make_unique();
    if process.relations().link(peer, id) {
        rt.send_bare(worker, process, SignalKind::Link, pid, id);
    }
}

fn unlink(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, pid: Pid) {
    let id = worker.make_unique();
    if process.relations.as_mut().is_some_and(|relations| relations.unlink(Word::pid(pid), id)) {
        rt.send_bare(worker, process, SignalKind::Unlink, pid, id);
    }
}

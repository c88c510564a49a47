//! Delivering signals.

use super::{Runtime, WorkerCx, signals};
use crate::heap::{AllocError, Fragment};
use crate::process::{AliasMode, Delivered, Process, Signal, SignalKind};
use crate::term::{Pid, Term, Word};

impl Runtime {
    /// Delivers a signal from no running process: a timer's, a dying process's, an answer.
    pub fn deliver(&self, worker: &mut WorkerCx, signal: Signal) {
        self.deliver_from(worker, None, signal);
    }

    /// Delivers a signal that the running process sends.
    #[inline]
    pub fn deliver_from(&self, worker: &mut WorkerCx, sender: Option<&mut Process>, signal: Signal) {
        match self.slots.deliver(signal) {
            Delivered::Done => {}
            Delivered::Enqueue(handle) => worker.wake(self, handle, sender),
            Delivered::Bounce(signal) => signals::bounce(worker, self, signal),
        }
    }

    /// Delivers a question the running process waits for the answer to, or what must be handled before such a one. Who is asked answers as soon as one of the asker's priority
    /// would run: otherwise processes between the two could keep the answer back for ever.
    pub fn deliver_question(&self, worker: &mut WorkerCx, asker: &mut Process, signal: Signal) {
        match self.slots.deliver(signal) {
            Delivered::Done => {}
            Delivered::Enqueue(handle) if asker.priority < handle.priority => {
                worker.enqueue_as(self, handle, asker.priority);
            }
            Delivered::Enqueue(handle) => worker.wake(self, handle, Some(asker)),
            Delivered::Bounce(signal) => signals::bounce(worker, self, signal),
        }
    }

    /// `Pid ! Term`.
    ///
    /// # Errors
    /// If the message is too large to copy, or the account's limit is reached.
    #[inline]
    pub fn send(
        &self,
        worker: &mut WorkerCx,
        sender: &mut Process,
        to: Pid,
        message: Term<'_>,
    ) -> Result<(), AllocError> {
        let content = copy_message(worker, sender, message)?;
        self.deliver_from(worker, Some(sender), Signal::new(SignalKind::Message, to, content));
        Ok(())
    }

    /// `Alias ! Term`, for a reference of `owner`.
    ///
    /// # Errors
    /// As [`Runtime::send`].
    pub fn send_to_alias(
        &self,
        worker: &mut WorkerCx,
        sender: &mut Process,
        owner: Pid,
        alias: u64,
        message: Term<'_>,
    ) -> Result<(), AllocError> {
        let content = copy_message(worker, sender, message)?;
        let from = Word::pid(sender.pid);
        let signal = Signal::new(SignalKind::AliasMessage, owner, content).with(from, alias);
        self.deliver_from(worker, Some(sender), signal);
        Ok(())
    }

    /// Delivers a signal without a term. Out of memory for a header, it is lost, as the machine soon will be.
    pub fn deliver_bare(&self, worker: &mut WorkerCx, kind: SignalKind, to: Pid, from: Word, number: u64) {
        if let Ok(signal) = Signal::bare(kind, to, from, number) {
            self.deliver(worker, signal);
        }
    }

    /// The same for one that the running process sends, from itself.
    pub fn send_bare(
        &self,
        worker: &mut WorkerCx,
        sender: &mut Process,
        kind: SignalKind,
        to: Pid,
        number: u64,
    ) {
        if let Ok(signal) = Signal::bare(kind, to, Word::pid(sender.pid), number) {
            self.deliver_from(worker, Some(sender), signal);
        }
    }
}

/// Copies a message; copying is the sender's work, a reduction for 16 words.
#[inline]
fn copy_message(
    worker: &mut WorkerCx,
    sender: &mut Process,
    message: Term<'_>,
) -> Result<Fragment, AllocError> {
    worker.counts.messages.add(1);
    if message.word().is_immediate() {
        return Fragment::immediate_in(&mut worker.fragments, message.word());
    }
    let size = sender.heap.copying(message)?;
    sender.charge((size.words() / 16) as u32);
    Fragment::message(&mut worker.fragments, message, size, sender.account())
}

/// Whether an alias in this mode ends with the first message sent to it.
pub fn ends_with_a_message(mode: AliasMode) -> bool {
    matches!(mode, AliasMode::ReplyDemonitor | AliasMode::Reply)
}

//! Sending and receiving: looking at messages, taking them, waiting.
//!
//! From `loop_rec` to `remove_message` or `loop_rec_end` the message stays in its fragment, outside the heap, and nothing
//! collects. The time-out of a receive is decided here and nowhere else: a process that wakes up always goes back to
//! `loop_rec`, so a message that came meanwhile is seen before the time is looked at again.

use super::SEND;
use super::live::{a, h};
use super::machine::{Machine, Next};
use crate::atom::known;
use crate::heap::Fragment;
use crate::process::{Class, Signal, SignalKind, SliceEnd};
use crate::runtime::signals::{self, Received};
use crate::runtime::timers::{self, WaitTimeout};
use crate::term::{Term, Word};

impl Machine<'_> {
    /// `send`: a simple message to a pid at once, all else by the native.
    #[inline(never)]
    pub fn send(&mut self) -> Next {
        let (to, message) = (self.x(0), self.x(1));
        let next = self.after(1);
        if let Some(pid) = to.as_pid()
            // SAFETY: I3: an argument register.
            && let Some(content) = unsafe { Fragment::simple_message(&mut self.worker.fragments, message) }
        {
            self.process.charge(1);
            self.worker.counts.messages.add(1);
            let signal = Signal::new(SignalKind::Message, pid, content);
            self.rt.deliver_from(self.worker, Some(self.process), signal);
            self.set_x(0, message);
            return next;
        }
        self.call_native(SEND, 2, next)
    }

    /// A receive is over: the next one looks at all messages, with a time of its own.
    pub fn leave_receive(&mut self) {
        self.process.mailbox.reset();
        timers::end_receive(self.process);
    }

    /// `loop_rec`: the next unseen message to field `a`, or a jump.
    #[inline(never)]
    pub fn loop_rec(&mut self) -> Next {
        let word = self.operand(0);
        if self.process.reductions <= 0 {
            let pc = self.pc();
            return self.used_up_receiving(pc);
        }
        if let Some(message) = self.process.mailbox.peek() {
            self.set(a(word), message);
            return self.after(1);
        }
        // Nothing left here: what has come meanwhile?
        match signals::receive(self.worker, self.rt, self.process) {
            Received::Leave => {
                let pc = self.pc();
                self.leave(pc, 0, SliceEnd::Yield)
            }
            Received::Message | Received::Nothing => match self.process.mailbox.peek() {
                Some(message) => {
                    self.set(a(word), message);
                    self.after(1)
                }
                None => self.pc().wrapping_offset(h(word)),
            },
        }
    }

    #[cold]
    fn used_up_receiving(&mut self, pc: *const u64) -> Next {
        let saved = std::mem::take(&mut self.process.reductions_saved);
        if saved > 0 {
            // A collection is due, not a yield; it is taken when the message is, or before waiting.
            self.process.reductions = saved;
            if let Err(ended) = self.collect(0, 0) {
                return ended;
            }
            return pc;
        }
        self.leave(pc, 0, SliceEnd::Yield)
    }

    /// `remove_message`: takes the message over.
    #[inline(never)]
    pub fn remove_message(&mut self, live: usize) -> Next {
        if let Some(message) = self.process.mailbox.remove() {
            let worker = &mut *self.worker;
            let (counts, registers) = (&worker.counts, &mut worker.x[..live]);
            let turns = || counts.slices.get();
            self.process.heap.receive(&mut worker.fragments, message, registers, turns);
        }
        self.leave_receive();
        // The message is taken: a long collection waits for the next call, which can be made again.
        if (self.process.heap.collect_due() || self.process.heap.stress())
            && !self.is_long_collection()
            && let Err(ended) = self.collect(0, live)
        {
            return ended;
        }
        self.after(1)
    }

    /// `wait`: until a message comes.
    pub fn wait(&mut self) -> Next {
        let again = self.pc().wrapping_offset(h(self.operand(0)));
        self.park(again)
    }

    /// `wait_timeout`: until a message comes or the time is over.
    pub fn wait_timeout(&mut self) -> Next {
        let again = self.pc().wrapping_offset(h(self.operand(0)));
        let time = self.source(self.operand(1));
        if time == Word::atom(known::INFINITY) {
            return self.park(again);
        }
        let Some(milliseconds) = receive_time(time) else {
            return self.raise(Class::Error, Word::atom(known::TIMEOUT_VALUE));
        };
        match timers::wait_timeout(self.rt, self.process, milliseconds) {
            WaitTimeout::TimedOut => self.after(2),
            WaitTimeout::Wait => self.park(again),
        }
    }

    fn park(&mut self, again: *const u64) -> Next {
        self.leave(again, 0, SliceEnd::Wait)
    }

    /// `receive_mark`: passes over messages older than the reference.
    pub fn receive_mark(&mut self, reference: Word) {
        // SAFETY: I3: an operand.
        if let Some(reference) = unsafe { Term::from_word(reference) }.as_ref() {
            self.process.mailbox.receive_mark(reference.unique());
        }
    }
}

/// Milliseconds that a receive may wait: OTP's bound is 32 bits.
fn receive_time(time: Word) -> Option<u64> {
    if !time.is_small() {
        return None;
    }
    u32::try_from(time.small_value()).ok().map(u64::from)
}

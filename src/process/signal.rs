//! Signals: everything one process can do to another.
//!
//! A signal is a fragment: its header's own fields carry the kind, the full pid it is for, the sender and a number; its root
//! is the term that goes with it. So a signal is one allocation, a message is adopted by its receiver without a copy, and a
//! `DOWN` or `EXIT` travels as the very tuple that ends up in the mailbox.
//!
//! The table below is the list of kinds. Its rows also name what the owner does with the signal (`handle`) and what becomes
//! of it when the owner is dead or no longer the one it was meant for (`bounce`); both are functions of
//! `runtime::signals`, and a row without its functions does not compile.

use super::signal_word::Node;
use crate::atom::known;
use crate::heap::{AllocError, Fragment, FragmentHeader};
use crate::term::{Pid, Word};

/// Calls the macro `$with` with the table of signals.
#[macro_export]
#[doc(hidden)]
macro_rules! signal_table {
    ($with:path) => {
        $with! {
            /// An ordinary message: the root.
            Message message / drop_signal;
            /// A message sent to an alias, `number`: delivered while the alias is active.
            AliasMessage alias_message / drop_signal;
            /// `exit/2`: the root is the `'EXIT'` tuple.
            Exit exit / drop_signal;
            /// A link's other end has died: the root is the `'EXIT'` tuple, `number` the newest link id it had seen.
            LinkExit link_exit / drop_signal;
            /// Link request from `from`, `number` is its id.
            Link link / link_bounced;
            /// The link is to end, `number` is the id to acknowledge.
            Unlink unlink / unlink_bounced;
            /// Answer to `Unlink`.
            UnlinkAck unlink_ack / drop_signal;
            /// `from` wants a `DOWN` for monitor `number`; the root is the name it was asked by, or `[]`.
            Monitor monitor / monitor_bounced;
            /// `from` ends monitor `number`.
            Demonitor demonitor / drop_signal;
            /// A monitor fired: the root is the `'DOWN'` tuple, `number` the monitor.
            Down down / drop_signal;
            /// A question to be answered by a `Reply` with the same `number`; the root says what is asked.
            Request request / request_bounced;
            /// The answer `from` waits for: the root, or, with flag 1, the reason of an error.
            Reply reply / drop_signal;
            /// A receive time-out, `number`, has come.
            Timeout timeout / drop_signal;
            /// The group leader is to be the root.
            GroupLeader group_leader / drop_signal;
            /// One `suspend_process` of `from` ends.
            Resume resume / drop_signal;
            /// Purged code is being freed, round `number`: the owner is to copy what it has of its constants.
            Leave leave / has_left;
            /// A monitored or linked native resource is ready; `number` says which.
            Ready ready / drop_signal;
            /// The owner's time is over: its limit of wall time.
            Expired expired / drop_signal;
            /// `number` bytes were put out at the request of the owner.
            Output output / drop_signal;
        }
    };
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident $handle:ident / $bounce:ident;)*) => {
        /// The kinds of signals.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum SignalKind { $($(#[$doc])* $name),* }

        impl SignalKind {
            const ALL: &[SignalKind] = &[$(SignalKind::$name),*];
        }
    };
}
signal_table!(kinds);

/// A signal on its way.
#[derive(Debug)]
pub struct Signal(Fragment);

impl Signal {
    /// A signal of this kind whose content is the fragment's.
    pub fn new(kind: SignalKind, to: Pid, mut content: Fragment) -> Signal {
        let header = content.header_mut();
        header.kind = kind as u8;
        header.to = Word::pid(to);
        Signal(content)
    }

    /// A signal without a term.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn bare(kind: SignalKind, to: Pid, from: Word, number: u64) -> Result<Signal, AllocError> {
        Ok(Signal::new(kind, to, Fragment::immediate(Word::NIL)?).with(from, number))
    }

    /// Sets sender and number.
    #[must_use]
    pub fn with(mut self, from: Word, number: u64) -> Signal {
        self.0.header_mut().aux = [from.bits(), number];
        self
    }

    /// Sets the flags, whose meaning is the kind's own.
    #[must_use]
    pub fn with_flags(mut self, flags: u8) -> Signal {
        self.0.header_mut().flags = flags;
        self
    }

    /// Its kind.
    #[inline]
    pub fn kind(&self) -> SignalKind {
        SignalKind::ALL[usize::from(self.0.header().kind)]
    }

    /// Whom it is for.
    #[inline]
    pub fn to(&self) -> Pid {
        self.0.header().to.as_pid().expect("every signal is made with its destination")
    }

    /// Who sent it, if the kind says so: a pid or a port.
    #[inline]
    pub fn from(&self) -> Word {
        Word::from_bits(self.0.header().aux[0])
    }

    /// The kind's number.
    #[inline]
    pub fn number(&self) -> u64 {
        self.0.header().aux[1]
    }

    /// The kind's flags.
    #[inline]
    pub fn flags(&self) -> u8 {
        self.0.header().flags
    }

    /// Whether it ends whom it is for, who traps exits or does not, as far as that can be said before it acts.
    pub fn is_deadly(&self, traps: bool) -> bool {
        match self.kind() {
            SignalKind::Exit => {}
            SignalKind::Expired => return true,
            _ => return false,
        }
        let reason = self.0.term().as_tuple().and_then(|parts| parts.get(2).copied());
        reason.is_some_and(|reason| {
            reason.is_atom(known::KILL)
                || !traps && (!reason.is_atom(known::NORMAL) || self.from() == self.0.header().to)
        })
    }

    /// The fragment, to look at.
    #[inline]
    pub fn content(&self) -> &Fragment {
        &self.0
    }

    /// The fragment.
    #[inline]
    pub fn into_content(self) -> Fragment {
        self.0
    }
}

// SAFETY: a fragment's header is unique, 8-byte aligned memory, and its link word belongs to the list it is on.
unsafe impl Node for Signal {
    #[inline]
    fn into_raw(self) -> usize {
        self.0.into_raw().expose_provenance()
    }

    #[inline]
    unsafe fn from_raw(raw: usize) -> Signal {
        // SAFETY: by contract `raw` came from `into_raw`, once.
        Signal(unsafe { Fragment::from_raw(std::ptr::with_exposed_provenance_mut(raw)) })
    }

    #[inline]
    unsafe fn set_next(raw: usize, next: usize) {
        let header = std::ptr::with_exposed_provenance_mut::<FragmentHeader>(raw);
        // SAFETY: by contract the header is live and reached by the caller alone.
        unsafe { (*header).next = std::ptr::with_exposed_provenance_mut(next) }
    }

    #[inline]
    unsafe fn next(raw: usize) -> usize {
        let header = std::ptr::with_exposed_provenance_mut::<FragmentHeader>(raw);
        // SAFETY: by contract the header is live.
        unsafe { (*header).next.addr() }
    }
}

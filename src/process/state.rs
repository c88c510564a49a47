//! The owned half of a process: its fields, and the small types they have.

use std::any::Any;
use std::sync::Arc;

use super::dictionary::Dictionary;
use super::mailbox::Mailbox;
use super::relations::Relations;
use super::signal::Signal;
use super::signal_word::Taken;
use crate::atom::{Atom, known};
use crate::heap::{Account, Fragment, Heap};
use crate::term::{Pid, Word};

/// Module, function and arity a process was started with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The module.
    pub module: Atom,
    /// The function.
    pub function: Atom,
    /// The arity.
    pub arity: u8,
}

/// Scheduling priority; the order is that of the run queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Priority {
    /// `max`: the runtime's own.
    Max = 0,
    /// `high`: always before normal and low.
    High = 1,
    /// `normal`.
    Normal = 2,
    /// `low`: every eighth pick of normal.
    Low = 3,
}

/// Where messages are kept, as asked for; all messages are off heap here, the answer is only remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueData {
    /// `on_heap`.
    OnHeap,
    /// `off_heap`.
    OffHeap,
}

/// What a process waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitState {
    /// Nothing: it runs or is to run.
    Running,
    /// A message, or the time-out of this number.
    Receive(u64),
    /// The reply to its request of this number.
    Reply(u64),
    /// The job of this number.
    Job(u64),
    /// Any signal: a native body between two steps.
    Signal,
}

/// How bytecode goes on after a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resume {
    /// With the saved X registers as they are.
    Go,
    /// By raising `x0` as a reason of this class.
    Raise(Class),
    /// The receive's time has run out: behind `wait_timeout`.
    TimedOut,
}

/// Class of an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `error`.
    Error,
    /// `exit`.
    Exit,
    /// `throw`.
    Throw,
}

/// Why a process ends.
#[derive(Debug)]
pub struct ExitReason {
    /// The reason, as links and monitors get it.
    pub reason: Fragment,
    /// An uncaught error or throw, which is reported.
    pub report: bool,
}

/// How a slice of a process ended. The duties of the scheduler.
#[must_use]
#[derive(Debug)]
pub enum SliceEnd {
    /// It can go on; it goes to the end of its queue.
    Yield,
    /// It waits in a receive (`wait` is `Receive`) and has seen all its messages.
    Wait,
    /// It waits for something else; the native has put the wait state.
    Blocked,
    /// It is over.
    Exit(ExitReason),
    /// The whole machine is to stop with this status.
    Halt(i32),
}

/// X registers of a process that is not running: they belong to the worker, and a process that leaves it keeps what is live.
#[derive(Debug)]
pub struct SavedX {
    inline: [Word; SavedX::INLINE],
    boxed: Option<Box<[Word]>>,
}

impl SavedX {
    /// Words kept in the process itself: arguments of nearly all functions.
    pub const INLINE: usize = 6;

    /// The words.
    #[inline]
    pub fn words(&self, live: u16) -> &[Word] {
        match &self.boxed {
            Some(boxed) if usize::from(live) > SavedX::INLINE => &boxed[..usize::from(live)],
            _ => &self.inline[..usize::from(live).min(SavedX::INLINE)],
        }
    }

    /// The words, as roots.
    #[inline]
    pub fn words_mut(&mut self, live: u16) -> &mut [Word] {
        match &mut self.boxed {
            Some(boxed) if usize::from(live) > SavedX::INLINE => &mut boxed[..usize::from(live)],
            _ => &mut self.inline[..usize::from(live).min(SavedX::INLINE)],
        }
    }
}

impl Default for SavedX {
    fn default() -> Self {
        SavedX { inline: [Word::NIL; SavedX::INLINE], boxed: None }
    }
}

/// The armed timer of a process's receives. It is not disarmed when a message comes: the next receive with a later deadline
/// finds it armed, and when it fires too early the process arms it for the rest. So a server that receives with a time-out
/// touches the wheel once per time-out's length, not once per message.
#[derive(Clone, Copy, Debug)]
pub struct ReceiveTimer {
    /// When the armed timer fires; `u64::MAX`: none is armed.
    pub armed: u64,
    /// When the running receive times out; `u64::MAX`: never.
    pub deadline: u64,
    /// The armed timer's number; a `Timeout` signal of another is stale.
    pub number: u64,
}

/// What the exit machine remembers between its steps.
#[derive(Debug)]
pub struct Exiting {
    /// Why.
    pub reason: Fragment,
    /// How far it is.
    pub step: u8,
}

/// Rarely needed parts of a process.
#[derive(Debug, Default)]
pub struct Cold {
    /// A native body: what runs instead of bytecode (the runtime knows its type).
    pub native: Option<Box<dyn Any + Send>>,
    /// `hibernate/3` was called: `{Module, Function, Args}` to go on with.
    pub hibernating: Option<Fragment>,
    /// `process_flag(error_handler)`, if it was set.
    pub error_handler: Option<Atom>,
    /// The exit machine's state.
    pub exiting: Option<Exiting>,
    /// Who suspended it how often.
    pub suspended_by: Vec<(Pid, u32)>,
    /// Whom it suspended how often.
    pub suspending: Vec<(Pid, u32)>,
}

/// A process, as its holder sees it. The interpreter relies on the first fields' order.
#[repr(C)]
pub struct Process {
    /// Terms and stack; `hp` and `sp` come first.
    pub heap: Heap,
    /// Where to go on.
    pub pc: *const u64,
    /// Left of this slice.
    pub reductions: i32,
    /// Left of this slice when `reductions` was zeroed to ask for a safepoint.
    pub reductions_saved: i32,
    /// Catches on the stack.
    pub catches: u32,
    /// How many X registers are saved.
    pub x_live: u16,
    /// `process_flag(trap_exit)`.
    pub trap_exit: bool,
    /// The exit machine has it.
    pub is_exiting: bool,
    /// Its class.
    pub priority: Priority,
    /// `process_flag(message_queue_data)`.
    pub queue_data: QueueData,
    /// How bytecode goes on.
    pub resume: Resume,
    /// `process_flag(sensitive)`.
    pub sensitive: bool,
    /// Who it is.
    pub pid: Pid,
    /// What it waits for.
    pub wait: WaitState,
    /// Messages.
    pub mailbox: Mailbox,
    /// Signals taken and not handled yet.
    pub incoming: Taken<Signal>,
    /// Live X registers while it is not running.
    pub x: SavedX,
    /// Its receives' timer.
    pub timer: ReceiveTimer,
    /// Reductions done, this slice not counted.
    pub reductions_done: u64,
    /// The group leader.
    pub group_leader: Word,
    /// The pid that spawned it, or `undefined`.
    pub parent: Word,
    /// What it was started with.
    pub initial_call: Entry,
    /// Links, monitors, aliases.
    pub relations: Option<Box<Relations>>,
    /// The process dictionary.
    pub dictionary: Option<Box<Dictionary>>,
    /// Rarely needed parts.
    pub cold: Option<Box<Cold>>,
}

impl std::fmt::Debug for Process {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Process").field("pid", &self.pid).field("wait", &self.wait).finish_non_exhaustive()
    }
}

impl Process {
    /// A process that can be opened, with an empty stack and no code position.
    pub fn new(pid: Pid, heap: Heap, initial_call: Entry) -> Box<Process> {
        Box::new(Process {
            heap,
            pc: std::ptr::null(),
            reductions: 0,
            reductions_saved: 0,
            catches: 0,
            x_live: 0,
            trap_exit: false,
            is_exiting: false,
            priority: Priority::Normal,
            queue_data: QueueData::OnHeap,
            resume: Resume::Go,
            sensitive: false,
            pid,
            wait: WaitState::Running,
            mailbox: Mailbox::default(),
            incoming: Taken::none(),
            x: SavedX::default(),
            timer: ReceiveTimer { armed: u64::MAX, deadline: u64::MAX, number: 0 },
            reductions_done: 0,
            group_leader: Word::NIL,
            parent: Word::atom(known::UNDEFINED),
            initial_call,
            relations: None,
            dictionary: None,
            cold: None,
        })
    }

    /// Saves the first `live` registers of a file.
    pub fn save_x(&mut self, file: &[Word], live: u16) {
        let words = &file[..usize::from(live)];
        self.x_live = live;
        if words.len() > SavedX::INLINE {
            match &mut self.x.boxed {
                Some(boxed) if boxed.len() >= words.len() => boxed[..words.len()].copy_from_slice(words),
                boxed => *boxed = Some(words.into()),
            }
        } else {
            self.x.inline[..words.len()].copy_from_slice(words);
        }
    }

    /// Puts the saved registers into a file.
    pub fn load_x(&mut self, file: &mut [Word]) {
        let live = usize::from(self.x_live);
        file[..live].copy_from_slice(self.x.words(self.x_live));
    }

    /// The rarely needed parts.
    pub fn cold(&mut self) -> &mut Cold {
        self.cold.get_or_insert_default()
    }

    /// The tables of relations.
    pub fn relations(&mut self) -> &mut Relations {
        self.relations.get_or_insert_default()
    }

    /// Who pays.
    pub fn account(&self) -> &Arc<Account> {
        self.heap.account()
    }

    /// Whether a native body runs instead of bytecode.
    pub fn is_native(&self) -> bool {
        self.cold.as_ref().is_some_and(|cold| cold.native.is_some())
    }

    /// How often it is suspended.
    pub fn suspensions(&self) -> u32 {
        self.cold.as_ref().map_or(0, |cold| cold.suspended_by.iter().map(|(_, count)| count).sum())
    }

    /// Charges reductions to the running slice.
    #[inline]
    pub fn charge(&mut self, reductions: u32) {
        self.reductions = self.reductions.saturating_sub_unsigned(reductions);
    }

    /// Reductions done so far, without the running slice.
    pub fn total_reductions(&self) -> u64 {
        self.reductions_done
    }
}

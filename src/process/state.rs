//! The owned half of a process: its fields, and the small types they have.

use std::any::Any;
use std::ptr::NonNull;
use std::sync::Arc;

use super::answer::Answer;
use super::dictionary::Dictionary;
use super::mailbox::Mailbox;
use super::relations::Relations;
use super::signal::Signal;
use super::signal_word::Taken;
use super::slot::Slot;
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
///
/// ```
/// fn is_thrown(exception: &erlet::Exception) -> bool {
///     exception.class == erlet::Class::Throw
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `error`.
    Error,
    /// `exit`.
    Exit,
    /// `throw`.
    Throw,
}

impl Class {
    /// The text of the class's atom.
    ///
    /// ```
    /// assert_eq!(erlet::Class::Exit.name(), "exit");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Class::Error => "error",
            Class::Exit => "exit",
            Class::Throw => "throw",
        }
    }
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
    /// Its next instruction takes longer than a worker may be held: it goes on on the pool.
    Bulk,
    /// It is over.
    Exit(ExitReason),
    /// The whole machine is to stop with this status.
    Halt(i32),
}

/// X registers of a process that is not running: they belong to the worker, and a process that leaves it keeps what is live.
#[derive(Debug)]
pub struct SavedX {
    inline: [Word; SavedX::INLINE],
    /// Used when more are live; kept for the next time.
    #[allow(clippy::box_collection, reason = "one word in a process that never needs it instead of three")]
    more: Option<Box<Vec<Word>>>,
}

impl Default for SavedX {
    fn default() -> Self {
        SavedX { inline: [Word::NIL; SavedX::INLINE], more: None }
    }
}

impl SavedX {
    /// Words kept in the process itself. A waiting process has none live; few of those that are interrupted have more.
    pub const INLINE: usize = 3;

    /// The words.
    #[inline]
    pub fn words(&self, live: u16) -> &[Word] {
        match &self.more {
            Some(more) if usize::from(live) > SavedX::INLINE => &more[..usize::from(live)],
            _ => &self.inline[..usize::from(live).min(SavedX::INLINE)],
        }
    }

    /// The words, as roots.
    #[inline]
    pub fn words_mut(&mut self, live: u16) -> &mut [Word] {
        match &mut self.more {
            Some(more) if usize::from(live) > SavedX::INLINE => &mut more[..usize::from(live)],
            _ => &mut self.inline[..usize::from(live).min(SavedX::INLINE)],
        }
    }

    fn save(&mut self, words: &[Word]) {
        if words.len() > SavedX::INLINE {
            let more = self.more.get_or_insert_default();
            more.clear();
            more.extend_from_slice(words);
        } else {
            self.inline[..words.len()].copy_from_slice(words);
        }
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

impl Default for ReceiveTimer {
    fn default() -> Self {
        ReceiveTimer { armed: u64::MAX, deadline: u64::MAX, number: 0 }
    }
}

/// The lowest that reductions go, however much is charged: from there calls can still count down before they look.
const DEEPEST: i32 = i32::MIN / 2;

/// Large things that a process leaves, to be freed piece by piece.
#[derive(Default)]
pub struct Remains(Vec<Box<dyn FnMut() -> bool + Send>>);

impl Remains {
    /// Leaves something. A call of `free_some` frees a piece of it, and says whether that was all.
    pub fn push(&mut self, free_some: impl FnMut() -> bool + Send + 'static) {
        self.0.push(Box::new(free_some));
    }

    /// Frees a piece; whether nothing is left.
    pub fn free_some(&mut self) -> bool {
        if self.0.last_mut().is_some_and(|free_some| free_some()) {
            self.0.pop();
        }
        self.0.is_empty()
    }
}

impl std::fmt::Debug for Remains {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Remains").field(&self.0.len()).finish()
    }
}

/// Rarely needed parts of a process.
#[derive(Debug, Default)]
pub struct Cold {
    /// A native body: what runs instead of bytecode (the runtime knows its type).
    pub native: Option<Box<dyn Any + Send>>,
    /// What ends with the process while it waits for a task of the embedder.
    pub awaited: Option<Box<dyn Any + Send>>,
    /// What natives keep for it; dropped with it, which closes what is open.
    pub owned: Option<Box<dyn Any + Send>>,
    /// What it leaves that is large.
    pub remains: Remains,
    /// `hibernate/3` was called: `{Module, Function, Args}` to go on with.
    pub hibernating: Option<Fragment>,
    /// The module whose function it calls has been looked for: there is no use in looking again.
    pub looked_for: Option<Atom>,
    /// `process_flag(error_handler)`, if it was set.
    pub error_handler: Option<Atom>,
    /// `process_flag(scheduler)`: the scheduler that was asked for, or 0. Workers steal from each other all the same.
    pub scheduler: u32,
    /// The register file of a process on its way to the pool, in the middle of an instruction.
    pub registers: Option<Box<[Word]>>,
    /// It is to leave the areas of this round, when the pool has it.
    pub leaving: Option<u64>,
    /// Who suspended it how often.
    pub suspended_by: Vec<(Pid, u32)>,
    /// Whom it suspended how often.
    pub suspending: Vec<(Pid, u32)>,
    /// Bytes of its dictionary and relations that its account was told of; of processes with limits.
    pub told: usize,
    /// It is the machine's own: nobody's exit signal ends it, nobody suspends it or changes its group leader.
    pub is_protected: bool,
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
    /// The exit machine has closed its slot.
    pub is_dead: bool,
    /// The exit machine has given back its memory.
    pub is_emptied: bool,
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
    /// Its slot, from when it can be reached.
    pub(super) slot: Option<NonNull<Slot<Process>>>,
    /// What it waits for.
    pub wait: WaitState,
    /// Messages.
    pub mailbox: Mailbox,
    /// Signals taken and not handled yet.
    pub incoming: Taken<Signal>,
    /// Live X registers while it is not running.
    pub x: SavedX,
    /// Its receives' timer, from the first receive with a time-out on.
    pub timer: Option<Box<ReceiveTimer>>,
    /// Reductions done, this slice not counted.
    pub reductions_done: u64,
    /// The group leader.
    pub group_leader: Word,
    /// The pid that spawned it, or `undefined`.
    pub parent: Word,
    /// What it was started with.
    pub initial_call: Entry,
    /// What `reductions` was when those done were counted, less what was taken from it for who was woken. (It stands where there is
    /// room for it.)
    pub budget: i32,
    /// Why it exits; the exit machine's.
    pub exit_reason: Option<Fragment>,
    /// Links, monitors, aliases.
    pub relations: Option<Box<Relations>>,
    /// The process dictionary.
    pub dictionary: Option<Box<Dictionary>>,
    /// Rarely needed parts.
    pub cold: Option<Box<Cold>>,
    /// Who waits outside the machine for what its first function returns.
    pub answer: Option<Answer>,
}

impl std::fmt::Debug for Process {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Process").field("pid", &self.pid).field("wait", &self.wait).finish_non_exhaustive()
    }
}

impl Process {
    /// Whether it is the machine's own, whom others do nothing to.
    pub fn is_protected(&self) -> bool {
        self.cold.as_ref().is_some_and(|cold| cold.is_protected)
    }

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
            is_dead: false,
            is_emptied: false,
            priority: Priority::Normal,
            queue_data: QueueData::OnHeap,
            resume: Resume::Go,
            sensitive: false,
            pid,
            slot: None,
            wait: WaitState::Running,
            mailbox: Mailbox::default(),
            incoming: Taken::none(),
            x: SavedX::default(),
            timer: None,
            reductions_done: 0,
            budget: 0,
            group_leader: Word::NIL,
            parent: Word::atom(known::UNDEFINED),
            initial_call,
            exit_reason: None,
            relations: None,
            dictionary: None,
            cold: None,
            answer: None,
        })
    }

    /// Reductions done, this slice's counted: what `process_info` tells.
    pub fn all_reductions(&self) -> u64 {
        let left = self.reductions.saturating_add(self.reductions_saved);
        self.reductions_done + self.budget.saturating_sub(left).max(0) as u64
    }

    /// Words of messages that count as part of the heap: those of a queue that is on it.
    pub fn message_words(&self) -> usize {
        match self.queue_data {
            QueueData::OnHeap => self.mailbox.bytes() / size_of::<Word>(),
            QueueData::OffHeap => 0,
        }
    }

    /// The words of heap and messages, if they are more than the process may have: see [`Heap::over_max`].
    pub fn over_max(&self) -> Option<usize> {
        self.heap.over_max(self.message_words())
    }

    /// Saves the first `live` registers of a file.
    #[inline]
    pub fn save_x(&mut self, file: &[Word], live: u16) {
        self.x_live = live;
        if live > 0 {
            self.x.save(&file[..usize::from(live)]);
        }
    }

    /// Puts the saved registers into a file. From then on the file has them: what was saved is no root any more.
    #[inline]
    pub fn load_x(&mut self, file: &mut [Word]) {
        let live = std::mem::take(&mut self.x_live);
        if live == 0 {
            return;
        }
        file[..usize::from(live)].copy_from_slice(self.x.words(live));
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
    #[inline]
    pub fn is_native(&self) -> bool {
        self.cold.as_ref().is_some_and(|cold| cold.native.is_some())
    }

    /// How often it is suspended.
    #[inline]
    pub fn suspensions(&self) -> u32 {
        self.cold.as_ref().map_or(0, |cold| cold.suspended_by.iter().map(|(_, count)| count).sum())
    }

    /// Charges reductions to the running slice.
    #[inline]
    pub fn charge(&mut self, reductions: u32) {
        self.reductions = self.reductions.saturating_sub_unsigned(reductions).max(DEEPEST);
    }

    /// Reductions done so far, without the running slice.
    pub fn total_reductions(&self) -> u64 {
        self.reductions_done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A parked process costs its header, its first block and its slot; these are allocator size classes.
    #[test]
    fn a_parked_process_fits_its_size_classes() {
        assert!(size_of::<Process>() <= 320, "{}", size_of::<Process>());
        assert_eq!(crate::heap::memory::FIRST_WORDS * 8, 512);
    }

    #[test]
    fn registers_are_roots_only_while_they_are_saved() {
        let account = crate::heap::Account::root();
        let heap = Heap::new(account, crate::heap::Policy::default()).expect("memory");
        let entry = Entry { module: known::ERLANG, function: known::APPLY, arity: 2 };
        let mut process = Process::new(Pid::new(0, 0), heap, entry);
        let file: Vec<Word> = (0..9).map(Word::small).collect();
        for live in [0, 2, 3, 4, 9, 1] {
            process.save_x(&file, live);
            let mut other = vec![Word::NIL; 9];
            process.load_x(&mut other);
            assert_eq!(other[..usize::from(live)], file[..usize::from(live)]);
            assert_eq!(process.x_live, 0);
        }
    }
}

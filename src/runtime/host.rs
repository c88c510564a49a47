//! Functions of the embedder, as the natives see them: typed ones by number, and those of `erlet_host:call/2`.
//!
//! A typed function is called by native `erlet_host:invoke` with its arguments and its number; modules whose functions do that are
//! made by the embedder's side. It answers at once, or gives work for the pool, or a task that somebody else runs; then its caller
//! waits in `Job(number)`, and a [`Completion`] says the answer, as a `Reply` signal that only that wait takes.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use erlet_lang::notes::Notes;

use super::jobs::Answer;
use super::requests;
use super::{Runtime, WorkerCx};
use crate::atom::{Atom, known};
use crate::heap::{Account, AllocError, Fragment, HeapRef};
use crate::process::{Class, Process, Signal, SignalKind, WaitState};
use crate::term::{Pid, Term, Word};

/// Work that answers a call of `erlet_host:call/2`.
pub type HostWork = Box<dyn FnOnce() -> Answer + Send>;

/// Functions of the embedder that are called by name.
pub trait HostCalls: Send + Sync {
    /// Reads the arguments of a call, a list, and gives the work that answers it, for the pool; `None` if they cannot be read.
    fn prepare(&self, rt: &Runtime, function: Atom, args: Term<'_>) -> Option<HostWork>;
}

/// Who calls a function of the embedder.
#[derive(Clone, Copy)]
pub struct Caller<'h> {
    /// Its machine.
    pub rt: &'h Runtime,
    /// Its pid.
    pub pid: Pid,
}

/// How a call of a function of the embedder goes on.
pub enum HostEnd<'h> {
    /// Its result.
    Value(Term<'h>),
    /// An exception.
    Raise(Class, Term<'h>),
    /// The error `badarg`: what is wrong with which argument, counted from 1.
    BadArgument { argument: usize, why: String },
    /// The caller ends with this reason, whatever it catches.
    Exit(Term<'h>),
    /// No room.
    NoMemory(AllocError),
    /// Work for the pool, which answers.
    Blocking(Box<dyn FnOnce(Completion) + Send>),
    /// Somebody else answers. What this gives is dropped with the caller, if that dies before.
    Awaiting(Box<dyn FnOnce(Completion) -> Box<dyn Any + Send> + Send>),
}

/// A typed function of the embedder.
pub trait HostFunction: Send + Sync {
    /// Calls it. Terms may be made on the caller's heap, to which the work of reading and making them is announced. It does not
    /// unwind.
    fn call<'h>(&self, heap: &mut HeapRef<'h>, caller: Caller<'h>, args: &[Term<'h>]) -> HostEnd<'h>;
}

/// Work (see `heap::work`) of converting a word of an argument or a result.
pub const UNITS_PER_WORD: usize = 6;

/// Functions of a block; blocks are made as they are needed.
const BLOCK: usize = 256;
/// Blocks there can be.
const BLOCKS: usize = 256;

type Block = Box<[OnceLock<Box<dyn HostFunction>>]>;

/// The typed functions of the embedder, by number. They stay as long as the machine: code that names one may run for ever.
pub struct HostFunctions {
    blocks: [OnceLock<Block>; BLOCKS],
    /// How many there are; whoever adds holds it.
    count: Mutex<usize>,
    /// What their modules say about themselves, by name.
    notes: Mutex<BTreeMap<String, Notes>>,
}

impl Default for HostFunctions {
    fn default() -> HostFunctions {
        HostFunctions {
            blocks: [const { OnceLock::new() }; BLOCKS],
            count: Mutex::new(0),
            notes: Mutex::default(),
        }
    }
}

impl HostFunctions {
    /// Adds a function; `None` if there are as many as there can be.
    pub fn add(&self, function: Box<dyn HostFunction>) -> Option<usize> {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let number = *count;
        let block = self.blocks.get(number / BLOCK)?;
        let block = block.get_or_init(|| (0..BLOCK).map(|_| OnceLock::new()).collect());
        let fresh = block[number % BLOCK].set(function).is_ok();
        debug_assert!(fresh, "numbers are given out once, under the lock");
        *count += 1;
        Some(number)
    }

    /// Keeps what a module says about itself.
    pub fn set_notes(&self, module: &str, notes: Notes) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).insert(module.to_owned(), notes);
    }

    /// What a module of the embedder's says about itself.
    pub fn notes(&self, module: &str) -> Option<Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).get(module).cloned()
    }

    /// The function of this number.
    #[inline]
    pub fn get(&self, number: usize) -> Option<&dyn HostFunction> {
        let block = self.blocks.get(number / BLOCK)?.get()?;
        Some(&**block[number % BLOCK].get()?)
    }
}

/// The duty to answer a process that waits. Dropped without an answer, it raises the error `internal_error`.
pub struct Completion {
    machine: Weak<Runtime>,
    asker: Pid,
    number: u64,
    /// Who pays for the answer.
    account: Arc<Account>,
    answered: bool,
    /// What the caller pays for while it waits.
    held: Option<Box<dyn Any + Send>>,
}

impl Completion {
    /// Keeps something until the answer.
    pub fn hold(&mut self, held: impl Any + Send) {
        self.held = Some(Box::new(held));
    }

    /// Lets `process` wait; the native that calls this leaves with `Stop::Block` of its wait state.
    pub fn of(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) -> Completion {
        let number = worker.make_unique();
        process.wait = WaitState::Job(number);
        Completion {
            machine: rt.weak(),
            asker: process.pid,
            number,
            account: Arc::clone(process.account()),
            answered: false,
            held: None,
        }
    }

    /// The machine, if it is still there, and who pays for the answer.
    pub fn machine(&self) -> Option<(Arc<Runtime>, Arc<Account>)> {
        Some((self.machine.upgrade()?, Arc::clone(&self.account)))
    }

    /// Answers: the process goes on with this result, or with this exception.
    pub fn answer(mut self, content: Fragment, raises: Option<Class>) {
        self.send(content, raises);
    }

    fn send(&mut self, content: Fragment, raises: Option<Class>) {
        self.answered = true;
        self.held = None;
        let Some(rt) = self.machine.upgrade() else { return };
        let reply = Signal::new(SignalKind::Reply, self.asker, content)
            .with(Word::NIL, self.number)
            .with_flags(requests::raising(raises));
        let mut outside = rt.outside();
        rt.deliver(&mut outside, reply);
        outside.retire(&rt);
    }
}

impl Drop for Completion {
    fn drop(&mut self) {
        if !self.answered
            && let Ok(reason) = Fragment::immediate(Word::atom(known::INTERNAL_ERROR))
        {
            self.send(reason, Some(Class::Error));
        }
    }
}

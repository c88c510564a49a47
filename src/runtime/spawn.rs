//! Making processes.

use super::limits::{self, Narrowing};
use super::{Runtime, WorkerCx, timers};
use crate::atom::{Atom, known};
use crate::code::{Mfa, stub};
use crate::heap::{Account, AllocError, Fragment, Heap, HeapRef, Policy, Size};
use crate::process::{
    AliasMode, Answer, Entry, Link, Monitor, Parked, Priority, Process, QueueData, SignalKind, Target,
    TooManyProcesses, WaitState, Watcher,
};
use crate::term::{Pid, Term, Word};
use std::any::Any;
use std::sync::Arc;

/// What `process_info` says a process was started with that runs a fun.
const APPLY_2: Entry = Entry { module: known::ERLANG, function: known::APPLY, arity: 2 };

/// Arguments that need no list of their own.
const FEW_ARGUMENTS: usize = 4;

/// Most arguments of a function.
const MANY_ARGUMENTS: usize = 255;

/// What a new process runs.
#[derive(Clone, Copy)]
pub enum Start<'a, 'h> {
    /// `Module:Function(Args...)`.
    Call(Mfa, &'a [Term<'h>]),
    /// A fun, called without arguments.
    Fun(Term<'h>),
}

/// Options of `spawn_opt`.
#[derive(Debug, Default)]
pub struct SpawnOptions {
    /// Link parent and child.
    pub link: bool,
    /// The parent monitors the child.
    pub monitor: Option<MonitorOptions>,
    /// The child's priority.
    pub priority: Option<Priority>,
    /// How the child's heap grows and is collected.
    pub policy: Option<Policy>,
    /// Where the child's messages are kept.
    pub queue_data: Option<QueueData>,
    /// Who pays; `None`: the parent's account.
    pub account: Option<Arc<Account>>,
    /// What the child may use and touch, within what its account may.
    pub narrowing: Option<Box<Narrowing>>,
    /// The group leader; `None`: the parent's.
    pub group_leader: Option<Word>,
    /// Somebody else who monitors the child from its birth: who, and with which reference.
    pub watcher: Option<(Pid, u64)>,
    /// The child does not run before its first message has come.
    pub waits_for_a_message: bool,
    /// The child traps exits from its birth.
    pub trap_exit: bool,
    /// The child is a server of the machine's own: nobody ends or stops it.
    pub is_protected: bool,
    /// Words that copies of its arguments take, each by itself, if that was measured.
    pub measured: Option<Measured>,
}

/// Sizes of the few arguments of a new process.
pub type Measured = [Size; FEW_ARGUMENTS];

/// Options of a monitor.
#[derive(Debug, Default)]
pub struct MonitorOptions {
    /// Make the reference an alias too.
    pub alias: Option<AliasMode>,
    /// What stands in the place of `'DOWN'`.
    pub tag: Option<Fragment>,
}

/// Why no process was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpawnError {
    /// There are as many as there may be: `system_limit`.
    TooMany,
    /// No memory for it.
    Memory(AllocError),
    /// There are more arguments than a function may take.
    Arguments,
}

impl From<AllocError> for SpawnError {
    fn from(error: AllocError) -> SpawnError {
        SpawnError::Memory(error)
    }
}

impl From<TooManyProcesses> for SpawnError {
    fn from(TooManyProcesses: TooManyProcesses) -> SpawnError {
        SpawnError::TooMany
    }
}

/// A process made: its pid, and the monitor's reference if one was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spawned {
    /// Its pid.
    pub pid: Pid,
    /// The reference of the parent's monitor.
    pub monitor: Option<u64>,
}

impl Runtime {
    /// Makes a process and queues it. All ties to the parent are in place before anybody can reach the child.
    ///
    /// # Errors
    /// See [`SpawnError`]; then nothing has happened.
    pub fn spawn(
        &self,
        worker: &mut WorkerCx,
        parent: Option<&mut Process>,
        start: Start<'_, '_>,
        options: SpawnOptions,
    ) -> Result<Spawned, SpawnError> {
        // The way into the code is found here and goes into the child; workers do not pass meanwhile.
        let _ticket = worker.is_outside().then(|| self.quiescence.enter());
        let pid = self.slots.reserve(&mut worker.free_slots)?;
        let mut child = match self.make_child(worker, parent.as_deref(), pid, start, &options) {
            Ok(child) => child,
            Err(error) => {
                self.slots.cancel(&mut worker.free_slots, pid);
                return Err(error);
            }
        };
        let deadline = if child.heap.is_limited() { child.account().deadline() } else { u64::MAX };
        let mut monitor = None;
        let by_running = parent.is_some();
        if let Some(parent) = parent {
            monitor = tie(worker, parent, &mut child, options);
        }
        self.launch(worker, child, by_running);
        if deadline != u64::MAX {
            timers::arm_expiry(worker, self, deadline, pid);
        }
        Ok(Spawned { pid, monitor })
    }

    /// Makes a process for somebody outside the machine and queues it: it runs `function` of `module` with arguments that `make`
    /// makes as a tuple on the new process's own heap, and `answer` gets what it ends with.
    ///
    /// # Errors
    /// What `make` says; if there are too many processes or there is no memory; then nothing has happened.
    pub fn spawn_made<E: From<SpawnError>>(
        &self,
        worker: &mut WorkerCx,
        (module, function): (Atom, Atom),
        answer: Option<Answer>,
        options: &SpawnOptions,
        make: impl for<'h> FnOnce(&mut HeapRef<'h>, &'h Runtime) -> Result<Term<'h>, E>,
    ) -> Result<Pid, E> {
        let pid = self.slots.reserve(&mut worker.free_slots).map_err(SpawnError::from)?;
        match self.make_root(worker, pid, (module, function), options, make) {
            Ok(mut child) => {
                child.answer = answer;
                let deadline = child.account().deadline();
                self.launch(worker, child, false);
                if deadline != u64::MAX {
                    timers::arm_expiry(worker, self, deadline, pid);
                }
                Ok(pid)
            }
            Err(error) => {
                self.slots.cancel(&mut worker.free_slots, pid);
                Err(error)
            }
        }
    }

    fn make_root<E: From<SpawnError>>(
        &self,
        worker: &mut WorkerCx,
        pid: Pid,
        (module, function): (Atom, Atom),
        options: &SpawnOptions,
        make: impl for<'h> FnOnce(&mut HeapRef<'h>, &'h Runtime) -> Result<Term<'h>, E>,
    ) -> Result<Box<Process>, E> {
        let account = self.account_of(None, options);
        let policy = options.policy.unwrap_or_else(|| self.policy());
        let heap = Heap::new_in(&mut worker.blocks, account, policy, 1).map_err(SpawnError::from)?;
        limits::admit(worker, self, heap.account()).map_err(SpawnError::from)?;
        let mut child = Process::new(pid, heap, Entry { module, function, arity: 0 });
        let (mut few, mut many) = ([Word::NIL; FEW_ARGUMENTS], Vec::new());
        let made = child.heap.with_beside(&self.atoms, self, |h, rt| {
            let arguments = make(h, rt)?;
            let terms = arguments.as_tuple().unwrap_or_default();
            if terms.len() > MANY_ARGUMENTS {
                return Err(SpawnError::Arguments.into());
            }
            if terms.len() > FEW_ARGUMENTS {
                many.extend(terms.iter().map(|term| term.word()));
            } else {
                few.iter_mut().zip(terms).for_each(|(register, term)| *register = term.word());
            }
            Ok::<usize, E>(terms.len())
        });
        let count = made.inspect_err(|_| limits::dismiss(worker, self, child.heap.account()))?;
        let registers = if many.is_empty() { &few[..count] } else { &many[..] };
        child.save_x(registers, count as u16);
        child.initial_call.arity = count as u8;
        child.pc = self.code.export(Mfa { module, function, arity: count as u8 }).entry();
        settings(&mut child, None, options);
        Ok(child)
    }

    /// Who pays for a new process.
    fn account_of(&self, parent: Option<&Process>, options: &SpawnOptions) -> Arc<Account> {
        let account = match (&options.account, parent) {
            (Some(account), _) => account,
            (None, Some(parent)) => parent.account(),
            (None, None) => &self.account,
        };
        match &options.narrowing {
            None => Arc::clone(account),
            Some(narrowing) => {
                let Narrowing { limits, capabilities } = &**narrowing;
                self.note_limits();
                Account::narrowed(account, limits, capabilities.as_ref(), self.clock.now())
            }
        }
    }

    /// Makes a native body: a Rust state machine that lives in a slot like a process. It runs one step at once.
    ///
    /// # Errors
    /// If there are too many processes or there is no memory.
    pub fn spawn_native(
        &self,
        worker: &mut WorkerCx,
        body: Box<dyn super::Native>,
    ) -> Result<Pid, SpawnError> {
        self.spawn_body(worker, body, |_| {})
    }

    /// The same for a body that watches a process from its birth, with this reference; `answer` gets what it ends with.
    ///
    /// # Errors
    /// As [`Runtime::spawn_native`].
    pub fn spawn_watching(
        &self,
        worker: &mut WorkerCx,
        body: Box<dyn super::Native>,
        answer: Answer,
        (watched, reference): (Pid, u64),
    ) -> Result<Pid, SpawnError> {
        let watcher = self.spawn_body(worker, body, |body| {
            let monitor = Monitor { target: Target::Pid(watched), tag: None };
            body.relations().monitors.insert(reference, monitor);
            body.answer = Some(answer);
        })?;
        self.deliver_bare(worker, SignalKind::Monitor, watched, Word::pid(watcher), reference);
        Ok(watcher)
    }

    /// Makes a native body; `set` prepares it before anybody can reach it.
    ///
    /// # Errors
    /// As [`Runtime::spawn_native`].
    pub fn spawn_body(
        &self,
        worker: &mut WorkerCx,
        body: Box<dyn super::Native>,
        set: impl FnOnce(&mut Process),
    ) -> Result<Pid, SpawnError> {
        let pid = self.slots.reserve(&mut worker.free_slots)?;
        let account = Arc::clone(&self.own_account);
        let made = Heap::new_in(&mut worker.blocks, account, Policy::default(), 0);
        let made = made.and_then(|heap| limits::admit(worker, self, heap.account()).map(|()| heap));
        let heap = match made {
            Ok(heap) => heap,
            Err(error) => {
                self.slots.cancel(&mut worker.free_slots, pid);
                return Err(error.into());
            }
        };
        let initial_call = Entry { module: known::ERLANG, function: known::NATIVE, arity: 0 };
        let mut child = Process::new(pid, heap, initial_call);
        let body: Box<dyn Any + Send> = Box::new(super::NativeBody(body));
        child.cold().native = Some(body);
        child.trap_exit = true;
        set(&mut child);
        self.launch(worker, child, false);
        Ok(pid)
    }

    fn launch(&self, worker: &mut WorkerCx, child: Box<Process>, by_running: bool) {
        worker.counts.spawned.add(1);
        let mut handle = self.slots.open(child);
        if handle.wait != WaitState::Running {
            // Nobody knows it yet, but whoever guesses its pid may have sent something.
            match self.slots.park(handle) {
                Parked::Gone => return,
                Parked::Signals(held) => handle = held,
            }
        }
        if by_running {
            worker.enqueue_child(self, handle);
        } else {
            worker.enqueue(self, handle);
        }
    }

    fn make_child(
        &self,
        worker: &mut WorkerCx,
        parent: Option<&Process>,
        pid: Pid,
        start: Start<'_, '_>,
        options: &SpawnOptions,
    ) -> Result<Box<Process>, SpawnError> {
        let one;
        let (pc, entry, arguments) = match start {
            Start::Call(mfa, arguments) => {
                debug_assert_eq!(usize::from(mfa.arity), arguments.len());
                let entry = Entry { module: mfa.module, function: mfa.function, arity: mfa.arity };
                (self.code.export(mfa).entry(), entry, arguments)
            }
            Start::Fun(fun) => {
                one = [fun];
                (stub::call_fun(), APPLY_2, &one[..])
            }
        };
        let account = self.account_of(parent, options);
        let (mut few_sizes, mut many_sizes) = (options.measured.unwrap_or_default(), Vec::new());
        let sizes = if arguments.len() <= FEW_ARGUMENTS {
            &mut few_sizes[..arguments.len()]
        } else {
            many_sizes.resize(arguments.len(), Size::default());
            &mut many_sizes[..]
        };
        if options.measured.is_none() || arguments.len() > FEW_ARGUMENTS {
            for (size, argument) in sizes.iter_mut().zip(arguments) {
                *size = crate::heap::copy::size(*argument)?;
            }
        }
        // One word for the bottom of the stack, which the interpreter pushes.
        let need = sizes.iter().fold(1usize, |sum, size| sum.saturating_add(size.words()));
        let policy = options.policy.unwrap_or_else(|| self.policy());
        let heap = Heap::new_in(&mut worker.blocks, account, policy, need)?;
        limits::admit(worker, self, heap.account())?;
        let mut child = Process::new(pid, heap, entry);
        let (mut few, mut many) = ([Word::NIL; FEW_ARGUMENTS], Vec::new());
        let words = if arguments.len() <= FEW_ARGUMENTS {
            &mut few[..arguments.len()]
        } else {
            many.resize(arguments.len(), Word::NIL);
            &mut many[..]
        };
        let copied = child.heap.with(&self.atoms, |h| {
            for ((word, argument), size) in words.iter_mut().zip(arguments).zip(sizes) {
                *word = h.copy_in_measured(*argument, *size)?.word();
            }
            Ok::<(), AllocError>(())
        });
        if let Err(error) = copied {
            limits::dismiss(worker, self, child.account());
            return Err(error.into());
        }
        child.save_x(words, arguments.len() as u16);
        child.pc = pc;
        settings(&mut child, parent, options);
        Ok(child)
    }
}

/// What a new process is beside its code.
fn settings(child: &mut Process, parent: Option<&Process>, options: &SpawnOptions) {
    child.priority = options.priority.unwrap_or(Priority::Normal);
    child.trap_exit = options.trap_exit;
    child.queue_data = options.queue_data.unwrap_or(QueueData::OnHeap);
    child.group_leader = match (options.group_leader, parent) {
        (Some(leader), _) => leader,
        (None, Some(parent)) => parent.group_leader,
        // The first process leads itself.
        (None, None) => Word::pid(child.pid),
    };
    if let Some(parent) = parent {
        child.parent = Word::pid(parent.pid);
    }
    if let Some((watcher, reference)) = options.watcher {
        child.relations().watchers.insert(reference, Watcher { pid: watcher, name: None });
    }
    if options.waits_for_a_message {
        child.wait = WaitState::Receive(0);
    }
    if options.is_protected {
        child.cold().is_protected = true;
    }
}

/// Links and monitors between a parent and a child nobody else knows yet.
fn tie(
    worker: &mut WorkerCx,
    parent: &mut Process,
    child: &mut Process,
    options: SpawnOptions,
) -> Option<u64> {
    let active = Link { unlinking: None, since: 0, seen: 0 };
    if options.link {
        parent.relations().links.insert(Word::pid(child.pid).bits(), active);
        child.relations().links.insert(Word::pid(parent.pid).bits(), active);
    }
    let monitor = options.monitor?;
    let reference = worker.make_unique();
    let relations = parent.relations();
    relations.monitors.insert(reference, Monitor { target: Target::Pid(child.pid), tag: monitor.tag });
    if let Some(mode) = monitor.alias {
        relations.aliases.insert(reference, mode);
    }
    child.relations().watchers.insert(reference, Watcher { pid: parent.pid, name: None });
    Some(reference)
}

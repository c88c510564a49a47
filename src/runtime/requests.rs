//! Questions to another process, answered by it between two of its own steps: `process_info`, `is_process_alive`,
//! `garbage_collect`, `suspend_process`.
//!
//! A question is a signal, so what was sent before it acts first. The asker waits in `Reply(number)` and meanwhile goes on
//! handling signals, questions among them: two processes that ask each other both get their answers.

use super::compose::{self, Part};
use super::{Report, Runtime, WorkerCx, exit, info};
use crate::atom::known;
use crate::code::LoadedModule;
use crate::heap::collect::LONG_COLLECTION;
use crate::heap::work::Mode;
use crate::heap::{Fragment, Kind};
use crate::process::{Class, Cold, Process, Signal, SignalKind, WaitState};
use crate::term::{Pid, Term, Word};

/// Flag of a reply: its root is the reason of an error.
pub const RAISES: u8 = 1;
/// With `RAISES`: an exit, or a throw, and no error.
const EXITS: u8 = 2;
const THROWS: u8 = 4;

/// The flags of an answer that raises so.
pub fn raising(class: Option<Class>) -> u8 {
    match class {
        None => 0,
        Some(Class::Error) => RAISES,
        Some(Class::Exit) => RAISES | EXITS,
        Some(Class::Throw) => RAISES | THROWS,
    }
}

/// What an answer of these flags raises.
pub(super) fn raised(flags: u8) -> Option<Class> {
    match flags & (RAISES | EXITS | THROWS) {
        0 => None,
        flags if flags & EXITS != 0 => Some(Class::Exit),
        flags if flags & THROWS != 0 => Some(Class::Throw),
        _ => Some(Class::Error),
    }
}

/// What can be asked; the flags of a `Request`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Question {
    /// `process_info(Pid, Items)`: the root is the item or list of items.
    Info = 0,
    /// `is_process_alive(Pid)`.
    Alive = 1,
    /// `garbage_collect(Pid)`.
    Collect = 2,
    /// `suspend_process(Pid)`.
    Suspend = 3,
    /// `garbage_collect(Pid, [{type, minor}])`.
    CollectMinor = 4,
    /// `garbage_collect(Pid, [{async, RequestId}])`: answered by a message.
    CollectTagged = 5,
    /// `suspend_process(Pid, [asynchronous])`: not answered.
    SuspendSilently = 6,
    /// `suspend_process(Pid, [{asynchronous, Tag}])`: answered by a message.
    SuspendTagged = 7,
    /// `check_process_code(Pid, Module)`: the root is the module.
    OldCode = 8,
    /// `check_process_code(Pid, Module, [{async, Id}])`: answered by a message; the number is the module.
    OldCodeTagged = 9,
}

impl Question {
    fn of(signal: &Signal) -> Question {
        match signal.flags() {
            1 => Question::Alive,
            2 => Question::Collect,
            3 => Question::Suspend,
            4 => Question::CollectMinor,
            5 => Question::CollectTagged,
            6 => Question::SuspendSilently,
            7 => Question::SuspendTagged,
            8 => Question::OldCode,
            9 => Question::OldCodeTagged,
            _ => Question::Info,
        }
    }
}

/// Asks `whom`, and makes the asker wait for the answer. The native that calls this leaves with `Stop::Block`.
///
/// # Errors
/// If there is no memory for the question.
pub fn ask(
    worker: &mut WorkerCx,
    rt: &Runtime,
    asker: &mut Process,
    whom: Pid,
    question: Question,
    about: Term<'_>,
) -> Result<WaitState, crate::heap::AllocError> {
    let number = worker.make_unique();
    let content = Fragment::copy(about, asker.account())?;
    let signal = Signal::new(SignalKind::Request, whom, content)
        .with(Word::pid(asker.pid), number)
        .with_flags(question as u8);
    asker.wait = WaitState::Reply(number);
    let wait = asker.wait;
    rt.deliver_question(worker, asker, signal);
    Ok(wait)
}

/// The owner answers.
pub(super) fn answer(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, signal: Signal) {
    let Some(asker) = signal.from().as_pid() else { return };
    let answer = match Question::of(&signal) {
        Question::Info => info::of_other(worker, rt, process, signal.content()),
        Question::Alive => atom(known::TRUE),
        Question::Collect => collect(worker, rt, process, Kind::Asked),
        Question::CollectMinor => collect(worker, rt, process, Kind::Auto),
        // The machine's own servers are to be stopped by nobody: as if they were not there.
        Question::Suspend | Question::SuspendSilently | Question::SuspendTagged if process.is_protected() => {
            return answer_for_the_dead(worker, rt, signal);
        }
        Question::Suspend => {
            begin_suspension(process.cold(), asker);
            atom(known::TRUE)
        }
        Question::CollectTagged => {
            let done = collect(worker, rt, process, Kind::Asked).is_some();
            return tell(worker, rt, &signal, asker, [known::GARBAGE_COLLECT, known::boolean(done)]);
        }
        Question::SuspendSilently => return begin_suspension(process.cold(), asker),
        Question::OldCode => atom(known::boolean(runs_old(rt, process, signal.content().root()))),
        Question::OldCodeTagged => {
            let runs = known::boolean(runs_old(rt, process, Word::from_bits(signal.number())));
            return tell(worker, rt, &signal, asker, [known::CHECK_PROCESS_CODE, runs]);
        }
        Question::SuspendTagged => {
            begin_suspension(process.cold(), asker);
            return tell(worker, rt, &signal, asker, [known::SUSPENDED, known::SUSPENDED]);
        }
    };
    reply(worker, rt, &signal, asker, answer, 0);
}

/// Nobody is there to answer.
pub(super) fn answer_for_the_dead(worker: &mut WorkerCx, rt: &Runtime, signal: Signal) {
    let Some(asker) = signal.from().as_pid() else { return };
    let (answer, flags) = match Question::of(&signal) {
        Question::Info => (known::UNDEFINED, 0),
        Question::Alive | Question::Collect | Question::CollectMinor | Question::OldCode => (known::FALSE, 0),
        Question::Suspend => (known::BADARG, RAISES),
        Question::SuspendSilently => return,
        Question::CollectTagged => {
            return tell(worker, rt, &signal, asker, [known::GARBAGE_COLLECT, known::FALSE]);
        }
        Question::OldCodeTagged => {
            return tell(worker, rt, &signal, asker, [known::CHECK_PROCESS_CODE, known::FALSE]);
        }
        Question::SuspendTagged => return tell(worker, rt, &signal, asker, [known::EXITED, known::EXITED]),
    };
    reply(worker, rt, &signal, asker, atom(answer), flags);
}

fn reply(
    worker: &mut WorkerCx,
    rt: &Runtime,
    question: &Signal,
    to: Pid,
    answer: Option<Fragment>,
    flags: u8,
) {
    let (answer, flags) = match answer {
        Some(answer) => (Some(answer), flags),
        None => (atom(known::SYSTEM_LIMIT), RAISES),
    };
    if let Some(answer) = answer {
        let from = Word::pid(question.to());
        let signal =
            Signal::new(SignalKind::Reply, to, answer).with(from, question.number()).with_flags(flags);
        rt.deliver(worker, signal);
    }
}

/// Answers by a message: `{garbage_collect | check_process_code, RequestId, Result}` or `{Tag, Result}`.
fn tell(worker: &mut WorkerCx, rt: &Runtime, question: &Signal, to: Pid, words: [crate::atom::Atom; 2]) {
    let tag = Part::Whole(question.content());
    let [name, result] = words.map(Part::atom);
    let tuple = match Question::of(question) {
        Question::SuspendTagged => compose::tuple(&rt.account, &[tag, result]),
        _ => compose::tuple(&rt.account, &[name, tag, result]),
    };
    if let Some(tuple) = tuple {
        rt.deliver(worker, Signal::new(SignalKind::Message, to, tuple));
    }
}

fn atom(atom: crate::atom::Atom) -> Option<Fragment> {
    Fragment::immediate(Word::atom(atom)).ok()
}

/// Collects, or, if that would hold the worker for long, has the pool do it before the process does anything else.
fn collect(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, kind: Kind) -> Option<Fragment> {
    if process.heap.used_words() > LONG_COLLECTION && worker.work_at_once != Mode::Free {
        process.heap.request_major();
        return atom(known::TRUE);
    }
    let collected = process.collect_parked(&mut worker.blocks, kind).ok()?;
    process.charge((collected.moved_words / 16) as u32);
    if let Some(words) = process.over_max() {
        let policy = *process.heap.policy();
        if policy.max_heap_report {
            (rt.hooks.report)(rt, worker, process, Report::HeapLimit(words));
        }
        if policy.max_heap_kill {
            exit::begin_with_atom(process, known::KILLED);
        }
    }
    atom(known::TRUE)
}

/// Whether the process runs the old code of that module.
fn runs_old(rt: &Runtime, process: &Process, module: Word) -> bool {
    let old = module.as_atom().and_then(|module| rt.code.old(module));
    old.is_some_and(|old| runs(process, &old))
}

/// Whether the process is in that code, or will return to it.
pub fn runs(process: &Process, code: &LoadedModule) -> bool {
    let returns = process.heap.stack().iter().filter(|word| word.is_continuation());
    let mut places =
        returns.map(|word| std::ptr::with_exposed_provenance(word.continuation_address() as usize));
    code.contains(process.pc) || places.any(|place| code.contains(place))
}

fn begin_suspension(cold: &mut Cold, by: Pid) {
    match cold.suspended_by.iter_mut().find(|(pid, _)| *pid == by) {
        Some((_, count)) => *count += 1,
        None => cold.suspended_by.push((by, 1)),
    }
}

/// One suspension by `by` ends.
pub(super) fn end_suspension(cold: &mut Cold, by: Pid) {
    if let Some(place) = cold.suspended_by.iter().position(|(pid, _)| *pid == by) {
        cold.suspended_by[place].1 -= 1;
        if cold.suspended_by[place].1 == 0 {
            cold.suspended_by.remove(place);
        }
    }
}

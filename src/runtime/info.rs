//! `process_info`: answers about a process, given by whoever holds it.

use super::compose;
use super::{Runtime, WorkerCx};
use crate::atom::{Atom, known};
use crate::code::stub;
use crate::heap::{AllocError, Fragment, HeapRef, Policy};
use crate::process::{Priority, Process, QueueData, Target, WaitState};
use crate::term::{Term, View, Word};

/// What `process_info/1` tells.
pub const DEFAULT_ITEMS: &[Atom] = &[
    known::REGISTERED_NAME,
    known::CURRENT_FUNCTION,
    known::INITIAL_CALL,
    known::STATUS,
    known::MESSAGE_QUEUE_LEN,
    known::LINKS,
    known::DICTIONARY,
    known::TRAP_EXIT,
    known::ERROR_HANDLER,
    known::PRIORITY,
    known::GROUP_LEADER,
    known::TOTAL_HEAP_SIZE,
    known::HEAP_SIZE,
    known::STACK_SIZE,
    known::REDUCTIONS,
    known::GARBAGE_COLLECTION,
    known::SUSPENDING,
];

/// What else can be asked for.
const OTHER_ITEMS: &[Atom] = &[
    known::ASYNC_DIST,
    known::BACKTRACE,
    known::BINARY,
    known::CATCHLEVEL,
    known::CURRENT_LOCATION,
    known::CURRENT_STACKTRACE,
    known::FULLSWEEP_AFTER,
    known::GARBAGE_COLLECTION_INFO,
    known::LABEL,
    known::LAST_CALLS,
    known::MAX_HEAP_SIZE,
    known::MEMORY,
    known::MESSAGES,
    known::MESSAGE_QUEUE_DATA,
    known::MIN_BIN_VHEAP_SIZE,
    known::MIN_HEAP_SIZE,
    known::MONITORED_BY,
    known::MONITORS,
    known::PARENT,
    known::SEQUENTIAL_TRACE_TOKEN,
];

/// Whether a term is an item: an atom of the lists above, or `{dictionary, Key}`.
pub fn is_item(item: Term<'_>) -> bool {
    match item.view() {
        View::Atom(atom) => DEFAULT_ITEMS.contains(&atom) || OTHER_ITEMS.contains(&atom),
        View::Tuple(&[kind, _]) => kind.is_atom(known::DICTIONARY),
        _ => false,
    }
}

/// What an answer takes of the slice of the process it is about, and how many words of it cost one reduction more.
const REDUCTIONS_PER_ANSWER: u32 = 8;
const WORDS_PER_REDUCTION: usize = 16;

/// The answer to `process_info(Pid, Items)` about another process, given by that process.
pub(super) fn of_other(
    _: &mut WorkerCx,
    rt: &Runtime,
    process: &mut Process,
    items: &Fragment,
) -> Option<Fragment> {
    let answer = about(rt, process, items.term()).ok()?;
    process.charge(REDUCTIONS_PER_ANSWER + (answer.words() / WORDS_PER_REDUCTION) as u32);
    Some(answer)
}

/// The answer about `process`: for an item `{Item, Value}`, for a list of items a list of such pairs; for `{Items}`, the marked
/// list of `process_info/1`, the same without an empty name.
///
/// # Errors
/// If the answer is too large.
pub fn about(rt: &Runtime, process: &Process, items: Term<'_>) -> Result<Fragment, AllocError> {
    compose::fragment(rt, process.account(), |h| match items.view() {
        View::Tuple(&[list]) => pairs(h, rt, process, list, true),
        View::Nil | View::Cons(_) => pairs(h, rt, process, items, false),
        _ => pair(h, rt, process, items),
    })
}

fn pairs<'h>(
    h: &mut HeapRef<'h>,
    rt: &Runtime,
    process: &Process,
    items: Term<'_>,
    all: bool,
) -> Result<Term<'h>, AllocError> {
    let nameless = all && rt.names.name_of(process.pid).is_none();
    let mut terms = Vec::new();
    for item in items.list().filter(|item| !(nameless && item.is_atom(known::REGISTERED_NAME))) {
        let nameless = item.is_atom(known::REGISTERED_NAME) && rt.names.name_of(process.pid).is_none();
        // In a list, as opposed to alone, even the missing name is a pair.
        let term = if nameless { name_pair(h, Term::NIL)? } else { pair(h, rt, process, item)? };
        terms.push(term);
    }
    h.list(&terms)
}

fn name_pair<'h>(h: &mut HeapRef<'h>, value: Term<'h>) -> Result<Term<'h>, AllocError> {
    h.tuple(&[Term::atom(known::REGISTERED_NAME), value])
}

fn pair<'h>(
    h: &mut HeapRef<'h>,
    rt: &Runtime,
    process: &Process,
    item: Term<'_>,
) -> Result<Term<'h>, AllocError> {
    match item.view() {
        View::Atom(known::REGISTERED_NAME) => match rt.names.name_of(process.pid) {
            Some(name) => name_pair(h, Term::atom(name)),
            None => Ok(Term::NIL),
        },
        View::Atom(atom) => {
            let value = value(h, rt, process, atom)?;
            h.tuple(&[Term::atom(atom), value])
        }
        View::Tuple(&[_, key]) => {
            let found = process
                .dictionary_terms()
                .find(|(known, _)| crate::term::compare::equal_exact(*known, key))
                .map(|(_, value)| h.copy_in(value))
                .transpose()?;
            let item = h.copy_in(item)?;
            h.tuple(&[item, found.unwrap_or(Term::atom(known::UNDEFINED))])
        }
        _ => Ok(Term::NIL),
    }
}

fn value<'h>(
    h: &mut HeapRef<'h>,
    rt: &Runtime,
    process: &Process,
    item: Atom,
) -> Result<Term<'h>, AllocError> {
    let heap = &process.heap;
    let policy = heap.policy();
    match item {
        known::MESSAGE_QUEUE_LEN => count(h, super::native::queued(process)),
        known::HEAP_SIZE => count(h, heap.young_words()),
        known::STACK_SIZE => count(h, heap.stack_words()),
        known::TOTAL_HEAP_SIZE => count(h, heap.total_words() + process.message_words()),
        known::MEMORY => count(h, (heap.total_words() + process.message_words()) * 8 + size_of::<Process>()),
        known::REDUCTIONS => count(h, process.all_reductions() as usize),
        known::CATCHLEVEL => count(h, process.catches as usize),
        known::FULLSWEEP_AFTER => count(h, policy.fullsweep_after as usize),
        known::MIN_HEAP_SIZE => count(h, policy.min_heap_words),
        known::MIN_BIN_VHEAP_SIZE => count(h, policy.min_shared_bytes / 8),
        known::MAX_HEAP_SIZE => max_heap_size(h, policy),
        known::TRAP_EXIT => Ok(Term::boolean(process.trap_exit)),
        known::LAST_CALLS | known::ASYNC_DIST => Ok(Term::boolean(false)),
        known::LABEL => Ok(Term::atom(known::UNDEFINED)),
        known::SEQUENTIAL_TRACE_TOKEN | known::BINARY => Ok(Term::NIL),
        known::STATUS => Ok(Term::atom(status(process))),
        known::PRIORITY => Ok(Term::atom(priority(process.priority))),
        known::MESSAGE_QUEUE_DATA => Ok(Term::atom(match process.queue_data {
            QueueData::OnHeap => known::ON_HEAP,
            QueueData::OffHeap => known::OFF_HEAP,
        })),
        known::ERROR_HANDLER => {
            let handler = process.cold.as_ref().and_then(|cold| cold.error_handler);
            Ok(Term::atom(handler.unwrap_or(known::ERROR_HANDLER)))
        }
        known::GROUP_LEADER => Ok(immediate(process.group_leader)),
        known::PARENT => Ok(immediate(process.parent)),
        known::INITIAL_CALL => {
            let call = process.initial_call;
            mfa(h, call.module, call.function, call.arity)
        }
        known::GARBAGE_COLLECTION => collection(h, process),
        known::GARBAGE_COLLECTION_INFO => blocks(h, process),
        known::MESSAGES => list(h, process.mailbox.iter(), |h, message| h.copy_in(message.term())),
        known::DICTIONARY => list(h, process.dictionary_terms(), |h, (key, value)| {
            let (key, value) = (h.copy_in(key)?, h.copy_in(value)?);
            h.tuple(&[key, value])
        }),
        known::LINKS | known::MONITORS | known::MONITORED_BY => relations(h, process, item),
        known::SUSPENDING => {
            let suspending = process.cold.iter().flat_map(|cold| cold.suspending.iter());
            list(h, suspending, |h, (pid, times)| {
                let times = count(h, *times as usize)?;
                h.tuple(&[Term::pid(*pid), times, Term::small(0).unwrap_or(Term::NIL)])
            })
        }
        _ => places(h, rt, process, item),
    }
}

fn relations<'h>(h: &mut HeapRef<'h>, process: &Process, item: Atom) -> Result<Term<'h>, AllocError> {
    let Some(tables) = &process.relations else { return Ok(Term::NIL) };
    match item {
        known::LINKS => list(h, tables.linked(), |_, peer| Ok(immediate(peer))),
        known::MONITORED_BY => list(h, tables.watchers.values(), |_, watcher| Ok(Term::pid(watcher.pid))),
        _ => list(h, tables.monitors.values(), |h, monitor| match monitor.target {
            Target::Pid(pid) => h.tuple(&[Term::atom(known::PROCESS), Term::pid(pid)]),
            Target::Port(word) => h.tuple(&[Term::atom(known::PORT), immediate(word)]),
            Target::Name(name, _) => {
                let name = h.tuple(&[Term::atom(name), Term::atom(known::NONODE_NOHOST)])?;
                h.tuple(&[Term::atom(known::PROCESS), name])
            }
        }),
    }
}

/// Items that tell where the process is in its code.
fn places<'h>(
    h: &mut HeapRef<'h>,
    rt: &Runtime,
    process: &Process,
    item: Atom,
) -> Result<Term<'h>, AllocError> {
    let returns = process.heap.stack().iter().filter(|word| word.is_continuation());
    let returns = returns.map(|word| std::ptr::with_exposed_provenance(word.continuation_address() as usize));
    match item {
        known::CURRENT_FUNCTION if is_hibernating(process) => mfa(h, known::ERLANG, known::HIBERNATE, 3),
        known::CURRENT_FUNCTION => match location(h, rt, process.pc, false)? {
            Some(function) => Ok(function),
            None => Ok(Term::atom(known::UNDEFINED)),
        },
        known::CURRENT_LOCATION if is_hibernating(process) => hibernation(h),
        known::CURRENT_LOCATION => match location(h, rt, process.pc, true)? {
            Some(function) => Ok(function),
            None => Ok(Term::atom(known::UNDEFINED)),
        },
        known::CURRENT_STACKTRACE => {
            let mut entries = Vec::new();
            let depth = rt.settings.trace_depth();
            // Recursion leaves one return word many times in a row; it is shown once.
            let mut last = std::ptr::null();
            let places = std::iter::once(process.pc)
                .chain(returns)
                .filter(|pc| std::mem::replace(&mut last, *pc) != *pc);
            for pc in places.take(depth) {
                entries.extend(location(h, rt, pc, true)?);
            }
            h.list(&entries)
        }
        _ => {
            let text =
                format!("<0.{}.{}> at {:?}\n", process.pid.serial(), process.pid.index(), process.wait);
            h.binary(text.as_bytes())
        }
    }
}

/// Whether the process waits for the message that it goes on with after `hibernate/3`: it is in no function of a module.
fn is_hibernating(process: &Process) -> bool {
    process.pc == stub::apply_list() && matches!(process.wait, WaitState::Receive(_))
}

/// Where a hibernating process is, as an entry of a stack trace.
fn hibernation<'h>(h: &mut HeapRef<'h>) -> Result<Term<'h>, AllocError> {
    let arity = count(h, 3)?;
    h.tuple(&[Term::atom(known::ERLANG), Term::atom(known::HIBERNATE), arity, Term::NIL])
}

/// `{M, F, A}` of a code position, or `{M, F, A, [{file, F}, {line, L}]}`.
fn location<'h>(
    h: &mut HeapRef<'h>,
    rt: &Runtime,
    pc: *const u64,
    with_place: bool,
) -> Result<Option<Term<'h>>, AllocError> {
    let Some(module) = rt.code.module_at(pc) else { return Ok(None) };
    let Some(function) = module.function_at(pc) else { return Ok(None) };
    if !with_place {
        return mfa(h, module.name, function.name, function.arity).map(Some);
    }
    let place = match module.place_near(pc) {
        None => Term::NIL,
        Some(place) => {
            let file = list(h, place.file.chars(), |h, character| h.int(i64::from(u32::from(character))))?;
            let file = h.tuple(&[Term::atom(known::FILE), file])?;
            let line = h.int(i64::from(place.line))?;
            let line = h.tuple(&[Term::atom(known::LINE), line])?;
            h.list(&[file, line])?
        }
    };
    let arity = count(h, usize::from(function.arity))?;
    h.tuple(&[Term::atom(module.name), Term::atom(function.name), arity, place]).map(Some)
}

fn mfa<'h>(h: &mut HeapRef<'h>, module: Atom, function: Atom, arity: u8) -> Result<Term<'h>, AllocError> {
    let arity = count(h, usize::from(arity))?;
    h.tuple(&[Term::atom(module), Term::atom(function), arity])
}

fn collection<'h>(h: &mut HeapRef<'h>, process: &Process) -> Result<Term<'h>, AllocError> {
    let policy = *process.heap.policy();
    let max = max_heap_size(h, &policy)?;
    let mut entries = vec![h.tuple(&[Term::atom(known::MAX_HEAP_SIZE), max])?];
    let numbers = [
        (known::MIN_BIN_VHEAP_SIZE, policy.min_shared_bytes / 8),
        (known::MIN_HEAP_SIZE, policy.min_heap_words),
        (known::FULLSWEEP_AFTER, policy.fullsweep_after as usize),
        (known::MINOR_GCS, process.heap.statistics().minor_since_major as usize),
    ];
    for (name, number) in numbers {
        let number = count(h, number)?;
        entries.push(h.tuple(&[Term::atom(name), number])?);
    }
    h.list(&entries)
}

/// The sizes of what a process's heap consists of, and what of it is used, in words.
fn blocks<'h>(h: &mut HeapRef<'h>, process: &Process) -> Result<Term<'h>, AllocError> {
    let heap = &process.heap;
    let young_used = heap.young_used_words();
    let shared = process.heap.policy().min_shared_bytes / 8;
    let numbers = [
        (known::OLD_HEAP_BLOCK_SIZE, heap.old_words()),
        (known::HEAP_BLOCK_SIZE, heap.young_words()),
        (known::MBUF_SIZE, heap.fragment_words() + process.message_words()),
        (known::RECENT_SIZE, heap.mature_words()),
        (known::STACK_SIZE, heap.stack_words()),
        (known::OLD_HEAP_SIZE, heap.used_words() - heap.fragment_words() - young_used),
        (known::HEAP_SIZE, young_used),
        (known::BIN_VHEAP_SIZE, heap.shared_bytes() / 8),
        (known::BIN_VHEAP_BLOCK_SIZE, shared),
        (known::BIN_OLD_VHEAP_SIZE, 0),
        (known::BIN_OLD_VHEAP_BLOCK_SIZE, shared),
    ];
    list(h, numbers.into_iter(), |h, (name, number)| {
        let number = count(h, number)?;
        h.tuple(&[Term::atom(name), number])
    })
}

/// The map that `max_heap_size` shows.
///
/// # Errors
/// If there is no memory.
pub fn max_heap_size<'h>(h: &mut HeapRef<'h>, policy: &Policy) -> Result<Term<'h>, AllocError> {
    let size = count(h, policy.max_heap_words)?;
    h.map(&[
        (Term::atom(known::ERROR_LOGGER), Term::boolean(policy.max_heap_report)),
        (Term::atom(known::INCLUDE_SHARED_BINARIES), Term::boolean(policy.max_heap_include_shared)),
        (Term::atom(known::KILL), Term::boolean(policy.max_heap_kill)),
        (Term::atom(known::SIZE), size),
    ])
}

fn status(process: &Process) -> Atom {
    match process.wait {
        _ if process.is_exiting => known::EXITING,
        _ if process.suspensions() > 0 => known::SUSPENDED,
        WaitState::Running => known::RUNNING,
        _ => known::WAITING,
    }
}

const fn priority(priority: Priority) -> Atom {
    match priority {
        Priority::Max => known::MAX,
        Priority::High => known::HIGH,
        Priority::Normal => known::NORMAL,
        Priority::Low => known::LOW,
    }
}

fn immediate<'h>(word: Word) -> Term<'h> {
    Term::immediate(word).unwrap_or(Term::NIL)
}

fn count<'h>(h: &mut HeapRef<'h>, number: usize) -> Result<Term<'h>, AllocError> {
    h.uint(number as u64)
}

fn list<'h, T>(
    h: &mut HeapRef<'h>,
    items: impl Iterator<Item = T>,
    mut make: impl FnMut(&mut HeapRef<'h>, T) -> Result<Term<'h>, AllocError>,
) -> Result<Term<'h>, AllocError> {
    let terms = items.map(|item| make(h, item)).collect::<Result<Vec<_>, _>>()?;
    h.list(&terms)
}

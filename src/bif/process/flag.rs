//! Process flags and group leaders.

use crate::atom::{Atom, known};
use crate::bif::{BifResult, Cx, Stop};
use crate::heap::Policy;
use crate::process::{Priority, QueueData, Signal, SignalKind};
use crate::term::{Term, Word};

/// The atom of a priority.
pub(crate) const fn priority_atom(priority: Priority) -> Atom {
    match priority {
        Priority::Max => known::MAX,
        Priority::High => known::HIGH,
        Priority::Normal => known::NORMAL,
        Priority::Low => known::LOW,
    }
}

/// The atom of a place for messages.
pub(crate) const fn queue_data_atom(place: QueueData) -> Atom {
    match place {
        QueueData::OnHeap => known::ON_HEAP,
        QueueData::OffHeap => known::OFF_HEAP,
    }
}

/// `process_flag(Flag, Value) -> OldValue`.
///
/// # Errors
/// `badarg` for other flags and values.
pub fn process_flag<'h>(cx: &mut Cx<'h>, [flag, value]: [Term<'h>; 2]) -> BifResult<'h> {
    let boolean = || value.as_boolean().ok_or_else(Stop::badarg);
    let flag = flag.as_atom().ok_or_else(|| Stop::badarg_because(known::BADOPT))?;
    match flag {
        known::TRAP_EXIT => {
            let old = std::mem::replace(&mut cx.process_mut().trap_exit, boolean()?);
            Ok(Term::boolean(old))
        }
        known::PRIORITY => {
            let new = super::spawn::priority(cx, value)?;
            let old = std::mem::replace(&mut cx.process_mut().priority, new);
            Ok(Term::atom(priority_atom(old)))
        }
        known::MESSAGE_QUEUE_DATA => {
            let new = super::spawn::queue_data(value)?;
            let old = std::mem::replace(&mut cx.process_mut().queue_data, new);
            Ok(Term::atom(queue_data_atom(old)))
        }
        known::SENSITIVE => {
            let old = std::mem::replace(&mut cx.process_mut().sensitive, boolean()?);
            Ok(Term::boolean(old))
        }
        known::SAVE_CALLS => match value.as_small() {
            // Calls are not saved: the old number is always 0.
            Some(0..=10_000) => Ok(Term::NIL).and(Ok(zero())),
            _ => Err(Stop::badarg()),
        },
        known::ERROR_HANDLER => {
            let new = value.as_atom().ok_or_else(Stop::badarg)?;
            let old = cx.process_mut().cold().error_handler.replace(new);
            Ok(Term::atom(old.unwrap_or(known::ERROR_HANDLER)))
        }
        known::FULLSWEEP_AFTER | known::MIN_HEAP_SIZE | known::MIN_BIN_VHEAP_SIZE | known::MAX_HEAP_SIZE => {
            heap_flag(cx, flag, value)
        }
        known::SCHEDULER => {
            let new = super::spawn::scheduler(cx, value)?;
            let old = std::mem::replace(&mut cx.process_mut().cold().scheduler, new);
            Ok(cx.int(i64::from(old))?)
        }
        _ => Err(Stop::badarg_because(known::BADOPT)),
    }
}

fn zero<'h>() -> Term<'h> {
    Term::small(0).expect("zero is small")
}

fn heap_flag<'h>(cx: &mut Cx<'h>, flag: Atom, value: Term<'h>) -> BifResult<'h> {
    let mut policy = *cx.process().heap.policy();
    let old = policy;
    super::spawn::heap_option(cx, &mut policy, flag, value)?;
    let (_, _, process) = cx.parts();
    process.heap.set_policy(policy);
    heap_value(cx, &old, flag)
}

/// What a flag about the heap is in a policy.
pub(in crate::bif) fn heap_value<'h>(cx: &mut Cx<'h>, old: &Policy, flag: Atom) -> BifResult<'h> {
    match flag {
        known::MIN_HEAP_SIZE => Ok(cx.int(old.min_heap_words as i64)?),
        known::MIN_BIN_VHEAP_SIZE => Ok(cx.int((old.min_shared_bytes / 8) as i64)?),
        known::FULLSWEEP_AFTER => Ok(cx.int(i64::from(old.fullsweep_after))?),
        _ => crate::runtime::info::max_heap_size(cx, old),
    }
    .map_err(|error: crate::heap::AllocError| error.into())
}

/// `process_flag(Pid, save_calls, Number) -> OldNumber`.
///
/// # Errors
/// `badarg` for other flags and values, or a dead process.
pub fn process_flag_of<'h>(cx: &mut Cx<'h>, [pid, flag, value]: [Term<'h>; 3]) -> BifResult<'h> {
    let pid = pid.as_pid().ok_or_else(|| Stop::badarg_because(known::BADTYPE))?;
    if !flag.is_atom(known::SAVE_CALLS) || !cx.rt.slots.is_alive(pid) {
        return Err(Stop::badarg_because(known::BADTYPE));
    }
    process_flag(cx, [flag, value])
}

/// `group_leader() -> pid()`.
pub fn group_leader<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    Ok(Term::immediate(cx.process().group_leader).unwrap_or(Term::NIL))
}

/// `group_leader(GroupLeader, Pid) -> true`.
///
/// # Errors
/// `badarg` if either is no pid or the process is dead.
pub fn set_group_leader<'h>(cx: &mut Cx<'h>, [leader, pid]: [Term<'h>; 2]) -> BifResult<'h> {
    let pid = super::pid(pid)?;
    super::pid(leader)?;
    if pid == cx.self_pid() {
        cx.process_mut().group_leader = leader.word();
        return super::yes();
    }
    if !cx.rt.slots.is_alive(pid) {
        return Err(Stop::badarg());
    }
    let content = crate::heap::Fragment::immediate(leader.word())?;
    let me = Word::pid(cx.self_pid());
    let (rt, worker, process) = cx.parts();
    let signal = Signal::new(SignalKind::GroupLeader, pid, content).with(me, 0);
    // Who asks for the leader next would wait behind the process's turn for this.
    rt.deliver_question(worker, process, signal);
    super::yes()
}

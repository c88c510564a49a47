//! One slice of one process: signals first, then its code, then what the end of the slice asks for.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use crate::atom::known;
use crate::code::stub;
use crate::heap::work::{self, Mode, Poll};
use crate::heap::{Fragment, Kind};
use crate::limits::Quota;
use crate::process::{ExitReason, Handle, Parked, Process, SliceEnd, WaitState};
use crate::runtime::compose;
use crate::runtime::limits::{self, Watch};
use crate::runtime::pool::JobKind;
use crate::runtime::signals::{self, Handled};
use crate::runtime::{Report, Runtime, WorkerCx, exit, native, purge, timers};
use crate::term::{Term, View, Word};

/// What a process is fit for when its signals have been handled.
enum Fitness {
    /// To run.
    Runnable,
    /// To go back to a queue: it has had its share in signals alone.
    Busy,
    /// To be parked.
    Waiting,
    /// To die.
    Exiting,
}

/// Runs a picked process for at most `budget` reductions and leaves it queued, parked or dead.
pub(super) fn run(worker: &mut WorkerCx, rt: &Runtime, mut handle: Handle, budget: i32) {
    handle.prefetch();
    handle.heap.prefetch();
    let budget = if handle.heap.is_limited() { within_limits(&handle, budget) } else { budget };
    (handle.reductions, handle.budget) = (budget, budget);
    go_on(worker, rt, handle, budget, None);
}

/// A slice that does not pass the limit of reductions by more than one, which shows that it has been reached.
#[cold]
fn within_limits(process: &Process, budget: i32) -> i32 {
    let left = process.account().left(Quota::Reductions).saturating_add(1);
    i32::try_from(left).unwrap_or(i32::MAX).min(budget)
}

/// Reductions of a slice on the pool: enough for the instruction it is about, be it a call, and the process goes back.
const BULK_SLICE: i32 = 1;

/// Hands a process to the pool, for the instruction it stands at, or for a collection between two slices.
fn submit(rt: &Runtime, mut handle: Handle, collects: bool) {
    let machine = rt.weak();
    let job = move || {
        let Some(rt) = machine.upgrade() else { return };
        let _ticket = rt.quiescence.enter();
        let mut worker = rt.on_pool();
        if collects {
            // Without memory for it the heap stays as it is, and the next collection tells the process.
            let _ = handle.collect_parked(&mut worker.blocks, Kind::Major);
            purge::leave_at_last(&mut worker, &rt, &mut handle);
            worker.enqueue(&rt, handle);
            return worker.retire(&rt);
        }
        let poll = watched(&rt, &handle);
        handle.heap.set_poll(Some(poll));
        handle.reductions = BULK_SLICE;
        // At once, without a look at the signals: the process stands in the middle of an instruction.
        let end = execute(&mut worker, &rt, &mut handle, BULK_SLICE);
        handle.heap.set_poll(None);
        go_on(&mut worker, &rt, handle, BULK_SLICE, Some(end));
        worker.retire(&rt);
    };
    rt.pool.submit(JobKind::Bulk, Box::new(job));
}

/// What long work of the process asks now and then.
fn watched(rt: &Arc<Runtime>, process: &Process) -> Poll {
    let (watch, asked) = (Watch::new(process), Arc::clone(rt));
    Poll::new(Box::new(move || watch.ask(&asked)))
}

/// Hands a process to the pool that wants it, unless it has just passed a limit.
fn hand_over(worker: &mut WorkerCx, rt: &Runtime, handle: Handle) {
    if handle.is_exiting { worker.enqueue(rt, handle) } else { submit(rt, handle, false) }
}

/// Goes on with a process that is held: after `ended`, or from the look at its signals on.
fn go_on(worker: &mut WorkerCx, rt: &Runtime, mut handle: Handle, budget: i32, mut ended: Option<SliceEnd>) {
    // What is left to count of the slice when a clipped part of it was given back.
    let mut total = budget;
    loop {
        let end = match ended.take() {
            Some(end) => end,
            // The pool runs the one instruction and no more: what comes next, be it to park or to die, is a worker's.
            None if worker.is_outside() => {
                settle(worker, rt, &mut handle, total);
                return worker.enqueue(rt, handle);
            }
            None => {
                let fitness = fitness(worker, rt, &mut handle);
                if handle.heap.take_major_due() && !handle.is_exiting {
                    settle(worker, rt, &mut handle, total);
                    return submit(rt, handle, true);
                }
                match fitness {
                    Fitness::Runnable => {}
                    Fitness::Exiting => return die(worker, rt, handle, total),
                    Fitness::Busy => {
                        settle(worker, rt, &mut handle, total);
                        return worker.enqueue(rt, handle);
                    }
                    Fitness::Waiting => match park(worker, rt, handle, total) {
                        None => return,
                        Some((held, left)) => {
                            handle = held;
                            total = left;
                            continue;
                        }
                    },
                }
                handle.wait = WaitState::Running;
                execute(worker, rt, &mut handle, total)
            }
        };
        match end {
            SliceEnd::Bulk => {
                // Whoever it has just woken runs on; the clipped part of its slice is given up.
                worker.unclip(rt);
                settle(worker, rt, &mut handle, total);
                return hand_over(worker, rt, handle);
            }
            SliceEnd::Yield
                if handle.reductions <= 0 && !handle.is_exiting && worker.may_change_places(rt) =>
            {
                handle.wait = WaitState::Running;
                settle(worker, rt, &mut handle, total);
                return worker.change_places(handle);
            }
            SliceEnd::Yield => {
                let rest = worker.unclip(rt);
                if rest > 0 && handle.reductions <= 0 && !handle.is_exiting {
                    handle.reductions += rest;
                    continue;
                }
                handle.wait = WaitState::Running;
                if handle.is_exiting {
                    continue;
                }
                settle(worker, rt, &mut handle, total);
                return worker.enqueue_later(rt, handle);
            }
            SliceEnd::Wait if handle.is_native() => handle.wait = WaitState::Signal,
            SliceEnd::Wait => {
                handle.wait = WaitState::Receive(0);
                // It has just seen that there is no message and time is left, and its signals are handled.
                if handle.incoming.is_empty() && !worker.is_outside() && !handle.heap.is_major_due() {
                    match park(worker, rt, handle, total) {
                        None => return,
                        Some((held, left)) => (handle, total) = (held, left),
                    }
                }
            }
            SliceEnd::Blocked => hibernate(worker, &mut handle),
            SliceEnd::Exit(reason) => {
                if reason.report {
                    (rt.hooks.report)(rt, worker, &mut handle, Report::Uncaught(&reason.reason));
                }
                exit::begin(&mut handle, reason.reason);
            }
            SliceEnd::Halt(status) => {
                rt.halt(status);
                // The process stays as it is and never runs again; teardown frees it.
                handle.wait = WaitState::Reply(u64::MAX);
            }
        }
    }
}

/// Runs the process's own code. A panic there is a fault of the machine's, but not the end of it: the process dies of it.
fn execute(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, total: i32) -> SliceEnd {
    process.budget = total.saturating_sub(worker.clipped());
    // Without a pool long work is done in place, and only there can it see that time is up.
    let in_place = worker.work_at_once == Mode::Free && !worker.is_outside() && process.heap.is_limited();
    if in_place && let Some(rt) = rt.weak().upgrade() {
        let poll = watched(&rt, process);
        process.heap.set_poll(Some(poll));
    }
    let end = guarded(worker, rt, process);
    if in_place {
        process.heap.set_poll(None);
    }
    end
}

fn guarded(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) -> SliceEnd {
    let run = AssertUnwindSafe(|| {
        if process.is_native() {
            native::step(worker, rt, process)
        } else {
            (rt.hooks.run)(worker, process, rt)
        }
    });
    match std::panic::catch_unwind(run) {
        Ok(end) => end,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text =
                text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a fault of the machine");
            SliceEnd::Exit(ExitReason { reason: internal_error(rt, text), report: true })
        }
    }
}

/// `{internal_error, Text}`.
fn internal_error(rt: &Runtime, text: &str) -> Fragment {
    let made = compose::fragment(rt, &rt.account, |h| {
        let text = h.binary(text.as_bytes())?;
        h.tuple(&[Term::atom(known::INTERNAL_ERROR), text])
    });
    made.or_else(|_| Fragment::immediate(Word::atom(known::INTERNAL_ERROR)))
        .expect("a process that panicked has left memory for a few words")
}

/// If the process has called `hibernate/3`: forgets its stack and shrinks its heap.
fn hibernate(worker: &mut WorkerCx, process: &mut Process) {
    let Some(call) = process.cold.as_mut().and_then(|cold| cold.hibernating.take()) else { return };
    let (module, function, args) = match call.term().view() {
        View::Tuple(&[module, function, args]) => (module.word(), function.word(), args.word()),
        _ => return,
    };
    process.heap.adopt(call);
    process.heap.sp = process.heap.end();
    process.catches = 0;
    process.mailbox.reset();
    timers::end_receive(process);
    process.save_x(&[module, function, args], 3);
    process.pc = stub::apply_list();
    process.wait = WaitState::Receive(0);
    // Without memory for a smaller heap the larger one stays.
    if let Ok(collected) = process.collect_parked(&mut worker.blocks, Kind::Hibernate) {
        process.charge((collected.moved_words / 16) as u32);
    }
}

fn fitness(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) -> Fitness {
    let handled = signals::handle_all(worker, rt, process);
    if process.is_exiting {
        return Fitness::Exiting;
    }
    if process.suspensions() > 0 {
        return if handled == Handled::More { Fitness::Busy } else { Fitness::Waiting };
    }
    match process.wait {
        WaitState::Running => Fitness::Runnable,
        WaitState::Receive(_) if process.mailbox.has_next() || timers::is_timed_out(rt, process) => {
            Fitness::Runnable
        }
        WaitState::Signal if !process.mailbox.is_empty() => Fitness::Runnable,
        _ if handled == Handled::More => Fitness::Busy,
        _ => Fitness::Waiting,
    }
}

/// Parks; gives the process back, and the reductions it has left, if signals came first.
fn park(worker: &mut WorkerCx, rt: &Runtime, mut handle: Handle, total: i32) -> Option<(Handle, i32)> {
    // Everything that touches the process comes before the park: afterwards it may run elsewhere, or be gone.
    timers::arm_receive(worker, rt, &mut handle);
    handle.heap.note_wait();
    settle(worker, rt, &mut handle, total);
    let left = handle.reductions.max(0) + worker.take_clipped();
    if handle.is_exiting {
        // It has passed a limit.
        return Some((handle, left));
    }
    match rt.slots.park(handle) {
        Parked::Gone => {
            worker.leave(left);
            None
        }
        Parked::Signals(mut handle) => {
            handle.reductions = left;
            Some((handle, left))
        }
    }
}

fn die(worker: &mut WorkerCx, rt: &Runtime, mut handle: Handle, total: i32) {
    settle(worker, rt, &mut handle, total);
    let left = handle.reductions.max(0) + worker.take_clipped();
    match exit::step(worker, rt, handle) {
        // The first it has told of its death runs next, with what it leaves.
        exit::Step::Gone => {
            worker.take_clipped();
            worker.leave(left);
        }
        exit::Step::More(handle) => {
            worker.unclip(rt);
            worker.enqueue_later(rt, handle);
        }
    }
}

/// Counts what the process has used of its slice.
fn settle(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, total: i32) {
    let done = work::reductions(process.heap.take_work());
    process.charge(done);
    // Every switch costs at least one reduction, or two processes could pass one slice between them for ever.
    let used = total.saturating_sub(process.reductions).saturating_sub(worker.clipped()).max(1) as u64;
    process.reductions_done += used;
    process.budget = process.reductions;
    worker.count_reductions(rt, process.pid, used);
    if process.heap.is_limited() || process.mailbox.is_unsettled() {
        limits::settle(worker, rt, process, used);
    }
}

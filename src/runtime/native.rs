//! Native bodies: Rust state machines that live in slots like processes.
//!
//! Links, monitors, exits, names and `process_info` work on them through the same signals. A body is stepped whenever a
//! signal has come; its messages are in its mailbox, and it traps exits.

use super::{Runtime, WorkerCx};
use crate::process::{Process, SliceEnd};

/// A native body.
pub trait Native: Send {
    /// Runs one step: takes messages from the mailbox, sends what it has to. `SliceEnd::Wait` if it has nothing more to do
    /// until the next signal, `Yield` to be stepped again.
    fn step(&mut self, worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) -> SliceEnd;

    /// Messages that it has taken and nobody has received yet: they count as its mailbox's.
    fn queued(&self) -> usize {
        0
    }
}

/// How a body is kept in a process, whose floor does not know the trait.
pub(super) struct NativeBody(pub Box<dyn Native>);

/// Messages that the process has and has not received, those that its native body keeps among them.
pub fn queued(process: &Process) -> usize {
    let body = process.cold.as_ref().and_then(|cold| cold.native.as_ref()?.downcast_ref::<NativeBody>());
    process.mailbox.len() + body.map_or(0, |body| body.0.queued())
}

/// Steps the native body of a process.
pub fn step(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) -> SliceEnd {
    let Some(mut any) = process.cold().native.take() else { return SliceEnd::Wait };
    let end = match any.downcast_mut::<NativeBody>() {
        Some(body) => body.0.step(worker, rt, process),
        None => SliceEnd::Wait,
    };
    process.cold().native = Some(any);
    end
}

//! Machines without threads of their own: their owner gives them time.

use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use super::Vm;
use crate::error::Error;
use crate::sched::{Idleness, on_worker};

/// What a machine that is driven by its owner has left to do.
///
/// ```
/// # fn main() -> Result<(), erlet::Error> {
/// use erlet::{Progress, Vm};
/// let vm = Vm::builder().threads(0).build()?;
/// assert_eq!(vm.run_until_idle()?, Progress::Idle);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// More can run at once: the slices allowed were used up.
    Runnable,
    /// Nothing can run before this time has passed, unless something comes from outside.
    Timer(Duration),
    /// Nothing will run unless something comes from outside.
    Idle,
    /// The program has called `halt` with this status.
    Halted(i32),
    /// The machine was stopped.
    Stopped,
}

/// Slices that `run_until_idle` runs before it lets others have the machine.
const DRIVE_AT_ONCE: usize = 1000;

/// Slices that a future runs when it is polled: about as long as a task may hold its executor.
const SLICES_OF_A_POLL: usize = 4;

impl Vm {
    /// Runs everything that can run now, until nothing can: for a machine with `threads(0)` or a seed.
    ///
    /// A process that never waits keeps this from returning; [`Vm::poll`] is bounded.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use erlet::{Progress, Vm};
    /// let vm = Vm::builder().threads(0).build()?;
    /// vm.spawn("timer", "sleep", (60_000,))?;
    /// assert!(matches!(vm.run_until_idle()?, Progress::Timer(_)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Setting`] if the machine has threads of its own; [`Error::WouldBlockScheduler`] on a thread that runs processes.
    pub fn run_until_idle(&self) -> Result<Progress, Error> {
        loop {
            match self.poll(DRIVE_AT_ONCE)? {
                Progress::Runnable => {}
                progress => return Ok(progress),
            }
        }
    }

    /// Runs what can run now, for at most so many slices of a process each (a slice is up to 4,000 reductions, some tens of
    /// microseconds), and says what is left to do.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).build()?;
    /// // Once in each frame of a game:
    /// let progress = vm.poll(100)?;
    /// # let _ = progress;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Vm::run_until_idle`].
    pub fn poll(&self, slices: usize) -> Result<Progress, Error> {
        let Some(driven) = &self.machine().driven else {
            return Err(Error::Setting("this machine has threads of its own"));
        };
        if on_worker() {
            return Err(Error::WouldBlockScheduler);
        }
        let mut driver = driven.lock();
        let progress = match driver.run_until_idle(slices) {
            Idleness::Halted(status) => return Ok(Progress::Halted(status)),
            Idleness::Budget => return Ok(Progress::Runnable),
            Idleness::Quiet if self.rt().is_stopping() => return Ok(Progress::Stopped),
            Idleness::Quiet => Progress::Idle,
            Idleness::Until(nanoseconds) => Progress::Timer(Duration::from_nanos(nanoseconds)),
        };
        if driven.bell.has_hook() && !driver.arm() {
            return Ok(Progress::Runnable);
        }
        Ok(progress)
    }

    /// Sets what is called when a machine that is driven by its owner has become idle and something comes from outside that can run: a
    /// message, the result of a host function, an exit. It is called once for each time [`Vm::poll`] has found nothing to run,
    /// on the thread where it happens, and must not block: as a rule it makes the owner's loop come round.
    ///
    /// Timers do not call it; [`Progress::Timer`] says when to poll next. It must not hold a [`Vm`], only a
    /// [`WeakVm`](crate::WeakVm).
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).build()?;
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// vm.set_waker(move || drop(sender.send(())))?;
    /// vm.run_until_idle()?;
    /// vm.send(vm.whereis("user").unwrap(), 1)?;
    /// receiver.recv().unwrap();
    /// vm.run_until_idle()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Setting`] if the machine has threads of its own.
    pub fn set_waker(&self, waker: impl Fn() + Send + Sync + 'static) -> Result<(), Error> {
        let Some(driven) = &self.machine().driven else {
            return Err(Error::Setting("this machine has threads of its own"));
        };
        driven.bell.set_hook(Some(Arc::new(waker)));
        Ok(())
    }

    /// If the machine has no threads: runs a little of what can run, until `done`, and sees to it that the task that waits is
    /// polled again when there is more.
    pub(super) fn drive_a_little(&self, waker: &Waker, done: impl Fn() -> bool) {
        let Some(driven) = &self.machine().driven else { return };
        if on_worker() {
            return;
        }
        let mut driver = driven.lock();
        let idleness = driver.run_until(SLICES_OF_A_POLL, &done);
        if done() {
            return;
        }
        driven.bell.listen(waker);
        let rests = matches!(idleness, Idleness::Quiet | Idleness::Until(_)) && driver.arm();
        drop(driver);
        if !rests {
            waker.wake_by_ref();
        }
    }
}

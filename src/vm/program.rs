//! Running a whole program: a first process, and the machine until it ends.

use std::sync::mpsc::{Receiver, Sender, channel};

use super::machine::Driven;
use super::options::ProcessOptions;
use super::{Vm, report};
use crate::atom::known;
use crate::error::Error;
use crate::process::{Process, SliceEnd};
use crate::runtime::{Native, Runtime, WorkerCx};
use crate::sched::{Idleness, on_worker};
use crate::term::{Term, View};
use crate::value::{IntoArgs, TermMaker};

/// How a program ended.
///
/// ```
/// # fn main() -> Result<(), erlet::Error> {
/// use erlet::{Outcome, Vm};
/// let vm = Vm::builder().threads(0).build()?;
/// assert_eq!(vm.run("timer", "sleep", (1,))?, Outcome::Finished);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// Its first process ended normally.
    Finished,
    /// Its first process exited with `{erlet_answer, Binary}`: these bytes.
    Answered(Vec<u8>),
    /// Its first process ended with another reason.
    Failed {
        /// The reason, as `~p` shows it on one line.
        reason: String,
        /// Whether it was reported on standard error, as uncaught errors and throws are.
        reported: bool,
    },
    /// It called `halt` with this status.
    Halted(i32),
    /// Nothing can happen any more, and the program has not ended: all processes wait for each other.
    Stuck,
    /// The machine was stopped from outside.
    Stopped,
}

/// Slices a driver runs before it looks whether the program has ended.
const DRIVE_AT_ONCE: usize = 1000;

impl Vm {
    /// Runs `module:function(args...)` as the program, until its process ends or it halts the machine; then everything it has put
    /// out is written.
    ///
    /// It is how a command runs a script: an uncaught error is reported on standard error, and what the function returns is
    /// not looked at. To get what a function returns, use [`Vm::call`].
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use erlet::{Outcome, Vm};
    /// let vm = Vm::builder().threads(0).build()?;
    /// assert_eq!(vm.run("timer", "sleep", (1,))?, Outcome::Finished);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::WouldBlockScheduler`] on a thread that runs processes, and those of [`Vm::spawn`].
    pub fn run(&self, module: &str, function: &str, args: impl IntoArgs) -> Result<Outcome, Error> {
        if on_worker() {
            return Err(Error::WouldBlockScheduler);
        }
        let rt = self.rt();
        let (sender, receiver) = channel();
        let listener = sender.clone();
        rt.on_halt(Box::new(move |status| {
            // Nobody listens any more if the program has ended meanwhile.
            let _ = listener.send(status.map_or(Outcome::Stopped, Outcome::Halted));
        }));
        let names = self.names(module, function)?;
        let mut options = ProcessOptions::default().for_spawn(rt)?;
        let mut worker = rt.lend();
        let program = worker.make_unique();
        rt.reports.program(program);
        let watcher = Watcher { sender, program, outcome: None, told: false };
        let watcher =
            rt.spawn_body(&mut worker, Box::new(watcher), |body| body.cold().is_protected = true)?;
        options.watcher = Some((watcher, program));
        rt.spawn_made(&mut worker, names, None, &options, |h, rt| {
            TermMaker::with(h, rt, |maker| args.into_args(maker))
        })?;
        drop(worker);
        let outcome = match &self.machine().driven {
            Some(driven) => self.drive_to_end(driven, &receiver),
            None => receiver.recv().unwrap_or(Outcome::Stopped),
        };
        self.flush();
        Ok(outcome)
    }

    fn drive_to_end(&self, driven: &Driven, ended: &Receiver<Outcome>) -> Outcome {
        loop {
            let idleness = driven.lock().run_until_idle(DRIVE_AT_ONCE);
            if let Idleness::Halted(status) = idleness {
                return Outcome::Halted(status);
            }
            if let Ok(outcome) = ended.try_recv() {
                return outcome;
            }
            let limit = match idleness {
                Idleness::Budget | Idleness::Halted(_) => continue,
                Idleness::Quiet if self.rt().is_stopping() => return Outcome::Stopped,
                Idleness::Quiet if self.rt().expects_from_outside() => None,
                Idleness::Quiet => return Outcome::Stuck,
                Idleness::Until(nanoseconds) => Some(std::time::Duration::from_nanos(nanoseconds)),
            };
            self.wait_for_the_bell(driven, &super::wait::thread_waker(), limit);
        }
    }
}

/// Tells the embedder how the program's first process ended, once all reports from before are written.
struct Watcher {
    sender: Sender<Outcome>,
    /// The reference it watches the program with.
    program: u64,
    /// How the program ended, while reports are on their way.
    outcome: Option<Outcome>,
    told: bool,
}

impl Native for Watcher {
    fn step(&mut self, worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) -> SliceEnd {
        while let Some(message) = process.mailbox.remove() {
            match message.term().view() {
                View::Tuple(&[_, _, _, _, reason]) if self.outcome.is_none() => {
                    let reported = rt.reports.program_ended(self.program);
                    self.outcome = Some(match (reason.as_atom(), answer(reason)) {
                        (Some(known::NORMAL), _) => Outcome::Finished,
                        (_, Some(bytes)) => Outcome::Answered(bytes),
                        _ => Outcome::Failed { reason: report::text(rt, reason), reported },
                    });
                    if !report::ask_for_silence(rt, worker, process) {
                        self.tell();
                    }
                }
                // The reports are written, or the logger has died.
                _ => self.tell(),
            }
        }
        if self.told { super::process::done() } else { SliceEnd::Wait }
    }
}

/// The bytes of a reason `{erlet_answer, Binary}`.
fn answer(reason: Term<'_>) -> Option<Vec<u8>> {
    match *reason.as_tuple()? {
        [tag, bytes] if tag.is_atom(known::ERLET_ANSWER) => {
            bytes.as_bits()?.to_bytes().map(std::borrow::Cow::into_owned)
        }
        _ => None,
    }
}

impl Watcher {
    fn tell(&mut self) {
        if let Some(outcome) = self.outcome.take() {
            // Nobody listens any more if the program has halted meanwhile.
            let _ = self.sender.send(outcome);
            self.told = true;
        }
    }
}

//! The embedder's view: build a machine, load code, run it, stop it.
//!
//! A [`Vm`] is built by a [`Builder`]. With workers of its own it runs by itself; with a seed, or without workers, it runs
//! only while its owner drives it ([`Vm::drive`], [`Vm::run`]). Dropping a `Vm` stops it: workers leave within a slice, and
//! whoever leaves last frees everything, so a machine may be dropped anywhere, also on one of its own workers.

mod builder;
mod report;

pub use crate::error::Error;
pub use crate::host::Host;
pub use crate::value::Value;
pub use builder::{Builder, Stress};

pub use crate::runtime::statistics::Statistics;

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use crate::atom::{Atom, known};
use crate::code::{self, LoadError, Mfa};
use crate::heap::Fragment;
use crate::process::{Process, SliceEnd};
use crate::runtime::{Native, Runtime, SpawnOptions, Start, WorkerCx};
use crate::sched::{Driver, Idleness};
use crate::term::{Pid, Term, View};
use crate::value::{self, IntoArgs};
use erlet_lang::verify::Verified;

/// A virtual machine.
pub struct Vm {
    rt: Arc<Runtime>,
    /// Modes without threads: who drives.
    driver: Option<Mutex<Driver>>,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// Its first process ended normally.
    Finished,
    /// Its first process exited with `{erlet_answer, Binary}`: these bytes.
    Answered(Vec<u8>),
    /// Its first process ended with this reason, as `~p` shows it on one line; an uncaught error or throw was `reported` on
    /// standard error already.
    Failed { reason: String, reported: bool },
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
    /// A builder with the defaults: one worker for each usable core.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Loads a verified module.
    ///
    /// # Errors
    /// If the machine has no room for its atoms or literals.
    pub fn load(&self, module: &Verified) -> Result<(), Error> {
        let loaded = code::load(&self.rt.code, &self.rt.atoms, module)?;
        self.rt.code.set_origin(loaded.name, module.module().files.first().cloned());
        Ok(())
    }

    /// Verifies and loads a compiled module.
    ///
    /// # Errors
    /// If the verifier refuses it, or the machine has no room for its atoms or literals.
    pub fn load_module(&self, module: erlet_lang::bytecode::Module) -> Result<(), Error> {
        let verified = erlet_lang::verify::verify(module)
            .map_err(|error| Error::Load(LoadError::Unsupported(error.to_string())))?;
        self.load(&verified)
    }

    /// The internal code of a loaded module as text; `None` if no module of that name is loaded.
    pub fn disassemble(&self, module: &str) -> Option<String> {
        let name = self.rt.atoms.intern(module).ok()?;
        let loaded = self.rt.code.module(name)?;
        Some(code::disasm::text(&loaded, &self.rt.code, &self.rt.atoms))
    }

    /// Atoms that exist and begin so, at most so many.
    pub fn atoms_beginning(&self, begun: &str, most: usize) -> Vec<String> {
        let atoms = &self.rt.atoms;
        let texts = (0..atoms.count()).map(|index| atoms.text(Atom::from_index(index)));
        texts.filter(|text| text.starts_with(begun)).take(most).map(str::to_owned).collect()
    }

    /// The machine's services, for the rest of this crate's tools.
    pub fn runtime(&self) -> &Arc<Runtime> {
        &self.rt
    }

    /// Starts `module:function(args...)` in a process of its own.
    ///
    /// # Errors
    /// If there is no room for it.
    pub fn spawn(&self, module: &str, function: &str, args: &[Value]) -> Result<Pid, Error> {
        self.spawn_watched(module, function, args, None)
    }

    fn spawn_watched(
        &self,
        module: &str,
        function: &str,
        args: &[Value],
        watcher: Option<(Pid, u64)>,
    ) -> Result<Pid, Error> {
        let rt = &self.rt;
        let arity = u8::try_from(args.len()).map_err(|_| Error::Limit("arguments"))?;
        let mfa = Mfa { module: rt.atoms.intern(module)?, function: rt.atoms.intern(function)?, arity };
        let mut worker = rt.outside();
        let options =
            SpawnOptions { watcher, group_leader: rt.names.get(known::USER), ..SpawnOptions::default() };
        let arguments = arguments(rt, args)?;
        let spawned = match arguments.term().view() {
            View::Tuple(terms) => rt.spawn(&mut worker, None, Start::Call(mfa, terms), options)?,
            _ => unreachable!("the arguments were put into a tuple"),
        };
        worker.retire(rt);
        Ok(spawned.pid)
    }

    /// Runs `module:function(args...)` as the program, until its process ends or it halts the machine.
    ///
    /// # Errors
    /// If there is no room to start it.
    pub fn run(&self, module: &str, function: &str, args: &[Value]) -> Result<Outcome, Error> {
        let (sender, receiver) = channel();
        let listener = sender.clone();
        self.rt.on_halt(Box::new(move |status| {
            // Nobody listens any more if the program has ended meanwhile.
            let _ = listener.send(status.map_or(Outcome::Stopped, Outcome::Halted));
        }));
        let mut worker = self.rt.outside();
        let reference = worker.make_unique();
        self.rt.reports.program(reference);
        let watcher = Watcher { sender, program: reference, outcome: None };
        let watcher = self.rt.spawn_native(&mut worker, Box::new(watcher))?;
        worker.retire(&self.rt);
        self.spawn_watched(module, function, args, Some((watcher, reference)))?;
        let outcome = match &self.driver {
            Some(driver) => {
                self.drive_to_end(&mut driver.lock().unwrap_or_else(PoisonError::into_inner), &receiver)
            }
            None => receiver.recv().unwrap_or(Outcome::Stopped),
        };
        self.flush();
        Ok(outcome)
    }

    fn drive_to_end(&self, driver: &mut Driver, ended: &Receiver<Outcome>) -> Outcome {
        loop {
            let idleness = driver.run_until_idle(DRIVE_AT_ONCE);
            if let Idleness::Halted(status) = idleness {
                return Outcome::Halted(status);
            }
            if let Ok(outcome) = ended.try_recv() {
                return outcome;
            }
            match idleness {
                Idleness::Quiet if self.rt.is_stopping() => return Outcome::Stopped,
                Idleness::Quiet => return Outcome::Stuck,
                Idleness::Until(nanoseconds) => {
                    std::thread::sleep(std::time::Duration::from_nanos(nanoseconds));
                }
                Idleness::Budget | Idleness::Halted(_) => {}
            }
        }
    }

    /// Modes without threads: runs what can run now, at most `slices` slices, and says what comes next.
    ///
    /// # Errors
    /// If the machine has threads of its own.
    pub fn drive(&self, slices: usize) -> Result<Idleness, Error> {
        let Some(driver) = &self.driver else {
            return Err(Error::Setting("this machine has workers of its own"));
        };
        Ok(driver.lock().unwrap_or_else(PoisonError::into_inner).run_until_idle(slices))
    }

    /// What the machine has done so far: the sum over its workers, right at this moment but for slices that are running.
    pub fn statistics(&self) -> Statistics {
        self.rt.counts.sum()
    }

    /// Blocks until everything put out so far is written.
    pub fn flush(&self) {
        self.rt.stdout.flush();
        self.rt.stderr.flush();
    }

    /// Blocks until everything put out so far is written, or this time has passed.
    pub fn flush_within(&self, time: std::time::Duration) {
        self.rt.stdout.flush_within(time);
        self.rt.stderr.flush_within(time);
    }

    /// Stops the machine; processes do not run again. Dropping does the same.
    pub fn stop(&self) {
        self.rt.stop();
    }

    /// Asks the program to end as `halt(status)` would.
    pub fn halt(&self, status: i32) {
        self.rt.halt(status);
    }
}

/// The values as a tuple in a fragment.
fn arguments(rt: &Runtime, values: &[Value]) -> Result<Fragment, Error> {
    value::fragment(rt, &rt.account, |maker| values.into_args(maker))
}

impl Drop for Vm {
    fn drop(&mut self) {
        self.rt.stop();
    }
}

/// Tells the embedder how the program's first process ended, once all reports from before are written.
struct Watcher {
    sender: Sender<Outcome>,
    /// The reference it watches the program with.
    program: u64,
    /// How the program ended, while reports are on their way.
    outcome: Option<Outcome>,
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
        SliceEnd::Wait
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
        }
    }
}

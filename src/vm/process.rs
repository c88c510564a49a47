//! Processes, as the host starts them, speaks to them and watches them.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use super::Vm;
use super::call::Call;
use super::options::ProcessOptions;
use crate::atom::known;
use crate::error::Error;
use crate::heap::Fragment;
use crate::process::{ExitReason, Process, Signal, SignalKind, SliceEnd, answer};
use crate::runtime::compose::{self, Part};
use crate::runtime::names::NameError;
use crate::runtime::{Native, Runtime, WorkerCx};
use crate::term::{self, View, Word};
use crate::value::{self, FromTerm, IntoArgs, IntoTerm, Pid, TermMaker, TermReader, Value};

impl Vm {
    /// Starts `module:function(args...)` in a process of its own and does not wait for it.
    ///
    /// The process is nobody's child and has the machine's standard output as its group leader. An uncaught error is
    /// reported on the machine's standard error, as in OTP; [`Vm::monitor`] tells how it ended.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let sleeper = vm.spawn("timer", "sleep", (60_000,))?;
    /// assert!(vm.is_alive(sleeper));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Limit`] if there is no room for it, [`Error::Conversion`] if an argument cannot be made a term, [`Error::Stopped`]
    /// or [`Error::Halted`] if the machine is over. That there is no such function is known only to the process.
    pub fn spawn(&self, module: &str, function: &str, args: impl IntoArgs) -> Result<Pid, Error> {
        self.spawn_with(&ProcessOptions::default(), module, function, args)
    }

    /// The same with options.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use erlet::{Priority, ProcessOptions};
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let options = ProcessOptions::new().priority(Priority::Low);
    /// let idler = vm.spawn_with(&options, "timer", "sleep", (60_000,))?;
    /// # let _ = idler;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Vm::spawn`].
    pub fn spawn_with(
        &self,
        options: &ProcessOptions,
        module: &str,
        function: &str,
        args: impl IntoArgs,
    ) -> Result<Pid, Error> {
        let rt = self.rt();
        if rt.is_over() {
            return Err(self.why_over());
        }
        let mfa = self.names(module, function)?;
        let options = options.for_spawn(rt)?;
        let pid = rt.spawn_made(&mut rt.lend(), mfa, None, &options, |h, rt| {
            TermMaker::with(h, rt, |maker| args.into_args(maker))
        })?;
        self.machine().tracer.spawned(rt, mfa, pid);
        Ok(self.pid(pid))
    }

    /// Sends a message, as `Pid ! Message` does: it never waits, and nobody is told if the process is dead.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// vm.send(mailbox.pid(), ("hello", 1))?;
    /// let (text, number): (String, i64) = mailbox.recv()?;
    /// assert_eq!((text.as_str(), number), ("hello", 1));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OtherVm`] if it is a process of another machine; [`Error::Conversion`] or [`Error::Limit`] if the message cannot be
    /// made.
    ///
    /// # Cost
    /// About a hundred nanoseconds, and more if a sleeping worker has to be woken.
    pub fn send(&self, to: Pid, message: impl IntoTerm) -> Result<(), Error> {
        let rt = self.rt();
        let to = self.own(to)?;
        let mut worker = rt.lend();
        let content = message_of(rt, &mut worker, message)?;
        rt.deliver(&mut worker, Signal::new(SignalKind::Message, to, content));
        Ok(())
    }

    /// Sends an exit signal, as `exit(Pid, Reason)` does: the process ends with that reason, or gets a message if it traps exits; the
    /// reason `kill` cannot be trapped, and `normal` is ignored by who does not trap exits.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use erlet::{Atom, Value};
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let sleeper = vm.spawn("timer", "sleep", (60_000,))?;
    /// let monitor = vm.monitor(sleeper)?;
    /// vm.exit(sleeper, Atom::new("enough"))?;
    /// assert_eq!(monitor.wait()?, Value::atom("enough"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Vm::send`].
    pub fn exit(&self, pid: Pid, reason: impl IntoTerm) -> Result<(), Error> {
        let rt = self.rt();
        let pid = self.own(pid)?;
        let mut worker = rt.lend();
        let reason = message_of(rt, &mut worker, reason)?;
        if let Some(exit) = exit_signal(rt, pid, Part::Whole(&reason)) {
            rt.deliver(&mut worker, exit);
        }
        Ok(())
    }

    /// Whether the process is alive: a fact about one moment.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// assert!(vm.is_alive(mailbox.pid()));
    /// # Ok(())
    /// # }
    /// ```
    pub fn is_alive(&self, pid: Pid) -> bool {
        self.own(pid).is_ok_and(|pid| self.rt().slots.is_alive(pid))
    }

    /// The process that is registered by this name.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// assert!(vm.whereis("user").is_some());
    /// assert!(vm.whereis("nobody").is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn whereis(&self, name: &str) -> Option<Pid> {
        let rt = self.rt();
        // A name that is no atom yet names nobody.
        let name = rt.atoms.existing(name)?;
        rt.names.pid(name).map(|pid| self.pid(pid))
    }

    /// Registers a process by a name, as `register(Name, Pid)` does.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// vm.register("host", mailbox.pid())?;
    /// assert_eq!(vm.whereis("host"), Some(mailbox.pid()));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Name`] if the name is taken, is `undefined`, or the process is dead or has a name.
    pub fn register(&self, name: &str, pid: Pid) -> Result<(), Error> {
        let rt = self.rt();
        let pid = self.own(pid)?;
        let atom = value::intern(&rt.atoms, name)?;
        if atom == known::UNDEFINED {
            return Err(Error::Name("undefined is no name"));
        }
        rt.names.register(atom, pid, &rt.slots).map_err(|error| match error {
            NameError::Taken => Error::Name("the name is taken"),
            NameError::Named => Error::Name("the process has a name"),
            NameError::Dead => Error::Name("the process is dead"),
        })
    }

    /// Frees a name; whether it was taken.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// assert!(!vm.unregister("nobody"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn unregister(&self, name: &str) -> bool {
        let rt = self.rt();
        rt.atoms.existing(name).is_some_and(|name| rt.names.unregister(name))
    }

    /// Watches a process: the monitor tells with what reason it ended, by [`Monitor::wait`] or as a future.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use erlet::Value;
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let process = vm.spawn("erlang", "exit", (erlet::Atom::new("done"),))?;
    /// // Whoever is dead already has ended with `noproc`.
    /// let reason = vm.monitor(process)?.wait()?;
    /// assert!(reason == Value::atom("done") || reason == Value::atom("noproc"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OtherVm`], or [`Error::Limit`] if there is no room.
    pub fn monitor(&self, pid: Pid) -> Result<Monitor, Error> {
        let rt = self.rt();
        let watched = self.own(pid)?;
        let mut worker = rt.lend();
        let reference = worker.make_unique();
        let (answer, awaited) = answer::answer();
        let watcher = rt.spawn_watching(&mut worker, Box::new(Watching), answer, (watched, reference))?;
        drop(worker);
        Ok(Monitor { watched: pid, call: Call::new(self.clone(), Ok((watcher, awaited))) })
    }

    /// The pid as it is known outside.
    pub(super) fn pid(&self, raw: term::Pid) -> Pid {
        Pid::new(self.rt().identity, raw)
    }

    /// The pid as it is known inside.
    pub(super) fn own(&self, pid: Pid) -> Result<term::Pid, Error> {
        if pid.machine == self.rt().identity { Ok(pid.raw) } else { Err(Error::OtherVm) }
    }
}

/// A value as a message, from the context's own memory.
pub(super) fn message_of(
    rt: &Runtime,
    worker: &mut WorkerCx,
    value: impl IntoTerm,
) -> Result<Fragment, Error> {
    worker.counts.messages.add(1);
    let account = &rt.account;
    let mut heap =
        crate::heap::Heap::new_in(&mut worker.blocks, account.clone(), crate::heap::Policy::STANDARD, 0)?;
    let fragments = &mut worker.fragments;
    let made = heap.with_beside(&rt.atoms, rt, |h, rt| {
        let term = TermMaker::with(h, rt, |maker| value.into_term(maker))?;
        Ok(Fragment::of_term(fragments, term, account)?)
    });
    heap.release(&mut worker.blocks);
    made
}

/// An `exit/2` from nobody in particular: the machine itself.
pub(super) fn exit_signal(rt: &Runtime, to: term::Pid, reason: Part<'_>) -> Option<Signal> {
    let from = Word::pid(term::Pid::new(0, 0));
    let tuple = compose::exit_tuple(&rt.account, from, reason)?;
    Some(Signal::new(SignalKind::Exit, to, tuple).with(from, 0))
}

/// The end of a body that has done what it was made for.
pub(super) fn done() -> SliceEnd {
    match Fragment::immediate(Word::atom(known::NORMAL)) {
        Ok(reason) => SliceEnd::Exit(ExitReason { reason, report: false }),
        // Without memory for a header it stays, and waits for nothing.
        Err(_) => SliceEnd::Wait,
    }
}

/// Ends with the reason of whom it watches; its own exit, when the monitor is dropped, ends the watching.
struct Watching;

impl Native for Watching {
    fn step(&mut self, _: &mut WorkerCx, rt: &Runtime, process: &mut Process) -> SliceEnd {
        while let Some(message) = process.mailbox.remove() {
            let is_down = message.header().kind == SignalKind::Down as u8;
            if let (true, View::Tuple(&[_, _, _, _, reason])) = (is_down, message.term().view()) {
                let reason = Fragment::copy(reason, &rt.account)
                    .or_else(|_| Fragment::immediate(Word::atom(known::SYSTEM_LIMIT)));
                if let Ok(reason) = reason {
                    return SliceEnd::Exit(ExitReason { reason, report: false });
                }
            }
        }
        SliceEnd::Wait
    }
}

/// Watches a process for the host: see [`Vm::monitor`]. A future of the reason it ends with; dropping it ends the watching.
///
/// ```
/// async fn supervise(vm: &erlet::Vm) -> Result<(), erlet::Error> {
///     loop {
///         let server = vm.spawn("server", "start", ())?;
///         let reason = vm.monitor(server)?.await?;
///         eprintln!("the server ended with {reason}, and is started again");
///     }
/// }
/// ```
#[must_use = "dropping it ends the watching"]
#[derive(Debug)]
pub struct Monitor {
    watched: Pid,
    call: Call<Never>,
}

/// A watching body returns nothing.
#[derive(Debug)]
enum Never {}

impl FromTerm for Never {
    fn from_term(term: term::Term<'_>, reader: &TermReader<'_>) -> Result<Never, Error> {
        Err(reader.mismatch("nothing", term))
    }
}

impl Monitor {
    /// Whom it watches.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// assert_eq!(vm.monitor(mailbox.pid())?.pid(), mailbox.pid());
    /// # Ok(())
    /// # }
    /// ```
    pub fn pid(&self) -> Pid {
        self.watched
    }

    /// Waits for the end of the process, and gives its reason.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let process = vm.spawn("timer", "sleep", (1,))?;
    /// let reason = vm.monitor(process)?.wait()?;
    /// # let _ = reason;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::WouldBlockScheduler`] on a thread that runs processes; [`Error::Stopped`] or [`Error::Halted`] if the machine ends; in a
    /// machine without threads [`Error::Stuck`].
    pub fn wait(self) -> Result<Value, Error> {
        reason(self.call.wait())
    }

    /// The same for at most `time`; `None` if it lives on. The watching goes on.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use std::time::Duration;
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let mut monitor = vm.monitor(vm.spawn("timer", "sleep", (60_000,))?)?;
    /// assert_eq!(monitor.wait_timeout(Duration::from_millis(1))?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Monitor::wait`].
    pub fn wait_timeout(&mut self, time: Duration) -> Result<Option<Value>, Error> {
        match self.call.wait_timeout(time) {
            Err(Error::Timeout) => Ok(None),
            ended => reason(ended).map(Some),
        }
    }
}

/// The reason that the watching body took over.
fn reason(ended: Result<Never, Error>) -> Result<Value, Error> {
    match ended {
        Err(Error::Exit(reason)) => Ok(*reason),
        Err(error) => Err(error),
        Ok(never) => match never {},
    }
}

impl Future for Monitor {
    type Output = Result<Value, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.call).poll(cx).map(reason)
    }
}

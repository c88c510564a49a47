//! Calling Erlang functions.
//!
//! Each call runs in a process of its own, which ends with it: nothing that the function leaves in its mailbox, its dictionary or
//! its tables is met by the next call. The arguments are made on the new process's heap by the calling thread, and the result comes
//! back as a message does, to be converted by the calling thread.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::Vm;
use super::options::ProcessOptions;
use super::trace::Span;
use super::wait::{Awaitable, Deadline};
use crate::atom::{self, known};
use crate::error::{Error, Exception};
use crate::process::{Awaited, Ended, answer};
use crate::runtime::outside::WaitingKey;
use crate::runtime::{SpawnOptions, WorkerCx};
use crate::sched::on_worker;
use crate::term::Term;
use crate::value::{FromTerm, IntoArgs, TermMaker, TermReader, Value, intern};
use crate::{term, value};

impl Awaitable for Awaited {
    type Output = Ended;

    fn is_ready(&self) -> bool {
        self.is_done()
    }

    fn take(&mut self, waker: &Waker) -> Option<Ended> {
        self.take_or_wait(waker)
    }
}

impl Vm {
    /// Calls `module:function(args...)` and waits for what it returns.
    ///
    /// The call runs in a process of its own, which is nobody's child, has the machine's standard output as its group leader, and
    /// does not trap exits; it is gone when `call` returns. Processes that it has spawned live on unless they are linked to it.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).build()?;
    /// let length: usize = vm.call("erlang", "length", (vec![1, 2, 3],))?;
    /// assert_eq!(length, 3);
    /// let sorted: Vec<i64> = vm.call("lists", "sort", (vec![3, 1, 2],))?;
    /// assert_eq!(sorted, [1, 2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Exception`] with class, reason and stack trace if nothing caught an exception (a function that does not exist is an
    /// `undef`); [`Error::Exit`] if another process ended it; [`Error::Conversion`] if an argument cannot be made a term or the result is
    /// no `R`; [`Error::Limit`] if there is no room; [`Error::WouldBlockScheduler`] on a thread that runs processes, such as in a
    /// host function that is not a blocking one; [`Error::Stopped`] or [`Error::Halted`] if the machine ends; in a machine without
    /// threads [`Error::Stuck`] if all processes wait for each other.
    ///
    /// # Cost
    /// In a machine without threads a few hundred nanoseconds; with threads about two microseconds if one call follows the other, and
    /// some ten if a worker has to be woken. See [`Vm::call_async`] for many calls at a time.
    pub fn call<R: FromTerm>(&self, module: &str, function: &str, args: impl IntoArgs) -> Result<R, Error> {
        self.call_with(&ProcessOptions::default(), module, function, args)
    }

    /// The same with options for the process that runs the call.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use erlet::{Atom, ProcessOptions, Vm};
    /// let vm = Vm::builder().threads(0).build()?;
    /// vm.load_source("ask.erl", "traps() -> process_info(self(), trap_exit).")?;
    /// let options = ProcessOptions::new().trap_exit(true);
    /// let (_, traps): (Atom, bool) = vm.call_with(&options, "ask", "traps", ())?;
    /// assert!(traps);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Vm::call`].
    pub fn call_with<R: FromTerm>(
        &self,
        options: &ProcessOptions,
        module: &str,
        function: &str,
        args: impl IntoArgs,
    ) -> Result<R, Error> {
        let mfa = self.names(module, function)?;
        let (ended, _) = self.call_until(options, mfa, None, |maker| args.into_args(maker))?;
        self.conclude(ended)
    }

    /// As [`Vm::call`], for at most `time`; then the process that runs the call is killed, and with it what is linked to it.
    ///
    /// A server that it has asked goes on with the request: that is another process, and to end it is up to the host (see
    /// [plug-ins](crate::guide#plug-ins)). For options and a limit of time together, give [`Vm::call_with`]
    /// [`Limits::wall_time`](crate::Limits::wall_time); it ends what the call has spawned, too.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use std::time::Duration;
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let slept = vm.call_timeout::<()>(Duration::from_millis(10), "timer", "sleep", (60_000,));
    /// assert!(matches!(slept, Err(erlet::Error::Timeout)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Vm::call`], and [`Error::Timeout`].
    pub fn call_timeout<R: FromTerm>(
        &self,
        time: Duration,
        module: &str,
        function: &str,
        args: impl IntoArgs,
    ) -> Result<R, Error> {
        let mfa = self.names(module, function)?;
        let deadline = self.deadline(time);
        let options = ProcessOptions::default();
        let (ended, _) = self.call_until(&options, mfa, deadline, |maker| args.into_args(maker))?;
        self.conclude(ended)
    }

    /// Starts a call and gives a future of what it returns, for any executor; the call begins at once.
    ///
    /// Dropping the future before it is ready kills the process that runs the call, and with it what is linked to it. In a machine
    /// without threads polling the future runs what can run; somebody must drive the machine when its timers are due (see
    /// [`Vm::poll`]).
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let calls: Vec<_> = (1..=3).map(|n| vm.call_async::<i64>("erlang", "abs", (-n,))).collect();
    /// # fn block_on<F: Future>(future: F) -> F::Output {
    /// #     let mut future = std::pin::pin!(future);
    /// #     struct Unpark(std::thread::Thread);
    /// #     impl std::task::Wake for Unpark { fn wake(self: std::sync::Arc<Self>) { self.0.unpark() } }
    /// #     let waker = std::sync::Arc::new(Unpark(std::thread::current())).into();
    /// #     let mut cx = std::task::Context::from_waker(&waker);
    /// #     loop {
    /// #         if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut cx) { return output }
    /// #         std::thread::park();
    /// #     }
    /// # }
    /// let results = block_on(async {
    ///     let mut results = Vec::new();
    ///     for call in calls {
    ///         results.push(call.await?);
    ///     }
    ///     Ok::<_, erlet::Error>(results)
    /// })?;
    /// assert_eq!(results, [1, 2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The future gives those of [`Vm::call`]; it may be awaited anywhere.
    pub fn call_async<R: FromTerm>(&self, module: &str, function: &str, args: impl IntoArgs) -> Call<R> {
        self.call_async_with(&ProcessOptions::default(), module, function, args)
    }

    /// The same with options for the process that runs the call.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use erlet::{Priority, ProcessOptions, Vm};
    /// let vm = Vm::builder().threads(1).build()?;
    /// let options = ProcessOptions::new().priority(Priority::High);
    /// let call: erlet::Call<i64> = vm.call_async_with(&options, "erlang", "abs", (-1,));
    /// # drop(call);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Vm::call_async`].
    pub fn call_async_with<R: FromTerm>(
        &self,
        options: &ProcessOptions,
        module: &str,
        function: &str,
        args: impl IntoArgs,
    ) -> Call<R> {
        let mfa = self.names(module, function);
        let span =
            mfa.as_ref().map_or_else(|_| Span::none(), |mfa| self.machine().tracer.call(self.rt(), *mfa));
        let started = mfa.and_then(|mfa| self.start_outside(options, mfa, |maker| args.into_args(maker)));
        Call::new(self.clone(), started).told(span)
    }

    /// Module and function as atoms of the machine.
    pub(super) fn names(&self, module: &str, function: &str) -> Result<(atom::Atom, atom::Atom), Error> {
        let atoms = &self.rt().atoms;
        Ok((intern(atoms, module)?, intern(atoms, function)?))
    }

    /// Calls and waits; what is given is also who ran it.
    pub(super) fn call_until(
        &self,
        options: &ProcessOptions,
        mfa: (atom::Atom, atom::Atom),
        deadline: Deadline,
        args: impl for<'h> FnOnce(&mut TermMaker<'h>) -> Result<Term<'h>, Error>,
    ) -> Result<(Ended, term::Pid), Error> {
        let span = self.machine().tracer.call(self.rt(), mfa);
        let called = span.in_scope(|| self.call_in(&span, options, mfa, deadline, args));
        match &called {
            Ok((ended, _)) => span.ended(self.rt(), ended),
            Err(Error::Timeout) => span.given_up("timeout"),
            Err(_) => span.given_up("lost"),
        }
        called
    }

    fn call_in(
        &self,
        span: &Span,
        options: &ProcessOptions,
        mfa: (atom::Atom, atom::Atom),
        deadline: Deadline,
        args: impl for<'h> FnOnce(&mut TermMaker<'h>) -> Result<Term<'h>, Error>,
    ) -> Result<(Ended, term::Pid), Error> {
        if on_worker() {
            return Err(Error::WouldBlockScheduler);
        }
        let (pid, mut awaited) = match &self.machine().driven {
            Some(driven) => {
                // On the driver's own worker: what the process is made of is still warm from the last one.
                let mut driver = driven.lock();
                let options = options.for_spawn(self.rt())?;
                let started = self.start(driver.worker(), &options, mfa, args)?;
                span.runs(started.0);
                let _ = driver.run_until(FIRST_SLICES, || started.1.is_done());
                started
            }
            None => {
                let started = self.start_outside(options, mfa, args)?;
                span.runs(started.0);
                started
            }
        };
        if let Some(ended) = Awaited::take(&awaited) {
            return Ok((ended, pid));
        }
        match self.wait_for(&mut awaited, deadline) {
            Ok(ended) => Ok((ended, pid)),
            Err(error) => {
                self.kill(pid);
                Err(error)
            }
        }
    }

    pub(super) fn start_outside(
        &self,
        options: &ProcessOptions,
        mfa: (atom::Atom, atom::Atom),
        args: impl for<'h> FnOnce(&mut TermMaker<'h>) -> Result<Term<'h>, Error>,
    ) -> Result<(term::Pid, Awaited), Error> {
        let rt = self.rt();
        let options = options.for_spawn(rt)?;
        self.start(&mut rt.lend(), &options, mfa, args)
    }

    fn start(
        &self,
        worker: &mut WorkerCx,
        options: &SpawnOptions,
        mfa: (atom::Atom, atom::Atom),
        args: impl for<'h> FnOnce(&mut TermMaker<'h>) -> Result<Term<'h>, Error>,
    ) -> Result<(term::Pid, Awaited), Error> {
        if self.rt().is_over() {
            return Err(self.why_over());
        }
        let (answer, awaited) = answer::answer();
        let rt = self.rt();
        let pid = rt.spawn_made(worker, mfa, Some(answer), options, |h, rt| {
            TermMaker::with(h, rt, |maker| args(maker))
        })?;
        Ok((pid, awaited))
    }

    /// What a call ended with, converted.
    pub(super) fn conclude<R: FromTerm>(&self, ended: Ended) -> Result<R, Error> {
        let reader = TermReader::new(self.rt());
        match ended {
            Ended::Returned(value) => reader.read(value.term()),
            Ended::Raised(class, exception) => {
                let (reason, stack): (Value, Value) = reader.read(exception.term())?;
                Err(Error::Exception(Box::new(Exception::new(class, reason, &stack))))
            }
            Ended::Exited(reason) => Err(Error::Exit(Box::new(reader.read(reason.term())?))),
            Ended::Lost => Err(self.why_over()),
        }
    }

    /// Ends a process, whatever it traps.
    pub(super) fn kill(&self, pid: term::Pid) {
        let rt = self.rt();
        let reason = crate::runtime::compose::Part::atom(known::KILL);
        if let Some(exit) = super::process::exit_signal(rt, pid, reason) {
            rt.deliver(&mut rt.lend(), exit);
        }
    }
}

/// Slices of a call that a driver runs at once, before it looks whether anybody else wants to drive.
const FIRST_SLICES: usize = 100;

/// A call that was started by [`Vm::call_async`]: a future of what it returns.
///
/// It keeps the machine running. Dropping it before it is ready kills the process that runs the call.
///
/// ```
/// async fn twice(vm: &erlet::Vm, n: i64) -> Result<i64, erlet::Error> {
///     let call: erlet::Call<i64> = vm.call_async("erlang", "*", (2, n));
///     call.await
/// }
/// ```
#[must_use = "dropping it kills the process that runs the call"]
pub struct Call<R> {
    vm: Vm,
    state: State,
    span: Span,
    result: PhantomData<fn() -> R>,
}

enum State {
    Started { pid: term::Pid, awaited: Awaited, waiting: Option<WaitingKey> },
    Failed(Error),
    Done,
}

impl<R> Call<R> {
    pub(super) fn new(vm: Vm, started: Result<(term::Pid, Awaited), Error>) -> Call<R> {
        let state = match started {
            Ok((pid, awaited)) => State::Started { pid, awaited, waiting: None },
            Err(error) => State::Failed(error),
        };
        Call { vm, state, span: Span::none(), result: PhantomData }
    }

    /// With the span of its time.
    pub(super) fn told(mut self, span: Span) -> Call<R> {
        if let State::Started { pid, .. } = &self.state {
            span.runs(*pid);
        }
        self.span = span;
        self
    }

    /// The process that runs the call; `None` if it could not be started or has ended.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let call = vm.call_async::<()>("timer", "sleep", (60_000,));
    /// assert!(call.pid().is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn pid(&self) -> Option<value::Pid> {
        match &self.state {
            State::Started { pid, .. } => Some(value::Pid::new(self.vm.rt().identity, *pid)),
            State::Failed(_) | State::Done => None,
        }
    }
}

impl<R: FromTerm> Call<R> {
    /// Waits for the result on this thread.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let (a, b) = (vm.call_async::<i64>("erlang", "abs", (-1,)), vm.call_async::<i64>("erlang", "abs", (-2,)));
    /// assert_eq!(a.wait()? + b.wait()?, 3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Vm::call`].
    pub fn wait(mut self) -> Result<R, Error> {
        let ended = match &mut self.state {
            State::Started { awaited, .. } => self.vm.wait_for(awaited, None)?,
            State::Failed(_) | State::Done => return self.failure(),
        };
        self.span.ended(self.vm.rt(), &ended);
        self.finish();
        self.vm.conclude(ended)
    }

    /// The same for at most `time`.
    pub(super) fn wait_timeout(&mut self, time: Duration) -> Result<R, Error> {
        let deadline = self.vm.deadline(time);
        let ended = match &mut self.state {
            State::Started { awaited, .. } => self.vm.wait_for(awaited, deadline)?,
            State::Failed(_) | State::Done => return self.failure(),
        };
        self.finish();
        self.vm.conclude(ended)
    }

    fn failure(&mut self) -> Result<R, Error> {
        match std::mem::replace(&mut self.state, State::Done) {
            State::Failed(error) => Err(error),
            State::Started { .. } | State::Done => Err(Error::Stopped),
        }
    }
}

impl<R> Call<R> {
    fn finish(&mut self) {
        if let State::Started { waiting: Some(key), .. } = std::mem::replace(&mut self.state, State::Done) {
            self.vm.rt().stop_waiting(key);
        }
    }
}

impl<R: FromTerm> Future for Call<R> {
    type Output = Result<R, Error>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let vm = &this.vm;
        let State::Started { awaited, waiting, .. } = &mut this.state else {
            return Poll::Ready(this.failure());
        };
        if !awaited.is_done() {
            vm.rt().keep_waiting(waiting, cx.waker());
            this.span.in_scope(|| vm.drive_a_little(cx.waker(), || awaited.is_done()));
        }
        match awaited.take_or_wait(cx.waker()) {
            Some(ended) => {
                this.span.ended(vm.rt(), &ended);
                this.finish();
                Poll::Ready(this.vm.conclude(ended))
            }
            None if vm.rt().is_over() => {
                let why = vm.why_over();
                this.finish();
                Poll::Ready(Err(why))
            }
            None => Poll::Pending,
        }
    }
}

impl<R> Drop for Call<R> {
    fn drop(&mut self) {
        if let State::Started { pid, awaited, .. } = &self.state
            && !awaited.is_done()
        {
            self.vm.kill(*pid);
            self.span.given_up("dropped");
        }
        self.finish();
    }
}

impl<R> std::fmt::Debug for Call<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call").field("pid", &self.pid()).finish_non_exhaustive()
    }
}

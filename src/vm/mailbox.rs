//! Being a process: a [`Mailbox`] has a pid, gets messages, and can be named, linked and monitored like any other.
//!
//! Its body in the machine is a native one, which the schedulers step whenever a signal has come: so exits act, links are told and
//! questions are answered also while no thread of the host reads. Each step moves the messages that have come to a queue that the
//! host's side reads; links and monitors, which only the body may touch, are asked for by commands that it carries out.
//!
//! Invariant: what a mailbox does is seen in the order it was done. While commands wait, messages that it sends queue behind them.

mod body;
mod queue;
#[cfg(all(test, not(loom)))]
mod queue_tests;
mod weight;

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::Vm;
use super::process::message_of;
use super::wait::{Awaitable, Deadline};
use crate::error::Error;
use crate::heap::Fragment;
use crate::process::{Awaited, Ended, Signal, SignalKind, answer};
use crate::runtime::outside::WaitingKey;
use crate::term::{self, Word};
use crate::value::{FromTerm, IntoTerm, Pid, Reference, TermReader, Value};
use queue::{Look, Queue, Reader};
use weight::{Scale, Weight};

/// A process of the host's: it has a pid, and Rust receives its messages.
///
/// Erlang sees a process like any other: it can be sent to, linked, monitored, named ([`Vm::register`]) and killed, also while nobody
/// reads. It traps exits, so the exit of a process it is linked to is a message, `{'EXIT', Pid, Reason}`, and so is what
/// `exit(Pid, Reason)` sends; `exit(Pid, kill)` ends it. Dropping it ends it with the reason `normal`, which is how a room or a supervisor
/// that monitors it learns that the host's side is gone.
///
/// It keeps what nobody reads, unless it has a [limit](Mailbox::limit), and sending to it never waits: see the [guide](crate::guide#talking-to-processes) for readers that may be slow.
///
/// Reading takes `&self`: several threads may receive from one mailbox, each message goes to one of them.
///
/// ```
/// # fn main() -> Result<(), erlet::Error> {
/// use erlet::{Pid, Vm};
/// let vm = Vm::builder().threads(1).build()?;
/// vm.load_source("echo.erl", "loop() -> receive {From, What} -> From ! {self(), What}, loop() end.")?;
/// let echo = vm.spawn("echo", "loop", ())?;
/// let mailbox = vm.mailbox()?;
/// mailbox.send(echo, (mailbox.pid(), "hello"))?;
/// let (from, what): (Pid, String) = mailbox.recv()?;
/// assert_eq!((from, what.as_str()), (echo, "hello"));
/// # Ok(())
/// # }
/// ```
pub struct Mailbox {
    vm: Vm,
    pid: term::Pid,
    shared: Arc<Shared>,
    /// How the body ends.
    awaited: Awaited,
    /// With which reason it has, once that was asked for.
    reason: Mutex<Option<Value>>,
}

/// What the two sides share.
type Shared = Queue<Message, Command>;

/// A message that has come.
struct Message {
    content: Fragment,
    /// The monitor that has sent it.
    down: Option<u64>,
    _weight: Weight,
}

/// What the body is to do.
enum Command {
    Link(term::Pid),
    Unlink(term::Pid),
    Monitor(term::Pid, u64),
    Demonitor(u64),
    Send(Signal),
    Limit(usize),
    Exit(Fragment),
}

impl Vm {
    /// Makes a process of the host's, with a mailbox that Rust reads.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// vm.register("host", mailbox.pid())?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Limit`] if there is no room for it.
    pub fn mailbox(&self) -> Result<Mailbox, Error> {
        let shared = Arc::new(Shared::new());
        let (answer, awaited) = answer::answer();
        let rt = self.rt();
        let body = Box::new(body::Body::new(Arc::clone(&shared), Scale::new(&rt.own_account)));
        let pid = rt.spawn_body(&mut rt.lend(), body, |body| body.answer = Some(answer))?;
        Ok(Mailbox { vm: self.clone(), pid, shared, awaited, reason: Mutex::new(None) })
    }
}

/// Waits for a message that `choose` takes.
struct Choosing<'m, F> {
    mailbox: &'m Mailbox,
    choose: F,
    reader: Reader,
    waiting: Option<WaitingKey>,
}

impl<'m, F> Choosing<'m, F> {
    fn new(mailbox: &'m Mailbox, choose: F) -> Self {
        Choosing { mailbox, choose, reader: Reader::default(), waiting: None }
    }

    /// Whether it is worth while to look again.
    fn has_news(&self) -> bool {
        self.reader.has_news(&self.mailbox.shared) || self.mailbox.awaited.is_done()
    }
}

impl<T, F: FnMut(&Fragment) -> Option<T>> Choosing<'_, F> {
    /// The first message that `choose` takes; if there is none, `waker` is woken when there are more.
    fn choose(&mut self, waker: Option<&Waker>) -> Option<Result<T, Error>> {
        let choose = &mut self.choose;
        match self.reader.look(&self.mailbox.shared, |message| choose(&message.content), waker) {
            Look::Taken(taken) => Some(Ok(taken)),
            Look::Nothing => None,
            Look::Closed => self.mailbox.why_dead(waker).map(Err),
        }
    }
}

impl<F> Drop for Choosing<'_, F> {
    fn drop(&mut self) {
        self.reader.leave(&self.mailbox.shared);
        if let Some(key) = self.waiting.take() {
            self.mailbox.vm.rt().stop_waiting(key);
        }
    }
}

impl<T, F: FnMut(&Fragment) -> Option<T>> Awaitable for Choosing<'_, F> {
    type Output = Result<T, Error>;

    fn is_ready(&self) -> bool {
        self.has_news()
    }

    fn take(&mut self, waker: &Waker) -> Option<Self::Output> {
        self.choose(Some(waker))
    }
}

/// A closure is moved, not pinned.
impl<F> Unpin for Choosing<'_, F> {}

impl<T, F: FnMut(&Fragment) -> Option<T>> Future for Choosing<'_, F> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let vm = &this.mailbox.vm;
        if !this.has_news() {
            vm.rt().keep_waiting(&mut this.waiting, cx.waker());
            vm.drive_a_little(cx.waker(), || this.has_news());
        }
        match this.choose(Some(cx.waker())) {
            Some(output) => Poll::Ready(output),
            None if vm.rt().is_over() => Poll::Ready(Err(vm.why_over())),
            None => Poll::Pending,
        }
    }
}

impl Mailbox {
    /// Its pid.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// assert!(vm.is_alive(mailbox.pid()));
    /// # Ok(())
    /// # }
    /// ```
    pub fn pid(&self) -> Pid {
        self.vm.pid(self.pid)
    }

    /// The machine it is a process of.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// assert!(mailbox.vm().whereis("user").is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn vm(&self) -> &Vm {
        &self.vm
    }

    /// How many messages may lie in it unread; without it, as many as the machine has memory for. When there are more, it ends with the reason
    /// `{limit, mailbox_messages}`, as a process does that passes such a limit; what it had taken in by then can still be read, and
    /// then reading gives [`Error::Exit`] with that reason. (Its senders live on: nobody knows which of them is to blame.)
    ///
    /// The messages are counted whenever it gets the processor, so that there may be more for a moment.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).build()?;
    /// let mailbox = vm.mailbox()?;
    /// mailbox.limit(2);
    /// for n in 0..3 {
    ///     vm.send(mailbox.pid(), n)?;
    /// }
    /// vm.run_until_idle()?;
    /// assert!(!vm.is_alive(mailbox.pid()));
    /// # Ok(())
    /// # }
    /// ```
    pub fn limit(&self, messages: usize) {
        self.command(Command::Limit(messages));
    }

    /// Receives the oldest message, and waits for one if there is none.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// vm.send(mailbox.pid(), 42)?;
    /// assert_eq!(mailbox.recv::<i64>()?, 42);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Conversion`] if the message is no `T`, which takes it out all the same (a [`Value`] is anything); [`Error::Exit`] with
    /// the reason if the mailbox was ended from inside the machine and all its messages have been read;
    /// [`Error::WouldBlockScheduler`] on a thread that runs processes; [`Error::Stopped`] or [`Error::Halted`] if the machine ends; in a
    /// machine without threads, which this drives, [`Error::Stuck`].
    pub fn recv<T: FromTerm>(&self) -> Result<T, Error> {
        self.wait(self.reads(), None)?
    }

    /// The same for at most `time`.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use std::time::Duration;
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// let nothing = mailbox.recv_timeout::<i64>(Duration::from_millis(1));
    /// assert!(matches!(nothing, Err(erlet::Error::Timeout)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Mailbox::recv`], and [`Error::Timeout`].
    pub fn recv_timeout<T: FromTerm>(&self, time: Duration) -> Result<T, Error> {
        self.wait(self.reads(), self.vm.deadline(time))?
    }

    /// The oldest message, if there is one already. Never waits, so it may be called anywhere.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// assert_eq!(mailbox.try_recv::<i64>()?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Conversion`] and [`Error::Exit`] as [`Mailbox::recv`].
    pub fn try_recv<T: FromTerm>(&self) -> Result<Option<T>, Error> {
        match Choosing::new(self, self.reads()).choose(None) {
            None => Ok(None),
            Some(message) => message?.map(Some),
        }
    }

    /// The oldest message, as a future. Dropping it before it is ready loses nothing: the message stays, for the next one who asks.
    ///
    /// ```
    /// async fn first(mailbox: &erlet::Mailbox) -> Result<String, erlet::Error> {
    ///     mailbox.recv_async().await
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Mailbox::recv`], but for `WouldBlockScheduler` and `Stuck`.
    pub async fn recv_async<T: FromTerm>(&self) -> Result<T, Error> {
        Choosing::new(self, self.reads()).await?
    }

    /// Receives the oldest message that `choose` gives something for, as a selective `receive` does, and waits for one if there is
    /// none; the others stay, in their order.
    ///
    /// `choose` is called while the mailbox is locked: it must not use it.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// vm.send(mailbox.pid(), ("cold", 1))?;
    /// vm.send(mailbox.pid(), 2)?;
    /// let number = mailbox.select(|message| message.as_int())?;
    /// assert_eq!(number, 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Mailbox::recv`], but for `Conversion`.
    ///
    /// # Cost
    /// A conversion of each message that is looked at.
    pub fn select<T>(&self, choose: impl FnMut(&Value) -> Option<T>) -> Result<T, Error> {
        self.wait(self.selects(choose), None)
    }

    /// The same for at most `time`.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use std::time::Duration;
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// vm.send(mailbox.pid(), "text")?;
    /// let number = mailbox.select_timeout(Duration::from_millis(1), |message| message.as_int());
    /// assert!(matches!(number, Err(erlet::Error::Timeout)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Mailbox::select`], and [`Error::Timeout`].
    pub fn select_timeout<T>(
        &self,
        time: Duration,
        choose: impl FnMut(&Value) -> Option<T>,
    ) -> Result<T, Error> {
        self.wait(self.selects(choose), self.vm.deadline(time))
    }

    /// The same as a future.
    ///
    /// ```
    /// async fn number(mailbox: &erlet::Mailbox) -> Result<i64, erlet::Error> {
    ///     mailbox.select_async(|message| message.as_int()).await
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Mailbox::select`], but for `WouldBlockScheduler` and `Stuck`.
    pub async fn select_async<T>(&self, choose: impl FnMut(&Value) -> Option<T>) -> Result<T, Error> {
        Choosing::new(self, self.selects(choose)).await
    }

    /// Sends a message, as [`Vm::send`]; behind the links and monitors that this mailbox has asked for before.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// mailbox.send(mailbox.pid(), "to myself")?;
    /// assert_eq!(mailbox.recv::<String>()?, "to myself");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Vm::send`].
    pub fn send(&self, to: Pid, message: impl IntoTerm) -> Result<(), Error> {
        let rt = self.vm.rt();
        let to = self.vm.own(to)?;
        let mut worker = rt.lend();
        let content = message_of(rt, &mut worker, message)?;
        let signal = Signal::new(SignalKind::Message, to, content);
        if let Some(Command::Send(signal)) = self.shared.behind(Command::Send(signal)) {
            rt.deliver(&mut worker, signal);
        }
        Ok(())
    }

    /// Links it with a process: when one of the two ends, the other one is told; the mailbox by a message `{'EXIT', Pid, Reason}`,
    /// also if the process is dead already.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use erlet::{Atom, Pid, Vm};
    /// let vm = Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// let sleeper = vm.spawn("timer", "sleep", (10,))?;
    /// mailbox.link(sleeper)?;
    /// let (_exit, from, _reason): (Atom, Pid, Atom) = mailbox.recv()?;
    /// assert_eq!(from, sleeper);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OtherVm`].
    pub fn link(&self, pid: Pid) -> Result<(), Error> {
        let pid = self.vm.own(pid)?;
        self.command(Command::Link(pid));
        Ok(())
    }

    /// Ends a link. An `'EXIT'` message that has come already stays.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// let sleeper = vm.spawn("timer", "sleep", (60_000,))?;
    /// mailbox.link(sleeper)?;
    /// mailbox.unlink(sleeper)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OtherVm`].
    pub fn unlink(&self, pid: Pid) -> Result<(), Error> {
        let pid = self.vm.own(pid)?;
        self.command(Command::Unlink(pid));
        Ok(())
    }

    /// Monitors a process: when it ends, the mailbox gets a message `{'DOWN', Reference, process, Pid, Reason}`. (To wait for the end of
    /// one process alone, see [`Vm::monitor`].)
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use erlet::{Atom, Pid, Reference, Value, Vm};
    /// let vm = Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// let sleeper = vm.spawn("timer", "sleep", (1,))?;
    /// let reference = mailbox.monitor(sleeper)?;
    /// let (_down, which, _process, pid, _reason): (Atom, Reference, Atom, Pid, Value) = mailbox.recv()?;
    /// assert_eq!((which, pid), (reference, sleeper));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OtherVm`].
    pub fn monitor(&self, pid: Pid) -> Result<Reference, Error> {
        let pid = self.vm.own(pid)?;
        let rt = self.vm.rt();
        let unique = rt.lend().make_unique();
        self.command(Command::Monitor(pid, unique));
        Ok(Reference::new(rt.identity, unique, Some(self.pid)))
    }

    /// Ends a monitor: afterwards its `'DOWN'` message does not come; one that has come already is taken out, as by
    /// `demonitor(Reference, [flush])`.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// let reference = mailbox.monitor(vm.spawn("timer", "sleep", (60_000,))?)?;
    /// mailbox.demonitor(reference)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OtherVm`].
    pub fn demonitor(&self, reference: Reference) -> Result<(), Error> {
        if reference.machine != self.vm.rt().identity {
            return Err(Error::OtherVm);
        }
        self.command(Command::Demonitor(reference.unique));
        Ok(())
    }

    /// Ends it with a reason, which what is linked to it or monitors it gets. Dropping it does the same with `normal`.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use erlet::{Atom, Value, Vm};
    /// let vm = Vm::builder().threads(1).build()?;
    /// let mailbox = vm.mailbox()?;
    /// let monitor = vm.monitor(mailbox.pid())?;
    /// mailbox.exit(Atom::new("tired"))?;
    /// assert_eq!(monitor.wait()?, Value::atom("tired"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Conversion`] or [`Error::Limit`] if the reason cannot be made a term; then it ends with `normal`.
    pub fn exit(self, reason: impl IntoTerm) -> Result<(), Error> {
        let rt = self.vm.rt();
        let reason = message_of(rt, &mut rt.lend(), reason)?;
        self.command(Command::Exit(reason));
        Ok(())
    }

    /// Lets the body do something.
    fn command(&self, command: Command) {
        if self.shared.command(command) {
            let rt = self.vm.rt();
            rt.deliver_bare(&mut rt.lend(), SignalKind::Ready, self.pid, Word::NIL, 0);
        }
    }

    /// Reads any message as a `T`.
    fn reads<T: FromTerm>(&self) -> impl FnMut(&Fragment) -> Option<Result<T, Error>> {
        // Made for each message: a reader is not `Sync`, and the future that waits with this is to be `Send`.
        let rt = self.vm.rt();
        move |message| Some(TermReader::new(rt).read(message.term()))
    }

    /// Shows each message to `choose`. What has no owned form is passed over.
    fn selects<T, F: FnMut(&Value) -> Option<T>>(&self, mut choose: F) -> impl FnMut(&Fragment) -> Option<T> {
        let rt = self.vm.rt();
        move |message| choose(&TermReader::new(rt).read(message.term()).ok()?)
    }

    fn wait<T>(&self, choose: impl FnMut(&Fragment) -> Option<T>, deadline: Deadline) -> Result<T, Error> {
        let mut choosing = Choosing::new(self, choose);
        // What is there already can be had anywhere.
        if let Some(taken) = choosing.choose(None) {
            return taken;
        }
        self.vm.wait_for(&mut choosing, deadline)?
    }

    /// The reason it was ended with. It is known a moment after the body is gone: `waker` is woken then.
    fn why_dead(&self, waker: Option<&Waker>) -> Option<Error> {
        let mut reason = self.reason.lock().unwrap_or_else(PoisonError::into_inner);
        if reason.is_none() {
            let ended = match waker {
                Some(waker) => self.awaited.take_or_wait(waker)?,
                None => self.awaited.take()?,
            };
            if let Ended::Exited(fragment) = ended {
                *reason = TermReader::new(self.vm.rt()).read(fragment.term()).ok();
            }
        }
        Some(match &*reason {
            Some(reason) => Error::Exit(Box::new(reason.clone())),
            None => self.vm.why_over(),
        })
    }
}

impl Drop for Mailbox {
    fn drop(&mut self) {
        let normal = Fragment::immediate(Word::atom(crate::atom::known::NORMAL));
        // Without memory for a header nobody can be told; the body ends with its machine.
        if let Ok(normal) = normal {
            self.command(Command::Exit(normal));
        }
    }
}

impl std::fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mailbox").field("pid", &self.pid()).finish_non_exhaustive()
    }
}

//! Ending a machine in order.

use std::time::Duration;

use super::Vm;
use crate::error::Error;
use crate::sched::on_worker;
use crate::term::Term;
use crate::value::{FromTerm, Pid, TermReader};

/// How a machine ended: what [`Vm::shutdown`] tells.
///
/// ```
/// fn log(report: &erlet::ShutdownReport) {
///     for process in &report.remaining {
///         eprintln!("{} did not end: it was in {}", process.pid, process.current_function);
///     }
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ShutdownReport {
    /// Processes that had not ended in time, and were stopped where they stood.
    pub remaining: Vec<Remaining>,
    /// Blocking jobs (of the file system, of host functions) that had not ended in time; they end unobserved.
    pub jobs: usize,
    /// Threads that had not left in time: they are in a function that takes long, and leave when it returns.
    pub threads: usize,
    /// The machine did not say in time which processes remained (it had no processor, or all its threads were in functions that take
    /// long), so that [`remaining`](Self::remaining) is empty because nobody has looked.
    pub unseen: bool,
}

impl ShutdownReport {
    /// Whether everything ended in time, as far as is known: not if nobody could look.
    ///
    /// ```
    /// assert!(erlet::ShutdownReport::default().is_clean());
    /// ```
    pub fn is_clean(&self) -> bool {
        !self.unseen && self.remaining.is_empty() && self.jobs == 0 && self.threads == 0
    }
}

/// A process that did not end when it was asked to.
///
/// ```
/// fn name(process: &erlet::Remaining) -> String {
///     process.name.clone().unwrap_or_else(|| process.initial_call.clone())
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Remaining {
    /// Its pid.
    pub pid: Pid,
    /// The name it is registered by.
    pub name: Option<String>,
    /// What it was started with: `module:function/arity`.
    pub initial_call: String,
    /// Where it was: `module:function/arity`, or `undefined`.
    pub current_function: String,
    /// Messages it had not received.
    pub messages: usize,
    /// Reductions it had done.
    pub reductions: u64,
}

/// From `{Pid, Name | undefined, InitialCall, CurrentFunction, Messages, Reductions}`, the functions as binaries.
impl FromTerm for Remaining {
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<Remaining, Error> {
        let (pid, name, initial_call, current_function, messages, reductions) = reader.read(term)?;
        Ok(Remaining { pid, name, initial_call, current_function, messages, reductions })
    }
}

/// How long a call may take beyond the time that it is given itself.
const PATIENCE: Duration = Duration::from_millis(200);
/// How long the report may take beyond that: it comes at once, but on a machine that has no processor to spare. Without it nobody
/// knows what is left.
const PATIENCE_FOR_THE_REPORT: Duration = Duration::from_secs(2);
/// How long between two looks whether the threads have left.
const LOOK_EVERY: Duration = Duration::from_millis(1);

impl Vm {
    /// Ends the machine in order: asks its processes to end, as `exit(Pid, shutdown)` does, waits for them for at most `time`, and
    /// stops it.
    ///
    /// Asked are those that nobody inside the machine has started: supervisors end what they have started themselves, in their own
    /// order. Processes that are not linked to one of them are asked when half of the time has passed. What had not ended by then
    /// is in the report. One that traps exits gets `{'EXIT', Pid, shutdown}` from its parent and from itself, so that supervisors
    /// and servers end in order, `terminate/2` and all, also if what has started them is gone. Mailboxes are not asked, and not
    /// waited for; what processes send them as they end can still be received.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use std::time::Duration;
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// vm.spawn("timer", "sleep", (60_000,))?;
    /// let report = vm.shutdown(Duration::from_secs(5))?;
    /// assert!(report.is_clean(), "{report:?}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::WouldBlockScheduler`] on a thread that runs processes. A machine that is over already has ended with an empty report.
    pub fn shutdown(&self, time: Duration) -> Result<ShutdownReport, Error> {
        if on_worker() {
            return Err(Error::WouldBlockScheduler);
        }
        let rt = self.rt();
        let deadline = self.deadline(time + PATIENCE);
        let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let asked =
            self.call_timeout(time + PATIENCE_FOR_THE_REPORT, "erlet_shutdown", "stop", (milliseconds,));
        let (remaining, unseen) = match asked {
            Ok(remaining) => (remaining, false),
            Err(Error::Stopped | Error::Halted(_)) => (Vec::new(), false),
            Err(Error::Timeout) => (Vec::new(), true),
            Err(error) => return Err(error),
        };
        self.flush_within(time);
        rt.stop();
        while rt.outside.threads() + rt.pool.outstanding() > 0
            && deadline.is_some_and(|deadline| rt.clock.now() < deadline)
            && !rt.clock.is_virtual()
        {
            std::thread::sleep(LOOK_EVERY);
        }
        Ok(ShutdownReport { remaining, unseen, jobs: rt.pool.outstanding(), threads: rt.outside.threads() })
    }
}

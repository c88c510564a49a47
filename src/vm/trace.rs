//! What happens in a machine, as events and spans of the crate `tracing` (feature `tracing`).
//!
//! A machine that is built with [`Builder::tracing`], where targets and fields stand, tells of itself; any other does nothing for it. Most of it
//! is told on threads of the machine's own, so the subscriber is taken where the machine is built.

use std::fmt::Display;
use std::sync::Arc;

use tracing::dispatcher::{self, Dispatch};
use tracing::field::Empty;
use tracing::subscriber::NoSubscriber;
use tracing::{debug, debug_span, info, trace, warn};

use super::{Builder, report};
use crate::atom::Atom;
use crate::heap::Fragment;
use crate::process::Ended;
use crate::runtime::Runtime;
use crate::runtime::log::{LogEvent, Sink};
use crate::runtime::watch::Happening;
use crate::term::{self, print};

/// Blocking work that takes longer than this is told of: what a person who waits would notice.
const SLOW_NS: u64 = 100_000_000;
const NS_PER_MS: u64 = 1_000_000;
const WORD_BYTES: u64 = 8;

impl Builder {
    /// Tell `tracing` what happens in this machine, under this name: calls of the host's as spans, and what is logged, fails, is loaded,
    /// passes a limit, is collected or blocks for long as events. What is logged then no longer goes to standard error; a sink
    /// ([`Builder::log`]) still gets it.
    ///
    /// Each has the field `vm`, this name. Targets and levels:
    ///
    /// | target | level | what | fields |
    /// |---|---|---|---|
    /// | `erlet::vm` | info | `started`, `ended` | `threads`; `status` if it was halted |
    /// | `erlet::log` | as logged | what programs log, and reports of the machine, as text | `process`, `dropped` |
    /// | `erlet::call` | debug | a span around each call of the host's | `module`, `function`, `pid`, `outcome`, `reason` |
    /// | `erlet::process` | debug | `started` by the host; `failed` with an error that nobody caught | `pid`, `module`, `function`; `reason` |
    /// | `erlet::limit` | warn | a process has passed a limit | `pid`, `quota`, `used`, `limit` |
    /// | `erlet::code` | debug | a module was `loaded` | `module` |
    /// | `erlet::pool` | warn | a `slow job`: blocking work of 100 ms and more | `kind`, `milliseconds` |
    /// | `erlet::heap` | trace | a process was `collected` in a slice | `pid`, `minor`, `major`, `freed_bytes` |
    ///
    /// They go to the subscriber that is the default where the machine is built, or, if there is none yet, to the global one.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).tracing("rules").build()?;
    /// let sum: i64 = vm.call("erlang", "+", (1, 2))?; // a span `call` with target `erlet::call`
    /// # assert_eq!(sum, 3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Cost
    /// Of a call: a span, if somebody wants it; of one that nobody wants, some nanoseconds.
    #[must_use]
    pub fn tracing(mut self, name: impl Into<String>) -> Builder {
        self.tracing = Some(Setting(name.into()));
        self
    }
}

/// A machine's name in what is told.
pub(super) struct Setting(String);

/// Who tells what happens.
pub(super) struct Tracer(Option<Arc<Told>>);

struct Told {
    vm: String,
    /// `None`: the default of whichever thread tells.
    dispatch: Option<Dispatch>,
}

impl Told {
    fn of(Setting(vm): Setting) -> Told {
        let dispatch = dispatcher::get_default(Dispatch::clone);
        Told { vm, dispatch: (!dispatch.is::<NoSubscriber>()).then_some(dispatch) }
    }

    /// Does what tells, where the right subscriber hears it.
    fn tell<R>(&self, what: impl FnOnce(&str) -> R) -> R {
        match &self.dispatch {
            Some(dispatch) => dispatcher::with_default(dispatch, || what(&self.vm)),
            None => what(&self.vm),
        }
    }

    fn log(&self, event: &LogEvent) {
        let LogEvent { level, text, process, dropped, .. } = event;
        let text = text.trim_end();
        macro_rules! tell {
            ($name:ident) => {
                self.tell(|vm| tracing::$name!(target: "erlet::log", vm, %process, dropped, "{text}"))
            };
        }
        match level.as_str() {
            "warning" => tell!(warn),
            "notice" | "info" => tell!(info),
            "debug" => tell!(debug),
            _ => tell!(error),
        }
    }

    fn happened(&self, what: Happening<'_>) {
        self.tell(|vm| match what {
            Happening::Failed { pid, reason } => {
                debug!(target: "erlet::process", vm, pid = %print::pid_text(pid), reason, "failed");
            }
            Happening::Limit { pid, quota, usage } => {
                let (used, limit) = usage.unzip();
                let pid = print::pid_text(pid);
                warn!(target: "erlet::limit", vm, %pid, quota = quota.name(), used, limit, "limit");
            }
            Happening::Collected { pid, minor, major, freed_words } => {
                let (pid, freed_bytes) = (print::pid_text(pid), freed_words * WORD_BYTES);
                trace!(target: "erlet::heap", vm, %pid, minor, major, freed_bytes, "collected");
            }
        });
    }
}

/// A sink that tells, and hands on to the embedder's.
pub(super) fn sink(setting: &Setting, mut other: Option<Sink>) -> Sink {
    let told = Told::of(Setting(setting.0.clone()));
    Box::new(move |event| {
        told.log(&event);
        if let Some(other) = &mut other {
            other(event);
        }
    })
}

impl Tracer {
    pub fn off() -> Tracer {
        Tracer(None)
    }

    /// Lets a machine that does not run yet tell of itself.
    pub fn start(setting: Setting, rt: &Arc<Runtime>) -> Tracer {
        let told = Arc::new(Told::of(setting));
        let threads = rt.config.workers;
        told.tell(|vm| info!(target: "erlet::vm", vm, threads, "started"));
        let teller = Arc::clone(&told);
        rt.watch(Box::new(move |what| teller.happened(what)));
        let teller = Arc::clone(&told);
        rt.on_halt(Box::new(move |status| {
            teller.tell(|vm| info!(target: "erlet::vm", vm, status, "ended"));
        }));
        let teller = Arc::clone(&told);
        rt.code.on_load(Box::new(move |module| {
            teller.tell(|vm| debug!(target: "erlet::code", vm, module, "loaded"));
        }));
        let teller = Arc::clone(&told);
        rt.pool.watch(Box::new(move |kind, nanoseconds| {
            if nanoseconds >= SLOW_NS {
                let (kind, milliseconds) = (kind.name(), nanoseconds / NS_PER_MS);
                teller.tell(|vm| warn!(target: "erlet::pool", vm, kind, milliseconds, "slow job"));
            }
        }));
        Tracer(Some(told))
    }

    /// The span of a call that begins.
    pub fn call(&self, rt: &Runtime, (module, function): (Atom, Atom)) -> Span {
        let Some(told) = &self.0 else { return Span::none() };
        let (module, function) = (rt.atoms.text(module), rt.atoms.text(function));
        Span(told.tell(|vm| {
            debug_span!(target: "erlet::call", "call", vm, module, function, pid = Empty, outcome = Empty, reason = Empty)
        }))
    }

    /// The host has started a process.
    pub fn spawned(&self, rt: &Runtime, (module, function): (Atom, Atom), pid: term::Pid) {
        let Some(told) = &self.0 else { return };
        let (module, function) = (rt.atoms.text(module), rt.atoms.text(function));
        let pid = print::pid_text(pid);
        told.tell(|vm| debug!(target: "erlet::process", vm, %pid, module, function, "started"));
    }
}

/// The time of a call.
#[derive(Clone)]
pub(super) struct Span(tracing::Span);

impl Span {
    pub fn none() -> Span {
        Span(tracing::Span::none())
    }

    pub fn in_scope<R>(&self, what: impl FnOnce() -> R) -> R {
        self.0.in_scope(what)
    }

    /// This process runs it.
    pub fn runs(&self, pid: term::Pid) {
        if !self.0.is_disabled() {
            self.0.record("pid", tracing::field::display(print::pid_text(pid)));
        }
    }

    /// It has ended.
    pub fn ended(&self, rt: &Runtime, ended: &Ended) {
        if self.0.is_disabled() {
            return;
        }
        let text = |reason: &Fragment| report::text(rt, reason.term());
        let (outcome, reason) = match ended {
            Ended::Returned(_) => ("returned", None),
            Ended::Raised(class, exception) => (class.name(), Some(text(exception))),
            Ended::Exited(reason) => ("exited", Some(text(reason))),
            Ended::Lost => ("lost", None),
        };
        self.0.record("outcome", outcome);
        if let Some(reason) = reason {
            self.0.record("reason", reason.as_str());
        }
    }

    /// Nobody waits for its end any more.
    pub fn given_up(&self, why: impl Display) {
        if !self.0.is_disabled() {
            self.0.record("outcome", tracing::field::display(why));
        }
    }
}

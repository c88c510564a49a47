//! Looking at a machine while it runs.

use super::Vm;
use super::options::ProcessOptions;
use crate::error::Error;
use crate::limits::{Capabilities, Quota};
use crate::value::{Atom, Pid, Value};

/// What a process is doing: an answer of [`Vm::process_info`].
///
/// ```
/// # fn main() -> Result<(), erlet::Error> {
/// let vm = erlet::Vm::builder().threads(0).build()?;
/// let pid = vm.spawn("timer", "sleep", (1000,))?;
/// vm.run_until_idle()?;
/// let info = vm.process_info(&pid)?.expect("it sleeps");
/// assert_eq!((info.status.as_str(), info.messages), ("waiting", 0));
/// assert!(info.memory_bytes > 0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProcessInfo {
    /// The name it is registered with.
    pub name: Option<String>,
    /// `running`, `runnable`, `waiting`, `suspended`, `exiting`, `garbage_collecting`.
    pub status: String,
    /// The function it is in, as `Module:Function/Arity`.
    pub current_function: String,
    /// The function it began with.
    pub initial_call: String,
    /// Messages in its mailbox.
    pub messages: u64,
    /// Bytes of its heap, stack and record.
    pub memory_bytes: u64,
    /// Reductions it has done.
    pub reductions: u64,
    /// Processes and ports it is linked to.
    pub links: u64,
    /// Whether it traps exits.
    pub traps_exits: bool,
}

/// What a machine holds and has done: an answer of [`Vm::metrics`].
///
/// ```
/// let vm = erlet::Vm::builder().threads(0).limits(erlet::Limits::new().memory(1 << 30)).build()?;
/// let metrics = vm.metrics();
/// assert_eq!(metrics.memory_limit_bytes, 1 << 30);
/// assert!(metrics.memory_bytes < 1 << 30 && metrics.atoms > 100);
/// # Ok::<(), erlet::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metrics {
    /// What was done since the machine was made.
    pub done: super::Statistics,
    /// Processes alive, the machine's own among them.
    pub processes: u64,
    /// Processes that could run and wait for a thread.
    pub run_queue: u64,
    /// Atoms.
    pub atoms: u64,
    /// Tables of `ets`.
    pub tables: u64,
    /// Bytes of heaps, mailboxes, tables and shared binaries, up to 64 KB for each process.
    pub memory_bytes: u64,
    /// Most bytes there may be.
    pub memory_limit_bytes: u64,
    /// Nanoseconds since the machine was made.
    pub uptime_ns: u64,
}

/// What is asked of a process.
const ITEMS: [&str; 9] = [
    "registered_name",
    "status",
    "current_function",
    "initial_call",
    "message_queue_len",
    "memory",
    "reductions",
    "links",
    "trap_exit",
];

impl Vm {
    /// The processes alive at this moment, in no order that means anything; the machine's own servers are among them.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).build()?;
    /// let pid = vm.spawn("timer", "sleep", (1000,))?;
    /// assert!(vm.processes().contains(&pid));
    /// # Ok(())
    /// # }
    /// ```
    pub fn processes(&self) -> Vec<Pid> {
        let rt = self.rt();
        rt.slots.pids().into_iter().map(|pid| Pid::new(rt.identity, pid)).collect()
    }

    /// Asks a process what it is doing; `None` if it has ended. The process answers between two slices, so one in a long native
    /// answers when that is done. The question itself is not subject to the machine's limits.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).build()?;
    /// let pid = vm.spawn("lists", "seq", (1, 2))?;
    /// vm.run_until_idle()?;
    /// assert_eq!(vm.process_info(&pid)?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::OtherVm`] for a pid of another machine, and those of [`Vm::call`].
    pub fn process_info(&self, pid: &Pid) -> Result<Option<ProcessInfo>, Error> {
        let items: Vec<Atom> = ITEMS.iter().map(|name| Atom::new(name)).collect();
        let options = ProcessOptions::new().of_the_machine(Capabilities::none());
        let answer: Value = self.call_with(&options, "erlang", "process_info", (*pid, items))?;
        let Some(pairs) = answer.as_list() else { return Ok(None) };
        let value = |name: &str| {
            let pair = pairs.iter().find(|pair| {
                pair.as_tuple().and_then(|pair| pair.first()).and_then(Value::as_atom) == Some(name)
            });
            pair.and_then(Value::as_tuple).and_then(|pair| pair.get(1)).cloned().unwrap_or(Value::Int(0))
        };
        let number = |name| value(name).as_int().and_then(|number| u64::try_from(number).ok()).unwrap_or(0);
        let text = |name| value(name).as_atom().map(str::to_owned);
        Ok(Some(ProcessInfo {
            name: text("registered_name"),
            status: text("status").unwrap_or_default(),
            current_function: function(&value("current_function")),
            initial_call: function(&value("initial_call")),
            messages: number("message_queue_len"),
            memory_bytes: number("memory"),
            reductions: number("reductions"),
            links: value("links").as_list().map_or(0, |links| links.len() as u64),
            traps_exits: text("trap_exit").as_deref() == Some("true"),
        }))
    }

    /// The functions that a loaded module exports, with their arities: for a host that wants to know what a script offers before it calls
    /// it. `None` if no such module is loaded; one of the library's is loaded when it is first called.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).build()?;
    /// vm.load_source("plugin.erl", "-module(plugin). -export([on_start/0, on_event/2]). on_start() -> ok. on_event(_, S) -> S.")?;
    /// let offers = |name, arity| vm.exports("plugin").is_some_and(|all| all.contains(&(erlet::Atom::new(name), arity)));
    /// assert!(offers("on_event", 2) && !offers("on_stop", 0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn exports(&self, module: &str) -> Option<Vec<(Atom, usize)>> {
        let rt = self.rt();
        let loaded = rt.code.module(rt.atoms.existing(module)?)?;
        let exported = loaded.functions().iter().filter(|function| function.exported);
        Some(exported.map(|f| (Atom::new(rt.atoms.text(f.name)), usize::from(f.arity))).collect())
    }

    /// What the machine holds and has done, as plain numbers. Cheap: nothing is stopped and no process is asked.
    ///
    /// ```
    /// let vm = erlet::Vm::builder().threads(0).build()?;
    /// println!("{} processes", vm.metrics().processes);
    /// # Ok::<(), erlet::Error>(())
    /// ```
    pub fn metrics(&self) -> Metrics {
        let rt = self.rt();
        let memory = rt.account.usage(Quota::Memory);
        Metrics {
            done: self.statistics(),
            processes: rt.slots.count() as u64,
            run_queue: rt.queues.len() as u64,
            atoms: u64::from(rt.atoms.count()),
            tables: rt.tables.all().len() as u64,
            memory_bytes: rt.account.bytes() as u64,
            memory_limit_bytes: memory.map_or(u64::MAX, |memory| memory.limit),
            uptime_ns: rt.clock.now(),
        }
    }
}

/// `{Module, Function, Arity}` as it is written.
fn function(value: &Value) -> String {
    let parts = value.as_tuple().map(|parts| parts.iter().map(ToString::to_string).collect::<Vec<_>>());
    match parts.as_deref() {
        Some([module, function, arity]) => format!("{module}:{function}/{arity}"),
        _ => value.to_string(),
    }
}

//! Options of processes that Rust starts.

use crate::atom::known;
use crate::error::Error;
use crate::heap::Account;
use crate::limits::{Capabilities, Limits};
use crate::process;
use crate::runtime::limits::Narrowing;
use crate::runtime::{Runtime, SpawnOptions};
use crate::term::Word;
use crate::value::Pid;

/// Scheduling priority of a process.
///
/// ```
/// let options = erlet::ProcessOptions::new().priority(erlet::Priority::Low);
/// # let _ = options;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Priority {
    /// Runs when others have had their turn: every eighth pick.
    Low,
    /// As any process that asks for nothing.
    #[default]
    Normal,
    /// Runs before all of lower priority, however many they are.
    High,
}

/// How a process that Rust starts is to run: see [`Vm::call_with`](crate::Vm::call_with) and
/// [`Vm::spawn_with`](crate::Vm::spawn_with).
///
/// ```
/// use erlet::{Priority, ProcessOptions};
/// let options = ProcessOptions::new().priority(Priority::High).trap_exit(true);
/// # let _ = options;
/// ```
#[derive(Clone, Debug, Default)]
pub struct ProcessOptions {
    priority: Priority,
    trap_exit: bool,
    group_leader: Option<Pid>,
    limits: Limits,
    capabilities: Option<Capabilities>,
    own: Option<Capabilities>,
}

impl ProcessOptions {
    /// The defaults: normal priority, no trapping of exits, the machine's standard output as group leader.
    ///
    /// ```
    /// let options = erlet::ProcessOptions::new();
    /// # let _ = options;
    /// ```
    #[must_use]
    pub fn new() -> ProcessOptions {
        ProcessOptions::default()
    }

    /// Its priority.
    ///
    /// ```
    /// let options = erlet::ProcessOptions::new().priority(erlet::Priority::Low);
    /// # let _ = options;
    /// ```
    #[must_use]
    pub fn priority(mut self, priority: Priority) -> ProcessOptions {
        self.priority = priority;
        self
    }

    /// Whether it traps exits from the beginning, as after `process_flag(trap_exit, true)`.
    ///
    /// ```
    /// let options = erlet::ProcessOptions::new().trap_exit(true);
    /// # let _ = options;
    /// ```
    #[must_use]
    pub fn trap_exit(mut self, traps: bool) -> ProcessOptions {
        self.trap_exit = traps;
        self
    }

    /// Its group leader: the process that gets what it prints as I/O requests, a mailbox for example. Processes that it spawns
    /// inherit it.
    ///
    /// ```
    /// fn quiet(nobody: erlet::Pid) -> erlet::ProcessOptions {
    ///     erlet::ProcessOptions::new().group_leader(nobody)
    /// }
    /// ```
    #[must_use]
    pub fn group_leader(mut self, leader: Pid) -> ProcessOptions {
        self.group_leader = Some(leader);
        self
    }

    /// Limits of the process and all it spawns, within those of the machine. What passes one ends with `{limit, What}`.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use erlet::{Error, Limits, ProcessOptions, Value, Vm};
    /// let vm = Vm::builder().threads(0).build()?;
    /// let options = ProcessOptions::new().limits(Limits::new().reductions(10_000));
    /// let ended = vm.call_with::<Value>(&options, "lists", "sum", (vec![1; 1_000_000],));
    /// assert!(matches!(ended, Err(Error::Exit(reason)) if reason.to_string() == "{limit,reductions}"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> ProcessOptions {
        self.limits = limits;
        self
    }

    /// What the process and all it spawns may touch of the world, within what the machine may.
    ///
    /// ```
    /// let options = erlet::ProcessOptions::new().capabilities(erlet::Capabilities::none());
    /// # let _ = options;
    /// ```
    #[must_use]
    pub fn capabilities(mut self, capabilities: Capabilities) -> ProcessOptions {
        self.capabilities = Some(capabilities);
        self
    }

    /// For what the machine does itself: no limits but those of this process, and these rights.
    pub(super) fn of_the_machine(mut self, rights: Capabilities) -> ProcessOptions {
        self.own = Some(rights);
        self
    }

    /// The same for the runtime.
    pub(super) fn for_spawn(&self, rt: &Runtime) -> Result<SpawnOptions, Error> {
        let group_leader = match self.group_leader {
            Some(leader) if leader.machine != rt.identity => return Err(Error::OtherVm),
            Some(leader) => Some(Word::pid(leader.raw)),
            None => rt.names.get(known::USER),
        };
        let priority = match self.priority {
            Priority::Low => process::Priority::Low,
            Priority::Normal => process::Priority::Normal,
            Priority::High => process::Priority::High,
        };
        let narrowing = (!self.limits.is_empty() || self.capabilities.is_some()).then(|| {
            Box::new(Narrowing { limits: self.limits.clone(), capabilities: self.capabilities.clone() })
        });
        Ok(SpawnOptions {
            narrowing,
            account: self.own.clone().map(|rights| Account::of_servers(&rt.account, rights)),
            priority: Some(priority),
            trap_exit: self.trap_exit,
            group_leader,
            ..SpawnOptions::default()
        })
    }
}

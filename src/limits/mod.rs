//! What a program may use and what it may touch: plain data, which accounts keep (`heap::account`) and everything above asks.
//!
//! # Limits
//! [`Limits`] cap what a machine, or a process together with all it spawns, uses of ten quantities ([`Quota`]). What passes one ends
//! the process that did so, and no other, with the exit reason `{limit, Quota}`, which the process itself cannot catch and
//! those linked to it see; a report says who, and how much. A process inherits the limits of its parent and may set narrower
//! ones for what it spawns, never wider ones: what a child uses is counted for all above it.
//!
//! # Capabilities
//! [`Capabilities`] say what of the world outside the machine a process may touch: files below some directories, addresses of a
//! network, environment variables, other programs, the time of day, code, the end of the machine. They are inherited and
//! narrowed in the same way. Each row of the table of natives (`bif::table`) names the one it needs, and functions of the host
//! [ask](crate::Context::capabilities) for those of their caller.
//!
//! # What isolates, and what does not
//! Limits within a machine give robustness, not secrecy: names, code, public tables and persistent terms are shared by all
//! processes of a machine, and any process can send to, link to, monitor or end (`exit/2`) any other whose pid or name it
//! knows. What an untrusted process sends to a trusted one is in the trusted one's mailbox. Code that is not trusted gets a
//! machine of its own, which shares nothing with others but memory and time, and those are capped by its limits.
//!
//! What natives let a tree without rights do to its neighbours in the machine, and what they do not, kind by kind:
//! - *Computing* (all rows that are `guard` or `pure`): reductions in proportion to the work, memory before it is taken; what
//!   is long leaves the worker, asks the limits every few milliseconds there, and can be killed.
//! - *Processes*: `spawn` and its kin within the limits of processes and memory. A process with limits gets no more than
//!   normal priority, whatever it asks for, so that it takes turns with its neighbours. It may end, link to, monitor, suspend (as
//!   long as it lives), collect and look at any process, and change its group leader; but not one of the machine's own servers
//!   (`user`, `standard_error`, `logger`, `code_server`), which nobody ends, stops or leads, and whose names only who has the right to
//!   code takes away. What those run on behalf of others, such as functions named in I/O requests or handlers of the logger, runs
//!   in processes with the machine's limits and without rights of the servers'.
//! - *Messages*: the receiver holds them. One with limits ends when it has too many; one without is flooded until the memory
//!   of the machine is used up, when whoever asks for more ends, the sender among the first. Mailboxes of the host count so too.
//! - *Tables, persistent terms, counters, timers, aliases*: counted as memory, the first two as `ets_bytes` as well. Protected
//!   and private tables are safe from others; public ones, and persistent terms, are everybody's, but for those of the logger, which a
//!   tree with limits or rights of its own may not change without the right to code.
//! - *Code*: loaded, replaced and purged with the right to; modules of the library and of the builder's sources, when they are first
//!   called, without.
//! - *Input and output*: output is counted, also what goes past the servers, and log events. Input needs no right: it comes from where
//!   the [builder](crate::Builder::stdin) says, which by default is where the host's own does.
//! - *Time*: see [`Capabilities::clock`]. *Chance*, unique integers and references need no right.
//! - *Facts* about the machine and its host (`system_info`, `statistics`, `memory`, `os:type/0`, `os:version/0`, `os:getpid/0`) are told
//!   to everybody.
//! - *Functions of the host* do what the host lets them. Their arguments and results are work and memory of the caller.

pub mod capabilities;
mod network;
mod place;

pub use capabilities::{Access, Capabilities};
pub use network::Direction;
pub(crate) use place::Place;

use std::time::Duration;

macro_rules! quotas {
    ($($(#[$doc:meta])* $name:ident $text:literal;)*) => {
        /// What is counted and limited.
        ///
        /// ```
        /// use erlet::limits::Quota;
        /// assert_eq!(Quota::EtsBytes.name(), "ets_bytes");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Quota { $($(#[$doc])* $name),* }

        impl Quota {
            /// All of them.
            pub const ALL: &[Quota] = &[$(Quota::$name),*];

            /// Its name in Erlang: the key of the `limits` map, and the second element of the exit reason.
            pub const fn name(self) -> &'static str {
                match self { $(Quota::$name => $text),* }
            }
        }
    };
}

quotas! {
    /// Bytes of heaps, mailboxes, tables and shared binaries.
    Memory "memory";
    /// Messages in the mailbox of each process.
    MailboxMessages "mailbox_messages";
    /// Bytes of the messages in the mailbox of each process.
    MailboxBytes "mailbox_bytes";
    /// Reductions: work done, about a function call each.
    Reductions "reductions";
    /// Time since the limit was set.
    WallTime "wall_time";
    /// Processes alive at a time.
    Processes "processes";
    /// Atoms that did not exist before.
    Atoms "atoms";
    /// Bytes of tables alone, persistent terms among them.
    EtsBytes "ets_bytes";
    /// Bytes put out to standard output and standard error.
    OutputBytes "output_bytes";
    /// Files open at a time.
    OpenFiles "open_files";
}

const QUOTAS: usize = Quota::ALL.len();

impl Quota {
    /// The quota of that name.
    ///
    /// ```
    /// use erlet::limits::Quota;
    /// assert_eq!(Quota::named("atoms"), Some(Quota::Atoms));
    /// assert_eq!(Quota::named("wishes"), None);
    /// ```
    pub fn named(name: &str) -> Option<Quota> {
        Quota::ALL.iter().copied().find(|quota| quota.name() == name)
    }
}

/// Most that a machine, or a tree of processes, may use; what is not set has no limit of its own.
///
/// ```
/// use erlet::limits::{Limits, Quota};
/// use std::time::Duration;
///
/// let limits = Limits::new().memory(16 << 20).reductions(50_000_000).wall_time(Duration::from_secs(2));
/// assert_eq!(limits.get(Quota::Memory), Some(16 << 20));
/// assert_eq!(limits.get(Quota::Atoms), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    values: [Option<u64>; QUOTAS],
}

impl Limits {
    /// No limits.
    ///
    /// ```
    /// assert!(erlet::limits::Limits::new().is_empty());
    /// ```
    pub fn new() -> Limits {
        Limits::default()
    }

    /// The limit of a quota; of wall time, in nanoseconds.
    ///
    /// ```
    /// use erlet::limits::{Limits, Quota};
    /// assert_eq!(Limits::new().processes(10).get(Quota::Processes), Some(10));
    /// ```
    pub fn get(&self, quota: Quota) -> Option<u64> {
        self.values[quota as usize]
    }

    /// Sets the limit of a quota; of wall time, in nanoseconds.
    ///
    /// ```
    /// use erlet::limits::{Limits, Quota};
    /// assert_eq!(Limits::new().with(Quota::Atoms, 100), Limits::new().atoms(100));
    /// ```
    #[must_use]
    pub fn with(mut self, quota: Quota, most: u64) -> Limits {
        self.values[quota as usize] = Some(most);
        self
    }

    /// Whether nothing is limited.
    ///
    /// ```
    /// assert!(!erlet::limits::Limits::new().atoms(1).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.values.iter().all(Option::is_none)
    }

    /// Most bytes of heaps, mailboxes, tables and shared binaries together. What a process holds is counted when it passes
    /// 64 KB and whenever it stops running, so the figure is exact to that much for each worker.
    ///
    /// ```
    /// let limits = erlet::Limits::new().memory(64 << 20);
    /// ```
    #[must_use]
    pub fn memory(self, bytes: u64) -> Limits {
        self.with(Quota::Memory, bytes)
    }

    /// Most messages in the mailbox of each single process; its owner ends, not the sender.
    ///
    /// ```
    /// let limits = erlet::Limits::new().mailbox_messages(100_000);
    /// ```
    #[must_use]
    pub fn mailbox_messages(self, messages: u64) -> Limits {
        self.with(Quota::MailboxMessages, messages)
    }

    /// Most bytes of messages in the mailbox of each single process; its owner ends, not the sender.
    ///
    /// ```
    /// let limits = erlet::Limits::new().mailbox_bytes(1 << 20);
    /// ```
    #[must_use]
    pub fn mailbox_bytes(self, bytes: u64) -> Limits {
        self.with(Quota::MailboxBytes, bytes)
    }

    /// Most reductions (units of work, about a function call each) done together. A call takes some nanoseconds; of what natives and
    /// the pool of threads do, a quarter of a microsecond is a reduction, so that this bounds time, too.
    ///
    /// ```
    /// let limits = erlet::Limits::new().reductions(10_000_000);
    /// ```
    #[must_use]
    pub fn reductions(self, reductions: u64) -> Limits {
        self.with(Quota::Reductions, reductions)
    }

    /// Longest time by the machine's clock from when the limit is set: all processes it is for end then, also those that wait.
    ///
    /// ```
    /// let limits = erlet::Limits::new().wall_time(std::time::Duration::from_millis(500));
    /// ```
    #[must_use]
    pub fn wall_time(self, time: Duration) -> Limits {
        self.with(Quota::WallTime, u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
    }

    /// Most processes alive at a time; whoever spawns one more ends.
    ///
    /// ```
    /// let limits = erlet::Limits::new().processes(100);
    /// ```
    #[must_use]
    pub fn processes(self, processes: u64) -> Limits {
        self.with(Quota::Processes, processes)
    }

    /// Most new atoms; those that exist already (of the libraries, of loaded code) are not counted.
    ///
    /// ```
    /// let limits = erlet::Limits::new().atoms(1000);
    /// ```
    #[must_use]
    pub fn atoms(self, atoms: u64) -> Limits {
        self.with(Quota::Atoms, atoms)
    }

    /// Most bytes of the rows of tables, and of persistent terms.
    ///
    /// ```
    /// let limits = erlet::Limits::new().ets_bytes(8 << 20);
    /// ```
    #[must_use]
    pub fn ets_bytes(self, bytes: u64) -> Limits {
        self.with(Quota::EtsBytes, bytes)
    }

    /// Most files open at a time, and commands running (`os:cmd/1`), each of which has a pipe; whoever opens one more ends.
    /// A file is closed when it is closed, when no term refers to it any more, and at the latest with the process that opened it.
    ///
    /// ```
    /// let limits = erlet::Limits::new().open_files(16);
    /// ```
    #[must_use]
    pub fn open_files(self, files: u64) -> Limits {
        self.with(Quota::OpenFiles, files)
    }

    /// Most bytes put out.
    ///
    /// ```
    /// let limits = erlet::Limits::new().output_bytes(64 * 1024);
    /// ```
    #[must_use]
    pub fn output_bytes(self, bytes: u64) -> Limits {
        self.with(Quota::OutputBytes, bytes)
    }
}

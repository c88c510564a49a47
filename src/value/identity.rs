//! Names that mean something in one machine only: pids, ports, references.

use std::fmt;

use crate::term::print;
use crate::term::{self, Word};

/// A process (or a mailbox) of one machine.
///
/// It carries which machine it belongs to: given to another one, it is refused with [`Error::OtherVm`](crate::Error::OtherVm).
///
/// ```
/// fn names(pid: erlet::Pid) -> String {
///     pid.to_string() // "<0.83.0>", as Erlang prints it
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pid {
    pub(crate) machine: u64,
    pub(crate) raw: term::Pid,
}

impl Pid {
    pub(crate) fn new(machine: u64, raw: term::Pid) -> Pid {
        Pid { machine, raw }
    }
}

impl fmt::Display for Pid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&print::pid_text(self.raw))
    }
}

impl fmt::Debug for Pid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Pids are ordered by machine, then as Erlang orders them.
impl Ord for Pid {
    fn cmp(&self, other: &Pid) -> std::cmp::Ordering {
        let key = |pid: &Pid| (pid.machine, pid.raw.serial(), pid.raw.index());
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Pid {
    fn partial_cmp(&self, other: &Pid) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// A port of one machine.
///
/// ```
/// fn names(port: erlet::Port) -> String {
///     port.to_string()
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Port {
    pub(crate) machine: u64,
    pub(crate) raw: term::Port,
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#Port<0.{}>", self.raw.index())
    }
}

impl fmt::Debug for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Ord for Port {
    fn cmp(&self, other: &Port) -> std::cmp::Ordering {
        let key = |port: &Port| (port.machine, Word::port(port.raw).bits());
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Port {
    fn partial_cmp(&self, other: &Port) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// A reference of one machine: what `make_ref/0` and `monitor/2` give, or the name of a host object.
///
/// ```
/// fn names(reference: erlet::Reference) -> String {
///     reference.to_string()
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reference {
    pub(crate) machine: u64,
    pub(crate) unique: u64,
    pub(crate) owner: Option<OwnerPid>,
}

/// Which process made a reference, in an order of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct OwnerPid(u64);

impl OwnerPid {
    pub(crate) fn of(pid: term::Pid) -> OwnerPid {
        OwnerPid(Word::pid(pid).bits())
    }

    pub(crate) fn pid(self) -> Option<term::Pid> {
        Word::from_bits(self.0).as_pid()
    }
}

impl Reference {
    pub(crate) fn new(machine: u64, unique: u64, owner: Option<term::Pid>) -> Reference {
        Reference { machine, unique, owner: owner.map(OwnerPid::of) }
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [high, middle, low] = print::ref_parts(self.unique);
        write!(f, "#Ref<0.{high}.{middle}.{low}>")
    }
}

impl fmt::Debug for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

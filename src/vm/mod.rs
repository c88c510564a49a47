//! The machine, as the host sees it: build it, load code, call it, speak to its processes, stop it.
//!
//! A [`Vm`] is a handle; clones are the same machine. It is built by a [`Builder`]. With threads of its own it runs by itself; with
//! `threads(0)` or a seed it runs only while its owner drives it ([`Vm::call`], [`Vm::run_until_idle`], [`Vm::poll`]). Dropping
//! the last handle stops it: its threads leave within a slice, and whoever leaves last frees everything, so that handles may be
//! dropped anywhere, also on one of the machine's own threads.
//!
//! - [`call`]: calling functions, waiting or not. [`program`]: running a whole program.
//! - [`process`]: starting, naming, watching processes; [`mailbox`]: being one.
//! - [`wait`]: how threads of the host wait. [`machine`]: what all handles share.

mod builder;
mod call;
mod common;
#[cfg(feature = "compiler")]
mod compile;
mod diagnostics;
mod drive;
#[cfg(feature = "compiler")]
mod eval;
mod function;
mod introspect;
mod load;
mod loader;
mod machine;
mod mailbox;
mod options;
mod pool;
mod process;
mod program;
#[cfg(feature = "metrics")]
mod publish;
mod report;
mod shutdown;
#[cfg(feature = "tracing")]
mod trace;
#[cfg(not(feature = "tracing"))]
#[path = "untraced.rs"]
mod trace;
mod wait;

pub use crate::runtime::log::LogEvent;
pub use builder::{Builder, Stress};
pub use call::Call;
pub use diagnostics::{Diagnostic, Diagnostics, Level};
pub use drive::Progress;
#[cfg(feature = "compiler")]
pub use eval::Bindings;
pub use introspect::{Metrics, ProcessInfo};
pub use load::Loaded;
pub use loader::{Code, Loader};
pub use mailbox::Mailbox;
pub use options::{Priority, ProcessOptions};
pub use pool::Pool;
pub use process::Monitor;
pub use program::Outcome;
pub use shutdown::{Remaining, ShutdownReport};

pub use crate::error::Error;
pub use crate::host::Host;
pub use crate::runtime::statistics::Statistics;
pub use crate::value::Value;

use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::atom::Atom;
use crate::code;
use crate::runtime::Runtime;
use machine::Machine;

/// A handle of a virtual machine; clones are the same machine.
///
/// Handles may be sent to and used by any thread at the same time. The machine lives until the last handle is dropped. What runs
/// inside it and speaks of it, such as host functions, must hold a [`WeakVm`], or the machine would keep itself alive.
///
/// ```
/// # fn main() -> Result<(), erlet::Error> {
/// let vm = erlet::Vm::builder().threads(1).build()?;
/// let other = vm.clone();
/// let sum: i64 = std::thread::spawn(move || other.call("lists", "sum", (vec![1, 2, 3],))).join().unwrap()?;
/// assert_eq!(sum, 6);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Vm(Arc<Machine>);

/// A handle that does not keep the machine alive, for what runs inside it.
///
/// ```
/// # fn main() -> Result<(), erlet::Error> {
/// let vm = erlet::Vm::builder().threads(0).build()?;
/// let weak = vm.downgrade();
/// assert!(weak.upgrade().is_some());
/// drop(vm);
/// assert!(weak.upgrade().is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct WeakVm(Weak<Machine>);

impl WeakVm {
    /// A handle, if the machine still lives.
    ///
    /// ```
    /// assert!(erlet::WeakVm::default().upgrade().is_none());
    /// ```
    pub fn upgrade(&self) -> Option<Vm> {
        self.0.upgrade().map(Vm)
    }
}

impl std::fmt::Debug for WeakVm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WeakVm").field("lives", &(self.0.strong_count() > 0)).finish()
    }
}

impl std::fmt::Debug for Vm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rt = self.rt();
        f.debug_struct("Vm").field("processes", &rt.slots.count()).field("is_over", &rt.is_over()).finish()
    }
}

impl Vm {
    /// A builder with the defaults: one thread for each usable core.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().build()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// A handle that does not keep the machine alive.
    ///
    /// ```
    /// fn keep(vm: &erlet::Vm) -> erlet::WeakVm {
    ///     vm.downgrade()
    /// }
    /// ```
    pub fn downgrade(&self) -> WeakVm {
        WeakVm(Arc::downgrade(&self.0))
    }

    /// The handle of the machine whose services these are, while there is one.
    #[doc(hidden)]
    pub fn of(rt: &Runtime) -> Option<Vm> {
        rt.embedder()?.downcast::<Machine>().ok().map(Vm)
    }

    fn new(machine: Machine) -> Vm {
        let machine = Arc::new(machine);
        let weak = Arc::downgrade(&machine);
        machine.rt.set_embedder(weak);
        Vm(machine)
    }

    fn machine(&self) -> &Machine {
        &self.0
    }

    pub(crate) fn rt(&self) -> &Runtime {
        &self.0.rt
    }

    /// The machine's services, for the rest of this crate's tools.
    #[doc(hidden)]
    pub fn runtime(&self) -> &Arc<Runtime> {
        &self.0.rt
    }

    /// The internal code of a loaded module as text; `None` if no module of that name is loaded.
    #[doc(hidden)]
    pub fn disassemble(&self, module: &str) -> Option<String> {
        let rt = self.rt();
        let loaded = rt.code.module(rt.atoms.existing(module)?)?;
        Some(code::disasm::text(&loaded, &rt.code, &rt.atoms))
    }

    /// Atoms that exist and begin so, at most so many.
    #[doc(hidden)]
    pub fn atoms_beginning(&self, begun: &str, most: usize) -> Vec<String> {
        let atoms = &self.rt().atoms;
        let texts = (0..atoms.count()).map(|index| atoms.text(Atom::from_index(index)));
        texts.filter(|text| text.starts_with(begun)).take(most).map(str::to_owned).collect()
    }

    /// Reads a value as another type: what was kept as a [`Value`], or found inside of one, as what it is for.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use erlet::{Value, Vm};
    /// let vm = Vm::builder().threads(0).build()?;
    /// let answer: Value = vm.call("lists", "zip", (vec![1, 2], vec!["a", "b"]))?;
    /// let pairs: Vec<(i64, String)> = vm.convert(&answer)?;
    /// assert_eq!(pairs, [(1, "a".to_owned()), (2, "b".to_owned())]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Conversion`] if it is no `T`, [`Error::OtherVm`] if there is something of another machine in it, [`Error::Limit`].
    ///
    /// # Cost
    /// It is made a term and read again.
    pub fn convert<T: crate::FromTerm>(&self, value: impl crate::IntoTerm) -> Result<T, Error> {
        let rt = self.rt();
        let made = crate::value::fragment(rt, &rt.account, |maker| value.into_term(maker))?;
        T::from_term(made.term(), &crate::TermReader::new(rt))
    }

    /// What the machine has done so far: the sum over its workers, right at this moment but for slices that are running.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).build()?;
    /// let before = vm.statistics().spawned;
    /// vm.call::<i64>("erlang", "abs", (-1,))?;
    /// assert_eq!(vm.statistics().spawned, before + 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn statistics(&self) -> Statistics {
        self.rt().counts.sum()
    }

    /// Blocks until everything put out so far is written.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).build()?;
    /// vm.call::<()>("io", "format", (erlet::Charlist::from("hello~n"),))?;
    /// vm.flush();
    /// # Ok(())
    /// # }
    /// ```
    pub fn flush(&self) {
        self.rt().stdout.flush();
        self.rt().stderr.flush();
    }

    /// Blocks until everything put out so far is written, or this time has passed.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).build()?;
    /// vm.flush_within(std::time::Duration::from_secs(1));
    /// # Ok(())
    /// # }
    /// ```
    pub fn flush_within(&self, time: Duration) {
        self.rt().stdout.flush_within(time);
        self.rt().stderr.flush_within(time);
    }

    /// Stops the machine at once; no process runs again. Dropping the last handle does the same; [`Vm::shutdown`] lets processes end in
    /// their own way.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// vm.stop();
    /// assert!(matches!(vm.call::<i64>("erlang", "abs", (-1,)), Err(erlet::Error::Stopped)));
    /// # Ok(())
    /// # }
    /// ```
    pub fn stop(&self) {
        self.rt().stop();
    }

    /// Ends the machine as a program's `halt(Status)` does.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// vm.halt(2);
    /// assert!(matches!(vm.call::<i64>("erlang", "abs", (-1,)), Err(erlet::Error::Halted(2))));
    /// # Ok(())
    /// # }
    /// ```
    pub fn halt(&self, status: i32) {
        self.rt().halt(status);
    }
}

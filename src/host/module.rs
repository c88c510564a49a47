//! Modules of host functions: made as bytecode whose functions call the native that knows the closures.

use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;

use erlet_lang::bytecode::{AtomIx, Function, Import, ImportIx, Instr, Module, Reg, Src};
use erlet_lang::notes::{Entry, Kind, Notes};
use erlet_lang::verify::verify;

use super::function::{Awaiting, Blocking, HostFn, Quick};
use crate::code::{self, LoadError};
use crate::error::Error;
use crate::runtime::host::HostFunction;
use crate::value::{Atom, IntoTerm, intern};
use crate::vm::Vm;

/// A future as executors are given it.
pub(crate) type BoxFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Most arguments of a host function.
const MAX_ARITY: usize = 8;

/// A module of host functions under construction; see [`host`](crate::host).
///
/// ```
/// # let vm = erlet::vm::Vm::builder().threads(0).build()?;
/// vm.module("calc")
///     .function("add", |a: i64, b: i64| a + b)
///     .function("add", |a: i64, b: i64, c: i64| a + b + c)
///     .install()?;
/// # Ok::<(), erlet::Error>(())
/// ```
#[must_use = "nothing is there before `install`"]
pub struct ModuleBuilder<'v> {
    vm: &'v Vm,
    name: String,
    text: String,
    functions: Vec<Row>,
}

/// A function of a module under construction.
struct Row {
    name: String,
    arity: usize,
    text: String,
    function: Box<dyn HostFunction>,
}

impl<'v> ModuleBuilder<'v> {
    pub(super) fn new(vm: &'v Vm, name: &str) -> ModuleBuilder<'v> {
        ModuleBuilder { vm, name: name.to_owned(), text: String::new(), functions: Vec::new() }
    }

    /// Says what the function added last does or, before there is one, what the module is for: text for readers, that a shell shows for
    /// `h(Module)` and `h(Module, Function)`.
    ///
    /// ```
    /// # let vm = erlet::vm::Vm::builder().threads(0).build()?;
    /// vm.module("calc")
    ///     .doc("Sums.")
    ///     .function("add", |a: i64, b: i64| a + b)
    ///     .doc("The sum of two integers.")
    ///     .install()?;
    /// # Ok::<(), erlet::Error>(())
    /// ```
    pub fn doc(mut self, text: &str) -> Self {
        let place = self.functions.last_mut().map_or(&mut self.text, |row| &mut row.text);
        text.clone_into(place);
        self
    }

    /// Adds a function that runs on the worker that runs its caller. It must not wait and should take no longer than some
    /// microseconds: other processes wait meanwhile. (Arguments of some ten thousand words, which take long to read, are read by a thread
    /// of the machine's pool, and the function then runs there.)
    ///
    /// ```
    /// # let vm = erlet::vm::Vm::builder().threads(0).build()?;
    /// vm.module("calc").function("add", |a: i64, b: i64| a + b).install()?;
    /// # Ok::<(), erlet::Error>(())
    /// ```
    pub fn function<P: 'static, F>(self, name: &str, function: F) -> Self
    where
        F: HostFn<P>,
        F::Output: IntoTerm,
    {
        self.add(name, F::ARITY, Box::new(Quick(function, PhantomData)))
    }

    /// Adds a function that may wait: it runs on the machine's pool, and only its caller waits. Its arguments are read before, so they
    /// must be `Send`. In a machine that its owner drives, the driver runs it in place.
    ///
    /// ```
    /// # let vm = erlet::vm::Vm::builder().threads(0).build()?;
    /// use erlet::HostError;
    /// vm.module("store")
    ///     .blocking("read", |name: String| std::fs::read_to_string(name).map_err(HostError::from))
    ///     .install()?;
    /// # Ok::<(), erlet::Error>(())
    /// ```
    pub fn blocking<P: Send + 'static, F>(self, name: &str, function: F) -> Self
    where
        F: HostFn<P>,
        F::Output: IntoTerm,
    {
        self.add(name, F::ARITY, Box::new(Blocking(Arc::new(function), PhantomData)))
    }

    /// Adds a function that gives a future: `executor` is handed the future to run, and the caller waits till it ends. If the caller dies
    /// before, the future is dropped at its next poll, for which it is woken.
    ///
    /// The executor is called on a thread of the machine, so one that looks for a runtime in the thread it is on, as `tokio::spawn` does, panics:
    /// give it a handle, `let handle = Handle::current()` and `move |future| { handle.spawn(future); }` (see the
    /// [guide](crate::guide#async-hosts)).
    ///
    /// ```
    /// # let vm = erlet::vm::Vm::builder().threads(0).build()?;
    /// let on_a_thread = |future: std::pin::Pin<Box<dyn Future<Output = ()> + Send>>| {
    ///     // An executor of one's own; with tokio: `handle.spawn(future);`
    ///     # let _ = future;
    /// };
    /// vm.module("web").async_function("get", |url: String| async move { url.len() }, on_a_thread).install()?;
    /// # Ok::<(), erlet::Error>(())
    /// ```
    pub fn async_function<P: 'static, F>(
        self,
        name: &str,
        function: F,
        executor: impl Fn(Pin<Box<dyn Future<Output = ()> + Send>>) + Clone + Send + Sync + 'static,
    ) -> Self
    where
        F: HostFn<P>,
        F::Output: Future + Send + 'static,
        <F::Output as Future>::Output: IntoTerm,
    {
        let function = Awaiting { function, executor, parameters: PhantomData };
        self.add(name, F::ARITY, Box::new(function))
    }

    fn add(mut self, name: &str, arity: usize, function: Box<dyn HostFunction>) -> Self {
        // Of two of the same name and arity the last counts.
        self.functions.retain(|row| (row.name.as_str(), row.arity) != (name, arity));
        self.functions.push(Row { name: name.to_owned(), arity, text: String::new(), function });
        self
    }

    /// Loads the module: from now on Erlang code can call it.
    ///
    /// ```
    /// # let vm = erlet::vm::Vm::builder().threads(0).build()?;
    /// vm.module("answer").function("to_everything", || 42).install()?;
    /// assert_eq!(vm.call::<i64>("answer", "to_everything", ())?, 42);
    /// # Ok::<(), erlet::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Limit` if there are too many atoms or host functions (65,536 in the life of a machine), `Setting` if a function has more than
    /// eight arguments.
    pub fn install(self) -> Result<(), Error> {
        if self.functions.iter().any(|row| row.arity > MAX_ARITY) {
            return Err(Error::Setting("a host function has at most eight arguments"));
        }
        let rt = self.vm.runtime();
        self.vm.expect_not_of_library(intern(&rt.atoms, &self.name)?)?;
        let mut rows = Vec::with_capacity(self.functions.len());
        let mut notes = Notes { text: self.text, entries: Vec::new() };
        for Row { name, arity, text, function } in self.functions {
            notes.entries.push(Entry {
                kind: Kind::Function,
                heading: heading(&name, arity),
                name: name.clone(),
                arity: arity as u32,
                text,
            });
            let number = rt.host_functions.add(function).ok_or(Error::Limit("host functions"))?;
            rows.push((name, arity, number));
        }
        let verified = verify(bytecode(&self.name, &rows))
            .map_err(|error| Error::Load(LoadError::Unsupported(error.to_string())))?;
        code::load(&rt.code, &rt.atoms, &verified)?;
        rt.host_functions.set_notes(&self.name, notes);
        Ok(())
    }
}

/// `name(A, B)`: closures do not tell what they call their parameters.
fn heading(name: &str, arity: usize) -> String {
    let name = format!("{:?}", Atom::new(name));
    let parameters: Vec<&str> = ["A", "B", "C", "D", "E", "F", "G", "H"].into_iter().take(arity).collect();
    format!("{name}({})", parameters.join(", "))
}

/// The module: each function puts its closure's number behind its arguments and calls the native.
fn bytecode(name: &str, rows: &[(String, usize, usize)]) -> Module {
    let mut atoms: Vec<String> = Vec::new();
    let mut atom = |text: &str| {
        let place = atoms.iter().position(|atom| atom == text).unwrap_or_else(|| {
            atoms.push(text.to_owned());
            atoms.len() - 1
        });
        AtomIx(place as u32)
    };
    let (module, host, invoke) = (atom(name), atom("erlet_host"), atom("invoke"));
    let import = |arity: usize| Import { module: host, function: invoke, arity: arity as u8 + 1 };
    let functions = rows.iter().map(|(name, arity, number)| Function {
        name: atom(name),
        arity: *arity as u8,
        exported: true,
        contexts: Vec::new(),
        labels: 0,
        code: vec![
            Instr::Move { src: Src::Int(*number as i64), dst: Reg::X(*arity as u16) },
            Instr::CallExtOnly { import: ImportIx(*arity as u32) },
        ],
    });
    let functions = functions.collect();
    Module {
        name: module,
        atoms,
        literals: Vec::new(),
        imports: (0..=MAX_ARITY).map(import).collect(),
        functions,
        lambdas: Vec::new(),
        lines: Vec::new(),
        files: Vec::new(),
        attributes: Vec::new(),
        on_load: None,
        md5: [0; 16],
    }
}

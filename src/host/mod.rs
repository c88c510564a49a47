//! Host functions: Rust that Erlang code calls like any other function.
//!
//! [`Vm::module`] begins a module of functions; each is a Rust closure whose arguments are read from terms and whose answer becomes
//! a term:
//!
//! ```
//! use erlet::{HostError, Vm};
//!
//! let vm = Vm::builder().threads(0).build()?;
//! vm.module("img")
//!     .function("area", |width: i64, height: i64| width * height)
//!     .function("half", |number: i64| match number % 2 {
//!         0 => Ok(number / 2),
//!         _ => Err(HostError::error("odd")),
//!     })
//!     .blocking("load", |path: String| std::fs::read_to_string(path).map_err(HostError::from))
//!     .install()?;
//! // img:area(3, 4) is 12; img:half(3) raises error:<<"odd">>.
//! # Ok::<(), erlet::Error>(())
//! ```
//!
//! - [`function`](ModuleBuilder::function): runs at once on the worker that runs the caller, so it must not wait. A call and its
//!   conversions take some tens of nanoseconds.
//! - [`blocking`](ModuleBuilder::blocking): runs on the machine's pool; only the calling process waits.
//! - [`async_function`](ModuleBuilder::async_function): gives a future to an executor of the host's; the calling process waits till
//!   it ends, and the future is dropped if that process dies before.
//!
//! **Arguments**: up to eight, of any [`FromTerm`](crate::FromTerm) type; another term raises `badarg` in the caller, with the
//! number of the argument and what is wrong with it in the stack trace (as `*** argument 1: ...` in reports, at the prompt and in
//! what an [`Exception`](crate::Exception) displays), and so does one that is huge only because its parts are shared. (The usual
//! mistake is `"text"`, a list of characters, for a `String`, which is a binary; to take both, take a [`Value`](crate::Value) and
//! ask for its [text](crate::Value::to_text).) A [`Context`] among them is no argument of the Erlang function: it tells who calls.
//! **Answer**: any [`IntoTerm`](crate::IntoTerm) type; `Err` raises its
//! error, a [`HostError`] with class and reason, any other type as the reason of an `error`. (To answer `{ok, V}` or
//! `{error, E}`, answer a tuple or an [`AsTerm`].) **A panic** ends the calling process with `{internal_error, Message}`; in blocking and
//! async functions it raises the error `internal_error`.
//!
//! The functions are those of an ordinary module: `module_info`, `fun img:area/2` and `function_exported` know them, others are
//! `undef`. Installing a module of the same name again replaces it, as loading code does. A function lives as long as its machine.

mod error;
mod function;
mod future;
mod module;
mod named;
mod resource;

pub use error::{AsTerm, HostError};
pub use function::{Argument, Context, HostFn};
pub use module::ModuleBuilder;
pub use named::Host;
pub(crate) use named::Offered;
pub use resource::{AnyResource, Resource};

use crate::vm::Vm;

impl Vm {
    /// Begins a module of host functions; see [`host`](crate::host).
    ///
    /// ```
    /// # let vm = erlet::vm::Vm::builder().threads(0).build()?;
    /// vm.module("clock").function("ticks", || 42).install()?;
    /// # Ok::<(), erlet::Error>(())
    /// ```
    pub fn module(&self, name: &str) -> ModuleBuilder<'_> {
        ModuleBuilder::new(self, name)
    }

    /// What a module of host functions says about itself, for shells.
    #[doc(hidden)]
    pub fn notes(&self, module: &str) -> Option<erlet_lang::notes::Notes> {
        self.rt().host_functions.notes(module)
    }
}

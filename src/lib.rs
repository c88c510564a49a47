//! A small, fast Erlang to embed: processes that are preempted, supervised and limited, inside any Rust program.
//!
//! ```
//! use erlet::Vm;
//!
//! # fn main() -> Result<(), erlet::Error> {
//! let vm = Vm::builder().build()?;
//! vm.load_source("greeter.erl", r#"
//!     -module(greeter).
//!     -export([greet/1]).
//!     greet(Name) -> <<"Hello, ", Name/binary, "!">>.
//! "#)?;
//! let text: String = vm.call("greeter", "greet", ("world",))?;
//! assert_eq!(text, "Hello, world!");
//! # Ok(())
//! # }
//! ```
//!
//! The language is Erlang as of OTP 27. A [`Vm`] is a handle of a machine; there may be many. The [`guide`] goes through everything: calls
//! both ways, processes, supervision, limits and rights, hot reload, async hosts, tests that can be replayed.
//!
//! Cargo features: `compiler` (on by default; without it only bytecode is loaded, and the compiler is not a part of the program),
//! `serde` (values of any type that it can serialize), `tracing` (events and spans of what happens in a machine) and `metrics` (its
//! numbers, published when the host likes).
//!
//! Where to look: [`Vm`] makes calls, loads code and starts processes, [`Builder`] sets a machine up, [`Mailbox`] is a process of the
//! host's, [`host`] is about functions and objects of the host's, [`Limits`] and [`Capabilities`] about what scripts may use and touch, [`value`]
//! says which types of Rust are which terms, and [`Error`] what goes wrong.
//!
//! # Inside
//!
//! How the crate is made, for those who work on it. The modules are floors; each may use only those below it:
//!
//! | floor | modules |
//! |---|---|
//! | 10 | `vm`, [`value`], [`host`], [`error`], [`guide`]: the embedder's view; `stdlib`: the embedded Erlang modules |
//! | 9 | `sched`: workers |
//! | 8 | `interp`: runs one process for one slice |
//! | 7 | `bif`: native functions |
//! | 6 | `runtime`: shared services of one virtual machine |
//! | 5 | `ets`: tables of terms; `etf`: the external term format |
//! | 4 | `process`: processes, slots, signals, mailboxes |
//! | 3 | `code`: loaded modules, the loader, export cells |
//! | 2 | `heap`: blocks, allocation, collection, copying, literals, arithmetic on terms |
//! | 1 | `term`: the word, read-only views, order, hashing, printing |
//! | 0 | `sync`, `num`, `atom`, `regex`, [`limits`]: know nothing of terms |

// The essays inside speak of private items, for those who read them beside the code.
#![allow(rustdoc::private_intra_doc_links)]

pub use erlet_lang as lang;

#[doc(hidden)]
pub mod atom;
#[doc(hidden)]
pub mod bif;
#[doc(hidden)]
pub mod code;
pub mod error;
#[doc(hidden)]
pub mod etf;
#[doc(hidden)]
pub mod ets;
pub mod guide;
#[doc(hidden)]
pub mod heap;
pub mod host;
#[doc(hidden)]
pub mod interp;
pub mod limits;
#[doc(hidden)]
pub mod num;
#[doc(hidden)]
pub mod process;
#[doc(hidden)]
pub mod regex;
#[doc(hidden)]
pub mod runtime;
#[doc(hidden)]
pub mod sched;
#[doc(hidden)]
pub mod stdlib;
#[doc(hidden)]
pub mod sync;
#[doc(hidden)]
pub mod term;
pub mod value;
#[doc(hidden)]
pub mod vm;

pub use error::{Class, Conversion, Error, Exception, Frame};
pub use host::{AnyResource, AsTerm, Context, HostError, ModuleBuilder, Resource};
pub use limits::{Capabilities, Limits, Quota};
pub use term::Term;
#[cfg(feature = "compiler")]
pub use value::NotATerm;
#[cfg(feature = "serde")]
pub use value::serde;
pub use value::{
    Atom, BigInt, Bitstring, Bytes, Charlist, FromTerm, Function, IntoArgs, IntoTerm, Map, Pid, Port,
    Reference, TermMaker, TermReader, Value, Values,
};
#[cfg(feature = "compiler")]
pub use vm::Bindings;
pub use vm::{
    Builder, Call, Code, Diagnostic, Diagnostics, Level, Loaded, Loader, LogEvent, Mailbox, Metrics, Monitor,
    Outcome, Pool, Priority, ProcessInfo, ProcessOptions, Progress, Remaining, ShutdownReport, Statistics,
    Vm, WeakVm,
};

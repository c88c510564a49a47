//! A small, fast Erlang: a preemptive virtual machine to embed.
//!
//! The modules are floors; each may use only those below it:
//!
//! | floor | modules |
//! |---|---|
//! | 10 | [`vm`], [`value`], [`host`], [`error`]: the embedder's view; [`stdlib`]: the embedded Erlang modules |
//! | 9 | [`sched`]: workers |
//! | 8 | [`interp`]: runs one process for one slice |
//! | 7 | [`bif`]: native functions |
//! | 6 | [`runtime`]: shared services of one virtual machine |
//! | 5 | [`ets`]: tables of terms; [`etf`]: the external term format |
//! | 4 | [`process`]: processes, slots, signals, mailboxes |
//! | 3 | [`code`]: loaded modules, the loader, export cells |
//! | 2 | [`heap`]: blocks, allocation, collection, copying, literals, arithmetic on terms |
//! | 1 | [`term`]: the word, read-only views, order, hashing, printing |
//! | 0 | [`sync`], [`num`], [`atom`], [`regex`], [`limits`]: know nothing of terms |

pub use erlet_lang as lang;

pub mod atom;
pub mod bif;
pub mod code;
pub mod error;
pub mod etf;
pub mod ets;
pub mod heap;
pub mod host;
pub mod interp;
pub mod limits;
pub mod num;
pub mod process;
pub mod regex;
pub mod runtime;
pub mod sched;
pub mod stdlib;
pub mod sync;
pub mod term;
pub mod value;
pub mod vm;

pub use error::{Class, Conversion, Error, Exception, Frame};
pub use host::{AnyResource, AsTerm, Context, HostError, ModuleBuilder, Resource};
pub use limits::{Capabilities, Limits, Quota};
pub use term::Term;
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

//! Native functions: everything Erlang code calls that is written in Rust.
//!
//! A native is a function `fn(&mut Cx<'h>, [Term<'h>; N]) -> BifResult<'h>` and a row in [`table`]. The interpreter calls
//! it, the loader finds it by name; nobody else needs to know. [`Cx`] is its view of the world: the process that called,
//! its heap to build terms on, the VM's services.
//!
//! What a native may rely on and must keep to:
//! - Terms stay where they are for the whole call: natives never collect. What does not fit the heap goes to a fragment,
//!   and a collection follows at the caller's next safepoint.
//! - A native that works in proportion to its input says so: by [`Cx::charge`], which shortens the slice, and by
//!   [`work`](crate::heap::HeapRef::work), with which what would hold the worker for more than about a millisecond is given up and
//!   done on the pool. (Walks whose state is a term may instead stop with [`Stop::again`], carrying it in their arguments.)
//! - What it gathers it gathers in scratch space that its process pays for ([`Scratch`](crate::heap::Scratch)).
//! - It has no effect before all its checks are done.
//!
//! Invariant: nothing here knows how code is interpreted.

mod binary;
mod chardata;
mod code;
mod counters;
mod crypto;
mod cx;
mod deflate;
mod digest;
pub mod erlang;
mod ets;
mod ets_info;
mod ets_insert;
mod ets_lock;
mod ets_select;
mod ets_update;
mod external;
mod file;
mod file_info;
mod flat_string;
mod front;
mod fun;
mod host;
mod init;
mod io;
mod lists;
mod maps;
mod math;
mod old_hash;
mod open_file;
mod os;
mod persistent;
mod posix;
pub mod process;
mod re;
mod re_options;
mod sorting;
mod stop;
#[cfg(feature = "compiler")]
mod syntax;
#[cfg(not(feature = "compiler"))]
#[path = "syntax/absent.rs"]
mod syntax;
pub mod system;
pub mod table;
mod time;
mod unicode;

pub use cx::Cx;
pub use ets::release_tables;
use file::path as file_path;
pub use math::FUNCTIONS as MATH_FUNCTIONS;
pub use stop::{BifResult, ErrorInfo, Stop, StopKind, class_atom, class_of};
pub use table::{Capability, NAMES, Purity, ROWS, Row, id, names};

pub use crate::process::Class;

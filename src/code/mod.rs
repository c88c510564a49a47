//! Loaded code: from the compiler's generic instructions to what the interpreter runs.
//!
//! [`load()`] turns a verified `bytecode::Module` into a [`LoadedModule`]: names become atoms of the VM, imports become
//! export cells or natives, literals are built into a literal area, and the generic instructions become internal ones
//! ([`op`]). [`CodeServer`] knows all loaded modules and everything through which code is reached from outside: export
//! cells and fun entries. The interpreter runs the code; natives that speak of modules (`code:`, `erlang:` functions on
//! code), stack traces and the host's API ask the server.
//!
//! Loaded code names natives by [`BifId`] alone: what a native is, this floor does not know.
//!
//! Invariants.
//! - C1: a `pc` points at the first word of an instruction of a module's code, of a stub in an export cell, or of one of
//!   the static stubs; all operands were checked by the verifier and are in range.
//! - C2: code words are never written after `publish`; export cells and fun entries change by single atomic stores.
//! - C3: addresses of cells in code are good as long as the VM; those of fun entries and literals as long as the module.
//! - C4: code is freed when no export or fun leads there, and after that every process has been found not to run it, and every
//!   thread has come out of what it was doing ([`purge`]).

pub mod bits;
pub mod disasm;
mod emit;
mod fuse;
mod literal;
pub mod load;
pub mod match_run;
mod module;
pub mod op;
pub mod path;
pub mod purge;
mod select;
mod server;
pub mod stub;
mod versions;

pub use literal::constant_terms;
pub use load::load;
pub use module::{LoadedFunction, LoadedModule, Place};
pub use op::Op;
pub use server::{
    BifId, CodeServer, ExportCell, LoadError, Mfa, ModuleSource, Natives, entry_of_stub, is_fun_defined,
};
pub use versions::{Found, OldVersion};

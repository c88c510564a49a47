//! The verifier: decides whether a module may run, and proves what lets it run fast.
//!
//! [`verify`] is the only way from a [`Module`], which may hold anything, to a [`Verified`] one, which the loader
//! accepts. The interpreter behind the loader checks nothing that is refused here: an accepted module reads no
//! register that holds nothing, builds nothing beyond the space it reserved, never takes a catch mark, a raw
//! stack trace or a match context for a term, leaves the stack as it found it, and charges a reduction in every cycle.
//!
//! The work is in two parts. `tables` judges everything outside the code (atoms, literals, imports, lambdas, lines)
//! and what can be said of an instruction without knowing how control gets there (indices, labels, constants).
//! `flow` follows each function by forward data flow: a [`state`](self) is what the registers, the frame, the catch
//! marks, the reserved space and the receive are at a place, where paths meet states are joined, and this is
//! repeated until nothing changes. `step` is the effect of each instruction on a state, refusing what must not be.
//!
//! What a local call may pass beside terms is said by the callee and believed by neither: where a parameter may be a match context the
//! callee's code must be right for both, and each caller must pass one or a term.
//!
//! *Structural* faults refuse the module. *Types* of terms (list cell, tuple of at least so many elements, map,
//! small integer) never do: they are facts for the loader, see [`Fact`].
//!
//! Cost: near-linear. Every label keeps one state; a state is revisited only if a join changed it, types give way
//! to "any term" after a few visits, and the whole has a budget in proportion to the size of the module
//! ([`Reason::Unsettled`]), so no module takes long to refuse.
//!
//! Invariant: nothing here depends on how the compiler produced the module.

mod error;
mod facts;
mod flow;
mod literals;
mod shape;
mod state;
mod step;
mod tables;
mod value;

pub use error::{Reason, VerifyError};
pub use facts::{Fact, FunctionFacts};

use crate::bytecode::Module;
use crate::encode::{self, Content, DecodeError};
use serde::{Deserialize, Serialize};

/// A module that passed the verifier, with what was found out about it. It cannot be changed any more.
///
/// It has no `Deserialize`: [`verify`] and [`Verified::trusted_from_embedded`] are the only ways to one.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    module: Module,
    functions: Vec<FunctionFacts>,
}

/// The embedded form, as written and as read.
#[derive(Serialize)]
struct EmbeddedRef<'v>(&'v Module, &'v [FunctionFacts]);
#[derive(Deserialize)]
struct Embedded(Module, Vec<FunctionFacts>);

impl Verified {
    /// The module.
    #[must_use]
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Facts about each function, in the order of [`Module::functions`].
    #[must_use]
    pub fn functions(&self) -> &[FunctionFacts] {
        &self.functions
    }

    /// The module alone, to be changed and verified again.
    #[must_use]
    pub fn into_module(self) -> Module {
        self.module
    }

    /// Module and facts as bytes, for a build script that embeds them into the program it builds.
    #[must_use]
    pub fn to_embedded(&self) -> Vec<u8> {
        encode::seal(Content::Verified, &EmbeddedRef(&self.module, &self.functions))
    }

    /// The verified module that a build script embedded, without verifying it again.
    ///
    /// The state of being verified is *believed* here, so this is only for bytes that are part of the program itself
    /// (`include_bytes!` of what [`Verified::to_embedded`] returned during the same build): whoever could change
    /// those could change the verifier as well. `'static` keeps anything read from a file or a network out, short
    /// of leaking it on purpose. Every other module comes through [`decode`](crate::encode::decode), which
    /// refuses embedded content, and [`verify`].
    ///
    /// # Errors
    /// If the bytes are not complete or are those of another build's version: the checksum is looked at.
    pub fn trusted_from_embedded(bytes: &'static [u8]) -> Result<Verified, DecodeError> {
        let Embedded(module, functions) = encode::open(Content::Verified, bytes)?;
        Ok(Verified { module, functions })
    }
}

/// Judges `module` and gathers facts about its instructions.
///
/// # Errors
/// The first fault found, functions in order.
pub fn verify(module: Module) -> Result<Verified, VerifyError> {
    tables::check(&module)?;
    let functions = flow::functions(&module)?;
    Ok(Verified { module, functions })
}

#[cfg(test)]
mod tests;

//! What all machines of the OS process have in common: the names that every one of them knows, entered once.
//!
//! None of it can change, and no machine can be told from another by it.

use std::sync::{Arc, OnceLock};

use crate::atom::{Atoms, HashKey, Prefix};
use crate::bif;
use crate::code::Natives;

/// Atoms of every machine.
static PREFIX: OnceLock<Prefix> = OnceLock::new();

/// Natives of every machine.
static NATIVES: OnceLock<Arc<Natives>> = OnceLock::new();

/// The atoms that every machine has: those that Rust code speaks of, and the names of natives.
pub(super) fn prefix() -> &'static Prefix {
    PREFIX
        .get_or_init(|| Prefix::new(bif::NAMES.iter().flat_map(|(module, function, _)| [*module, *function])))
}

/// The natives, by names of [`prefix`].
pub(super) fn natives() -> Arc<Natives> {
    let natives = NATIVES.get_or_init(|| {
        let atoms = Atoms::with_prefix(prefix(), HashKey::from_seed(0), 0);
        Arc::new(Natives::new(bif::names(&atoms).into_iter()))
    });
    Arc::clone(natives)
}

//! Tables of terms shared by the processes of one VM.
//!
//! A table owns copies of its rows, each one fragment of its own, so nothing in it points into a process. Rows are read
//! in place under the table's lock and copied out into the reader's heap. [`Tables`] is the register: by number for the
//! tables themselves, by name for named ones.
//!
//! Called by the natives of module `ets` and, when a process ends, by the runtime (owned tables go, or go to their
//! heirs). Deliberately absent: knowledge of processes, of the natives' exceptions, and of messages.
//!
//! Locks: `Tables::register` is never held while a table's `rows` is taken.

mod hash;
mod order;
mod pattern;
mod spec;
mod table;

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::atom::Atom;
use crate::term::Pid;

pub use pattern::{Bindings, is_constant_key, variable_number};
pub use spec::{Evaluation, Spec, SpecError};
pub use table::{Access, Heir, Kind, Options, Rows, Table, Update};

/// Number of a table, never used twice in one VM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableId(pub u64);

/// All tables of one VM.
#[derive(Default)]
pub struct Tables {
    register: RwLock<Register>,
}

#[derive(Default)]
struct Register {
    by_id: BTreeMap<TableId, Arc<Table>>,
    /// By the index of the atom.
    by_name: BTreeMap<u32, TableId>,
}

/// A named table of this name exists already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameTaken;

impl Tables {
    /// An empty register.
    pub fn new() -> Tables {
        Tables::default()
    }

    /// Registers a new table.
    ///
    /// # Errors
    /// [`NameTaken`] for a named table whose name is in use.
    pub fn insert(&self, table: Table) -> Result<Arc<Table>, NameTaken> {
        let mut register = self.register.write().unwrap_or_else(PoisonError::into_inner);
        let table = Arc::new(table);
        if table.is_named() {
            let name = table.name();
            if register.by_name.contains_key(&name.index()) {
                return Err(NameTaken);
            }
            register.by_name.insert(name.index(), table.id());
        }
        register.by_id.insert(table.id(), Arc::clone(&table));
        Ok(table)
    }

    /// The table of that number.
    pub fn get(&self, id: TableId) -> Option<Arc<Table>> {
        self.register.read().unwrap_or_else(PoisonError::into_inner).by_id.get(&id).cloned()
    }

    /// The named table of that name.
    pub fn named(&self, name: Atom) -> Option<Arc<Table>> {
        let register = self.register.read().unwrap_or_else(PoisonError::into_inner);
        register.by_id.get(register.by_name.get(&name.index())?).cloned()
    }

    /// Takes a table out of the register; it is freed when the last operation on it ends.
    pub fn remove(&self, table: &Table) -> bool {
        let mut register = self.register.write().unwrap_or_else(PoisonError::into_inner);
        if table.is_named() && register.by_name.get(&table.name().index()) == Some(&table.id()) {
            register.by_name.remove(&table.name().index());
        }
        register.by_id.remove(&table.id()).is_some()
    }

    /// Gives a table another name; only named tables are found by it.
    ///
    /// # Errors
    /// [`NameTaken`] if it is a named table and the name is in use.
    pub fn rename(&self, table: &Table, name: Atom) -> Result<(), NameTaken> {
        let mut register = self.register.write().unwrap_or_else(PoisonError::into_inner);
        if table.is_named() {
            if register.by_name.contains_key(&name.index()) {
                return Err(NameTaken);
            }
            register.by_name.remove(&table.name().index());
            register.by_name.insert(name.index(), table.id());
        }
        table.set_name(name);
        Ok(())
    }

    /// All tables, by number.
    pub fn all(&self) -> Vec<Arc<Table>> {
        self.register.read().unwrap_or_else(PoisonError::into_inner).by_id.values().cloned().collect()
    }

    /// The tables that `owner` owns. Called once per exiting process that ever made or was given one.
    pub fn owned_by(&self, owner: Pid) -> Vec<Arc<Table>> {
        let register = self.register.read().unwrap_or_else(PoisonError::into_inner);
        register.by_id.values().filter(|table| table.owner() == owner).cloned().collect()
    }
}

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

mod fix;
mod hash;
mod many;
mod order;
mod pattern;
mod spec;
mod table;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use crate::atom::Atom;
use crate::heap::{Account, AllocError};
use crate::term::Pid;

pub use pattern::{Bindings, is_constant_key, is_pattern, variable_number};
pub use spec::{Evaluation, Spec, SpecError};
pub use table::{Access, Heir, Kind, Options, Rows, Table, Update};

/// Number of a table, never used twice in one VM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableId(pub u64);

/// All tables of one VM.
#[derive(Default)]
pub struct Tables {
    register: RwLock<Register>,
    /// Number of tables, for processes that exit where there are none.
    count: AtomicUsize,
    fixed: fix::Fixed,
}

#[derive(Default)]
struct Register {
    by_id: BTreeMap<TableId, Arc<Table>>,
    /// By the index of the atom.
    by_name: BTreeMap<u32, TableId>,
    /// By the bits of the owner's pid; no list is empty.
    by_owner: BTreeMap<u64, Vec<TableId>>,
}

impl Register {
    fn add_owner(&mut self, owner: Pid, id: TableId) {
        self.by_owner.entry(owner.bits()).or_default().push(id);
    }

    fn remove_owner(&mut self, owner: Pid, id: TableId) {
        if let Some(ids) = self.by_owner.get_mut(&owner.bits()) {
            ids.retain(|own| *own != id);
            if ids.is_empty() {
                self.by_owner.remove(&owner.bits());
            }
        }
    }
}

/// Is told of units of work (see `heap::work`) that come next or were just done, and may say that they are not to go on.
pub type Meter<'m> = &'m mut dyn FnMut(usize) -> Result<(), AllocError>;

/// Why there is no step of a traversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoStep {
    /// There is no such key to go on from.
    NoKey,
    /// What the meter says.
    Work(AllocError),
}

impl From<AllocError> for NoStep {
    fn from(error: AllocError) -> NoStep {
        NoStep::Work(error)
    }
}

/// See [`Table::hold_long`].
pub struct LongHold<'t>(&'t Table);

impl Drop for LongHold<'_> {
    fn drop(&mut self) {
        self.0.long_holders.fetch_sub(1, Ordering::Relaxed);
    }
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
        register.add_owner(table.owner(), table.id());
        self.count.store(register.by_id.len(), Ordering::Relaxed);
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
        let was_there = register.by_id.remove(&table.id()).is_some();
        if was_there {
            register.remove_owner(table.owner(), table.id());
            self.count.store(register.by_id.len(), Ordering::Relaxed);
            self.unfix_removed(table);
        }
        was_there
    }

    /// Makes another process the owner; `false` if the table is gone.
    pub fn give(&self, table: &Table, owner: Pid) -> bool {
        let mut register = self.register.write().unwrap_or_else(PoisonError::into_inner);
        if !register.by_id.contains_key(&table.id()) {
            return false;
        }
        register.remove_owner(table.owner(), table.id());
        register.add_owner(owner, table.id());
        table.set_owner(owner);
        true
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

    /// Bytes of all tables with their rows.
    pub fn bytes(&self) -> usize {
        let register = self.register.read().unwrap_or_else(PoisonError::into_inner);
        register.by_id.values().map(|table| table.bytes() + table::TABLE_BYTES).sum()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        // Relaxed: a statistic.
        self.count.load(Ordering::Relaxed)
    }

    /// Whether nobody owns a table: then an exiting process does not.
    #[inline]
    pub fn is_unowned(&self) -> bool {
        // Relaxed: as in `owned_by`.
        self.count.load(Ordering::Relaxed) == 0
    }

    /// The tables that `owner` owns; asked once per exiting process.
    pub fn owned_by(&self, owner: Pid) -> Vec<Arc<Table>> {
        // Relaxed: what an exiting process owns it made or was given before, and it has synchronized with the giver
        // through its own signal queue; a table given to it later is looked for again after its death.
        if self.count.load(Ordering::Relaxed) == 0 {
            return Vec::new();
        }
        let register = self.register.read().unwrap_or_else(PoisonError::into_inner);
        let ids = register.by_owner.get(&owner.bits()).map_or(&[][..], Vec::as_slice);
        ids.iter().filter_map(|id| register.by_id.get(id).cloned()).collect()
    }
}

impl Table {
    /// A thread that may have the rows for long, or waits for them, says so as long as the result lives.
    pub fn hold_long(&self) -> LongHold<'_> {
        // Relaxed: who does not see it yet tries again.
        self.long_holders.fetch_add(1, Ordering::Relaxed);
        LongHold(self)
    }

    /// Whether there is such a thread.
    pub fn is_held_long(&self) -> bool {
        self.long_holders.load(Ordering::Relaxed) > 0
    }

    /// A set that no register knows, for a machine's own use.
    pub fn unowned(account: Arc<Account>) -> Table {
        let options = Options {
            name: crate::atom::known::UNDEFINED,
            named: false,
            kind: Kind::Set,
            access: Access::Public,
            key_position: 1,
            compressed: false,
            write_concurrency: false,
            read_concurrency: true,
            heir: None,
        };
        Table::new(TableId(0), Pid::new(0, 0), options, account)
    }
}

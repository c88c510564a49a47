//! Registered names.
//!
//! Looking a name up is one atomic load: names are atoms, atoms are small numbers, so the table is an array of words by
//! atom, in segments of doubling size made when first needed. Changes are made under a lock that also keeps the names in order
//! and by owner.
//!
//! Whether the process is alive is asked under that lock, after the slot was told that it has a name: so a name is never
//! seen on a process whose death others have been told of (the loom model `exit_order`).

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use crate::atom::Atom;
use crate::process::SlotTable;
use crate::term::{Pid, Word};

/// Names in the first segment; the next has as many, and each later one twice as many as the one before it.
const FIRST_SEGMENT: u32 = 64;
/// Segments: 64 << 26 covers the 2^32 atoms there can be.
const SEGMENTS: usize = 27;

/// Why a name cannot be registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameError {
    /// The name is taken.
    Taken,
    /// The process has a name.
    Named,
    /// The process is dead.
    Dead,
}

/// The names of one virtual machine.
pub struct Names {
    segments: [OnceLock<Box<[AtomicU64]>>; SEGMENTS],
    tables: Mutex<Tables>,
}

#[derive(Default)]
struct Tables {
    /// By the atom's index.
    by_name: BTreeMap<u32, Word>,
    by_owner: BTreeMap<u64, Atom>,
}

impl std::fmt::Debug for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Names").finish_non_exhaustive()
    }
}

impl Default for Names {
    fn default() -> Self {
        Names { segments: [const { OnceLock::new() }; SEGMENTS], tables: Mutex::default() }
    }
}

/// Segment and offset of a name.
#[inline]
fn place(name: Atom) -> (usize, usize) {
    let segment = (u32::BITS - (name.index() / FIRST_SEGMENT).leading_zeros()) as usize;
    let first = if segment == 0 { 0 } else { (FIRST_SEGMENT as usize) << (segment - 1) };
    (segment, name.index() as usize - first)
}

impl Names {
    fn tables(&self) -> std::sync::MutexGuard<'_, Tables> {
        self.tables.lock().expect("no code that holds this lock panics")
    }

    fn cell(&self, name: Atom) -> Option<&AtomicU64> {
        let (segment, offset) = place(name);
        self.segments[segment].get()?.get(offset)
    }

    fn set(&self, name: Atom, value: u64) {
        let (segment, offset) = place(name);
        let size = (FIRST_SEGMENT as usize) << segment.saturating_sub(1);
        let cells = self.segments[segment].get_or_init(|| (0..size).map(|_| AtomicU64::new(0)).collect());
        // Release: pairs with the Acquire in `get`; what the owner did before it got its name has happened.
        cells[offset].store(value, Ordering::Release);
    }

    /// The pid or port of that name.
    #[inline]
    pub fn get(&self, name: Atom) -> Option<Word> {
        match self.cell(name)?.load(Ordering::Acquire) {
            0 => None,
            bits => Some(Word::from_bits(bits)),
        }
    }

    /// The process of that name.
    #[inline]
    pub fn pid(&self, name: Atom) -> Option<Pid> {
        self.get(name)?.as_pid()
    }

    /// Registers a process.
    ///
    /// # Errors
    /// If the name is taken, the process has one, or is dead.
    pub fn register(&self, name: Atom, pid: Pid, slots: &SlotTable) -> Result<(), NameError> {
        let mut tables = self.tables();
        let owner = Word::pid(pid);
        let named = tables.by_owner.contains_key(&owner.bits());
        if named || tables.by_name.contains_key(&name.index()) {
            let why = if named { NameError::Named } else { NameError::Taken };
            return Err(if slots.is_alive(pid) { why } else { NameError::Dead });
        }
        if !slots.note_name(pid) {
            return Err(NameError::Dead);
        }
        tables.by_name.insert(name.index(), owner);
        tables.by_owner.insert(owner.bits(), name);
        self.set(name, owner.bits());
        Ok(())
    }

    /// Frees a name; whether it was taken.
    pub fn unregister(&self, name: Atom) -> bool {
        let mut tables = self.tables();
        let Some(owner) = tables.by_name.remove(&name.index()) else { return false };
        tables.by_owner.remove(&owner.bits());
        self.set(name, 0);
        true
    }

    /// Frees the name of `owner`, which is exiting.
    pub fn owner_exits(&self, owner: Pid) {
        let mut tables = self.tables();
        if let Some(name) = tables.by_owner.remove(&Word::pid(owner).bits()) {
            tables.by_name.remove(&name.index());
            self.set(name, 0);
        }
    }

    /// The name of `owner`.
    pub fn name_of(&self, owner: Pid) -> Option<Atom> {
        self.tables().by_owner.get(&Word::pid(owner).bits()).copied()
    }

    /// All names.
    pub fn all(&self) -> Vec<Atom> {
        self.tables().by_name.keys().map(|index| Atom::from_index(*index)).collect()
    }
}

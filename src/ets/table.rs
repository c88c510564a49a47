//! One table: its settings, its rows, and the operations on them.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering as Memory};
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError,
    TryLockResult,
};

use super::TableId;
use super::fix::Fixers;
use super::hash::{HashRows, MAX_ENTRIES};
use super::order::OrderedRows;
use crate::atom::{Atom, Atoms};
use crate::heap::{Account, AllocError, Fragment};
use crate::limits::Quota;
use crate::term::compare::{compare, equal_exact};
use crate::term::hash::hash;
use crate::term::{Pid, Term, Word};

/// What a table keeps of rows with one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One row a key; keys differ by `=:=`.
    Set,
    /// One row a key, in key order; keys differ by `==`.
    OrderedSet,
    /// Any rows that differ.
    Bag,
    /// Any rows.
    DuplicateBag,
}

/// Who may read and write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Access {
    Private = 0,
    Protected = 1,
    Public = 2,
}

/// Who gets the table when its owner dies, with what data.
pub struct Heir {
    pub pid: Pid,
    pub data: Fragment,
}

/// What `ets:new/2` decides.
pub struct Options {
    pub name: Atom,
    pub named: bool,
    pub kind: Kind,
    pub access: Access,
    /// Position of the key in a row, from 1.
    pub key_position: usize,
    pub compressed: bool,
    pub write_concurrency: bool,
    pub read_concurrency: bool,
    pub heir: Option<Heir>,
}

/// Bytes charged at a time.
const LUMP_BYTES: usize = 64 * 1024;

/// Bytes that the place of a row takes besides the row: an entry and its share of an index, both of which double.
const PLACE_BYTES: usize = 64;

/// Bytes that a table takes before it has rows, with its places in registers, about.
pub(super) const TABLE_BYTES: usize = 1024;

/// A table.
pub struct Table {
    id: TableId,
    name: AtomicU32,
    named: bool,
    pub kind: Kind,
    pub key_position: usize,
    pub compressed: bool,
    pub write_concurrency: bool,
    pub read_concurrency: bool,
    /// Bits of the owner's pid. Asked by every operation; changed under the register's lock.
    owner: AtomicU64,
    access: AtomicU8,
    heir: Mutex<Option<Heir>>,
    rows: RwLock<Rows>,
    /// Bytes of all rows.
    bytes: AtomicUsize,
    /// Bytes of those rows that are too small to be paid for one by one: the table pays for them, in lumps.
    small_bytes: AtomicUsize,
    /// What the account was charged for them, and for the places of all rows.
    charged: AtomicUsize,
    account: Arc<Account>,
    /// Bytes the account was charged for the table itself.
    own_bytes: usize,
    /// Who has fixed the table for traversals, and has not let it go.
    pub(super) fixers: Fixers,
    /// Threads of the pool that have the rows, or wait for them: for long.
    pub(super) long_holders: AtomicUsize,
    /// Set by deletion, under the write lock of `rows`; an operation that comes later finds no table.
    deleted: AtomicBool,
}

/// The rows of a table.
pub enum Rows {
    Hash(HashRows),
    Ordered(OrderedRows),
}

/// What an update of one row in place came to.
#[derive(Debug)]
pub enum Update {
    Done,
    /// No row has the key.
    NoRow,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Table {
    /// An empty table of `owner`.
    pub fn new(id: TableId, owner: Pid, options: Options, account: Arc<Account>) -> Table {
        let rows = match options.kind {
            Kind::OrderedSet => Rows::Ordered(OrderedRows::new()),
            _ => Rows::Hash(HashRows::new()),
        };
        Table {
            id,
            name: AtomicU32::new(options.name.index()),
            named: options.named,
            kind: options.kind,
            key_position: options.key_position,
            compressed: options.compressed,
            write_concurrency: options.write_concurrency,
            read_concurrency: options.read_concurrency,
            owner: AtomicU64::new(owner.bits()),
            access: AtomicU8::new(options.access as u8),
            heir: Mutex::new(options.heir),
            rows: RwLock::new(rows),
            bytes: AtomicUsize::new(0),
            small_bytes: AtomicUsize::new(0),
            charged: AtomicUsize::new(0),
            account,
            own_bytes: 0,
            fixers: Fixers::default(),
            long_holders: AtomicUsize::new(0),
            deleted: AtomicBool::new(false),
        }
    }

    /// The table, its account charged for what it takes before it has rows.
    ///
    /// # Errors
    /// `Limit` if the account may not have that much.
    pub fn paid(mut self) -> Result<Table, AllocError> {
        self.account.charge_as(Quota::EtsBytes, TABLE_BYTES)?;
        self.own_bytes = TABLE_BYTES;
        Ok(self)
    }

    pub fn id(&self) -> TableId {
        self.id
    }

    pub fn name(&self) -> Atom {
        // Relaxed: an atom's text was published before its number could be had.
        Atom::from_index(self.name.load(Memory::Relaxed))
    }

    pub(super) fn set_name(&self, name: Atom) {
        self.name.store(name.index(), Memory::Relaxed);
    }

    pub fn is_named(&self) -> bool {
        self.named
    }

    fn heir_lock(&self) -> MutexGuard<'_, Option<Heir>> {
        self.heir.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // Owner and access are Relaxed: who is told of a change was sent a message after it.

    pub fn owner(&self) -> Pid {
        Pid::from_bits(self.owner.load(Memory::Relaxed))
    }

    /// Whether it was deleted: an operation that holds it finds no rows.
    pub fn is_deleted(&self) -> bool {
        self.deleted.load(Memory::Relaxed)
    }

    /// For [`Tables::give`](super::Tables::give), which keeps the register in step.
    pub(super) fn set_owner(&self, owner: Pid) {
        self.owner.store(owner.bits(), Memory::Relaxed);
    }

    pub fn access(&self) -> Access {
        match self.access.load(Memory::Relaxed) {
            0 => Access::Private,
            1 => Access::Protected,
            _ => Access::Public,
        }
    }

    pub fn set_access(&self, access: Access) {
        self.access.store(access as u8, Memory::Relaxed);
    }

    pub fn set_heir(&self, heir: Option<Heir>) {
        *self.heir_lock() = heir;
    }

    /// The heir, taken out of the table: it inherits once.
    pub fn take_heir(&self) -> Option<Heir> {
        self.heir_lock().take()
    }

    /// The heir's pid.
    pub fn heir(&self) -> Option<Pid> {
        self.heir_lock().as_ref().map(|heir| heir.pid)
    }

    /// Whether `pid` may read.
    pub fn readable_by(&self, pid: Pid) -> bool {
        self.access() != Access::Private || self.owner() == pid
    }

    /// Whether `pid` may write.
    pub fn writable_by(&self, pid: Pid) -> bool {
        self.access() == Access::Public || self.owner() == pid
    }

    /// The rows for reading if nobody writes; as [`Table::read`] otherwise.
    pub fn try_read(&self) -> TryLockResult<Option<RwLockReadGuard<'_, Rows>>> {
        match self.rows.try_read() {
            Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
            Ok(rows) => Ok((!self.is_deleted()).then_some(rows)),
            Err(TryLockError::Poisoned(rows)) => Ok((!self.is_deleted()).then_some(rows.into_inner())),
        }
    }

    /// The rows for writing if nobody has them; as [`Table::write`] otherwise.
    pub fn try_write(&self) -> TryLockResult<Option<RwLockWriteGuard<'_, Rows>>> {
        match self.rows.try_write() {
            Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
            Ok(rows) => Ok((!self.is_deleted()).then_some(rows)),
            Err(TryLockError::Poisoned(rows)) => Ok((!self.is_deleted()).then_some(rows.into_inner())),
        }
    }

    /// The rows for reading; `None` once the table is deleted.
    pub fn read(&self) -> Option<RwLockReadGuard<'_, Rows>> {
        let rows = self.rows.read().unwrap_or_else(PoisonError::into_inner);
        (!self.deleted.load(Memory::Relaxed)).then_some(rows)
    }

    /// The rows for writing; `None` once the table is deleted.
    pub fn write(&self) -> Option<RwLockWriteGuard<'_, Rows>> {
        let rows = self.rows.write().unwrap_or_else(PoisonError::into_inner);
        (!self.deleted.load(Memory::Relaxed)).then_some(rows)
    }

    /// From now on operations find no table; its rows are freed by [`Table::free_rows`].
    pub fn delete(&self) {
        self.deleted.store(true, Memory::Relaxed);
    }

    /// Frees the rows of a deleted table, once whoever has them is done. They are paid for until they are gone.
    pub fn free_rows(&self) {
        let mut rows = self.rows.write().unwrap_or_else(PoisonError::into_inner);
        let taken = std::mem::replace(&mut *rows, Rows::Ordered(OrderedRows::new()));
        drop(rows);
        drop(taken);
        self.refund_to(0);
    }

    /// As [`Table::free_rows`], no more than so many of them at a time; whether that was all.
    pub fn free_some(&self, most: usize) -> bool {
        let mut rows = self.rows.write().unwrap_or_else(PoisonError::into_inner);
        let is_all = match &mut *rows {
            Rows::Hash(rows) => rows.free_some(most),
            Rows::Ordered(rows) => rows.free_some(most),
        };
        drop(rows);
        if is_all {
            self.free_rows();
        }
        is_all
    }

    /// How many rows there are, unless somebody has them.
    pub fn try_len(&self) -> Option<usize> {
        self.rows.try_read().ok().map(|rows| rows.len())
    }

    /// Takes all rows out; the caller drops them without the lock. The places of those in a fixed table stay for the traversals.
    pub fn clear(&self, rows: &mut Rows) -> Rows {
        if self.is_fixed()
            && let Rows::Hash(hashed) = rows
        {
            let all: Vec<u32> = hashed.iter().map(|(index, _)| index).collect();
            self.remove_at(rows, &all);
            return Rows::Ordered(OrderedRows::new());
        }
        let paid = self.bytes.swap(0, Memory::Relaxed) - self.small_bytes.swap(0, Memory::Relaxed);
        self.account.give_back(Quota::EtsBytes, paid as u64);
        self.refund_to(0);
        let empty = match rows {
            Rows::Hash(_) => Rows::Hash(HashRows::new()),
            Rows::Ordered(_) => Rows::Ordered(OrderedRows::new()),
        };
        std::mem::replace(rows, empty)
    }

    /// Who pays for it: the account of the process that made it.
    pub fn account(&self) -> &Arc<Account> {
        &self.account
    }

    /// Bytes of all rows.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Memory::Relaxed)
    }

    /// Who has fixed it how often, and since when, in nanoseconds of monotonic time.
    pub fn fixed_by(&self) -> Option<(u64, Vec<(Pid, usize)>)> {
        self.fixers.all()
    }

    pub fn is_fixed(&self) -> bool {
        self.fixers.are_there()
    }

    pub(super) fn key<'r>(&self, row: &'r Fragment) -> Term<'r> {
        let elements = row.term().as_tuple().unwrap_or_default();
        elements.get(self.key_position - 1).copied().unwrap_or(Term::NIL)
    }

    /// Pays for these rows, which are about to be inserted; before any is.
    ///
    /// # Errors
    /// If the account's limit does not allow it.
    pub fn pay(&self, rows: &Rows, more: &[Fragment]) -> Result<(), AllocError> {
        let bytes: usize = more.iter().filter(|row| !row.is_paid()).map(Fragment::bytes).sum();
        if self.account.is_limited() {
            let paid: usize = more.iter().filter(|row| row.is_paid()).map(Fragment::bytes).sum();
            if paid as u64 > self.account.left(Quota::EtsBytes) {
                return Err(AllocError::Limit(Quota::EtsBytes));
            }
        }
        let wanted = self.owed(rows.len() + more.len()) + bytes;
        // Relaxed: changed under the write lock of the rows only.
        let charged = self.charged.load(Memory::Relaxed);
        if wanted > charged {
            let unit = if self.account.is_limited() { PLACE_BYTES } else { LUMP_BYTES };
            let lump = (wanted - charged).next_multiple_of(unit);
            self.account.charge_as(Quota::EtsBytes, lump)?;
            self.charged.store(charged + lump, Memory::Relaxed);
        }
        Ok(())
    }

    /// Bytes to be paid for with that many rows.
    fn owed(&self, rows: usize) -> usize {
        self.small_bytes.load(Memory::Relaxed) + rows * PLACE_BYTES
    }

    /// Gives back what was charged beyond `bytes`.
    fn refund_to(&self, bytes: usize) {
        let charged = self.charged.load(Memory::Relaxed);
        if charged > bytes {
            self.charged.store(bytes, Memory::Relaxed);
            self.account.refund(charged - bytes);
            self.account.give_back(Quota::EtsBytes, (charged - bytes) as u64);
        }
    }

    pub(super) fn grow(&self, row: &Fragment) {
        self.bytes.fetch_add(row.bytes(), Memory::Relaxed);
        if row.is_paid() {
            // Asked for by `pay`; where a row only takes another's place, nobody did.
            let _ = self.account.spend(Quota::EtsBytes, row.bytes() as u64);
        } else {
            self.small_bytes.fetch_add(row.bytes(), Memory::Relaxed);
        }
    }

    pub(super) fn shrink(&self, row: &Fragment) {
        self.bytes.fetch_sub(row.bytes(), Memory::Relaxed);
        if row.is_paid() {
            self.account.give_back(Quota::EtsBytes, row.bytes() as u64);
        } else {
            let left = self.small_bytes.fetch_sub(row.bytes(), Memory::Relaxed) - row.bytes();
            // Its place stays: places are only given back with the whole table.
            let keep = self.charged.load(Memory::Relaxed) / 2;
            if 4 * (left + LUMP_BYTES) < keep {
                self.refund_to(keep);
            }
        }
    }

    /// Whether a row of that key is there.
    pub fn contains(&self, rows: &Rows, atoms: &Atoms, key: Term<'_>) -> bool {
        match rows {
            Rows::Hash(rows) => {
                rows.find(hash(atoms, key), |row| equal_exact(self.key(row), key)).next().is_some()
            }
            Rows::Ordered(rows) => rows.find(|row| compare(atoms, self.key(row), key)).is_ok(),
        }
    }

    /// Inserts a row, replacing what the kind of table says; the replaced row is the caller's to drop. A bag wants
    /// [`Table::insert_all`], which looks for an equal one.
    pub fn insert(&self, rows: &mut Rows, atoms: &Atoms, row: Fragment) -> Option<Fragment> {
        self.grow(&row);
        match rows {
            Rows::Hash(rows) => self.insert_hash(rows, atoms, row),
            Rows::Ordered(rows) => match rows.find(|other| compare(atoms, self.key(other), self.key(&row))) {
                Ok(place) => {
                    let old = rows.replace(place, row);
                    self.shrink(&old);
                    Some(old)
                }
                Err(place) => {
                    rows.insert(place, row);
                    None
                }
            },
        }
    }

    fn insert_hash(&self, rows: &mut HashRows, atoms: &Atoms, row: Fragment) -> Option<Fragment> {
        let hash = hash(atoms, self.key(&row));
        debug_assert!(self.kind != Kind::Bag);
        if self.kind == Kind::Set
            && let Some(index) = rows.position(hash, |other| equal_exact(self.key(other), self.key(&row)))
        {
            let (old, was_live) = rows.replace(index, row);
            if was_live {
                self.shrink(&old);
            }
            return Some(old);
        }
        rows.insert(hash, 0, row);
        None
    }

    /// Whether another row can be inserted.
    pub fn has_room(rows: &Rows, more: usize) -> bool {
        rows.len() + more < MAX_ENTRIES
    }

    /// Changes the only row of `key` (sets only): `change` answers the new row, or `None` to leave it.
    ///
    /// # Errors
    /// What `change` says.
    pub fn update<E>(
        &self,
        rows: &mut Rows,
        atoms: &Atoms,
        key: Term<'_>,
        change: impl FnOnce(&mut Fragment) -> Result<Option<Fragment>, E>,
    ) -> Result<Update, E> {
        let Some(old) = self.row_mut(rows, atoms, key) else { return Ok(Update::NoRow) };
        if let Some(new) = change(old)? {
            self.shrink(old);
            self.grow(&new);
            *old = new;
        }
        Ok(Update::Done)
    }

    /// Adds to the element at `index` (from 0) of the row of that key, if that is all there is to do: both numbers and the sum
    /// are small. `None`: nothing was changed.
    pub fn add_small(
        &self,
        rows: &mut Rows,
        atoms: &Atoms,
        key: Term<'_>,
        index: usize,
        increment: i64,
    ) -> Option<Word> {
        let row = self.row_mut(rows, atoms, key)?;
        let old = row.term().as_tuple()?.get(index)?.as_small()?;
        let new = Term::small(old.checked_add(increment)?)?.word();
        row.set_immediate(index, new).then_some(new)
    }

    /// The row of that key, of a table that keeps one.
    pub fn lookup_one<'r>(&self, rows: &'r Rows, atoms: &Atoms, key: Term<'_>) -> Option<&'r Fragment> {
        match rows {
            Rows::Hash(rows) => {
                let mut found = rows.find(hash(atoms, key), |row| equal_exact(self.key(row), key));
                found.next().map(|(_, row)| row)
            }
            Rows::Ordered(rows) => rows.get(rows.find(|row| compare(atoms, self.key(row), key)).ok()?),
        }
    }

    fn row_mut<'r>(&self, rows: &'r mut Rows, atoms: &Atoms, key: Term<'_>) -> Option<&'r mut Fragment> {
        match rows {
            Rows::Hash(rows) => {
                let found = rows.find(hash(atoms, key), |row| equal_exact(self.key(row), key)).next();
                let index = found.map(|(index, _)| index)?;
                rows.get_mut(index)
            }
            Rows::Ordered(rows) => {
                let place = rows.find(|row| compare(atoms, self.key(row), key)).ok()?;
                rows.get_mut(place)
            }
        }
    }

    /// The key of a row, for callers that hold one.
    pub fn key_of<'r>(&self, row: &'r Fragment) -> Term<'r> {
        self.key(row)
    }
}

impl Rows {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Rows::Hash(rows) => rows.len(),
            Rows::Ordered(rows) => rows.len(),
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All rows in traversal order.
    pub fn iter(&self) -> Box<dyn Iterator<Item = &Fragment> + '_> {
        match self {
            Rows::Hash(rows) => Box::new(rows.iter().map(|(_, row)| row)),
            Rows::Ordered(rows) => Box::new(rows.iter()),
        }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        self.refund_to(0);
        let paid = *self.bytes.get_mut() - *self.small_bytes.get_mut();
        self.account.give_back(Quota::EtsBytes, (paid + self.own_bytes) as u64);
        self.account.refund(self.own_bytes);
    }
}

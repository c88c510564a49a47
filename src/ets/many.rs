//! What may have to do with many rows at once: all those of a key, of which a bag may have any number, and the steps of a
//! traversal, which pass what was deleted.
//!
//! Whatever is done for each row is announced to a [`Meter`] before anything is changed, so that long work can be given up, and done
//! by the pool. A bag tells rows of one key apart by a hash of the whole row, 16 bits of which stand beside it; else each
//! insertion would compare its row with all others of the key.

use std::collections::BTreeMap;

use super::hash::HashRows;
use super::order::{OrderedRows, Place};
use super::pattern::order_of_open;
use super::table::{Kind, Rows, Table};
use super::{Meter, NoStep};
use crate::atom::Atoms;
use crate::heap::{AllocError, Fragment};
use crate::term::Term;
use crate::term::compare::{compare, equal_exact};
use crate::term::hash::hash;

/// Words of a row that are compared, or hashed, in the time of a unit of work.
const WORDS_PER_UNIT: usize = 4;

/// The mark of a row of a bag.
fn mark(hash: u64) -> u16 {
    (hash >> 48) as u16
}

/// Where a walk goes on.
#[derive(Clone, Copy, Debug)]
pub enum Cursor {
    /// With the first row from that index on.
    Index(u32),
    /// With the row there, if there is one.
    Place(Option<Place>),
}

impl Cursor {
    /// The row that comes next, and where the walk goes on behind it.
    ///
    /// # Errors
    /// What `meter` says.
    pub fn step<'r>(
        self,
        rows: &'r Rows,
        meter: Meter<'_>,
    ) -> Result<Option<(&'r Fragment, Cursor)>, AllocError> {
        Ok(match (self, rows) {
            (Cursor::Index(from), Rows::Hash(rows)) => {
                rows.from(from, meter)?.map(|(index, row)| (row, Cursor::Index(index + 1)))
            }
            (Cursor::Place(Some(place)), Rows::Ordered(rows)) => {
                rows.get(place).map(|row| (row, Cursor::Place(rows.next(place))))
            }
            _ => None,
        })
    }
}

impl Table {
    /// The rows of that key, oldest first; with their indices in a hashed table.
    ///
    /// # Errors
    /// What `meter` says, which is told of the work; here and below.
    pub fn lookup<'r>(
        &self,
        rows: &'r Rows,
        atoms: &Atoms,
        key: Term<'_>,
        meter: Meter<'_>,
    ) -> Result<Vec<(Option<u32>, &'r Fragment)>, AllocError> {
        match rows {
            Rows::Hash(rows) => {
                let mut found = self.indices(rows, hash(atoms, key), key, meter, |_, _| true)?;
                found.reverse();
                Ok(found.into_iter().filter_map(|index| Some((Some(index), rows.get(index)?))).collect())
            }
            Rows::Ordered(rows) => {
                let place = rows.find(|row| compare(atoms, self.key(row), key)).ok();
                Ok(place.and_then(|place| rows.get(place)).map(|row| (None, row)).into_iter().collect())
            }
        }
    }

    /// All rows in traversal order; with their indices in a hashed table.
    ///
    /// # Errors
    /// As [`Table::lookup`].
    pub fn all<'r>(
        &self,
        rows: &'r Rows,
        meter: Meter<'_>,
    ) -> Result<Vec<(Option<u32>, &'r Fragment)>, AllocError> {
        meter(rows.len())?;
        Ok(match rows {
            Rows::Hash(rows) => rows.iter().map(|(index, row)| (Some(index), row)).collect(),
            Rows::Ordered(rows) => rows.iter().map(|row| (None, row)).collect(),
        })
    }

    /// The rows of an ordered table that a key with open parts may fit; of others all.
    ///
    /// # Errors
    /// As [`Table::lookup`].
    pub fn all_of_open<'r>(
        &self,
        rows: &'r Rows,
        atoms: &Atoms,
        pattern: Term<'_>,
        meter: Meter<'_>,
    ) -> Result<Vec<(Option<u32>, &'r Fragment)>, AllocError> {
        let Rows::Ordered(ordered) = rows else { return self.all(rows, meter) };
        let mut found = Vec::new();
        let mut next = self.lowest_of_open(ordered, atoms, pattern);
        while let Some(place) = next
            && let Some(row) = ordered.get(place)
            && order_of_open(atoms, self.key(row), pattern).is_eq()
        {
            meter(1)?;
            found.push((None, row));
            next = ordered.next(place);
        }
        Ok(found)
    }

    fn lowest_of_open(&self, rows: &OrderedRows, atoms: &Atoms, pattern: Term<'_>) -> Option<Place> {
        rows.lowest(|row| order_of_open(atoms, self.key(row), pattern))
    }

    /// Where a walk through a table that keeps one row a key begins: behind a key, or where the first row is that a key with open parts
    /// may fit.
    ///
    /// # Errors
    /// That a hashed table does not have the key.
    pub fn walk_begins(
        &self,
        rows: &Rows,
        atoms: &Atoms,
        after: Option<Term<'_>>,
        open: Option<Term<'_>>,
    ) -> Result<Cursor, NoStep> {
        Ok(match (rows, after) {
            (Rows::Hash(_), None) => Cursor::Index(0),
            (Rows::Hash(rows), Some(key)) => {
                let of_key = rows.position(hash(atoms, key), |row| equal_exact(self.key(row), key));
                Cursor::Index(of_key.ok_or(NoStep::NoKey)? + 1)
            }
            (Rows::Ordered(rows), None) => Cursor::Place(match open {
                Some(open) => self.lowest_of_open(rows, atoms, open),
                None => rows.first(),
            }),
            (Rows::Ordered(rows), Some(key)) => {
                Cursor::Place(match rows.find(|row| compare(atoms, self.key(row), key)) {
                    Ok(place) => rows.next(place),
                    Err(place) => Some(place),
                })
            }
        })
    }

    /// Whether behind that row none is that a key with open parts may fit.
    pub fn is_behind_open(&self, atoms: &Atoms, row: &Fragment, pattern: Term<'_>) -> bool {
        self.kind == Kind::OrderedSet && order_of_open(atoms, self.key(row), pattern).is_gt()
    }

    /// Indices of the rows of `key` for which `wanted`, newest first.
    fn indices(
        &self,
        rows: &HashRows,
        hash: u64,
        key: Term<'_>,
        meter: Meter<'_>,
        wanted: impl Fn(u16, &Fragment) -> bool,
    ) -> Result<Vec<u32>, AllocError> {
        let mut found = Vec::new();
        rows.walk(hash, meter, |index, mark, row| {
            if equal_exact(self.key(row), key) && wanted(mark, row) {
                found.push(index);
            }
            // A set has one.
            self.kind != Kind::Set || found.is_empty()
        })?;
        Ok(found)
    }

    /// Inserts rows in this order, with what the kind of table says of rows that are there; those that are replaced, or not wanted
    /// since a bag has them, are the caller's to drop.
    ///
    /// # Errors
    /// As [`Table::lookup`]; none is inserted then.
    pub fn insert_all(
        &self,
        rows: &mut Rows,
        atoms: &Atoms,
        more: Vec<Fragment>,
        meter: Meter<'_>,
    ) -> Result<Vec<Fragment>, AllocError> {
        match rows {
            Rows::Hash(rows) if self.kind == Kind::Bag => self.insert_into_bag(rows, atoms, more, meter),
            _ => Ok(more.into_iter().filter_map(|row| self.insert(rows, atoms, row)).collect()),
        }
    }

    fn insert_into_bag(
        &self,
        rows: &mut HashRows,
        atoms: &Atoms,
        more: Vec<Fragment>,
        meter: Meter<'_>,
    ) -> Result<Vec<Fragment>, AllocError> {
        // The hash of a key, that of the row, and whether the row is wanted.
        let mut judged = Vec::with_capacity(more.len());
        for row in &more {
            meter(1 + row.words() / WORDS_PER_UNIT)?;
            let (of_key, of_row) = (hash(atoms, self.key(row)), hash(atoms, row.term()));
            let mut is_new = true;
            rows.walk(of_key, meter, |_, other_mark, other| {
                is_new = other_mark != mark(of_row) || !equal_exact(other.term(), row.term());
                is_new
            })?;
            judged.push((of_key, of_row, is_new));
        }
        // Equal ones among them: the first stays.
        let mut kept: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for at in 0..if more.len() > 1 { more.len() } else { 0 } {
            let same_hash = kept.entry(judged[at].1).or_default();
            meter(1 + same_hash.len())?;
            if same_hash.iter().any(|&other| equal_exact(more[other].term(), more[at].term())) {
                judged[at].2 = false;
            } else {
                same_hash.push(at);
            }
        }
        let mut unwanted = Vec::new();
        for (row, (of_key, of_row, is_new)) in more.into_iter().zip(judged) {
            if is_new {
                self.grow(&row);
                rows.insert(of_key, mark(of_row), row);
            } else {
                unwanted.push(row);
            }
        }
        Ok(unwanted)
    }

    /// Deletes the rows of `key`; those that no traversal needs any more are the caller's to drop.
    ///
    /// # Errors
    /// As [`Table::lookup`]; none is deleted then.
    pub fn remove(
        &self,
        rows: &mut Rows,
        atoms: &Atoms,
        key: Term<'_>,
        meter: Meter<'_>,
    ) -> Result<Vec<Fragment>, AllocError> {
        match rows {
            Rows::Ordered(_) => Ok(self.remove_ordered(rows, atoms, key, |_| true)),
            Rows::Hash(hashed) => {
                let found = self.indices(hashed, hash(atoms, key), key, meter, |_, _| true)?;
                Ok(self.remove_at(rows, &found))
            }
        }
    }

    /// Deletes the rows that equal `row`, whose weight that is; otherwise as [`Table::remove`].
    ///
    /// # Errors
    /// As [`Table::remove`].
    pub fn remove_equal(
        &self,
        rows: &mut Rows,
        atoms: &Atoms,
        (key, row): (Term<'_>, Term<'_>),
        weight: usize,
        meter: Meter<'_>,
    ) -> Result<Vec<Fragment>, AllocError> {
        let same = |other: &Fragment| equal_exact(other.term(), row);
        let Rows::Hash(hashed) = rows else { return Ok(self.remove_ordered(rows, atoms, key, same)) };
        let found = if self.kind == Kind::Bag {
            let wanted = mark(hash(atoms, row));
            self.indices(hashed, hash(atoms, key), key, meter, |mark, other| mark == wanted && same(other))?
        } else {
            let mut meter = |units: usize| meter(units.saturating_mul(1 + weight / WORDS_PER_UNIT));
            self.indices(hashed, hash(atoms, key), key, &mut meter, |_, other| same(other))?
        };
        Ok(self.remove_at(rows, &found))
    }

    /// Deletes the row of `key` in an ordered table if it is `wanted`.
    pub fn remove_ordered(
        &self,
        rows: &mut Rows,
        atoms: &Atoms,
        key: Term<'_>,
        wanted: impl Fn(&Fragment) -> bool,
    ) -> Vec<Fragment> {
        let Rows::Ordered(rows) = rows else { return Vec::new() };
        match rows.find(|row| compare(atoms, self.key(row), key)) {
            Ok(place) if rows.get(place).is_some_and(&wanted) => {
                let row = rows.remove(place);
                self.shrink(&row);
                vec![row]
            }
            _ => Vec::new(),
        }
    }

    /// Deletes the rows of these indices, each named once; as [`Table::remove`].
    pub fn remove_at(&self, rows: &mut Rows, indices: &[u32]) -> Vec<Fragment> {
        let Rows::Hash(rows) = rows else { return Vec::new() };
        indices.iter().filter_map(|&index| rows.get(index)).for_each(|row| self.shrink(row));
        rows.remove(indices, self.is_fixed())
    }

    /// Puts a row into the place of one of the same key.
    pub fn replace_at(&self, rows: &mut Rows, index: u32, row: Fragment) {
        if let Rows::Hash(rows) = rows
            && let Some(old) = rows.get_mut(index)
        {
            self.shrink(old);
            self.grow(&row);
            *old = row;
        }
    }

    /// The first row in traversal order.
    ///
    /// # Errors
    /// As [`Table::lookup`].
    pub fn first<'r>(&self, rows: &'r Rows, meter: Meter<'_>) -> Result<Option<&'r Fragment>, AllocError> {
        match rows {
            Rows::Hash(rows) => Ok(rows.from(0, meter)?.map(|(_, row)| row)),
            Rows::Ordered(rows) => Ok(rows.first().and_then(|place| rows.get(place))),
        }
    }

    /// The last row in traversal order; a hashed table has no backward order, and answers its first.
    ///
    /// # Errors
    /// As [`Table::lookup`].
    pub fn last<'r>(&self, rows: &'r Rows, meter: Meter<'_>) -> Result<Option<&'r Fragment>, AllocError> {
        match rows {
            Rows::Hash(_) => self.first(rows, meter),
            Rows::Ordered(rows) => Ok(rows.last().and_then(|place| rows.get(place))),
        }
    }

    /// The row behind all of those of `key` in traversal order.
    ///
    /// # Errors
    /// `NoKey` if a hashed table has no such key.
    pub fn next<'r>(
        &self,
        rows: &'r Rows,
        atoms: &Atoms,
        key: Term<'_>,
        meter: Meter<'_>,
    ) -> Result<Option<&'r Fragment>, NoStep> {
        match rows {
            Rows::Ordered(rows) => Ok(match rows.find(|row| compare(atoms, self.key(row), key)) {
                Ok(place) => rows.next(place).and_then(|place| rows.get(place)),
                Err(place) => rows.get(place),
            }),
            Rows::Hash(rows) => {
                let of_key = hash(atoms, key);
                let same = |row: &Fragment| equal_exact(self.key(row), key);
                let index = rows.position(of_key, same).ok_or(NoStep::NoKey)?;
                if self.kind == Kind::Set {
                    return Ok(rows.from(index + 1, meter)?.map(|(_, row)| row));
                }
                let index = rows.lowest(of_key, meter, same)?.unwrap_or(index);
                Ok(self.next_of_bag(rows, of_key, index, meter)?)
            }
        }
    }

    /// A key of a bag stands for all its rows, and is met where the lowest of their indices is: the step from there on passes rows
    /// of keys that were met already.
    fn next_of_bag<'r>(
        &self,
        rows: &'r HashRows,
        of_key: u64,
        mut index: u32,
        meter: Meter<'_>,
    ) -> Result<Option<&'r Fragment>, AllocError> {
        // One row of each key known to have been met, by hash: so that not all rows of a key are looked through for each.
        let mut met: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        met.insert(of_key, vec![index]);
        while let Some((at, row)) = rows.from(index + 1, meter)? {
            meter(1)?;
            let key = self.key(row);
            let same = |row: &Fragment| equal_exact(self.key(row), key);
            let hash = rows.hash_at(at).unwrap_or_default();
            let known = met.entry(hash).or_default();
            if !known.iter().any(|&met| rows.get(met).is_some_and(same)) {
                if rows.lowest(hash, meter, same)? == Some(at) {
                    return Ok(Some(row));
                }
                known.push(at);
            }
            index = at;
        }
        Ok(None)
    }

    /// The row before `key` in order; in a hashed table as [`Table::next`].
    ///
    /// # Errors
    /// As [`Table::next`].
    pub fn previous<'r>(
        &self,
        rows: &'r Rows,
        atoms: &Atoms,
        key: Term<'_>,
        meter: Meter<'_>,
    ) -> Result<Option<&'r Fragment>, NoStep> {
        match rows {
            Rows::Hash(_) => self.next(rows, atoms, key, meter),
            Rows::Ordered(rows) => {
                let place = match rows.find(|row| compare(atoms, self.key(row), key)) {
                    Ok(place) | Err(place) => place,
                };
                Ok(rows.previous(place).and_then(|place| rows.get(place)))
            }
        }
    }
}

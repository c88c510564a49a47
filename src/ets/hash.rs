//! Rows by hash of their key: sets and bags.
//!
//! Linear hashing over chains: each insertion that makes the table too full splits one bucket, so growth never stops
//! the world. Entries live in a slab and keep their index for life, which is what a traversal walks along: it
//! meets every row that was there from its beginning to its end exactly once, whatever is inserted or deleted
//! meanwhile. While a traversal has fixed the table, deleted rows stay as tombstones, so that going on from a deleted key
//! works.

use std::sync::atomic::{AtomicU32, Ordering};

use slab::Slab;

use super::Meter;
use crate::heap::{AllocError, Fragment};

/// No entry.
const NONE: u32 = u32::MAX;
/// Buckets of an empty table; a power of two.
const FIRST_BUCKETS: usize = 8;
/// Entries that a table can hold; indices are 32 bits wide.
pub const MAX_ENTRIES: usize = NONE as usize;

/// Rows looked at between two announcements of work; and places without a row, which take a good deal less.
const ROWS_AT_ONCE: usize = 64;
const PLACES_AT_ONCE: usize = 4096;
const PLACES_PER_UNIT: usize = 4;

struct Entry {
    hash: u64,
    next: u32,
    /// What the table's owner tells rows of one key apart by before it compares them.
    mark: u16,
    deleted: bool,
    row: Fragment,
}

/// A multiset of rows, found by the hash of their keys.
pub struct HashRows {
    entries: Slab<Entry>,
    /// First entry of each bucket.
    buckets: Vec<u32>,
    /// Rows that are no tombstones.
    live: usize,
    tombstones: usize,
    /// No entry has an index below the one, nor from the other on. Readers, who are alone with other readers, raise the first.
    start: AtomicU32,
    end: u32,
}

impl HashRows {
    pub fn new() -> HashRows {
        HashRows {
            entries: Slab::new(),
            buckets: vec![NONE; FIRST_BUCKETS],
            live: 0,
            tombstones: 0,
            start: AtomicU32::new(0),
            end: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.live
    }

    /// Bucket of a hash: the low bits, of the doubled table where that bucket was split already.
    fn bucket(&self, hash: u64) -> usize {
        let low = self.buckets.len().next_power_of_two();
        let wide = (hash as usize) & (low - 1);
        if wide < self.buckets.len() { wide } else { wide & (low / 2 - 1) }
    }

    fn chain(&self, hash: u64) -> impl Iterator<Item = u32> + '_ {
        let first = self.buckets[self.bucket(hash)];
        std::iter::successors(some(first), |&index| some(self.entry(index).next))
            .filter(move |&index| self.entry(index).hash == hash)
    }

    fn entry(&self, index: u32) -> &Entry {
        &self.entries[index as usize]
    }

    /// Live rows of this hash for which `matches`, newest first, with their indices.
    pub fn find<'a, F: Fn(&Fragment) -> bool>(
        &'a self,
        hash: u64,
        matches: F,
    ) -> impl Iterator<Item = (u32, &'a Fragment)> + use<'a, F> {
        self.chain(hash).filter_map(move |index| {
            let entry = self.entry(index);
            (!entry.deleted && matches(&entry.row)).then_some((index, &entry.row))
        })
    }

    /// Index of any row, tombstone or not, of this hash for which `matches`.
    pub fn position(&self, hash: u64, matches: impl Fn(&Fragment) -> bool) -> Option<u32> {
        self.chain(hash).find(|&index| matches(&self.entry(index).row))
    }

    /// Shows `visit` all live rows of this hash with their indices and marks, newest first, until it has seen enough (`false`).
    ///
    /// # Errors
    /// What `meter` says, which is told of the work.
    pub fn walk(
        &self,
        hash: u64,
        meter: Meter<'_>,
        mut visit: impl FnMut(u32, u16, &Fragment) -> bool,
    ) -> Result<(), AllocError> {
        let mut looked_at = 0;
        for index in self.chain(hash) {
            let entry = self.entry(index);
            if !entry.deleted && !visit(index, entry.mark, &entry.row) {
                break;
            }
            looked_at += 1;
            if looked_at == ROWS_AT_ONCE {
                meter(std::mem::take(&mut looked_at))?;
            }
        }
        meter(looked_at)
    }

    /// The lowest index of a live row of this hash for which `matches`: where a traversal meets the key first.
    ///
    /// # Errors
    /// As [`HashRows::walk`].
    pub fn lowest(
        &self,
        hash: u64,
        meter: Meter<'_>,
        matches: impl Fn(&Fragment) -> bool,
    ) -> Result<Option<u32>, AllocError> {
        let mut lowest = None;
        self.walk(hash, meter, |index, _, row| {
            if lowest.is_none_or(|lowest| index < lowest) && matches(row) {
                lowest = Some(index);
            }
            true
        })?;
        Ok(lowest)
    }

    /// The hash of the row at an index.
    pub fn hash_at(&self, index: u32) -> Option<u64> {
        self.entries.get(index as usize).map(|entry| entry.hash)
    }

    /// The row at an index.
    pub fn get(&self, index: u32) -> Option<&Fragment> {
        self.entries.get(index as usize).map(|entry| &entry.row)
    }

    /// The row at an index, for changes that leave its key.
    pub fn get_mut(&mut self, index: u32) -> Option<&mut Fragment> {
        self.entries.get_mut(index as usize).map(|entry| &mut entry.row)
    }

    /// Adds a row in front of those of its bucket.
    pub fn insert(&mut self, hash: u64, mark: u16, row: Fragment) {
        let bucket = self.bucket(hash);
        let entry = Entry { hash, next: self.buckets[bucket], mark, deleted: false, row };
        let index = self.entries.insert(entry) as u32;
        self.buckets[bucket] = index;
        self.live += 1;
        let start = self.start.get_mut();
        *start = index.min(*start);
        self.end = self.end.max(index + 1);
        if self.entries.len() > self.buckets.len() {
            self.split();
        }
    }

    /// Puts another row of the same key in the place of one, which may be a tombstone: that one, and whether it was none.
    pub fn replace(&mut self, index: u32, row: Fragment) -> (Fragment, bool) {
        let entry = &mut self.entries[index as usize];
        let was_live = !std::mem::take(&mut entry.deleted);
        if !was_live {
            self.live += 1;
            self.tombstones -= 1;
        }
        (std::mem::replace(&mut entry.row, row), was_live)
    }

    /// Takes rows out; `keep` leaves tombstones, whose rows stay readable to [`HashRows::position`]. However many of them are of
    /// one bucket, it is walked once.
    pub fn remove(&mut self, indices: &[u32], keep: bool) -> Vec<Fragment> {
        if indices.is_empty() {
            return Vec::new();
        }
        let mut buckets = Vec::with_capacity(if keep { 0 } else { indices.len() });
        for &index in indices {
            let entry = &mut self.entries[index as usize];
            if !std::mem::replace(&mut entry.deleted, true) {
                self.live -= 1;
                self.tombstones += 1;
            }
            if !keep {
                let hash = entry.hash;
                buckets.push(self.bucket(hash));
            }
        }
        buckets.sort_unstable();
        buckets.dedup();
        let mut removed = Vec::with_capacity(if keep { 0 } else { indices.len() });
        buckets.into_iter().for_each(|bucket| self.sweep_bucket(bucket, &mut removed));
        self.forget_places();
        removed
    }

    /// Takes the tombstones of one bucket out.
    fn sweep_bucket(&mut self, bucket: usize, removed: &mut Vec<Fragment>) {
        let mut before = NONE;
        let mut index = self.buckets[bucket];
        while index != NONE {
            let next = self.entry(index).next;
            if self.entry(index).deleted {
                removed.push(self.entries.remove(index as usize).row);
                self.tombstones -= 1;
                if before == NONE {
                    self.buckets[bucket] = next;
                } else {
                    self.entries[before as usize].next = next;
                }
            } else {
                before = index;
            }
            index = next;
        }
    }

    /// An empty table begins anew with its places.
    fn forget_places(&mut self) {
        if self.entries.is_empty() {
            self.entries.clear();
            *self.start.get_mut() = 0;
            self.end = 0;
        }
    }

    /// Takes the tombstones out; no traversal goes on.
    pub fn sweep(&mut self) -> Vec<Fragment> {
        let mut removed = Vec::new();
        if self.tombstones > 0 {
            (0..self.buckets.len()).for_each(|bucket| self.sweep_bucket(bucket, &mut removed));
            self.forget_places();
        }
        removed
    }

    /// Frees some of the rows, after which nothing finds any; whether that was all.
    pub fn free_some(&mut self, most: usize) -> bool {
        let mut freed = 0;
        while freed < most && self.end > 0 {
            self.end -= 1;
            freed += usize::from(self.entries.try_remove(self.end as usize).is_some());
        }
        self.end == 0
    }

    /// Moves the entries of one bucket that belong to its new twin.
    fn split(&mut self) {
        let twin = self.buckets.len();
        let half = twin.next_power_of_two().max(FIRST_BUCKETS);
        let half = if half == twin { twin } else { half / 2 };
        let old = twin - half;
        let mask = half as u64 * 2 - 1;
        let (mut stay, mut go) = (Vec::new(), Vec::new());
        let mut index = self.buckets[old];
        while index != NONE {
            let entry = self.entry(index);
            if (entry.hash & mask) as usize == twin {
                go.push(index)
            } else {
                stay.push(index)
            }
            index = entry.next;
        }
        self.buckets.push(NONE);
        self.buckets[old] = self.relink(&stay);
        self.buckets[twin] = self.relink(&go);
    }

    fn relink(&mut self, chain: &[u32]) -> u32 {
        let mut next = NONE;
        for &index in chain.iter().rev() {
            self.entries[index as usize].next = next;
            next = index;
        }
        next
    }

    /// The first live row at or behind `index` in traversal order.
    ///
    /// # Errors
    /// As [`HashRows::walk`].
    pub fn from(&self, index: u32, meter: Meter<'_>) -> Result<Option<(u32, &Fragment)>, AllocError> {
        // Relaxed: writers, who lower it, have the table alone; readers find the same.
        let start = self.start.load(Ordering::Relaxed);
        let mut passed = 0;
        for at in index.max(start)..self.end {
            if let Some(entry) = self.entries.get(at as usize)
                && !entry.deleted
            {
                if index <= start && self.tombstones == 0 {
                    self.start.store(at, Ordering::Relaxed);
                }
                return Ok(Some((at, &entry.row)));
            }
            passed += 1;
            if passed == PLACES_AT_ONCE {
                meter(std::mem::take(&mut passed) / PLACES_PER_UNIT)?;
            }
        }
        Ok(None)
    }

    /// All live rows in traversal order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Fragment)> {
        self.entries.iter().filter(|(_, entry)| !entry.deleted).map(|(at, entry)| (at as u32, &entry.row))
    }
}

fn some(index: u32) -> Option<u32> {
    (index != NONE).then_some(index)
}

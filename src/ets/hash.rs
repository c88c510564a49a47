//! Rows by hash of their key: sets and bags.
//!
//! Linear hashing over chains: each insertion that makes the table too full splits one bucket, so growth never stops
//! the world. Entries live in a slab and keep their index for life, which is what a traversal walks along: it
//! meets every row that was there from its beginning to its end exactly once, whatever is inserted or deleted
//! meanwhile. While a traversal has fixed the table, deleted rows stay as tombstones, so that going on from a deleted key
//! works.

use slab::Slab;

use crate::heap::Fragment;

/// No entry.
const NONE: u32 = u32::MAX;
/// Buckets of an empty table; a power of two.
const FIRST_BUCKETS: usize = 8;
/// Entries that a table can hold; indices are 32 bits wide.
pub const MAX_ENTRIES: usize = NONE as usize;

struct Entry {
    hash: u64,
    next: u32,
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
}

impl HashRows {
    pub fn new() -> HashRows {
        HashRows { entries: Slab::new(), buckets: vec![NONE; FIRST_BUCKETS], live: 0, tombstones: 0 }
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

    /// The lowest index of a live row of this hash for which `matches`: where a traversal meets the key first.
    pub fn lowest(&self, hash: u64, matches: impl Fn(&Fragment) -> bool) -> Option<u32> {
        self.find(hash, matches).map(|(index, _)| index).min()
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
    pub fn insert(&mut self, hash: u64, row: Fragment) {
        let bucket = self.bucket(hash);
        let entry = Entry { hash, next: self.buckets[bucket], deleted: false, row };
        self.buckets[bucket] = self.entries.insert(entry) as u32;
        self.live += 1;
        if self.entries.len() > self.buckets.len() {
            self.split();
        }
    }

    /// Puts another row of the same key in the place of one.
    pub fn replace(&mut self, index: u32, row: Fragment) -> Fragment {
        let entry = &mut self.entries[index as usize];
        if std::mem::take(&mut entry.deleted) {
            self.live += 1;
            self.tombstones -= 1;
        }
        std::mem::replace(&mut entry.row, row)
    }

    /// Takes a row out; `keep` leaves a tombstone, whose row stays readable to [`HashRows::position`].
    pub fn remove(&mut self, index: u32, keep: bool) -> Option<Fragment> {
        self.live -= 1;
        if keep {
            self.entries[index as usize].deleted = true;
            self.tombstones += 1;
            return None;
        }
        Some(self.unlink(index))
    }

    fn unlink(&mut self, index: u32) -> Fragment {
        let bucket = self.bucket(self.entry(index).hash);
        let next = self.entry(index).next;
        if self.buckets[bucket] == index {
            self.buckets[bucket] = next;
        } else {
            let mut before = self.buckets[bucket];
            while self.entry(before).next != index {
                before = self.entry(before).next;
            }
            self.entries[before as usize].next = next;
        }
        self.entries.remove(index as usize).row
    }

    /// Frees the tombstones; no traversal goes on.
    pub fn sweep(&mut self) {
        if self.tombstones == 0 {
            return;
        }
        let dead: Vec<u32> = self.entries.iter().filter(|(_, e)| e.deleted).map(|(i, _)| i as u32).collect();
        for index in dead {
            self.unlink(index);
        }
        self.tombstones = 0;
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
    pub fn from(&self, index: u32) -> Option<(u32, &Fragment)> {
        let end = self.entries.capacity();
        (index as usize..end)
            .filter_map(|at| self.entries.get(at).map(|entry| (at as u32, entry)))
            .find(|(_, entry)| !entry.deleted)
            .map(|(at, entry)| (at, &entry.row))
    }

    /// All live rows in traversal order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Fragment)> {
        self.entries.iter().filter(|(_, entry)| !entry.deleted).map(|(at, entry)| (at as u32, &entry.row))
    }
}

fn some(index: u32) -> Option<u32> {
    (index != NONE).then_some(index)
}

//! The process dictionary: a hash table from terms to terms, in order of insertion.
//!
//! Keys are compared exactly (`=:=`). The table does not read terms: callers bring a key's hash and a comparison. For keys
//! that are immediate words both are plain integer operations ([`Dictionary::immediate_hash`], word equality).
//! The words are roots of every collection ([`Dictionary::roots`]); a key's hash does not change when it moves.

use crate::term::Word;

/// Empty place in the index.
const NONE: u32 = u32::MAX;

/// Entries below which the index is not worth having: a scan of one cache line is faster.
const INDEX_FROM: usize = 8;

/// The table; see the module's essay.
#[derive(Debug, Default)]
pub struct Dictionary {
    /// Key, value, key, value ...
    words: Vec<Word>,
    hashes: Vec<u64>,
    /// Open addressing over entry numbers; empty while there are few entries.
    index: Vec<u32>,
}

impl Dictionary {
    /// The hash of an immediate key.
    #[inline]
    pub fn immediate_hash(key: Word) -> u64 {
        let mixed = key.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The entry of a key.
    #[inline]
    fn find(&self, hash: u64, same: impl Fn(Word) -> bool) -> Option<usize> {
        let is = |entry: usize| self.hashes[entry] == hash && same(self.words[2 * entry]);
        if self.index.is_empty() {
            return (0..self.hashes.len()).find(|&entry| is(entry));
        }
        let mask = self.index.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            match self.index[place] {
                NONE => return None,
                entry if is(entry as usize) => return Some(entry as usize),
                _ => place = (place + 1) & mask,
            }
        }
    }

    /// The value of a key.
    #[inline]
    pub fn get(&self, hash: u64, same: impl Fn(Word) -> bool) -> Option<Word> {
        self.find(hash, same).map(|entry| self.words[2 * entry + 1])
    }

    /// Sets a key's value and gives the old one.
    pub fn put(&mut self, hash: u64, same: impl Fn(Word) -> bool, key: Word, value: Word) -> Option<Word> {
        if let Some(entry) = self.find(hash, same) {
            return Some(std::mem::replace(&mut self.words[2 * entry + 1], value));
        }
        self.words.extend([key, value]);
        self.hashes.push(hash);
        if 2 * self.hashes.len() > self.index.len() && self.hashes.len() >= INDEX_FROM {
            self.rebuild();
        } else if !self.index.is_empty() {
            self.insert_index(self.hashes.len() - 1);
        }
        None
    }

    /// Removes a key and gives its value.
    pub fn erase(&mut self, hash: u64, same: impl Fn(Word) -> bool) -> Option<Word> {
        let entry = self.find(hash, same)?;
        let value = self.words[2 * entry + 1];
        let last = self.hashes.len() - 1;
        if !self.index.is_empty() {
            self.remove_index(entry);
            if entry != last {
                self.remove_index(last);
            }
        }
        self.hashes.swap_remove(entry);
        self.words.swap(2 * entry, 2 * last);
        self.words.swap(2 * entry + 1, 2 * last + 1);
        self.words.truncate(2 * last);
        if !self.index.is_empty() && entry != last {
            self.insert_index(entry);
        }
        Some(value)
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        *self = Dictionary::default();
    }

    /// The entries.
    pub fn iter(&self) -> impl Iterator<Item = (Word, Word)> + '_ {
        self.words.chunks_exact(2).map(|pair| (pair[0], pair[1]))
    }

    /// Keys and values, for the collector.
    pub fn roots(&mut self) -> &mut [Word] {
        &mut self.words
    }

    fn insert_index(&mut self, entry: usize) {
        let mask = self.index.len() - 1;
        let mut place = self.hashes[entry] as usize & mask;
        while self.index[place] != NONE {
            place = (place + 1) & mask;
        }
        self.index[place] = entry as u32;
    }

    /// Takes an entry out of the index and closes the gap, so that probing needs no tombstones.
    fn remove_index(&mut self, entry: usize) {
        let mask = self.index.len() - 1;
        let mut gap = self.hashes[entry] as usize & mask;
        while self.index[gap] != entry as u32 {
            gap = (gap + 1) & mask;
        }
        let mut place = gap;
        loop {
            place = (place + 1) & mask;
            let other = self.index[place];
            if other == NONE {
                break;
            }
            let home = self.hashes[other as usize] as usize & mask;
            if place.wrapping_sub(home) & mask >= place.wrapping_sub(gap) & mask {
                self.index[gap] = other;
                gap = place;
            }
        }
        self.index[gap] = NONE;
    }

    fn rebuild(&mut self) {
        self.index = vec![NONE; (4 * self.hashes.len()).next_power_of_two()];
        (0..self.hashes.len()).for_each(|entry| self.insert_index(entry));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn agrees_with_a_map_under_colliding_hashes() {
        let mut dictionary = Dictionary::default();
        let mut model = BTreeMap::new();
        let mut seed = 1u64;
        for step in 0..20_000i64 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let key = Word::small((seed >> 40) as i64 % 200);
            // Few hashes, so that probing, collisions and closing gaps are met all the time.
            let hash = key.bits() % 16;
            if seed >> 63 == 0 {
                let old = dictionary.put(hash, |word| word == key, key, Word::small(step));
                assert_eq!(old, model.insert(key.bits(), Word::small(step)));
            } else {
                assert_eq!(dictionary.erase(hash, |word| word == key), model.remove(&key.bits()));
            }
            assert_eq!(dictionary.get(hash, |word| word == key), model.get(&key.bits()).copied());
            assert_eq!(dictionary.len(), model.len());
        }
        let mut entries: Vec<_> = dictionary.iter().map(|(key, value)| (key.bits(), value)).collect();
        entries.sort_by_key(|(key, _)| *key);
        assert_eq!(entries, model.into_iter().collect::<Vec<_>>());
    }
}

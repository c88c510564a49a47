//! Maps and sets of the compiler's own small keys: names, variables, blocks.
//!
//! Their keys are numbers that the compiler gave out itself, a word or two each, and modules are small: with the standard
//! library's hasher, made for keys that strangers choose, a tenth of the time of a compilation is hashing. What the text
//! chooses freely (its literals) stays with that one.

use std::hash::{BuildHasherDefault, Hasher};

pub type HashMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<WordHasher>>;
pub type HashSet<T> = std::collections::HashSet<T, BuildHasherDefault<WordHasher>>;

/// Multiplies word by word; the same in every run.
#[derive(Clone, Default)]
pub struct WordHasher(u64);

impl WordHasher {
    #[inline]
    fn add(&mut self, word: u64) {
        // 2^64 / golden ratio: spreads neighbours.
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Hasher for WordHasher {
    #[inline]
    fn finish(&self) -> u64 {
        // The product's high bits are the good ones, and tables look at both ends.
        self.0.rotate_left(26)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u8(&mut self, value: u8) {
        self.add(u64::from(value));
    }

    #[inline]
    fn write_u16(&mut self, value: u16) {
        self.add(u64::from(value));
    }

    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.add(u64::from(value));
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.add(value);
    }

    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.add(value as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_do_not_share_places() {
        for step in [1, 8, 4096] {
            let places: HashSet<u64> = (0..1000_u64)
                .map(|i| {
                    let mut hasher = WordHasher::default();
                    hasher.write_u64(i * step);
                    hasher.finish() & 0xFFFF
                })
                .collect();
            assert!(places.len() > 900, "{} places for 1000 keys, {step} apart", places.len());
        }
    }
}

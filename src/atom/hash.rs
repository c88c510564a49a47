//! The keyed hash of content: what the trie of large maps, the atom table and ETS sets hash by.
//!
//! Multiply-and-fold with a key per VM, in the manner of wyhash: fast on short keys, and without the key nobody can
//! prepare colliding ones. Nothing is ever hashed by its address, so the order a trie is walked in depends on the key
//! and the content alone, and a seeded VM repeats it.

/// The key of a VM's content hashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HashKey(u64);

/// Odd constants with about half their bits set, from the fractional digits of pi.
const P0: u64 = 0x243f_6a88_85a3_08d3;
const P1: u64 = 0x1319_8a2e_0370_7345;

/// Folds the 128-bit product of two words into one.
#[inline(always)]
pub const fn mix(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

impl HashKey {
    /// A key made from any seed (random, or the VM's seed in seeded mode).
    pub const fn from_seed(seed: u64) -> HashKey {
        HashKey(mix(seed ^ P0, P1) | 1)
    }

    /// The key's start value for a hash that is built word by word with [`HashKey::word`].
    #[inline(always)]
    pub const fn start(self) -> u64 {
        self.0
    }

    /// Adds a word to a hash.
    #[inline(always)]
    pub const fn word(self, hash: u64, word: u64) -> u64 {
        mix(hash ^ word ^ P0, self.0 ^ P1)
    }

    /// Hash of a string of bytes.
    pub fn bytes(self, bytes: &[u8]) -> u64 {
        let mut hash = self.0 ^ bytes.len() as u64;
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            hash = self.word(hash, u64::from_le_bytes(chunk.try_into().expect("chunks of eight")));
        }
        let rest = chunks.remainder();
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            hash = self.word(hash, u64::from_le_bytes(last));
        }
        mix(hash, P1)
    }
}

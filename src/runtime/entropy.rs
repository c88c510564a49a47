//! The only door to randomness.
//!
//! One source per virtual machine, seeded by the host or by the user's seed; workers fork generators of their own from it.

use std::sync::atomic::{AtomicU64, Ordering};

/// A small generator (splitmix64): for scheduling choices and hash keys, not for secrets.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator that gives the same numbers for the same seed.
    pub const fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The next 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `bound`, which is not zero; evenly enough for scheduling.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The virtual machine's source.
#[derive(Debug)]
pub struct Entropy(AtomicU64);

impl Entropy {
    /// From the host's randomness.
    #[allow(clippy::disallowed_types, reason = "this module is the door the lint keeps shut elsewhere")]
    pub fn from_host() -> Entropy {
        use std::hash::{BuildHasher, Hasher};
        Entropy::from_seed(std::hash::RandomState::new().build_hasher().finish())
    }

    /// From a seed: the same numbers every time.
    pub const fn from_seed(seed: u64) -> Entropy {
        Entropy(AtomicU64::new(seed))
    }

    /// 64 bits.
    pub fn next_u64(&self) -> u64 {
        // Relaxed: a counter; nothing else is published with it.
        mix(self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed).wrapping_add(0x9e37_79b9_7f4a_7c15))
    }

    /// A generator of its own for one worker.
    pub fn fork(&self) -> Rng {
        Rng::new(self.next_u64())
    }
}

/// Fills `bytes` with what the operating system holds to be unguessable; `false` if it cannot.
#[cfg(unix)]
pub fn fill_from_host(bytes: &mut [u8]) -> bool {
    use std::io::Read;
    std::fs::File::open("/dev/urandom").and_then(|mut source| source.read_exact(bytes)).is_ok()
}

/// Fills `bytes` with what the operating system holds to be unguessable: not known how.
#[cfg(not(unix))]
pub fn fill_from_host(_bytes: &mut [u8]) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_numbers_and_bounds_hold() {
        let (one, two) = (Entropy::from_seed(5), Entropy::from_seed(5));
        let (mut a, mut b) = (one.fork(), two.fork());
        for _ in 0..1000 {
            let number = a.below(7);
            assert!(number < 7);
            assert_eq!(number, b.below(7));
        }
        assert_ne!(Entropy::from_seed(6).next_u64(), Entropy::from_seed(5).next_u64());
    }
}

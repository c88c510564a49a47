//! Pairs of objects a long comparison has met: terms that share parts are compared in time proportional to what is really there.
//!
//! Forty levels of `[A | A]` are forty cells but 2^40 nodes. A walk that ends at the first difference may skip a pair it has met
//! before: if that pair had differed, the walk would have ended. The table is lossy (one place for each pair, the last one
//! stays), begins only after a few thousand steps, and grows with the work done up to a bound.

use super::Word;

/// Steps of a comparison before it begins to remember: most end before.
const BEGIN: usize = 4096;
/// First and last size of the table.
const FIRST: usize = 4096;
const LAST: usize = 1 << 20;
/// Steps per place after which the table doubles.
const WORN: usize = 16;

/// The pairs met.
#[derive(Default)]
pub(crate) struct Seen {
    steps: usize,
    table: Vec<(u64, u64)>,
}

impl Seen {
    /// Whether this pair was met before under the same exactness; remembers it otherwise.
    #[inline]
    pub fn again(&mut self, a: Word, b: Word, exact: bool) -> bool {
        self.steps += 1;
        self.steps > BEGIN && self.look(a, b, exact)
    }

    #[inline(never)]
    fn look(&mut self, a: Word, b: Word, exact: bool) -> bool {
        if self.steps > WORN * self.table.len() && self.table.len() < LAST {
            let size = (2 * self.table.len()).max(FIRST);
            self.table.clear();
            self.table.resize(size, (0, 0));
        }
        // Addresses leave the topmost bit free.
        let pair = (a.bits() | u64::from(exact) << 63, b.bits());
        let place =
            crate::atom::mix(pair.0, pair.1 ^ 0x9e37_79b9_7f4a_7c15) as usize & (self.table.len() - 1);
        let known = self.table[place] == pair;
        self.table[place] = pair;
        known
    }
}

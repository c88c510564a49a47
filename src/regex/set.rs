//! Sets of characters.

/// The largest code point.
pub const LAST: u32 = 0x0010_FFFF;

/// A set of characters: bits for the first 256, ranges for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    low: [u64; 4],
    /// Ranges from 256 on, in order, apart from each other.
    high: Vec<(u32, u32)>,
}

impl Set {
    /// Whether it has the character.
    #[inline]
    pub fn has(&self, c: u32) -> bool {
        if c < 256 { self.has_byte(c as u8) } else { self.has_high(c) }
    }

    /// Whether it has the character of that byte.
    #[inline]
    pub fn has_byte(&self, byte: u8) -> bool {
        self.low[usize::from(byte >> 6)] & 1 << (byte & 63) != 0
    }

    fn has_high(&self, c: u32) -> bool {
        self.high
            .binary_search_by(|(first, last)| {
                if c < *first {
                    std::cmp::Ordering::Greater
                } else if c > *last {
                    std::cmp::Ordering::Less
                } else {
                    std::cmp::Ordering::Equal
                }
            })
            .is_ok()
    }

    /// Its ranges beyond Latin-1.
    pub fn high(&self) -> &[(u32, u32)] {
        &self.high
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of::<Set>() + self.high.len() * size_of::<(u32, u32)>()
    }
}

/// A set in the making: ranges in any order.
#[derive(Clone, Debug, Default)]
pub struct Ranges(Vec<(u32, u32)>);

impl Ranges {
    /// Of these ranges.
    pub fn of(ranges: &[(u32, u32)]) -> Ranges {
        Ranges(ranges.to_vec())
    }

    /// Adds a range.
    pub fn add(&mut self, first: u32, last: u32) {
        self.0.push((first, last));
    }

    /// Adds all of another.
    pub fn add_all(&mut self, other: &Ranges) {
        self.0.extend_from_slice(&other.0);
    }

    /// The ranges as they were added.
    pub fn as_slice(&self) -> &[(u32, u32)] {
        &self.0
    }

    /// Sorts and joins.
    fn normalise(&mut self) {
        self.0.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::with_capacity(self.0.len());
        for (first, last) in self.0.drain(..) {
            match joined.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
                _ => joined.push((first, last)),
            }
        }
        self.0 = joined;
    }

    /// What it does not have, up to [`LAST`].
    pub fn complement(mut self) -> Ranges {
        self.normalise();
        let mut next = 0;
        let mut rest = Vec::with_capacity(self.0.len() + 1);
        for (first, last) in self.0 {
            if first > next {
                rest.push((next, first - 1));
            }
            next = last + 1;
        }
        if next <= LAST {
            rest.push((next, LAST));
        }
        Ranges(rest)
    }

    /// The set.
    pub fn finish(mut self) -> Set {
        self.normalise();
        let mut set = Set { low: [0; 4], high: Vec::new() };
        for (first, last) in self.0 {
            for c in first..=last.min(255) {
                set.low[(c >> 6) as usize] |= 1 << (c & 63);
            }
            if last >= 256 {
                set.high.push((first.max(256), last));
            }
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_added_and_their_complements_the_rest() {
        let ranges = Ranges::of(&[(300, 400), (97, 99), (100, 101), (390, 500)]);
        let set = ranges.clone().finish();
        let rest = ranges.complement().finish();
        for c in [0, 96, 97, 101, 102, 255, 256, 299, 300, 450, 500, 501, LAST] {
            assert_eq!(set.has(c), (97..=101).contains(&c) || (300..=500).contains(&c), "{c}");
            assert_ne!(set.has(c), rest.has(c), "{c}");
        }
    }
}

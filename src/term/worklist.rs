//! A stack of pending work that begins on the native stack: walks over small terms allocate nothing.

use std::mem::MaybeUninit;

/// A stack whose first `N` entries are inline.
pub(crate) struct Worklist<T: Copy, const N: usize> {
    inline: [MaybeUninit<T>; N],
    length: usize,
    spilled: Vec<T>,
}

impl<T: Copy, const N: usize> Worklist<T, N> {
    /// An empty one.
    #[inline]
    pub fn new() -> Worklist<T, N> {
        Worklist { inline: [MaybeUninit::uninit(); N], length: 0, spilled: Vec::new() }
    }

    /// Adds an entry.
    #[inline]
    pub fn push(&mut self, entry: T) {
        if self.length < N {
            self.inline[self.length] = MaybeUninit::new(entry);
            self.length += 1;
        } else {
            self.spilled.push(entry);
        }
    }

    /// Takes the entry added last.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        if let Some(entry) = self.spilled.pop() {
            return Some(entry);
        }
        self.length = self.length.checked_sub(1)?;
        // SAFETY: entries below the old length were written by `push`.
        Some(unsafe { self.inline[self.length].assume_init() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_in_first_out_across_the_spill() {
        let mut list = Worklist::<u32, 3>::new();
        for round in 0..2 {
            for entry in 0..10 {
                list.push(entry + round);
            }
            for entry in (0..10).rev() {
                assert_eq!(list.pop(), Some(entry + round));
            }
            assert!(list.pop().is_none());
        }
    }
}

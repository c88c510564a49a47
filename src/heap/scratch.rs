//! Scratch space that grows with what a program works on: charged to the process's account before it is had, and fallible.
//!
//! Whatever a native gathers before it makes its result (bytes of an I/O list, elements of a list, pairs of a map) is gathered in
//! a [`Scratch`]. So a term that is small by sharing and huge without it (forty levels of `[A | A]`) fails with a limit where it
//! is flattened, encoded or printed, and does not take the machine's memory.

use std::ops::{Deref, DerefMut};

use super::account::{Account, AllocError, FREE_BYTES};

/// Largest scratch in bytes, 2 GiB as for copies: beyond it the answer is `system_limit`, whatever the machine.
pub const MAX_BYTES: usize = 1 << 31;

/// Entries that the first allocation has room for.
const FIRST: usize = 32;

/// What an account was charged for something that grows, given back when it is dropped. On its own it stands beside a
/// `String`, or whatever else has storage of its own.
#[derive(Debug)]
pub struct Charge<'h> {
    account: &'h Account,
    /// Bytes the account was told of: all, once they pass what a heap may be ahead.
    bytes: usize,
}

impl<'h> Charge<'h> {
    /// Nothing yet.
    pub fn new(account: &'h Account) -> Charge<'h> {
        Charge { account, bytes: 0 }
    }

    /// Before something of `bytes` is there: charges what of it was not.
    ///
    /// # Errors
    /// If the account's limit does not allow it; `SystemLimit` past [`MAX_BYTES`].
    #[inline]
    pub fn cover(&mut self, bytes: usize) -> Result<(), AllocError> {
        if bytes <= self.bytes.max(FREE_BYTES) { Ok(()) } else { self.raise(bytes) }
    }

    fn raise(&mut self, bytes: usize) -> Result<(), AllocError> {
        if bytes > MAX_BYTES {
            return Err(AllocError::SystemLimit);
        }
        self.account.charge(bytes - self.bytes)?;
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for Charge<'_> {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.account.refund(self.bytes);
        }
    }
}

/// A growing row of entries.
#[derive(Debug)]
pub struct Scratch<'h, T> {
    items: Vec<T>,
    charge: Charge<'h>,
}

impl<'h, T> Scratch<'h, T> {
    /// An empty one, paid by `account`.
    pub fn new(account: &'h Account) -> Scratch<'h, T> {
        Scratch { items: Vec::new(), charge: Charge::new(account) }
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// If the account's limit or the memory does not allow it; `SystemLimit` past [`MAX_BYTES`].
    #[inline]
    pub fn push(&mut self, item: T) -> Result<(), AllocError> {
        if self.items.len() == self.items.capacity() {
            self.reserve(1)?;
        }
        self.items.push(item);
        Ok(())
    }

    /// Makes room for `more` entries.
    ///
    /// # Errors
    /// As [`Scratch::push`].
    pub fn reserve(&mut self, more: usize) -> Result<(), AllocError> {
        if self.items.capacity() - self.items.len() >= more {
            return Ok(());
        }
        let least = self.items.len().checked_add(more).ok_or(AllocError::SystemLimit)?;
        let wanted = least.max(2 * self.items.capacity()).max(FIRST);
        // Close to the limits doubling may be too much where the entries themselves are not.
        self.grow(wanted).or_else(|error| if least < wanted { self.grow(least) } else { Err(error) })
    }

    fn grow(&mut self, entries: usize) -> Result<(), AllocError> {
        self.charge.cover(entries.checked_mul(size_of::<T>()).ok_or(AllocError::SystemLimit)?)?;
        self.items.try_reserve_exact(entries - self.items.len()).map_err(|_| AllocError::OutOfMemory)
    }

    /// Removes the last entry.
    pub fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }

    /// Forgets the entries from `length` on.
    pub fn truncate(&mut self, length: usize) {
        self.items.truncate(length);
    }
}

impl<T: Copy> Scratch<'_, T> {
    /// Adds entries.
    ///
    /// # Errors
    /// As [`Scratch::push`].
    #[inline]
    pub fn extend(&mut self, items: &[T]) -> Result<(), AllocError> {
        self.reserve(items.len())?;
        self.items.extend_from_slice(items);
        Ok(())
    }
}

impl<T> Deref for Scratch<'_, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> DerefMut for Scratch<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scratch_is_charged_and_refused() {
        let account = Account::new(None, 1 << 20);
        let mut bytes = Scratch::<u8>::new(&account);
        for _ in 0..FREE_BYTES {
            bytes.push(7).expect("little is free");
        }
        assert_eq!(account.bytes(), 0);
        while bytes.push(7).is_ok() {}
        assert_eq!(bytes.push(7), Err(AllocError::Limit(crate::limits::Quota::Memory)));
        assert!(account.bytes() <= 1 << 20 && bytes.len() > 1 << 19, "{} held", bytes.len());
        assert_eq!(bytes.reserve(usize::MAX), Err(AllocError::SystemLimit));
        drop(bytes);
        assert_eq!(account.bytes(), 0);
    }
}

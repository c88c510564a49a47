//! What the arguments of a host function cost its caller: the work of reading them, and the memory they take as Rust values while
//! the function runs.

use std::cell::Cell;
use std::sync::Arc;

use crate::error::Error;
use crate::heap::account::FREE_BYTES;
use crate::heap::{Account, AllocError};

/// Counts what one call reads.
pub(crate) struct Toll<'c> {
    account: &'c Arc<Account>,
    words: Cell<usize>,
    bytes: Cell<usize>,
    /// Bytes the account was told of: all, once they are worth it.
    charged: Cell<usize>,
    refused: Cell<Option<AllocError>>,
}

/// Bytes of a Rust value for each word of the term it is made of: an element of a list is two words, and as a `Value` four.
const BYTES_PER_WORD: usize = 16;

impl<'c> Toll<'c> {
    /// Nothing yet.
    #[inline(always)]
    pub fn new(account: &'c Arc<Account>) -> Toll<'c> {
        Toll {
            account,
            words: Cell::new(0),
            bytes: Cell::new(0),
            charged: Cell::new(0),
            refused: Cell::new(None),
        }
    }

    /// Who pays.
    pub fn account(&self) -> &'c Arc<Account> {
        self.account
    }

    /// A term of so many words is read.
    ///
    /// # Errors
    /// `Limit` if the account's limit of memory does not allow it.
    #[inline(always)]
    pub fn words(&self, words: usize) -> Result<(), Error> {
        self.words.set(self.words.get().saturating_add(words));
        self.bytes(words.saturating_mul(BYTES_PER_WORD))
    }

    /// So many bytes are copied.
    ///
    /// # Errors
    /// As [`Toll::words`].
    #[inline(always)]
    pub fn bytes(&self, bytes: usize) -> Result<(), Error> {
        let all = self.bytes.get().saturating_add(bytes);
        self.bytes.set(all);
        if all <= FREE_BYTES { Ok(()) } else { self.charge(all) }
    }

    #[cold]
    fn charge(&self, all: usize) -> Result<(), Error> {
        let charged = self.account.charge(all - self.charged.get());
        charged.inspect_err(|error| self.refused.set(Some(*error)))?;
        self.charged.set(all);
        Ok(())
    }

    /// Words and bytes read, as work.
    pub fn work(&self) -> usize {
        self.words.get() + self.bytes.get() / BYTES_PER_WORD
    }

    /// Why it was refused, if it was.
    pub fn refused(&self) -> Option<AllocError> {
        self.refused.get()
    }

    /// What is charged, to be held as long as the values are.
    #[inline(always)]
    pub fn held(&self) -> Option<Held> {
        match self.charged.take() {
            0 => None,
            bytes => Some(Held { account: Arc::clone(self.account), bytes }),
        }
    }
}

impl Drop for Toll<'_> {
    fn drop(&mut self) {
        drop(self.held());
    }
}

/// Memory that is given back when this is dropped.
pub(crate) struct Held {
    account: Arc<Account>,
    bytes: usize,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.account.refund(self.bytes);
    }
}

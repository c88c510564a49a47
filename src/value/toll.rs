//! What the arguments of a host function cost its caller: the work of reading them, and the memory they take as Rust values while
//! the function runs.
//!
//! The work is announced as natives announce theirs (`heap::work`): before anything has had an effect. So arguments whose
//! reading would hold a worker are read by the pool, and the function then runs there. Conversions know no heap; what they announce
//! is gathered here, within what the heap has room for.

use std::cell::Cell;
use std::sync::Arc;

use crate::error::Error;
use crate::heap::account::FREE_BYTES;
use crate::heap::copy::Measure;
use crate::heap::{Account, AllocError, HeapRef};
use crate::runtime::host::UNITS_PER_WORD;
use crate::term::Term;

/// Counts what one call reads.
pub(crate) struct Toll<'c> {
    account: &'c Arc<Account>,
    /// Units of work, and how many there may be.
    units: Cell<usize>,
    room: usize,
    bytes: Cell<usize>,
    /// Bytes the account was told of: all, once they are worth it.
    charged: Cell<usize>,
    refused: Cell<Option<AllocError>>,
}

/// Bytes of a Rust value for each word of the term it is made of: an element of a list is two words, and as a `Value` four.
const BYTES_PER_WORD: usize = 16;

/// Bytes copied for one unit of work.
const BYTES_PER_UNIT: usize = 4;

/// Objects measured between two announcements, and how many of them a unit pays for.
const OBJECTS_AT_ONCE: usize = 1024;
const OBJECTS_PER_UNIT: usize = 2;

impl<'c> Toll<'c> {
    /// Nothing yet.
    #[inline(always)]
    pub fn new(heap: &'c HeapRef<'_>) -> Toll<'c> {
        let heap = heap.heap();
        Toll {
            account: heap.account(),
            units: Cell::new(0),
            room: heap.room_for_work(),
            bytes: Cell::new(0),
            charged: Cell::new(0),
            refused: Cell::new(None),
        }
    }

    /// Who pays.
    pub fn account(&self) -> &'c Arc<Account> {
        self.account
    }

    /// A term is about to be read as a Rust value, which takes all of it: in that nothing is shared, so what is huge only because
    /// its parts are would take all memory there is.
    ///
    /// # Errors
    /// `Limit` if the account's limit of memory does not allow it, or it is larger than any term; what [`Toll::refused`] tells.
    #[inline(always)]
    pub fn read(&self, term: Term<'_>) -> Result<(), Error> {
        if term.word().is_immediate() { Ok(()) } else { self.read_parts(term) }
    }

    fn read_parts(&self, term: Term<'_>) -> Result<(), Error> {
        let mut measure = Measure::with_literals(term);
        loop {
            if let Some(words) = measure.step(OBJECTS_AT_ONCE)? {
                self.work(words.saturating_mul(UNITS_PER_WORD))?;
                return self.holds(words.saturating_mul(BYTES_PER_WORD));
            }
            self.work(OBJECTS_AT_ONCE / OBJECTS_PER_UNIT)?;
        }
    }

    /// So many bytes are copied.
    ///
    /// # Errors
    /// As [`Toll::read`].
    #[inline(always)]
    pub fn copies(&self, bytes: usize) -> Result<(), Error> {
        self.work(bytes / BYTES_PER_UNIT)?;
        self.holds(bytes)
    }

    #[inline(always)]
    fn work(&self, units: usize) -> Result<(), Error> {
        let all = self.units.get().saturating_add(units);
        self.units.set(all);
        if all <= self.room { Ok(()) } else { Err(self.refuse(AllocError::Time)) }
    }

    #[inline(always)]
    fn holds(&self, bytes: usize) -> Result<(), Error> {
        let all = self.bytes.get().saturating_add(bytes);
        self.bytes.set(all);
        if all <= FREE_BYTES { Ok(()) } else { self.charge(all) }
    }

    #[cold]
    fn charge(&self, all: usize) -> Result<(), Error> {
        self.account.charge(all - self.charged.get()).map_err(|error| self.refuse(error))?;
        self.charged.set(all);
        Ok(())
    }

    #[cold]
    fn refuse(&self, error: AllocError) -> Error {
        self.refused.set(Some(error));
        error.into()
    }

    /// Units of work announced.
    pub fn units(&self) -> usize {
        self.units.get()
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

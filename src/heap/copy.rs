//! Copying terms between heaps: messages, spawn arguments, literals, table rows.

use std::sync::Arc;

use super::{Account, AllocError, Fragment};
use crate::term::{Term, Word};

/// Words a copy of `term` takes (sharing is lost, literals are not copied).
///
/// # Errors
/// `SystemLimit` if it passes what an address space can hold.
pub fn size(term: Term<'_>) -> Result<usize, AllocError> {
    let _ = term;
    unimplemented!("skeleton")
}

/// Words of the terms themselves, literals included, shared parts counted each time (`erts_debug:flat_size`).
///
/// # Errors
/// As [`size`].
pub fn flat_size(term: Term<'_>) -> Result<usize, AllocError> {
    let _ = term;
    unimplemented!("skeleton")
}

impl Fragment {
    /// A fragment holding a copy of `term`: measured first, charged to `account` if large, then copied once.
    ///
    /// The cost in reductions is `words() / 16`.
    ///
    /// # Errors
    /// If the copy is too large or there is no memory.
    pub fn copy(term: Term<'_>, account: &Arc<Account>) -> Result<Fragment, AllocError> {
        let _ = (term, account);
        unimplemented!("skeleton")
    }

    /// As [`Fragment::copy`], for a raw word.
    ///
    /// # Errors
    /// As [`Fragment::copy`].
    ///
    /// # Safety
    /// `word` is a term, readable during the call.
    #[inline]
    pub unsafe fn copy_word(word: Word, account: &Arc<Account>) -> Result<Fragment, AllocError> {
        if word.is_immediate() {
            return Fragment::immediate(word);
        }
        // SAFETY: the caller's promise.
        Fragment::copy(unsafe { Term::from_word(word) }, account)
    }
}

//! Tuples of signals: `{'EXIT', From, Reason}`, `{'DOWN', Ref, process, Pid, Reason}` and the like, as fragments.

use std::sync::Arc;

use super::Runtime;
use crate::atom::known;
use crate::heap::work::WORDS_COPIED_PER_UNIT;
use crate::heap::{Account, AllocError, Fragment, Heap, HeapRef, Policy};
use crate::term::{Term, Word};

pub use crate::heap::Part;

/// A fragment made by `make` on a heap of its own.
///
/// # Errors
/// If there is no memory.
pub fn fragment(
    rt: &Runtime,
    account: &Arc<Account>,
    make: impl for<'h> FnOnce(&mut HeapRef<'h>) -> Result<Term<'h>, AllocError>,
) -> Result<Fragment, AllocError> {
    let mut heap = Heap::new(account.clone(), Policy::default())?;
    let made = heap.with(&rt.atoms, |h| {
        let term = make(h)?;
        let copy = Fragment::copy(term, account)?;
        h.work(copy.words() / WORDS_COPIED_PER_UNIT)?;
        Ok(copy)
    });
    heap.pay_from_account();
    made
}

/// A tuple of these parts. A term too large to copy is replaced by `system_limit`: that something died matters more than
/// why; `None` if there is no memory even for that.
pub fn tuple(account: &Arc<Account>, parts: &[Part<'_>]) -> Option<Fragment> {
    Fragment::tuple(parts, account)
        .or_else(|_| {
            let small = |part: &Part<'_>| match part {
                Part::Word(word) => Part::Word(*word),
                Part::Ref(unique, owner) => Part::Ref(*unique, *owner),
                Part::Whole(_) | Part::Element(..) => Part::atom(known::SYSTEM_LIMIT),
            };
            Fragment::tuple(&parts.iter().map(small).collect::<Vec<_>>(), account)
        })
        .ok()
}

/// `{'EXIT', From, Reason}`.
pub fn exit_tuple(account: &Arc<Account>, from: Word, reason: Part<'_>) -> Option<Fragment> {
    tuple(account, &[Part::atom(known::EXIT_SIGNAL), Part::Word(from), reason])
}

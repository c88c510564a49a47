//! The collector: generational, copying, iterative.

use super::{AllocError, BlockCache, Heap};
use crate::term::Word;

/// Which collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// What the policy says: minor, or major when it is due.
    Auto,
    /// Everything, as `garbage_collect/0`.
    Major,
    /// Everything, into a block that fits exactly (with room for `need`).
    Hibernate,
}

/// What a collection did.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Collected {
    /// Words moved: the work to charge reductions for.
    pub moved_words: usize,
    /// Words of objects now on the heap.
    pub live_words: usize,
    /// The heap is larger than the policy's maximum; the process is to be killed or reported as the policy says.
    pub over_max: bool,
    /// It was a major collection.
    pub major: bool,
}

impl Heap {
    /// Collects at a safepoint; afterwards `need` words are free in the young block (beyond the red zone).
    ///
    /// Roots are the stack and `roots` (live X registers, dictionary, the message being taken, temporaries): every pointer word in
    /// them is updated. Words that are no pointers (continuations, catch marks, `NONE`) are left alone.
    ///
    /// # Errors
    /// If memory for the new blocks cannot be had; the heap is as it was.
    ///
    /// # Safety
    /// Every pointer word on the stack and in `roots` is a term of this heap (H1) or a match context of it, and no
    /// [`HeapRef`](super::HeapRef) is open (H4).
    pub unsafe fn collect(
        &mut self,
        cache: &mut BlockCache,
        need: usize,
        roots: &mut [&mut [Word]],
        kind: Kind,
    ) -> Result<Collected, AllocError> {
        let _ = (cache, need, roots, kind);
        unimplemented!("skeleton")
    }
}

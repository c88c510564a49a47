//! Collecting a process: which words are its roots.

use super::Process;
use crate::heap::{AllocError, BlockCache, Collected, Kind};
use crate::term::Word;

impl Process {
    /// Collects at a safepoint of the running process, whose live X registers are `x`; then `need` words are free.
    ///
    /// # Errors
    /// If there is no memory; the heap is as it was.
    ///
    /// # Safety
    /// The process is at a safepoint: every pointer in `x` and on the stack is a term of its heap, and nobody has its heap
    /// opened (H1, H4).
    #[inline]
    pub unsafe fn collect(
        &mut self,
        cache: &mut BlockCache,
        need: usize,
        x: &mut [Word],
        kind: Kind,
    ) -> Result<Collected, AllocError> {
        let dictionary = self.dictionary.as_mut().map_or(&mut [][..], |dictionary| dictionary.roots());
        // SAFETY: the caller vouches for `x` and the stack; the dictionary holds terms of this heap. Messages and signals
        // are in fragments of their own.
        unsafe { self.heap.collect(cache, need, &mut [x, dictionary], kind) }
    }

    /// Collects a process that is not running, whose registers are saved.
    ///
    /// # Errors
    /// If there is no memory; the heap is as it was.
    pub fn collect_parked(&mut self, cache: &mut BlockCache, kind: Kind) -> Result<Collected, AllocError> {
        let mut x = std::mem::take(&mut self.x);
        let live = self.x_live;
        // SAFETY: a process that does not run is at a safepoint: what it holds is on its stack, in its saved registers and
        // in its dictionary, and a heap is only open inside a native call.
        let collected = unsafe { self.collect(cache, 0, x.words_mut(live), kind) };
        self.x = x;
        self.mailbox.shrink();
        collected
    }
}

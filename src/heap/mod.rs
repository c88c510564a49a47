//! Heaps: blocks, allocation, collection, copying, literals, and arithmetic on terms.
//!
//! A process owns one [`Heap`]: a young block whose objects grow up and whose stack grows down (one comparison checks
//! both), at most one old block and what was left of former ones, and fragments (message payloads, and what natives allocate when
//! the block is full).
//! Terms move only in [`Heap::collect`], which is called at safepoints and never from a native function.
//!
//! # The numbered invariants
//!
//! Every SAFETY comment of `term/` and `heap/` names the one it rests on.
//!
//! - **H1, whole objects.** A pointer word (cons, boxed) reachable from a root points at a whole object of that kind: two
//!   words, or a header and as many words as it says, inside a block or fragment of the same heap, or a literal area.
//! - **H2, published is final.** A slot that a root can reach is never written again, but for position and beginning of a match
//!   context and by the collector itself. So objects point only to older ones, and no write barrier is needed.
//! - **H3, slots by kind.** A header's subtag says which of its words are terms and which are raw; every term slot holds a
//!   term (never a header, continuation, catch mark or `NONE`). The layouts are those of [`Subtag`](crate::term::Subtag).
//! - **H4, the brand.** While a [`HeapRef<'h>`] exists, nothing a `Term<'h>` can reach is moved, freed or written.
//! - **H5, shared bytes.** A buffer lives while its count is not zero; each `SharedBits` or resource object counts one and is
//!   on exactly one list (young, old, a fragment's, a literal area's). Bytes below a published size never change. A `SubBits`
//!   lies within its parent's buffer, not always within the parent's own length: a part that grew is of the same parent.
//! - **H6, the block.** `start <= mature <= hp <= sp <= end`; `start..hp` is whole objects, `sp..end` is stack words
//!   (terms, continuations, catch marks). A block, fragment or buffer has one owner that frees it.
//! - **H7, one float.** A float in the immediate range, or a zero, is never boxed; NaN and infinity are no terms.
//! - **H8, canonical.** A big integer is outside the small range and has no leading zero limb; a map of up to 32 keys is flat
//!   and in exact order; a hash map's shape follows from its keys; a bitstring of up to 64 bytes is a `HeapBits`; unused bits
//!   of its last byte are zero. Makers establish this, comparison and hashing rely on it.
//! - **H9, fragments.** A fragment's payload points only into itself and to literals; it belongs to its maker, then to
//!   a signal, then to the heap that adopted it. What is kept elsewhere (a table, a timer, a process beside its heap and
//!   mailbox) is a *whole* copy and points into itself alone.
//! - **H10, literals.** Literal areas lie in the reserved range, are complete before they are reachable, and are freed only after
//!   every heap has copied what it used of them.
//! - **H11, fun entries** are freed only after every heap was seen to hold no fun of them, and never if one was copied to where
//!   nobody looks.
//!
//! # The brand
//!
//! [`HeapRef<'h>`] is a heap opened for natives: it allocates, and never collects or moves. `'h` is fresh for each
//! opening ([`Heap::with`] by a `for<'h>` closure; [`HeapRef::new`], unsafe, for the interpreter's native calls), so a term
//! can neither outlive it nor be mixed into another heap.

pub mod account;
pub mod append;
pub mod arith;
pub mod build;
pub mod collect;
pub mod copy;
pub mod fragment;
pub mod leave;
pub mod literal;
pub mod map;
pub mod memory;
mod mover;
pub mod open;
mod policy;
mod rare;
mod receive;
pub mod scratch;
mod segments;
pub mod shared;
pub mod tuple;
pub mod work;

#[cfg(test)]
pub(crate) mod tests;

use std::ptr::{NonNull, null_mut};
use std::sync::Arc;

pub use account::{Account, AllocError, Usage};
pub use collect::{Collected, Kind};
pub use copy::Size;
pub use fragment::{Fragment, FragmentCache, FragmentHeader};
pub use leave::Areas;
pub use literal::{Condemnation, LiteralArea};
pub use memory::{BlockCache, Tally};
pub use open::HeapRef;
pub use policy::{Policy, Statistics};
pub use scratch::{Charge, Scratch};
pub use shared::{ResourceBox, SharedBytes, resource_of_term};
pub use tuple::Part;

use rare::{Rare, Rarely};

use crate::atom::Atoms;
use crate::term::Word;

/// Words kept free between heap and stack beyond what is asked for: an instruction may push this much unchecked.
pub const RED_ZONE: usize = 4;

/// The terms of one process: heap, stack, fragments. The first fields are the interpreter's, at fixed offsets.
#[repr(C)]
pub struct Heap {
    /// Next free word of the young block; grows up.
    pub hp: *mut Word,
    /// Top of the stack; grows down from the block's end.
    pub sp: *mut Word,
    start: *mut Word,
    end: *mut Word,
    /// Objects below this survived a collection: the next one moves them to the old block.
    mature: *mut Word,
    /// All fragments: adopted messages and spill.
    fragments: *mut FragmentHeader,
    fragment_words: usize,
    /// Bytes held that the account was not told of (negative: told too much).
    unsettled: isize,
    account: Arc<Account>,
    rare: Rarely,
    collect_due: bool,
    /// `policy.stress`, which is asked often.
    stress: bool,
    /// [`MAJOR_DUE`] and others.
    notes: u8,
    /// What the native that runs may still do; see `work`.
    work_mode: work::Mode,
    /// What natives have done that nobody has paid for yet.
    work_done: i32,
}

// SAFETY: a heap owns all its memory (H6); moving it to another worker moves that ownership.
unsafe impl Send for Heap {}

impl Heap {
    /// A heap with its first block, from the allocator.
    ///
    /// # Errors
    /// If the block cannot be had.
    pub fn new(account: Arc<Account>, policy: Policy) -> Result<Heap, AllocError> {
        Heap::new_in(&mut BlockCache::new(), account, policy, 0)
    }

    /// A heap whose first block has room for `need` words, from the worker's cache.
    ///
    /// # Errors
    /// If the block cannot be had.
    pub fn new_in(
        cache: &mut BlockCache,
        account: Arc<Account>,
        policy: Policy,
        need: usize,
    ) -> Result<Heap, AllocError> {
        let notes = if account.is_limited() { LIMITED } else { 0 };
        let mut heap = Heap {
            hp: null_mut(),
            sp: null_mut(),
            start: null_mut(),
            end: null_mut(),
            mature: null_mut(),
            fragments: null_mut(),
            fragment_words: 0,
            unsettled: 0,
            account,
            rare: Rarely((policy != Policy::STANDARD).then(|| Box::new(Rare::new(policy)))),
            collect_due: false,
            stress: policy.stress,
            notes,
            work_mode: work::Mode::Free,
            work_done: 0,
        };
        let words = policy.min_heap_words.max(need.saturating_add(RED_ZONE));
        let block = heap.take_block(cache, words)?;
        heap.install_young(block);
        Ok(heap)
    }

    // ---- sizes and settings ----

    /// First word of the young block.
    #[inline(always)]
    pub fn start(&self) -> *mut Word {
        self.start
    }

    /// One past the last word of the young block: the bottom of the stack.
    #[inline(always)]
    pub fn end(&self) -> *mut Word {
        self.end
    }

    /// Words that can still be allocated or pushed, the red zone kept.
    #[inline(always)]
    pub fn free_words(&self) -> usize {
        ((self.sp.addr() - self.hp.addr()) / 8).saturating_sub(RED_ZONE)
    }

    /// Size of the young block in words, stack included.
    pub fn young_words(&self) -> usize {
        (self.end.addr() - self.start.addr()) / 8
    }

    /// Size of the old block and the segments in words.
    pub fn old_words(&self) -> usize {
        self.old_block_words() + self.rare.segments.total_words()
    }

    fn old_block_words(&self) -> usize {
        (self.rare.old_end.addr() - self.rare.old_start.addr()) / 8
    }

    /// Words on the stack.
    pub fn stack_words(&self) -> usize {
        (self.end.addr() - self.sp.addr()) / 8
    }

    /// Words of objects in the young block.
    pub fn young_used_words(&self) -> usize {
        (self.hp.addr() - self.start.addr()) / 8
    }

    /// Words of those that the last collection has left there.
    pub fn mature_words(&self) -> usize {
        (self.mature.addr() - self.start.addr()) / 8
    }

    /// Words of objects, fragments included.
    pub fn used_words(&self) -> usize {
        self.young_used_words() + self.old_used_words() + self.fragment_words
    }

    /// Words of blocks and fragments, as `total_heap_size`.
    pub fn total_words(&self) -> usize {
        self.young_words() + self.old_words() + self.fragment_words
    }

    /// Words held in fragments.
    pub fn fragment_words(&self) -> usize {
        self.fragment_words
    }

    /// Bytes of shared binaries this heap refers to, counted once per reference.
    pub fn shared_bytes(&self) -> usize {
        self.rare.shared_young_bytes + self.rare.shared_old_bytes
    }

    /// The stack, top first.
    pub fn stack(&self) -> &[Word] {
        // SAFETY: H6: `sp..end` is stack words.
        unsafe { std::slice::from_raw_parts(self.sp, self.stack_words()) }
    }

    /// What collections did so far.
    pub fn statistics(&self) -> Statistics {
        self.rare.statistics
    }

    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.rare.policy
    }

    /// Changes the policy; it takes effect at the next collection.
    pub fn set_policy(&mut self, policy: Policy) {
        self.stress = policy.stress;
        if self.rare.policy != policy {
            self.rare.policy = policy;
        }
    }

    /// Whether it is collected at every safepoint.
    #[inline(always)]
    pub fn stress(&self) -> bool {
        self.stress
    }

    /// Who pays.
    pub fn account(&self) -> &Arc<Account> {
        &self.account
    }

    /// Whether a collection is due at the next safepoint: a native spilled into a fragment, much was adopted, or many shared bytes
    /// were referenced since the last one. Asked after each native call and slow path, and when a message is taken.
    #[inline(always)]
    pub fn collect_due(&self) -> bool {
        self.collect_due
    }

    /// Whether somebody has set limits for the account: see [`Account::is_limited`].
    #[inline(always)]
    pub fn is_limited(&self) -> bool {
        self.notes & LIMITED != 0
    }

    /// Makes a collection due.
    pub fn request_collect(&mut self) {
        self.collect_due = true;
    }

    /// Makes a major collection due that is too long for the worker that was asked for it.
    pub fn request_major(&mut self) {
        self.notes |= MAJOR_DUE;
    }

    /// Whether such a collection is due.
    #[inline]
    pub fn is_major_due(&self) -> bool {
        self.notes & MAJOR_DUE != 0
    }

    /// Whether such a collection is due; whoever asks makes it.
    pub fn take_major_due(&mut self) -> bool {
        let due = self.notes & MAJOR_DUE != 0;
        self.notes &= !MAJOR_DUE;
        due
    }

    /// Asks for the ends of heap and stack, for the process is going to run.
    #[inline(always)]
    pub fn prefetch(&self) {
        memory::prefetch(self.hp);
        memory::prefetch(self.sp);
    }

    /// The process is going to wait.
    #[inline(always)]
    pub fn note_wait(&mut self) {
        self.notes |= WAITED;
    }

    // ---- allocation ----

    /// Room for `words` words, uninitialised: in the young block, or in a fragment if that is full (a collection is then due).
    /// Moves nothing. The caller writes whole objects there (H1, H3) before a root reaches them.
    ///
    /// # Errors
    /// If a fragment is needed and cannot be had.
    #[inline]
    pub fn alloc(&mut self, words: usize) -> Result<*mut Word, AllocError> {
        if words <= self.free_words() {
            let place = self.hp;
            self.hp = place.wrapping_add(words);
            return Ok(place);
        }
        self.alloc_spilled(words)
    }

    #[cold]
    fn alloc_spilled(&mut self, words: usize) -> Result<*mut Word, AllocError> {
        if words > (self.rare.spill_end.addr() - self.rare.spill_hp.addr()) / 8 {
            // Doubling keeps the number of fragments logarithmic; the cap keeps the last one's waste small.
            let chunk = self.fragment_words.clamp(FIRST_SPILL_WORDS, LAST_SPILL_WORDS).max(words);
            self.charge(Fragment::bytes_for(chunk))?;
            let fragment = match Fragment::new(chunk) {
                Ok(fragment) => fragment,
                Err(error) => {
                    self.refund(Fragment::bytes_for(chunk));
                    return Err(error);
                }
            };
            self.rare.spill_hp = fragment.payload();
            self.rare.spill_end = self.rare.spill_hp.wrapping_add(chunk);
            self.link_fragment(fragment);
        }
        self.collect_due = true;
        let place = self.rare.spill_hp;
        self.rare.spill_hp = place.wrapping_add(words);
        Ok(place)
    }

    /// Takes back the last `words` words of the latest allocation; if it was not the latest, they become filler.
    pub(crate) fn give_back(&mut self, place: *mut Word, words: usize) {
        let end = place.wrapping_add(words);
        if end == self.hp {
            self.hp = place;
        } else if end == self.rare.spill_hp {
            self.rare.spill_hp = place;
        } else {
            // SAFETY: H1: the words are allocated and reachable by nobody; `start..hp` stays whole objects (H6).
            unsafe { place.write(Word::header(crate::term::Subtag::Filler, words - 1)) };
        }
    }

    /// Takes a message's (or any) fragment over and gives its root; no word is copied.
    pub fn adopt(&mut self, mut fragment: Fragment) -> Word {
        let root = fragment.root();
        if fragment.words() == 0 {
            return root;
        }
        fragment.refund();
        self.note_held(fragment.bytes());
        // SAFETY: H5: the fragment's counts become the heap's.
        unsafe { self.join_shared(fragment.take_shared()) };
        self.link_fragment(fragment);
        root
    }

    fn link_fragment(&mut self, fragment: Fragment) {
        self.fragment_words += fragment.words();
        if self.fragment_words > self.young_words().max(memory::CLASSES[1]) {
            self.collect_due = true;
        }
        let header = fragment.into_raw();
        // SAFETY: H6: the header is ours now.
        unsafe { (*header).next = self.fragments };
        self.fragments = header;
    }

    /// Puts counted objects on the young list.
    ///
    /// # Safety
    /// They lie in this heap, and the list owns one count of each (H5).
    pub(crate) unsafe fn join_shared(&mut self, list: shared::SharedList) {
        if !list.first.is_null() {
            // SAFETY: the caller's promise.
            unsafe { shared::join(list, &mut self.rare.shared_young) };
            self.note_shared(list.bytes);
        }
    }

    pub(crate) fn note_shared(&mut self, bytes: usize) {
        self.rare.shared_young_bytes += bytes;
        if self.rare.shared_young_bytes > self.rare.shared_trigger {
            self.collect_due = true;
        }
    }

    // ---- accounting ----

    /// Charges `bytes` before they are allocated.
    pub(crate) fn charge(&mut self, bytes: usize) -> Result<(), AllocError> {
        let unsettled = self.unsettled.saturating_add_unsigned(bytes);
        if unsettled <= account::FREE_BYTES as isize {
            self.unsettled = unsettled;
            return Ok(());
        }
        self.account.charge(unsettled as usize)?;
        self.unsettled = 0;
        Ok(())
    }

    /// Notes bytes that came from elsewhere and are held now, limits or not.
    fn note_held(&mut self, bytes: usize) {
        self.unsettled = self.unsettled.saturating_add_unsigned(bytes);
        if self.unsettled > account::FREE_BYTES as isize {
            self.settle();
        }
    }

    pub(crate) fn refund(&mut self, bytes: usize) {
        self.unsettled = self.unsettled.saturating_sub_unsigned(bytes);
        if self.unsettled < -(account::FREE_BYTES as isize) {
            self.settle();
        }
    }

    /// Tells the account what was gathered; called where exact figures matter (a process parks for long, asks for them, ends).
    pub fn settle(&mut self) {
        match self.unsettled {
            0 => {}
            more if more > 0 => self.account.charge_anyway(more as usize),
            less => self.account.refund(less.unsigned_abs()),
        }
        self.unsettled = 0;
    }

    // ---- blocks ----

    pub(crate) fn take_block(
        &mut self,
        cache: &mut BlockCache,
        words: usize,
    ) -> Result<memory::Block, AllocError> {
        self.charged_block(words, |words| cache.take(words))
    }

    /// A block of just this size, for a process that will sleep in it.
    fn exact_block(&mut self, words: usize) -> Result<memory::Block, AllocError> {
        self.charged_block(words, memory::Block::new)
    }

    fn charged_block(
        &mut self,
        words: usize,
        take: impl FnOnce(usize) -> Result<memory::Block, AllocError>,
    ) -> Result<memory::Block, AllocError> {
        self.charge(words.saturating_mul(8))?;
        match take(words) {
            Ok(block) => {
                self.unsettled += (block.words() - words) as isize * 8;
                Ok(block)
            }
            Err(error) => {
                self.refund(words.saturating_mul(8));
                Err(error)
            }
        }
    }

    pub(crate) fn put_block(&mut self, cache: &mut BlockCache, block: memory::Block) {
        self.refund(block.words() * 8);
        cache.put(block);
    }

    fn install_young(&mut self, block: memory::Block) {
        let (start, words) = block.into_raw();
        self.start = start;
        self.hp = start;
        self.mature = start;
        self.end = start.wrapping_add(words);
        self.sp = self.end;
    }

    fn take_young(&mut self) -> Option<memory::Block> {
        let (start, words) = (self.start, self.young_words());
        self.start = null_mut();
        self.end = null_mut();
        // SAFETY: H6: the pair came from `install_young`, and the fields no longer hold it.
        (!start.is_null()).then(|| unsafe { memory::Block::from_raw(start, words) })
    }

    fn take_old(&mut self) -> Option<memory::Block> {
        let (start, words) = (self.rare.old_start, self.old_block_words());
        if start.is_null() {
            return None;
        }
        let rare = &mut *self.rare;
        (rare.old_start, rare.old_hp, rare.old_end) = (null_mut(), null_mut(), null_mut());
        // SAFETY: H6: the pair came from `Block::into_raw`, and the fields no longer hold it.
        Some(unsafe { memory::Block::from_raw(start, words) })
    }

    fn free_fragments(&mut self) {
        let mut next = std::mem::replace(&mut self.fragments, null_mut());
        self.fragment_words = 0;
        if !self.rare.spill_hp.is_null() {
            (self.rare.spill_hp, self.rare.spill_end) = (null_mut(), null_mut());
        }
        while !next.is_null() {
            // SAFETY: H6: the list owns its fragments, each is taken out once.
            let fragment = unsafe { Fragment::from_raw(next) };
            next = fragment.next();
            self.refund(fragment.bytes());
        }
    }

    /// Frees everything, blocks to the worker's cache. The heap is empty afterwards and only good for dropping.
    pub fn release(&mut self, cache: &mut BlockCache) {
        if let Some(rare) = &mut self.rare.0 {
            // SAFETY: H5: the lists own one count of each object on them; nothing will read them again.
            unsafe {
                shared::release_list(std::mem::replace(&mut rare.shared_young, null_mut()));
                shared::release_list(std::mem::replace(&mut rare.shared_old, null_mut()));
            }
        }
        self.free_fragments();
        if let Some(block) = self.take_young() {
            self.put_block(cache, block);
        }
        if let Some(block) = self.take_old() {
            self.put_block(cache, block);
        }
        self.free_segments(cache);
        self.hp = null_mut();
        self.sp = null_mut();
        self.mature = null_mut();
        self.settle();
    }

    // ---- opening ----

    /// Opens the heap: `f` may read terms and make new ones; none can leave.
    pub fn with<R>(&mut self, atoms: &Atoms, f: impl for<'h> FnOnce(&mut HeapRef<'h>) -> R) -> R {
        // SAFETY: the closure works for every 'h, so no term leaves it, and `self` is borrowed for as long (H4).
        f(&mut unsafe { HeapRef::new(NonNull::from(self), NonNull::from(atoms)) })
    }

    /// As [`Heap::with`], with something beside it that outlives the brand.
    pub fn with_beside<C, R>(
        &mut self,
        atoms: &Atoms,
        beside: &C,
        f: impl for<'h> FnOnce(&mut HeapRef<'h>, &'h C) -> R,
    ) -> R {
        // SAFETY: as in `with`.
        f(&mut unsafe { HeapRef::new(NonNull::from(self), NonNull::from(atoms)) }, beside)
    }
}

/// A major collection is due that is too long for the worker it was asked of.
const MAJOR_DUE: u8 = 1;
/// The process has waited since the last collection.
const WAITED: u8 = 2;
/// The collection that is due is for messages alone: see [`Heap::receive`].
const FOR_MESSAGES: u8 = 4;
/// The account is a limited one.
const LIMITED: u8 = 8;

/// Words of the first fragment that natives spill into: a small result with room for a few more.
const FIRST_SPILL_WORDS: usize = 128;
/// Words of the largest one made ahead of need.
const LAST_SPILL_WORDS: usize = 64 * 1024;

impl Drop for Heap {
    fn drop(&mut self) {
        if self.start.is_null() {
            // It was released.
            return;
        }
        self.release(&mut BlockCache::new());
    }
}

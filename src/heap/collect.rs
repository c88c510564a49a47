//! The collector: generational, copying, iterative (Cheney).
//!
//! A **minor** collection moves exactly what is neither in the old block nor a literal: objects of the young block below the
//! `mature` mark (they survived once) to the old block, everything else, fragments included, to a new young block. Since
//! objects point only to older ones (H2), the old block holds no pointer into what moves and is not scanned. A **major** one
//! moves everything into one new young block and frees the old one; it is taken when the mature part does not fit the old
//! block, when the policy's number of minor ones is reached, or when shared bytes reachable only from old objects pile up.
//!
//! **Sizes.** The new young block has room for all that could survive, so moving needs no checks. Afterwards the size the heap
//! should have is known, and if the block is too small for what is asked, or far too large, the survivors (few, if it is
//! far too large) are moved once more. The target starts at a parked process's few words, is raised to a comfortable size by the
//! first collection, doubles whenever three quarters are in use after one, and doubles every eighth collection up to what
//! second-level caches hold, whatever survives: a process that collects often gains from collecting less often.
//!
//! A large stack is scanned by each collection, but the free part is at least a quarter of the block, so the scan is
//! paid by the allocation that filled it.

use super::account::AllocError;
use super::literal::Literals;
use super::memory::{Block, CLASSES, MAPPED_WORDS};
use super::shared;
use super::{BlockCache, Heap, RED_ZONE};
use crate::term::{Subtag, Word};

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

/// Minor collections at one size after which the young block doubles.
const GROWTH_INTERVAL: u32 = 8;
/// Size up to which it does so.
const GROWTH_LIMIT: usize = CLASSES[CLASSES.len() - 1];
/// Size the first collection raises it to at least.
const COMFORTABLE: usize = CLASSES[1];

/// Words a hibernating process may keep beyond what it needs, rather than move once more.
const HIBERNATE_SLACK: usize = 32;

/// What a moved cons has in its head: a header, which no cons ever has there; its tail is the new pointer.
const MOVED: Word = Word::header(Subtag::Filler, 0);

impl Heap {
    /// Collects at a safepoint; afterwards `need` words are free in the young block (beyond the red zone).
    ///
    /// Roots are the stack and `roots` (live X registers, dictionary, the message being taken, temporaries): every pointer word in
    /// them is updated. Words that are no pointers (continuations, catch marks, `NONE`) are left alone.
    ///
    /// # Errors
    /// If memory for the new blocks cannot be had; the heap is whole, but has not the room asked for.
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
        let hibernate = kind == Kind::Hibernate;
        let major = kind != Kind::Auto || self.major_due();
        let need = need.checked_add(RED_ZONE).ok_or(AllocError::SystemLimit)?;
        if !hibernate {
            self.raise_target();
        }
        let used = self.movable_words(major) + self.stack_words();
        let room = self.take_block(cache, (used + RED_ZONE).max(self.target_words))?;
        // SAFETY: passed on; the room is enough for everything that may be live.
        let mut moved = unsafe { self.pass(cache, room, roots, major, true)? };
        self.count(major);
        let wanted = self.wanted_words(need, hibernate);
        let free = (self.sp.addr() - self.hp.addr()) / 8;
        // A process that sleeps is to hold no more than it must, one that works may keep what it will soon need.
        let most = if hibernate { wanted + HIBERNATE_SLACK } else { 2 * wanted };
        if free < need || (self.young_words() > most && !self.trim(wanted)) {
            let room = if hibernate { self.exact_block(wanted) } else { self.take_block(cache, wanted) };
            // SAFETY: passed on; `wanted` covers what is live, the stack and what is asked for.
            match room.and_then(|room| unsafe { self.pass(cache, room, roots, false, false) }) {
                Ok(more) => moved += more,
                Err(error) if free < need => return Err(error),
                // A block that is too large will do.
                Err(_) => {}
            }
        }
        self.collect_due = self.policy.stress;
        let total = self.total_words()
            + if self.policy.max_heap_include_shared { self.shared_bytes() / 8 } else { 0 };
        let over_max = self.policy.max_heap_words > 0 && total > self.policy.max_heap_words;
        Ok(Collected { moved_words: moved, live_words: self.used_words(), over_max, major })
    }

    fn major_due(&self) -> bool {
        let mature = (self.mature.addr() - self.start.addr()) / 8;
        let old_free = (self.old_end.addr() - self.old_hp.addr()) / 8;
        self.statistics.minor_since_major >= self.policy.fullsweep_after
            || (!self.old_start.is_null() && mature > old_free)
            || self.shared_old_bytes > self.shared_old_trigger
    }

    /// Words that may have to move into a new young block.
    fn movable_words(&self, major: bool) -> usize {
        let from = if major { self.start } else { self.mature };
        let old = if major { self.old_hp.addr() - self.old_start.addr() } else { 0 };
        (self.hp.addr() - from.addr() + old) / 8 + self.fragment_words
    }

    fn raise_target(&mut self) {
        let target = &mut self.target_words;
        *target = (*target).max(COMFORTABLE).max(self.policy.min_heap_words);
        self.statistics.since_growth += 1;
        if self.statistics.since_growth >= GROWTH_INTERVAL && *target < GROWTH_LIMIT {
            *target *= 2;
            self.statistics.since_growth = 0;
        }
    }

    /// The size the young block should have for what is in it now.
    fn wanted_words(&mut self, need: usize, hibernate: bool) -> usize {
        let used = (self.hp.addr() - self.start.addr()) / 8 + self.stack_words() + need;
        if hibernate {
            self.target_words = self.policy.min_heap_words;
            self.statistics.since_growth = 0;
            return used.max(self.policy.min_heap_words);
        }
        while used > self.target_words / 4 * 3 {
            self.target_words = self.target_words.saturating_mul(2);
            self.statistics.since_growth = 0;
        }
        while self.target_words > GROWTH_LIMIT && used < self.target_words / 8 {
            self.target_words /= 2;
        }
        self.target_words
    }

    fn count(&mut self, major: bool) {
        if major {
            self.statistics.major += 1;
            self.statistics.minor_since_major = 0;
        } else {
            self.statistics.minor += 1;
            self.statistics.minor_since_major += 1;
        }
    }

    /// Gives the block's tail back in place if it is a mapping; the stack moves down.
    fn trim(&mut self, words: usize) -> bool {
        // A small rest is better moved out of the mapping.
        if self.young_words() <= MAPPED_WORDS || words <= MAPPED_WORDS / 2 {
            return false;
        }
        let (mature, hp, sp, stack, before) =
            (self.mature, self.hp, self.sp, self.stack_words(), self.young_words());
        let words = words.max((hp.addr() - self.start.addr()) / 8 + stack + RED_ZONE);
        // What `Block::trim` keeps at least; moving the stack further down than that would lose it.
        let keep = words.max(MAPPED_WORDS).next_multiple_of(super::memory::PAGE_WORDS);
        if keep >= before {
            return false;
        }
        let Some(mut block) = self.take_young() else { return false };
        let sp_kept = block.start().wrapping_add(keep - stack);
        // SAFETY: H6: the stack is the block's last words; it moves to the end of what is kept.
        unsafe { std::ptr::copy(sp, sp_kept, stack) };
        block.trim(keep);
        if block.words() != keep {
            // It could not be trimmed: the stack goes back to the end.
            let sp_back = block.end().wrapping_sub(stack);
            // SAFETY: as above, the other way.
            unsafe { std::ptr::copy(sp_kept, sp_back, stack) };
        }
        self.refund((before - block.words()) * 8);
        self.install_young(block);
        (self.mature, self.hp, self.sp) = (mature, hp, self.end.wrapping_sub(stack));
        true
    }

    /// Moves what is live into `block`, the new young one (and, if `promote`, the mature part to the old block).
    ///
    /// # Safety
    /// As `collect`; `block` is large enough for everything movable and the stack.
    unsafe fn pass(
        &mut self,
        cache: &mut BlockCache,
        block: Block,
        roots: &mut [&mut [Word]],
        major: bool,
        promote: bool,
    ) -> Result<usize, AllocError> {
        let mature = if major || !promote { self.start } else { self.mature };
        let promoted = (mature.addr() - self.start.addr()) / 8;
        if promoted > 0 && self.old_start.is_null() {
            match self.take_block(cache, (2 * promoted).max(self.target_words)) {
                Ok(old) => {
                    let (start, words) = old.into_raw();
                    (self.old_start, self.old_hp, self.old_end) = (start, start, start.wrapping_add(words));
                }
                Err(error) => {
                    self.put_block(cache, block);
                    return Err(error);
                }
            }
        }
        let old_top = self.old_hp;
        let mut mover = Mover {
            hp: block.start(),
            old_hp: self.old_hp,
            promote_start: self.start.addr(),
            promote_length: mature.addr() - self.start.addr(),
            keep_start: self.old_start.addr(),
            keep_length: if major { 0 } else { self.old_end.addr() - self.old_start.addr() },
            literals: Literals::get(),
        };
        let stack = self.stack_words();
        let sp = block.end().wrapping_sub(stack);
        // SAFETY: H6: the new block has room for the stack at its end; the roots are as the caller promised.
        unsafe {
            std::ptr::copy_nonoverlapping(self.sp, sp, stack);
            mover.forward_slice(std::slice::from_raw_parts_mut(sp, stack));
            for root in roots {
                mover.forward_slice(root);
            }
            mover.scan_young(block.start());
            mover.scan_old(old_top);
            self.sweep(major, &mover);
        }
        let moved = (mover.hp.addr() - block.start().addr() + mover.old_hp.addr() - old_top.addr()) / 8;
        debug_assert!(mover.hp <= sp && mover.old_hp <= self.old_end.max(mover.old_hp));
        self.replace_blocks(cache, block, sp, &mover, major);
        Ok(moved)
    }

    fn replace_blocks(
        &mut self,
        cache: &mut BlockCache,
        block: Block,
        sp: *mut Word,
        mover: &Mover,
        major: bool,
    ) {
        if self.policy.stress {
            self.poison(major);
        }
        self.free_fragments();
        if let Some(young) = self.take_young() {
            self.put_block(cache, young);
        }
        if major {
            if let Some(old) = self.take_old() {
                self.put_block(cache, old);
            }
        } else {
            self.old_hp = mover.old_hp;
        }
        self.install_young(block);
        self.hp = mover.hp;
        self.mature = mover.hp;
        self.sp = sp;
    }

    /// Sweeps the lists of shared objects: the moved ones are linked anew, the others give their count back.
    ///
    /// # Safety
    /// Everything live has been moved, nothing has been freed yet.
    unsafe fn sweep(&mut self, major: bool, mover: &Mover) {
        let old = self.old_start.addr()..mover.old_hp.addr();
        let mut lists =
            [std::mem::replace(&mut self.shared_young, std::ptr::null_mut()), std::ptr::null_mut()];
        self.shared_young_bytes = 0;
        if major {
            lists[1] = std::mem::replace(&mut self.shared_old, std::ptr::null_mut());
            self.shared_old_bytes = 0;
        }
        for mut object in lists {
            while !object.is_null() {
                // SAFETY: H5: the lists hold `SharedBits` and resources; a moved one has its new address in its header's place
                // and its link still behind it.
                unsafe {
                    let next = shared::link(object);
                    let header = *object;
                    if header.is_header() {
                        shared::release(object);
                    } else {
                        let place = header.address();
                        let promoted = !major && old.contains(&place.addr());
                        let (list, bytes) = if promoted {
                            (&mut self.shared_old, &mut self.shared_old_bytes)
                        } else {
                            (&mut self.shared_young, &mut self.shared_young_bytes)
                        };
                        shared::set_link(place, *list);
                        *list = place;
                        *bytes += shared::counted_bytes(place);
                    }
                    object = next;
                }
            }
        }
        // Twice what is alive now may be referenced before the next look, as blocks double.
        self.shared_trigger = self.policy.min_shared_bytes.max(2 * self.shared_young_bytes);
        if major {
            self.shared_old_trigger = self.policy.min_shared_bytes.max(2 * self.shared_young_bytes);
        }
    }

    /// Fills what was left with words no program can use.
    fn poison(&mut self, major: bool) {
        let fill = |start: *mut Word, end: *mut Word| {
            let mut place = start;
            while place < end {
                // SAFETY: H6: the from-space is still ours, and nothing live is left in it.
                unsafe { place.write(Word::POISON) };
                place = place.wrapping_add(1);
            }
        };
        fill(self.start, self.hp);
        fill(self.sp, self.end);
        if major {
            fill(self.old_start, self.old_hp);
        }
        let mut fragment = self.fragments;
        while !fragment.is_null() {
            // SAFETY: H6: the list's fragments are alive until `free_fragments`.
            let (payload, words, next) = unsafe { super::fragment::payload_of(fragment) };
            fill(payload, payload.wrapping_add(words));
            fragment = next;
        }
    }
}

/// The moving end of a collection.
struct Mover {
    hp: *mut Word,
    old_hp: *mut Word,
    /// Objects here go to the old block.
    promote_start: usize,
    promote_length: usize,
    /// Objects here stay.
    keep_start: usize,
    keep_length: usize,
    literals: Literals,
}

impl Mover {
    /// Updates one slot, moving what it points at if that is still to be moved.
    ///
    /// # Safety
    /// `slot` holds a term, a match context, or a word that is no pointer (H1); the spaces have room.
    #[inline(always)]
    unsafe fn forward(&mut self, slot: *mut Word) {
        // SAFETY: the caller's promise.
        let word = unsafe { *slot };
        if !word.is_pointer() {
            return;
        }
        let object = word.address();
        if object.addr().wrapping_sub(self.keep_start) < self.keep_length || self.literals.contains(object) {
            return;
        }
        // SAFETY: H1: a cons is two words, a boxed object a header and its arity. The first word is replaced by where the object
        // went; a header in a cons' head, or no header in a boxed object's place, says that this happened.
        unsafe {
            let first = *object;
            if word.is_cons() {
                if first.is_header() {
                    *slot = *object.add(1);
                    return;
                }
                let place = self.reserve(object, 2);
                place.write(first);
                place.add(1).write(*object.add(1));
                let moved = Word::cons(place);
                object.write(MOVED);
                object.add(1).write(moved);
                *slot = moved;
            } else {
                if !first.is_header() {
                    *slot = first;
                    return;
                }
                let size = 1 + first.header_arity();
                let place = self.reserve(object, size);
                for index in 0..size {
                    place.add(index).write(*object.add(index));
                }
                let moved = Word::boxed(place);
                object.write(moved);
                *slot = moved;
            }
        }
    }

    #[inline(always)]
    fn reserve(&mut self, object: *mut Word, words: usize) -> *mut Word {
        let promoted = object.addr().wrapping_sub(self.promote_start) < self.promote_length;
        let top = if promoted { &mut self.old_hp } else { &mut self.hp };
        let place = *top;
        *top = place.wrapping_add(words);
        place
    }

    /// # Safety
    /// As [`Mover::forward`], for each slot.
    unsafe fn forward_slice(&mut self, slots: &mut [Word]) {
        for slot in slots {
            // SAFETY: the caller's promise.
            unsafe { self.forward(slot) };
        }
    }

    /// Scans what was moved to the young block, and what that moves there in turn.
    ///
    /// # Safety
    /// `from..hp` is whole objects just moved.
    unsafe fn scan_young(&mut self, from: *mut Word) {
        let mut place = from;
        while place < self.hp {
            // SAFETY: H1: whole objects.
            place = unsafe { self.scan_word(place) };
        }
    }

    /// The same for the old block. Nothing here leads back to the young one (H2).
    ///
    /// # Safety
    /// `from..old_hp` is whole objects just moved.
    unsafe fn scan_old(&mut self, from: *mut Word) {
        let mut place = from;
        while place < self.old_hp {
            // SAFETY: H1: whole objects.
            place = unsafe { self.scan_word(place) };
        }
    }

    /// Scans one word of a moved object and gives the next place to look at.
    ///
    /// # Safety
    /// `place` is a term slot or a header, as left by the last call.
    #[inline(always)]
    unsafe fn scan_word(&mut self, place: *mut Word) -> *mut Word {
        // SAFETY: the caller's promise.
        let word = unsafe { *place };
        if word.is_header() {
            return place.wrapping_add(1 + raw_words(word));
        }
        // SAFETY: H3: not a header, not raw: a term slot.
        unsafe { self.forward(place) };
        place.wrapping_add(1)
    }
}

/// How many raw words follow a header before the term slots begin, which then go to the object's end (H3).
#[inline(always)]
pub(crate) fn raw_words(header: Word) -> usize {
    match header.header_subtag() {
        Subtag::Tuple | Subtag::FlatMap | Subtag::HashNode | Subtag::HashBucket => 0,
        Subtag::HashMap | Subtag::Fun => 1,
        Subtag::SubBits | Subtag::MatchContext => 2,
        Subtag::BigPositive
        | Subtag::BigNegative
        | Subtag::Float
        | Subtag::HeapBits
        | Subtag::SharedBits
        | Subtag::ExternalFun
        | Subtag::Ref
        | Subtag::Resource
        | Subtag::Filler => header.header_arity(),
    }
}

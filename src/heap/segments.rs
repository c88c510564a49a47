//! Old objects that stay where they are while a heap grows.
//!
//! The old generation is one block that survivors are moved to, and **segments**: former such blocks that are full, and young
//! blocks that became old in place. While a large structure is built nearly everything survives, and then moving it only costs:
//! fresh pages for the copy, and reading all that was just written. So after a collection that found nearly everything alive (a
//! *sample*) the next young block is a large one, and when that is full it is *kept*: its objects become old where they are, without
//! a look at what is alive, and the process goes on in a new block. Then comes a sample again; as long as samples find the same,
//! up to [`MOST_KEPT`] blocks are kept between two of them.
//!
//! What is dead in a kept block stays until the next major collection, which moves what is alive in all segments into one new block.
//! That is due when the old objects take [`Segments::major_at`] words: twice of what was alive after the last one, or, if that one
//! found nearly all of it alive and it is not huge, four times. So a wrong guess costs at most a part of that in memory.
//!
//! A block may be kept only if no fragment is there: what becomes old must point at nothing that does not (H2).

use std::ptr::null_mut;

use super::account::AllocError;
use super::collect::Collected;
use super::memory::{Block, HUGE_PAGE_WORDS, MAPPED_WORDS};
use super::mover::Span;
use super::{BlockCache, Heap, RED_ZONE, shared};
use crate::term::Word;

/// Most blocks kept between two samples: samples are small, so that more would save little and find out later.
const MOST_KEPT: u8 = 3;

/// Largest young block that is made to be kept (32 MiB): its use must not cost more memory than caches of blocks may hold.
const LARGEST_KEPT: usize = 4 << 20;

/// Live words (256 MiB) up to which a heap may grow fourfold between two major collections.
const FOURFOLD_LIMIT: usize = 32 << 20;

/// Segments under stress before a major collection clears them.
const MOST_UNDER_STRESS: usize = 4;

/// A block whose objects are old and which takes no more.
#[derive(Debug)]
struct Segment {
    start: *mut Word,
    hp: *mut Word,
    end: *mut Word,
}

/// The segments of a heap, and when they are to be collected.
#[derive(Debug)]
pub(super) struct Segments {
    list: Vec<Segment>,
    used_words: usize,
    total_words: usize,
    /// Words of old objects, wherever they are, at which a major collection is due; 0: there are none yet.
    pub major_at: usize,
    /// How many times what was alive the old objects may grow to.
    factor: usize,
    /// Samples in a row that found nearly everything alive.
    good_samples: u8,
    /// Young blocks still to be kept before the next sample.
    to_keep: u8,
}

impl Segments {
    pub const NONE: Segments = Segments {
        list: Vec::new(),
        used_words: 0,
        total_words: 0,
        major_at: 0,
        factor: 2,
        good_samples: 0,
        to_keep: 0,
    };

    /// Words of their blocks.
    #[inline]
    pub fn total_words(&self) -> usize {
        self.total_words
    }

    /// Where their objects begin and end.
    pub fn places(&self) -> impl Iterator<Item = (*mut Word, *mut Word)> {
        self.list.iter().map(|segment| (segment.start, segment.hp))
    }

    /// The same, sorted by address.
    pub fn spans(&self) -> Vec<Span> {
        let mut spans: Vec<Span> = self.places().map(|(start, end)| Span::new(start, end)).collect();
        spans.sort_by_key(|span| span.start());
        spans
    }

    fn push(&mut self, block: Block, hp: *mut Word) {
        self.used_words += (hp.addr() - block.start().addr()) / 8;
        self.total_words += block.words();
        let (start, words) = block.into_raw();
        self.list.push(Segment { start, hp, end: start.wrapping_add(words) });
    }

    fn pop(&mut self) -> Option<Block> {
        let Segment { start, hp, end } = self.list.pop()?;
        let words = (end.addr() - start.addr()) / 8;
        self.used_words -= (hp.addr() - start.addr()) / 8;
        self.total_words -= words;
        // SAFETY: H6: the pair came from `Block::into_raw` in `push`, and the list no longer has it.
        Some(unsafe { Block::from_raw(start, words) })
    }

    /// A collection that made everything old found this much of `made` words alive.
    fn note_sample(&mut self, made: usize, survived: usize) {
        let good = 8 * survived >= 7 * made;
        self.good_samples = if good { (self.good_samples + 1).min(MOST_KEPT) } else { 0 };
        self.to_keep = self.good_samples;
    }

    /// The process does something else.
    pub fn forget_samples(&mut self) {
        (self.good_samples, self.to_keep) = (0, 0);
    }

    /// A major collection of `before` words found `live` of them alive; `room` is the new old block's.
    pub fn note_major(&mut self, before: usize, live: usize, room: usize) {
        self.factor = if 4 * live >= 3 * before && live <= FOURFOLD_LIMIT { 4 } else { 2 };
        self.major_at = if room == 0 { 0 } else { room.max(self.factor * live) };
    }
}

impl Heap {
    /// Old objects' words, wherever they are.
    pub(super) fn old_used_words(&self) -> usize {
        let rare = &*self.rare;
        (rare.old_hp.addr() - rare.old_start.addr()) / 8 + rare.segments.used_words
    }

    /// Words free in the old block.
    pub(super) fn old_room(&self) -> usize {
        (self.rare.old_end.addr() - self.rare.old_hp.addr()) / 8
    }

    /// Whether the next collection, if it is a minor one, keeps the young block as it is. Under stress that happens now and then,
    /// however small the block, since it happens to no small heap otherwise.
    pub(super) fn keeps_young(&self) -> bool {
        let segments = &self.rare.segments;
        if !self.fragments.is_null() {
            return false;
        }
        if self.stress {
            return self.rare.statistics.minor % 4 == 3 && segments.list.len() < MOST_UNDER_STRESS;
        }
        let used = (self.hp.addr() - self.start.addr()) / 8;
        segments.to_keep > 0 && self.young_words() >= MAPPED_WORDS && 2 * used >= self.young_words()
    }

    /// Takes the sample's result, and tells how large the young block should be that is to be kept next; 0 if none is.
    pub(super) fn sampled(&mut self, made: usize, survived: usize) -> usize {
        if self.stress || self.rare.policy.max_heap_words > 0 {
            // Memory that a process is held to is better not spent on guesses.
            return 0;
        }
        self.rare.segments.note_sample(made, survived);
        self.kept_words()
    }

    fn kept_words(&self) -> usize {
        if self.rare.segments.to_keep == 0 {
            return 0;
        }
        let words = (self.old_used_words() / 2).clamp(HUGE_PAGE_WORDS, LARGEST_KEPT);
        let words = words.next_multiple_of(HUGE_PAGE_WORDS);
        let bytes = self.old_used_words().saturating_add(words).saturating_mul(8);
        // What a wrong guess may cost is there, and a large stack is not moved more often than it must.
        let fits = self.account.has_room(bytes.saturating_mul(4)) && self.stack_words() <= words / 8;
        if fits { words } else { 0 }
    }

    /// Lets all objects of the young block become old where they are, and goes on in a new one.
    ///
    /// # Errors
    /// If the new block cannot be had; the heap is as it was.
    pub(super) fn keep_young(
        &mut self,
        cache: &mut BlockCache,
        need: usize,
    ) -> Result<Collected, AllocError> {
        let stack = self.stack_words();
        self.rare.segments.to_keep = self.rare.segments.to_keep.saturating_sub(1);
        let words = self.kept_words().max(self.rare.target_words).max(stack + need + RED_ZONE);
        let block = self.take_block(cache, words)?;
        let sp = block.end().wrapping_sub(stack);
        // SAFETY: H6: the stack is the young block's last words, and the new block has room for it at its end.
        unsafe { std::ptr::copy_nonoverlapping(self.sp, sp, stack) };
        if self.stress {
            // SAFETY: H6: the block is still ours, and its stack is in use at the new place.
            (0..stack).for_each(|index| unsafe { self.sp.add(index).write(Word::POISON) });
        }
        let hp = self.hp;
        if let Some(young) = self.take_young() {
            self.retire(young, hp);
        }
        self.install_young(block);
        self.sp = sp;
        self.make_shared_old();
        let rare = &mut *self.rare;
        rare.statistics.minor += 1;
        rare.statistics.minor_since_major += 1;
        if rare.segments.major_at == 0 {
            rare.segments.major_at = 2 * rare.segments.total_words;
        }
        self.collect_due = self.stress;
        Ok(Collected { moved_words: 0, live_words: self.used_words(), major: false })
    }

    /// What is young of shared objects is old now.
    fn make_shared_old(&mut self) {
        let rare = &mut *self.rare;
        let first = std::mem::replace(&mut rare.shared_young, null_mut());
        let bytes = std::mem::take(&mut rare.shared_young_bytes);
        if first.is_null() {
            return;
        }
        let mut last = first;
        // SAFETY: H5: the list's objects, none of which has moved; the count of each goes with it.
        unsafe {
            while !shared::link(last).is_null() {
                last = shared::link(last);
            }
            shared::join(shared::SharedList { first, last, bytes }, &mut rare.shared_old);
        }
        rare.shared_old_bytes += bytes;
        rare.shared_trigger = rare.policy.min_shared_bytes;
    }

    /// A block of old objects becomes a segment. The pages behind its last object go back if they are many.
    pub(super) fn retire(&mut self, mut block: Block, hp: *mut Word) {
        let used = (hp.addr() - block.start().addr()) / 8;
        let before = block.words();
        if used < before / 4 * 3 {
            block.trim(used.max(1));
            self.refund((before - block.words()) * 8);
        }
        self.rare.segments.push(block, hp);
    }

    /// The block that old objects are moved to becomes a segment.
    pub(super) fn retire_old(&mut self) {
        let hp = self.rare.old_hp;
        if let Some(block) = self.take_old() {
            self.retire(block, hp);
        }
    }

    /// Gives the segments' blocks back.
    pub(super) fn free_segments(&mut self, cache: &mut BlockCache) {
        if self.rare.segments.list.is_empty() {
            return;
        }
        while let Some(block) = self.rare.segments.pop() {
            self.put_block(cache, block);
        }
    }
}

//! The collector: generational, copying, iterative (Cheney).
//!
//! A **minor** collection moves exactly what is neither in the old block nor a literal: objects of the young block below the
//! `mature` mark (they survived once) to the old block, everything else, fragments included, to a new young block. Since
//! objects point only to older ones (H2), the old block holds no pointer into what moves and is not scanned. A **major** one
//! moves old objects too: into a new old block, together with the mature ones, so that a large heap is copied once; or, if
//! all that is small, or if it was asked for, into one new young block. It is taken when the mature part does not
//! fit what old objects may take, when the policy's number of minor ones is reached, or when shared bytes of old objects pile up.
//! While a heap grows, young blocks may become old without being moved: see `segments`.
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
use super::memory::{Block, CLASSES, MAPPED_WORDS};
use super::mover::{Mover, Places, Span};
use super::shared;
use super::{BlockCache, FOR_MESSAGES, Heap, RED_ZONE, WAITED};
use crate::term::Word;

/// Which collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// What the policy says: minor, or major when it is due.
    Auto,
    /// Everything.
    Major,
    /// Everything, as `garbage_collect/0`: room that few survivors leave free is given back at once, as on BEAM, where a
    /// process that is not asked goes on with what it had.
    Asked,
    /// Everything, into a block that fits exactly (with room for `need`).
    Hibernate,
}

/// What a pass over the heap moves, and where to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// The mature part to the old block, the rest of the young one and the fragments to the new young one.
    Minor,
    /// The same, and the old block's objects to a new old block.
    Renew,
    /// Everything to the new young block.
    Compact,
    /// The young block's objects to another young block; nothing becomes old.
    Resize,
}

impl Scope {
    /// Whether old objects move.
    fn is_major(self) -> bool {
        matches!(self, Scope::Renew | Scope::Compact)
    }
}

/// What a collection did.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Collected {
    /// Words moved: the work to charge reductions for.
    pub moved_words: usize,
    /// Words of objects now on the heap.
    pub live_words: usize,
    /// It was a major collection.
    pub major: bool,
}

/// Words that may have to move in a collection above which it is the pool's: 8 MiB, of which most are usually dead. What is
/// smaller is done sooner here than elsewhere: the worker has blocks whose pages are there.
pub const LONG_COLLECTION: usize = 1 << 20;

/// Minor collections at one size after which the young block doubles.
const GROWTH_INTERVAL: u8 = 8;
/// Size up to which it does so.
const GROWTH_LIMIT: usize = CLASSES[6];
/// Size up to which survivors alone make it grow: 640 KiB are moved in a fraction of a millisecond.
const SURVIVAL_LIMIT: usize = CLASSES[8];
/// Size the first collection raises it to at least.
const COMFORTABLE: usize = CLASSES[1];

/// Words made between two collections from which on they may be promoted at once; the smaller ones cost little.
const PROMOTED_AT_ONCE: usize = CLASSES[6];

/// Young blocks' worth of room that an old block may keep beyond what is in it.
const OLD_SLACK: usize = 4;

/// Words a hibernating process may keep beyond what it needs, rather than move once more.
const HIBERNATE_SLACK: usize = 32;

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
        let (started, before) = (cache.tally.now(), self.used_words());
        // SAFETY: passed on.
        let collected = unsafe { self.collect_untold(cache, need, roots, kind)? };
        let tally = &mut cache.tally;
        *(if collected.major { &mut tally.major } else { &mut tally.minor }) += 1;
        tally.freed_words += before.saturating_sub(collected.live_words) as u64;
        tally.ns += tally.now().saturating_sub(started);
        Ok(collected)
    }

    /// The collection itself.
    ///
    /// # Safety
    /// As [`collect`](Heap::collect).
    unsafe fn collect_untold(
        &mut self,
        cache: &mut BlockCache,
        need: usize,
        roots: &mut [&mut [Word]],
        kind: Kind,
    ) -> Result<Collected, AllocError> {
        let hibernate = kind == Kind::Hibernate;
        let need = need.checked_add(RED_ZONE).ok_or(AllocError::SystemLimit)?;
        let for_messages = self.notes & FOR_MESSAGES != 0;
        self.notes &= !(FOR_MESSAGES | WAITED);
        if !hibernate && !for_messages {
            self.raise_target();
        }
        let keeps = kind == Kind::Auto && self.keeps_young();
        let made = (self.hp.addr() - self.mature.addr()) / 8;
        let at_once = (self.rare.promotes_at_once || keeps) && self.fragments.is_null();
        if at_once {
            // H2: without fragments, nothing that becomes old points at what does not.
            self.mature = self.hp;
        }
        let old_before = self.old_used_words();
        let scope = self.scope(kind);
        if keeps && scope == Scope::Minor {
            return self.keep_young(cache, need);
        }
        if !hibernate {
            self.raise_target_for(self.stack_words() + need);
        }
        let used = self.movable_words(scope) + self.stack_words();
        let room = self.take_block(cache, (used + RED_ZONE).max(self.rare.target_words))?;
        // SAFETY: passed on; the room is enough for everything that may be live.
        let mut moved = unsafe { self.pass(cache, room, roots, scope)? };
        self.count(scope);
        let promoted = if at_once { self.old_used_words().saturating_sub(old_before) } else { 0 };
        self.note_survival(scope, made, promoted);
        let larger = match at_once && scope == Scope::Minor && made > 0 {
            true => self.sampled(made, promoted),
            false => {
                self.rare.segments.forget_samples();
                0
            }
        };
        let kept = (self.hp.addr() - self.start.addr()) / 8 + self.stack_words();
        let wanted = self.wanted_words(need, kind).max(kept + need).max(larger);
        let free = (self.sp.addr() - self.hp.addr()) / 8;
        // A process that sleeps is to hold no more than it must, one that works may keep what it will soon need.
        let most = if hibernate { wanted + HIBERNATE_SLACK } else { 2 * wanted };
        if free < need || self.young_words() < larger || (self.young_words() > most && !self.trim(wanted)) {
            let again = self.second_scope(kind);
            let words = wanted.max(self.movable_words(again) + self.stack_words() + need);
            let room = if hibernate { self.exact_block(words) } else { self.take_block(cache, words) };
            // SAFETY: passed on; the room covers what is live, the stack and what is asked for.
            match room.and_then(|room| unsafe { self.pass(cache, room, roots, again) }) {
                Ok(more) => moved += more,
                Err(error) if free < need => return Err(error),
                // A block that is too large will do.
                Err(_) => {}
            }
        }
        self.collect_due = self.stress;
        Ok(Collected { moved_words: moved, live_words: self.used_words(), major: scope.is_major() })
    }

    /// The heap's words and those of what counts as part of it, if they are more than the policy's maximum: then the process is to
    /// be killed or reported as the policy says.
    pub fn over_max(&self, beside: usize) -> Option<usize> {
        let limit = self.rare.policy.max_heap_words;
        if limit == 0 {
            return None;
        }
        let shared = if self.rare.policy.max_heap_include_shared { self.shared_bytes() / 8 } else { 0 };
        let total = self.total_words() + shared + beside;
        (total > limit).then_some(total)
    }

    /// If most of the `made` words survive, as while a large structure is built, the next collection promotes them at once:
    /// what will live on is moved once less. `promoted` of them already were.
    fn note_survival(&mut self, scope: Scope, made: usize, promoted: usize) {
        let survived = (self.hp.addr() - self.start.addr()) / 8 + promoted;
        let promotes = made >= PROMOTED_AT_ONCE && 4 * survived >= 3 * made && scope != Scope::Compact;
        if promotes != self.rare.promotes_at_once {
            self.rare.promotes_at_once = promotes;
        }
    }

    fn scope(&self, kind: Kind) -> Scope {
        if kind != Kind::Auto {
            return Scope::Compact;
        }
        let mature = (self.mature.addr() - self.start.addr()) / 8;
        let old_used = self.old_used_words();
        let major_at = self.rare.segments.major_at;
        let major_due = self.rare.statistics.minor_since_major >= self.rare.policy.fullsweep_after
            || (major_at > 0 && mature + old_used > major_at)
            || self.rare.shared_old_bytes > self.rare.shared_old_trigger;
        match major_due {
            false => Scope::Minor,
            true if mature + old_used > self.rare.target_words / 2 => Scope::Renew,
            true => Scope::Compact,
        }
    }

    /// What to do when the first pass did not leave the room asked for: few survivors move on to a larger block, many become
    /// old now rather than a moment later.
    fn second_scope(&self, kind: Kind) -> Scope {
        let survivors = (self.hp.addr() - self.start.addr()) / 8;
        match self.scope(kind) {
            scope @ (Scope::Minor | Scope::Renew) if survivors > SURVIVAL_LIMIT / 2 => scope,
            _ => Scope::Resize,
        }
    }

    /// Words that may have to move in the next collection.
    pub fn collection_words(&self) -> usize {
        let scope = self.scope(Kind::Auto);
        if scope == Scope::Minor && self.keeps_young() {
            return 0;
        }
        let old = if scope.is_major() { self.old_used_words() } else { 0 };
        (self.hp.addr() - self.start.addr()) / 8 + old + self.fragment_words
    }

    /// Words that may have to move into a new young block.
    fn movable_words(&self, scope: Scope) -> usize {
        let young = match scope {
            Scope::Minor | Scope::Renew => self.hp.addr() - self.mature.addr(),
            Scope::Compact | Scope::Resize => self.hp.addr() - self.start.addr(),
        };
        let old = if scope == Scope::Compact { self.old_used_words() } else { 0 };
        young / 8 + old + self.fragment_words
    }

    fn raise_target(&mut self) {
        let rare = &mut *self.rare;
        rare.target_words = rare.target_words.max(COMFORTABLE).max(rare.policy.min_heap_words);
        rare.statistics.since_growth = rare.statistics.since_growth.saturating_add(1);
        if rare.statistics.since_growth >= GROWTH_INTERVAL && rare.target_words < GROWTH_LIMIT {
            rare.target_words *= 2;
            rare.statistics.since_growth = 0;
        }
    }

    /// A stack that is known to need a larger block is moved there at once.
    fn raise_target_for(&mut self, stays: usize) {
        while stays > self.rare.target_words / 4 * 3 {
            self.rare.target_words = self.rare.target_words.saturating_mul(2);
            self.rare.statistics.since_growth = 0;
        }
    }

    /// The size the young block should have for what is in it now.
    fn wanted_words(&mut self, need: usize, kind: Kind) -> usize {
        let survivors = (self.hp.addr() - self.start.addr()) / 8;
        let stays = self.stack_words() + need;
        if kind == Kind::Hibernate {
            self.rare.target_words = self.rare.policy.min_heap_words;
            self.rare.statistics.since_growth = 0;
            return (survivors + stays).max(self.rare.policy.min_heap_words);
        }
        if kind == Kind::Asked {
            let least = COMFORTABLE.max(self.rare.policy.min_heap_words);
            while survivors + stays < self.rare.target_words / 4 && self.rare.target_words / 2 >= least {
                self.rare.target_words /= 2;
            }
        }
        // Survivors will be old after the next collection, so beyond a point only what stays in the young block counts.
        self.raise_target_for(stays);
        while survivors + stays > self.rare.target_words / 4 * 3 && self.rare.target_words < SURVIVAL_LIMIT {
            self.rare.target_words = self.rare.target_words.saturating_mul(2);
            self.rare.statistics.since_growth = 0;
        }
        if survivors + stays >= self.rare.target_words / 8 || self.rare.target_words <= GROWTH_LIMIT {
            self.rare.statistics.mostly_free = 0;
        } else {
            self.rare.statistics.mostly_free += 1;
            if self.rare.statistics.mostly_free >= GROWTH_INTERVAL {
                self.rare.target_words /= 2;
                self.rare.statistics.mostly_free = 0;
            }
        }
        self.rare.target_words
    }

    fn count(&mut self, scope: Scope) {
        if scope.is_major() {
            self.rare.statistics.major += 1;
            self.rare.statistics.minor_since_major = 0;
        } else {
            self.rare.statistics.minor += 1;
            self.rare.statistics.minor_since_major += 1;
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
        let keep = super::memory::kept_by_trim(words);
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

    /// Moves what is live into `block`, the new young one, and to the old one as `scope` says.
    ///
    /// # Safety
    /// As `collect`; `block` is large enough for everything that may move there, and the stack.
    unsafe fn pass(
        &mut self,
        cache: &mut BlockCache,
        block: Block,
        roots: &mut [&mut [Word]],
        scope: Scope,
    ) -> Result<usize, AllocError> {
        let young = if matches!(scope, Scope::Minor | Scope::Renew) {
            Span::new(self.start, self.mature)
        } else {
            Span::NONE
        };
        let old = Span::new(self.rare.old_start, self.rare.old_hp);
        let renewed = match self.new_old_block(cache, scope, young) {
            Ok(renewed) => renewed,
            Err(error) => {
                self.put_block(cache, block);
                return Err(error);
            }
        };
        let old_top = renewed.as_ref().map_or(self.rare.old_hp, Block::start);
        let mut mover = Mover::new(block.start(), old_top, self.places(scope, young, old));
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
            self.sweep(scope, Span::new(old_top, mover.old_hp));
        }
        let moved = (mover.hp.addr() - block.start().addr() + mover.old_hp.addr() - old_top.addr()) / 8;
        debug_assert!(mover.hp <= sp);
        if self.stress {
            self.poison(scope);
        }
        let before = young.words() + self.old_used_words();
        self.replace_old(cache, renewed, mover.old_hp, scope);
        if scope.is_major() {
            let room = self.old_block_words();
            let live = self.old_used_words();
            self.rare.segments.note_major(before, live, room);
        } else if self.rare.segments.major_at == 0 {
            self.rare.segments.major_at = self.old_block_words();
        }
        self.free_fragments();
        if let Some(young) = self.take_young() {
            self.put_block(cache, young);
        }
        self.install_young(block);
        (self.hp, self.mature, self.sp) = (mover.hp, mover.hp, sp);
        Ok(moved)
    }

    /// What the mover does with objects, by where they are. If there are no fragments, whatever is not in the young block is old or a
    /// literal, so that one comparison tells what stays, or what becomes old; else the segments must be searched.
    fn places(&self, scope: Scope, young: Span, old: Span) -> Places {
        let segments = || self.rare.segments.spans();
        let bare = self.fragments.is_null();
        let keep = match scope {
            Scope::Renew | Scope::Compact => Span::NONE,
            Scope::Minor | Scope::Resize if bare => Span::all_but(self.start, self.hp),
            Scope::Minor | Scope::Resize => old,
        };
        let promote = match scope {
            Scope::Minor => [young, Span::NONE],
            Scope::Renew if bare => [Span::all_but(self.mature, self.hp), Span::NONE],
            Scope::Renew => [young, old],
            Scope::Compact | Scope::Resize => [Span::NONE, Span::NONE],
        };
        let segments = if bare || scope == Scope::Compact { Vec::new() } else { segments() };
        Places { keep, promote, segments, promotes_segments: scope == Scope::Renew }
    }

    /// The block old objects move to, if not the present one.
    fn new_old_block(
        &mut self,
        cache: &mut BlockCache,
        scope: Scope,
        young: Span,
    ) -> Result<Option<Block>, AllocError> {
        let used = self.old_used_words();
        let words = match scope {
            Scope::Minor if young.words() > self.old_room() => match self.rare.old_start.is_null() {
                true => 2 * young.words(),
                // Room for what may still come before the next major collection, but no more than is there already.
                false => young.words().max(self.rare.segments.major_at.saturating_sub(used).min(used)),
            },
            // All may be alive. For what comes after it there will be further blocks.
            Scope::Renew => (young.words() + used).max(OLD_SLACK * self.rare.target_words),
            _ => return Ok(None),
        };
        self.take_block(cache, words.max(self.rare.target_words)).map(Some)
    }

    fn replace_old(
        &mut self,
        cache: &mut BlockCache,
        renewed: Option<Block>,
        old_hp: *mut Word,
        scope: Scope,
    ) {
        if scope.is_major() {
            if let Some(old) = self.take_old() {
                self.put_block(cache, old);
            }
            self.free_segments(cache);
        } else if renewed.is_some() {
            self.retire_old();
        }
        if let Some(mut block) = renewed {
            let live = (old_hp.addr() - block.start().addr()) / 8;
            // What was reserved for the worst case goes back, but for room that a working process soon fills again.
            let keep = (2 * live).max(OLD_SLACK * self.rare.target_words);
            if keep < block.words() / 2 {
                let before = block.words();
                block.trim(keep);
                self.refund((before - block.words()) * 8);
            }
            let (start, words) = block.into_raw();
            (self.rare.old_start, self.rare.old_end) = (start, start.wrapping_add(words));
        }
        if !self.rare.old_start.is_null() {
            self.rare.old_hp = old_hp;
        }
    }

    /// Sweeps the lists of shared objects: the moved ones are linked anew, the others give their count back. `promoted` is what
    /// was moved to the old block.
    ///
    /// # Safety
    /// Everything live has been moved, nothing has been freed yet.
    unsafe fn sweep(&mut self, scope: Scope, promoted: Span) {
        let mut lists =
            [std::mem::replace(&mut self.rare.shared_young, std::ptr::null_mut()), std::ptr::null_mut()];
        self.rare.shared_young_bytes = 0;
        if scope.is_major() {
            lists[1] = std::mem::replace(&mut self.rare.shared_old, std::ptr::null_mut());
            self.rare.shared_old_bytes = 0;
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
                        let rare = &mut *self.rare;
                        let (list, bytes) = if promoted.contains(place) {
                            (&mut rare.shared_old, &mut rare.shared_old_bytes)
                        } else {
                            (&mut rare.shared_young, &mut rare.shared_young_bytes)
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
        self.rare.shared_trigger = self.rare.policy.min_shared_bytes.max(2 * self.rare.shared_young_bytes);
        if scope.is_major() {
            self.rare.shared_old_trigger = self.rare.policy.min_shared_bytes.max(2 * self.shared_bytes());
        }
    }

    /// Fills what was left with words no program can use.
    fn poison(&mut self, scope: Scope) {
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
        if scope.is_major() {
            fill(self.rare.old_start, self.rare.old_hp);
            for (start, end) in self.rare.segments.places() {
                fill(start, end);
            }
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

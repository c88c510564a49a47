//! Leaving literal areas: before the constants of a purged module can be freed, each process copies what it has of them.
//!
//! All terms of a process are looked at once: its blocks, word by word, its stack and other roots. As a rule nothing leads to
//! a condemned area, and that was all. Otherwise the whole area is copied to a fragment of this heap, every pointer into the area
//! is turned into one into the copy, and a major collection keeps what is used of it. So sharing is kept, and the area itself,
//! which other processes read meanwhile, is not written: marks of moved objects go into the copy.
//!
//! Blocks can be looked at word by word where the collector has written them, which leaves no gaps; natives that failed may have left
//! some behind it, and in the blocks that became old where they are. So all is moved to one new block first, unless it is in
//! one already, as it is of a process that has not run since the last time.

use std::sync::Arc;

use super::account::{Account, AllocError};
use super::literal::{LiteralArea, Literals};
use super::mover::raw_words;
use super::shared::{self, SharedList};
use super::{BlockCache, FOR_MESSAGES, Fragment, Heap, Kind};
use crate::term::{FunEntry, Subtag, Word};

/// Areas that are to be left, in order of their addresses.
#[derive(Debug)]
pub struct Areas(Vec<Arc<LiteralArea>>);

impl Areas {
    /// These areas.
    pub fn new(areas: impl Iterator<Item = Arc<LiteralArea>>) -> Areas {
        let mut areas: Vec<_> = areas.filter(|area| area.words() > 0).collect();
        areas.sort_by_key(|area| area.start().addr());
        Areas(areas)
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &LiteralArea> {
        self.0.iter().map(|area| &**area)
    }

    /// In which of them the word points.
    #[inline]
    fn find(&self, literals: Literals, word: Word) -> Option<usize> {
        if !word.is_pointer() || !literals.contains(word.address()) {
            return None;
        }
        let after = self.0.partition_point(|area| area.start().addr() <= word.address().addr());
        after.checked_sub(1).filter(|index| self.0[*index].contains(word))
    }
}

/// Calls `f` with each slot of these whole objects, and notes their funs.
///
/// # Safety
/// `start..end` is whole objects (H1, H3), which are this thread's to write or, if `f` does not, to read.
unsafe fn each_slot(start: *mut Word, end: *mut Word, f: &mut impl FnMut(*mut Word)) {
    let mut place = start;
    while place < end {
        // SAFETY: the caller's promise.
        unsafe {
            let word = *place;
            if word.is_header() {
                if word.is_header_of(Subtag::Fun) {
                    FunEntry::of(place).note_seen();
                }
                place = place.add(1 + raw_words(word));
            } else {
                f(place);
                place = place.add(1);
            }
        }
    }
}

/// The copies of areas that a heap refers to.
struct Leaving<'a> {
    areas: &'a Areas,
    literals: Literals,
    met: Vec<bool>,
    copies: Vec<Option<*mut Word>>,
}

impl Leaving<'_> {
    fn meet(&mut self, word: Word) {
        if let Some(index) = self.areas.find(self.literals, word) {
            self.met[index] = true;
        }
    }

    /// The word as it is when the areas have been left.
    fn moved(&self, word: Word) -> Word {
        let Some(index) = self.areas.find(self.literals, word) else { return word };
        match self.copies[index] {
            Some(copy) => word.moved_by(copy.addr().wrapping_sub(self.areas.0[index].start().addr())),
            None => word,
        }
    }

    /// The word as it was before.
    fn back(&self, word: Word) -> Word {
        if !word.is_pointer() {
            return word;
        }
        for (area, copy) in self.areas.0.iter().zip(&self.copies) {
            if let Some(copy) = copy
                && word.address().addr().wrapping_sub(copy.addr()) < area.words() * 8
            {
                return word.moved_by(area.start().addr().wrapping_sub(copy.addr()));
            }
        }
        word
    }

    /// Copies each area that was met, to a fragment.
    fn copy(&mut self) -> Result<Vec<Fragment>, AllocError> {
        let mut fragments = Vec::new();
        for (index, area) in self.areas.0.iter().enumerate().filter(|(index, _)| self.met[*index]) {
            let mut fragment = Fragment::new(area.words())?;
            let (from, to) = (area.start(), fragment.payload());
            let mut list = SharedList::EMPTY;
            // SAFETY: H10: the area is complete, and nobody writes there; the payload has room for all of it. H5: each counted
            // object of the copy is counted once more, on a list of its own. No area leads into another one.
            unsafe {
                std::ptr::copy_nonoverlapping(from, to, area.words());
                let mut object = area.first_shared();
                while !object.is_null() {
                    let copied = to.byte_add(object.addr() - from.addr());
                    shared::retain(copied);
                    list.push(copied);
                    object = shared::link(object);
                }
            }
            fragment.set_shared(list);
            self.copies[index] = Some(to);
            fragments.push(fragment);
        }
        for (index, area) in self.areas.0.iter().enumerate() {
            let Some(copy) = self.copies[index] else { continue };
            // SAFETY: the copy is ours alone, and whole objects as the area is.
            unsafe {
                each_slot(copy, copy.wrapping_add(area.words()), &mut |slot| *slot = self.moved(*slot));
            }
        }
        Ok(fragments)
    }
}

impl Heap {
    /// Copies whatever the heap and `roots` have of these areas, and notes which watched funs there are. Gives the words looked
    /// at and moved.
    ///
    /// # Errors
    /// If there is no memory; the heap is whole, but may still lead to the areas.
    ///
    /// # Safety
    /// As [`collect`](Heap::collect).
    pub unsafe fn leave(
        &mut self,
        cache: &mut BlockCache,
        roots: &mut [&mut [Word]],
        areas: &Areas,
    ) -> Result<usize, AllocError> {
        let mut moved = 0;
        let is_compact =
            self.hp == self.mature && self.used_words() == (self.hp.addr() - self.start.addr()) / 8;
        if !is_compact || !self.fragments.is_null() {
            // A process that does not run is to hold no more afterwards.
            self.notes |= FOR_MESSAGES;
            // SAFETY: passed on.
            moved += unsafe { self.collect(cache, 0, roots, Kind::Major)? }.moved_words;
        }
        debug_assert!(self.rare.old_hp == self.rare.old_start, "a major collection leaves one block");
        let count = areas.0.len();
        let mut leaving =
            Leaving { areas, literals: Literals::get(), met: vec![false; count], copies: vec![None; count] };
        // SAFETY: all objects are in the young block and were written there by the collector, which leaves no gaps (H1); for the
        // roots, the caller's promise.
        unsafe { self.each_slot(roots, &mut |slot| leaving.meet(*slot)) };
        moved += self.used_words() / WORDS_SEEN_PER_MOVED;
        if !leaving.met.contains(&true) {
            return Ok(moved);
        }
        for fragment in leaving.copy()? {
            moved += fragment.words();
            self.adopt(fragment);
        }
        // SAFETY: as above; what is mature leads to younger objects from here to the end of the collection, which looks at all.
        unsafe {
            self.each_slot(roots, &mut |slot| *slot = leaving.moved(*slot));
            match self.collect(cache, 0, roots, Kind::Major) {
                Ok(collected) => Ok(moved + collected.moved_words),
                Err(error) => {
                    self.each_slot(roots, &mut |slot| *slot = leaving.back(*slot));
                    Err(error)
                }
            }
        }
    }

    /// Calls `f` with each slot of the young block, the stack and the roots.
    ///
    /// # Safety
    /// The block is whole objects without gaps; the roots are those of a collection, and all that `f` writes are terms.
    unsafe fn each_slot(&self, roots: &mut [&mut [Word]], f: &mut impl FnMut(*mut Word)) {
        // SAFETY: the caller's promise; H6.
        unsafe {
            each_slot(self.start, self.hp, f);
            let mut place = self.sp;
            while place < self.end {
                f(place);
                place = place.add(1);
            }
        }
        for root in roots.iter_mut().flat_map(|root| root.iter_mut()) {
            f(root);
        }
    }
}

/// Looking at so many words costs what moving one does.
const WORDS_SEEN_PER_MOVED: usize = 8;

impl Fragment {
    /// The same message in a fragment that may lie where no process looks: this one, or, if it leads to literals or holds funs, a
    /// whole copy.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn into_whole(self, account: &Arc<Account>) -> Result<Fragment, AllocError> {
        if self.is_whole() {
            return Ok(self);
        }
        let mut copy = Fragment::copy_whole(self.term(), account)?;
        let (from, to) = (self.header(), copy.header_mut());
        (to.kind, to.flags, to.to, to.aux) = (from.kind, from.flags, from.to, from.aux);
        Ok(copy)
    }

    /// Whether it leads nowhere but into itself, and holds no funs.
    fn is_whole(&self) -> bool {
        let literals = Literals::get();
        let leads = |word: Word| word.is_pointer() && literals.contains(word.address());
        let mut place = self.payload();
        let end = place.wrapping_add(self.words());
        let mut whole = !leads(self.root());
        while whole && place < end {
            // SAFETY: H9: a message is whole objects, as many words as it has.
            let word = unsafe { *place };
            whole = !leads(word) && !word.is_header_of(Subtag::Fun);
            place = place.wrapping_add(if word.is_header() { 1 + raw_words(word) } else { 1 });
        }
        whole
    }

    /// Whether it leads to one of these areas; watched funs in it are noted.
    pub fn leads_to(&self, areas: &Areas) -> bool {
        let literals = Literals::get();
        let mut found = areas.find(literals, self.root()).is_some();
        let (start, words) = (self.payload(), self.words());
        // SAFETY: H9: a message is whole objects, as many words as it has; nothing is written.
        unsafe {
            each_slot(start, start.wrapping_add(words), &mut |slot| {
                found = found || areas.find(literals, *slot).is_some();
            });
        }
        found
    }
}

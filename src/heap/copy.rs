//! Copying terms between heaps: messages, spawn arguments, literals, table rows.
//!
//! A copy is measured first, so that its room can be charged and may be refused before anything is written, and then made in
//! one pass: the destination itself is the queue of what is still to be copied. Sharing is lost, as in OTP; literals are not
//! copied, but for those about to be freed ([`Kept`]); shared buffers are counted. What goes where no process looks (rows of
//! tables, timers, reasons of exits) is copied *whole*, literals included. Measuring can be done in steps; and when it meets the same object again and again, it
//! changes to a measure that visits each object once, so that a term whose unshared size is astronomical (forty levels of
//! `[A | A]`) is refused at once.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::literal::Kept;
use super::mover::raw_words;
use super::shared::{self, SharedList};
use super::{Account, AllocError, Fragment, FragmentCache};
use crate::term::worklist::Worklist;
use crate::term::{FunEntry, Subtag, Term, Word};

/// Largest copy in words: 2 GiB. Beyond it the answer is `system_limit`, whatever the machine.
pub const MAX_WORDS: usize = 1 << 28;

/// What a copy takes, and what it leaves in place: a copy is made as it was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    words: u32,
    era: u32,
}

impl Size {
    #[inline]
    pub(super) fn of(words: usize, kept: Kept) -> Size {
        // No more than `MAX_WORDS`.
        Size { words: words as u32, era: kept.era() }
    }

    /// Words.
    #[inline]
    pub fn words(self) -> usize {
        self.words as usize
    }

    #[inline]
    fn kept(self) -> Kept {
        Kept::of_era(self.era)
    }
}

/// What a copy of `term` takes (sharing is lost, literals are not copied).
///
/// # Errors
/// `SystemLimit` if it passes [`MAX_WORDS`].
pub fn size(term: Term<'_>) -> Result<Size, AllocError> {
    size_but(term, Kept::now())
}

/// What a whole copy of `term` takes.
///
/// # Errors
/// As [`size`].
pub fn whole_size(term: Term<'_>) -> Result<Size, AllocError> {
    size_but(term, Kept::nothing())
}

fn size_but(term: Term<'_>, kept: Kept) -> Result<Size, AllocError> {
    let words = match shallow_size(term, kept) {
        Some(words) => words,
        None => measure(Measure::new(term, kept))?,
    };
    Ok(Size::of(words, kept))
}

/// Words of a list whose elements are immediate, up to a literal tail.
fn flat_list_size(list: Term<'_>, kept: Kept) -> Option<usize> {
    let mut rest = list;
    for cells in 0..SHALLOW_CELLS {
        match rest.as_cons() {
            Some(_) if kept.contains(rest.word().address()) => return Some(2 * cells),
            Some(cell) if cell.head().word().is_immediate() => rest = cell.tail(),
            None if rest.word().is_immediate() => return Some(2 * cells),
            _ => return None,
        }
    }
    None
}

/// Slots of an object whose parts are looked at in place, without a list of what is still to be seen.
const SHALLOW_SLOTS: usize = 12;

/// [`size`] of a term of at most two levels: an immediate, a literal, or a tuple, cell or fun whose parts are that, or
/// have no pointers of their own, or are lists of immediates. Most messages are such. `None` says nothing about the size.
#[inline]
pub fn shallow_size(term: Term<'_>, kept: Kept) -> Option<usize> {
    if term.word().is_immediate() {
        return Some(0);
    }
    let is_copied = |part: &Term<'_>| part.word().is_pointer() && !kept.contains(part.word().address());
    if !is_copied(&term) {
        return Some(0);
    }
    if let Some(cell) = term.as_cons() {
        if cell.head().word().is_immediate() {
            return flat_list_size(term, kept);
        }
        let parts = [cell.head(), cell.tail()];
        return parts
            .iter()
            .filter(|part| is_copied(part))
            .try_fold(2, |sum, part| Some(sum + leaf_size(*part, kept)?));
    }
    let object = term.object();
    if object.len() > SHALLOW_SLOTS + 1 {
        return None;
    }
    let parts = term.terms_of(&object[1 + raw_words(object[0])..]);
    let words = object.len();
    parts
        .iter()
        .filter(|part| is_copied(part))
        .try_fold(words, |sum, part| Some(sum + leaf_size(*part, kept)?))
}

/// Cells of a list that are measured in place.
const SHALLOW_CELLS: usize = 1000;

/// Words of an object without pointers, or of a list of immediates.
#[inline]
fn leaf_size(term: Term<'_>, kept: Kept) -> Option<usize> {
    if term.as_cons().is_some() {
        return flat_list_size(term, kept);
    }
    let object = term.object();
    let slots = &object[1 + raw_words(object[0])..];
    let plain = slots.len() <= SHALLOW_SLOTS && slots.iter().all(|slot| slot.is_immediate());
    plain.then_some(object.len())
}

/// Words of the terms themselves, literals included, shared parts counted each time (`erts_debug:flat_size`).
///
/// # Errors
/// As [`size`].
pub fn flat_size(term: Term<'_>) -> Result<usize, AllocError> {
    measure(Measure::with_literals(term))
}

fn measure(mut measure: Measure<'_>) -> Result<usize, AllocError> {
    loop {
        if let Some(words) = measure.step(usize::MAX)? {
            return Ok(words);
        }
    }
}

/// Objects seen before repetitions are looked for, and how often an object may be met before the term counts as shared.
const UNSUSPECTED: usize = 1 << 18;
const REPETITIONS: u8 = 32;
/// Places of the table of objects met; lossy, a power of two.
const MET: usize = 4096;

/// Measuring a term in steps.
pub struct Measure<'h> {
    root: Term<'h>,
    seen: usize,
    met: Vec<(u64, u8)>,
    words: usize,
    kept: Kept,
    rest: Worklist<Term<'h>, 24>,
}

impl<'h> Measure<'h> {
    /// Begins to measure what a copy of `term` takes that leaves this in place.
    pub fn new(term: Term<'h>, kept: Kept) -> Measure<'h> {
        let mut rest = Worklist::new();
        rest.push(term);
        Measure { root: term, seen: 0, met: Vec::new(), words: 0, kept, rest }
    }

    /// Begins to measure `term` with its literals.
    pub fn with_literals(term: Term<'h>) -> Measure<'h> {
        Measure::new(term, Kept::nothing())
    }

    /// Looks at about `budget` objects more; the size when all have been seen.
    ///
    /// # Errors
    /// `SystemLimit` once the size passes [`MAX_WORDS`].
    pub fn step(&mut self, budget: usize) -> Result<Option<usize>, AllocError> {
        for _ in 0..budget {
            let Some(term) = self.rest.pop() else { return Ok(Some(self.words)) };
            self.seen += 1;
            // Objects without parts (keys of maps, shared bytes) may be met as often as they like.
            if self.visit(term) && self.seen > UNSUSPECTED && self.met_often(term.word()) {
                let words = self.shared_size();
                return if words > MAX_WORDS as u64 {
                    Err(AllocError::SystemLimit)
                } else {
                    Ok(Some(words as usize))
                };
            }
            if self.words > MAX_WORDS {
                return Err(AllocError::SystemLimit);
            }
        }
        Ok(None)
    }

    /// Adds an object's own words and puts its parts on the list; whether it has any.
    #[inline]
    fn visit(&mut self, term: Term<'h>) -> bool {
        if !self.counts(term.word()) {
            return false;
        }
        if let Some(cell) = term.as_cons() {
            self.words += 2;
            let tail = self.push(cell.tail());
            return self.push(cell.head()) || tail;
        }
        let object = term.object();
        self.words += object.len();
        let slots = term.terms_of(&object[1 + raw_words(object[0])..]);
        let mut any = false;
        for slot in slots {
            any |= self.push(*slot);
        }
        any
    }

    /// Whether the object was met many times: then sharing makes the term much larger than it is.
    fn met_often(&mut self, word: Word) -> bool {
        self.met.resize(MET, (0, 0));
        let place = &mut self.met[crate::atom::mix(word.bits(), 0x9e37_79b9_7f4a_7c15) as usize & (MET - 1)];
        if place.0 != word.bits() {
            *place = (word.bits(), 0);
        }
        place.1 += 1;
        place.1 > REPETITIONS
    }

    /// The size with each object visited once: sizes of parts are remembered, and added where they are shared.
    fn shared_size(&self) -> u64 {
        let mut sizes: BTreeMap<u64, u64> = BTreeMap::new();
        // An object stands on the list twice: to be opened, and below its parts to be summed up.
        let mut rest = vec![(self.root, false)];
        while let Some((term, opened)) = rest.pop() {
            if sizes.contains_key(&term.word().bits()) {
                continue;
            }
            let parts: Vec<Term<'h>> = self.parts(term).filter(|part| self.counts(part.word())).collect();
            if opened {
                let own = if term.word().is_cons() { 2 } else { term.object().len() as u64 };
                let size = |part: &Term<'h>| sizes.get(&part.word().bits()).copied().unwrap_or(0);
                let sum = parts.iter().map(size).fold(own, u64::saturating_add);
                sizes.insert(term.word().bits(), sum);
            } else {
                rest.push((term, true));
                rest.extend(parts.into_iter().map(|part| (part, false)));
            }
        }
        sizes.get(&self.root.word().bits()).copied().unwrap_or(0)
    }

    /// The terms an object consists of.
    fn parts(&self, term: Term<'h>) -> impl Iterator<Item = Term<'h>> {
        let (cell, slots) = match term.as_cons() {
            Some(cell) => (Some([cell.head(), cell.tail()]), &[][..]),
            None => {
                let object = term.object();
                (None, term.terms_of(&object[1 + raw_words(object[0])..]))
            }
        };
        cell.into_iter().flatten().chain(slots.iter().copied())
    }

    #[inline]
    fn push(&mut self, term: Term<'h>) -> bool {
        let pointer = term.word().is_pointer();
        if pointer {
            self.rest.push(term);
        }
        pointer
    }

    #[inline]
    fn counts(&self, word: Word) -> bool {
        word.is_pointer() && !self.kept.contains(word.address())
    }
}

/// Words of a message that may be flat: beyond it one level of terms is the exception.
const SMALL_MESSAGE: usize = 64;

/// Words of a message that is looked at before anything else: the largest that the workers' caches keep.
const SIMPLE_MESSAGE: usize = 12;

/// A finished copy.
pub(crate) struct Copied {
    pub root: Word,
    pub shared: SharedList,
    /// One past the last word written.
    pub end: *mut Word,
}

/// Copies `term`, whose size was measured in this slice, to `place`.
///
/// # Safety
/// From `place` on there is room for `size` words that nobody else reaches, and `size` is that of the term. The counts of the
/// copied shared objects belong to whoever takes the list (H5).
pub(crate) unsafe fn copy_to(term: Term<'_>, size: Size, place: *mut Word) -> Copied {
    let nowhere = std::ptr::null_mut();
    let mut copier = Copier {
        start: place,
        top: place,
        kept: size.kept(),
        shared: SharedList::EMPTY,
        plain: (nowhere, nowhere),
    };
    let mut root = term.word();
    // SAFETY: the caller's room; every slot scanned lies in an object just copied (H1, H3).
    unsafe {
        copier.copy_slot(&raw mut root);
        let mut scan = place;
        while scan < copier.top {
            let word = *scan;
            if word.is_header() {
                scan = scan.add(1 + raw_words(word));
            } else if scan == copier.plain.0 {
                scan = copier.plain.1;
                copier.plain = (nowhere, nowhere);
            } else {
                copier.copy_slot(scan);
                scan = scan.add(1);
            }
        }
    }
    Copied { root, shared: copier.shared, end: copier.top }
}

/// Copies a term of which the measured `words` are those of its first object alone, so that nothing it points at is to be
/// copied: most messages. Gives the copy, or `None` if the term is not such.
///
/// # Safety
/// As [`copy_to`].
#[inline(always)]
unsafe fn copy_flat(word: Word, size: Size, place: *mut Word) -> Option<Word> {
    let words = size.words();
    // SAFETY: H1: a cons is two words, a boxed object a header and its arity. What is not to be copied is immediate or a literal.
    unsafe {
        let object = word.address();
        if !word.is_pointer() || words == 0 {
            return None;
        }
        if word.is_cons() {
            if words != 2 {
                return None;
            }
            place.write(*object);
            place.add(1).write(*object.add(1));
            return Some(Word::cons(place));
        }
        let header = *object;
        let is_plain = header.is_header_of(Subtag::Tuple) || header.is_header_of(Subtag::Fun);
        if words != 1 + header.header_arity() || !is_plain {
            return None;
        }
        for index in 0..words {
            place.add(index).write(*object.add(index));
        }
        if size.era & 1 == 1 && header.is_header_of(Subtag::Fun) {
            note_fun(place, size.kept());
        }
        Some(Word::boxed(place))
    }
}

/// A fun is being copied while somebody wants to know which ones there are.
///
/// # Safety
/// `object` is a fun (H3).
#[cold]
unsafe fn note_fun(object: *const Word, kept: Kept) {
    // SAFETY: the caller's promise.
    let entry = unsafe { FunEntry::of(object) };
    if kept.is_nothing() { entry.note_escape() } else { entry.note_seen() }
}

struct Copier {
    start: *mut Word,
    top: *mut Word,
    kept: Kept,
    shared: SharedList,
    /// Cells in front of the scan that hold nothing to be copied.
    plain: (*mut Word, *mut Word),
}

impl Copier {
    /// Whether an object lies among the copies.
    #[inline(always)]
    fn is_copied(&self, object: *mut Word) -> bool {
        object.addr().wrapping_sub(self.start.addr()) < self.top.addr() - self.start.addr()
    }

    /// Copies the cells of a list, one behind the other, up to one that is no cell or a literal, and lets the slot point at the
    /// first copy. Their heads, and the end, are left to the scan, unless there is nothing to be seen there.
    ///
    /// # Safety
    /// `object` is a cell of the source; there is room for the list.
    #[inline(always)]
    unsafe fn copy_list(&mut self, slot: *mut Word, object: *mut Word) {
        let first = self.top;
        let (mut place, mut object) = (first, object);
        let mut pointers = false;
        // SAFETY: the caller's promise; H1: a cons is two words.
        unsafe {
            slot.write(Word::cons(first));
            loop {
                let (head, tail) = (*object, *object.add(1));
                pointers |= head.is_pointer();
                place.write(head);
                let next = place.add(2);
                object = tail.address();
                if !tail.is_cons() || self.kept.contains(object) {
                    place.add(1).write(tail);
                    // A literal need not be looked at again; what else points may have to be copied.
                    pointers |= tail.is_pointer() && !tail.is_cons();
                    self.top = next;
                    break;
                }
                place.add(1).write(Word::cons(next));
                place = next;
            }
        }
        if !pointers && self.plain.0.is_null() {
            self.plain = (first, self.top);
        }
    }

    /// Copies what a slot points at, one level deep, and lets the slot point at the copy.
    ///
    /// # Safety
    /// The slot holds a term of the source; there is room for the object.
    #[inline(always)]
    unsafe fn copy_slot(&mut self, slot: *mut Word) {
        // SAFETY: the caller's promise; H1 for the object's size.
        unsafe {
            let word = *slot;
            if !word.is_pointer() {
                return;
            }
            let object = word.address();
            if self.is_copied(object) || self.kept.contains(object) {
                return;
            }
            if word.is_cons() {
                return self.copy_list(slot, object);
            }
            let place = self.top;
            let header = *object;
            let size = 1 + header.header_arity();
            std::ptr::copy_nonoverlapping(object, place, size);
            self.top = place.add(size);
            *slot = Word::boxed(place);
            if header.is_header_of(Subtag::SharedBits) || header.is_header_of(Subtag::Resource) {
                shared::retain(place);
                self.shared.push(place);
            } else if self.kept.notes_funs() && header.is_header_of(Subtag::Fun) {
                note_fun(place, self.kept);
            }
        }
    }
}

impl Fragment {
    /// A fragment holding a copy of `term`: measured first, charged to `account` if large, then copied once.
    ///
    /// The cost in reductions is `words() / 16`.
    ///
    /// # Errors
    /// If the copy is too large or there is no memory.
    #[inline]
    pub fn copy(term: Term<'_>, account: &Arc<Account>) -> Result<Fragment, AllocError> {
        if term.word().is_immediate() {
            return Fragment::immediate(term.word());
        }
        Fragment::copy_measured(term, size(term)?, account)
    }

    /// A fragment holding a whole copy of `term`, which may lie where no process looks.
    ///
    /// # Errors
    /// As [`Fragment::copy`].
    pub fn copy_whole(term: Term<'_>, account: &Arc<Account>) -> Result<Fragment, AllocError> {
        if term.word().is_immediate() {
            return Fragment::immediate(term.word());
        }
        Fragment::copy_measured(term, whole_size(term)?, account)
    }

    /// As [`Fragment::copy`], for a term measured in this slice.
    ///
    /// # Errors
    /// As [`Fragment::copy`].
    ///
    /// # Panics
    /// In debug builds if `size` is not what was measured; callers inside the crate pass it on unchanged.
    pub(crate) fn copy_measured(
        term: Term<'_>,
        size: Size,
        account: &Arc<Account>,
    ) -> Result<Fragment, AllocError> {
        let words = size.words();
        let large = Fragment::bytes_for(words) > super::account::FREE_BYTES;
        let mut fragment = if large { Fragment::charged(words, account)? } else { Fragment::new(words)? };
        fragment.fill(term, size);
        Ok(fragment)
    }

    /// A message that is an immediate or a small tuple of immediates, as most are: it is measured and copied in two short loops.
    /// `None` if it is something else, or if there is no memory.
    ///
    /// # Safety
    /// `word` is a term, readable during the call.
    #[inline(always)]
    pub(crate) unsafe fn simple_message(cache: &mut FragmentCache, word: Word) -> Option<Fragment> {
        if word.is_immediate() {
            return Fragment::immediate_in(cache, word).ok();
        }
        if !word.is_boxed() {
            return None;
        }
        let object = word.address();
        // SAFETY: H1: a boxed object is a header and its arity; H6: the payload has room for as many.
        unsafe {
            let header = *object;
            let words = 1 + header.header_arity();
            if !header.is_header_of(Subtag::Tuple) || words > SIMPLE_MESSAGE {
                return None;
            }
            for index in 1..words {
                if (*object.add(index)).is_pointer() {
                    return None;
                }
            }
            let mut fragment = Fragment::new_in(cache, words).ok()?;
            let place = fragment.payload();
            for index in 0..words {
                place.add(index).write(*object.add(index));
            }
            fragment.set_flat(Word::boxed(place));
            Some(fragment)
        }
    }

    /// As [`Fragment::copy_measured`], for a message: a small one is in memory of the worker's cache.
    #[inline]
    pub(crate) fn message(
        cache: &mut FragmentCache,
        term: Term<'_>,
        size: Size,
        account: &Arc<Account>,
    ) -> Result<Fragment, AllocError> {
        if size.words() > SMALL_MESSAGE {
            return Fragment::copy_measured(term, size, account);
        }
        let mut fragment = Fragment::new_in(cache, size.words())?;
        // SAFETY: the payload has exactly the measured room.
        match unsafe { copy_flat(term.word(), size, fragment.payload()) } {
            Some(root) => fragment.set_flat(root),
            None => fragment.fill(term, size),
        }
        Ok(fragment)
    }

    /// A copy in memory of the worker's cache, if it is small, made in one go by a thread that may take its time.
    ///
    /// # Errors
    /// As [`Fragment::copy`].
    pub fn of_term(
        cache: &mut FragmentCache,
        term: Term<'_>,
        account: &Arc<Account>,
    ) -> Result<Fragment, AllocError> {
        if term.word().is_immediate() {
            return Fragment::immediate_in(cache, term.word());
        }
        Fragment::message(cache, term, size(term)?, account)
    }

    /// Copies the term, which was so measured, to the payload.
    fn fill(&mut self, term: Term<'_>, size: Size) {
        // SAFETY: the payload has exactly the measured room.
        let copied = unsafe { copy_to(term, size, self.payload()) };
        debug_assert!(
            copied.end == self.payload().wrapping_add(size.words()),
            "a copy takes what was measured"
        );
        self.header_mut().root = copied.root;
        self.set_shared(copied.shared);
    }

    /// As [`Fragment::copy_whole`], for a raw word.
    ///
    /// # Errors
    /// As [`Fragment::copy`].
    ///
    /// # Safety
    /// `word` is a term, readable during the call.
    #[inline]
    pub unsafe fn copy_word(word: Word, account: &Arc<Account>) -> Result<Fragment, AllocError> {
        // SAFETY: the caller's promise.
        Fragment::copy_whole(unsafe { Term::from_word(word) }, account)
    }

    /// The term it carries, to read (a message looked at before it is taken, a reply, a row).
    ///
    /// The brand is the closure's, so nothing read can outlive the fragment.
    pub fn read<R>(&self, f: impl for<'x> FnOnce(Term<'x>) -> R) -> R {
        // SAFETY: H9: the payload is a whole term that lives as long as the fragment, which is borrowed meanwhile.
        f(unsafe { Term::from_word(self.root()) })
    }
}

impl<'h> super::HeapRef<'h> {
    /// Copies a term of another heap (a table's row, a fragment that stays) to this one.
    ///
    /// # Errors
    /// If there is no room.
    pub fn copy_in(&mut self, term: Term<'_>) -> Result<Term<'h>, AllocError> {
        let size = self.heap_mut().copying(term)?;
        self.copy_in_measured(term, size)
    }

    /// The same for a term measured in this slice.
    ///
    /// # Errors
    /// If there is no room.
    pub(crate) fn copy_in_measured(&mut self, term: Term<'_>, size: Size) -> Result<Term<'h>, AllocError> {
        let place = if size.words() == 0 { std::ptr::null_mut() } else { self.raw(size.words())? };
        // SAFETY: `raw` gave the measured room; the copy is whole, and its list joins the young one (H1, H5).
        unsafe {
            if let Some(root) = copy_flat(term.word(), size, place) {
                return Ok(Term::from_word(root));
            }
            let copied = copy_to(term, size, place);
            self.heap_mut().join_shared(copied.shared);
            Ok(Term::from_word(copied.root))
        }
    }
}

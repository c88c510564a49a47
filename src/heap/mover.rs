//! Moving objects (Cheney's algorithm): each slot's object goes to one of two spaces, and what was moved is scanned in turn.

use super::literal::Literals;
use crate::term::{Subtag, Word};

/// What a moved cons has in its head: a header, which no cons ever has there; its tail is the new pointer.
const MOVED: Word = Word::header(Subtag::Filler, 0);

/// The moving end of a collection.
pub(super) struct Mover {
    /// Next free word of the new young block.
    pub hp: *mut Word,
    /// Next free word of the old block.
    pub old_hp: *mut Word,
    promote: [Span; 2],
    keep: Span,
    /// Where segments are to be searched; empty, as a rule.
    segments: Vec<Span>,
    stays_in_segments: bool,
    promotes_segments: bool,
    literals: Literals,
    /// Cells moved to the young and to the old block that are finished: their scans, which have not come there, pass over them.
    plain: [(*mut Word, *mut Word); 2],
}

/// What is to be done with objects, by where they are.
pub(super) struct Places {
    /// Objects here stay.
    pub keep: Span,
    /// Objects here go to the old block: the mature part of the young one, and the former old block if it is renewed.
    pub promote: [Span; 2],
    /// More places, by address: their objects are old.
    pub segments: Vec<Span>,
    /// Those objects move to the new old block; else they stay.
    pub promotes_segments: bool,
}

/// A range of addresses.
#[derive(Clone, Copy)]
pub(super) struct Span {
    start: usize,
    bytes: usize,
}

impl Span {
    pub const NONE: Span = Span { start: 0, bytes: 0 };

    pub fn new(start: *mut Word, end: *mut Word) -> Span {
        Span { start: start.addr(), bytes: end.addr() - start.addr() }
    }

    /// All addresses but these, which wrap around.
    pub fn all_but(start: *mut Word, end: *mut Word) -> Span {
        match start.addr().wrapping_sub(end.addr()) {
            0 => Span { start: 0, bytes: usize::MAX },
            bytes => Span { start: end.addr(), bytes },
        }
    }

    /// Its first address.
    pub fn start(self) -> usize {
        self.start
    }

    #[inline(always)]
    pub fn contains(self, address: *mut Word) -> bool {
        address.addr().wrapping_sub(self.start) < self.bytes
    }

    pub fn words(self) -> usize {
        self.bytes / 8
    }
}

impl Mover {
    /// One that moves from everywhere but what `places` keeps and the literals.
    pub fn new(hp: *mut Word, old_hp: *mut Word, places: Places) -> Mover {
        let nowhere = std::ptr::null_mut();
        let searches = !places.segments.is_empty();
        Mover {
            hp,
            old_hp,
            promote: places.promote,
            keep: places.keep,
            stays_in_segments: searches && !places.promotes_segments,
            promotes_segments: searches && places.promotes_segments,
            segments: places.segments,
            literals: Literals::get(),
            plain: [(nowhere, nowhere); 2],
        }
    }

    /// Whether the object is in a segment.
    #[inline(never)]
    fn is_in_segment(&self, object: *mut Word) -> bool {
        let after = self.segments.partition_point(|span| span.start <= object.addr());
        after > 0 && self.segments[after - 1].contains(object)
    }

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
        if self.stays(object) {
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
                *slot = self.move_list(object);
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
    fn stays(&self, object: *mut Word) -> bool {
        self.keep.contains(object)
            || self.literals.contains(object)
            || (self.stays_in_segments && self.is_in_segment(object))
    }

    #[inline(always)]
    fn is_promoted(&self, object: *mut Word) -> bool {
        self.promote[0].contains(object)
            || self.promote[1].contains(object)
            || (self.promotes_segments && self.is_in_segment(object))
    }

    /// Moves a cell, and those that follow it as far as they hold nothing that must be seen and go to the same block: one behind
    /// the other, and finished, so that the scan passes over them. The last one is left to the scan if it is not finished.
    ///
    /// # Safety
    /// `object` is a cell that moves and has not moved yet.
    #[inline(always)]
    unsafe fn move_list(&mut self, object: *mut Word) -> Word {
        let promoted = self.is_promoted(object);
        let first = if promoted { self.old_hp } else { self.hp };
        // There is one note of what to pass over.
        let finishes = self.plain[usize::from(promoted)].0.is_null();
        let (mut place, mut object) = (first, object);
        // SAFETY: the caller's promise; H1: a cons is two words. A cell whose head is a header has moved.
        let (finished, end) = unsafe {
            loop {
                let (head, tail) = (*object, *object.add(1));
                place.write(head);
                object.write(MOVED);
                object.add(1).write(Word::cons(place));
                let end = place.add(2);
                object = tail.address();
                if !finishes || head.is_pointer() {
                    place.add(1).write(tail);
                    break (place, end);
                }
                if !tail.is_pointer() || self.stays(object) {
                    place.add(1).write(tail);
                    break (end, end);
                }
                if !tail.is_cons() || self.is_promoted(object) != promoted {
                    place.add(1).write(tail);
                    break (place, end);
                }
                if (*object).is_header() {
                    place.add(1).write(*object.add(1));
                    break (end, end);
                }
                place.add(1).write(Word::cons(end));
                place = end;
            }
        };
        if promoted {
            self.old_hp = end;
        } else {
            self.hp = end;
        }
        if finished != first {
            self.plain[usize::from(promoted)] = (first, finished);
        }
        Word::cons(first)
    }

    #[inline(always)]
    fn reserve(&mut self, object: *mut Word, words: usize) -> *mut Word {
        let top = if self.is_promoted(object) { &mut self.old_hp } else { &mut self.hp };
        let place = *top;
        *top = place.wrapping_add(words);
        place
    }

    /// # Safety
    /// As [`Mover::forward`], for each slot.
    pub unsafe fn forward_slice(&mut self, slots: &mut [Word]) {
        for slot in slots {
            // SAFETY: the caller's promise.
            unsafe { self.forward(slot) };
        }
    }

    /// Scans what was moved to the young block, and what that moves there in turn.
    ///
    /// # Safety
    /// `from..hp` is whole objects just moved.
    pub unsafe fn scan_young(&mut self, from: *mut Word) {
        let mut place = from;
        while place < self.hp {
            if place == self.plain[0].0 {
                (self.plain[0].0, place) = (std::ptr::null_mut(), self.plain[0].1);
                continue;
            }
            // SAFETY: H1: whole objects.
            place = unsafe { self.scan_word(place) };
        }
    }

    /// The same for the old block. Nothing here leads back to the young one (H2).
    ///
    /// # Safety
    /// `from..old_hp` is whole objects just moved.
    pub unsafe fn scan_old(&mut self, from: *mut Word) {
        let mut place = from;
        while place < self.old_hp {
            if place == self.plain[1].0 {
                (self.plain[1].0, place) = (std::ptr::null_mut(), self.plain[1].1);
                continue;
            }
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
    let raw = RAW_WORDS[header.header_subtag_bits() as usize];
    if raw == ALL_RAW { header.header_arity() } else { raw as usize }
}

const ALL_RAW: u8 = u8::MAX;

/// By subtag: how many raw words come first.
const RAW_WORDS: [u8; 32] = {
    let mut table = [ALL_RAW; 32];
    table[Subtag::Tuple as usize] = 0;
    table[Subtag::FlatMap as usize] = 0;
    table[Subtag::HashNode as usize] = 0;
    table[Subtag::HashBucket as usize] = 0;
    table[Subtag::HashMap as usize] = 1;
    table[Subtag::Fun as usize] = 1;
    table[Subtag::SubBits as usize] = 2;
    table[Subtag::MatchContext as usize] = 4;
    table
};

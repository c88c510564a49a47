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
    /// Objects here go to the old block: the mature part of the young one, and the former old block if it is renewed.
    pub promote: [Span; 2],
    /// Objects here stay.
    pub keep: Span,
    pub literals: Literals,
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

    #[inline(always)]
    pub fn contains(self, address: *mut Word) -> bool {
        address.addr().wrapping_sub(self.start) < self.bytes
    }

    pub fn words(self) -> usize {
        self.bytes / 8
    }
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
        if self.keep.contains(object) || self.literals.contains(object) {
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
        let promoted = self.promote[0].contains(object) || self.promote[1].contains(object);
        let top = if promoted { &mut self.old_hp } else { &mut self.hp };
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

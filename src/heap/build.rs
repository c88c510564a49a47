//! Making terms: the safe constructors of an opened heap.

use std::sync::Arc;

use dashu_int::{IBig, Sign};

use super::shared::{self, ResourceBox, SHARED_WORDS};
use super::{AllocError, HeapRef, SharedBytes};
use crate::atom::Atom;
use crate::num::integer::MAX_LIMBS;
use crate::term::bits::{Bits, HEAP_LIMIT_BYTES};
use crate::term::{EntryAddress, Pid, Subtag, Term, Word};

impl<'h> HeapRef<'h> {
    /// Words for one object; writes its header, `fill` writes the rest.
    ///
    /// `fill` is given exactly the words after the header, zeroed, and leaves them as H3 and H8 want them.
    #[inline]
    fn object(&mut self, header: Word, fill: impl FnOnce(&mut [Word])) -> Result<Term<'h>, AllocError> {
        let arity = header.header_arity();
        let place = self.heap_mut().alloc(1 + arity)?;
        // SAFETY: `alloc` gave this much room, which nobody else can reach. Zeroed words are small integers.
        unsafe {
            place.write(header);
            place.add(1).write_bytes(0, arity);
            fill(std::slice::from_raw_parts_mut(place.add(1), arity));
            Ok(Term::from_word(Word::boxed(place)))
        }
    }

    /// Words of the heap, left as they are (uninitialised), for the tables of this floor that fill them at once.
    #[inline]
    pub(crate) fn raw(&mut self, words: usize) -> Result<*mut Word, AllocError> {
        self.heap_mut().alloc(words)
    }

    // ---- numbers ----

    /// An integer.
    ///
    /// # Errors
    /// If there is no room.
    #[inline]
    pub fn int(&mut self, value: i64) -> Result<Term<'h>, AllocError> {
        match Term::small(value) {
            Some(term) => Ok(term),
            None => self.big(value < 0, &[value.unsigned_abs()]),
        }
    }

    /// An integer.
    ///
    /// # Errors
    /// If there is no room.
    pub fn uint(&mut self, value: u64) -> Result<Term<'h>, AllocError> {
        self.big(false, &[value])
    }

    /// An integer.
    ///
    /// # Errors
    /// If there is no room.
    pub fn int_i128(&mut self, value: i128) -> Result<Term<'h>, AllocError> {
        if let Some(small) = i64::try_from(value).ok().and_then(Word::try_small) {
            // SAFETY: a small integer names no object.
            return Ok(unsafe { Term::from_word(small) });
        }
        let magnitude = value.unsigned_abs();
        let (low, high) = (magnitude as u64, (magnitude >> 64) as u64);
        let length = if high == 0 { 1 } else { 2 };
        let subtag = if value < 0 { Subtag::BigNegative } else { Subtag::BigPositive };
        let place = self.heap_mut().alloc(1 + length)?;
        // SAFETY: `alloc` gave the room, all of it is written (H1, H3); the integer is outside the small range (H8).
        unsafe {
            place.write(Word::header(subtag, length));
            place.add(1).write(Word::from_bits(low));
            if length == 2 {
                place.add(2).write(Word::from_bits(high));
            }
            Ok(Term::from_word(Word::boxed(place)))
        }
    }

    /// An integer from sign and magnitude (least significant limb first; leading zeros and small values are fine).
    ///
    /// # Errors
    /// `SystemLimit` if it is larger than integers may be; otherwise if there is no room.
    pub fn big(&mut self, negative: bool, limbs: &[u64]) -> Result<Term<'h>, AllocError> {
        let length = limbs.iter().rposition(|&limb| limb != 0).map_or(0, |last| last + 1);
        if let Some(small) = small_of(negative, &limbs[..length]) {
            return Ok(small);
        }
        if length > MAX_LIMBS {
            return Err(AllocError::SystemLimit);
        }
        let subtag = if negative { Subtag::BigNegative } else { Subtag::BigPositive };
        self.object(Word::header(subtag, length), |words| {
            for (word, limb) in words.iter_mut().zip(limbs) {
                *word = Word::from_bits(*limb);
            }
        })
    }

    /// An integer whose magnitude `fill` writes into `room` limbs (zero before), returning its sign.
    ///
    /// # Errors
    /// As [`HeapRef::big`].
    pub(crate) fn big_with(
        &mut self,
        room: usize,
        fill: impl FnOnce(&mut [u64]) -> bool,
    ) -> Result<Term<'h>, AllocError> {
        // One limb more than allowed may be needed on the way to a result that fits.
        if room > MAX_LIMBS + 1 {
            return Err(AllocError::SystemLimit);
        }
        let place = self.raw(1 + room)?;
        // SAFETY: `raw` gave the room; it is zeroed before it is read as limbs, and nobody else can reach it.
        let limbs = unsafe {
            place.add(1).write_bytes(0, room);
            std::slice::from_raw_parts_mut(place.add(1).cast::<u64>(), room)
        };
        let negative = fill(limbs);
        let length = limbs.iter().rposition(|&limb| limb != 0).map_or(0, |last| last + 1);
        if let Some(small) = small_of(negative, &limbs[..length]) {
            self.heap_mut().give_back(place, 1 + room);
            return Ok(small);
        }
        if length > MAX_LIMBS {
            self.heap_mut().give_back(place, 1 + room);
            return Err(AllocError::SystemLimit);
        }
        let subtag = if negative { Subtag::BigNegative } else { Subtag::BigPositive };
        // SAFETY: the limbs up to `length` are written; what is left over is given back or becomes filler (H1, H8).
        unsafe {
            place.write(Word::header(subtag, length));
            if length < room {
                self.heap_mut().give_back(place.add(1 + length), room - length);
            }
            Ok(Term::from_word(Word::boxed(place)))
        }
    }

    /// An integer.
    ///
    /// # Errors
    /// As [`HeapRef::big`].
    pub fn int_big(&mut self, value: &IBig) -> Result<Term<'h>, AllocError> {
        let (sign, words) = value.as_sign_words();
        let limbs = crate::num::integer::limbs_of(words);
        self.big(sign == Sign::Negative, &limbs)
    }

    /// A float; `None` if `value` is no Erlang float (NaN, infinity).
    ///
    /// # Errors
    /// If there is no room.
    #[inline]
    pub fn float(&mut self, value: f64) -> Result<Option<Term<'h>>, AllocError> {
        if let Some(word) = Word::float(value) {
            return Ok(Term::immediate(word));
        }
        if !value.is_finite() {
            return Ok(None);
        }
        self.object(Word::header(Subtag::Float, 1), |words| words[0] = Word::from_bits(value.to_bits()))
            .map(Some)
    }

    // ---- lists and tuples ----

    /// A cell of a list.
    ///
    /// # Errors
    /// If there is no room.
    #[inline]
    pub fn cons(&mut self, head: Term<'h>, tail: Term<'h>) -> Result<Term<'h>, AllocError> {
        let place = self.heap_mut().alloc(2)?;
        // SAFETY: `alloc` gave two words; both are written with terms (H1, H3).
        unsafe {
            place.write(head.word());
            place.add(1).write(tail.word());
            Ok(Term::from_word(Word::cons(place)))
        }
    }

    /// A proper list of these elements.
    ///
    /// # Errors
    /// If there is no room.
    pub fn list(&mut self, elements: &[Term<'h>]) -> Result<Term<'h>, AllocError> {
        self.list_with_tail(elements, Term::NIL)
    }

    /// A list of these elements that ends in `tail`.
    ///
    /// # Errors
    /// If there is no room.
    pub fn list_with_tail(&mut self, elements: &[Term<'h>], tail: Term<'h>) -> Result<Term<'h>, AllocError> {
        if elements.is_empty() {
            return Ok(tail);
        }
        let place = self.heap_mut().alloc(2 * elements.len())?;
        for (index, element) in elements.iter().enumerate() {
            let last = index + 1 == elements.len();
            let next = if last { tail.word() } else { Word::cons(place.wrapping_add(2 * index + 2)) };
            // SAFETY: `alloc` gave two words for each element; all are written with terms (H1, H3).
            unsafe {
                place.add(2 * index).write(element.word());
                place.add(2 * index + 1).write(next);
            }
        }
        // SAFETY: the first cell is complete, as are those behind it.
        Ok(unsafe { Term::from_word(Word::cons(place)) })
    }

    /// A copy of the first `length` cells of `list`, in front of `tail`.
    ///
    /// # Errors
    /// If there is no room.
    ///
    /// # Panics
    /// If the list is shorter.
    pub fn list_copy(
        &mut self,
        list: Term<'h>,
        length: usize,
        tail: Term<'h>,
    ) -> Result<Term<'h>, AllocError> {
        if length == 0 {
            return Ok(tail);
        }
        let place = self.heap_mut().alloc(2 * length)?;
        let mut elements = list.list();
        for index in 0..length {
            let element = elements.next().expect("callers have counted the cells");
            let last = index + 1 == length;
            let next = if last { tail.word() } else { Word::cons(place.wrapping_add(2 * index + 2)) };
            // SAFETY: `alloc` gave two words for each element; all are written with terms (H1, H3).
            unsafe {
                place.add(2 * index).write(element.word());
                place.add(2 * index + 1).write(next);
            }
        }
        // SAFETY: the first cell is complete, as are those behind it.
        Ok(unsafe { Term::from_word(Word::cons(place)) })
    }

    /// A proper list of what `next` makes, in order, until it gives `None`; no intermediate copy is kept.
    ///
    /// # Errors
    /// If there is no room, or what `next` fails with.
    pub fn list_from<E: From<AllocError>>(
        &mut self,
        mut next: impl FnMut(&mut HeapRef<'h>) -> Result<Option<Term<'h>>, E>,
    ) -> Result<Term<'h>, E> {
        let Some(first) = next(self)? else { return Ok(Term::NIL) };
        let list = self.cons(first, Term::NIL)?;
        let mut last = list;
        while let Some(element) = next(self)? {
            let cell = self.cons(element, Term::NIL)?;
            // SAFETY: H2: the list is not published yet, only `list` itself reaches its last cell.
            unsafe { last.word().address().add(1).write(cell.word()) };
            last = cell;
        }
        Ok(list)
    }

    /// A list of the characters of `text`.
    ///
    /// # Errors
    /// If there is no room.
    pub fn string(&mut self, text: &str) -> Result<Term<'h>, AllocError> {
        let mut characters = text.chars();
        self.list_from(|_| Ok(characters.next().and_then(|character| Term::small(character as i64))))
    }

    /// A list of small integers, one for each byte.
    ///
    /// # Errors
    /// If there is no room.
    pub fn byte_list(&mut self, bytes: &[u8], tail: Term<'h>) -> Result<Term<'h>, AllocError> {
        if bytes.is_empty() {
            return Ok(tail);
        }
        let place = self.heap_mut().alloc(2 * bytes.len())?;
        for (index, byte) in bytes.iter().enumerate() {
            let last = index + 1 == bytes.len();
            let next = if last { tail.word() } else { Word::cons(place.wrapping_add(2 * index + 2)) };
            // SAFETY: `alloc` gave two words for each byte; all are written with terms (H1, H3).
            unsafe {
                place.add(2 * index).write(Word::small(i64::from(*byte)));
                place.add(2 * index + 1).write(next);
            }
        }
        // SAFETY: the first cell is complete, as are those behind it.
        Ok(unsafe { Term::from_word(Word::cons(place)) })
    }

    /// A tuple.
    ///
    /// # Errors
    /// If there is no room.
    #[inline]
    pub fn tuple(&mut self, elements: &[Term<'h>]) -> Result<Term<'h>, AllocError> {
        let place = self.heap_mut().alloc(1 + elements.len())?;
        // SAFETY: `alloc` gave the room; header and elements are all written (H1, H3). `Term` is a transparent `Word`.
        unsafe {
            place.write(Word::header(Subtag::Tuple, elements.len()));
            std::ptr::copy_nonoverlapping(elements.as_ptr().cast::<Word>(), place.add(1), elements.len());
            Ok(Term::from_word(Word::boxed(place)))
        }
    }

    // ---- binaries ----

    /// A binary holding a copy of `bytes`: on the heap up to 64 bytes, else in a shared buffer.
    ///
    /// # Errors
    /// If there is no room.
    #[inline]
    pub fn binary(&mut self, bytes: &[u8]) -> Result<Term<'h>, AllocError> {
        self.binary_with(bytes.len(), |place| place.copy_from_slice(bytes))
    }

    /// A binary of `length` bytes that `fill` writes; they are zero before.
    ///
    /// # Errors
    /// If there is no room.
    pub fn binary_with(
        &mut self,
        length: usize,
        fill: impl FnOnce(&mut [u8]),
    ) -> Result<Term<'h>, AllocError> {
        self.bits_with(length.checked_mul(8).ok_or(AllocError::SystemLimit)?, fill)
    }

    /// A bitstring of `bits` bits that `fill` writes into whole bytes (zero before); bits past the end are cleared after.
    ///
    /// # Errors
    /// If there is no room.
    pub fn bits_with(&mut self, bits: usize, fill: impl FnOnce(&mut [u8])) -> Result<Term<'h>, AllocError> {
        let length = bits.div_ceil(8);
        let fill = |place: &mut [u8]| {
            fill(place);
            if !bits.is_multiple_of(8) {
                place[length - 1] &= !(0xff >> (bits % 8));
            }
        };
        if length > HEAP_LIMIT_BYTES {
            let buffer = SharedBytes::with_capacity(self.heap().account(), length)?;
            // SAFETY: the buffer is ours alone.
            let done = unsafe { shared::append_in_place(buffer.raw(), 0, length, fill) };
            debug_assert!(done, "a fresh buffer has room and no other owner");
            return self.shared_object(buffer, bits);
        }
        self.object(Word::header(Subtag::HeapBits, 1 + length.div_ceil(8)), |words| {
            words[0] = Word::from_bits(bits as u64);
            // SAFETY: the words after the length have room for these bytes.
            fill(unsafe { std::slice::from_raw_parts_mut(words[1..].as_mut_ptr().cast(), length) });
        })
    }

    /// A binary that shares the handle's bytes (small ones are copied out).
    ///
    /// # Errors
    /// If there is no room.
    pub fn binary_shared(&mut self, bytes: SharedBytes) -> Result<Term<'h>, AllocError> {
        if bytes.len() <= HEAP_LIMIT_BYTES {
            return self.binary(bytes.as_slice());
        }
        let bits = bytes.len() * 8;
        self.shared_object(bytes, bits)
    }

    /// A `SharedBits` object of `bits` bits, which takes over the handle's count.
    pub(crate) fn shared_object(&mut self, bytes: SharedBytes, bits: usize) -> Result<Term<'h>, AllocError> {
        let place = self.heap_mut().alloc(SHARED_WORDS)?;
        let weight = bytes.capacity();
        let buffer = bytes.into_raw().expose_provenance() as u64;
        // SAFETY: `alloc` gave the room; all four words are written, and the object joins the young list (H1, H3, H5).
        unsafe {
            place.write(Word::header(Subtag::SharedBits, SHARED_WORDS - 1));
            place.add(1).write(Word::from_bits(bits as u64));
            place.add(2).write(Word::from_bits(buffer));
            self.link_shared(place, weight);
            Ok(Term::from_word(Word::boxed(place)))
        }
    }

    /// Puts a new counted object on the young list.
    ///
    /// # Safety
    /// `object` is a `SharedBits` or resource object whose other words are written, on no list yet.
    pub(super) unsafe fn link_shared(&mut self, object: *mut Word, weight: usize) {
        let heap = self.heap_mut();
        // SAFETY: the caller's promise.
        unsafe { shared::set_link(object, heap.rare.shared_young) };
        heap.rare.shared_young = object;
        heap.note_shared(weight);
    }

    /// A part of a bitstring term, `first` and `length` in bits: copied out up to 64 bytes, else sharing the buffer.
    ///
    /// # Errors
    /// If there is no room.
    ///
    /// # Panics
    /// If `whole` is no bitstring or the part is not inside.
    pub fn sub_bits(&mut self, whole: Term<'h>, first: usize, length: usize) -> Result<Term<'h>, AllocError> {
        let part = whole.as_bits().expect("callers pass a bitstring").slice(first, length);
        if length.div_ceil(8) <= HEAP_LIMIT_BYTES {
            return self.bits(part);
        }
        let object = whole.object();
        // A part above the limit is part of something above it, which lies in a shared buffer (H8).
        let (parent, offset) = match object[0].header_subtag() {
            Subtag::SubBits => (object[3], object[1].bits() as usize + first),
            _ => (whole.word(), first),
        };
        if offset == 0
            && object[0].is_header_of(Subtag::SharedBits)
            && part.bit_length() == object[1].bits() as usize
        {
            return Ok(whole);
        }
        self.sub_object(parent, offset, length)
    }

    pub(crate) fn sub_object(
        &mut self,
        parent: Word,
        offset: usize,
        length: usize,
    ) -> Result<Term<'h>, AllocError> {
        self.object(Word::header(Subtag::SubBits, 3), |words| {
            words[0] = Word::from_bits(offset as u64);
            words[1] = Word::from_bits(length as u64);
            words[2] = parent;
        })
    }

    /// A new bitstring holding a copy of `bits`.
    ///
    /// # Errors
    /// If there is no room.
    pub fn bits(&mut self, bits: Bits<'_>) -> Result<Term<'h>, AllocError> {
        self.bits_with(bits.bit_length(), |place| bits.copy_to(place))
    }

    /// A counted handle to the bytes of a binary: shared if they already are, else copied.
    ///
    /// # Errors
    /// If there is no room. `None` if the term is no binary whose first byte is aligned at the buffer's start.
    pub fn shared_bytes(&mut self, term: Term<'h>) -> Result<Option<SharedBytes>, AllocError> {
        let Some(bytes) = term.as_bits().and_then(Bits::to_bytes) else { return Ok(None) };
        let object = term.object();
        if object[0].is_header_of(Subtag::SharedBits) {
            // SAFETY: H5: the object keeps its buffer alive and covers these bytes.
            return Ok(Some(unsafe {
                SharedBytes::clone_raw(shared::buffer_of(object.as_ptr()), bytes.len())
            }));
        }
        SharedBytes::copy(self.heap().account(), &bytes).map(Some)
    }

    // ---- identities and funs ----

    /// A reference.
    ///
    /// # Errors
    /// If there is no room.
    pub fn reference(&mut self, unique: u64, owner: Option<Pid>) -> Result<Term<'h>, AllocError> {
        self.object(Word::header(Subtag::Ref, 2), |words| {
            words[0] = Word::from_bits(unique);
            words[1] = owner.map_or(Word::NIL, Word::pid);
        })
    }

    /// A resource: a counted value of the host or of a native, which prints and compares as a reference.
    ///
    /// # Errors
    /// If there is no room.
    pub fn resource(&mut self, unique: u64, value: Arc<ResourceBox>) -> Result<Term<'h>, AllocError> {
        let place = self.heap_mut().alloc(SHARED_WORDS)?;
        // SAFETY: `alloc` gave the room; all four words are written, and the object joins the young list (H1, H3, H5).
        unsafe {
            place.write(Word::header(Subtag::Resource, SHARED_WORDS - 1));
            place.add(1).write(Word::from_bits(unique));
            place.add(2).write(Word::from_bits(Arc::into_raw(value).expose_provenance() as u64));
            let weight = shared::counted_bytes(place);
            self.link_shared(place, weight);
            Ok(Term::from_word(Word::boxed(place)))
        }
    }

    /// The value of a resource, if the term is one.
    pub fn resource_value(&self, term: Term<'h>) -> Option<Arc<ResourceBox>> {
        shared::resource_of_term(term)
    }

    /// A fun with captured values.
    ///
    /// # Errors
    /// If there is no room.
    pub fn fun(&mut self, entry: EntryAddress, captured: &[Term<'h>]) -> Result<Term<'h>, AllocError> {
        self.object(Word::header(Subtag::Fun, 1 + captured.len()), |words| {
            words[0] = Word::from_bits(entry.bits());
            for (word, value) in words[1..].iter_mut().zip(captured) {
                *word = value.word();
            }
        })
    }

    /// `fun M:F/A`; `export` is the code floor's own word, given back by `ExternalFun::export`.
    ///
    /// # Errors
    /// If there is no room.
    pub fn external_fun(
        &mut self,
        module: Atom,
        function: Atom,
        arity: u8,
        export: u64,
    ) -> Result<Term<'h>, AllocError> {
        self.object(Word::header(Subtag::ExternalFun, 4), |words| {
            words[0] = Word::atom(module);
            words[1] = Word::atom(function);
            words[2] = Word::small(i64::from(arity));
            words[3] = Word::from_bits(export);
        })
    }
}

/// The small integer with this sign and magnitude, if it is one.
fn small_of<'h>(negative: bool, limbs: &[u64]) -> Option<Term<'h>> {
    let magnitude = match limbs {
        [] => 0,
        [limb] => i64::try_from(*limb).ok()?,
        _ => return None,
    };
    Term::small(if negative { -magnitude } else { magnitude })
}

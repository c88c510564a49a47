//! Extending a binary: in place if nobody else did, else into a larger buffer.

use super::shared::{self, SHARED_WORDS};
use super::{AllocError, HeapRef, SharedBytes};
use crate::term::bits::HEAP_LIMIT_BYTES;
use crate::term::{Subtag, Term, Word};

/// Least capacity of a buffer that is made to grow.
const FIRST_CAPACITY_BYTES: usize = 256;

impl<'h> HeapRef<'h> {
    /// The bitstring `head` with `more` bits behind it, which `fill` writes into the bytes it is given (zero before).
    ///
    /// If `head` is in a shared buffer that nobody else has extended from there and there is spare room, that is extended in
    /// place; otherwise a buffer of twice the size is made. `None` if the result is small or `head` does not end at a byte:
    /// then it is to be built anew.
    ///
    /// # Errors
    /// If there is no room.
    ///
    /// # Panics
    /// If `head` is no bitstring.
    pub fn append(
        &mut self,
        head: Term<'h>,
        more: usize,
        fill: impl FnOnce(&mut [u8]),
    ) -> Result<Option<Term<'h>>, AllocError> {
        let bits = head.as_bits().expect("callers pass a bitstring");
        let length = bits.bit_length();
        let total = length.checked_add(more).ok_or(AllocError::SystemLimit)?;
        if !length.is_multiple_of(8) || total.div_ceil(8) <= HEAP_LIMIT_BYTES {
            return Ok(None);
        }
        let (end, extra) = (length / 8, more.div_ceil(8));
        let mut fill = Some(fill);
        let mut fill_once = |place: &mut [u8]| {
            if let Some(fill) = fill.take() {
                fill(place);
            }
        };
        let object = head.object();
        let (first, parent) = match object[0].header_subtag() {
            Subtag::SharedBits => (0, head.word()),
            Subtag::SubBits => (object[1].bits() as usize, object[3]),
            _ => (1, head.word()),
        };
        if first.is_multiple_of(8) {
            // SAFETY: H3, H5: the parent of a part is a shared binary, as is one that is whole; it keeps its buffer.
            let done = unsafe {
                let buffer = shared::buffer_of(parent.address());
                shared::append_in_place(buffer, first / 8 + end, extra, &mut fill_once)
            };
            if done {
                // A part of the same buffer: what counts the buffer may be shorter than its parts.
                return self.sub_object(parent, first, total).map(Some);
            }
        }
        let capacity = (2 * (end + extra)).max(FIRST_CAPACITY_BYTES);
        let buffer = SharedBytes::with_capacity(self.heap().account(), capacity)?;
        // SAFETY: the buffer is ours alone.
        let done = unsafe {
            shared::append_in_place(buffer.raw(), 0, end, |place| bits.copy_to(place))
                && shared::append_in_place(buffer.raw(), end, extra, &mut fill_once)
        };
        debug_assert!(done, "a fresh buffer has room and no other owner");
        self.extended_object(buffer, total, capacity).map(Some)
    }

    /// A `SharedBits` object of `bits` bits that takes over the handle's count and weighs `weight` bytes.
    fn extended_object(
        &mut self,
        bytes: SharedBytes,
        bits: usize,
        weight: usize,
    ) -> Result<Term<'h>, AllocError> {
        let place = self.raw(SHARED_WORDS)?;
        let buffer = bytes.into_raw().expose_provenance() as u64;
        // SAFETY: `raw` gave the room; all four words are written, and the object joins the young list (H1, H3, H5).
        unsafe {
            place.write(Word::header(Subtag::SharedBits, SHARED_WORDS - 1));
            place.add(1).write(Word::from_bits(bits as u64));
            place.add(2).write(Word::from_bits(buffer));
            self.link_shared(place, weight);
            Ok(Term::from_word(Word::boxed(place)))
        }
    }
}

//! Binaries and bitstrings, wherever their bytes are: on the heap, in a shared buffer, or in part of one.

use super::buffer::Buffer;
use super::{Subtag, Term, Word};

/// Bytes up to which a bitstring lives on the heap; larger ones are shared.
pub const HEAP_LIMIT_BYTES: usize = 64;

/// A bitstring: some bits of some bytes.
#[derive(Clone, Copy)]
pub struct Bits<'h> {
    /// All bytes that hold at least one of the bits.
    bytes: &'h [u8],
    /// Bits of the first byte that do not belong (0 to 7).
    skip: u32,
    /// How many bits belong.
    length: usize,
}

impl<'h> Bits<'h> {
    /// Bits `skip..skip + length` of `bytes`.
    ///
    /// # Panics
    /// If `bytes` is too short.
    pub fn from_parts(bytes: &'h [u8], skip: usize, length: usize) -> Bits<'h> {
        let first = skip / 8;
        let end = (skip + length).div_ceil(8);
        Bits { bytes: &bytes[first..end.max(first)], skip: (skip % 8) as u32, length }
    }

    /// All bits of `bytes`.
    pub fn from_bytes(bytes: &'h [u8]) -> Bits<'h> {
        Bits { bytes, skip: 0, length: bytes.len() * 8 }
    }

    pub(super) fn of(term: Term<'h>) -> Bits<'h> {
        let object = term.object();
        if object[0].is_header_of(Subtag::SubBits) {
            let (offset, length) = (object[1].bits() as usize, object[2].bits() as usize);
            // SAFETY: H3: the third word of a `SubBits` is a `SharedBits` term.
            let parent = unsafe { Term::<'h>::from_word(object[3]) };
            return Bits::from_parts(bytes_of(parent.object(), offset + length), offset, length);
        }
        let length = object[1].bits() as usize;
        Bits { bytes: bytes_of(object, length), skip: 0, length }
    }

    /// Length in bits.
    #[inline]
    pub fn bit_length(self) -> usize {
        self.length
    }

    /// Length in bytes, rounded up, as `byte_size/1`.
    #[inline]
    pub fn byte_length(self) -> usize {
        self.length.div_ceil(8)
    }

    /// Whether the length is a whole number of bytes.
    #[inline]
    pub fn is_binary(self) -> bool {
        self.length.is_multiple_of(8)
    }

    /// The bytes, if these are whole bytes that begin at a byte boundary in memory.
    #[inline]
    pub fn as_bytes(self) -> Option<&'h [u8]> {
        if self.skip == 0 && self.length.is_multiple_of(8) { Some(self.bytes) } else { None }
    }

    /// The bytes of a binary, copied only if they are not byte-aligned in memory; `None` if it is no binary.
    pub fn to_bytes(self) -> Option<std::borrow::Cow<'h, [u8]>> {
        if !self.is_binary() {
            return None;
        }
        Some(match self.as_bytes() {
            Some(bytes) => bytes.into(),
            None => self.iter_bytes().collect::<Vec<u8>>().into(),
        })
    }

    /// The memory the bits are in: bytes, bits to skip in the first, number of bits.
    #[inline]
    pub fn parts(self) -> (&'h [u8], u32, usize) {
        (self.bytes, self.skip, self.length)
    }

    /// The `index`-th byte counted from the first bit; a last, partial byte is padded with zeros on the right.
    #[inline]
    pub fn byte(self, index: usize) -> u8 {
        let high = self.bytes[index] as u32;
        let byte = if self.skip == 0 {
            high as u8
        } else {
            let low = self.bytes.get(index + 1).copied().unwrap_or(0) as u32;
            ((high << 8 | low) >> (8 - self.skip)) as u8
        };
        let left = self.length - index * 8;
        if left >= 8 { byte } else { byte & !(0xff >> left) }
    }

    /// All bytes, the last one padded with zeros.
    pub fn iter_bytes(self) -> impl ExactSizeIterator<Item = u8> + 'h {
        (0..self.byte_length()).map(move |index| self.byte(index))
    }

    /// A part of it, in bits.
    ///
    /// # Panics
    /// If it is not inside.
    pub fn slice(self, first: usize, length: usize) -> Bits<'h> {
        assert!(first + length <= self.length, "a part lies inside");
        Bits::from_parts(self.bytes, self.skip as usize + first, length)
    }

    /// Order of bitstrings: bit by bit, then the shorter first. (`<<1:9>> < <<1:8>>` holds: the first byte is 0.)
    pub fn compare(self, other: Bits<'_>) -> std::cmp::Ordering {
        if let (Some(a), Some(b)) = (self.as_bytes(), other.as_bytes()) {
            return a.cmp(b);
        }
        let common = self.length.min(other.length);
        for index in 0..common.div_ceil(8) {
            let keep = !(0xff_u8.checked_shr((common - index * 8) as u32).unwrap_or(0));
            let order = (self.byte(index) & keep).cmp(&(other.byte(index) & keep));
            if order.is_ne() {
                return order;
            }
        }
        self.length.cmp(&other.length)
    }

    /// Whether both are the same bits.
    pub fn equals(self, other: Bits<'_>) -> bool {
        self.length == other.length && self.compare(other).is_eq()
    }
}

/// Bytes of a bitstring from which on looking at all of them is announced: some ten microseconds.
const LONG: usize = 1 << 18;

/// Units of some nanoseconds that looking at all bits takes, if that is long; 0 for other terms.
pub(crate) fn units_to_read(term: Term<'_>) -> usize {
    match bits_of(term) {
        Some(bits) if bits.byte_length() >= LONG => units(bits),
        _ => 0,
    }
}

/// The bitstring a term is; also asked of what is no term of its own, the parts of large maps.
#[inline]
fn bits_of(term: Term<'_>) -> Option<Bits<'_>> {
    if !term.word().is_boxed() {
        return None;
    }
    match term.object()[0].header_subtag() {
        Subtag::HeapBits | Subtag::SharedBits | Subtag::SubBits => Some(Bits::of(term)),
        _ => None,
    }
}

/// The same for comparing two bitstrings.
#[inline]
pub(super) fn units_to_compare(a: Term<'_>, b: Term<'_>) -> usize {
    match (bits_of(a), bits_of(b)) {
        (Some(a), Some(b)) if a.byte_length().min(b.byte_length()) >= LONG => units(a).max(units(b)),
        _ => 0,
    }
}

/// Aligned bytes are looked at many at a time, others one by one.
fn units(bits: Bits<'_>) -> usize {
    bits.byte_length() / if bits.as_bytes().is_some() { 64 } else { 2 }
}

/// The first `bits` bits of a `HeapBits` or `SharedBits` object, in whole bytes.
#[inline]
fn bytes_of(object: &[Word], bits: usize) -> &[u8] {
    let length = bits.div_ceil(8);
    if object[0].is_header_of(Subtag::HeapBits) {
        assert!(length <= (object.len() - 2) * 8, "H3: a heap binary's bytes are behind its length");
        // SAFETY: H1: the bytes follow the length word, and were just seen to be inside the object.
        return unsafe { std::slice::from_raw_parts(object[2..].as_ptr().cast(), length) };
    }
    let buffer = std::ptr::with_exposed_provenance::<Buffer>(object[2].bits() as usize);
    // SAFETY: H5: the object counts the buffer, and a published term's bits are written.
    unsafe { Buffer::slice(buffer, 0, length) }
}

impl Bits<'_> {
    /// Copies all bits to the start of `place`, whose other bits of the last byte are left unspecified.
    ///
    /// # Panics
    /// If `place` is shorter than `byte_length`.
    pub fn copy_to(self, place: &mut [u8]) {
        let length = self.byte_length();
        if self.skip == 0 {
            place[..length].copy_from_slice(&self.bytes[..length]);
            return;
        }
        for (index, byte) in place[..length].iter_mut().enumerate() {
            *byte = self.byte(index);
        }
    }
}

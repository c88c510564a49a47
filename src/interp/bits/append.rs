//! The common cases of building: numbers of fixed size side by side, alone or behind a binary.
//!
//! What is built is a part of a buffer that somebody else counts: behind a shared binary the new bytes are written into the buffer's
//! spare room, and the result is a `SubBits` of the same `SharedBits` object, which may be shorter than the part: it keeps the
//! buffer, whose bytes are published as far as any part says (H5). So a step of a loop allocates four words, counts nothing and
//! joins no list.

use std::sync::atomic::Ordering;

use crate::code::bits::PIECE_LITTLE;
use crate::heap::shared::buffer_of;
use crate::interp::live::Live;
use crate::term::bits::HEAP_LIMIT_BYTES;
use crate::term::buffer::Buffer;
use crate::term::{Subtag, Word};

/// Most words that [`append`] takes from the heap: a bitstring at the limit with header and length.
pub(in crate::interp) const APPEND_WORDS: usize = 2 + HEAP_LIMIT_BYTES / 8;

/// Words of what [`new`] makes.
pub(in crate::interp) const NEW_WORDS: usize = 3;

/// Words of what [`byte`] makes.
pub(in crate::interp) const PART_WORDS: usize = 4;

/// The numbers of the pieces from operand `first` on, side by side, most significant bit first; `None` if one is not small.
#[inline(always)]
fn number(m: &Live, first: usize, count: usize) -> Option<u64> {
    let mut all = 0_u64;
    for index in 0..count {
        let value = m.source(m.operand(first + 2 * index));
        let shape = m.operand(first + 2 * index + 1);
        if !value.is_small() {
            return None;
        }
        let (value, bits) = (value.small_value() as u64, shape & 0xff);
        let value = if shape & PIECE_LITTLE == 0 { value << (64 - bits) } else { value.swap_bytes() };
        let value = value >> (64 - bits);
        all = if bits == 64 { value } else { all << bits | value };
    }
    Some(all)
}

/// `bs_new`: the bitstring of the pieces; there is room. False if a value is not small.
#[inline(always)]
pub(in crate::interp) fn new(m: &mut Live) -> bool {
    let bits = m.c();
    let Some(number) = number(m, 2, m.b() as usize) else { return false };
    let data = (number << (64 - bits)).to_be();
    let built = m
        .object(Word::header(Subtag::HeapBits, 2), [Word::from_bits(u64::from(bits)), Word::from_bits(data)]);
    m.set(m.a(), built);
    true
}

/// `bs_append_byte`: if that is behind a part of a buffer that is all this process's; there is room for [`PART_WORDS`]. Whether it was done.
#[inline(always)]
pub(in crate::interp) fn byte(m: &mut Live) -> bool {
    let (head, value) = (m.x(m.c()), m.x(m.b()));
    if !value.is_small() || !Live::is_boxed_of(head, Subtag::SubBits) {
        return false;
    }
    let (first, length, parent) =
        (Live::body(head, 0).bits(), Live::body(head, 1).bits(), Live::body(head, 2));
    if !(first | length).is_multiple_of(8) {
        return false;
    }
    let end = ((first + length) / 8) as usize;
    // SAFETY: I3, H3, H5: the parent of a part is a shared binary, which keeps its buffer.
    let buffer = unsafe { buffer_of(parent.address()) };
    // SAFETY: as above. Acquire and Release as in `extended`.
    let used = unsafe { &*buffer };
    if used.capacity <= end
        || used.references.load(Ordering::Acquire) != 1
        || used.used.load(Ordering::Relaxed) != end
    {
        return false;
    }
    used.used.store(end + 1, Ordering::Release);
    // SAFETY: H5: the byte is ours alone, and no published term covers it yet.
    unsafe { buffer.add(1).cast::<u8>().cast_mut().add(end).write(value.small_value() as u8) };
    let part = [Word::from_bits(first), Word::from_bits(length + 8), parent];
    let appended = m.object(Word::header(Subtag::SubBits, PART_WORDS - 1), part);
    m.set_x(m.a(), appended);
    true
}

/// `bs_append` at `pc`: the result and the heap's new top, or null for that if this is not the common case. There is room for
/// [`APPEND_WORDS`].
#[inline(never)]
pub(in crate::interp) fn append(
    pc: *const u64,
    x: *mut Word,
    sp: *mut Word,
    hp: *mut Word,
) -> (Word, *mut Word) {
    const NOT: (Word, *mut Word) = (Word::NIL, std::ptr::null_mut());
    let m = Live { pc, sp, hp, reductions: 0, x };
    let head = m.source(m.operand(2));
    let bits = u64::from(m.c());
    let Some(number) = number(&m, 3, m.b() as usize) else { return NOT };
    // The bits from the top of a word on, its other bits are zero.
    let data = (number << (64 - bits)).to_be_bytes();
    if !head.is_boxed() {
        return NOT;
    }
    let (first, length, parent) = match Live::header(head).header_subtag() {
        Subtag::SubBits => (Live::body(head, 0).bits(), Live::body(head, 1).bits(), Live::body(head, 2)),
        Subtag::SharedBits => (0, Live::body(head, 0).bits(), head),
        Subtag::HeapBits => return copied(head, bits, data, hp).unwrap_or(NOT),
        _ => return NOT,
    };
    if !(first | length | bits).is_multiple_of(8) {
        return NOT;
    }
    let end = ((first + length) / 8) as usize;
    // SAFETY: I3, H3: the parent of a part is a shared binary, as is one that is whole.
    let buffer = unsafe { buffer_of(parent.address()) };
    // SAFETY: H5: the object keeps its buffer.
    if !unsafe { extended(buffer, end, bits as usize / 8, data) } {
        return NOT;
    }
    // SAFETY: I2: there is room.
    unsafe {
        hp.write(Word::header(Subtag::SubBits, 3));
        hp.add(1).write(Word::from_bits(first));
        hp.add(2).write(Word::from_bits(length + bits));
        hp.add(3).write(parent);
    }
    (Word::boxed(hp), hp.wrapping_add(4))
}

/// Writes `count` bytes behind byte `end` of a buffer, if that is where its used part ends and there is room.
///
/// # Safety
/// The buffer is alive (H5).
#[inline(always)]
unsafe fn extended(buffer: *const Buffer, end: usize, count: usize, data: [u8; 8]) -> bool {
    // SAFETY: alive by the caller's promise.
    let head = unsafe { &*buffer };
    if head.capacity < end + count {
        return false;
    }
    // Acquire pairs with the Release of whoever gave the other counts back: their use of the buffer is over. With the only
    // count in this process nobody else can extend the buffer meanwhile.
    if head.references.load(Ordering::Acquire) == 1 {
        if head.used.load(Ordering::Relaxed) != end {
            return false;
        }
        head.used.store(end + count, Ordering::Release);
    // AcqRel: as in `append_in_place`, whose exchange this races with on other threads.
    } else if head.used.compare_exchange(end, end + count, Ordering::AcqRel, Ordering::Relaxed).is_err() {
        return false;
    }
    // SAFETY: H5: the bytes from `end` on are ours alone, and no published term covers them yet.
    unsafe {
        let place = buffer.add(1).cast::<u8>().cast_mut().add(end);
        if count == 1 {
            place.write(data[0]);
        } else {
            place.copy_from_nonoverlapping(data.as_ptr(), count);
        }
    }
    true
}

/// The bitstring of a heap binary with `bits` bits of `data` behind it, if that is one of whole bytes and the result goes on the heap.
#[inline(always)]
fn copied(head: Word, bits: u64, data: [u8; 8], hp: *mut Word) -> Option<(Word, *mut Word)> {
    let length = Live::body(head, 0).bits();
    let total = length + bits;
    if !length.is_multiple_of(8) || total > 8 * HEAP_LIMIT_BYTES as u64 {
        return None;
    }
    let words = (total as usize).div_ceil(64);
    // SAFETY: I2: there is room for the largest heap binary, and the red zone behind it takes what the last write puts beyond.
    // H3: a heap binary's words follow its length.
    unsafe {
        hp.write(Word::header(Subtag::HeapBits, 1 + words));
        hp.add(1).write(Word::from_bits(total));
        hp.add(1 + words).write(Word::from_bits(0));
        let source = head.address().add(2);
        for word in 0..(length as usize).div_ceil(64) {
            hp.add(2 + word).write(source.add(word).read());
        }
        hp.add(2).cast::<u8>().add(length as usize / 8).cast::<[u8; 8]>().write_unaligned(data);
    }
    Some((Word::boxed(hp), hp.wrapping_add(2 + words)))
}

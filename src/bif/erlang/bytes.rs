//! Binaries and lists of bytes; iolists.

use std::ops::Deref;

use crate::bif::{BifResult, Cx, Stop};
use crate::heap::{AllocError, Scratch};
use crate::term::{Bits, Term, View};

/// Bytes that one reduction pays for where each becomes a cell of a list.
const BYTES_PER_REDUCTION: usize = 64;

/// Bytes that one unit of work (see `heap::work`) pays for where they are taken one by one, and where they are copied.
const BYTES_PER_UNIT: usize = 4;
const COPIED_PER_UNIT: usize = 64;

/// Elements of an iolist looked at between two announcements of work.
const ELEMENTS_AT_ONCE: usize = 256;

/// Bytes of an iolist handed on together.
const BYTES_AT_ONCE: usize = 64;

/// What is made of the bits of an iolist.
trait Gather<'h> {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), AllocError>;
    fn bits(&mut self, bits: Bits<'h>) -> Result<(), AllocError>;
}

/// Hands the bits of an iolist to `out`. No recursion: what is left to do is on a stack of its own.
///
/// # Errors
/// `badarg` if it is no iolist (of bitstrings, if those are allowed); what `out` fails with.
fn gather<'h>(
    cx: &mut Cx<'h>,
    out: &mut impl Gather<'h>,
    iolist: Term<'h>,
    bitstrings: bool,
) -> Result<(), Stop<'h>> {
    let mut rest = cx.scratch();
    rest.push(iolist)?;
    let (mut elements, mut all) = (0, 0);
    while let Some(term) = rest.pop() {
        elements += 1;
        match term.view() {
            View::Nil => {}
            View::Bits(bits) if bitstrings || bits.is_binary() => {
                cx.work(bits.byte_length() / COPIED_PER_UNIT)?;
                out.bits(bits)?;
            }
            View::Cons(cell) => {
                // Bytes are handed on many at a time.
                let mut bytes = [0; BYTES_AT_ONCE];
                let mut count = 0;
                let mut cell = cell;
                loop {
                    elements += 1;
                    if elements >= ELEMENTS_AT_ONCE {
                        cx.work(ELEMENTS_AT_ONCE / BYTES_PER_UNIT)?;
                        elements -= ELEMENTS_AT_ONCE;
                        all += ELEMENTS_AT_ONCE;
                        cx.suspect(iolist, all)?;
                    }
                    let (head, tail) = (cell.head(), cell.tail());
                    if let Some(byte) = head.as_small() {
                        bytes[count] = u8::try_from(byte).map_err(|_| Stop::badarg())?;
                        count += 1;
                        if count == BYTES_AT_ONCE {
                            out.bytes(&bytes)?;
                            count = 0;
                        }
                    } else {
                        out.bytes(&bytes[..count])?;
                        count = 0;
                        match head.view() {
                            View::Nil => {}
                            View::Bits(bits) if bitstrings || bits.is_binary() => {
                                cx.work(bits.byte_length() / COPIED_PER_UNIT)?;
                                out.bits(bits)?;
                            }
                            View::Cons(inner) => {
                                rest.push(tail)?;
                                cell = inner;
                                continue;
                            }
                            _ => return Err(Stop::badarg()),
                        }
                    }
                    match tail.as_cons() {
                        Some(next) => cell = next,
                        None => {
                            out.bytes(&bytes[..count])?;
                            // A tail may be a binary, but not a byte.
                            if !tail.is_nil() {
                                if tail.as_bits().is_none() {
                                    return Err(Stop::badarg());
                                }
                                rest.push(tail)?;
                            }
                            break;
                        }
                    }
                }
            }
            _ => return Err(Stop::badarg()),
        }
    }
    Ok(())
}

/// Bits written one behind the other.
struct Writer<'h> {
    bytes: Scratch<'h, u8>,
    bits: usize,
}

impl<'h> Writer<'h> {
    fn new(cx: &Cx<'h>) -> Writer<'h> {
        Writer { bytes: cx.scratch(), bits: 0 }
    }

    fn byte(&mut self, byte: u8) -> Result<(), AllocError> {
        let skip = self.bits % 8;
        if skip == 0 {
            self.bytes.push(byte)?;
        } else {
            if let Some(last) = self.bytes.last_mut() {
                *last |= byte >> skip;
            }
            self.bytes.push(byte << (8 - skip))?;
        }
        self.bits += 8;
        Ok(())
    }
}

impl<'h> Gather<'h> for Writer<'h> {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), AllocError> {
        if self.bits.is_multiple_of(8) {
            self.bytes.extend(bytes)?;
            self.bits += 8 * bytes.len();
            return Ok(());
        }
        bytes.iter().try_for_each(|byte| self.byte(*byte))
    }

    fn bits(&mut self, bits: Bits<'h>) -> Result<(), AllocError> {
        if self.bits.is_multiple_of(8)
            && let Some(bytes) = bits.as_bytes()
        {
            self.bytes.extend(bytes)?;
            self.bits += 8 * bytes.len();
            return Ok(());
        }
        let length = self.bits + bits.bit_length();
        for byte in bits.iter_bytes() {
            self.byte(byte)?;
        }
        // The last byte was padded with zeros: they are taken back.
        self.bits = length;
        self.bytes.truncate(length.div_ceil(8));
        Ok(())
    }
}

/// Bytes that are only counted.
struct Counter(usize);

impl<'h> Gather<'h> for Counter {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), AllocError> {
        self.0 += bytes.len();
        Ok(())
    }

    fn bits(&mut self, bits: Bits<'h>) -> Result<(), AllocError> {
        self.0 = self.0.checked_add(bits.byte_length()).ok_or(AllocError::SystemLimit)?;
        Ok(())
    }
}

/// The bytes of an iolist.
///
/// # Errors
/// `badarg` if it is none; if there is no room for them.
pub fn iolist_bytes<'h>(cx: &mut Cx<'h>, iolist: Term<'h>) -> Result<Scratch<'h, u8>, Stop<'h>> {
    let mut out = Writer::new(cx);
    gather(cx, &mut out, iolist, false)?;
    Ok(out.bytes)
}

/// The bytes of a binary, copied only if they are not byte-aligned in memory, as work of so many bytes for a unit.
///
/// # Errors
/// `badarg` if it is no binary; if there is no time or room.
pub fn binary_bytes<'h>(
    cx: &mut Cx<'h>,
    binary: Term<'h>,
    per_unit: usize,
) -> Result<BinaryBytes<'h>, Stop<'h>> {
    let bits = binary.as_bits().filter(|bits| bits.is_binary()).ok_or_else(Stop::badarg)?;
    cx.work(bits.byte_length() / per_unit)?;
    if let Some(bytes) = bits.as_bytes() {
        return Ok(BinaryBytes::InPlace(bytes));
    }
    cx.work(bits.byte_length() / BYTES_PER_UNIT)?;
    let mut bytes = cx.scratch();
    bytes.reserve(bits.byte_length())?;
    for byte in bits.iter_bytes() {
        bytes.push(byte)?;
    }
    Ok(BinaryBytes::Copied(bytes))
}

/// Bytes of a binary.
pub enum BinaryBytes<'h> {
    /// Where they are.
    InPlace(&'h [u8]),
    /// Moved to byte boundaries.
    Copied(Scratch<'h, u8>),
}

impl Deref for BinaryBytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            BinaryBytes::InPlace(bytes) => bytes,
            BinaryBytes::Copied(bytes) => bytes,
        }
    }
}

/// `iolist_to_binary(iolist() | binary()) -> binary()`.
///
/// # Errors
/// `badarg` if it is neither.
pub fn iolist_to_binary<'h>(cx: &mut Cx<'h>, [iolist]: [Term<'h>; 1]) -> BifResult<'h> {
    if iolist.as_bits().is_some_and(|bits| bits.is_binary()) {
        return Ok(iolist);
    }
    let bytes = iolist_bytes(cx, iolist)?;
    cx.charge(bytes.len() / BYTES_PER_REDUCTION);
    Ok(cx.binary(&bytes)?)
}

/// `list_to_binary(iolist()) -> binary()`.
///
/// # Errors
/// `badarg` if it is no iolist (a binary is none).
pub fn list_to_binary<'h>(cx: &mut Cx<'h>, [iolist]: [Term<'h>; 1]) -> BifResult<'h> {
    if iolist.is_list() { iolist_to_binary(cx, [iolist]) } else { Err(Stop::badarg()) }
}

/// `list_to_bitstring(bitstring_list()) -> bitstring()`.
///
/// # Errors
/// `badarg` if it is no such list.
pub fn list_to_bitstring<'h>(cx: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    if !list.is_list() {
        return Err(Stop::badarg());
    }
    let mut out = Writer::new(cx);
    gather(cx, &mut out, list, true)?;
    cx.charge(out.bytes.len() / BYTES_PER_REDUCTION);
    Ok(cx.bits_with(out.bits, |place| place.copy_from_slice(&out.bytes))?)
}

/// `iolist_size(iolist() | binary()) -> non_neg_integer()`.
///
/// # Errors
/// `badarg` if it is neither.
pub fn iolist_size<'h>(cx: &mut Cx<'h>, [iolist]: [Term<'h>; 1]) -> BifResult<'h> {
    let length = match iolist.as_bits() {
        Some(bits) if bits.is_binary() => bits.byte_length(),
        _ => {
            let mut counter = Counter(0);
            gather(cx, &mut counter, iolist, false)?;
            counter.0
        }
    };
    cx.charge(length / BYTES_PER_REDUCTION);
    Ok(cx.int(length as i64)?)
}

/// `binary_to_list(binary()) -> [byte()]`.
///
/// # Errors
/// `badarg` if it is no binary.
pub fn binary_to_list<'h>(cx: &mut Cx<'h>, [binary]: [Term<'h>; 1]) -> BifResult<'h> {
    let bytes = binary_bytes(cx, binary, BYTES_PER_UNIT)?;
    cx.charge(bytes.len() / BYTES_PER_REDUCTION);
    Ok(cx.byte_list(&bytes, Term::NIL)?)
}

/// `binary_to_list(binary(), First, Last) -> [byte()]`: positions count from 1, both are included.
///
/// # Errors
/// `badarg` if it is no binary or the positions are not inside, in order.
pub fn binary_to_list_of<'h>(cx: &mut Cx<'h>, [binary, first, last]: [Term<'h>; 3]) -> BifResult<'h> {
    let bits = binary.as_bits().ok_or_else(Stop::badarg)?;
    let (Some(first), Some(last)) = (first.as_small(), last.as_small()) else { return Err(Stop::badarg()) };
    if first < 1 || last < first || last > (bits.bit_length() / 8) as i64 {
        return Err(Stop::badarg());
    }
    let part = bits.slice(8 * (first as usize - 1), 8 * (last - first + 1) as usize);
    byte_list(cx, part, Term::NIL)
}

/// `bitstring_to_list(bitstring()) -> [byte() | bitstring()]`: what is less than a byte is a bitstring at the end.
///
/// # Errors
/// `badarg` if it is no bitstring.
pub fn bitstring_to_list<'h>(cx: &mut Cx<'h>, [bits]: [Term<'h>; 1]) -> BifResult<'h> {
    let whole = bits.as_bits().ok_or_else(Stop::badarg)?;
    let (count, rest) = (whole.bit_length() / 8, whole.bit_length() % 8);
    let tail = match rest {
        0 => Term::NIL,
        _ => {
            let last = cx.bits(whole.slice(8 * count, rest))?;
            cx.list(&[last])?
        }
    };
    byte_list(cx, whole.slice(0, 8 * count), tail)
}

/// The bytes of a binary in front of `tail`.
///
/// # Errors
/// If there is no time or room.
pub fn byte_list<'h>(cx: &mut Cx<'h>, bits: Bits<'h>, tail: Term<'h>) -> BifResult<'h> {
    cx.work(bits.byte_length() / BYTES_PER_UNIT)?;
    cx.charge(bits.byte_length() / BYTES_PER_REDUCTION);
    if let Some(bytes) = bits.as_bytes() {
        return Ok(cx.byte_list(bytes, tail)?);
    }
    let mut bytes = cx.scratch();
    bytes.reserve(bits.byte_length())?;
    for byte in bits.iter_bytes() {
        bytes.push(byte)?;
    }
    Ok(cx.byte_list(&bytes, tail)?)
}

/// `split_binary(binary(), Position) -> {binary(), binary()}`.
///
/// # Errors
/// `badarg` if it is no binary or the position is not inside.
pub fn split_binary<'h>(cx: &mut Cx<'h>, [binary, position]: [Term<'h>; 2]) -> BifResult<'h> {
    let length = binary.as_bits().ok_or_else(Stop::badarg)?.bit_length();
    let position = position.as_small().and_then(|position| usize::try_from(position).ok());
    let position = position.filter(|position| *position <= length / 8).ok_or_else(Stop::badarg)?;
    let first = cx.sub_bits(binary, 0, 8 * position)?;
    let second = cx.sub_bits(binary, 8 * position, length - 8 * position)?;
    Ok(cx.tuple(&[first, second])?)
}

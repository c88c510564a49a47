//! Binaries and lists of bytes; iolists.

use crate::bif::{BifResult, Cx, Stop};
use crate::term::{Bits, Term, View};

/// Bytes that one reduction pays for where each becomes a cell of a list.
const BYTES_PER_REDUCTION: usize = 64;

/// Appends the bits of an iolist to `out`, which has `bits` of them; `None` if it is none. No recursion: what is left to do
/// is on a stack of its own.
fn gather<'h>(out: &mut Writer, iolist: Term<'h>, bitstrings: bool) -> Option<()> {
    let mut work = vec![iolist];
    while let Some(term) = work.pop() {
        match term.view() {
            View::Nil => {}
            View::Bits(bits) if bitstrings || bits.is_binary() => out.bits(bits),
            View::Cons(cell) => {
                let mut cell = cell;
                loop {
                    let (head, tail) = (cell.head(), cell.tail());
                    if let View::Int(byte) = head.view() {
                        out.byte(u8::try_from(byte).ok()?);
                    } else if head.is_list() || head.as_bits().is_some() {
                        work.push(tail);
                        work.push(head);
                        break;
                    } else {
                        return None;
                    }
                    match tail.as_cons() {
                        Some(next) => cell = next,
                        None => {
                            // A tail may be a binary, but not a byte.
                            if !tail.is_nil() && tail.as_bits().is_none() {
                                return None;
                            }
                            work.push(tail);
                            break;
                        }
                    }
                }
            }
            _ => return None,
        }
    }
    Some(())
}

/// Bits written one behind the other.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    bits: usize,
}

impl Writer {
    fn byte(&mut self, byte: u8) {
        let skip = self.bits % 8;
        if skip == 0 {
            self.bytes.push(byte);
        } else {
            if let Some(last) = self.bytes.last_mut() {
                *last |= byte >> skip;
            }
            self.bytes.push(byte << (8 - skip));
        }
        self.bits += 8;
    }

    fn bits(&mut self, bits: Bits<'_>) {
        if self.bits.is_multiple_of(8)
            && let Some(bytes) = bits.as_bytes()
        {
            self.bytes.extend_from_slice(bytes);
            self.bits += 8 * bytes.len();
            return;
        }
        let length = self.bits + bits.bit_length();
        bits.iter_bytes().for_each(|byte| self.byte(byte));
        // The last byte was padded with zeros: they are taken back.
        self.bits = length;
        self.bytes.truncate(length.div_ceil(8));
    }
}

/// The bytes of an iolist; `None` if it is none.
pub fn iolist_bytes(iolist: Term<'_>) -> Option<Vec<u8>> {
    let mut out = Writer::default();
    gather(&mut out, iolist, false)?;
    Some(out.bytes)
}

/// `iolist_to_binary(iolist() | binary()) -> binary()`.
///
/// # Errors
/// `badarg` if it is neither.
pub fn iolist_to_binary<'h>(cx: &mut Cx<'h>, [iolist]: [Term<'h>; 1]) -> BifResult<'h> {
    if iolist.as_bits().is_some_and(|bits| bits.is_binary()) {
        return Ok(iolist);
    }
    let bytes = iolist_bytes(iolist).ok_or_else(Stop::badarg)?;
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
    let mut out = Writer::default();
    if !list.is_list() || gather(&mut out, list, true).is_none() {
        return Err(Stop::badarg());
    }
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
        _ => iolist_bytes(iolist).ok_or_else(Stop::badarg)?.len(),
    };
    cx.charge(length / BYTES_PER_REDUCTION);
    Ok(cx.int(length as i64)?)
}

/// `binary_to_list(binary()) -> [byte()]`.
///
/// # Errors
/// `badarg` if it is no binary.
pub fn binary_to_list<'h>(cx: &mut Cx<'h>, [binary]: [Term<'h>; 1]) -> BifResult<'h> {
    let bytes = binary.as_bits().and_then(Bits::to_bytes).ok_or_else(Stop::badarg)?;
    cx.charge(bytes.len() / BYTES_PER_REDUCTION);
    Ok(cx.byte_list(&bytes, Term::NIL)?)
}

/// `binary_to_list(binary(), First, Last) -> [byte()]`: positions count from 1, both are included.
///
/// # Errors
/// `badarg` if it is no binary or the positions are not inside, in order.
pub fn binary_to_list_of<'h>(cx: &mut Cx<'h>, [binary, first, last]: [Term<'h>; 3]) -> BifResult<'h> {
    let bytes = binary.as_bits().and_then(Bits::to_bytes).ok_or_else(Stop::badarg)?;
    let (Some(first), Some(last)) = (first.as_small(), last.as_small()) else { return Err(Stop::badarg()) };
    if first < 1 || last < first || last > bytes.len() as i64 {
        return Err(Stop::badarg());
    }
    let part = &bytes[first as usize - 1..last as usize];
    cx.charge(part.len() / BYTES_PER_REDUCTION);
    Ok(cx.byte_list(part, Term::NIL)?)
}

/// `bitstring_to_list(bitstring()) -> [byte() | bitstring()]`: what is less than a byte is a bitstring at the end.
///
/// # Errors
/// `badarg` if it is no bitstring.
pub fn bitstring_to_list<'h>(cx: &mut Cx<'h>, [bits]: [Term<'h>; 1]) -> BifResult<'h> {
    let whole = bits.as_bits().ok_or_else(Stop::badarg)?;
    let (count, rest) = (whole.bit_length() / 8, whole.bit_length() % 8);
    cx.charge(count / BYTES_PER_REDUCTION);
    let tail = match rest {
        0 => Term::NIL,
        _ => {
            let last = cx.bits(whole.slice(8 * count, rest))?;
            cx.list(&[last])?
        }
    };
    let bytes: Vec<u8> = whole.iter_bytes().take(count).collect();
    Ok(cx.byte_list(&bytes, tail)?)
}

/// `split_binary(binary(), Position) -> {binary(), binary()}`.
///
/// # Errors
/// `badarg` if it is no binary or the position is not inside.
pub fn split_binary<'h>(cx: &mut Cx<'h>, [binary, position]: [Term<'h>; 2]) -> BifResult<'h> {
    let length =
        binary.as_bits().filter(|bits| bits.is_binary()).map(Bits::byte_length).ok_or_else(Stop::badarg)?;
    let position = position.as_small().and_then(|position| usize::try_from(position).ok());
    let position = position.filter(|position| *position <= length).ok_or_else(Stop::badarg)?;
    let first = cx.sub_bits(binary, 0, 8 * position)?;
    let second = cx.sub_bits(binary, 8 * position, 8 * (length - position))?;
    Ok(cx.tuple(&[first, second])?)
}

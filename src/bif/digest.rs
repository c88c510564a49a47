//! Natives that condense data: checksums, hashes.

use md5::{Digest, Md5};

use super::erlang::bytes::{BinaryBytes, binary_bytes, iolist_bytes};
use crate::bif::{BifResult, Cx, Stop};
use crate::term::{Term, View};

/// Bytes digested for one unit of work (see `heap::work`); MD5 is the slowest.
const DIGESTED_PER_UNIT: usize = 2;

/// The bytes of an I/O list, charged for.
fn bytes<'h>(cx: &mut Cx<'h>, data: Term<'h>) -> Result<BinaryBytes<'h>, Stop<'h>> {
    let bytes = match data.as_bits() {
        Some(_) => binary_bytes(cx, data, DIGESTED_PER_UNIT)?,
        None => {
            let bytes = iolist_bytes(cx, data)?;
            cx.work(bytes.len() / DIGESTED_PER_UNIT)?;
            BinaryBytes::Copied(bytes)
        }
    };
    cx.charge(bytes.len() / 256);
    Ok(bytes)
}

/// A 32-bit number argument.
fn word<'h>(term: Term<'h>) -> Result<u32, Stop<'h>> {
    term.as_small().and_then(|value| u32::try_from(value).ok()).ok_or_else(Stop::badarg)
}

/// `md5(iodata()) -> binary()`.
///
/// # Errors
/// `badarg` if it is no I/O data.
pub fn md5<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    let bytes = bytes(cx, data)?;
    Ok(cx.binary(&Md5::digest(&*bytes))?)
}

/// `crc32(iodata()) -> non_neg_integer()`.
///
/// # Errors
/// `badarg` if it is no I/O data.
pub fn crc32<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    let bytes = bytes(cx, data)?;
    Ok(cx.int(i64::from(crc32fast::hash(&bytes)))?)
}

/// `crc32(Old, iodata()) -> non_neg_integer()`.
///
/// # Errors
/// `badarg` if they are no checksum and I/O data.
pub fn crc32_from<'h>(cx: &mut Cx<'h>, [old, data]: [Term<'h>; 2]) -> BifResult<'h> {
    let mut hasher = crc32fast::Hasher::new_with_initial(word(old)?);
    hasher.update(&bytes(cx, data)?);
    Ok(cx.int(i64::from(hasher.finalize()))?)
}

/// `crc32_combine(First, Second, SecondSize) -> non_neg_integer()`.
///
/// # Errors
/// `badarg` if they are no checksums and size.
pub fn crc32_combine<'h>(cx: &mut Cx<'h>, [first, second, size]: [Term<'h>; 3]) -> BifResult<'h> {
    let size = size.as_small().and_then(|size| u64::try_from(size).ok()).ok_or_else(Stop::badarg)?;
    let mut hasher = crc32fast::Hasher::new_with_initial(word(first)?);
    hasher.combine(&crc32fast::Hasher::new_with_initial_len(word(second)?, size));
    Ok(cx.int(i64::from(hasher.finalize()))?)
}

/// `adler32(iodata()) -> non_neg_integer()`.
///
/// # Errors
/// `badarg` if it is no I/O data.
pub fn adler32<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    let mut adler = adler2::Adler32::new();
    adler.write_slice(&bytes(cx, data)?);
    Ok(cx.int(i64::from(adler.checksum()))?)
}

/// `adler32(Old, iodata()) -> non_neg_integer()`.
///
/// # Errors
/// `badarg` if they are no checksum and I/O data.
pub fn adler32_from<'h>(cx: &mut Cx<'h>, [old, data]: [Term<'h>; 2]) -> BifResult<'h> {
    let mut adler = adler2::Adler32::from_checksum(word(old)?);
    adler.write_slice(&bytes(cx, data)?);
    Ok(cx.int(i64::from(adler.checksum()))?)
}

/// `phash2(Term) -> 0..2^27-1`.
pub fn phash2<'h>(cx: &mut Cx<'h>, [term]: [Term<'h>; 1]) -> BifResult<'h> {
    let hash = cx.phash2(term)? & ((1 << 27) - 1);
    Ok(cx.int(i64::from(hash))?)
}

/// `phash2(Term, Range) -> 0..Range-1`.
///
/// # Errors
/// `badarg` if the range is not 1 to 2^32.
pub fn phash2_in<'h>(cx: &mut Cx<'h>, [term, range]: [Term<'h>; 2]) -> BifResult<'h> {
    let range = match range.view() {
        View::Int(range @ 1..=0x1_0000_0000) => range as u64,
        _ => return Err(Stop::badarg()),
    };
    let hash = u64::from(cx.phash2(term)?);
    Ok(cx.uint(hash % range)?)
}

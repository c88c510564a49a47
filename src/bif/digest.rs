//! Natives that condense data: checksums, hashes.

use md5::{Digest, Md5};

use super::erlang::bytes::{BinaryBytes, binary_bytes, iolist_bytes};
use crate::bif::{BifResult, Cx, Stop};
use crate::term::{Term, View};

/// Bytes digested for one unit of work (see `heap::work`); MD5 is the slowest.
const DIGESTED_PER_UNIT: usize = 2;

/// The bytes of an I/O list, charged for.
pub(super) fn bytes<'h>(cx: &mut Cx<'h>, data: Term<'h>) -> Result<BinaryBytes<'h>, Stop<'h>> {
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

/// Bytes of a context of MD5: the state, the number of bits so far, and the bytes of a block that is not full, padded with zeros.
const MD5_CONTEXT: usize = 16 + 8 + MD5_BLOCK;

/// Bytes of a block of MD5.
const MD5_BLOCK: usize = 64;

/// An MD5 digest in the making.
struct Md5Context {
    state: [u32; 4],
    bits: u64,
    block: [u8; MD5_BLOCK],
}

impl Md5Context {
    fn read<'h>(cx: &mut Cx<'h>, context: Term<'h>) -> Result<Md5Context, Stop<'h>> {
        let bytes = binary_bytes(cx, context, DIGESTED_PER_UNIT)?;
        if bytes.len() != MD5_CONTEXT {
            return Err(Stop::badarg());
        }
        let mut words = bytes
            .chunks_exact(4)
            .map(|word| word.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte)));
        let mut word = || words.next().unwrap_or(0);
        let state = [word(), word(), word(), word()];
        let bits = u64::from(word()) | u64::from(word()) << 32;
        let mut block = [0; MD5_BLOCK];
        block.copy_from_slice(&bytes[MD5_CONTEXT - MD5_BLOCK..]);
        Ok(Md5Context { state, bits, block })
    }

    fn write<'h>(&self, cx: &mut Cx<'h>) -> BifResult<'h> {
        let mut bytes: Vec<u8> = self.state.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.extend(self.bits.to_le_bytes());
        bytes.extend(self.block);
        Ok(cx.binary(&bytes)?)
    }

    /// Bytes of the block that is not full.
    fn pending(&self) -> usize {
        (self.bits / 8) as usize % MD5_BLOCK
    }

    fn update(&mut self, mut bytes: &[u8]) {
        let mut pending = self.pending();
        self.bits = self.bits.wrapping_add(8 * bytes.len() as u64);
        while pending + bytes.len() >= MD5_BLOCK {
            let (now, rest) = bytes.split_at(MD5_BLOCK - pending);
            self.block[pending..].copy_from_slice(now);
            md5::block_api::compress(&mut self.state, &[self.block]);
            (pending, bytes) = (0, rest);
        }
        self.block[pending..pending + bytes.len()].copy_from_slice(bytes);
        self.block[pending + bytes.len()..].fill(0);
    }

    fn digest(mut self) -> Vec<u8> {
        let (bits, pending) = (self.bits, self.pending());
        // A one bit, zeros up to eight bytes before the end of a block, and the number of bits.
        let zeros = (2 * MD5_BLOCK - 9 - pending) % MD5_BLOCK;
        let mut padding = vec![0x80];
        padding.resize(1 + zeros, 0);
        padding.extend(bits.to_le_bytes());
        self.update(&padding);
        self.state.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// `md5_init() -> Context`.
pub fn md5_init<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    Md5Context { state, bits: 0, block: [0; MD5_BLOCK] }.write(cx)
}

/// `md5_update(Context, iodata()) -> Context`.
///
/// # Errors
/// `badarg` if they are no context and I/O data.
pub fn md5_update<'h>(cx: &mut Cx<'h>, [context, data]: [Term<'h>; 2]) -> BifResult<'h> {
    let mut context = Md5Context::read(cx, context)?;
    context.update(&bytes(cx, data)?);
    context.write(cx)
}

/// `md5_final(Context) -> binary()`.
///
/// # Errors
/// `badarg` if it is no context.
pub fn md5_final<'h>(cx: &mut Cx<'h>, [context]: [Term<'h>; 1]) -> BifResult<'h> {
    let digest = Md5Context::read(cx, context)?.digest();
    Ok(cx.binary(&digest)?)
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

//! Terms in compressed form: version byte, tag, size of the encoded term without its version byte, and that as a zlib stream.

use std::borrow::Cow;

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

use super::{DecodeError, VERSION, tag};

/// Bytes in front of the zlib stream.
const HEAD: usize = 6;

/// No stream is expanded to more than this many times its size: the format's own limit.
const MAX_RATIO: usize = 1032;

/// An encoded term in compressed form, if that is shorter.
pub fn compressed(plain: &[u8], level: u8) -> Cow<'_, [u8]> {
    let Ok(size) = u32::try_from(plain.len() - 1) else { return plain.into() };
    let stream = compress_to_vec_zlib(&plain[1..], level);
    if HEAD + stream.len() >= plain.len() {
        return plain.into();
    }
    let mut bytes = Vec::with_capacity(HEAD + stream.len());
    bytes.extend([VERSION, tag::COMPRESSED]);
    bytes.extend(size.to_be_bytes());
    bytes.extend(stream);
    bytes.into()
}

/// Bytes that [`expanded`] would have to make; 0 if there is nothing to expand.
pub fn expanded_size(bytes: &[u8]) -> usize {
    match bytes {
        [VERSION, tag::COMPRESSED, a, b, c, d, stream @ ..] => {
            (u32::from_be_bytes([*a, *b, *c, *d]) as usize).min(stream.len().saturating_mul(MAX_RATIO))
        }
        _ => 0,
    }
}

/// The plain form of an encoded term, and how many bytes the compressed form took, if it was one.
///
/// # Errors
/// `Malformed` if the stream is none, or is not as long as it says; `SystemLimit` if there is no memory for it.
pub fn expanded(bytes: &[u8]) -> Result<(Cow<'_, [u8]>, Option<usize>), DecodeError> {
    let [VERSION, tag::COMPRESSED, a, b, c, d, stream @ ..] = bytes else { return Ok((bytes.into(), None)) };
    let size = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
    if size > stream.len().saturating_mul(MAX_RATIO) {
        return Err(DecodeError::Malformed);
    }
    let mut plain = Vec::new();
    plain.try_reserve_exact(size + 1).map_err(|_| DecodeError::SystemLimit)?;
    plain.push(VERSION);
    plain.resize(size + 1, 0);
    let flags = inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER
        | inflate_flags::TINFL_FLAG_COMPUTE_ADLER32
        | inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let mut inflater = Box::<DecompressorOxide>::default();
    match decompress(&mut inflater, stream, &mut plain, 1, flags) {
        (TINFLStatus::Done, read, written) if written == size => Ok((plain.into(), Some(HEAD + read))),
        _ => Err(DecodeError::Malformed),
    }
}

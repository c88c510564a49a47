//! Modules as bytes: what `erlet compile` writes and the embedded library is made of.
//!
//! An encoded module is a header of 20 bytes followed by the payload, in postcard's format:
//!
//! | bytes | meaning |
//! |---|---|
//! | 0..4 | the magic `ERLT` |
//! | 4..6 | [`VERSION`], little endian |
//! | 6..8 | what follows: 0 a module, 1 a verified module with its facts |
//! | 8..16 | length of the payload, little endian |
//! | 16..20 | CRC-32 of the payload, little endian |
//!
//! The checksum finds accidents, not malice: whoever makes bytes up makes the checksum up too. Hostile bytes are
//! the business of the decoder and of the verifier behind it. The decoder trusts no length: no element is encoded
//! in fewer than one byte, and a sequence that claims more elements than there are bytes left gets no space in
//! advance, so memory stays in proportion to the input. Since no type of a [`Module`] contains itself, decoding
//! does not recurse over the data.
//!
//! A decoded [`Module`] is well formed as a value, nothing more: its indices may point anywhere. Only
//! [`verify`](crate::verify::verify) makes it fit to run.

use crate::bytecode::{Module, VERSION};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt;

/// First bytes of every encoded module.
pub const MAGIC: [u8; 4] = *b"ERLT";

/// Magic, version, content, length, checksum.
const HEADER_BYTES: usize = 20;

/// What the payload holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// A [`Module`].
    Module = 0,
    /// A [`Verified`](crate::verify::Verified): only for the embedded library.
    Verified = 1,
}

/// Why bytes are not an encoded module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// Too short for a header, or another kind of file.
    NotAModule,
    /// Made by another version of erlet.
    Version(u16),
    /// The header names another content than the one asked for.
    Content(u16),
    /// Shorter or longer than the header says.
    Length {
        /// Bytes the header promises.
        expected: u64,
        /// Bytes behind the header.
        found: u64,
    },
    /// The payload is not what was written.
    Checksum,
    /// The payload does not describe a module.
    Malformed(String),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::NotAModule => write!(f, "not an erlet module"),
            DecodeError::Version(found) => {
                write!(f, "module of format version {found}; this erlet reads version {VERSION}")
            }
            DecodeError::Content(found) => write!(f, "module file with unexpected content {found}"),
            DecodeError::Length { expected, found } => {
                write!(f, "module file of {found} bytes where its header says {expected}")
            }
            DecodeError::Checksum => write!(f, "module file is damaged (wrong checksum)"),
            DecodeError::Malformed(what) => write!(f, "malformed module: {what}"),
        }
    }
}

impl std::error::Error for DecodeError {}

/// The bytes of `module`.
#[must_use]
pub fn encode(module: &Module) -> Vec<u8> {
    seal(Content::Module, module)
}

/// The module in `bytes`, not verified.
///
/// # Errors
/// Anything that is not the complete output of [`encode`] of this version.
pub fn decode(bytes: &[u8]) -> Result<Module, DecodeError> {
    open(Content::Module, bytes)
}

/// Whether `bytes` start like an encoded module: to tell one from source text.
#[must_use]
pub fn is_module(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// How much of the start [`is_readable`] looks at.
pub const FORMAT_BYTES: usize = 6;

/// Whether `bytes` start like an encoded module of this version.
#[must_use]
pub fn is_readable(bytes: &[u8]) -> bool {
    is_module(bytes) && bytes.get(4..FORMAT_BYTES) == Some(VERSION.to_le_bytes().as_slice())
}

/// Header and payload of any content.
pub(crate) fn seal<T: Serialize>(content: Content, value: &T) -> Vec<u8> {
    let payload = postcard::to_stdvec(value).expect("sequences know their length and a Vec takes any amount");
    let mut bytes = Vec::with_capacity(HEADER_BYTES + payload.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((content as u16).to_le_bytes());
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(crc32(&payload).to_le_bytes());
    bytes.extend(payload);
    bytes
}

/// The value that [`seal`] wrote, if it is of this content.
pub(crate) fn open<T: DeserializeOwned>(content: Content, bytes: &[u8]) -> Result<T, DecodeError> {
    let (header, payload) = bytes.split_at_checked(HEADER_BYTES).ok_or(DecodeError::NotAModule)?;
    if !is_module(header) {
        return Err(DecodeError::NotAModule);
    }
    let version = u16::from_le_bytes(field(header, 4));
    if version != VERSION {
        return Err(DecodeError::Version(version));
    }
    let found = u16::from_le_bytes(field(header, 6));
    if found != content as u16 {
        return Err(DecodeError::Content(found));
    }
    let expected = u64::from_le_bytes(field(header, 8));
    if expected != payload.len() as u64 {
        return Err(DecodeError::Length { expected, found: payload.len() as u64 });
    }
    if u32::from_le_bytes(field(header, 16)) != crc32(payload) {
        return Err(DecodeError::Checksum);
    }
    match postcard::take_from_bytes(payload) {
        Ok((value, [])) => Ok(value),
        Ok((_, rest)) => Err(DecodeError::Malformed(format!("{} bytes too many", rest.len()))),
        Err(error) => Err(DecodeError::Malformed(error.to_string())),
    }
}

fn field<const N: usize>(header: &[u8], at: usize) -> [u8; N] {
    header[at..at + N].try_into().expect("the header is longer than its fields")
}

/// CRC-32 as in Ethernet and zlib (reflected polynomial 0xEDB88320).
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut crc = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
                bit += 1;
            }
            table[byte] = crc;
            byte += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |crc, byte| TABLE[((crc ^ u32::from(*byte)) & 0xFF) as usize] ^ (crc >> 8))
}

#[cfg(test)]
pub(crate) mod tests;

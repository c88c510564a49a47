//! The external term format: `term_to_binary` and `binary_to_term`.
//!
//! Byte for byte what OTP 27 writes (atoms as UTF-8, floats in 8 bytes), and everything OTP 27 reads except compressed terms and
//! identifiers of other nodes, which are refused as `badarg`. Encoding and decoding are iterative, and can be done in steps.
//!
//! Invariant: sizes found in the input are believed only as far as the input could hold them; no allocation is larger than
//! a small multiple of what has really been received.

mod decode;
mod encode;
#[cfg(test)]
mod tests;

pub use decode::{DecodeError, Decoder, Options, Resolver, decode};
pub use encode::{Encoder, Floats, encode, encode_with, encoded_size};

/// The names this VM goes by in identifiers: a node that is not distributed.
pub const NODE: &str = "nonode@nohost";

mod compress;
pub use compress::{compressed, expanded, expanded_size};

/// First byte of every encoded term.
const VERSION: u8 = 131;

/// The tags of the format.
mod tag {
    pub const COMPRESSED: u8 = 80;
    pub const NEW_FLOAT: u8 = 70;
    pub const BIT_BINARY: u8 = 77;
    pub const NEW_PID: u8 = 88;
    pub const NEW_PORT: u8 = 89;
    pub const NEWER_REFERENCE: u8 = 90;
    pub const SMALL_INTEGER: u8 = 97;
    pub const INTEGER: u8 = 98;
    pub const FLOAT: u8 = 99;
    pub const ATOM: u8 = 100;
    pub const REFERENCE: u8 = 101;
    pub const PORT: u8 = 102;
    pub const PID: u8 = 103;
    pub const SMALL_TUPLE: u8 = 104;
    pub const LARGE_TUPLE: u8 = 105;
    pub const NIL: u8 = 106;
    pub const STRING: u8 = 107;
    pub const LIST: u8 = 108;
    pub const BINARY: u8 = 109;
    pub const SMALL_BIG: u8 = 110;
    pub const LARGE_BIG: u8 = 111;
    pub const NEW_FUN: u8 = 112;
    pub const EXPORT: u8 = 113;
    pub const NEW_REFERENCE: u8 = 114;
    pub const SMALL_ATOM: u8 = 115;
    pub const MAP: u8 = 116;
    pub const ATOM_UTF8: u8 = 118;
    pub const SMALL_ATOM_UTF8: u8 = 119;
    pub const V4_PORT: u8 = 120;
}

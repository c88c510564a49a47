//! Natives behind module `zlib`: bytes deflated and inflated, without the heads and checksums of formats, which are the library's affair.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

use super::digest::bytes;
use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::term::Term;

/// A byte takes some ten nanoseconds to compress, a reduction stands for a hundred; the same for announced work.
const DEFLATED_PER_UNIT: usize = 8;

/// Expanding is about ten times as fast.
const INFLATED_PER_UNIT: usize = 64;

/// Room for the expanded bytes to begin with: what a small message takes.
const FIRST_ROOM: usize = 4096;

/// `deflate(Data :: iodata(), Level :: 0..9) -> binary()`.
///
/// # Errors
/// `badarg` if they are no I/O data and level.
pub fn deflate<'h>(cx: &mut Cx<'h>, [data, level]: [Term<'h>; 2]) -> BifResult<'h> {
    let level = match level.as_small() {
        Some(level @ 0..=9) => level as u8,
        _ => return Err(Stop::badarg()),
    };
    let plain = bytes(cx, data)?;
    cx.charge(plain.len() / DEFLATED_PER_UNIT);
    cx.work(plain.len() / DEFLATED_PER_UNIT)?;
    let packed = compress_to_vec(&plain, level);
    Ok(cx.binary(&packed)?)
}

/// `inflate(Data :: iodata()) -> {Plain :: binary(), Used :: non_neg_integer()} | error`: what was deflated, and how many bytes
/// it took; `error` if that is not complete, or nothing that was deflated.
///
/// # Errors
/// `badarg` if it is no I/O data; `system_limit` if there is no memory for what comes out.
pub fn inflate<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    let packed = bytes(cx, data)?;
    let mut charge = cx.charge_for_scratch();
    let mut inflater = Box::<DecompressorOxide>::default();
    let mut plain = Vec::new();
    let (mut read, mut written) = (0, 0);
    loop {
        let room = (2 * plain.len()).max(FIRST_ROOM);
        charge.cover(room)?;
        cx.charge((room - plain.len()) / INFLATED_PER_UNIT);
        cx.work((room - plain.len()) / INFLATED_PER_UNIT)?;
        plain.resize(room, 0);
        let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let (status, took, made) = decompress(&mut inflater, &packed[read..], &mut plain, written, flags);
        read += took;
        written += made;
        match status {
            TINFLStatus::HasMoreOutput => {}
            TINFLStatus::Done => {
                let plain = cx.binary(&plain[..written])?;
                let read = cx.int(i64::try_from(read).map_err(|_| Stop::system_limit())?)?;
                return Ok(cx.tuple(&[plain, read])?);
            }
            _ => return Ok(Term::atom(known::ERROR)),
        }
    }
}

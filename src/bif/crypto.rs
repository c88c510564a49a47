//! Natives of `crypto`: digests, and bytes that nobody can guess.

use md5::{Digest, Md5};
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512};

use super::erlang::bytes::iolist_bytes;
use crate::bif::{BifResult, Cx, Stop};
use crate::runtime::entropy;
use crate::term::Term;

/// Bytes digested for one unit of work.
const DIGESTED_PER_UNIT: usize = 1;

/// `erlet_crypto:hash(Type, iodata()) -> binary()`.
///
/// # Errors
/// `badarg` if there is no such digest, or it is no I/O data.
pub fn hash<'h>(cx: &mut Cx<'h>, [kind, data]: [Term<'h>; 2]) -> BifResult<'h> {
    let kind = kind.as_atom().ok_or_else(Stop::badarg)?;
    let bytes = iolist_bytes(cx, data)?;
    cx.charge(bytes.len() / 128);
    cx.work(bytes.len() / DIGESTED_PER_UNIT)?;
    let digest = match cx.atoms().text(kind) {
        "md5" => Md5::digest(&*bytes).to_vec(),
        "sha" => Sha1::digest(&*bytes).to_vec(),
        "sha224" => Sha224::digest(&*bytes).to_vec(),
        "sha256" => Sha256::digest(&*bytes).to_vec(),
        "sha384" => Sha384::digest(&*bytes).to_vec(),
        "sha512" => Sha512::digest(&*bytes).to_vec(),
        _ => return Err(Stop::badarg()),
    };
    Ok(cx.binary(&digest)?)
}

/// Most random bytes in one go.
const MOST_BYTES: usize = 1 << 24;

/// `crypto:strong_rand_bytes(N) -> binary()`: from the operating system, or, where all chances are decided by a seed, from that.
///
/// # Errors
/// `badarg` if it is no number of bytes; `low_entropy` if the operating system has none to give.
pub fn strong_rand_bytes<'h>(cx: &mut Cx<'h>, [count]: [Term<'h>; 1]) -> BifResult<'h> {
    let count = count.as_small().and_then(|count| usize::try_from(count).ok()).ok_or_else(Stop::badarg)?;
    if count > MOST_BYTES {
        return Err(Stop::system_limit());
    }
    cx.charge(count / 128);
    cx.work(count)?;
    let mut bytes = cx.scratch();
    bytes.reserve(count)?;
    for _ in 0..count {
        bytes.push(0)?;
    }
    if cx.rt.is_seeded() {
        for chunk in bytes.chunks_mut(8) {
            let word = cx.rt.entropy.next_u64().to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    } else if !entropy::fill_from_host(&mut bytes) {
        let reason = cx.rt.atoms.intern("low_entropy").map(Term::atom);
        return Err(reason.map_or_else(|_| Stop::badarg(), Stop::error));
    }
    Ok(cx.binary(&bytes)?)
}

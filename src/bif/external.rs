//! Natives that turn terms into bytes and text into terms.

use super::erlang::bytes::binary_bytes;
use crate::atom::{Atom, known};
use crate::bif::{BifResult, Cx, Stop};
use crate::code::{CodeServer, Mfa};
use crate::etf::{self, DecodeError, Floats, Options};
use crate::term::{EntryAddress, Term, View};

/// `term_to_binary(Term) -> binary()`.
pub fn term_to_binary<'h>(cx: &mut Cx<'h>, [term]: [Term<'h>; 1]) -> BifResult<'h> {
    let bytes = etf::encode(cx, term)?;
    in_binary(cx, &bytes)
}

fn in_binary<'h>(cx: &mut Cx<'h>, bytes: &[u8]) -> BifResult<'h> {
    cx.charge(bytes.len() / 32);
    cx.work(bytes.len() / 64)?;
    Ok(cx.binary(bytes)?)
}

/// What `term_to_binary/2` and `external_size/2` are told.
struct Wanted {
    /// How much compressed, 0 for not at all.
    level: u8,
    floats: Floats,
}

/// The options of `term_to_binary/2`. All minor versions but 0 are written as the newest.
fn wanted<'h>(options: Term<'h>) -> Result<Wanted, Stop<'h>> {
    let mut items = options.list();
    let (mut level, mut floats) = (0, Floats::Bits);
    for option in items.by_ref() {
        match option.view() {
            View::Atom(known::DETERMINISTIC | known::LOCAL) => {}
            View::Atom(known::COMPRESSED) => level = DEFAULT_LEVEL,
            View::Tuple(&[key, wanted]) if key.is_atom(known::COMPRESSED) => match wanted.as_small() {
                Some(wanted @ 0..=9) => level = wanted as u8,
                _ => return Err(Stop::badarg()),
            },
            View::Tuple(&[key, version]) if key.is_atom(known::MINOR_VERSION) => match version.as_small() {
                Some(0) => floats = Floats::Text,
                Some(1 | 2) => floats = Floats::Bits,
                _ => return Err(Stop::badarg()),
            },
            _ => return Err(Stop::badarg()),
        }
    }
    if items.rest().is_nil() { Ok(Wanted { level, floats }) } else { Err(Stop::badarg()) }
}

/// `term_to_binary(Term, Options) -> binary()`.
///
/// # Errors
/// `badarg` for an unknown option.
pub fn term_to_binary_with<'h>(cx: &mut Cx<'h>, [term, options]: [Term<'h>; 2]) -> BifResult<'h> {
    let Wanted { level, floats } = wanted(options)?;
    let plain = etf::encode_with(cx, term, floats)?;
    if level == 0 {
        return in_binary(cx, &plain);
    }
    // A byte takes some ten nanoseconds to compress, a reduction stands for a hundred.
    cx.charge(plain.len() / 8);
    cx.work(plain.len() / 8)?;
    let bytes = etf::compressed(&plain, level);
    Ok(cx.binary(&bytes)?)
}

/// The level of `compressed` without a number.
const DEFAULT_LEVEL: u8 = 6;

/// `external_size(Term) -> non_neg_integer()`.
pub fn external_size<'h>(cx: &mut Cx<'h>, [term]: [Term<'h>; 1]) -> BifResult<'h> {
    size_of(cx, term, Floats::Bits)
}

/// `external_size(Term, Options) -> non_neg_integer()`: the options of `term_to_binary/2`; compression is not counted.
///
/// # Errors
/// `badarg` for an unknown option.
pub fn external_size_with<'h>(cx: &mut Cx<'h>, [term, options]: [Term<'h>; 2]) -> BifResult<'h> {
    let Wanted { floats, .. } = wanted(options)?;
    size_of(cx, term, floats)
}

fn size_of<'h>(cx: &mut Cx<'h>, term: Term<'h>, floats: Floats) -> BifResult<'h> {
    let size = etf::encoded_size(cx, term, floats)?;
    cx.charge(size / 32);
    Ok(cx.int(size as i64)?)
}

/// Finds the code behind funs that come in from outside. Only funs of code that was loaded here are known: bytes from a
/// stranger make no entries.
struct FunResolver<'s>(&'s CodeServer);

impl etf::Resolver for FunResolver<'_> {
    fn fun(
        &self,
        module: Atom,
        index: u32,
        uniq: u32,
        _module_hash: &[u8; 16],
        arity: u8,
    ) -> Option<EntryAddress> {
        self.0.existing_fun(module, index, uniq, arity)
    }

    fn export(&self, module: Atom, function: Atom, arity: u8) -> u64 {
        std::ptr::from_ref(self.0.export(Mfa { module, function, arity })).expose_provenance() as u64
    }
}

/// Bytes decoded for one unit of work (see `heap::work`), before the terms they turn out to be are counted.
const DECODED_PER_UNIT: usize = 64;

fn decode<'h>(cx: &mut Cx<'h>, data: Term<'h>, options: Options) -> Result<(Term<'h>, usize), Stop<'h>> {
    let bytes = binary_bytes(cx, data, DECODED_PER_UNIT)?;
    cx.charge(bytes.len() / 16);
    let resolver = FunResolver(&cx.rt.code);
    // Expanding is work too, by what the head of the compressed form says.
    cx.work(etf::expanded_size(&bytes) / DECODED_PER_UNIT)?;
    let decoded = etf::expanded(&bytes).and_then(|(plain, read)| {
        cx.charge(plain.len() / 16);
        let (term, used) = etf::decode(cx, &plain, options, &resolver)?;
        match read {
            None => Ok((term, used)),
            Some(read) if used == plain.len() => Ok((term, read)),
            Some(_) => Err(DecodeError::Malformed),
        }
    });
    decoded.map_err(|error| match error {
        DecodeError::Malformed | DecodeError::Unsafe => Stop::badarg(),
        DecodeError::SystemLimit => Stop::system_limit(),
        DecodeError::Alloc(error) => error.into(),
    })
}

/// `binary_to_term(binary()) -> Term`.
///
/// # Errors
/// `badarg` if that is no encoded term.
pub fn binary_to_term<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    Ok(decode(cx, data, Options::default())?.0)
}

/// `binary_to_term(binary(), [safe | used]) -> Term | {Term, Used}`.
///
/// # Errors
/// `badarg` if that is no encoded term, an unknown option, or `safe` and it would make new atoms or funs.
pub fn binary_to_term_with<'h>(cx: &mut Cx<'h>, [data, options]: [Term<'h>; 2]) -> BifResult<'h> {
    let (mut safe, mut tell_used) = (false, false);
    let mut items = options.list();
    for option in items.by_ref() {
        match option.as_atom() {
            Some(known::SAFE) => safe = true,
            Some(known::USED) => tell_used = true,
            _ => return Err(Stop::badarg_because(known::BADOPT)),
        }
    }
    if !items.rest().is_nil() {
        return Err(Stop::badarg_because(known::BADOPT));
    }
    let (term, used) = decode(cx, data, Options { safe })?;
    if !tell_used {
        return Ok(term);
    }
    let used = cx.int(used as i64)?;
    Ok(cx.tuple(&[term, used])?)
}

/// `erts_debug:flat_size(Term) -> non_neg_integer()`: words of the term, sharing not counted.
///
/// # Errors
/// `system_limit` if that is more than there can be.
pub fn flat_size<'h>(cx: &mut Cx<'h>, [term]: [Term<'h>; 1]) -> BifResult<'h> {
    let words = cx.measure(term)?;
    cx.charge(words / 16);
    Ok(cx.int(words as i64)?)
}

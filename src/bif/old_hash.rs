//! `erlang:phash/2`: the hash that `phash2` replaced, value for value.
//!
//! Every term is folded into one number of 32 bits: a multiplication by a prime of the term's kind, and an addition. The primes are
//! part of the language, since programs may have stored what they give.

use crate::bif::{BifResult, Cx, Stop};
use crate::term::print::ref_parts;
use crate::term::{Term, View};

const ATOM: u32 = 268_440_163;
const BYTE: u32 = 268_439_161;
const POSITIVE: u32 = 268_435_459;
const NEGATIVE: u32 = 268_436_141;
const PID: u32 = 268_438_633;
const FLOAT: u32 = 268_437_017;
const LIST: u32 = 268_437_511;
const TUPLE: u32 = 268_439_627;
const FUN: u32 = 268_440_479;
const EXPORT: u32 = 268_440_577;
const LAST_BITS: u32 = 268_440_581;
const MAP: u32 = 268_440_593;
const MAP_START: u32 = 268_440_611;

/// Terms between two announcements of work.
const AT_ONCE: usize = 128;

/// Units of work for a term.
const UNITS_PER_TERM: usize = 4;

/// What is still to be folded in.
#[derive(Clone, Copy)]
enum Item<'h> {
    Term(Term<'h>),
    Row(&'h [Term<'h>]),
    /// The end of a tuple of that size.
    TupleEnd(u32),
    /// What is left of a list, and its end.
    Tail(Term<'h>),
    ListEnd,
}

/// `phash(Term, Range) -> 1..Range`.
///
/// # Errors
/// `badarg` if the range is not 1 to 2^32.
pub fn phash<'h>(cx: &mut Cx<'h>, [term, range]: [Term<'h>; 2]) -> BifResult<'h> {
    let range = match range.view() {
        View::Int(range @ 1..=0x1_0000_0000) => range as u64,
        _ => return Err(Stop::badarg()),
    };
    let hash = u64::from(fold(cx, term)?);
    Ok(cx.uint(1 + hash % range)?)
}

fn fold<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> Result<u32, Stop<'h>> {
    let mut hash: u32 = 0;
    let mut rest = cx.scratch();
    rest.push(Item::Term(term))?;
    let mut done = 0;
    while let Some(item) = rest.pop() {
        done += 1;
        if done % AT_ONCE == 0 {
            cx.work(AT_ONCE * UNITS_PER_TERM)?;
            cx.suspect(term, done)?;
        }
        let next = match item {
            Item::Term(term) => {
                let (folded, next) = one(cx, hash, term)?;
                hash = folded;
                next
            }
            Item::Row(row) => match row.split_first() {
                Some((first, others)) => [Some(Item::Row(others)), Some(Item::Term(*first))],
                None => [None, None],
            },
            Item::TupleEnd(size) => {
                hash = hash.wrapping_mul(TUPLE).wrapping_add(size);
                [None, None]
            }
            Item::ListEnd => {
                hash = hash.wrapping_mul(LIST);
                [None, None]
            }
            Item::Tail(tail) => match tail.as_cons() {
                Some(cell) => {
                    let byte = cell.head().as_small().and_then(|value| u8::try_from(value).ok());
                    match byte {
                        Some(byte) => {
                            hash = hash.wrapping_mul(BYTE).wrapping_add(u32::from(byte));
                            [Some(Item::Tail(cell.tail())), None]
                        }
                        None => [Some(Item::Tail(cell.tail())), Some(Item::Term(cell.head()))],
                    }
                }
                None => [Some(Item::ListEnd), Some(Item::Term(tail))],
            },
        };
        for item in next.into_iter().flatten() {
            rest.push(item)?;
        }
    }
    Ok(hash)
}

/// Folds in one term, or its beginning; what comes next, the last first.
fn one<'h>(cx: &mut Cx<'h>, hash: u32, term: Term<'h>) -> Result<(u32, [Option<Item<'h>>; 2]), Stop<'h>> {
    let text = |atom| crate::term::phash::atom_hash(cx.atoms().text(atom));
    let folded = match term.view() {
        View::Int(value) => integer(hash, value < 0, &[value.unsigned_abs()]),
        View::Big(big) => {
            let limbs = big.limbs();
            cx.work(limbs.len())?;
            integer(hash, big.is_negative(), limbs)
        }
        View::Float(value) => {
            let bits = if value == 0.0 { 0 } else { value.to_bits() };
            hash.wrapping_mul(FLOAT).wrapping_add((bits >> 32) as u32 ^ bits as u32)
        }
        View::Atom(atom) => hash.wrapping_mul(ATOM).wrapping_add(text(atom)),
        View::Nil => hash.wrapping_mul(POSITIVE).wrapping_add(1),
        View::Cons(_) => return Ok((hash, [Some(Item::Tail(term)), None])),
        View::Tuple(elements) => {
            let size = elements.len() as u32;
            return Ok((hash, [Some(Item::TupleEnd(size)), Some(Item::Row(elements))]));
        }
        View::Map(_) => {
            let content = cx.phash2(term)?;
            hash.wrapping_mul(MAP).wrapping_add(MAP_START).wrapping_add(content)
        }
        View::Bits(bits) => {
            cx.work(bits.byte_length())?;
            let (whole, last) = (bits.bit_length() / 8, bits.bit_length() % 8);
            let add = |hash: u32, byte: u8| hash.wrapping_mul(ATOM).wrapping_add(u32::from(byte));
            let mut folded = bits.iter_bytes().take(whole).fold(hash, add);
            if last > 0 {
                folded = add(folded, bits.byte(whole) >> (8 - last));
                folded = folded.wrapping_mul(LAST_BITS).wrapping_add(last as u32);
            }
            folded.wrapping_mul(NEGATIVE).wrapping_add(whole as u32)
        }
        View::Fun(fun) => {
            let entry = fun.entry();
            let named = hash.wrapping_mul(FUN).wrapping_add(fun.captured().len() as u32);
            let named = named.wrapping_mul(ATOM).wrapping_add(text(entry.module));
            let named = named.wrapping_mul(BYTE).wrapping_add(entry.index ^ entry.uniq);
            return Ok((named, [Some(Item::Row(fun.captured())), None]));
        }
        View::ExternalFun(fun) => {
            let named = hash.wrapping_mul(EXPORT).wrapping_add(u32::from(fun.arity()));
            let named = named.wrapping_mul(ATOM).wrapping_add(text(fun.module()));
            named.wrapping_mul(ATOM).wrapping_add(text(fun.function()))
        }
        View::Pid(pid) => number(hash, pid.serial(), PID, FLOAT),
        View::Port(port) => number(hash, port.index(), TUPLE, FUN),
        View::Ref(reference) => {
            let [_, _, low] = ref_parts(reference.unique());
            number(hash, low as u32, TUPLE, FUN)
        }
    };
    Ok((folded, [None, None]))
}

/// The bytes of what identifies something, lowest first, by two of the primes.
fn number(hash: u32, number: u32, each: u32, all: u32) -> u32 {
    let fold = |hash: u32, byte: u8| hash.wrapping_mul(each).wrapping_add(u32::from(byte));
    number.to_le_bytes().into_iter().fold(hash, fold).wrapping_mul(all)
}

/// The bytes of the magnitude, lowest first, by fours as far as there are any.
fn integer(hash: u32, is_negative: bool, limbs: &[u64]) -> u32 {
    let mut hash = hash;
    let words = limbs.iter().flat_map(|limb| [*limb as u32, (*limb >> 32) as u32]);
    let used = limbs
        .iter()
        .rposition(|limb| *limb != 0)
        .map_or(1, |last| 2 * last + 1 + usize::from(limbs[last] >> 32 != 0));
    for word in words.take(used) {
        for byte in word.to_le_bytes() {
            hash = hash.wrapping_mul(BYTE).wrapping_add(u32::from(byte));
        }
    }
    hash.wrapping_mul(if is_negative { NEGATIVE } else { POSITIVE })
}

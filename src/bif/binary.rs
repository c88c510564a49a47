//! Natives of module `binary`.

use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};

use super::erlang::bytes::{BinaryBytes, binary_bytes, byte_list};
use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::heap::ResourceBox;
use crate::num::integer::MAX_LIMBS;
use crate::term::{Bits, Term, View};

/// The binary an argument must be.
fn as_binary<'h>(term: Term<'h>) -> Result<Bits<'h>, Stop<'h>> {
    term.as_bits().filter(|bits| bits.is_binary()).ok_or_else(Stop::badarg)
}

/// How many whole bytes a bitstring has: parts are taken of any bitstring, as in OTP, and never reach into what is less than a byte.
fn whole_bytes(term: Term<'_>) -> Result<usize, Stop<'_>> {
    Ok(term.as_bits().ok_or_else(Stop::badarg)?.bit_length() / 8)
}

/// The bytes of a binary that all will be looked at.
pub(super) fn bytes<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> Result<BinaryBytes<'h>, Stop<'h>> {
    binary_bytes(cx, term, BYTES_PER_UNIT)
}

/// Bytes made cells of a list for one unit.
const CELLS_PER_UNIT: usize = 4;

/// Bytes looked at, or copied, for one unit of work (see `heap::work`).
const BYTES_PER_UNIT: usize = 32;

/// Charges for bytes looked at or moved.
fn charge(cx: &mut Cx<'_>, bytes: usize) {
    cx.charge(bytes / 64);
}

/// A part `{Start, Length}` of `size` bytes, in which the length may be negative: the part then ends at the start.
fn part_of<'h>(start: Term<'h>, length: Term<'h>, size: usize) -> Result<(usize, usize), Stop<'h>> {
    let (start, length) = match (start.as_small(), length.as_small()) {
        (Some(start), Some(length)) if length < 0 => (start.saturating_add(length), -length),
        (Some(start), Some(length)) => (start, length),
        _ => return Err(Stop::badarg()),
    };
    match (usize::try_from(start), usize::try_from(length)) {
        (Ok(start), Ok(length)) if start <= size && length <= size - start => Ok((start, length)),
        _ => Err(Stop::badarg()),
    }
}

fn part_term<'h>(part: Term<'h>, size: usize) -> Result<(usize, usize), Stop<'h>> {
    match part.as_tuple() {
        Some(&[start, length]) => part_of(start, length, size),
        _ => Err(Stop::badarg()),
    }
}

/// `at(binary(), Position) -> byte()`.
///
/// # Errors
/// `badarg` if there is no such byte.
pub fn at<'h>(cx: &mut Cx<'h>, [binary, position]: [Term<'h>; 2]) -> BifResult<'h> {
    let bits = as_binary(binary)?;
    let position = position.as_small().and_then(|at| usize::try_from(at).ok()).ok_or_else(Stop::badarg)?;
    if position >= bits.byte_length() {
        return Err(Stop::badarg());
    }
    Ok(cx.int(i64::from(bits.byte(position)))?)
}

/// `first(binary()) -> byte()`.
///
/// # Errors
/// `badarg` if it is empty.
pub fn first<'h>(cx: &mut Cx<'h>, [binary]: [Term<'h>; 1]) -> BifResult<'h> {
    let byte = as_binary(binary)?.iter_bytes().next().ok_or_else(Stop::badarg)?;
    Ok(cx.int(i64::from(byte))?)
}

/// `last(binary()) -> byte()`.
///
/// # Errors
/// `badarg` if it is empty.
pub fn last<'h>(cx: &mut Cx<'h>, [binary]: [Term<'h>; 1]) -> BifResult<'h> {
    let bits = as_binary(binary)?;
    let position = bits.byte_length().checked_sub(1).ok_or_else(Stop::badarg)?;
    Ok(cx.int(i64::from(bits.byte(position)))?)
}

/// `part(bitstring(), {Start, Length}) -> binary()`.
///
/// # Errors
/// `badarg` if it reaches outside.
pub fn part_of_tuple<'h>(cx: &mut Cx<'h>, [binary, part]: [Term<'h>; 2]) -> BifResult<'h> {
    let (start, length) = part_term(part, whole_bytes(binary)?)?;
    Ok(cx.sub_bits(binary, start * 8, length * 8)?)
}

/// `part(bitstring(), Start, Length) -> binary()`.
///
/// # Errors
/// `badarg` if it reaches outside.
pub fn part<'h>(cx: &mut Cx<'h>, [binary, start, length]: [Term<'h>; 3]) -> BifResult<'h> {
    let (start, length) = part_of(start, length, whole_bytes(binary)?)?;
    Ok(cx.sub_bits(binary, start * 8, length * 8)?)
}

/// `copy(binary()) -> binary()`: bytes of its own.
///
/// # Errors
/// `badarg` if it is no binary.
pub fn copy<'h>(cx: &mut Cx<'h>, [binary]: [Term<'h>; 1]) -> BifResult<'h> {
    let bytes = bytes(cx, binary)?;
    charge(cx, bytes.len());
    Ok(cx.binary(&bytes)?)
}

/// `copy(binary(), N) -> binary()`: repeated.
///
/// # Errors
/// `badarg` if it is no binary (not at all often any bitstring may be repeated) or the number is negative; `system_limit` if it gets too
/// large.
pub fn copy_times<'h>(cx: &mut Cx<'h>, [binary, times]: [Term<'h>; 2]) -> BifResult<'h> {
    let times = times.as_small().and_then(|times| usize::try_from(times).ok()).ok_or_else(Stop::badarg)?;
    if times == 0 {
        whole_bytes(binary)?;
        return Ok(cx.binary(&[])?);
    }
    let bytes = bytes(cx, binary)?;
    let length = bytes.len().checked_mul(times).ok_or_else(Stop::system_limit)?;
    charge(cx, length);
    cx.work(length / BYTES_PER_UNIT)?;
    Ok(cx.binary_with(length, |out| {
        for chunk in out.chunks_exact_mut(bytes.len().max(1)) {
            chunk.copy_from_slice(&bytes);
        }
    })?)
}

/// `bin_to_list(binary()) -> [byte()]`.
///
/// # Errors
/// `badarg` if it is no binary.
pub fn bin_to_list<'h>(cx: &mut Cx<'h>, [binary]: [Term<'h>; 1]) -> BifResult<'h> {
    let bytes = bytes(cx, binary)?;
    charge(cx, 8 * bytes.len());
    cx.work(bytes.len() / CELLS_PER_UNIT)?;
    Ok(cx.byte_list(&bytes, Term::NIL)?)
}

fn list_of_part<'h>(cx: &mut Cx<'h>, binary: Term<'h>, (start, length): (usize, usize)) -> BifResult<'h> {
    charge(cx, 8 * length);
    byte_list(cx, as_binary(binary)?.slice(8 * start, 8 * length), Term::NIL)
}

/// `bin_to_list(binary(), {Start, Length}) -> [byte()]`.
///
/// # Errors
/// `badarg` if it reaches outside.
pub fn bin_to_list_of_tuple<'h>(cx: &mut Cx<'h>, [binary, part]: [Term<'h>; 2]) -> BifResult<'h> {
    let part = part_term(part, as_binary(binary)?.byte_length())?;
    list_of_part(cx, binary, part)
}

/// `bin_to_list(binary(), Start, Length) -> [byte()]`.
///
/// # Errors
/// `badarg` if it reaches outside.
pub fn bin_to_list_of<'h>(cx: &mut Cx<'h>, [binary, start, length]: [Term<'h>; 3]) -> BifResult<'h> {
    let part = part_of(start, length, as_binary(binary)?.byte_length())?;
    list_of_part(cx, binary, part)
}

fn is_little<'h>(endian: Term<'h>) -> Result<bool, Stop<'h>> {
    match endian.as_atom() {
        Some(known::BIG) => Ok(false),
        Some(known::LITTLE) => Ok(true),
        _ => Err(Stop::badarg()),
    }
}

fn decode<'h>(cx: &mut Cx<'h>, binary: Term<'h>, little: bool) -> BifResult<'h> {
    let bytes = bytes(cx, binary)?;
    charge(cx, bytes.len());
    let significant = if little {
        &bytes[..bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1)]
    } else {
        &bytes[bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len())..]
    };
    if significant.len() > 8 * MAX_LIMBS {
        return Err(Stop::system_limit());
    }
    let mut limbs = cx.scratch();
    if little {
        for chunk in significant.chunks(8) {
            limbs.push(chunk.iter().rev().fold(0, |limb, byte| limb << 8 | u64::from(*byte)))?;
        }
    } else {
        for chunk in significant.rchunks(8) {
            limbs.push(chunk.iter().fold(0, |limb, byte| limb << 8 | u64::from(*byte)))?;
        }
    }
    Ok(cx.big(false, &limbs)?)
}

/// `decode_unsigned(binary()) -> non_neg_integer()`.
///
/// # Errors
/// `badarg` if it is no binary.
pub fn decode_unsigned<'h>(cx: &mut Cx<'h>, [binary]: [Term<'h>; 1]) -> BifResult<'h> {
    decode(cx, binary, false)
}

/// `decode_unsigned(binary(), big | little) -> non_neg_integer()`.
///
/// # Errors
/// `badarg` if it is no binary or no byte order.
pub fn decode_unsigned_in<'h>(cx: &mut Cx<'h>, [binary, endian]: [Term<'h>; 2]) -> BifResult<'h> {
    let little = is_little(endian)?;
    decode(cx, binary, little)
}

fn encode<'h>(cx: &mut Cx<'h>, integer: Term<'h>, little: bool) -> BifResult<'h> {
    let mut bytes: Vec<u8> = match integer.view() {
        View::Int(value) if value >= 0 => value.to_le_bytes().to_vec(),
        View::Big(big) if !big.is_negative() => {
            big.limbs().iter().flat_map(|limb| limb.to_le_bytes()).collect()
        }
        _ => return Err(Stop::badarg()),
    };
    while bytes.len() > 1 && bytes.last() == Some(&0) {
        bytes.pop();
    }
    if !little {
        bytes.reverse();
    }
    charge(cx, bytes.len());
    Ok(cx.binary(&bytes)?)
}

/// `encode_unsigned(non_neg_integer()) -> binary()`.
///
/// # Errors
/// `badarg` if it is no such integer.
pub fn encode_unsigned<'h>(cx: &mut Cx<'h>, [integer]: [Term<'h>; 1]) -> BifResult<'h> {
    encode(cx, integer, false)
}

/// `encode_unsigned(non_neg_integer(), big | little) -> binary()`.
///
/// # Errors
/// `badarg` if it is no such integer or no byte order.
pub fn encode_unsigned_in<'h>(cx: &mut Cx<'h>, [integer, endian]: [Term<'h>; 2]) -> BifResult<'h> {
    let little = is_little(endian)?;
    encode(cx, integer, little)
}

fn common<'h>(cx: &mut Cx<'h>, list: Term<'h>, length: impl Fn(&[u8], &[u8]) -> usize) -> BifResult<'h> {
    let mut items = list.list();
    let first = items.next().ok_or_else(Stop::badarg)?;
    let first = bytes(cx, first)?;
    let mut shortest = first.len();
    for item in items.by_ref() {
        let other = bytes(cx, item)?;
        shortest = shortest.min(length(&first, &other));
        charge(cx, shortest);
    }
    if !items.rest().is_nil() {
        return Err(Stop::badarg());
    }
    Ok(cx.int(shortest as i64)?)
}

/// `longest_common_prefix([binary()]) -> non_neg_integer()`.
///
/// # Errors
/// `badarg` if it is no non-empty list of binaries.
pub fn longest_common_prefix<'h>(cx: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    common(cx, list, |a, b| a.iter().zip(b).take_while(|(a, b)| a == b).count())
}

/// `longest_common_suffix([binary()]) -> non_neg_integer()`.
///
/// # Errors
/// `badarg` if it is no non-empty list of binaries.
pub fn longest_common_suffix<'h>(cx: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    common(cx, list, |a, b| a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count())
}

/// `referenced_byte_size(binary()) -> non_neg_integer()`.
///
/// # Errors
/// `badarg` if it is no binary.
pub fn referenced_byte_size<'h>(cx: &mut Cx<'h>, [binary]: [Term<'h>; 1]) -> BifResult<'h> {
    let own = binary.as_bits().ok_or_else(Stop::badarg)?.byte_length();
    let shared = cx.shared_bytes(binary)?.map_or(own, |bytes| bytes.len());
    Ok(cx.int(shared as i64)?)
}

/// What to look for.
enum Pattern<'h> {
    One(BinaryBytes<'h>),
    Many(Arc<ResourceBox>),
}

/// About how many bytes a searcher of several patterns takes for each byte of them.
const STATE_BYTES: usize = 256;

/// Work of one match and the tuple that tells of it.
const UNITS_PER_MATCH: usize = 8;

/// Builds the searcher of several patterns; at one place the longest wins.
fn searcher<'h>(cx: &mut Cx<'h>, list: Term<'h>) -> Result<AhoCorasick, Stop<'h>> {
    let mut items = list.list();
    let mut patterns = Vec::new();
    // The searcher takes some hundred bytes for each byte of its patterns.
    let (mut total, mut room) = (0, cx.charge_for_scratch());
    for item in items.by_ref() {
        let pattern = bytes(cx, item)?;
        if pattern.is_empty() {
            return Err(Stop::badarg());
        }
        total += pattern.len();
        room.cover(total.saturating_mul(STATE_BYTES))?;
        cx.work(pattern.len().saturating_mul(STATE_BYTES / 4))?;
        patterns.push(pattern.to_vec());
    }
    if !items.rest().is_nil() || patterns.is_empty() {
        return Err(Stop::badarg());
    }
    // It fails only for more patterns than can be numbered.
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .build(patterns)
        .map_err(|_| Stop::system_limit())
}

fn pattern<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> Result<Pattern<'h>, Stop<'h>> {
    if term.as_bits().is_some() {
        let bytes = bytes(cx, term)?;
        return if bytes.is_empty() { Err(Stop::badarg()) } else { Ok(Pattern::One(bytes)) };
    }
    match term.view() {
        View::Cons(_) => Ok(Pattern::Many(Arc::new(Box::new(searcher(cx, term)?)))),
        View::Tuple(&[tag, compiled]) if tag.is_atom(known::BM) && compiled.as_bits().is_some() => {
            pattern(cx, compiled)
        }
        View::Tuple(&[tag, compiled]) if tag.is_atom(known::AC) => {
            let resource = cx.resource_value(compiled).ok_or_else(Stop::badarg)?;
            if resource.is::<AhoCorasick>() { Ok(Pattern::Many(resource)) } else { Err(Stop::badarg()) }
        }
        _ => Err(Stop::badarg()),
    }
}

/// `compile_pattern(binary() | [binary()]) -> cp()`.
///
/// # Errors
/// `badarg` if it is empty or holds an empty binary.
pub fn compile_pattern<'h>(cx: &mut Cx<'h>, [term]: [Term<'h>; 1]) -> BifResult<'h> {
    match pattern(cx, term)? {
        Pattern::One(_) => Ok(cx.tuple(&[Term::atom(known::BM), term])?),
        Pattern::Many(searcher) => {
            let unique = cx.worker.make_unique();
            let resource = cx.resource(unique, searcher)?;
            Ok(cx.tuple(&[Term::atom(known::AC), resource])?)
        }
    }
}

impl Pattern<'_> {
    /// Units of work that a search through so many bytes takes, besides looking at each.
    fn units(&self, bytes: usize) -> usize {
        match self {
            Pattern::One(_) => 0,
            Pattern::Many(_) => bytes / 2,
        }
    }

    /// The first match in `bytes`: where, and how long.
    fn find(&self, bytes: &[u8]) -> Option<(usize, usize)> {
        match self {
            Pattern::One(pattern) => memchr::memmem::find(bytes, pattern).map(|at| (at, pattern.len())),
            Pattern::Many(searcher) => {
                searcher.downcast_ref::<AhoCorasick>()?.find(bytes).map(|found| (found.start(), found.len()))
            }
        }
    }

    /// All matches that do not overlap, as long as `found` takes them.
    fn find_all<E>(
        &self,
        bytes: &[u8],
        mut found: impl FnMut(usize, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Pattern::One(pattern) => {
                memchr::memmem::find_iter(bytes, &**pattern).try_for_each(|at| found(at, pattern.len()))
            }
            Pattern::Many(searcher) => match searcher.downcast_ref::<AhoCorasick>() {
                Some(searcher) => searcher.find_iter(bytes).try_for_each(|one| found(one.start(), one.len())),
                None => Ok(()),
            },
        }
    }
}

/// The part of the subject that the options restrict the search to. As in OTP, what a list of options ends with does not matter.
fn scope<'h>(options: Term<'h>, size: usize) -> Result<(usize, usize), Stop<'h>> {
    if !options.is_nil() && options.as_cons().is_none() {
        return Err(Stop::badarg());
    }
    let mut found = (0, size);
    for option in options.list() {
        match option.as_tuple() {
            Some(&[key, part]) if key.is_atom(known::SCOPE) => found = part_term(part, size)?,
            _ => return Err(Stop::badarg()),
        }
    }
    Ok(found)
}

fn part_tuple<'h>(cx: &mut Cx<'h>, at: usize, length: usize) -> BifResult<'h> {
    let at = cx.int(at as i64)?;
    let length = cx.int(length as i64)?;
    Ok(cx.tuple(&[at, length])?)
}

/// `match(binary(), Pattern) -> {Start, Length} | nomatch`.
///
/// # Errors
/// `badarg` if that is no binary or no pattern.
pub fn match_first<'h>(cx: &mut Cx<'h>, [subject, term]: [Term<'h>; 2]) -> BifResult<'h> {
    match_first_in(cx, [subject, term, Term::NIL])
}

/// `match(binary(), Pattern, Options) -> {Start, Length} | nomatch`.
///
/// # Errors
/// `badarg` if that is no binary, no pattern, or a scope that reaches outside.
pub fn match_first_in<'h>(cx: &mut Cx<'h>, [subject, term, options]: [Term<'h>; 3]) -> BifResult<'h> {
    let subject = bytes(cx, subject)?;
    // As in OTP, the pattern is not looked at then.
    if subject.is_empty() && options.is_nil() {
        return Ok(Term::atom(known::NOMATCH));
    }
    let pattern = pattern(cx, term)?;
    let (start, length) = scope(options, subject.len())?;
    cx.work(pattern.units(length))?;
    let found = pattern.find(&subject[start..start + length]);
    charge(cx, found.map_or(length, |(at, length)| at + length));
    match found {
        Some((at, length)) => part_tuple(cx, start + at, length),
        None => Ok(Term::atom(known::NOMATCH)),
    }
}

/// `matches(binary(), Pattern) -> [{Start, Length}]`.
///
/// # Errors
/// As `match/2`.
pub fn match_all<'h>(cx: &mut Cx<'h>, [subject, term]: [Term<'h>; 2]) -> BifResult<'h> {
    match_all_in(cx, [subject, term, Term::NIL])
}

/// `matches(binary(), Pattern, Options) -> [{Start, Length}]`.
///
/// # Errors
/// As `match/3`.
pub fn match_all_in<'h>(cx: &mut Cx<'h>, [subject, term, options]: [Term<'h>; 3]) -> BifResult<'h> {
    let subject = bytes(cx, subject)?;
    if subject.is_empty() && options.is_nil() {
        return Ok(Term::NIL);
    }
    let pattern = pattern(cx, term)?;
    let (start, length) = scope(options, subject.len())?;
    cx.work(pattern.units(length))?;
    let mut terms = cx.scratch();
    pattern.find_all(&subject[start..start + length], |at, length| {
        cx.work(UNITS_PER_MATCH)?;
        terms.push(part_tuple(cx, start + at, length)?)?;
        Ok::<(), Stop<'h>>(())
    })?;
    charge(cx, length + 64 * terms.len());
    Ok(cx.list(&terms)?)
}

/// `split(binary(), Pattern) -> [binary()]`: at the first match.
///
/// # Errors
/// As `match/2`.
pub fn split<'h>(cx: &mut Cx<'h>, [subject, term]: [Term<'h>; 2]) -> BifResult<'h> {
    split_in(cx, [subject, term, Term::NIL])
}

/// `split(binary(), Pattern, Options) -> [binary()]`.
///
/// # Errors
/// As `match/3`; and for other options than `global`, `trim`, `trim_all` and a scope.
pub fn split_in<'h>(cx: &mut Cx<'h>, [whole, term, options]: [Term<'h>; 3]) -> BifResult<'h> {
    let subject = bytes(cx, whole)?;
    let wanted = SplitOptions::read(options, subject.len())?;
    // As in OTP, the pattern is not looked at then.
    if subject.is_empty() && wanted.scope.is_none() {
        return Ok(if wanted.trim == Trim::Nothing { cx.list(&[whole])? } else { Term::NIL });
    }
    let pattern = pattern(cx, term)?;
    let (start, length) = wanted.scope.unwrap_or((0, subject.len()));
    cx.work(pattern.units(length))?;
    let (mut parts, mut from) = (cx.scratch(), 0);
    let mut add = |cx: &mut Cx<'h>, at: usize, end: usize| {
        if at < end || wanted.trim != Trim::All {
            parts.push((at, end))?;
        }
        cx.work(UNITS_PER_MATCH)
    };
    let searched = &subject[start..start + length];
    if wanted.global {
        pattern.find_all(searched, |at, length| {
            add(cx, from, start + at)?;
            from = start + at + length;
            Ok::<(), Stop<'h>>(())
        })?;
        charge(cx, length);
    } else {
        let found = pattern.find(searched);
        charge(cx, found.map_or(length, |(at, length)| at + length));
        if let Some((at, length)) = found {
            add(cx, 0, start + at)?;
            from = start + at + length;
        }
    }
    add(cx, from, subject.len())?;
    let kept = match wanted.trim {
        Trim::End => parts.iter().rposition(|(at, end)| at < end).map_or(0, |last| last + 1),
        Trim::Nothing | Trim::All => parts.len(),
    };
    charge(cx, 64 * kept);
    let mut list = Term::NIL;
    for &(at, end) in parts[..kept].iter().rev() {
        let part = cx.sub_bits(whole, at * 8, (end - at) * 8)?;
        list = cx.cons(part, list)?;
    }
    Ok(list)
}

/// Which empty parts go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trim {
    Nothing,
    End,
    All,
}

struct SplitOptions {
    global: bool,
    trim: Trim,
    scope: Option<(usize, usize)>,
}

impl SplitOptions {
    fn read<'h>(options: Term<'h>, size: usize) -> Result<SplitOptions, Stop<'h>> {
        if !options.is_nil() && options.as_cons().is_none() {
            return Err(Stop::badarg());
        }
        let mut read = SplitOptions { global: false, trim: Trim::Nothing, scope: None };
        for option in options.list() {
            match option.as_tuple() {
                Some(&[key, part]) if key.is_atom(known::SCOPE) => read.scope = Some(part_term(part, size)?),
                _ if option.is_atom(known::GLOBAL) => read.global = true,
                _ if option.is_atom(known::TRIM_ALL) => read.trim = Trim::All,
                _ if option.is_atom(known::TRIM) && read.trim == Trim::Nothing => read.trim = Trim::End,
                _ if option.is_atom(known::TRIM) => {}
                _ => return Err(Stop::badarg()),
            }
        }
        Ok(read)
    }
}

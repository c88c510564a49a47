//! Natives of `unicode`, `unicode_util` and `erlet_unicode`.

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use super::chardata::{self, Chars, Encoding, Fault, Text, code_point_list};
use super::front::{begins_with_binary, front};
use crate::atom::{Atom, known};
use crate::bif::{BifResult, Cx, Stop};
use crate::term::{Term, View};

fn encoding<'h>(cx: &Cx<'h>, term: Term<'h>) -> Result<Encoding, Stop<'h>> {
    let by_name = |atom: Atom, little: bool| match cx.atoms().text(atom) {
        "latin1" => Some(Encoding::Latin1),
        "unicode" | "utf8" => Some(Encoding::Utf8),
        "utf16" => Some(Encoding::Utf16 { little }),
        "utf32" => Some(Encoding::Utf32 { little }),
        _ => None,
    };
    let endian = |term: Term<'h>| match cx.atoms().text(term.as_atom()?) {
        "big" => Some(false),
        "little" => Some(true),
        _ => None,
    };
    let found = match term.view() {
        View::Atom(atom) => by_name(atom, false),
        View::Tuple(&[name, order]) => {
            let name = name.as_atom().ok_or_else(Stop::badarg)?;
            let little = endian(order).ok_or_else(Stop::badarg)?;
            by_name(name, little)
                .filter(|found| matches!(found, Encoding::Utf16 { .. } | Encoding::Utf32 { .. }))
        }
        _ => None,
    };
    found.ok_or_else(Stop::badarg)
}

/// Bytes looked at, many at a time, for one unit of work.
const CHECKED_PER_UNIT: usize = 32;

/// Charges for `characters` converted.
fn charge(cx: &mut Cx<'_>, characters: usize) {
    cx.charge(characters / 32);
}

/// The answer for a fault after `done` was converted: `{error | incomplete, Done, Rest}`.
fn partial<'h>(cx: &mut Cx<'h>, chars: &Chars<'h>, fault: Fault, done: Term<'h>) -> BifResult<'h> {
    let (tag, rest) = match fault {
        Fault::NotChardata => return Err(Stop::badarg()),
        Fault::Stopped(error) => return Err(error.into()),
        Fault::Invalid => (known::ERROR, chars.rest_of_fault(cx)?),
        Fault::Incomplete => (known::INCOMPLETE, cx.binary(chars.unfinished())?),
    };
    Ok(cx.tuple(&[Term::atom(tag), done, rest])?)
}

/// `characters_to_list(Data) -> [char()] | {error | incomplete, [char()], Rest}`.
///
/// # Errors
/// `badarg` if it is no chardata.
pub fn to_list<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    list_from(cx, data, Encoding::Utf8)
}

/// `characters_to_list(Data, InEncoding) -> [char()] | {error | incomplete, [char()], Rest}`.
///
/// # Errors
/// `badarg` if it is no chardata or no encoding.
pub fn to_list_from<'h>(cx: &mut Cx<'h>, [data, from]: [Term<'h>; 2]) -> BifResult<'h> {
    let encoding = encoding(cx, from)?;
    let answer = list_from(cx, data, encoding);
    or_by_parts(answer, (encoding, Encoding::Utf8), known::CHARACTERS_TO_LIST, &[data, from])
}

/// A conversion that fails is taken once more, part by part, by `erlet_transcode`, unless OTP has a native for it: what such a one leaves has
/// another shape.
fn or_by_parts<'h>(
    answer: BifResult<'h>,
    (from, to): (Encoding, Encoding),
    function: Atom,
    args: &[Term<'h>],
) -> BifResult<'h> {
    let has_native = matches!(from, Encoding::Latin1 | Encoding::Utf8) && to == Encoding::Utf8;
    let failed = match &answer {
        Ok(converted) => matches!(converted.view(), View::Tuple(_)),
        Err(stop) => stop.is_badarg(),
    };
    if failed && !has_native {
        return Err(Stop::tail_call(known::ERLET_TRANSCODE, function, args.to_vec()));
    }
    answer
}

fn list_from<'h>(cx: &mut Cx<'h>, data: Term<'h>, from: Encoding) -> BifResult<'h> {
    let mut chars = Chars::new(data, from);
    let mut all = cx.scratch();
    let end = loop {
        let next = match chars.run(cx, false) {
            Ok(Some(run)) => {
                run.iter().try_for_each(|byte| all.push(u32::from(*byte)))?;
                continue;
            }
            Ok(None) => chars.next(cx),
            Err(fault) => Err(fault),
        };
        match next {
            Ok(Some(code_point)) => all.push(code_point)?,
            Ok(None) => break None,
            Err(Fault::Stopped(error)) => return Err(error.into()),
            Err(fault) => break Some(fault),
        }
    };
    charge(cx, all.len());
    let done = code_point_list(cx, &all)?;
    match end {
        None => Ok(done),
        Some(fault) => partial(cx, &chars, fault, done),
    }
}

/// `characters_to_binary(Data) -> binary() | {error | incomplete, binary(), Rest}`.
///
/// # Errors
/// `badarg` if it is no chardata.
pub fn to_binary<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    binary_from(cx, data, Encoding::Utf8, Encoding::Utf8)
}

/// `characters_to_binary(Data, InEncoding) -> binary() | {error | incomplete, binary(), Rest}`.
///
/// # Errors
/// `badarg` if it is no chardata or no encoding.
pub fn to_binary_from<'h>(cx: &mut Cx<'h>, [data, from]: [Term<'h>; 2]) -> BifResult<'h> {
    let encoding = encoding(cx, from)?;
    let answer = binary_from(cx, data, encoding, Encoding::Utf8);
    or_by_parts(answer, (encoding, Encoding::Utf8), known::CHARACTERS_TO_BINARY, &[data, from])
}

/// `characters_to_binary(Data, InEncoding, OutEncoding) -> binary() | {error | incomplete, binary(), Rest}`.
///
/// # Errors
/// `badarg` if it is no chardata or no encoding.
pub fn to_binary_from_to<'h>(cx: &mut Cx<'h>, [data, from, to]: [Term<'h>; 3]) -> BifResult<'h> {
    let way = (encoding(cx, from)?, encoding(cx, to)?);
    let answer = binary_from(cx, data, way.0, way.1);
    or_by_parts(answer, way, known::CHARACTERS_TO_BINARY, &[data, from, to])
}

fn binary_from<'h>(cx: &mut Cx<'h>, data: Term<'h>, from: Encoding, to: Encoding) -> BifResult<'h> {
    // Text that is right already stays what it is.
    if from == Encoding::Utf8
        && to == Encoding::Utf8
        && let Some(bytes) = data.as_bits().filter(|bits| bits.is_binary()).and_then(|bits| bits.as_bytes())
    {
        cx.work(bytes.len() / CHECKED_PER_UNIT)?;
        if std::str::from_utf8(bytes).is_ok() {
            charge(cx, bytes.len() / 8);
            return Ok(data);
        }
    }
    let data = match (from, to, only_element(data)) {
        // As in OTP, a binary alone in a list is as good as the binary.
        (Encoding::Utf8, Encoding::Utf8, Some(binary)) if binary.as_bits().is_some() => binary,
        _ => data,
    };
    let mut chars = Chars::new(data, from);
    let mut all = cx.scratch();
    let end = loop {
        let next = match to {
            Encoding::Utf8 | Encoding::Latin1 => match chars.run(cx, to == Encoding::Utf8) {
                Ok(Some(run)) => {
                    all.extend(run)?;
                    continue;
                }
                Ok(None) => chars.next(cx),
                Err(fault) => Err(fault),
            },
            _ => chars.next(cx),
        };
        match next {
            Ok(Some(code_point)) => {
                if to.encode(code_point, &mut all)? {
                    continue;
                }
                let done = cx.binary(&all)?;
                let rest = chars.rest_with(cx, code_point)?;
                return Ok(cx.tuple(&[Term::atom(known::ERROR), done, rest])?);
            }
            Ok(None) => break None,
            Err(Fault::Stopped(error)) => return Err(error.into()),
            Err(fault) => break Some(fault),
        }
    };
    charge(cx, all.len());
    cx.work(all.len() / CHECKED_PER_UNIT)?;
    let done = cx.binary(&all)?;
    match end {
        None => Ok(done),
        Some(fault) => partial(cx, &chars, fault, done),
    }
}

fn only_element(list: Term<'_>) -> Option<Term<'_>> {
    match list.view() {
        View::Cons(cell) if cell.tail().is_nil() => Some(cell.head()),
        _ => None,
    }
}

/// `bin_is_7bit(binary()) -> boolean()`.
pub fn bin_is_7bit<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    cx.work(data.as_bits().map_or(0, |bits| bits.byte_length() / 4))?;
    let bytes = data.as_bits().filter(|bits| bits.is_binary());
    Ok(Term::boolean(bytes.is_some_and(|bits| bits.iter_bytes().all(|byte| byte < 128))))
}

/// What the normalizing functions do with text.
type Normalize = fn(&str) -> String;

const NFC: Normalize = |text| text.nfc().collect();
const NFD: Normalize = |text| text.nfd().collect();
const NFKC: Normalize = |text| text.nfkc().collect();
const NFKD: Normalize = |text| text.nfkd().collect();

/// Bytes of text that one unit of work pays for in normalization, segmentation and the like.
const TEXT_PER_UNIT: usize = 1;

/// Normalizes what is valid; the fault and where, if there is one.
fn normalized<'h>(
    cx: &mut Cx<'h>,
    data: Term<'h>,
    normalize: Normalize,
) -> Result<(String, Option<(Fault, Chars<'h>)>), Stop<'h>> {
    let (text, fault) = chardata::read(cx, data)?;
    cx.work(4 * text.len() / TEXT_PER_UNIT)?;
    // The longest normal form of a character is eighteen times as long, a common one is no longer.
    let mut room = cx.charge_for_scratch();
    room.cover(4 * text.len())?;
    Ok((normalize(&text), fault))
}

fn normal_list<'h>(cx: &mut Cx<'h>, data: Term<'h>, normalize: Normalize) -> BifResult<'h> {
    let (text, fault) = normalized(cx, data, normalize)?;
    charge(cx, text.len());
    let done = cx.string(&text)?;
    finish(cx, done, fault)
}

fn normal_binary<'h>(cx: &mut Cx<'h>, data: Term<'h>, normalize: Normalize) -> BifResult<'h> {
    let (text, fault) = normalized(cx, data, normalize)?;
    charge(cx, text.len());
    let done = cx.binary(text.as_bytes())?;
    finish(cx, done, fault)
}

fn finish<'h>(cx: &mut Cx<'h>, done: Term<'h>, fault: Option<(Fault, Chars<'h>)>) -> BifResult<'h> {
    match fault {
        None => Ok(done),
        Some((Fault::NotChardata, _)) => Err(Stop::badarg()),
        Some((_, chars)) => {
            let rest = chars.rest(cx)?;
            Ok(cx.tuple(&[Term::atom(known::ERROR), done, rest])?)
        }
    }
}

macro_rules! normal_forms {
    ($($(#[doc = $doc:literal])+ $name:ident = $build:ident($form:ident);)*) => {$(
        $(#[doc = $doc])+
        ///
        /// # Errors
        /// `badarg` if it is no chardata.
        pub fn $name<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
            $build(cx, data, $form)
        }
    )*};
}

normal_forms! {
    /// `characters_to_nfc_list(chardata()) -> [char()] | {error, [char()], chardata()}`.
    to_nfc_list = normal_list(NFC);
    /// `characters_to_nfd_list(chardata()) -> [char()] | {error, [char()], chardata()}`.
    to_nfd_list = normal_list(NFD);
    /// `characters_to_nfkc_list(chardata()) -> [char()] | {error, [char()], chardata()}`.
    to_nfkc_list = normal_list(NFKC);
    /// `characters_to_nfkd_list(chardata()) -> [char()] | {error, [char()], chardata()}`.
    to_nfkd_list = normal_list(NFKD);
    /// `characters_to_nfc_binary(chardata()) -> binary() | {error, binary(), chardata()}`.
    to_nfc_binary = normal_binary(NFC);
    /// `characters_to_nfd_binary(chardata()) -> binary() | {error, binary(), chardata()}`.
    to_nfd_binary = normal_binary(NFD);
    /// `characters_to_nfkc_binary(chardata()) -> binary() | {error, binary(), chardata()}`.
    to_nfkc_binary = normal_binary(NFKC);
    /// `characters_to_nfkd_binary(chardata()) -> binary() | {error, binary(), chardata()}`.
    to_nfkd_binary = normal_binary(NFKD);
}

/// What does not begin with a character is for `erlet_cluster`, written in Erlang, which has the traces of its failures right.
fn by_hand(function: Atom, data: Term<'_>) -> Stop<'_> {
    Stop::tail_call(known::ERLET_CLUSTER, function, vec![data])
}

/// `unicode_util:cp(chardata()) -> [char() | chardata()] | {error, chardata()}`.
///
/// # Errors
/// `function_clause` if it is no chardata.
pub fn code_point<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    // The commonest inputs need no reader.
    if let Some(cell) = data.as_cons()
        && cell.head().as_small().is_some()
    {
        return Ok(data);
    }
    match front(cx, data) {
        Ok(None) => Ok(Term::NIL),
        Ok(Some((code_point, rest))) => {
            let head = cx.int(i64::from(code_point))?;
            Ok(cx.cons(head, rest)?)
        }
        Err(Fault::Stopped(error)) => Err(error.into()),
        Err(_) => Err(by_hand(known::CP, data)),
    }
}

/// Code points below this begin and end clusters of their own, but for `\r\n`: no combining character, joiner, or
/// regional indicator is among them.
const FIRST_COMBINING: u32 = 0x300;

/// Behind characters below this, OTP opens the lists that follow.
const OPENED_BELOW: u32 = 256;

/// `unicode_util:gc(chardata()) -> [Cluster | chardata()] | {error, chardata()}`: the first extended grapheme cluster, a code
/// point or a list of several.
///
/// # Errors
/// `function_clause` if it is no chardata.
pub fn grapheme<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    match first_grapheme(cx, data) {
        Ok(None) => Ok(Term::NIL),
        Ok(Some((cluster, rest))) => Ok(cx.cons(cluster, rest)?),
        Err(Fault::Stopped(error)) => Err(error.into()),
        Err(_) => Err(by_hand(known::GC, data)),
    }
}

/// The first cluster and the rest.
fn first_grapheme<'h>(cx: &mut Cx<'h>, data: Term<'h>) -> Result<Option<(Term<'h>, Term<'h>)>, Fault> {
    let Some((first, rest)) = front(cx, data)? else { return Ok(None) };
    let rest = match data.as_bits() {
        Some(_) => rest,
        None => looked_at(cx, first, rest)?,
    };
    let length = cluster_length(cx, first, Chars::new(rest, Encoding::Utf8))?;
    let mut cluster = cx.scratch();
    cluster.push(first)?;
    let mut rest = rest;
    while cluster.len() < length {
        // What comes next is no character, or the end: the cluster ends, too.
        let Ok(Some((next, behind))) = front(cx, rest) else { break };
        cluster.push(next)?;
        rest = behind;
    }
    charge(cx, 8 * cluster.len());
    let head = match cluster[..] {
        [single] => cx.int(i64::from(single))?,
        _ => code_point_list(cx, &cluster)?,
    };
    Ok(Some((head, rest)))
}

/// What follows `first` in a list: opened, as OTP looks at the next character there, unless that is in a binary.
fn looked_at<'h>(cx: &mut Cx<'h>, first: u32, rest: Term<'h>) -> Result<Term<'h>, Fault> {
    let flat = match rest.as_cons() {
        Some(cell) => cell.head().as_small().is_some(),
        None => rest.is_nil(),
    };
    let carriage_return = first == u32::from(b'\r');
    if flat || first >= OPENED_BELOW || !carriage_return && begins_with_binary(cx, rest)? {
        return Ok(rest);
    }
    match front(cx, rest) {
        Ok(Some((next, behind))) => {
            let next = cx.int(i64::from(next))?;
            Ok(cx.cons(next, behind)?)
        }
        Ok(None) => Ok(Term::NIL),
        Err(Fault::Stopped(error)) => Err(error.into()),
        Err(_) => Ok(rest),
    }
}

/// How many code points the cluster has that begins with `first`, before `rest`.
///
/// # Errors
/// If what follows is no chardata; see [`Fault`].
fn cluster_length<'h>(cx: &mut Cx<'h>, first: u32, mut rest: Chars<'h>) -> Result<usize, Fault> {
    let mut text = Text::new(cx);
    if let Some(first) = char::from_u32(first) {
        text.push(first)?;
    }
    let mut want = 1_usize;
    loop {
        match rest.next(cx) {
            Ok(Some(next)) => {
                if want == 1 && first < FIRST_COMBINING && next < FIRST_COMBINING && first != u32::from(b'\r')
                {
                    return Ok(1);
                }
                if let Some(next) = char::from_u32(next) {
                    text.push(next)?;
                }
            }
            Err(fault @ (Fault::Stopped(_) | Fault::NotChardata)) => return Err(fault),
            _ => return Ok(first_cluster(&text).0),
        }
        want += 1;
        // Look only when there is a good chance that the cluster has ended: lengths double.
        if want.is_power_of_two() {
            cx.work(4 * want)?;
            let (length, whole) = first_cluster(&text);
            if !whole {
                return Ok(length);
            }
        }
    }
}

/// Code points of the first cluster of a text, and whether it is all of the text.
fn first_cluster(text: &str) -> (usize, bool) {
    let cluster = text.graphemes(true).next().unwrap_or("");
    (cluster.chars().count(), cluster.len() == text.len())
}

/// A flat list of code points or a UTF-8 binary as text, and what follows the valid part.
fn flat_text<'h>(cx: &mut Cx<'h>, data: Term<'h>) -> Result<(Text<'h>, Option<Term<'h>>), Stop<'h>> {
    let (text, fault) = chardata::read(cx, data)?;
    cx.work(4 * text.len() / TEXT_PER_UNIT)?;
    match fault {
        None => Ok((text, None)),
        Some((Fault::NotChardata, _)) => Err(Stop::badarg()),
        Some((_, chars)) => {
            let rest = chars.rest(cx)?;
            Ok((text, Some(rest)))
        }
    }
}

/// `erlet_unicode:length(chardata()) -> non_neg_integer() | {error, Rest}`: grapheme clusters.
///
/// # Errors
/// `badarg` if it is no chardata.
pub fn length<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    let (text, fault) = flat_text(cx, data)?;
    charge(cx, text.len());
    match fault {
        None => Ok(cx.int(text.graphemes(true).count() as i64)?),
        Some(rest) => Ok(cx.tuple(&[Term::atom(known::ERROR), rest])?),
    }
}

/// `erlet_unicode:graphemes(chardata()) -> [Cluster] | {error, [Cluster], Rest}`.
///
/// # Errors
/// `badarg` if it is no chardata.
pub fn graphemes<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    let (text, fault) = flat_text(cx, data)?;
    charge(cx, text.len());
    let mut clusters = cx.scratch();
    for cluster in text.graphemes(true) {
        let mut code_points = cluster.chars();
        clusters.push(match (code_points.next(), code_points.next()) {
            (Some(single), None) => cx.int(i64::from(u32::from(single)))?,
            _ => cx.string(cluster)?,
        })?;
    }
    let done = cx.list(&clusters)?;
    match fault {
        None => Ok(done),
        Some(rest) => Ok(cx.tuple(&[Term::atom(known::ERROR), done, rest])?),
    }
}

/// `erlet_unicode:width(chardata()) -> non_neg_integer()`: terminal columns.
///
/// # Errors
/// `badarg` if it is no valid chardata.
pub fn width<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    let (text, fault) = flat_text(cx, data)?;
    if fault.is_some() {
        return Err(Stop::badarg());
    }
    charge(cx, text.len());
    Ok(cx.int(unicode_width::UnicodeWidthStr::width(&*text) as i64)?)
}

/// Chardata mapped code point by code point: a binary for a binary, a flat list for a list; `{error, Rest}` at what is
/// invalid.
fn mapped<'h>(cx: &mut Cx<'h>, data: Term<'h>, map: impl Fn(char, &mut String)) -> BifResult<'h> {
    let (text, fault) = flat_text(cx, data)?;
    if let Some(rest) = fault {
        return Ok(cx.tuple(&[Term::atom(known::ERROR), rest])?);
    }
    charge(cx, text.len());
    let mut room = cx.charge_for_scratch();
    room.cover(2 * text.len())?;
    let mut image = String::with_capacity(text.len());
    for character in text.chars() {
        map(character, &mut image);
    }
    if data.as_bits().is_some() { Ok(cx.binary(image.as_bytes())?) } else { Ok(cx.string(&image)?) }
}

/// `erlet_unicode:lowercase(chardata()) -> chardata() | {error, Rest}`.
///
/// # Errors
/// `badarg` if it is no chardata.
pub fn lowercase<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    mapped(cx, data, |character, image| image.extend(character.to_lowercase()))
}

/// `erlet_unicode:uppercase(chardata()) -> chardata() | {error, Rest}`.
///
/// # Errors
/// `badarg` if it is no chardata.
pub fn uppercase<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    mapped(cx, data, |character, image| image.extend(character.to_uppercase()))
}

/// `erlet_unicode:casefold(chardata()) -> chardata() | {error, Rest}`.
///
/// # Errors
/// `badarg` if it is no chardata.
pub fn casefold<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    mapped(cx, data, |character, image| {
        image.push_str(&caseless::default_case_fold_str(character.encode_utf8(&mut [0; 4])));
    })
}

/// `erlet_unicode:titlecase(chardata()) -> chardata() | {error, Rest}`: the first code point mapped, the rest untouched.
///
/// # Errors
/// `badarg` if it is no chardata.
pub fn titlecase<'h>(cx: &mut Cx<'h>, [data]: [Term<'h>; 1]) -> BifResult<'h> {
    let (first, rest) = match front(cx, data) {
        Ok(None) => return Ok(data),
        Ok(Some(front)) => front,
        Err(Fault::NotChardata) => return Err(Stop::badarg()),
        Err(Fault::Stopped(error)) => return Err(error.into()),
        Err(_) => return Ok(cx.tuple(&[Term::atom(known::ERROR), data])?),
    };
    let images = char::from_u32(first).map(unicode_case_mapping::to_titlecase).unwrap_or_default();
    let mut images: Vec<u32> = images.into_iter().filter(|image| *image != 0).collect();
    if images.is_empty() {
        images.push(first);
    }
    if let Some(bits) = rest.as_bits().filter(|_| data.as_bits().is_some()) {
        cx.work(bits.byte_length() / 4)?;
        let mut bytes = cx.scratch();
        for image in images {
            Encoding::Utf8.encode(image, &mut bytes)?;
        }
        bytes.reserve(bits.byte_length())?;
        for byte in bits.iter_bytes() {
            bytes.push(byte)?;
        }
        return Ok(cx.binary(&bytes)?);
    }
    // In a list a binary is an element, not the tail.
    let mut list = match rest.as_bits() {
        Some(bits) if bits.bit_length() == 0 => Term::NIL,
        Some(_) => cx.list(&[rest])?,
        None => rest,
    };
    for image in images.into_iter().rev() {
        let image = cx.int(i64::from(image))?;
        list = cx.cons(image, list)?;
    }
    Ok(list)
}

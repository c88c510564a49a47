//! Numbers from text and back.

use dashu_int::{IBig, Sign, UBig};

use super::bytes::binary_bytes;
use crate::bif::{BifResult, Cx, Stop};
use crate::heap::Scratch;
use crate::num::integer::Int;
use crate::num::{float, huge};
use crate::term::{Term, View};

/// The integer of a term as dashu's.
pub fn to_ibig(term: Term<'_>) -> Option<IBig> {
    match term.view() {
        View::Int(value) => Some(IBig::from(value)),
        View::Big(big) => {
            let words: Vec<dashu_int::Word> =
                big.limbs().iter().map(|limb| *limb as dashu_int::Word).collect();
            let sign = if big.is_negative() { Sign::Negative } else { Sign::Positive };
            Some(IBig::from_parts(sign, UBig::from_words(&words)))
        }
        _ => None,
    }
}

fn radix(term: Term<'_>) -> Option<u32> {
    term.as_small().and_then(|base| u32::try_from(base).ok()).filter(|base| (2..=36).contains(base))
}

/// Most characters of a small integer in decimal.
const SMALL_CHARS: usize = 20;

/// The decimal text of an integer, at the end of `place`.
fn decimal(value: i64, place: &mut [u8; SMALL_CHARS]) -> &[u8] {
    let mut first = SMALL_CHARS;
    let mut rest = value.unsigned_abs();
    loop {
        first -= 1;
        place[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        first -= 1;
        place[first] = b'-';
    }
    &place[first..]
}

fn integer_text<'h>(cx: &mut Cx<'h>, number: Term<'h>, radix: Option<u32>) -> Result<String, Stop<'h>> {
    let radix = radix.ok_or_else(Stop::badarg)?;
    match number.view() {
        View::Int(value) if radix == 10 => Ok(value.to_string()),
        View::Big(big) => {
            let mut room = cx.charge_for_scratch();
            room.cover(huge::TEXT_ROOM_PER_LIMB * big.limbs().len())?;
            let int = Int { negative: big.is_negative(), limbs: big.limbs() };
            Ok(huge::text(int, radix, &mut |units| cx.work(units))?)
        }
        _ => {
            let mut text = to_ibig(number).ok_or_else(Stop::badarg)?.in_radix(radix as u8).to_string();
            text.make_ascii_uppercase();
            Ok(text)
        }
    }
}

/// Digits of a number that one reduction pays for.
const DIGITS_PER_REDUCTION: usize = 64;

/// `integer_to_list(integer()) -> string()`.
///
/// # Errors
/// `badarg` if it is no integer.
pub fn integer_to_list<'h>(cx: &mut Cx<'h>, [number]: [Term<'h>; 1]) -> BifResult<'h> {
    if let Some(value) = number.as_small() {
        return Ok(cx.byte_list(decimal(value, &mut [0; SMALL_CHARS]), Term::NIL)?);
    }
    let text = integer_text(cx, number, Some(10))?;
    cx.charge(text.len() / DIGITS_PER_REDUCTION);
    Ok(cx.byte_list(text.as_bytes(), Term::NIL)?)
}

/// `integer_to_list(integer(), Base :: 2..36) -> string()`.
///
/// # Errors
/// `badarg` if it is no integer or the base out of range.
pub fn integer_to_list_in<'h>(cx: &mut Cx<'h>, [number, base]: [Term<'h>; 2]) -> BifResult<'h> {
    let text = integer_text(cx, number, radix(base))?;
    cx.charge(text.len() / DIGITS_PER_REDUCTION);
    Ok(cx.byte_list(text.as_bytes(), Term::NIL)?)
}

/// `integer_to_binary(integer()) -> binary()`.
///
/// # Errors
/// `badarg` if it is no integer.
pub fn integer_to_binary<'h>(cx: &mut Cx<'h>, [number]: [Term<'h>; 1]) -> BifResult<'h> {
    if let Some(value) = number.as_small() {
        return Ok(cx.binary(decimal(value, &mut [0; SMALL_CHARS]))?);
    }
    let text = integer_text(cx, number, Some(10))?;
    cx.charge(text.len() / DIGITS_PER_REDUCTION);
    Ok(cx.binary(text.as_bytes())?)
}

/// `integer_to_binary(integer(), Base :: 2..36) -> binary()`.
///
/// # Errors
/// `badarg` if it is no integer or the base out of range.
pub fn integer_to_binary_in<'h>(cx: &mut Cx<'h>, [number, base]: [Term<'h>; 2]) -> BifResult<'h> {
    let text = integer_text(cx, number, radix(base))?;
    cx.charge(text.len() / DIGITS_PER_REDUCTION);
    Ok(cx.binary(text.as_bytes())?)
}

/// The integer that all of `text` spells: an optional sign, then digits.
fn parse_integer<'h>(cx: &mut Cx<'h>, text: &[u8], radix: u32) -> BifResult<'h> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(|digit| char::from(*digit).is_digit(radix)) {
        return Err(Stop::badarg());
    }
    cx.charge(digits.len() / DIGITS_PER_REDUCTION);
    let text = std::str::from_utf8(digits).map_err(|_| Stop::badarg())?;
    if let Ok(value) = i64::from_str_radix(text, radix) {
        return Ok(cx.int(if negative { -value } else { value })?);
    }
    // Bounded before it is computed: OTP's limit on integers is below this many digits in any base.
    const MAX_DIGITS: usize = 64 << 20;
    if digits.len() > MAX_DIGITS {
        return Err(Stop::system_limit());
    }
    // Six bits are more than a digit of the largest base has.
    let mut room = cx.charge_for_scratch();
    room.cover(huge::TEXT_ROOM_PER_LIMB * (digits.len() * 6 / 64))?;
    let magnitude = huge::parse(text, radix, &mut |units| cx.work(units))?.ok_or_else(Stop::badarg)?;
    let sign = if negative { Sign::Negative } else { Sign::Positive };
    Ok(cx.int_big(&IBig::from_parts(sign, magnitude))?)
}

/// The small integer that a list or a row of characters spells in decimal; `None` if it is none, or not so short.
fn short_decimal(mut characters: impl Iterator<Item = i64>) -> Option<i64> {
    /// So many digits always fit.
    const DIGITS: usize = 17;
    let mut next = characters.next()?;
    let negative = next == i64::from(b'-');
    if negative || next == i64::from(b'+') {
        next = characters.next()?;
    }
    let mut value = 0;
    for _ in 0..DIGITS {
        let digit = next.wrapping_sub(i64::from(b'0'));
        if !(0..10).contains(&digit) {
            return None;
        }
        value = 10 * value + digit;
        match characters.next() {
            Some(more) => next = more,
            None => return Some(if negative { -value } else { value }),
        }
    }
    None
}

fn list_bytes<'h>(cx: &mut Cx<'h>, list: Term<'h>) -> Result<Scratch<'h, u8>, Stop<'h>> {
    // Only ASCII spells numbers; anything else in the list is refused all the same.
    let mut text = cx.scratch();
    let mut cells = list.list();
    for element in cells.by_ref() {
        let byte = element.as_small().and_then(|value| u8::try_from(value).ok()).filter(u8::is_ascii);
        text.push(byte.ok_or_else(Stop::badarg)?)?;
        if text.len().is_multiple_of(CHARACTERS_AT_ONCE) {
            cx.work(CHARACTERS_AT_ONCE)?;
        }
    }
    if list.is_list() && cells.rest().is_nil() { Ok(text) } else { Err(Stop::badarg()) }
}

/// Characters gathered between two announcements of work.
const CHARACTERS_AT_ONCE: usize = 256;

/// `list_to_integer(string()) -> integer()`.
///
/// # Errors
/// `badarg` if the list does not spell an integer.
pub fn list_to_integer<'h>(cx: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    let mut cells = list.list();
    // What is no character ends the number like any wrong one.
    let short = short_decimal(cells.by_ref().map(|element| element.as_small().unwrap_or(-1)));
    if let Some(value) = short
        && cells.rest().is_nil()
    {
        return Ok(cx.int(value)?);
    }
    let text = list_bytes(cx, list)?;
    parse_integer(cx, &text, 10)
}

/// `list_to_integer(string(), Base :: 2..36) -> integer()`.
///
/// # Errors
/// `badarg` if the list does not spell an integer or the base is out of range.
pub fn list_to_integer_in<'h>(cx: &mut Cx<'h>, [list, base]: [Term<'h>; 2]) -> BifResult<'h> {
    let base = radix(base).ok_or_else(Stop::badarg)?;
    let text = list_bytes(cx, list)?;
    parse_integer(cx, &text, base)
}

/// `binary_to_integer(binary()) -> integer()`.
///
/// # Errors
/// `badarg` if the binary does not spell an integer.
pub fn binary_to_integer<'h>(cx: &mut Cx<'h>, [binary]: [Term<'h>; 1]) -> BifResult<'h> {
    let bytes = binary.as_bits().and_then(crate::term::Bits::as_bytes);
    if let Some(value) = bytes.and_then(|bytes| short_decimal(bytes.iter().map(|byte| i64::from(*byte)))) {
        return Ok(cx.int(value)?);
    }
    let text = binary_bytes(cx, binary, DIGITS_PER_REDUCTION)?;
    parse_integer(cx, &text, 10)
}

/// `binary_to_integer(binary(), Base :: 2..36) -> integer()`.
///
/// # Errors
/// `badarg` if the binary does not spell an integer or the base is out of range.
pub fn binary_to_integer_in<'h>(cx: &mut Cx<'h>, [binary, base]: [Term<'h>; 2]) -> BifResult<'h> {
    let text = binary_bytes(cx, binary, DIGITS_PER_REDUCTION)?;
    parse_integer(cx, &text, radix(base).ok_or_else(Stop::badarg)?)
}

// ---- floats ----

/// Decimals that `float_to_list/1` prints.
const DEFAULT_DECIMALS: usize = 20;

/// What the options of `float_to_list/2` say, the last one counting.
fn float_text(number: f64, options: Term<'_>) -> Option<String> {
    use crate::atom::known;
    let (mut format, mut compact) = (None, false);
    if !options.is_list() || options.proper_length().is_none() {
        return None;
    }
    for option in options.list() {
        match option.view() {
            View::Atom(known::COMPACT) => compact = true,
            View::Atom(known::SHORT) => format = Some((known::SHORT, 0)),
            View::Tuple(&[kind, decimals]) => {
                let kind = kind.as_atom()?;
                let most = match kind {
                    known::DECIMALS => 253,
                    known::SCIENTIFIC => 249,
                    _ => return None,
                };
                let decimals = decimals.as_small().filter(|decimals| (0..=most).contains(decimals))?;
                format = Some((kind, decimals as usize));
            }
            _ => return None,
        }
    }
    match format {
        Some((known::SHORT, _)) => Some(float::short(number)),
        Some((known::DECIMALS, decimals)) => float::decimals(number, decimals, compact),
        Some((_, decimals)) => float::scientific(number, decimals),
        None => float::scientific(number, DEFAULT_DECIMALS),
    }
}

fn text_of_float<'h>(number: Term<'h>, options: Term<'h>) -> Result<String, Stop<'h>> {
    number.as_float().and_then(|number| float_text(number, options)).ok_or_else(Stop::badarg)
}

/// `float_to_list(float()) -> string()`.
///
/// # Errors
/// `badarg` if it is no float.
pub fn float_to_list<'h>(cx: &mut Cx<'h>, [number]: [Term<'h>; 1]) -> BifResult<'h> {
    float_to_list_with(cx, [number, Term::NIL])
}

/// `float_to_list(float(), Options) -> string()`.
///
/// # Errors
/// `badarg` if it is no float or an option is wrong.
pub fn float_to_list_with<'h>(cx: &mut Cx<'h>, [number, options]: [Term<'h>; 2]) -> BifResult<'h> {
    let text = text_of_float(number, options)?;
    Ok(cx.byte_list(text.as_bytes(), Term::NIL)?)
}

/// `float_to_binary(float()) -> binary()`.
///
/// # Errors
/// `badarg` if it is no float.
pub fn float_to_binary<'h>(cx: &mut Cx<'h>, [number]: [Term<'h>; 1]) -> BifResult<'h> {
    float_to_binary_with(cx, [number, Term::NIL])
}

/// `float_to_binary(float(), Options) -> binary()`.
///
/// # Errors
/// `badarg` if it is no float or an option is wrong.
pub fn float_to_binary_with<'h>(cx: &mut Cx<'h>, [number, options]: [Term<'h>; 2]) -> BifResult<'h> {
    let text = text_of_float(number, options)?;
    Ok(cx.binary(text.as_bytes())?)
}

fn parse_float<'h>(cx: &mut Cx<'h>, text: &[u8]) -> BifResult<'h> {
    let value = float::parse(text).ok_or_else(Stop::badarg)?;
    cx.float(value)?.ok_or_else(Stop::badarg)
}

/// `list_to_float(string()) -> float()`.
///
/// # Errors
/// `badarg` if the list does not spell a float.
pub fn list_to_float<'h>(cx: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    let text = list_bytes(cx, list)?;
    parse_float(cx, &text)
}

/// `binary_to_float(binary()) -> float()`.
///
/// # Errors
/// `badarg` if the binary does not spell a float.
pub fn binary_to_float<'h>(cx: &mut Cx<'h>, [binary]: [Term<'h>; 1]) -> BifResult<'h> {
    let text = binary_bytes(cx, binary, DIGITS_PER_REDUCTION)?;
    parse_float(cx, &text)
}

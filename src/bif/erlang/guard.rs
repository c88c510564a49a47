//! Guard BIFs: type tests, sizes, parts, rounding.

use crate::bif::{BifResult, Cx, Stop};
use crate::term::{Term, View};

macro_rules! tests {
    ($($(#[doc = $doc:literal])+ $name:ident = |$term:ident| $value:expr;)*) => {$(
        $(#[doc = $doc])+
        pub fn $name<'h>(_: &mut Cx<'h>, [$term]: [Term<'h>; 1]) -> BifResult<'h> {
            Ok(Term::boolean($value))
        }
    )*};
}

tests! {
    /// `is_atom(term()) -> boolean()`.
    is_atom = |term| term.as_atom().is_some();
    /// `is_binary(term()) -> boolean()`.
    is_binary = |term| term.as_bits().is_some_and(|bits| bits.is_binary());
    /// `is_bitstring(term()) -> boolean()`.
    is_bitstring = |term| term.as_bits().is_some();
    /// `is_boolean(term()) -> boolean()`.
    is_boolean = |term| term.as_boolean().is_some();
    /// `is_float(term()) -> boolean()`.
    is_float = |term| term.as_float().is_some();
    /// `is_function(term()) -> boolean()`.
    is_function = |term| fun_arity(term).is_some();
    /// `is_integer(term()) -> boolean()`.
    is_integer = |term| term.is_integer();
    /// `is_list(term()) -> boolean()`.
    is_list = |term| term.is_list();
    /// `is_map(term()) -> boolean()`.
    is_map = |term| term.as_map().is_some();
    /// `is_number(term()) -> boolean()`.
    is_number = |term| term.is_number();
    /// `is_pid(term()) -> boolean()`.
    is_pid = |term| term.as_pid().is_some();
    /// `is_port(term()) -> boolean()`.
    is_port = |term| term.as_port().is_some();
    /// `is_reference(term()) -> boolean()`.
    is_reference = |term| term.as_ref().is_some();
    /// `is_tuple(term()) -> boolean()`.
    is_tuple = |term| term.as_tuple().is_some();
}

/// Arity of a fun; `None` for other terms.
pub fn fun_arity(term: Term<'_>) -> Option<u8> {
    match term.view() {
        View::Fun(fun) => Some(fun.entry().arity),
        View::ExternalFun(fun) => Some(fun.arity()),
        _ => None,
    }
}

/// `is_function(term(), Arity :: arity()) -> boolean()`.
///
/// # Errors
/// `badarg` if the arity is no non-negative integer.
pub fn is_function_of<'h>(_: &mut Cx<'h>, [term, arity]: [Term<'h>; 2]) -> BifResult<'h> {
    match arity.view() {
        View::Int(arity) if arity >= 0 => {
            Ok(Term::boolean(fun_arity(term).is_some_and(|own| i64::from(own) == arity)))
        }
        View::Big(arity) if !arity.is_negative() => Ok(Term::boolean(false)),
        _ => Err(Stop::badarg()),
    }
}

/// `is_record(term(), Tag :: atom()) -> boolean()`.
///
/// # Errors
/// `badarg` if the tag is no atom.
pub fn is_record<'h>(_: &mut Cx<'h>, [term, tag]: [Term<'h>; 2]) -> BifResult<'h> {
    let tag = tag.as_atom().ok_or_else(Stop::badarg)?;
    Ok(Term::boolean(
        term.as_tuple().and_then(|elements| elements.first()).is_some_and(|first| first.is_atom(tag)),
    ))
}

/// `is_record(term(), Tag :: atom(), Size :: non_neg_integer()) -> boolean()`.
///
/// # Errors
/// `badarg` if the tag is no atom or the size no small non-negative integer.
pub fn is_record_of<'h>(_: &mut Cx<'h>, [term, tag, size]: [Term<'h>; 3]) -> BifResult<'h> {
    let (Some(tag), Some(size)) = (tag.as_atom(), size.as_small().filter(|size| *size >= 0)) else {
        return Err(Stop::badarg());
    };
    let elements = term.as_tuple().filter(|elements| elements.len() as i64 == size);
    Ok(Term::boolean(elements.and_then(|elements| elements.first()).is_some_and(|first| first.is_atom(tag))))
}

// ---- parts and sizes ----

/// `hd(nonempty_list()) -> term()`.
///
/// # Errors
/// `badarg` if it is no cell.
pub fn hd<'h>(_: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    list.as_cons().map(|cell| cell.head()).ok_or_else(Stop::badarg)
}

/// `tl(nonempty_list()) -> term()`.
///
/// # Errors
/// `badarg` if it is no cell.
pub fn tl<'h>(_: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    list.as_cons().map(|cell| cell.tail()).ok_or_else(Stop::badarg)
}

/// `element(N :: pos_integer(), tuple()) -> term()`.
///
/// # Errors
/// `badarg` if it is no tuple or has no such element.
pub fn element<'h>(_: &mut Cx<'h>, [index, tuple]: [Term<'h>; 2]) -> BifResult<'h> {
    let (Some(index), Some(elements)) = (index.as_small(), tuple.as_tuple()) else {
        return Err(Stop::badarg());
    };
    let index = usize::try_from(index).ok().and_then(|index| index.checked_sub(1));
    index.and_then(|index| elements.get(index)).copied().ok_or_else(Stop::badarg)
}

/// `tuple_size(tuple()) -> non_neg_integer()`.
///
/// # Errors
/// `badarg` if it is no tuple.
pub fn tuple_size<'h>(cx: &mut Cx<'h>, [tuple]: [Term<'h>; 1]) -> BifResult<'h> {
    let elements = tuple.as_tuple().ok_or_else(Stop::badarg)?;
    Ok(cx.int(elements.len() as i64)?)
}

/// Cells of a list that one reduction pays for when they are only counted.
const COUNTED_CELLS_PER_REDUCTION: usize = 256;

/// `length(list()) -> non_neg_integer()`.
///
/// # Errors
/// `badarg` if it is no proper list.
pub fn length<'h>(cx: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    let length = cx.length(list)?.ok_or_else(Stop::badarg)?;
    cx.charge(length / COUNTED_CELLS_PER_REDUCTION);
    Ok(cx.int(length as i64)?)
}

/// `map_size(map()) -> non_neg_integer()`.
///
/// # Errors
/// `{badmap, Term}` if it is no map.
pub fn map_size<'h>(cx: &mut Cx<'h>, [map]: [Term<'h>; 1]) -> BifResult<'h> {
    match map.as_map() {
        Some(map) => Ok(cx.int(map.len() as i64)?),
        None => Err(badmap(cx, map)),
    }
}

/// `map_get(Key :: term(), map()) -> term()`.
///
/// # Errors
/// `{badmap, Term}` if it is no map, `{badkey, Key}` if the key is not there.
pub fn map_get<'h>(cx: &mut Cx<'h>, [key, map]: [Term<'h>; 2]) -> BifResult<'h> {
    let Some(map) = map.as_map() else { return Err(badmap(cx, map)) };
    match cx.map_get(map, key)? {
        Some(value) => Ok(value),
        None => Err(tagged(cx, crate::atom::known::BADKEY, key)),
    }
}

/// `is_map_key(Key :: term(), map()) -> boolean()`.
///
/// # Errors
/// `{badmap, Term}` if it is no map.
pub fn is_map_key<'h>(cx: &mut Cx<'h>, [key, map]: [Term<'h>; 2]) -> BifResult<'h> {
    let Some(map) = map.as_map() else { return Err(badmap(cx, map)) };
    Ok(Term::boolean(cx.map_get(map, key)?.is_some()))
}

/// Error `{badmap, Term}`.
#[cold]
pub fn badmap<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> Stop<'h> {
    tagged(cx, crate::atom::known::BADMAP, term)
}

/// Error `{Tag, Term}`.
#[cold]
pub fn tagged<'h>(cx: &mut Cx<'h>, tag: crate::atom::Atom, term: Term<'h>) -> Stop<'h> {
    match cx.tuple(&[Term::atom(tag), term]) {
        Ok(reason) => Stop::error(reason),
        Err(error) => error.into(),
    }
}

/// `byte_size(bitstring()) -> non_neg_integer()`: rounded up.
///
/// # Errors
/// `badarg` if it is no bitstring.
pub fn byte_size<'h>(cx: &mut Cx<'h>, [bits]: [Term<'h>; 1]) -> BifResult<'h> {
    let bits = bits.as_bits().ok_or_else(Stop::badarg)?;
    Ok(cx.int(bits.byte_length() as i64)?)
}

/// `bit_size(bitstring()) -> non_neg_integer()`.
///
/// # Errors
/// `badarg` if it is no bitstring.
pub fn bit_size<'h>(cx: &mut Cx<'h>, [bits]: [Term<'h>; 1]) -> BifResult<'h> {
    let bits = bits.as_bits().ok_or_else(Stop::badarg)?;
    Ok(cx.int(bits.bit_length() as i64)?)
}

/// `size(tuple() | bitstring()) -> non_neg_integer()`; whole bytes of a bitstring.
///
/// # Errors
/// `badarg` if it is neither.
pub fn size<'h>(cx: &mut Cx<'h>, [term]: [Term<'h>; 1]) -> BifResult<'h> {
    let size = match term.view() {
        View::Tuple(elements) => elements.len(),
        View::Bits(bits) => bits.bit_length() / 8,
        _ => return Err(Stop::badarg()),
    };
    Ok(cx.int(size as i64)?)
}

/// `binary_part(binary(), {Start, Length}) -> binary()`; a negative length counts back from the start.
///
/// # Errors
/// `badarg` if it is no binary or the part is not inside.
pub fn binary_part_of_tuple<'h>(cx: &mut Cx<'h>, [binary, part]: [Term<'h>; 2]) -> BifResult<'h> {
    match part.as_tuple() {
        Some(&[start, length]) => binary_part(cx, [binary, start, length]),
        _ => Err(Stop::badarg()),
    }
}

/// `binary_part(bitstring(), Start, Length) -> binary()`.
///
/// # Errors
/// As [`binary_part_of_tuple`].
pub fn binary_part<'h>(cx: &mut Cx<'h>, [binary, start, length]: [Term<'h>; 3]) -> BifResult<'h> {
    let bits = binary.as_bits().ok_or_else(Stop::badarg)?;
    let (Some(start), Some(length)) = (start.as_small(), length.as_small()) else {
        return Err(Stop::badarg());
    };
    let end = start.checked_add(length).ok_or_else(Stop::badarg)?;
    let (first, last) = (start.min(end), start.max(end));
    // What is less than a byte at the end is in no part.
    if first < 0 || last > (bits.bit_length() / 8) as i64 {
        return Err(Stop::badarg());
    }
    Ok(cx.sub_bits(binary, first as usize * 8, (last - first) as usize * 8)?)
}

// ---- numbers ----

macro_rules! roundings {
    ($($(#[doc = $doc:literal])+ $name:ident = $method:ident;)*) => {$(
        $(#[doc = $doc])+
        ///
        /// # Errors
        /// `badarg` if it is no number, or has no such value.
        pub fn $name<'h>(cx: &mut Cx<'h>, [number]: [Term<'h>; 1]) -> BifResult<'h> {
            if !number.is_number() {
                return Err(Stop::badarg());
            }
            match cx.$method(number) {
                Err(crate::heap::arith::ArithError::BadArith) => Err(Stop::badarg()),
                result => Ok(result?),
            }
        }
    )*};
}

roundings! {
    /// `abs(number()) -> number()`.
    abs = absolute;
    /// `float(number()) -> float()`.
    float = to_float;
    /// `trunc(number()) -> integer()`.
    trunc = truncate;
    /// `round(number()) -> integer()`: halves away from zero.
    round = round;
    /// `floor(number()) -> integer()`.
    floor = floor;
    /// `ceil(number()) -> integer()`.
    ceil = ceiling;
}

/// `max(term(), term()) -> term()`; the first of two that are equal.
pub fn max<'h>(cx: &mut Cx<'h>, [a, b]: [Term<'h>; 2]) -> BifResult<'h> {
    Ok(if cx.compare(a, b)?.is_ge() { a } else { b })
}

/// `min(term(), term()) -> term()`; the first of two that are equal.
pub fn min<'h>(cx: &mut Cx<'h>, [a, b]: [Term<'h>; 2]) -> BifResult<'h> {
    Ok(if cx.compare(a, b)?.is_le() { a } else { b })
}

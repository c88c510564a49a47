//! Natives for the older half of module `string`, which works on flat lists of characters.
//!
//! Each takes a string of at most [`AT_ONCE`] elements and answers `false` for anything else: then `erlet_string.erl` does
//! it, with the exceptions of that.

use crate::atom::known;
use crate::bif::lists::charge_elements;
use crate::bif::{BifResult, Cx, Stop};
use crate::term::{Term, Word};

/// Longest string that is looked at in one go: a tenth of a millisecond or two.
const AT_ONCE: usize = 32_768;

/// The elements of a proper list that is not too long.
fn elements(list: Term<'_>) -> Option<Vec<Term<'_>>> {
    let mut cells = list.list();
    let mut elements = Vec::new();
    for element in cells.by_ref() {
        if elements.len() == AT_ONCE {
            return None;
        }
        elements.push(element);
    }
    cells.rest().is_nil().then_some(elements)
}

/// A character's other case: of A to Z, and of Latin-1's letters but for the one that is in one case only.
fn shifted(c: i64, first: [i64; 2], odd: i64, by: i64) -> i64 {
    let [ascii, latin] = first;
    let letter = (ascii..ascii + 26).contains(&c) || ((latin..=latin + 30).contains(&c) && c != odd);
    if letter { c + by } else { c }
}

fn mapped<'h>(cx: &mut Cx<'h>, list: Term<'h>, shift: impl Fn(i64) -> i64) -> BifResult<'h> {
    let Some(mut elements) = elements(list) else { return Ok(Term::boolean(false)) };
    for element in &mut elements {
        match element.as_small().and_then(|c| Term::small(shift(c))) {
            Some(c) => *element = c,
            None => return Ok(Term::boolean(false)),
        }
    }
    charge_elements(cx, elements.len());
    Ok(cx.list(&elements)?)
}

/// `erlet_chars:upper(string()) -> string() | false`.
pub fn upper<'h>(cx: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    mapped(cx, list, |c| shifted(c, [0x61, 0xe0], 0xf7, -32))
}

/// `erlet_chars:lower(string()) -> string() | false`.
pub fn lower<'h>(cx: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    mapped(cx, list, |c| shifted(c, [0x41, 0xc0], 0xd7, 32))
}

/// `erlet_chars:tokens(string(), Separators :: string()) -> [string()] | false`: separators are small integers or other
/// immediate terms.
pub fn tokens<'h>(cx: &mut Cx<'h>, [list, separators]: [Term<'h>; 2]) -> BifResult<'h> {
    /// Above, a search of the separators for each character costs too much.
    const SEPARATORS: usize = 16;
    let refused = Ok(Term::boolean(false));
    let Some(set) = elements(separators) else { return refused };
    let set: Vec<Word> = set.into_iter().map(Term::word).collect();
    if set.len() > SEPARATORS || !set.iter().all(|word| word.is_immediate()) {
        return refused;
    }
    let Some(elements) = elements(list) else { return refused };
    let mut tokens = Vec::new();
    for token in elements.split(|element| set.contains(&element.word())) {
        if !token.is_empty() {
            tokens.push(cx.list(token)?);
        }
    }
    charge_elements(cx, elements.len());
    Ok(cx.list(&tokens)?)
}

/// `string:list_to_integer(string()) -> {integer(), Rest} | {error, Reason}`, by `erlet_string`.
pub fn list_to_integer<'h>(_: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    Err(Stop::tail_call(known::ERLET_STRING, known::LIST_TO_INTEGER, vec![list]))
}

/// `string:list_to_float(string()) -> {float(), Rest} | {error, Reason}`, by `erlet_string`.
pub fn list_to_float<'h>(_: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    Err(Stop::tail_call(known::ERLET_STRING, known::LIST_TO_FLOAT, vec![list]))
}

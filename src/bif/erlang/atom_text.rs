//! Atoms from text and back.

use crate::atom::{Atom, known};
use crate::bif::{BifResult, Cx, Stop};
use crate::term::Term;

/// The characters of a flat list of code points, for names: of longer ones no more than shows that they are too long; `None` for
/// other terms.
pub fn characters(list: Term<'_>) -> Option<String> {
    let mut text = String::new();
    let mut cells = list.list();
    for element in cells.by_ref() {
        if text.len() > LONGEST_NAME {
            return Some(text);
        }
        text.push(u32::try_from(element.as_small()?).ok().and_then(char::from_u32)?);
    }
    cells.rest().is_nil().then_some(text)
}

/// Bytes after which a name is too long for an atom, or whatever else is spelled.
const LONGEST_NAME: usize = 1 << 12;

/// Most characters of an atom.
const LONGEST_ATOM: usize = 255;

/// The text of a new atom: of a longer one no more than shows that it is too long, whatever follows.
fn atom_characters(list: Term<'_>) -> Option<String> {
    let mut text = String::new();
    let mut cells = list.list();
    for (count, element) in cells.by_ref().enumerate() {
        if count == LONGEST_ATOM {
            text.push(' ');
            return Some(text);
        }
        text.push(u32::try_from(element.as_small()?).ok().and_then(char::from_u32)?);
    }
    cells.rest().is_nil().then_some(text)
}

fn intern<'h>(cx: &Cx<'h>, text: &str) -> BifResult<'h> {
    Ok(Term::atom(cx.intern(text)?))
}

fn existing<'h>(cx: &Cx<'h>, text: &str) -> BifResult<'h> {
    cx.atoms().existing(text).map(Term::atom).ok_or_else(Stop::badarg)
}

/// `atom_to_list(atom()) -> string()`.
///
/// # Errors
/// `badarg` if it is no atom.
pub fn atom_to_list<'h>(cx: &mut Cx<'h>, [atom]: [Term<'h>; 1]) -> BifResult<'h> {
    let atom = atom.as_atom().ok_or_else(Stop::badarg)?;
    let atoms = cx.atoms();
    Ok(cx.string(atoms.text(atom))?)
}

/// `list_to_atom(string()) -> atom()`.
///
/// # Errors
/// `badarg` if it is no list of characters; `system_limit` for more than 255 or when there are too many atoms.
pub fn list_to_atom<'h>(cx: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    let text = atom_characters(list).ok_or_else(Stop::badarg)?;
    intern(cx, &text)
}

/// `list_to_existing_atom(string()) -> atom()`.
///
/// # Errors
/// `badarg` if there is no such atom.
pub fn list_to_existing_atom<'h>(cx: &mut Cx<'h>, [list]: [Term<'h>; 1]) -> BifResult<'h> {
    let text = characters(list).ok_or_else(Stop::badarg)?;
    existing(cx, &text)
}

/// Character encodings of atoms in binaries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Latin1,
    Utf8,
}

fn encoding(term: Term<'_>) -> Option<Encoding> {
    match term.as_atom()? {
        known::LATIN1 => Some(Encoding::Latin1),
        known::UTF8 | known::UNICODE => Some(Encoding::Utf8),
        _ => None,
    }
}

/// `atom_to_binary(atom()) -> binary()`: in UTF-8.
///
/// # Errors
/// `badarg` if it is no atom.
pub fn atom_to_binary<'h>(cx: &mut Cx<'h>, [atom]: [Term<'h>; 1]) -> BifResult<'h> {
    let atom = atom.as_atom().ok_or_else(Stop::badarg)?;
    let atoms = cx.atoms();
    Ok(cx.binary(atoms.text(atom).as_bytes())?)
}

/// `atom_to_binary(atom(), latin1 | utf8 | unicode) -> binary()`.
///
/// # Errors
/// `badarg` if it is no atom, the encoding is unknown or does not have all its characters.
pub fn atom_to_binary_in<'h>(cx: &mut Cx<'h>, [atom, to]: [Term<'h>; 2]) -> BifResult<'h> {
    if encoding(to).ok_or_else(Stop::badarg)? == Encoding::Utf8 {
        return atom_to_binary(cx, [atom]);
    }
    let atom = atom.as_atom().ok_or_else(Stop::badarg)?;
    let bytes: Option<Vec<u8>> =
        cx.atoms().text(atom).chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
    Ok(cx.binary(&bytes.ok_or_else(Stop::badarg)?)?)
}

fn binary_text(binary: Term<'_>, from: Encoding) -> Option<String> {
    let bits = binary.as_bits()?;
    let bits = if bits.byte_length() > LONGEST_NAME { bits.slice(0, 8 * LONGEST_NAME) } else { bits };
    let bytes = bits.to_bytes()?;
    match from {
        Encoding::Utf8 => utf8_text(&bytes).map(str::to_owned),
        Encoding::Latin1 => Some(bytes.iter().map(|byte| char::from(*byte)).collect()),
    }
}

/// The text of these bytes. What is behind the longest name does not matter, and need not be text.
fn utf8_text(bytes: &[u8]) -> Option<&str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) => {
            let (valid, _) = bytes.split_at(error.valid_up_to());
            let text = std::str::from_utf8(valid).ok()?;
            (text.chars().count() >= LONGEST_ATOM).then_some(LONG_NAME)
        }
    }
}

/// Some name that is too long for an atom.
const LONG_NAME: &str = {
    const SPACES: [u8; LONGEST_ATOM + 1] = [b' '; LONGEST_ATOM + 1];
    match std::str::from_utf8(&SPACES) {
        Ok(text) => text,
        Err(_) => panic!("spaces are text"),
    }
};

/// `binary_to_atom(binary()) -> atom()`: from UTF-8.
///
/// # Errors
/// `badarg` if it is no binary in UTF-8; `system_limit`.
pub fn binary_to_atom<'h>(cx: &mut Cx<'h>, [binary]: [Term<'h>; 1]) -> BifResult<'h> {
    let text = binary_text(binary, Encoding::Utf8).ok_or_else(Stop::badarg)?;
    intern(cx, &text)
}

/// `binary_to_atom(binary(), latin1 | utf8 | unicode) -> atom()`.
///
/// # Errors
/// As [`binary_to_atom`].
pub fn binary_to_atom_in<'h>(cx: &mut Cx<'h>, [binary, from]: [Term<'h>; 2]) -> BifResult<'h> {
    let from = encoding(from).ok_or_else(Stop::badarg)?;
    let text = binary_text(binary, from).ok_or_else(Stop::badarg)?;
    intern(cx, &text)
}

/// `binary_to_existing_atom(binary()) -> atom()`.
///
/// # Errors
/// `badarg` if there is no such atom.
pub fn binary_to_existing_atom<'h>(cx: &mut Cx<'h>, [binary]: [Term<'h>; 1]) -> BifResult<'h> {
    let text = binary_text(binary, Encoding::Utf8).ok_or_else(Stop::badarg)?;
    existing(cx, &text)
}

/// `binary_to_existing_atom(binary(), latin1 | utf8 | unicode) -> atom()`.
///
/// # Errors
/// `badarg` if there is no such atom.
pub fn binary_to_existing_atom_in<'h>(cx: &mut Cx<'h>, [binary, from]: [Term<'h>; 2]) -> BifResult<'h> {
    let from = encoding(from).ok_or_else(Stop::badarg)?;
    let text = binary_text(binary, from).ok_or_else(Stop::badarg)?;
    existing(cx, &text)
}

/// The atom of a term that must be one.
///
/// # Errors
/// `badarg` if it is none.
pub fn atom<'h>(term: Term<'h>) -> Result<Atom, Stop<'h>> {
    term.as_atom().ok_or_else(Stop::badarg)
}

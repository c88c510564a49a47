//! Terms as text: what `~w` and the one-line case of `~p` print.
//!
//! Nothing is abbreviated and nothing broken over lines (that is `io_lib`'s). Printing is iterative, and stops early when
//! more characters than allowed would come out, so that asking "does it fit on the line?" costs no more than the line.

use std::convert::Infallible;
use std::fmt::Write as _;

use super::map::Iter;
use super::{Bits, Pid, Term, View};
use crate::atom::Atoms;
use crate::num::huge;
use crate::num::integer::{Int, to_text};

/// Which characters a string may consist of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Range {
    /// Printable characters of Latin-1.
    Latin1,
    /// Printable characters of Unicode.
    Unicode,
}

/// How to print.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Print non-empty lists and binaries of such characters as strings (`~p`); `None` is `~w`.
    pub strings: Option<Range>,
    /// Characters above 255 may come out as they are (`t` modifier), and binaries are tried as UTF-8; otherwise atoms write
    /// them as `\x{...}`, and binaries are tried as Latin-1.
    pub unicode: bool,
}

impl Style {
    /// `~tw`.
    pub const WRITE: Style = Style { strings: None, unicode: true };
    /// `~tp`, as far as it fits one line.
    pub const PRINT: Style = Style { strings: Some(Range::Latin1), unicode: true };
}

/// The text of a term in `~tw` form.
pub fn text(atoms: &Atoms, term: Term<'_>) -> String {
    let mut out = String::new();
    write(&mut out, atoms, term, Style::WRITE, usize::MAX);
    out
}

/// Appends the text of `term`; false if it would be more than `limit` characters, `out` then ending somewhere past them, or before a
/// number that is longer.
pub fn write(out: &mut String, atoms: &Atoms, term: Term<'_>, style: Style, limit: usize) -> bool {
    let written = write_metered(out, atoms, term, style, limit, &mut |_, _| Ok::<(), Infallible>(()));
    written.unwrap_or_else(|never| match never {})
}

/// Items printed between two calls of the meter.
pub const ITEMS_AT_ONCE: usize = 64;

/// As [`write()`], asking `meter` now and then, and before what is long, whether to go on: it is told how many bytes `out` has or
/// is about to have, and how many units of some nanoseconds the next part takes.
///
/// # Errors
/// What the meter fails with.
pub fn write_metered<E>(
    out: &mut String,
    atoms: &Atoms,
    term: Term<'_>,
    style: Style,
    limit: usize,
    meter: &mut dyn FnMut(usize, usize) -> Result<(), E>,
) -> Result<bool, E> {
    let start = out.len();
    let mut printer = Printer { out, atoms, style, rest: vec![Item::Term(term)], maps: Vec::new() };
    let mut counted = start;
    let mut characters = 0_usize;
    let mut items = 0;
    while let Some(item) = printer.rest.pop() {
        let room = limit.saturating_sub(characters);
        match item {
            Item::Term(term) if let Some(big) = long_integer(term) => {
                // A digit is less than four bits.
                if big.limbs.len() * 16 > room {
                    return Ok(false);
                }
                let bytes = printer.out.len() + text_bytes(big.limbs.len());
                let text = huge::text(big, 10, &mut |units| meter(bytes, units))?;
                printer.out.push_str(&text);
            }
            Item::Term(term) => {
                if let Some(weight) = weight(term, room) {
                    meter(printer.out.len() + weight, weight)?;
                }
                printer.item(item, room);
            }
            _ => printer.item(item, room),
        }
        items += 1;
        if items == ITEMS_AT_ONCE {
            meter(printer.out.len(), 8 * ITEMS_AT_ONCE)?;
            items = 0;
        }
        if limit < usize::MAX {
            characters += printer.out[counted..].chars().count();
            counted = printer.out.len();
            if characters > limit {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Bytes or cells from which on a term that is printed in one go is long.
const LONG: usize = 1 << 14;

/// About how many bytes (and units of some nanoseconds) a term takes that is printed in one go, if that is long.
fn weight(term: Term<'_>, room: usize) -> Option<usize> {
    let weight = match term.view() {
        View::Bits(bits) => 4 * bits.byte_length().min(room),
        // It may be a string. Whether it is longer than this is found soon; if it is, it is looked at as one that is very long.
        View::Cons(_) if room > LONG => match term.list().take(LONG).count() {
            LONG => LONG * 64,
            _ => 0,
        },
        _ => 0,
    };
    (weight > LONG).then_some(weight)
}

/// Limbs of an integer that is long: its text takes more than linear time.
const LONG_LIMBS: usize = 64;

/// Bytes that the text of so many limbs is charged for: more than it takes, so that what reports and lists of characters make of
/// millions of digits ends as what no system allows. (`integer_to_binary/1` gives the digits of all integers.)
fn text_bytes(limbs: usize) -> usize {
    (limbs * BYTES_PER_LIMB).max((limbs / 16).saturating_mul(limbs))
}

/// Bytes of text that a limb makes, at most.
const BYTES_PER_LIMB: usize = 20;

fn long_integer(term: Term<'_>) -> Option<Int<'_>> {
    match term.view() {
        View::Big(big) if big.limbs().len() > LONG_LIMBS => {
            Some(Int { negative: big.is_negative(), limbs: big.limbs() })
        }
        _ => None,
    }
}

/// What is still to be printed.
#[derive(Clone, Copy)]
enum Item<'h> {
    Term(Term<'h>),
    /// What follows an element of a list.
    Tail(Term<'h>),
    /// The rest of a row, and how it is closed.
    Row(&'h [Term<'h>], char),
    /// The associations of the innermost map; whether some came before.
    Pairs(bool),
    /// ` => ` and a value.
    Value(Term<'h>),
}

struct Printer<'o, 'a, 'h> {
    out: &'o mut String,
    atoms: &'a Atoms,
    style: Style,
    rest: Vec<Item<'h>>,
    maps: Vec<Iter<'h>>,
}

impl<'h> Printer<'_, '_, 'h> {
    fn item(&mut self, item: Item<'h>, room: usize) {
        match item {
            Item::Term(term) => self.term(term, room),
            Item::Tail(tail) => match tail.view() {
                View::Nil => self.out.push(']'),
                View::Cons(cell) => {
                    self.out.push(',');
                    self.rest.push(Item::Tail(cell.tail()));
                    self.rest.push(Item::Term(cell.head()));
                }
                _ => {
                    self.out.push('|');
                    self.rest.push(Item::Row(&[], ']'));
                    self.rest.push(Item::Term(tail));
                }
            },
            Item::Row(row, close) => match row.split_first() {
                None => self.out.push(close),
                Some((first, rest)) => {
                    self.out.push(',');
                    self.rest.push(Item::Row(rest, close));
                    self.rest.push(Item::Term(*first));
                }
            },
            Item::Pairs(more) => match self.maps.last_mut().and_then(Iterator::next) {
                None => {
                    self.maps.pop();
                    self.out.push('}');
                }
                Some((key, value)) => {
                    if more {
                        self.out.push(',');
                    }
                    self.rest.push(Item::Pairs(true));
                    self.rest.push(Item::Value(value));
                    self.rest.push(Item::Term(key));
                }
            },
            Item::Value(value) => {
                self.out.push_str(" => ");
                self.rest.push(Item::Term(value));
            }
        }
    }

    fn term(&mut self, term: Term<'h>, room: usize) {
        match term.view() {
            View::Int(value) => push(self.out, value),
            View::Big(big) => {
                self.out.push_str(&to_text(Int { negative: big.is_negative(), limbs: big.limbs() }, 10));
            }
            View::Float(value) => self.out.push_str(&crate::num::float::short(value)),
            View::Atom(atom) => write_atom(self.out, self.atoms.text(atom), self.style.unicode),
            View::Nil => self.out.push_str("[]"),
            View::Cons(cell) => {
                if !self.string(term, room) {
                    self.out.push('[');
                    self.rest.push(Item::Tail(cell.tail()));
                    self.rest.push(Item::Term(cell.head()));
                }
            }
            View::Tuple(elements) => {
                self.out.push('{');
                match elements.split_first() {
                    None => self.out.push('}'),
                    Some((first, rest)) => {
                        self.rest.push(Item::Row(rest, '}'));
                        self.rest.push(Item::Term(*first));
                    }
                }
            }
            View::Map(map) => {
                self.out.push_str("#{");
                self.maps.push(map.iter());
                self.rest.push(Item::Pairs(false));
            }
            View::Bits(bits) => self.bits(bits, room),
            View::Fun(fun) => {
                let entry = fun.entry();
                self.out.push_str("#Fun<");
                write_atom(self.out, self.atoms.text(entry.module), self.style.unicode);
                push(self.out, format_args!(".{}.{}>", entry.index, entry.uniq));
            }
            View::ExternalFun(fun) => {
                self.out.push_str("fun ");
                write_atom(self.out, self.atoms.text(fun.module()), self.style.unicode);
                self.out.push(':');
                write_atom(self.out, self.atoms.text(fun.function()), self.style.unicode);
                push(self.out, format_args!("/{}", fun.arity()));
            }
            View::Pid(pid) => self.out.push_str(&pid_text(pid)),
            View::Port(port) => push(self.out, format_args!("#Port<0.{}>", port.index())),
            View::Ref(reference) => {
                let [high, middle, low] = ref_parts(reference.unique());
                push(self.out, format_args!("#Ref<0.{high}.{middle}.{low}>"));
            }
        }
    }

    /// Prints a list as a string if it is one; looks at no more elements than fit.
    fn string(&mut self, term: Term<'h>, room: usize) -> bool {
        let Some(range) = self.style.strings else { return false };
        let range = if self.style.unicode { range } else { Range::Latin1 };
        let mut cells = term.list();
        let mut seen = 0_usize;
        for element in cells.by_ref() {
            if !element.as_small().is_some_and(|value| is_printable(value, range)) {
                return false;
            }
            seen += 1;
            if seen > room {
                // Too long whatever follows; only if it turned out to be no string could it be longer still.
                break;
            }
        }
        if seen <= room && !cells.rest().is_nil() {
            return false;
        }
        self.out.push('"');
        for character in term.list().take(seen).filter_map(|element| element.as_small()) {
            push_escaped(self.out, character_of(character), '"', self.style.unicode);
        }
        self.out.push('"');
        true
    }

    fn bits(&mut self, bits: Bits<'h>, room: usize) {
        if bits.bit_length() > 0 && self.style.strings.is_some() && self.binary_string(bits, room) {
            return;
        }
        self.out.push_str("<<");
        let whole = bits.bit_length() / 8;
        for index in 0..bits.byte_length() {
            if index > room {
                break;
            }
            if index > 0 {
                self.out.push(',');
            }
            let byte = bits.byte(index);
            if index < whole {
                push(self.out, byte);
            } else {
                let size = bits.bit_length() % 8;
                push(self.out, format_args!("{}:{size}", byte >> (8 - size)));
            }
        }
        self.out.push_str(">>");
    }

    fn binary_string(&mut self, bits: Bits<'h>, room: usize) -> bool {
        let range = self.style.strings.unwrap_or(Range::Latin1);
        let Some(bytes) = bits.to_bytes() else { return false };
        // No character takes more than four bytes.
        let bytes = &bytes[..bytes.len().min(room.saturating_mul(4).saturating_add(4))];
        if self.style.unicode
            && let Ok(text) =
                std::str::from_utf8(bytes).or_else(|error| whole_characters(bytes, &bits, error))
        {
            if !text.chars().all(|character| is_printable(i64::from(u32::from(character)), range)) {
                return false;
            }
            self.out.push_str("<<\"");
            text.chars().for_each(|character| push_escaped(self.out, character, '"', true));
            self.out.push_str(if text.is_ascii() { "\">>" } else { "\"/utf8>>" });
            return true;
        }
        if !bytes.iter().all(|byte| is_printable(i64::from(*byte), Range::Latin1)) {
            return false;
        }
        self.out.push_str("<<\"");
        bytes.iter().for_each(|byte| push_escaped(self.out, char::from(*byte), '"', true));
        self.out.push_str("\">>");
        true
    }
}

/// If the bytes were cut (they are not all of `bits`) inside a character, the characters before the cut.
fn whole_characters<'b>(
    bytes: &'b [u8],
    bits: &Bits<'_>,
    error: std::str::Utf8Error,
) -> Result<&'b str, std::str::Utf8Error> {
    if error.error_len().is_none() && bytes.len() < bits.byte_length() {
        return std::str::from_utf8(&bytes[..error.valid_up_to()]);
    }
    Err(error)
}

fn push(out: &mut String, value: impl std::fmt::Display) {
    write!(out, "{value}").expect("writing to a string cannot fail");
}

/// How a pid prints: the number that orders it first, as on BEAM.
pub fn pid_text(pid: Pid) -> String {
    format!("<0.{}.{}>", pid.serial(), pid.index())
}

/// The three numbers a reference prints as, most significant first.
pub fn ref_parts(unique: u64) -> [u64; 3] {
    [unique >> 46, unique >> 18 & ((1 << 28) - 1), unique & ((1 << 18) - 1)]
}

/// The 64 bits behind three printed numbers, if they can be.
pub fn ref_from_parts([high, middle, low]: [u64; 3]) -> Option<u64> {
    let fits = high < 1 << 18 && middle < 1 << 28 && low < 1 << 18;
    fits.then_some(high << 46 | middle << 18 | low)
}

/// Whether a character code is printable: text, or one of the controls strings are written with.
pub fn is_printable(code: i64, range: Range) -> bool {
    match code {
        8..=13 | 27 | 32..=126 | 160..=255 => true,
        256.. => range == Range::Unicode && is_unicode(code),
        _ => false,
    }
}

fn is_unicode(code: i64) -> bool {
    code <= 0x10_ffff && !(0xd800..=0xdfff).contains(&code) && code != 0xfffe && code != 0xffff
}

fn character_of(code: i64) -> char {
    u32::try_from(code).ok().and_then(char::from_u32).expect("printable codes are characters")
}

/// Appends an atom, quoted if it must be; without `unicode`, characters above 255 are written as `\x{...}`.
pub fn write_atom(out: &mut String, text: &str, unicode: bool) {
    if !needs_quotes(text) {
        out.push_str(text);
        return;
    }
    out.push('\'');
    for character in text.chars() {
        push_escaped(out, character, '\'', unicode);
    }
    out.push('\'');
}

/// Appends a character as it stands inside a quoted string.
pub fn write_escaped(out: &mut String, character: char) {
    push_escaped(out, character, '"', true);
}

fn push_escaped(out: &mut String, character: char, quote: char, unicode: bool) {
    match character {
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{b}' => out.push_str("\\v"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '\u{1b}' => out.push_str("\\e"),
        '\u{7f}' => out.push_str("\\d"),
        _ if character == quote => {
            out.push('\\');
            out.push(character);
        }
        '\0'..='\u{1f}' | '\u{80}'..='\u{9f}' => push(out, format_args!("\\{:03o}", u32::from(character))),
        '\u{100}'.. if !unicode => push(out, format_args!("\\x{{{:X}}}", u32::from(character))),
        _ => out.push(character),
    }
}

/// Whether an atom of this text stands in quotes: it is a reserved word, or not a lower-case name.
pub fn needs_quotes(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return true };
    !is_lower(first) || !text.chars().all(is_name_character) || RESERVED.binary_search(&text).is_ok()
}

fn is_lower(character: char) -> bool {
    matches!(character, 'a'..='z' | '\u{df}'..='\u{f6}' | '\u{f8}'..='\u{ff}')
}

fn is_name_character(character: char) -> bool {
    is_lower(character)
        || matches!(character, 'A'..='Z' | '0'..='9' | '_' | '@' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{de}')
}

/// Erlang's reserved words, sorted.
const RESERVED: [&str; 29] = [
    "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case", "catch", "cond",
    "div", "else", "end", "fun", "if", "let", "maybe", "not", "of", "or", "orelse", "receive", "rem", "try",
    "when", "xor",
];

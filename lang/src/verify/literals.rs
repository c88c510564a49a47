//! The literal table: each row in the one form its value has, so that the loader can build rows in order, without
//! recursion, and compare constants by what they are.

use super::Reason;
use super::tables::{atom, lit_value, numbered};
use crate::bytecode::{AtomIx, LitValue, Literal, Module};
use std::collections::{BTreeMap, BTreeSet};

/// Highest number of elements in a tuple: what fits the header of one.
pub(super) const MAX_TUPLE: usize = (1 << 24) - 1;

/// Most words that the literals of a module take: 512 MB, which no source text comes near.
const MAX_WORDS: u64 = 1 << 26;

/// Words of a map for each key and value, nodes of a large one counted.
const MAP_WORDS_PER_VALUE: u64 = 2;

/// Checks all rows.
pub(super) fn check(module: &Module) -> Result<(), Reason> {
    for (index, literal) in numbered(&module.literals) {
        row(module, index, literal)?;
    }
    sizes(module)?;
    map_keys(module)
}

/// Words that all rows take on a heap, what they share counted as often as it is there: so the loader may copy rows as
/// it likes. Rows of towers that share themselves (each twice the one below) end here.
fn sizes(module: &Module) -> Result<(), Reason> {
    let mut rows: Vec<u64> = Vec::with_capacity(module.literals.len());
    let mut total = 0u64;
    for literal in &module.literals {
        let of = |value: &LitValue| match value {
            LitValue::Lit(row) => rows[row.index()],
            // Beyond the small range: an object of two words.
            LitValue::Int(_) => 2,
            LitValue::Atom(_) | LitValue::Nil => 0,
        };
        let all = |values: &[LitValue]| values.iter().map(of).fold(values.len() as u64, u64::saturating_add);
        let words = match literal {
            Literal::Big { magnitude, .. } => 2 + magnitude.len() as u64 / 8,
            Literal::Float(_) => 2,
            Literal::List { items, tail } => {
                all(items).saturating_add(items.len() as u64).saturating_add(of(tail))
            }
            Literal::String(chars) => 2 * chars.len() as u64,
            Literal::Tuple(elements) => all(elements).saturating_add(1),
            Literal::Map(pairs) => {
                let values = pairs.iter().flat_map(|(key, value)| [key, value]);
                values.map(|value| of(value).saturating_add(MAP_WORDS_PER_VALUE)).fold(5, u64::saturating_add)
            }
            Literal::Bits { bytes, .. } => 4 + bytes.len() as u64 / 8,
            Literal::Export { .. } => 4,
        };
        rows.push(words);
        total = total.saturating_add(words);
    }
    if total > MAX_WORDS { Err(Reason::TooLarge("the literals")) } else { Ok(()) }
}

fn row(module: &Module, index: u32, literal: &Literal) -> Result<(), Reason> {
    let known = index as usize;
    let check = |value: &LitValue| lit_value(module, known, *value);
    let bad = |rule| Err(Reason::BadLiteral(index, rule));
    match literal {
        Literal::Big { negative, magnitude } => {
            if magnitude.last() == Some(&0) {
                return bad("the magnitude ends in a zero byte");
            }
            if fits_i64(*negative, magnitude) {
                return bad("an integer in the range of i64 is an operand, not a literal");
            }
        }
        Literal::Float(bits) if !f64::from_bits(*bits).is_finite() => return bad("the float is not finite"),
        Literal::Float(_) => {}
        Literal::List { items, tail } => {
            if items.is_empty() {
                return bad("the list has no element");
            }
            items.iter().try_for_each(check)?;
            check(tail)?;
        }
        Literal::String(chars) => {
            if chars.is_empty() {
                return bad("the string has no character");
            }
            if chars.iter().any(|char| *char > u32::from(char::MAX)) {
                return bad("a character of the string is above the highest code point");
            }
        }
        Literal::Tuple(elements) if elements.len() > MAX_TUPLE => return bad("the tuple is too large"),
        Literal::Tuple(elements) => elements.iter().try_for_each(check)?,
        Literal::Map(pairs) => {
            for (key, value) in pairs {
                check(key)?;
                check(value)?;
            }
        }
        Literal::Bits { bytes, bits } => {
            if bits.div_ceil(8) != bytes.len() as u64 {
                return bad("the number of bits is not that of the bytes");
            }
            let used = bits % 8;
            if used != 0 && bytes.last().is_some_and(|last| last & (0xFF >> used) != 0) {
                return bad("the unused bits are not zero");
            }
        }
        Literal::Export { module: owner, function, .. } => {
            atom(module, *owner)?;
            atom(module, *function)?;
        }
    }
    Ok(())
}

/// Whether sign and magnitude (little endian, without trailing zeros) are in the range of `i64`.
fn fits_i64(negative: bool, magnitude: &[u8]) -> bool {
    match magnitude.len() {
        0..8 => true,
        8 => {
            let high = magnitude[7];
            high < 0x80 || (negative && high == 0x80 && magnitude[..7].iter().all(|byte| *byte == 0))
        }
        _ => false,
    }
}

/// A value by what it is: equal values have equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Canon {
    Int(i64),
    Atom(AtomIx),
    Nil,
    Class(u32),
}

/// A literal in terms of the classes of what it holds.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Shape<'m> {
    Big(bool, &'m [u8]),
    Float(u64),
    Cons(Canon, Canon),
    Tuple(Vec<Canon>),
    Map(Vec<(Canon, Canon)>),
    Bits(&'m [u8], u64),
    Export(AtomIx, AtomIx, u8),
}

/// Numbers the values of a literal table so that equal values get equal numbers. Rows are shared (a row may hold an
/// earlier one twice, and so on), so comparing keys by walking them could take for ever; this is near-linear.
#[derive(Default)]
struct Classes<'m> {
    /// Class of each row so far.
    rows: Vec<Canon>,
    known: BTreeMap<Shape<'m>, u32>,
}

impl<'m> Classes<'m> {
    fn value(&self, value: LitValue) -> Canon {
        match value {
            LitValue::Int(value) => Canon::Int(value),
            LitValue::Atom(atom) => Canon::Atom(atom),
            LitValue::Nil => Canon::Nil,
            LitValue::Lit(row) => self.rows[row.index()],
        }
    }

    fn class(&mut self, shape: Shape<'m>) -> Canon {
        let next =
            u32::try_from(self.known.len()).expect("as many shapes as bytes in a literal table at most");
        Canon::Class(*self.known.entry(shape).or_insert(next))
    }

    fn list(&mut self, items: impl DoubleEndedIterator<Item = Canon>, tail: Canon) -> Canon {
        items.rev().fold(tail, |tail, head| self.class(Shape::Cons(head, tail)))
    }

    fn add(&mut self, literal: &'m Literal) {
        let class = match literal {
            Literal::Big { negative, magnitude } => self.class(Shape::Big(*negative, magnitude)),
            Literal::Float(bits) => self.class(Shape::Float(*bits)),
            Literal::List { items, tail } => {
                let items: Vec<Canon> = items.iter().map(|item| self.value(*item)).collect();
                let tail = self.value(*tail);
                self.list(items.into_iter(), tail)
            }
            Literal::String(chars) => {
                self.list(chars.iter().map(|char| Canon::Int(i64::from(*char))), Canon::Nil)
            }
            Literal::Tuple(elements) => {
                let elements = elements.iter().map(|element| self.value(*element)).collect();
                self.class(Shape::Tuple(elements))
            }
            Literal::Map(pairs) => {
                let mut pairs: Vec<_> =
                    pairs.iter().map(|(key, value)| (self.value(*key), self.value(*value))).collect();
                pairs.sort_unstable();
                self.class(Shape::Map(pairs))
            }
            Literal::Bits { bytes, bits } => self.class(Shape::Bits(bytes, *bits)),
            Literal::Export { module, function, arity } => {
                self.class(Shape::Export(*module, *function, *arity))
            }
        };
        self.rows.push(class);
    }
}

/// That no map has a key twice.
fn map_keys(module: &Module) -> Result<(), Reason> {
    if !module.literals.iter().any(|literal| matches!(literal, Literal::Map(_))) {
        return Ok(());
    }
    let mut classes = Classes::default();
    for (index, literal) in numbered(&module.literals) {
        if let Literal::Map(pairs) = literal {
            let mut keys = BTreeSet::new();
            if !pairs.iter().all(|(key, _)| keys.insert(classes.value(*key))) {
                return Err(Reason::BadLiteral(index, "the map has a key twice"));
            }
        }
        classes.add(literal);
    }
    Ok(())
}

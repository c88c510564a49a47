//! Terms under construction: the tables that modules have for their literals, where a row refers only to earlier ones.
//!
//! Whoever builds terms of them needs no recursion. The first rows may be *given*: they are not in the tables, but
//! terms that the reader of the tables has already (the annotations of tokens).

use std::collections::HashMap;

use crate::bytecode::{AtomIx, LitIx, LitValue, Literal};
use crate::constants::Constants;
use crate::{Int, Interner, Name};

/// Tables that grow.
#[derive(Default)]
pub struct Rows {
    given: u32,
    pub(crate) constants: Constants,
    /// Atom plus one for each name of the session, by index.
    by_name: Vec<u32>,
    by_text: HashMap<&'static str, AtomIx>,
}

impl Rows {
    /// No rows but the given ones.
    pub fn new(given: usize) -> Self {
        Self { given: given as u32, ..Self::default() }
    }

    /// The given row of that number.
    pub fn given(&self, index: usize) -> LitValue {
        LitValue::Lit(LitIx(index as u32))
    }

    /// The number of the given row that a value is, if it is one.
    pub fn as_given(&self, value: LitValue) -> Option<usize> {
        match value {
            LitValue::Lit(row) if row.0 < self.given => Some(row.index()),
            _ => None,
        }
    }

    /// The row behind a value, if it is one that was built here.
    pub fn get(&self, value: LitValue) -> Option<&Literal> {
        match value {
            LitValue::Lit(row) => {
                row.0.checked_sub(self.given).map(|row| &self.constants.literals[row as usize])
            }
            _ => None,
        }
    }

    fn new_atom(&mut self, text: &str) -> AtomIx {
        self.constants.atoms.push(text.to_owned());
        AtomIx(self.constants.atoms.len() as u32 - 1)
    }

    /// The atom of a name.
    pub fn name(&mut self, names: &Interner, name: Name) -> LitValue {
        if self.by_name.len() <= name.index() {
            self.by_name.resize(names.len().max(name.index() + 1), 0);
        }
        if let Some(atom) = self.by_name[name.index()].checked_sub(1) {
            return LitValue::Atom(AtomIx(atom));
        }
        let atom = self.new_atom(names.text(name));
        self.by_name[name.index()] = atom.0 + 1;
        LitValue::Atom(atom)
    }

    /// An atom that the program itself speaks of.
    pub fn word(&mut self, text: &'static str) -> LitValue {
        if let Some(&atom) = self.by_text.get(text) {
            return LitValue::Atom(atom);
        }
        let atom = self.new_atom(text);
        self.by_text.insert(text, atom);
        LitValue::Atom(atom)
    }

    /// A row.
    pub fn literal(&mut self, literal: Literal) -> LitValue {
        self.constants.literals.push(literal);
        LitValue::Lit(LitIx(self.given + self.constants.literals.len() as u32 - 1))
    }

    /// A tuple.
    pub fn tuple(&mut self, elements: Vec<LitValue>) -> LitValue {
        self.literal(Literal::Tuple(elements))
    }

    /// A list.
    pub fn list(&mut self, items: Vec<LitValue>, tail: LitValue) -> LitValue {
        if items.is_empty() { tail } else { self.literal(Literal::List { items, tail }) }
    }

    /// A list of characters.
    pub fn string(&mut self, text: &str) -> LitValue {
        match text.is_empty() {
            true => LitValue::Nil,
            false => self.literal(Literal::String(text.chars().map(u32::from).collect())),
        }
    }

    /// An integer.
    pub fn int(&mut self, value: &Int) -> LitValue {
        match value {
            Int::Small(value) => LitValue::Int(*value),
            Int::Big(value) => {
                let negative = **value < dashu_int::IBig::ZERO;
                let (_, magnitude) = (**value).clone().into_parts();
                self.literal(Literal::Big { negative, magnitude: magnitude.to_le_bytes().to_vec() })
            }
        }
    }

    /// A float.
    pub fn float(&mut self, value: f64) -> LitValue {
        self.literal(Literal::Float(value.to_bits()))
    }
}

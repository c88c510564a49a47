//! Reading maps: flat ones and hash tries alike.

use super::{Subtag, Term, Word};
use crate::atom::Atoms;

/// Associations up to which a map is flat.
pub const FLAT_LIMIT: usize = 32;

/// A map.
#[derive(Clone, Copy)]
pub struct Map<'h>(Term<'h>);

impl<'h> Map<'h> {
    pub(super) fn of(term: Term<'h>) -> Map<'h> {
        Map(term)
    }

    /// The map as a term.
    pub fn term(self) -> Term<'h> {
        self.0
    }

    /// Number of associations.
    #[inline]
    pub fn len(self) -> usize {
        let object = self.0.object();
        if object[0].is_header_of(Subtag::FlatMap) { object.len() - 2 } else { object[1].bits() as usize }
    }

    /// Whether it has none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Keys and values of a flat map, in exact order of the keys.
    #[inline]
    pub fn flat(self) -> Option<(&'h [Term<'h>], &'h [Term<'h>])> {
        let object = self.0.object();
        if !object[0].is_header_of(Subtag::FlatMap) {
            return None;
        }
        let keys = self.0.terms_of(&object[1..2])[0].as_tuple().expect("H3: a flat map's keys are a tuple");
        Some((keys, self.0.terms_of(&object[2..])))
    }

    /// The value of a key.
    pub fn get(self, atoms: &Atoms, key: Term<'h>) -> Option<Term<'h>> {
        let _ = (atoms, key, Word::NIL);
        unimplemented!("skeleton")
    }

    /// All associations: a small map's in exact order of the keys, a large one's in the order of its trie.
    pub fn iter(self) -> Iter<'h> {
        Iter { rest: Vec::new() }
    }
}

/// Iterator over a map's associations.
pub struct Iter<'h> {
    rest: Vec<(Term<'h>, Term<'h>)>,
}

impl<'h> Iterator for Iter<'h> {
    type Item = (Term<'h>, Term<'h>);

    fn next(&mut self) -> Option<(Term<'h>, Term<'h>)> {
        let _ = &self.rest;
        unimplemented!("skeleton")
    }
}

//! The pool of constant terms of one module, each kept once.
//!
//! A [`Const`] is a word to pass around: an immediate, or the number of a pool row. Rows are made only through
//! the pool's constructors, which bring them to one form (no list whose tail is a list, no integer outside its
//! smallest form), so two constants are the same term exactly when they are equal as values here. Rows refer only
//! to earlier rows, which is the order the bytecode demands.

use std::collections::HashMap;

use crate::name::Name;

/// A row of the [`Pool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LitId(pub u32);

/// A constant term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Const {
    Int(i64),
    Atom(Name),
    Nil,
    Lit(LitId),
}

/// A constant that is no immediate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// An integer outside `i64`: sign, and magnitude in little-endian bytes without trailing zeros.
    Big {
        negative: bool,
        magnitude: Vec<u8>,
    },
    /// A float by its bits.
    Float(u64),
    /// One item or more; the tail is no list.
    List {
        items: Vec<Const>,
        tail: Const,
    },
    /// A proper list of characters, kept compact.
    String(Vec<u32>),
    Tuple(Vec<Const>),
    /// Pairs with distinct keys, in order of their constants.
    Map(Vec<(Const, Const)>),
    /// A bitstring; unused low bits of the last byte are zero.
    Bits {
        bytes: Vec<u8>,
        bits: u64,
    },
    /// `fun M:F/A`.
    Export {
        module: Name,
        function: Name,
        arity: u8,
    },
}

/// All constants of a module.
#[derive(Default)]
pub struct Pool {
    terms: Vec<Term>,
    rows: HashMap<Term, LitId>,
}

/// Proper lists of at least this many items, all characters, are stored as strings.
const STRING_LENGTH: usize = 4;

impl Pool {
    /// A pool without rows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The term of a row.
    #[must_use]
    pub fn term(&self, id: LitId) -> &Term {
        &self.terms[id.0 as usize]
    }

    /// All rows, in order.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The row behind a constant, unless it is an immediate.
    #[must_use]
    pub fn get(&self, value: Const) -> Option<&Term> {
        match value {
            Const::Lit(id) => Some(self.term(id)),
            _ => None,
        }
    }

    fn intern(&mut self, term: Term) -> Const {
        if let Some(&id) = self.rows.get(&term) {
            return Const::Lit(id);
        }
        let id = LitId(self.terms.len() as u32);
        self.terms.push(term.clone());
        self.rows.insert(term, id);
        Const::Lit(id)
    }

    /// A float. The caller answers for it being finite.
    pub fn float(&mut self, value: f64) -> Const {
        self.intern(Term::Float(value.to_bits()))
    }

    /// An integer from sign and little-endian magnitude.
    pub fn integer(&mut self, negative: bool, mut magnitude: Vec<u8>) -> Const {
        while magnitude.last() == Some(&0) {
            magnitude.pop();
        }
        if magnitude.len() <= 8 {
            let mut bytes = [0; 8];
            bytes[..magnitude.len()].copy_from_slice(&magnitude);
            let value = i128::from(u64::from_le_bytes(bytes));
            if let Ok(value) = i64::try_from(if negative { -value } else { value }) {
                return Const::Int(value);
            }
        }
        self.intern(Term::Big { negative, magnitude })
    }

    /// A list of `items` in front of `tail`.
    pub fn list(&mut self, mut items: Vec<Const>, mut tail: Const) -> Const {
        if items.is_empty() {
            return tail;
        }
        match self.get(tail) {
            Some(Term::List { items: more, tail: end }) => {
                let end = *end;
                items.extend_from_slice(more);
                tail = end;
            }
            Some(Term::String(characters)) => {
                items.extend(characters.iter().map(|&c| Const::Int(i64::from(c))));
                tail = Const::Nil;
            }
            _ => {}
        }
        if tail == Const::Nil && items.len() >= STRING_LENGTH {
            let characters: Option<Vec<u32>> = items.iter().map(|item| character(*item)).collect();
            if let Some(characters) = characters {
                return self.intern(Term::String(characters));
            }
        }
        self.intern(Term::List { items, tail })
    }

    /// A tuple.
    pub fn tuple(&mut self, items: Vec<Const>) -> Const {
        self.intern(Term::Tuple(items))
    }

    /// A map; of pairs with the same key the last one wins.
    pub fn map(&mut self, pairs: impl IntoIterator<Item = (Const, Const)>) -> Const {
        let pairs: std::collections::BTreeMap<Const, Const> = pairs.into_iter().collect();
        self.intern(Term::Map(pairs.into_iter().collect()))
    }

    /// A bitstring of `bits` bits.
    pub fn bits(&mut self, bytes: Vec<u8>, bits: u64) -> Const {
        self.intern(Term::Bits { bytes, bits })
    }

    /// `fun module:function/arity`.
    pub fn export(&mut self, module: Name, function: Name, arity: u8) -> Const {
        self.intern(Term::Export { module, function, arity })
    }

    /// A proper list of code points.
    pub fn string(&mut self, text: &str) -> Const {
        self.list(text.chars().map(|c| Const::Int(i64::from(u32::from(c)))).collect(), Const::Nil)
    }

    /// First item and the rest of a constant list, from item number `at` on; `None` behind its last item.
    #[must_use]
    pub fn list_item(&self, id: LitId, at: usize) -> Option<Const> {
        match self.term(id) {
            Term::List { items, .. } => items.get(at).copied(),
            Term::String(characters) => characters.get(at).map(|&c| Const::Int(i64::from(c))),
            _ => None,
        }
    }

    /// What ends a constant list.
    #[must_use]
    pub fn list_end(&self, id: LitId) -> Const {
        match self.term(id) {
            Term::List { tail, .. } => *tail,
            _ => Const::Nil,
        }
    }

    /// The items of a proper constant list.
    #[must_use]
    pub fn proper_list(&self, value: Const) -> Option<Vec<Const>> {
        match (value, self.get(value)) {
            (Const::Nil, _) => Some(Vec::new()),
            (_, Some(Term::List { items, tail: Const::Nil })) => Some(items.clone()),
            (_, Some(Term::String(characters))) => {
                Some(characters.iter().map(|&c| Const::Int(i64::from(c))).collect())
            }
            _ => None,
        }
    }
}

/// The code point that a constant is.
fn character(value: Const) -> Option<u32> {
    match value {
        Const::Int(c @ 0..=0x10_FFFF) => Some(c as u32),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_share_a_row() {
        let mut pool = Pool::new();
        let tail = pool.list(vec![Const::Int(2), Const::Int(3)], Const::Nil);
        let nested = pool.list(vec![Const::Int(1)], tail);
        let flat = pool.list(vec![Const::Int(1), Const::Int(2), Const::Int(3)], Const::Nil);
        assert_eq!(nested, flat);
        assert_eq!(pool.integer(true, vec![0, 0, 0, 0, 0, 0, 0, 0x80]), Const::Int(i64::MIN));
        assert!(matches!(pool.integer(false, vec![0, 0, 0, 0, 0, 0, 0, 0x80]), Const::Lit(_)));
        assert_ne!(pool.float(0.0), pool.float(-0.0));
        assert_eq!(
            pool.string("abcd"),
            pool.list("abcd".bytes().map(|b| Const::Int(b.into())).collect(), Const::Nil)
        );
    }
}

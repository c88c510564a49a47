//! The hash of large maps and ETS sets: by content, keyed per VM.
//!
//! Exactly equal terms (`=:=`) hash equally in one VM; between VMs, and between runs with another key, hashes differ.

use super::worklist::Worklist;
use super::{Subtag, Term, Word};
use crate::atom::{Atoms, HashKey, mix};

/// Hash of a term.
#[inline]
pub fn hash(atoms: &Atoms, term: Term<'_>) -> u64 {
    if let Some(hash) = hash_at_once(atoms, term) {
        return hash;
    }
    let mut walk = Hashing::new(atoms, term);
    loop {
        if let Some(hash) = walk.step(usize::MAX) {
            return hash;
        }
    }
}

/// The hash of a term that one look is enough for, as most keys are: an immediate, a short binary, a small tuple of immediates.
#[inline]
pub fn hash_at_once(atoms: &Atoms, term: Term<'_>) -> Option<u64> {
    let key = atoms.key();
    let word = term.word();
    if !word.is_pointer() {
        return Some(finish(immediate(atoms, key.start(), word)));
    }
    if !word.is_boxed() {
        return None;
    }
    let object = term.object();
    if object[0].is_header_of(Subtag::HeapBits) {
        let bits = object[1].bits();
        let bytes = super::Bits::of(term).as_bytes().filter(|bytes| bytes.len() <= FEW_BYTES)?;
        let hash = key.word(key.start(), MARK_BITS ^ bits);
        return Some(finish(key.word(hash, key.bytes(bytes))));
    }
    let elements = &object[1..];
    let few = object[0].is_header_of(Subtag::Tuple) && elements.len() <= FEW_ELEMENTS;
    if !few || elements.iter().any(|element| element.is_pointer()) {
        return None;
    }
    let start = key.word(key.start(), object[0].bits());
    Some(finish(elements.iter().fold(start, |hash, element| immediate(atoms, hash, *element))))
}

/// Bytes of a binary, and elements of a tuple, that are hashed at once.
const FEW_BYTES: usize = 64;
const FEW_ELEMENTS: usize = 8;

/// A hash computed in steps.
pub struct Hashing<'h> {
    atoms: &'h Atoms,
    key: HashKey,
    hash: u64,
    rest: Worklist<Item<'h>, 24>,
    /// What the next step takes more than others, announced by the last one.
    ahead: usize,
}

#[derive(Clone, Copy)]
enum Item<'h> {
    Term(Term<'h>),
    Row(&'h [Term<'h>]),
}

impl<'h> Hashing<'h> {
    /// Begins to hash a term.
    pub fn new<'x: 'h>(atoms: &'h Atoms, term: Term<'x>) -> Hashing<'h> {
        let term = term.shorten();
        let mut rest = Worklist::new();
        rest.push(Item::Term(term));
        Hashing { atoms, key: atoms.key(), hash: atoms.key().start(), rest, ahead: 0 }
    }

    /// What the next step takes more than others (a long bitstring is hashed in one go), in units of some nanoseconds.
    pub fn ahead(&self) -> usize {
        self.ahead
    }

    /// Looks at about `budget` objects more; the hash when all have been seen.
    pub fn step(&mut self, budget: usize) -> Option<u64> {
        for _ in 0..budget {
            let term = match self.rest.pop() {
                None => return Some(finish(self.hash)),
                Some(Item::Term(term)) => term,
                Some(Item::Row(row)) => {
                    let Some((first, others)) = row.split_first() else { continue };
                    self.rest.push(Item::Row(others));
                    *first
                }
            };
            if self.ahead == 0 && term.word().is_boxed() {
                self.ahead = super::bits::units_to_read(term);
                if self.ahead > 0 {
                    self.rest.push(Item::Term(term));
                    return None;
                }
            }
            self.ahead = 0;
            self.visit(term);
        }
        None
    }

    fn visit(&mut self, term: Term<'h>) {
        if !term.word().is_pointer() {
            self.hash = immediate(self.atoms, self.hash, term.word());
            return;
        }
        if let Some(cell) = term.as_cons() {
            self.add(MARK_LIST);
            self.rest.push(Item::Term(cell.tail()));
            self.rest.push(Item::Term(cell.head()));
            return;
        }
        let object = term.object();
        let raw = match object[0].header_subtag() {
            Subtag::HeapBits | Subtag::SharedBits | Subtag::SubBits => return self.bits(term),
            Subtag::Ref | Subtag::Resource => {
                self.add(MARK_REF);
                return self.add(object[1].bits());
            }
            Subtag::BigPositive | Subtag::BigNegative | Subtag::Float => object.len() - 1,
            Subtag::HashMap => 1,
            // The entry's address is not content: its identity is (and two entries of one identity do not exist).
            Subtag::Fun => {
                let entry = super::Fun::of(term);
                self.add(self.atoms.hash(entry.entry().module));
                self.add(u64::from(entry.entry().index) << 32 | u64::from(entry.entry().uniq));
                self.push_all(term, &object[2..]);
                return;
            }
            Subtag::ExternalFun => {
                self.add(MARK_EXTERNAL);
                self.push_all(term, &object[1..4]);
                return;
            }
            _ => 0,
        };
        self.add(object[0].bits());
        for word in &object[1..1 + raw] {
            self.add(word.bits());
        }
        self.push_all(term, &object[1 + raw..]);
    }

    fn push_all(&mut self, term: Term<'h>, words: &'h [Word]) {
        self.rest.push(Item::Row(term.terms_of(words)));
    }

    fn bits(&mut self, term: Term<'h>) {
        let bits = super::Bits::of(term);
        self.add(MARK_BITS ^ bits.bit_length() as u64);
        let hash = match bits.as_bytes() {
            Some(bytes) => self.key.bytes(bytes),
            None => self.key.bytes(&bits.iter_bytes().collect::<Vec<u8>>()),
        };
        self.add(hash);
    }

    #[inline]
    fn add(&mut self, word: u64) {
        self.hash = self.key.word(self.hash, word);
    }
}

/// What stands for the kinds of objects whose header is not hashed as it is.
const MARK_LIST: u64 = 0x6c69_7374;
const MARK_REF: u64 = 0x7265_6600;
const MARK_BITS: u64 = 0x6269_7473;
const MARK_EXTERNAL: u64 = 0x6578_7400;

#[inline]
fn immediate(atoms: &Atoms, hash: u64, word: Word) -> u64 {
    let content = match word.as_atom() {
        Some(atom) => atoms.hash(atom),
        None => word.bits(),
    };
    atoms.key().word(hash, content)
}

/// Spreads the last word's bits: the trie looks at four bits a level, beginning with the lowest.
#[inline]
fn finish(hash: u64) -> u64 {
    mix(hash, 0x9e37_79b9_7f4a_7c15)
}

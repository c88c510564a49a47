//! Reading maps: flat ones and hash tries alike.
//!
//! Up to [`FLAT_LIMIT`] associations a map is flat: a tuple of keys in exact order, which maps of the same keys share, and a row
//! of values. Larger ones are tries over the keyed content hash, four bits a level from the lowest, sixteen levels; keys whose
//! 64 bits of hash agree share a bucket, sorted in exact order. A node's header holds the bitmap of its children. The shape
//! follows from the keys alone (H8): a part with one key is a leaf wherever it is, one with more is a node.

use super::compare::{compare_exact, equal_exact};
use super::hash::hash;
use super::worklist::Worklist;
use super::{Subtag, Term};
use crate::atom::Atoms;

/// Associations up to which a map is flat.
pub const FLAT_LIMIT: usize = 32;

/// Levels of a trie: 64 bits of hash, four each.
pub(crate) const LEVELS: usize = 16;

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
        Some((self.keys_tuple()?.as_tuple()?, self.0.terms_of(&object[2..])))
    }

    /// The tuple of a flat map's keys.
    #[inline]
    pub fn keys_tuple(self) -> Option<Term<'h>> {
        let object = self.0.object();
        if object[0].is_header_of(Subtag::FlatMap) { Some(self.0.terms_of(&object[1..2])[0]) } else { None }
    }

    /// The root node of a hash map.
    pub(crate) fn root(self) -> Part<'h> {
        let object = self.0.object();
        assert!(object[0].is_header_of(Subtag::HashMap), "flat maps have no nodes");
        Part(self.0.terms_of(&object[2..])[0])
    }

    /// The value of a key.
    #[inline]
    pub fn get(self, atoms: &Atoms, key: Term<'h>) -> Option<Term<'h>> {
        match self.flat() {
            Some((keys, values)) => flat_position(keys, key).map(|position| values[position]),
            None => self.get_hashed(hash(atoms, key), key),
        }
    }

    /// The value of a key in a hash map, its hash being known.
    pub(crate) fn get_hashed(self, mut hash: u64, key: Term<'h>) -> Option<Term<'h>> {
        let mut part = self.root();
        loop {
            match part.kind() {
                Kind::Leaf(own, value) => {
                    return if same_key(own, key) { Some(value) } else { None };
                }
                Kind::Bucket(leaves) => return in_bucket(leaves, key),
                Kind::Node(bitmap, children) => {
                    part = Part(*children.get(position_in(bitmap, hash)?)?);
                    hash >>= 4;
                }
            }
        }
    }

    /// Whether a key is there.
    pub fn contains_key(self, atoms: &Atoms, key: Term<'h>) -> bool {
        self.get(atoms, key).is_some()
    }

    /// All associations: a small map's in exact order of the keys, a large one's in the order of its trie.
    pub fn iter(self) -> Iter<'h> {
        match self.flat() {
            Some((keys, values)) => Iter(Rest::Flat(keys, values)),
            None => {
                let root = self.0.terms_of(&self.0.object()[2..]);
                Iter(Rest::Hashed(Row(root), Worklist::new()))
            }
        }
    }

    /// Where a key stands in the iteration order of a hash map: the digits of its hash, first level first. Keys whose hashes
    /// agree stand at one place. `None` for flat maps.
    pub fn place_of(self, atoms: &Atoms, key: Term<'h>) -> Option<u64> {
        if self.flat().is_some() {
            return None;
        }
        Some(place_of_hash(hash(atoms, key)))
    }

    /// The associations of a hash map behind a place; all of a flat map's.
    pub fn iter_after(self, atoms: &Atoms, place: u64) -> Iter<'h> {
        if self.flat().is_some() {
            return self.iter();
        }
        let mut rows = Worklist::new();
        let mut siblings = self.0.terms_of(&self.0.object()[2..]);
        let mut digits = place;
        loop {
            // The first of the siblings is the part on the way to the place.
            let first_key = match Part(siblings[0]).kind() {
                Kind::Node(bitmap, children) => {
                    let bit = 1 << (digits >> 60);
                    digits <<= 4;
                    let before = (bitmap & (bit - 1)).count_ones() as usize;
                    if bitmap & bit == 0 {
                        rows.push(Row(&children[before..]));
                        break;
                    }
                    rows.push(Row(&children[before + 1..]));
                    siblings = &children[before..=before];
                    continue;
                }
                Kind::Leaf(key, _) => Some(key),
                Kind::Bucket(leaves) => {
                    leaves.first().and_then(|leaf| leaf.as_cons()).map(|leaf| leaf.head())
                }
            };
            if first_key.is_some_and(|key| place_of_hash(hash(atoms, key)) > place) {
                rows.push(Row(siblings));
            }
            break;
        }
        Iter(Rest::Hashed(Row(&[]), rows))
    }
}

/// The place of a hash's lowest digit among the children of a node; `None` if it has none there.
#[inline(always)]
pub(crate) fn position_in(bitmap: u16, hash: u64) -> Option<usize> {
    let digit = (hash & 15) as usize;
    // The upper levels of large maps are full, and counting bits takes a while.
    if bitmap == u16::MAX {
        return Some(digit);
    }
    let below = bitmap & ((1_u16 << digit) - 1);
    (bitmap >> digit & 1 != 0).then(|| below.count_ones() as usize)
}

/// `=:=` of keys whose hashes are nearly alike: mostly the same word. The rest is out of line, so that finding the key needs
/// no room on the stack.
#[inline(always)]
fn same_key(a: Term<'_>, b: Term<'_>) -> bool {
    #[inline(never)]
    fn by_content(a: Term<'_>, b: Term<'_>) -> bool {
        equal_exact(a, b)
    }
    a.word() == b.word() || a.word().is_pointer() && by_content(a, b)
}

#[cold]
#[inline(never)]
fn in_bucket<'h>(leaves: &[Term<'h>], key: Term<'h>) -> Option<Term<'h>> {
    let mut pairs = leaves.iter().filter_map(|leaf| leaf.as_cons());
    pairs.find(|leaf| equal_exact(leaf.head(), key)).map(|leaf| leaf.tail())
}

/// A hash read as the digits that lead down the trie, most significant first.
fn place_of_hash(hash: u64) -> u64 {
    let bytes = hash.swap_bytes();
    (bytes & 0x0f0f_0f0f_0f0f_0f0f) << 4 | (bytes & 0xf0f0_f0f0_f0f0_f0f0) >> 4
}

/// Where `key` is among the keys of a flat map.
#[inline]
pub(crate) fn flat_position<'h>(keys: &[Term<'h>], key: Term<'h>) -> Option<usize> {
    // Most keys are immediates, and equal if they are the same word.
    if let Some(position) = keys.iter().position(|own| own.word() == key.word()) {
        return Some(position);
    }
    if key.word().is_immediate() {
        return None;
    }
    keys.iter().position(|own| equal_exact(*own, key))
}

/// Where `key` is among keys in exact order, or where it would be inserted.
pub(crate) fn flat_search<'h>(atoms: &Atoms, keys: &[Term<'h>], key: Term<'h>) -> Result<usize, usize> {
    keys.binary_search_by(|own| compare_exact(atoms, *own, key))
}

/// A part of a trie.
#[derive(Clone, Copy)]
pub(crate) struct Part<'h>(Term<'h>);

/// What a part is.
#[derive(Clone, Copy)]
pub(crate) enum Kind<'h> {
    /// Key and value.
    Leaf(Term<'h>, Term<'h>),
    /// Bitmap and children.
    Node(u16, &'h [Term<'h>]),
    /// Leaves whose hashes agree wholly.
    Bucket(&'h [Term<'h>]),
}

impl<'h> Part<'h> {
    pub(crate) fn new(term: Term<'h>) -> Part<'h> {
        Part(term)
    }

    #[inline]
    pub(crate) fn kind(self) -> Kind<'h> {
        if let Some(leaf) = self.0.as_cons() {
            return Kind::Leaf(leaf.head(), leaf.tail());
        }
        let object = self.0.object();
        let children = self.0.terms_of(&object[1..]);
        if object[0].is_header_of(Subtag::HashNode) {
            Kind::Node(object[0].header_aux(), children)
        } else {
            Kind::Bucket(children)
        }
    }
}

/// Iterator over a map's associations.
pub struct Iter<'h>(Rest<'h>);

// The larger variant is the iterator's own room for its way down the trie: no allocation in either case.
#[allow(clippy::large_enum_variant)]
enum Rest<'h> {
    Flat(&'h [Term<'h>], &'h [Term<'h>]),
    /// The row that is passed now, and those above it.
    Hashed(Row<'h>, Worklist<Row<'h>, { LEVELS + 2 }>),
}

/// Siblings still to be visited.
#[derive(Clone, Copy)]
struct Row<'h>(&'h [Term<'h>]);

impl<'h> Iterator for Iter<'h> {
    type Item = (Term<'h>, Term<'h>);

    #[inline]
    fn next(&mut self) -> Option<(Term<'h>, Term<'h>)> {
        match &mut self.0 {
            Rest::Flat(keys, values) => {
                let (key, value) = (*keys.first()?, *values.first()?);
                (*keys, *values) = (&keys[1..], &values[1..]);
                Some((key, value))
            }
            Rest::Hashed(row, above) => loop {
                let Some((first, rest)) = row.0.split_first() else {
                    *row = above.pop()?;
                    continue;
                };
                row.0 = rest;
                match Part(*first).kind() {
                    Kind::Leaf(key, value) => return Some((key, value)),
                    Kind::Node(_, children) | Kind::Bucket(children) => {
                        if !rest.is_empty() {
                            above.push(*row);
                        }
                        row.0 = children;
                    }
                }
            },
        }
    }
}

//! The literals of a module: built once, at load, into areas that no collection touches.

use std::sync::Arc;

use erlet_lang::bytecode::{Instr, LitIx, LitValue, Literal, Module, Src};

use super::server::{CodeServer, LoadError, Mfa};
use crate::atom::{Atom, Atoms};
use crate::heap::{Account, AllocError, Heap, HeapRef, LiteralArea, Policy};
use crate::term::compare::compare_exact;
use crate::term::map::FLAT_LIMIT;
use crate::term::{Term, Word};

/// The literals of one module: its table, and the integers in its code that are not small.
pub struct Literals {
    rows: Vec<Word>,
    bigs: Vec<(i64, Word)>,
    /// What the words point at: the table's terms, and the others.
    areas: [Arc<LiteralArea>; 2],
    /// Keys of the small maps that the code writes out.
    key_tuples: Vec<KeyTuple>,
    /// Keys, in their order, of all small maps that the code has or writes out: what the maps that it reads may look like.
    shapes: Vec<Vec<Word>>,
}

/// The keys of a map that the code writes out, all immediates.
struct KeyTuple {
    /// As written.
    keys: Vec<Word>,
    /// The tuple of them in exact order, as flat maps have it.
    word: Word,
    /// Which of the written keys stands at each place of the tuple.
    order: Vec<usize>,
}

impl From<AllocError> for LoadError {
    fn from(_: AllocError) -> LoadError {
        LoadError::SystemLimit
    }
}

impl Literals {
    /// Builds the module's literals. `big_integers` are those integers of the code that are not small.
    ///
    /// # Errors
    /// If there is no room.
    pub(super) fn build(
        module: &Module,
        names: &[Atom],
        atoms: &Atoms,
        server: &CodeServer,
        big_integers: &[i64],
    ) -> Result<Literals, LoadError> {
        let mut heap = Heap::new(Account::root(), Policy::default())?;
        heap.with(atoms, |heap| {
            let mut terms = Vec::with_capacity(module.literals.len());
            for literal in &module.literals {
                let term = build(heap, literal, &terms, names, server)?;
                terms.push(term);
            }
            let bigs = big_integers.iter().map(|&value| heap.int(value)).collect::<Result<Vec<_>, _>>()?;
            let mut key_tuples = Vec::new();
            let mut others = bigs;
            for keys in written_keys(module, names) {
                if let Some(order) = exact_order(atoms, &keys) {
                    let sorted: Vec<Term<'_>> =
                        order.iter().filter_map(|place| Term::immediate(keys[*place])).collect();
                    others.push(heap.tuple(&sorted)?);
                    key_tuples.push(KeyTuple { keys, word: Word::NIL, order });
                }
            }
            let (area, rows) = LiteralArea::build(&terms)?;
            let (big_area, mut words) = LiteralArea::build(&others)?;
            for (tuple, word) in key_tuples.iter_mut().zip(words.split_off(big_integers.len())) {
                tuple.word = word;
            }
            let bigs = big_integers.iter().copied().zip(words).collect();
            let written =
                key_tuples.iter().map(|tuple| tuple.order.iter().map(|place| tuple.keys[*place]).collect());
            let constant = terms.iter().filter_map(|term| term.as_map()?.flat());
            let constant = constant.map(|(keys, _)| keys.iter().map(|key| key.word()).collect());
            let shapes = written.chain(constant).collect();
            let areas = [area, big_area].map(Arc::new);
            Ok(Literals { rows, bigs, areas, key_tuples, shapes })
        })
    }

    /// The areas they lie in.
    pub(super) fn areas(&self) -> impl Iterator<Item = Arc<LiteralArea>> {
        self.areas.iter().cloned()
    }

    /// The tuple of the keys of a map that the code writes out, and which of its values belongs at each place.
    pub(super) fn keys(&self, keys: &[Word]) -> Option<(Word, &[usize])> {
        let found = self.key_tuples.iter().find(|tuple| tuple.keys == keys)?;
        Some((found.word, &found.order))
    }

    /// Where the keys stand in the maps of this module that have them all: where to look first. 0 for each if there are none.
    pub(super) fn likely_places(&self, keys: &[Word]) -> Vec<usize> {
        let places = |shape: &Vec<Word>| {
            keys.iter().map(|key| shape.iter().position(|own| own == key)).collect::<Option<Vec<usize>>>()
        };
        self.shapes.iter().find_map(places).unwrap_or_else(|| vec![0; keys.len()])
    }

    /// Whether a literal is the empty map.
    pub(super) fn is_empty_map(module: &Module, literal: LitIx) -> bool {
        matches!(&module.literals[literal.index()], Literal::Map(pairs) if pairs.is_empty())
    }

    /// The word of a literal.
    pub(super) fn word(&self, literal: LitIx) -> Word {
        self.rows[literal.index()]
    }

    /// The word of an integer of the code.
    pub(super) fn integer(&self, value: i64) -> Word {
        let found = self.bigs.iter().find(|(big, _)| *big == value);
        found.map_or_else(|| Word::small(value), |(_, word)| *word)
    }

    /// The word of a value of an attribute.
    pub(super) fn value(&self, value: LitValue, names: &[Atom]) -> Word {
        match value {
            LitValue::Int(value) => Word::try_small(value).unwrap_or(Word::NIL),
            LitValue::Atom(atom) => Word::atom(names[atom.index()]),
            LitValue::Nil => Word::NIL,
            LitValue::Lit(literal) => self.word(literal),
        }
    }
}

/// The keys of each small map that the module's code writes out with constant keys, each list once.
fn written_keys(module: &Module, names: &[Atom]) -> Vec<Vec<Word>> {
    let immediate = |key: &Src| match key {
        Src::Int(value) => Word::try_small(*value),
        Src::Atom(atom) => Some(Word::atom(names[atom.index()])),
        Src::Nil => Some(Word::NIL),
        _ => None,
    };
    let mut found: Vec<Vec<Word>> = Vec::new();
    for instr in module.functions.iter().flat_map(|function| &function.code) {
        if let Instr::MapPut { map: Src::Lit(map), pairs, .. } = instr
            && Literals::is_empty_map(module, *map)
            && pairs.len() <= FLAT_LIMIT
            && let Some(keys) = pairs.iter().map(|(key, _)| immediate(key)).collect::<Option<Vec<Word>>>()
            && !found.contains(&keys)
        {
            found.push(keys);
        }
    }
    found
}

/// Places of immediate keys in exact order; `None` if one is there twice.
pub(super) fn exact_order(atoms: &Atoms, keys: &[Word]) -> Option<Vec<usize>> {
    let terms: Vec<Term<'_>> = keys.iter().map(|key| Term::immediate(*key)).collect::<Option<_>>()?;
    let mut order: Vec<usize> = (0..terms.len()).collect();
    order.sort_by(|a, b| compare_exact(atoms, terms[*a], terms[*b]));
    order.windows(2).all(|pair| keys[pair[0]] != keys[pair[1]]).then_some(order)
}

fn build<'h>(
    heap: &mut HeapRef<'h>,
    literal: &Literal,
    rows: &[Term<'h>],
    names: &[Atom],
    server: &CodeServer,
) -> Result<Term<'h>, AllocError> {
    let values = |heap: &mut HeapRef<'h>, values: &[LitValue]| {
        values.iter().map(|&value| of_value(heap, value, rows, names)).collect::<Result<Vec<_>, _>>()
    };
    match literal {
        Literal::Big { negative, magnitude } => {
            let limbs: Vec<u64> = magnitude.chunks(8).map(limb).collect();
            heap.big(*negative, &limbs)
        }
        Literal::Float(bits) => {
            let float = heap.float(f64::from_bits(*bits))?;
            Ok(float.expect("the verifier refuses literals that are no floats"))
        }
        Literal::List { items, tail } => {
            let items = values(heap, items)?;
            let tail = of_value(heap, *tail, rows, names)?;
            heap.list_with_tail(&items, tail)
        }
        Literal::String(characters) => {
            let mut characters = characters.iter();
            heap.list_from(|_| Ok(characters.next().and_then(|&character| Term::small(i64::from(character)))))
        }
        Literal::Tuple(elements) => {
            let elements = values(heap, elements)?;
            heap.tuple(&elements)
        }
        Literal::Map(pairs) => {
            let mut built = Vec::with_capacity(pairs.len());
            for &(key, value) in pairs {
                built.push((of_value(heap, key, rows, names)?, of_value(heap, value, rows, names)?));
            }
            heap.map(&built)
        }
        Literal::Bits { bytes, bits } => {
            heap.bits_with(*bits as usize, |place| place.copy_from_slice(&bytes[..place.len()]))
        }
        Literal::Export { module, function, arity } => {
            let (module, function) = (names[module.index()], names[function.index()]);
            let cell: *const _ = server.export(Mfa { module, function, arity: *arity });
            heap.external_fun(module, function, *arity, cell.expose_provenance() as u64)
        }
    }
}

/// The terms that the tables of a text describe; `names` are its atoms, and `given` are rows before the first.
///
/// # Errors
/// If there is no room.
pub fn constant_terms<'h>(
    heap: &mut HeapRef<'h>,
    given: Vec<Term<'h>>,
    literals: &[Literal],
    terms: &[LitValue],
    names: &[Atom],
    server: &CodeServer,
) -> Result<Vec<Term<'h>>, AllocError> {
    let mut rows = given;
    rows.reserve(literals.len());
    for literal in literals {
        let term = build(heap, literal, &rows, names, server)?;
        rows.push(term);
    }
    terms.iter().map(|&value| of_value(heap, value, &rows, names)).collect()
}

fn of_value<'h>(
    heap: &mut HeapRef<'h>,
    value: LitValue,
    rows: &[Term<'h>],
    names: &[Atom],
) -> Result<Term<'h>, AllocError> {
    match value {
        LitValue::Int(value) => heap.int(value),
        LitValue::Atom(atom) => Ok(Term::atom(names[atom.index()])),
        LitValue::Nil => Ok(Term::NIL),
        LitValue::Lit(literal) => Ok(rows[literal.index()]),
    }
}

/// Up to eight bytes, least significant first.
fn limb(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |limb, &byte| limb << 8 | u64::from(byte))
}

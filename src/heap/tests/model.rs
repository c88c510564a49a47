//! Terms as plain Rust values, for tests: built on a heap, read back, generated.

use dashu_int::IBig;
use proptest::prelude::*;

use crate::atom::{Atoms, DEFAULT_LIMIT, HashKey};
use crate::heap::HeapRef;
use crate::num::integer::Int;
use crate::term::{Bits, Pid, Port, Term, View};

/// A term.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    Int(IBig),
    /// By bits, so that -0.0 and 0.0 differ.
    Float(u64),
    Atom(String),
    Pid(u32, u32),
    Port(u32),
    Ref(u64),
    Bits(Vec<u8>, usize),
    Nil,
    List(Vec<Model>, Box<Model>),
    Tuple(Vec<Model>),
    /// Sorted by the debug text of keys; keys distinct.
    Map(Vec<(Model, Model)>),
}

pub fn atoms() -> Atoms {
    Atoms::new(HashKey::from_seed(7), DEFAULT_LIMIT)
}

impl Model {
    pub fn int(value: i128) -> Model {
        Model::Int(IBig::from(value))
    }

    pub fn map(pairs: Vec<(Model, Model)>) -> Model {
        let mut kept: Vec<(Model, Model)> = Vec::new();
        for pair in pairs {
            match kept.iter_mut().find(|own| own.0 == pair.0) {
                Some(own) => own.1 = pair.1,
                None => kept.push(pair),
            }
        }
        kept.sort_by_key(|pair| format!("{:?}", pair.0));
        Model::Map(kept)
    }

    pub fn build<'h>(&self, h: &mut HeapRef<'h>) -> Term<'h> {
        match self {
            Model::Int(value) => h.int_big(value).unwrap(),
            Model::Float(bits) => h.float(f64::from_bits(*bits)).unwrap().expect("finite"),
            Model::Atom(text) => Term::atom(h.atoms().intern(text).unwrap()),
            Model::Pid(index, serial) => Term::pid(Pid::new(*index, *serial)),
            Model::Port(index) => Term::port(Port::new(*index, 0)),
            Model::Ref(unique) => h.reference(*unique, Some(Pid::new(1, 0))).unwrap(),
            Model::Bits(bytes, bits) => h.bits(Bits::from_parts(bytes, 0, *bits)).unwrap(),
            Model::Nil => Term::NIL,
            Model::List(elements, tail) => {
                let tail = tail.build(h);
                let elements: Vec<Term<'h>> = elements.iter().map(|element| element.build(h)).collect();
                h.list_with_tail(&elements, tail).unwrap()
            }
            Model::Tuple(elements) => {
                let elements: Vec<Term<'h>> = elements.iter().map(|element| element.build(h)).collect();
                h.tuple(&elements).unwrap()
            }
            Model::Map(pairs) => {
                let pairs: Vec<_> = pairs.iter().map(|(key, value)| (key.build(h), value.build(h))).collect();
                h.map(&pairs).unwrap()
            }
        }
    }

    pub fn read(atoms: &Atoms, term: Term<'_>) -> Model {
        match term.view() {
            View::Int(value) => Model::int(i128::from(value)),
            View::Big(big) => Model::Int(Int { negative: big.is_negative(), limbs: big.limbs() }.to_ibig()),
            View::Float(value) => Model::Float(value.to_bits()),
            View::Atom(atom) => Model::Atom(atoms.text(atom).to_owned()),
            View::Pid(pid) => Model::Pid(pid.index(), pid.serial()),
            View::Port(port) => Model::Port(port.index()),
            View::Ref(reference) => Model::Ref(reference.unique()),
            View::Bits(bits) => Model::Bits(bits.iter_bytes().collect(), bits.bit_length()),
            View::Nil => Model::Nil,
            View::Cons(_) => {
                let mut cells = term.list();
                let elements = cells.by_ref().map(|element| Model::read(atoms, element)).collect();
                Model::List(elements, Box::new(Model::read(atoms, cells.rest())))
            }
            View::Tuple(elements) => Model::Tuple(elements.iter().map(|e| Model::read(atoms, *e)).collect()),
            View::Map(map) => {
                Model::map(map.iter().map(|(k, v)| (Model::read(atoms, k), Model::read(atoms, v))).collect())
            }
            View::Fun(_) | View::ExternalFun(_) => unreachable!("models hold no funs"),
        }
    }
}

/// Any finite float, the awkward ones often.
pub fn floats() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        Just(-0.0),
        Just(1.0),
        Just(5e-324),
        Just(f64::MAX),
        (-1000i64..1000).prop_map(|v| v as f64),
        any::<f64>().prop_filter("finite", |f| f.is_finite()),
    ]
}

/// Integers around the borders of small ones, and larger.
pub fn integers() -> impl Strategy<Value = IBig> {
    prop_oneof![
        4 => (-3i64..4).prop_map(IBig::from),
        2 => any::<i64>().prop_map(IBig::from),
        2 => any::<i128>().prop_map(IBig::from),
        1 => ((-2i64..3), 55usize..70).prop_map(|(d, shift)| (IBig::from(1) << shift) + IBig::from(d)),
        1 => ((-2i64..3), 55usize..70).prop_map(|(d, shift)| -(IBig::from(1) << shift) + IBig::from(d)),
        1 => (any::<i128>(), 0usize..2000).prop_map(|(v, shift)| IBig::from(v) << shift),
    ]
}

/// Any term without funs.
pub fn terms() -> impl Strategy<Value = Model> {
    let leaf = prop_oneof![
        4 => integers().prop_map(Model::Int),
        2 => floats().prop_map(|f| Model::Float(f.to_bits())),
        2 => "[a-c]{0,10}".prop_map(Model::Atom),
        1 => (0u32..3, 0u32..3).prop_map(|(i, s)| Model::Pid(i, s)),
        1 => (0u32..3).prop_map(Model::Port),
        1 => (0u64..3).prop_map(Model::Ref),
        2 => (proptest::collection::vec(any::<u8>(), 0..200), 0usize..8).prop_map(|(mut bytes, less)| {
            let bits = (bytes.len() * 8).saturating_sub(less);
            bytes.truncate(bits.div_ceil(8));
            if bits % 8 != 0 && let Some(last) = bytes.last_mut() { *last &= !(0xff >> (bits % 8)); }
            Model::Bits(bytes, bits)
        }),
        1 => Just(Model::Nil),
    ];
    leaf.prop_recursive(4, 120, 60, |inner| {
        prop_oneof![
            3 => (proptest::collection::vec(inner.clone(), 1..6), prop_oneof![4 => Just(Model::Nil), 1 => inner.clone()])
                .prop_map(|(elements, tail)| match tail {
                    Model::List(more, end) => {
                        Model::List(elements.into_iter().chain(more).collect(), end)
                    }
                    tail => Model::List(elements, Box::new(tail)),
                }),
            2 => proptest::collection::vec(inner.clone(), 0..5).prop_map(Model::Tuple),
            2 => proptest::collection::vec((inner.clone(), inner.clone()), 0..6).prop_map(Model::map),
            1 => proptest::collection::vec((inner.clone(), inner), 30..60).prop_map(Model::map),
        ]
    })
}

//! What kinds of terms a value may be of, as far as constants, patterns, guards and operators tell.

use crate::core::{Const, Pool, literal::Term};
use crate::{Name, known};

/// Atoms told apart; a value that may be one of more may be any.
const ATOMS: usize = 5;

/// A set of terms: it has all that the value may be, and maybe more.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Type {
    /// Of the bits below.
    kinds: u16,
    /// If it may be an atom, which ones: so many of them, or any.
    atoms: [Name; ATOMS],
    count: u8,
    /// If it may be an integer, between which.
    least: i64,
    most: i64,
    /// If it may be a tuple, of how many elements, or any.
    arity: u32,
}

const ATOM: u16 = 1;
const INTEGER: u16 = 1 << 1;
const FLOAT: u16 = 1 << 2;
const NIL: u16 = 1 << 3;
const CELL: u16 = 1 << 4;
const TUPLE: u16 = 1 << 5;
const BITS: u16 = 1 << 6;
const MAP: u16 = 1 << 7;
const FUN: u16 = 1 << 8;
const IDENTIFIER: u16 = 1 << 9;

const ANY_COUNT: u8 = u8::MAX;
const ANY_ARITY: u32 = u32::MAX;

impl Type {
    pub(super) const ANY: Type = Type::of(u16::MAX);
    pub(super) const ATOM: Type = Type::of(ATOM);
    pub(super) const INTEGER: Type = Type::of(INTEGER);
    pub(super) const FLOAT: Type = Type::of(FLOAT);
    pub(super) const NUMBER: Type = Type::of(INTEGER | FLOAT);
    pub(super) const CELL: Type = Type::of(CELL);
    pub(super) const LIST: Type = Type::of(NIL | CELL);
    pub(super) const TUPLE: Type = Type::of(TUPLE);
    pub(super) const BITS: Type = Type::of(BITS);
    pub(super) const MAP: Type = Type::of(MAP);
    pub(super) const FUN: Type = Type::of(FUN);
    pub(super) const IDENTIFIER: Type = Type::of(IDENTIFIER);
    pub(super) const BOOLEAN: Type = {
        let mut atoms = [known::EMPTY; ATOMS];
        (atoms[0], atoms[1]) = (known::TRUE, known::FALSE);
        Type { atoms, count: 2, ..Type::ATOM }
    };

    /// Any term of these kinds.
    const fn of(kinds: u16) -> Type {
        Type {
            kinds,
            atoms: [known::EMPTY; ATOMS],
            count: ANY_COUNT,
            least: i64::MIN,
            most: i64::MAX,
            arity: ANY_ARITY,
        }
    }

    pub(super) fn tuple(arity: usize) -> Type {
        Type { arity: u32::try_from(arity).unwrap_or(ANY_ARITY), ..Type::TUPLE }
    }

    pub(super) fn constant(pool: &Pool, value: Const) -> Type {
        match value {
            Const::Int(value) => Type { least: value, most: value, ..Type::INTEGER },
            Const::Atom(name) => {
                let mut atoms = [known::EMPTY; ATOMS];
                atoms[0] = name;
                Type { atoms, count: 1, ..Type::ATOM }
            }
            Const::Nil => Type::of(NIL),
            Const::Lit(id) => match pool.term(id) {
                Term::Big { .. } => Type::INTEGER,
                Term::Float(_) => Type::FLOAT,
                Term::List { .. } | Term::String(_) => Type::CELL,
                Term::Tuple(items) => Type::tuple(items.len()),
                Term::Map(_) => Type::MAP,
                Term::Bits { .. } => Type::BITS,
                Term::Export { .. } => Type::FUN,
            },
        }
    }

    /// Whether there is no such term.
    pub(super) fn is_none(&self) -> bool {
        self.kinds == 0
    }

    fn atoms(&self) -> Option<&[Name]> {
        self.atoms.get(..usize::from(self.count))
    }

    fn with_atoms(self, names: impl Iterator<Item = Name>) -> Type {
        let (mut atoms, mut count) = ([known::EMPTY; ATOMS], 0);
        for name in names {
            match atoms.get_mut(count) {
                Some(place) => *place = name,
                None => return Type { atoms: [known::EMPTY; ATOMS], count: ANY_COUNT, ..self },
            }
            count += 1;
        }
        atoms[..count].sort_unstable_by_key(|name| name.index());
        Type { atoms, count: count as u8, ..self }
    }

    /// What is of both.
    pub(super) fn meet(self, other: Type) -> Type {
        let mut met = Type::of(self.kinds & other.kinds);
        if met.kinds & ATOM != 0 {
            met = match (self.atoms(), other.atoms()) {
                (None, None) => met,
                (Some(names), None) | (None, Some(names)) => met.with_atoms(names.iter().copied()),
                (Some(names), Some(others)) => {
                    met.with_atoms(names.iter().copied().filter(|name| others.contains(name)))
                }
            };
            if met.count == 0 {
                met = Type { kinds: met.kinds & !ATOM, count: ANY_COUNT, ..met };
            }
        }
        if met.kinds & INTEGER != 0 {
            let (least, most) = (self.least.max(other.least), self.most.min(other.most));
            met = if least <= most {
                Type { least, most, ..met }
            } else {
                Type { kinds: met.kinds & !INTEGER, ..met }
            };
        }
        if met.kinds & TUPLE != 0 {
            met = match (self.arity, other.arity) {
                (ANY_ARITY, arity) | (arity, ANY_ARITY) => Type { arity, ..met },
                (one, other) if one == other => Type { arity: one, ..met },
                _ => Type { kinds: met.kinds & !TUPLE, ..met },
            };
        }
        met
    }

    /// What is of one of them.
    pub(super) fn join(self, other: Type) -> Type {
        let mut joined = Type::of(self.kinds | other.kinds);
        joined = match (self.kinds & ATOM != 0, other.kinds & ATOM != 0) {
            (true, true) => match (self.atoms(), other.atoms()) {
                (Some(names), Some(others)) => {
                    let more = others.iter().filter(|name| !names.contains(name));
                    joined.with_atoms(names.iter().chain(more).copied())
                }
                _ => joined,
            },
            (true, false) => Type { atoms: self.atoms, count: self.count, ..joined },
            (false, true) => Type { atoms: other.atoms, count: other.count, ..joined },
            (false, false) => joined,
        };
        joined = match (self.kinds & INTEGER != 0, other.kinds & INTEGER != 0) {
            (true, true) => {
                Type { least: self.least.min(other.least), most: self.most.max(other.most), ..joined }
            }
            (true, false) => Type { least: self.least, most: self.most, ..joined },
            (false, true) => Type { least: other.least, most: other.most, ..joined },
            (false, false) => joined,
        };
        let arity = match (self.kinds & TUPLE != 0, other.kinds & TUPLE != 0) {
            (true, false) => self.arity,
            (false, true) => other.arity,
            (true, true) if self.arity == other.arity => self.arity,
            _ => ANY_ARITY,
        };
        Type { arity, ..joined }
    }

    /// All terms of its kinds.
    pub(super) fn widened(self) -> Type {
        Type::of(self.kinds)
    }
}

/// What an operator or BIF of `erlang` takes and gives: it raises for anything else.
pub(super) fn of_bif(name: Name, arity: usize) -> (Type, [Type; 2]) {
    use known::*;
    let any = Type::ANY;
    match (name, arity) {
        (PLUS | MINUS | TIMES, 1 | 2) => (Type::NUMBER, [Type::NUMBER; 2]),
        (DIVIDE, 2) => (Type::FLOAT, [Type::NUMBER; 2]),
        (DIV | REM | BAND | BOR | BXOR | BSL | BSR, 2) => (Type::INTEGER, [Type::INTEGER; 2]),
        (BNOT, 1) => (Type::INTEGER, [Type::INTEGER, any]),
        (ABS, 1) => (Type::NUMBER, [Type::NUMBER, any]),
        (ROUND | TRUNC | FLOOR | CEIL, 1) => (Type::INTEGER, [Type::NUMBER, any]),
        (FLOAT, 1) => (Type::FLOAT, [Type::NUMBER, any]),
        (HD | TL, 1) => (any, [Type::CELL, any]),
        (LENGTH, 1) => (Type::INTEGER, [Type::LIST, any]),
        (SIZE, 1) => (Type::INTEGER, [Type::TUPLE.join(Type::BITS), any]),
        (TUPLE_SIZE, 1) => (Type::INTEGER, [Type::TUPLE, any]),
        (BYTE_SIZE | BIT_SIZE, 1) => (Type::INTEGER, [Type::BITS, any]),
        (MAP_SIZE, 1) => (Type::INTEGER, [Type::MAP, any]),
        (MAP_GET, 2) => (any, [any, Type::MAP]),
        (IS_MAP_KEY, 2) => (Type::BOOLEAN, [any, Type::MAP]),
        (ELEMENT, 2) => (any, [Type::INTEGER, Type::TUPLE]),
        (NOT, 1) => (Type::BOOLEAN, [Type::BOOLEAN, any]),
        (AND | OR | XOR, 2) => (Type::BOOLEAN, [Type::BOOLEAN; 2]),
        (APPEND, 2) => (any, [Type::LIST, any]),
        (SUBTRACT, 2) => (Type::LIST, [Type::LIST; 2]),
        _ => (any, [any; 2]),
    }
}

/// What a term is for which this test of one argument says yes.
pub(super) fn of_test(name: Name) -> Option<Type> {
    use known::*;
    Some(match name {
        IS_INTEGER => Type::INTEGER,
        IS_FLOAT => Type::FLOAT,
        IS_NUMBER => Type::NUMBER,
        IS_ATOM => Type::ATOM,
        IS_BOOLEAN => Type::BOOLEAN,
        IS_PID | IS_PORT | IS_REFERENCE => Type::IDENTIFIER,
        IS_BINARY | IS_BITSTRING => Type::BITS,
        IS_LIST => Type::LIST,
        IS_TUPLE => Type::TUPLE,
        IS_MAP => Type::MAP,
        IS_FUNCTION => Type::FUN,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Type = Type::of(0);

    fn some() -> Vec<Type> {
        let mut pool = Pool::new();
        let float = pool.float(1.5);
        let atoms =
            [known::OK, known::ERROR, known::EXIT, known::THROW, known::TRUE, known::FALSE, known::NOT];
        let mut types: Vec<Type> =
            atoms.iter().map(|&name| Type::constant(&pool, Const::Atom(name))).collect();
        types.extend([-1, 0, 7].map(|value| Type::constant(&pool, Const::Int(value))));
        types.extend([Type::constant(&pool, Const::Nil), Type::constant(&pool, float)]);
        types.extend([
            Type::tuple(0),
            Type::tuple(2),
            Type::CELL,
            Type::BITS,
            Type::MAP,
            Type::FUN,
            Type::IDENTIFIER,
        ]);
        types
    }

    #[test]
    fn a_join_meets_what_it_is_made_of_and_nothing_else() {
        for one in some() {
            for other in some() {
                let joined = one.join(other);
                assert_eq!((joined.meet(one), joined.meet(other)), (one, other));
                assert_eq!(one.meet(other).is_none(), one != other, "{one:?} {other:?}");
                let between = one.kinds == INTEGER && other.kinds == INTEGER;
                for third in some() {
                    let is_there = third == one || third == other;
                    assert!(
                        between || joined.meet(third).is_none() != is_there,
                        "{one:?} {other:?} {third:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_join_of_all_meets_all() {
        let all = some().into_iter().fold(NONE, Type::join);
        for one in some() {
            assert_eq!((all.meet(one), Type::ANY.meet(one), all.widened().meet(one)), (one, one, one));
        }
        assert_eq!(NONE.join(Type::BOOLEAN), Type::BOOLEAN);
        assert!(NONE.meet(Type::ANY).is_none());
    }
}

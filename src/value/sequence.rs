//! Conversions of what has parts: lists, tuples, maps, options, results, and arguments of calls.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};

use super::{Atom, FromTerm, IntoArgs, IntoTerm, Reply, TermMaker, TermReader, Value, Values};
use crate::atom::known;
use crate::error::Error;
use crate::term::Term;

/// A list of what the iterator gives.
fn list<'h, T: IntoTerm>(
    elements: impl Iterator<Item = T>,
    maker: &mut TermMaker<'h>,
) -> Result<Term<'h>, Error> {
    let mut terms = Vec::with_capacity(elements.size_hint().0);
    for element in elements {
        terms.push(element.into_term(maker)?);
    }
    maker.list(&terms)
}

/// A map of what the iterator gives.
fn map<'h, K: IntoTerm, V: IntoTerm>(
    entries: impl Iterator<Item = (K, V)>,
    maker: &mut TermMaker<'h>,
) -> Result<Term<'h>, Error> {
    let mut terms = Vec::with_capacity(entries.size_hint().0);
    for (key, value) in entries {
        terms.push((key.into_term(maker)?, value.into_term(maker)?));
    }
    maker.map(&terms)
}

/// Reads the elements of a list.
fn elements<T: FromTerm, C: Default>(
    term: Term<'_>,
    reader: &TermReader<'_>,
    mut add: impl FnMut(&mut C, T),
) -> Result<C, Error> {
    let mut collection = C::default();
    for (index, element) in reader.list(term)?.enumerate() {
        let value = T::from_term(element, reader);
        add(&mut collection, value.map_err(|error| error.inside(format_args!("[{index}]")))?);
    }
    Ok(collection)
}

/// Reads the entries of a map.
fn entries<K: FromTerm, V: FromTerm, C: Default>(
    term: Term<'_>,
    reader: &TermReader<'_>,
    mut add: impl FnMut(&mut C, K, V),
) -> Result<C, Error> {
    let mut collection = C::default();
    for (key, value) in reader.map(term)? {
        let inside = |error: Error, what: &str| error.inside(format_args!("[{what} {}]", reader.shown(key)));
        let of_key = K::from_term(key, reader).map_err(|error| inside(error, "key"))?;
        let value = V::from_term(value, reader).map_err(|error| inside(error, "value of"))?;
        add(&mut collection, of_key, value);
    }
    Ok(collection)
}

macro_rules! lists {
    ($([$($generics:tt)*] $type:ty, $element:ty;)*) => {$(
        impl<$($generics)*> IntoTerm for $type
        where
            $element: IntoTerm,
        {
            fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
                list(self.into_iter(), maker)
            }
        }
    )*};
}

lists! {
    [T] Vec<T>, T;
    ['a, T] &'a Vec<T>, &'a T;
    ['a, T] &'a [T], &'a T;
    [T, const N: usize] [T; N], T;
    ['a, T, const N: usize] &'a [T; N], &'a T;
    [T] Box<[T]>, T;
    [T] VecDeque<T>, T;
    ['a, T] &'a VecDeque<T>, &'a T;
    [T, S] HashSet<T, S>, T;
    ['a, T, S] &'a HashSet<T, S>, &'a T;
    [T] BTreeSet<T>, T;
    ['a, T] &'a BTreeSet<T>, &'a T;
}

macro_rules! maps {
    ($([$($generics:tt)*] $type:ty, $key:ty, $value:ty;)*) => {$(
        impl<$($generics)*> IntoTerm for $type
        where
            $key: IntoTerm,
            $value: IntoTerm,
        {
            fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
                map(self.into_iter(), maker)
            }
        }
    )*};
}

maps! {
    [K, V, S] HashMap<K, V, S>, K, V;
    ['a, K, V, S] &'a HashMap<K, V, S>, &'a K, &'a V;
    [K, V] BTreeMap<K, V>, K, V;
    ['a, K, V] &'a BTreeMap<K, V>, &'a K, &'a V;
}

impl<T: FromTerm> FromTerm for Vec<T> {
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<Vec<T>, Error> {
        elements(term, reader, Vec::push)
    }
}

impl<T: FromTerm> FromTerm for VecDeque<T> {
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<VecDeque<T>, Error> {
        elements(term, reader, VecDeque::push_back)
    }
}

impl<T: FromTerm> FromTerm for Box<[T]> {
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<Box<[T]>, Error> {
        Vec::from_term(term, reader).map(Vec::into_boxed_slice)
    }
}

impl<T: FromTerm + Eq + Hash, S: BuildHasher + Default> FromTerm for HashSet<T, S> {
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<HashSet<T, S>, Error> {
        elements(term, reader, |set: &mut HashSet<T, S>, value| {
            set.insert(value);
        })
    }
}

impl<T: FromTerm + Ord> FromTerm for BTreeSet<T> {
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<BTreeSet<T>, Error> {
        elements(term, reader, |set: &mut BTreeSet<T>, value| {
            set.insert(value);
        })
    }
}

impl<T: FromTerm, const N: usize> FromTerm for [T; N] {
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<[T; N], Error> {
        // Counted first: a list of another length is not read at all.
        if term.proper_length() != Some(N) {
            return Err(reader.mismatch(format!("a list of {N} elements"), term));
        }
        let elements = Vec::from_term(term, reader)?;
        elements.try_into().map_err(|_| reader.mismatch(format!("a list of {N} elements"), term))
    }
}

impl<K: FromTerm + Eq + Hash, V: FromTerm, S: BuildHasher + Default> FromTerm for HashMap<K, V, S> {
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<HashMap<K, V, S>, Error> {
        entries(term, reader, |map: &mut HashMap<K, V, S>, key, value| drop(map.insert(key, value)))
    }
}

impl<K: FromTerm + Ord, V: FromTerm> FromTerm for BTreeMap<K, V> {
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<BTreeMap<K, V>, Error> {
        entries(term, reader, |map: &mut BTreeMap<K, V>, key, value| drop(map.insert(key, value)))
    }
}

impl<T: IntoTerm> IntoTerm for Option<T> {
    #[inline]
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        match self {
            Some(value) => value.into_term(maker),
            None => Ok(Term::atom(known::UNDEFINED)),
        }
    }
}

impl<'a, T> IntoTerm for &'a Option<T>
where
    &'a T: IntoTerm,
{
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        self.as_ref().into_term(maker)
    }
}

impl<T: FromTerm> FromTerm for Option<T> {
    #[inline]
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<Option<T>, Error> {
        if term.is_atom(known::UNDEFINED) { Ok(None) } else { T::from_term(term, reader).map(Some) }
    }
}

/// `{ok, V}` or `{error, E}`. As the answer of a host function, an `Err` raises instead.
impl<T: IntoTerm, E: IntoTerm> IntoTerm for Result<T, E> {
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        let (tag, term) = match self {
            Ok(value) => (known::OK, value.into_term(maker)?),
            Err(error) => (known::ERROR, error.into_term(maker)?),
        };
        maker.tuple(&[Term::atom(tag), term])
    }

    #[inline]
    fn into_reply<'h>(self, maker: &mut TermMaker<'h>) -> Result<Reply<'h>, Error> {
        match self {
            Ok(value) => value.into_term(maker).map(Reply::Value),
            Err(error) => {
                let (class, reason) = error.into_reason(maker)?;
                Ok(Reply::Raise(class, reason))
            }
        }
    }
}

/// From `{ok, V}` or `{error, E}`; a bare `ok` stands for a value that can be read from it, such as `()`.
impl<T: FromTerm, E: FromTerm> FromTerm for Result<T, E> {
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<Result<T, E>, Error> {
        match term.as_tuple() {
            Some([tag, value]) if tag.is_atom(known::OK) => {
                T::from_term(*value, reader).map(Ok).map_err(|error| error.inside(format_args!("{{ok, _}}")))
            }
            Some([tag, value]) if tag.is_atom(known::ERROR) => {
                let error = E::from_term(*value, reader);
                error.map(Err).map_err(|error| error.inside(format_args!("{{error, _}}")))
            }
            None if term.is_atom(known::OK) => T::from_term(term, reader).map(Ok),
            _ => Err(reader.mismatch("{ok, Value} or {error, Reason}", term)),
        }
    }
}

macro_rules! tuples {
    ($($count:literal: $($name:ident $place:tt)*;)*) => {$(
        impl<$($name: IntoTerm),*> IntoTerm for ($($name,)*) {
            #[inline]
            fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
                let terms = [$(self.$place.into_term(maker)?),*];
                maker.tuple(&terms)
            }
        }

        impl<'a, $($name),*> IntoTerm for &'a ($($name,)*)
        where
            $(&'a $name: IntoTerm),*
        {
            fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
                let terms = [$((&self.$place).into_term(maker)?),*];
                maker.tuple(&terms)
            }
        }

        impl<$($name: FromTerm),*> FromTerm for ($($name,)*) {
            fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<Self, Error> {
                let Some(elements) = term.as_tuple().filter(|elements| elements.len() == $count) else {
                    return Err(reader.mismatch(concat!("a tuple of ", $count, " elements"), term));
                };
                Ok(($(
                    $name::from_term(elements[$place], reader)
                        .map_err(|error| error.inside(format_args!("{{{}}}", $place + 1)))?,
                )*))
            }
        }
    )*};
}

tuples! {
    1: A 0;
    2: A 0 B 1;
    3: A 0 B 1 C 2;
    4: A 0 B 1 C 2 D 3;
    5: A 0 B 1 C 2 D 3 E 4;
    6: A 0 B 1 C 2 D 3 E 4 F 5;
    7: A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    8: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
    9: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8;
    10: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9;
    11: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10;
    12: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11;
}

impl IntoArgs for () {
    fn arity(&self) -> usize {
        0
    }

    fn into_args<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        maker.tuple(&[])
    }
}

macro_rules! arguments {
    ($($count:literal: $($name:ident)*;)*) => {$(
        impl<$($name: IntoTerm),*> IntoArgs for ($($name,)*) {
            fn arity(&self) -> usize {
                $count
            }

            #[inline]
            fn into_args<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
                self.into_term(maker)
            }
        }
    )*};
}

arguments! {
    1: A;
    2: A B;
    3: A B C;
    4: A B C D;
    5: A B C D E;
    6: A B C D E F;
    7: A B C D E F G;
    8: A B C D E F G H;
}

impl IntoArgs for &[Value] {
    fn arity(&self) -> usize {
        self.len()
    }

    fn into_args<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        let terms = self.iter().map(|value| value.into_term(maker)).collect::<Result<Vec<_>, _>>()?;
        maker.tuple(&terms)
    }
}

macro_rules! argument_rows {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> IntoArgs for $type {
            fn arity(&self) -> usize {
                self.len()
            }

            fn into_args<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
                self[..].into_args(maker)
            }
        }
    )*};
}

argument_rows! {
    [] Vec<Value>;
    [] &Vec<Value>;
    [] Values;
    [const N: usize] [Value; N];
    [const N: usize] &[Value; N];
}

impl FromTerm for Values {
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<Values, Error> {
        match Value::from_term(term, reader)? {
            Value::List(values) => Ok(values),
            _ => Err(reader.mismatch("a list", term)),
        }
    }
}

impl FromTerm for super::Map {
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<super::Map, Error> {
        match Value::from_term(term, reader)? {
            Value::Map(map) => Ok(map),
            _ => Err(reader.mismatch("a map", term)),
        }
    }
}

/// A list of atoms from their texts is a common argument.
impl FromIterator<Atom> for Value {
    fn from_iter<I: IntoIterator<Item = Atom>>(atoms: I) -> Value {
        Value::list(atoms)
    }
}

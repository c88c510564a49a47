//! Terms to values and back, in a loop: a term may be a million deep.

use super::convert::{FromTerm, IntoTerm};
use super::{BigInt, maker};
use super::{Bitstring, Bytes, Function, Map, Pid, Port, Reference, TermMaker, TermReader, Value, Values};
use crate::error::Error;
use crate::host::AnyResource;
use crate::term::map::Iter;
use crate::term::view::ListIter;
use crate::term::{Bits, Term, View};

/// A value whose parts are being made into terms.
struct Making<'v> {
    value: &'v Value,
    rest: std::slice::Iter<'v, Value>,
    /// Where its terms begin among those that wait.
    start: usize,
}

impl IntoTerm for &Value {
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        let Some(parts) = self.parts() else { return leaf(self, maker) };
        let mut done: Vec<Term<'h>> = Vec::with_capacity(parts.len());
        let mut below = Vec::new();
        let mut top = Making { value: self, rest: parts.iter(), start: 0 };
        loop {
            match top.rest.next() {
                Some(value) => match value.parts() {
                    Some(parts) => {
                        let inner = Making { value, rest: parts.iter(), start: done.len() };
                        below.push(std::mem::replace(&mut top, inner));
                    }
                    None => done.push(leaf(value, maker)?),
                },
                None => {
                    let term = close(top.value, &done[top.start..], maker)?;
                    let Some(outer) = below.pop() else { return Ok(term) };
                    done.truncate(top.start);
                    done.push(term);
                    top = outer;
                }
            }
        }
    }
}

impl IntoTerm for Value {
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        (&self).into_term(maker)
    }
}

/// A value without parts.
fn leaf<'h>(value: &Value, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
    match value {
        Value::Int(value) => value.into_term(maker),
        Value::BigInt(value) => value.into_term(maker),
        Value::Float(value) => value.into_term(maker),
        Value::Atom(atom) => atom.into_term(maker),
        Value::Binary(bytes) => bytes.into_term(maker),
        Value::Bits(bits) => Ok(maker.heap().bits(Bits::from_parts(bits.bytes(), 0, bits.bit_length()))?),
        Value::Pid(pid) => pid.into_term(maker),
        Value::Port(port) => port.into_term(maker),
        Value::Reference(reference) => reference.into_term(maker),
        Value::Function(function) => function.into_term(maker),
        Value::Resource(resource) => resource.into_term(maker),
        Value::List(_) | Value::Improper(_) | Value::Tuple(_) | Value::Map(_) => Ok(Term::NIL),
    }
}

/// A value whose parts are terms.
fn close<'h>(value: &Value, parts: &[Term<'h>], maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
    match value {
        Value::Tuple(_) => maker.tuple(parts),
        Value::Map(_) => {
            let entries: Vec<_> = parts.chunks_exact(2).map(|entry| (entry[0], entry[1])).collect();
            maker.map(&entries)
        }
        Value::Improper(_) => match parts.split_last() {
            Some((tail, elements)) => maker.list_with_tail(elements, *tail),
            None => Ok(Term::NIL),
        },
        _ => maker.list(parts),
    }
}

/// A term whose parts are being read.
struct Reading<'t> {
    rest: Rest<'t>,
    done: Vec<Value>,
}

#[allow(
    clippy::large_enum_variant,
    reason = "there is one a level of nesting, and a box would be an allocation each"
)]
enum Rest<'t> {
    List(ListIter<'t>),
    Tail,
    Tuple(std::slice::Iter<'t, Term<'t>>),
    /// The rest of a map, and the value of the key that was taken.
    Map(Iter<'t>, Option<Term<'t>>),
}

impl<'t> Reading<'t> {
    fn new(rest: Rest<'t>, parts: usize) -> Reading<'t> {
        Reading { rest, done: Vec::with_capacity(parts) }
    }

    /// The next part, if there is one more.
    fn next(&mut self) -> Option<Term<'t>> {
        match &mut self.rest {
            Rest::Tuple(rest) => rest.next().copied(),
            Rest::List(cells) => match cells.next() {
                Some(element) => Some(element),
                None if cells.rest().is_nil() => None,
                None => {
                    let tail = cells.rest();
                    self.rest = Rest::Tail;
                    Some(tail)
                }
            },
            Rest::Tail => None,
            Rest::Map(rest, value) => match value.take() {
                Some(value) => Some(value),
                None => {
                    let (key, of_key) = rest.next()?;
                    *value = Some(of_key);
                    Some(key)
                }
            },
        }
    }

    fn close(self) -> Value {
        match self.rest {
            Rest::Tuple(_) => Value::Tuple(Values(self.done)),
            Rest::List(_) => Value::List(Values(self.done)),
            Rest::Tail => Value::Improper(Values(self.done)),
            Rest::Map(..) => Value::Map(Map::from_flat(self.done)),
        }
    }
}

/// What reading one term gives: a value, or its parts to be read.
#[allow(
    clippy::large_enum_variant,
    reason = "there is one a level of nesting, and a box would be an allocation each"
)]
enum Read<'t> {
    Leaf(Value),
    Parts(Reading<'t>),
}

fn open<'t>(term: Term<'t>, reader: &TermReader<'_>) -> Result<Read<'t>, Error> {
    let rt = reader.runtime();
    Ok(Read::Leaf(match term.view() {
        View::Int(value) => Value::Int(value),
        View::Big(big) => BigInt::from_limbs(big.is_negative(), big.limbs()).into(),
        View::Float(value) => Value::Float(value),
        View::Atom(atom) => Value::Atom(maker::owned_atom(&rt.atoms, atom)),
        View::Nil => Value::NIL,
        View::Cons(_) => return Ok(Read::Parts(Reading::new(Rest::List(term.list()), 4))),
        View::Tuple(elements) => {
            return Ok(Read::Parts(Reading::new(Rest::Tuple(elements.iter()), elements.len())));
        }
        View::Map(map) => {
            return Ok(Read::Parts(Reading::new(Rest::Map(map.iter(), None), 2 * map.len())));
        }
        View::Bits(bits) => match bits.to_bytes() {
            Some(bytes) if bits.is_binary() => Value::Binary(Bytes::of_term(term, &bytes)),
            _ => {
                let mut bytes = vec![0; bits.byte_length()];
                bits.copy_to(&mut bytes);
                Bitstring::new(&bytes, bits.bit_length()).map_or(Value::NIL, Value::Bits)
            }
        },
        View::Fun(fun) => Value::Function(Function::of_term(term, usize::from(fun.entry().arity), rt)?),
        View::ExternalFun(fun) => Value::Function(Function::of_term(term, usize::from(fun.arity()), rt)?),
        View::Pid(pid) => Value::Pid(Pid::new(rt.identity, pid)),
        View::Port(raw) => Value::Port(Port { machine: rt.identity, raw }),
        View::Ref(reference) if reference.is_resource() => {
            Value::Resource(AnyResource::from_term(term, reader)?)
        }
        View::Ref(reference) => {
            Value::Reference(Reference::new(rt.identity, reference.unique(), reference.owner()))
        }
    }))
}

impl FromTerm for Value {
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<Value, Error> {
        let mut top = match open(term, reader)? {
            Read::Leaf(value) => return Ok(value),
            Read::Parts(parts) => parts,
        };
        let mut below = Vec::new();
        loop {
            match top.next() {
                Some(part) => match open(part, reader)? {
                    Read::Leaf(value) => top.done.push(value),
                    Read::Parts(inner) => below.push(std::mem::replace(&mut top, inner)),
                },
                None => {
                    let Some(outer) = below.pop() else { return Ok(top.close()) };
                    let value = std::mem::replace(&mut top, outer).close();
                    top.done.push(value);
                }
            }
        }
    }
}

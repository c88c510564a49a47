//! Values that go between the embedder and the machine, and the functions the embedder offers to programs.

use crate::atom::{AtomError, Atoms};
use crate::heap::{AllocError, HeapRef};
use crate::term::{Term, View};

/// What the embedder offers to the programs it runs: they call it by `erlet_host:call(Function, Arguments)`.
pub trait Host: Send + Sync {
    /// Answers the call of a function of the embedder's own choice of names. It may block: only the calling process waits. A
    /// call it does not know is best answered by an atom that says so.
    fn call(&self, function: &str, args: &[Value]) -> Value;
}

/// How deep a term may be that becomes a value: the conversion recurses, and an embedder's protocol is flat.
const MAX_DEPTH: usize = 32;

/// A value of the embedder's.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// An integer.
    Int(i64),
    /// A float; NaN and infinities are no Erlang floats and become the atom `undefined`.
    Float(f64),
    /// An atom.
    Atom(String),
    /// A list of characters.
    String(String),
    /// A binary.
    Binary(Vec<u8>),
    /// A list.
    List(Vec<Value>),
    /// A tuple.
    Tuple(Vec<Value>),
}

impl Value {
    /// A list of strings, as `main/1` gets its arguments.
    pub fn strings<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> Value {
        Value::List(texts.into_iter().map(|text| Value::String(text.as_ref().to_owned())).collect())
    }
}

/// Why a value could not be made a term.
pub enum Failure {
    /// There are too many atoms.
    Atom(AtomError),
    /// There is no room.
    Alloc(AllocError),
}

impl From<AllocError> for Failure {
    fn from(error: AllocError) -> Failure {
        Failure::Alloc(error)
    }
}

/// The value as a term. The embedder's values are as deep as the embedder made them, by hand: recursion is harmless.
///
/// # Errors
/// If there is no room for it or its atoms.
pub fn term<'h>(h: &mut HeapRef<'h>, value: &Value) -> Result<Term<'h>, Failure> {
    Ok(match value {
        Value::Int(value) => h.int(*value)?,
        Value::Float(value) => match h.float(*value)? {
            Some(float) => float,
            None => Term::atom(crate::atom::known::UNDEFINED),
        },
        Value::Atom(text) => Term::atom(h.atoms().intern(text).map_err(Failure::Atom)?),
        Value::String(text) => {
            let mut list = Term::NIL;
            for character in text.chars().rev() {
                let code = h.int(i64::from(u32::from(character)))?;
                list = h.cons(code, list)?;
            }
            list
        }
        Value::Binary(bytes) => h.binary(bytes)?,
        Value::List(values) => {
            let terms = values.iter().map(|value| term(h, value)).collect::<Result<Vec<_>, _>>()?;
            h.list(&terms)?
        }
        Value::Tuple(values) => {
            let terms = values.iter().map(|value| term(h, value)).collect::<Result<Vec<_>, _>>()?;
            h.tuple(&terms)?
        }
    })
}

/// The term as a value; lists are lists, whatever their elements. `None` for what has no counterpart, and for terms that are
/// nested deeper than an embedder's protocol needs.
pub fn value_of(term: Term<'_>, atoms: &Atoms) -> Option<Value> {
    value_within(term, atoms, MAX_DEPTH)
}

fn value_within(term: Term<'_>, atoms: &Atoms, depth: usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    if let Some(value) = term.as_small() {
        return Some(Value::Int(value));
    }
    if let Some(value) = term.as_float() {
        return Some(Value::Float(value));
    }
    if let Some(bits) = term.as_bits() {
        return Some(Value::Binary(bits.to_bytes().filter(|_| bits.is_binary())?.to_vec()));
    }
    match term.view() {
        View::Atom(atom) => Some(Value::Atom(atoms.text(atom).to_owned())),
        View::Tuple(terms) => {
            let values = terms.iter().map(|term| value_within(*term, atoms, depth));
            values.collect::<Option<_>>().map(Value::Tuple)
        }
        _ => {
            term.proper_length()?;
            let values = term.list().map(|term| value_within(term, atoms, depth));
            values.collect::<Option<_>>().map(Value::List)
        }
    }
}

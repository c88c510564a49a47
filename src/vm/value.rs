//! Values that go from the embedder into the machine.

use crate::atom::AtomError;
use crate::heap::{AllocError, Fragment, Heap, HeapRef, Policy};
use crate::runtime::Runtime;
use crate::term::Term;

use super::Error;

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
enum Failure {
    Atom(AtomError),
    Alloc(AllocError),
}

impl From<AllocError> for Failure {
    fn from(error: AllocError) -> Failure {
        Failure::Alloc(error)
    }
}

/// The values as a tuple in a fragment.
pub(super) fn fragment(rt: &Runtime, values: &[Value]) -> Result<Fragment, Error> {
    let mut heap = Heap::new(rt.account.clone(), Policy::default())?;
    let made = heap.with(&rt.atoms, |h| {
        let terms = values.iter().map(|value| term(h, value)).collect::<Result<Vec<_>, _>>()?;
        let tuple = h.tuple(&terms)?;
        Ok(Fragment::copy(tuple, &rt.account)?)
    });
    made.map_err(|failure| match failure {
        Failure::Atom(error) => error.into(),
        Failure::Alloc(error) => error.into(),
    })
}

/// The value as a term. The embedder's values are as deep as the embedder made them, by hand: recursion is harmless.
fn term<'h>(h: &mut HeapRef<'h>, value: &Value) -> Result<Term<'h>, Failure> {
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

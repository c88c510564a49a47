//! Making terms from Rust.

use std::sync::Arc;

use super::{Atom, IntoTerm};
use crate::atom::{self, AtomError};
use crate::error::Error;
use crate::heap::{Account, AllocError, Fragment, Heap, HeapRef, Policy};
use crate::runtime::Runtime;
use crate::term::Term;

/// Makes terms on a heap of one machine: what [`IntoTerm`] is given.
///
/// ```
/// use erlet::{Error, IntoTerm, Term, TermMaker};
///
/// struct Point { x: i64, y: i64 }
///
/// /// As `#{x => 1, y => 2}`.
/// impl IntoTerm for Point {
///     fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
///         let x = (maker.atom("x")?, maker.make(self.x)?);
///         let y = (maker.atom("y")?, maker.make(self.y)?);
///         maker.map(&[x, y])
///     }
/// }
/// ```
///
/// All methods fail with [`Error::Limit`] if the memory or the atoms of the machine are used up.
pub struct TermMaker<'h> {
    heap: HeapRef<'h>,
    rt: &'h Runtime,
}

impl<'h> TermMaker<'h> {
    /// Makes terms on this heap while `work` runs.
    pub(crate) fn with<R>(
        heap: &mut HeapRef<'h>,
        rt: &'h Runtime,
        work: impl FnOnce(&mut TermMaker<'h>) -> R,
    ) -> R {
        heap.lend(|heap| TermMaker { heap, rt }, work)
    }

    /// The heap.
    pub(crate) fn heap(&mut self) -> &mut HeapRef<'h> {
        &mut self.heap
    }

    /// The machine.
    pub(crate) fn runtime(&self) -> &'h Runtime {
        self.rt
    }

    /// Checks that a thing that names its machine names this one.
    pub(crate) fn own(&self, machine: u64) -> Result<(), Error> {
        if machine == self.rt.identity { Ok(()) } else { Err(Error::OtherVm) }
    }

    /// Any value as a term.
    ///
    /// ```
    /// use erlet::{Error, Term, TermMaker};
    /// fn made<'h>(maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
    ///     maker.make((1, "one", vec![1.0]))
    /// }
    /// ```
    ///
    /// # Errors
    /// Those of the conversion.
    #[inline]
    pub fn make<T: IntoTerm>(&mut self, value: T) -> Result<Term<'h>, Error> {
        value.into_term(self)
    }

    /// An atom.
    ///
    /// ```
    /// use erlet::{Error, Term, TermMaker};
    /// fn made<'h>(maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
    ///     maker.atom("ok")
    /// }
    /// ```
    ///
    /// # Errors
    /// `Limit` if it is longer than 255 characters or there are too many, by the limits of the process that gets the term too.
    pub fn atom(&self, text: &str) -> Result<Term<'h>, Error> {
        match self.heap.intern(text) {
            Ok(atom) => Ok(Term::atom(atom)),
            Err(error @ AllocError::Limit(_)) => Err(error.into()),
            Err(_) => Ok(Term::atom(intern(&self.rt.atoms, text)?)),
        }
    }

    /// A binary of these bytes.
    ///
    /// ```
    /// use erlet::{Error, Term, TermMaker};
    /// fn made<'h>(maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
    ///     maker.binary(b"bytes")
    /// }
    /// ```
    ///
    /// # Errors
    /// See the type.
    pub fn binary(&mut self, bytes: &[u8]) -> Result<Term<'h>, Error> {
        Ok(self.heap.binary(bytes)?)
    }

    /// A proper list.
    ///
    /// ```
    /// use erlet::{Error, Term, TermMaker};
    /// fn made<'h>(maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
    ///     let elements = [maker.make(1)?, maker.make("two")?];
    ///     maker.list(&elements)
    /// }
    /// ```
    ///
    /// # Errors
    /// See the type.
    pub fn list(&mut self, elements: &[Term<'h>]) -> Result<Term<'h>, Error> {
        Ok(self.heap.list(elements)?)
    }

    /// A list that ends in `tail`.
    ///
    /// ```
    /// use erlet::{Error, Term, TermMaker};
    /// fn made<'h>(maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
    ///     let (head, tail) = (maker.make(1)?, maker.make(2)?);
    ///     maker.list_with_tail(&[head], tail) // [1|2]
    /// }
    /// ```
    ///
    /// # Errors
    /// See the type.
    pub fn list_with_tail(&mut self, elements: &[Term<'h>], tail: Term<'h>) -> Result<Term<'h>, Error> {
        Ok(self.heap.list_with_tail(elements, tail)?)
    }

    /// A tuple.
    ///
    /// ```
    /// use erlet::{Error, Term, TermMaker};
    /// fn made<'h>(maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
    ///     let parts = [maker.atom("point")?, maker.make(3)?, maker.make(4)?];
    ///     maker.tuple(&parts)
    /// }
    /// ```
    ///
    /// # Errors
    /// See the type.
    pub fn tuple(&mut self, elements: &[Term<'h>]) -> Result<Term<'h>, Error> {
        Ok(self.heap.tuple(elements)?)
    }

    /// A map; of equal keys, the last counts.
    ///
    /// ```
    /// use erlet::{Error, Term, TermMaker};
    /// fn made<'h>(maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
    ///     let entry = (maker.atom("key")?, maker.make("value")?);
    ///     maker.map(&[entry])
    /// }
    /// ```
    ///
    /// # Errors
    /// See the type.
    pub fn map(&mut self, entries: &[(Term<'h>, Term<'h>)]) -> Result<Term<'h>, Error> {
        Ok(self.heap.map(entries)?)
    }
}

/// The machine's atom of this text.
pub(crate) fn intern(atoms: &atom::Atoms, text: &str) -> Result<atom::Atom, Error> {
    atoms.intern(text).map_err(|error| match error {
        AtomError::TooLong => Error::Limit("an atom of more than 255 characters"),
        AtomError::TableFull => Error::Limit("atoms"),
    })
}

/// The atom's text as an atom of its own.
pub(super) fn owned_atom(atoms: &atom::Atoms, atom: atom::Atom) -> Atom {
    match atom::known::TEXTS.get(atom.index() as usize) {
        Some(text) => Atom::from_static(text),
        None => Atom::new(atoms.text(atom)),
    }
}

/// A term in a fragment of its own, made by `make` and paid for by `account`.
///
/// # Errors
/// What `make` fails with, or if there is no memory.
pub fn fragment(
    rt: &Runtime,
    account: &Arc<Account>,
    make: impl for<'h> FnOnce(&mut TermMaker<'h>) -> Result<Term<'h>, Error>,
) -> Result<Fragment, Error> {
    let mut heap = Heap::new(account.clone(), Policy::default())?;
    heap.with_beside(&rt.atoms, rt, |h, rt| {
        let term = TermMaker::with(h, rt, make)?;
        Ok(Fragment::copy(term, account)?)
    })
}

//! Reading terms from Rust.

use super::{Atom, FromTerm, Toll};
use crate::error::{Conversion, Error};
use crate::runtime::Runtime;
use crate::term::map::Iter;
use crate::term::print::{self, Style};
use crate::term::{Term, View};

/// Reads terms of one machine: what [`FromTerm`] is given.
///
/// ```
/// use erlet::{Error, FromTerm, Term, TermReader};
///
/// struct Point { x: i64, y: i64 }
///
/// /// From `#{x => 1, y => 2}`.
/// impl FromTerm for Point {
///     fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<Point, Error> {
///         Ok(Point { x: reader.field(term, "x")?, y: reader.field(term, "y")? })
///     }
/// }
/// ```
#[derive(Clone, Copy)]
pub struct TermReader<'a> {
    rt: &'a Runtime,
    /// For arguments of host functions: what their caller pays.
    toll: Option<&'a Toll<'a>>,
}

/// Most characters of a term that an error message shows.
const SHOWN: usize = 80;

impl<'a> TermReader<'a> {
    /// A reader of this machine's terms.
    #[doc(hidden)]
    pub fn new(rt: &'a Runtime) -> TermReader<'a> {
        TermReader { rt, toll: None }
    }

    /// A reader of a host function's arguments.
    #[inline(always)]
    pub(crate) fn of_arguments(rt: &'a Runtime, toll: &'a Toll<'a>) -> TermReader<'a> {
        TermReader { rt, toll: Some(toll) }
    }

    /// The conversion is about to copy so many bytes that the terms share with others.
    #[inline]
    pub(crate) fn copies(&self, bytes: usize) -> Result<(), Error> {
        self.toll.map_or(Ok(()), |toll| toll.copies(bytes))
    }

    /// The machine.
    pub(crate) fn runtime(&self) -> &'a Runtime {
        self.rt
    }

    /// The term as a Rust value.
    ///
    /// ```
    /// use erlet::{Error, Term, TermReader};
    /// fn found(reader: &TermReader<'_>, term: Term<'_>) -> Result<(i64, String), Error> {
    ///     reader.read(term)
    /// }
    /// ```
    ///
    /// # Errors
    /// Those of the conversion.
    #[inline]
    pub fn read<T: FromTerm>(&self, term: Term<'_>) -> Result<T, Error> {
        T::from_term(term, self)
    }

    /// The text of an atom; `None` if it is none.
    ///
    /// ```
    /// use erlet::{Term, TermReader};
    /// fn found(reader: &TermReader<'_>, term: Term<'_>) -> bool {
    ///     reader.atom_text(term).is_some_and(|text| text.starts_with("db_"))
    /// }
    /// ```
    pub fn atom_text(&self, term: Term<'_>) -> Option<&'a str> {
        Some(self.rt.atoms.text(term.as_atom()?))
    }

    /// The atom.
    ///
    /// ```
    /// use erlet::{Atom, Error, Term, TermReader};
    /// fn found(reader: &TermReader<'_>, term: Term<'_>) -> Result<Atom, Error> {
    ///     reader.atom(term)
    /// }
    /// ```
    ///
    /// # Errors
    /// `Conversion` if it is none.
    pub fn atom(&self, term: Term<'_>) -> Result<Atom, Error> {
        match term.as_atom() {
            Some(atom) => Ok(super::maker::owned_atom(&self.rt.atoms, atom)),
            None => Err(self.mismatch("an atom", term)),
        }
    }

    /// Whether it is the atom of this text.
    ///
    /// ```
    /// use erlet::{Term, TermReader};
    /// fn found(reader: &TermReader<'_>, term: Term<'_>) -> bool {
    ///     reader.is_atom(term, "infinity")
    /// }
    /// ```
    pub fn is_atom(&self, term: Term<'_>, text: &str) -> bool {
        self.atom_text(term) == Some(text)
    }

    /// The bytes of a binary.
    ///
    /// ```
    /// use erlet::{Error, Term, TermReader};
    /// fn found(reader: &TermReader<'_>, term: Term<'_>) -> Result<usize, Error> {
    ///     Ok(reader.bytes(term)?.len())
    /// }
    /// ```
    ///
    /// # Errors
    /// `Conversion` if it is none.
    pub fn bytes<'h>(&self, term: Term<'h>) -> Result<std::borrow::Cow<'h, [u8]>, Error> {
        let bytes = term.as_bits().filter(|bits| bits.is_binary()).and_then(|bits| bits.to_bytes());
        bytes.ok_or_else(|| self.mismatch("a binary", term))
    }

    /// The elements of a tuple.
    ///
    /// ```
    /// use erlet::{Error, Term, TermReader};
    /// fn found(reader: &TermReader<'_>, term: Term<'_>) -> Result<bool, Error> {
    ///     Ok(matches!(reader.tuple(term)?, [tag, _] if reader.is_atom(*tag, "ok")))
    /// }
    /// ```
    ///
    /// # Errors
    /// `Conversion` if it is none.
    pub fn tuple<'h>(&self, term: Term<'h>) -> Result<&'h [Term<'h>], Error> {
        term.as_tuple().ok_or_else(|| self.mismatch("a tuple", term))
    }

    /// The elements of a proper list, in order.
    ///
    /// ```
    /// use erlet::{Error, Term, TermReader};
    /// fn found(reader: &TermReader<'_>, term: Term<'_>) -> Result<Vec<i64>, Error> {
    ///     reader.list(term)?.map(|element| reader.read(element)).collect()
    /// }
    /// ```
    ///
    /// # Errors
    /// `Conversion` if it is none; costs a walk to its end.
    pub fn list<'h>(&self, term: Term<'h>) -> Result<impl Iterator<Item = Term<'h>> + use<'h>, Error> {
        match term.proper_length() {
            Some(length) => Ok(term.list().take(length)),
            None => Err(self.mismatch("a list", term)),
        }
    }

    /// The entries of a map, in its own order.
    ///
    /// ```
    /// use erlet::{Error, Term, TermReader};
    /// fn found(reader: &TermReader<'_>, term: Term<'_>) -> Result<usize, Error> {
    ///     Ok(reader.map(term)?.count())
    /// }
    /// ```
    ///
    /// # Errors
    /// `Conversion` if it is none.
    pub fn map<'h>(&self, term: Term<'h>) -> Result<Iter<'h>, Error> {
        Ok(term.as_map().ok_or_else(|| self.mismatch("a map", term))?.iter())
    }

    /// The value of the atom `key` in a map; `None` if it has none.
    ///
    /// ```
    /// use erlet::{Error, Term, TermReader};
    /// fn found(reader: &TermReader<'_>, term: Term<'_>) -> Result<bool, Error> {
    ///     Ok(reader.get(term, "colour")?.is_some())
    /// }
    /// ```
    ///
    /// # Errors
    /// `Conversion` if it is no map.
    pub fn get<'h>(&self, term: Term<'h>, key: &str) -> Result<Option<Term<'h>>, Error> {
        let map = term.as_map().ok_or_else(|| self.mismatch("a map", term))?;
        // An atom that does not exist is no key.
        Ok(self.rt.atoms.existing(key).and_then(|key| map.get(&self.rt.atoms, Term::atom(key))))
    }

    /// The value of the atom `key` in a map.
    ///
    /// ```
    /// use erlet::{Error, Term, TermReader};
    /// fn found(reader: &TermReader<'_>, term: Term<'_>) -> Result<f64, Error> {
    ///     Ok(reader.field::<f64>(term, "width")? * reader.field::<f64>(term, "height")?)
    /// }
    /// ```
    ///
    /// # Errors
    /// `Conversion` if it is no map, has no such key, or the value is another.
    pub fn field<T: FromTerm>(&self, term: Term<'_>, key: &str) -> Result<T, Error> {
        match self.get(term, key)? {
            Some(value) => T::from_term(value, self).map_err(|error| error.inside(format_args!(".{key}"))),
            None => Err(self.mismatch(format!("a map with the key {key}"), term)),
        }
    }

    /// The error of a term that is something else than was expected.
    ///
    /// ```
    /// use erlet::{Error, Term, TermReader};
    /// fn found(reader: &TermReader<'_>, term: Term<'_>) -> Result<i64, Error> {
    ///     let number: i64 = reader.read(term)?;
    ///     if number % 2 == 0 { Ok(number) } else { Err(reader.mismatch("an even number", term)) }
    /// }
    /// ```
    #[cold]
    pub fn mismatch(&self, expected: impl Into<std::borrow::Cow<'static, str>>, term: Term<'_>) -> Error {
        Error::Conversion(Box::new(Conversion::new(expected, self.shown(term))))
    }

    /// The term as `~p` shows it, cut if it is long.
    ///
    /// ```
    /// use erlet::{Term, TermReader};
    /// fn found(reader: &TermReader<'_>, term: Term<'_>) -> String {
    ///     format!("what is {}?", reader.shown(term))
    /// }
    /// ```
    pub fn shown(&self, term: Term<'_>) -> String {
        let mut text = String::new();
        if !print::write(&mut text, &self.rt.atoms, term, Style::PRINT, SHOWN) {
            text.truncate(text.char_indices().nth(SHOWN).map_or(text.len(), |(place, _)| place));
            text.push_str("...");
        }
        text
    }

    /// The float of a float or an integer.
    pub(super) fn number(&self, term: Term<'_>) -> Option<f64> {
        match term.view() {
            View::Float(value) => Some(value),
            View::Int(value) => Some(value as f64),
            View::Big(big) => {
                crate::num::integer::Int { negative: big.is_negative(), limbs: big.limbs() }.to_f64()
            }
            _ => None,
        }
    }
}

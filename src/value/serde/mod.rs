//! Any `Serialize` and `Deserialize` type to and from terms (feature `serde`).
//!
//! [`Serde`] wraps a value where one that converts is wanted: an argument or result of a call, a parameter or answer of a host
//! function. [`to_value`] and [`from_value`] convert to and from [`Value`].
//!
//! | Rust | Erlang |
//! |---|---|
//! | struct with fields | map with atom keys |
//! | newtype struct | what it wraps |
//! | tuple, tuple struct | tuple |
//! | sequence | list |
//! | map | map |
//! | `None` | `undefined` |
//! | `()`, unit struct | `ok` |
//! | enum variant without data | atom of its name |
//! | enum variant of one value | `{Name, Value}` |
//! | enum variant of several | `{Name, A, B}` |
//! | enum variant with fields | `{Name, #{field => Value}}` |
//! | `char` | its code point |
//! | string, bytes | binary |
//!
//! Reading is as strict, but for names of fields and variants, which may be binaries as well as atoms, and sequences and tuples, which
//! may be both lists and tuples. What is nested deeper than 128 is refused: serde's way of reading recurses.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use erlet::{serde::{from_value, to_value}};
//!
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! struct Order { id: u64, state: State }
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! enum State { Open, Paid { cents: u64 } }
//!
//! let order = Order { id: 7, state: State::Paid { cents: 100 } };
//! let value = to_value(&order)?;
//! assert_eq!(value.to_string(), "#{id => 7,state => {'Paid',#{cents => 100}}}");
//! assert_eq!(from_value::<Order>(&value)?, order);
//! # Ok::<(), erlet::Error>(())
//! ```

mod read;
mod write;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{FromTerm, IntoTerm, TermMaker, TermReader, Value};
use crate::error::{Conversion, Error};
use crate::term::Term;

/// The value of anything that serializes.
///
/// # Errors
/// `Conversion` if the type's own serialization fails.
///
/// ```
/// assert_eq!(erlet::serde::to_value(&(1, "a"))?.to_string(), "{1,<<\"a\">>}");
/// # Ok::<(), erlet::Error>(())
/// ```
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value, Error> {
    let written = value.serialize(write::Writer);
    written.map_err(|fault| Conversion::new("a value that serializes", fault.text).into())
}

/// Reads anything that deserializes.
///
/// # Errors
/// `Conversion` if the value is something else, with the path to the part of it that is.
///
/// ```
/// let value = erlet::Value::list([1, 2]);
/// assert_eq!(erlet::serde::from_value::<Vec<u8>>(&value)?, [1, 2]);
/// let Err(erlet::Error::Conversion(wrong)) = erlet::serde::from_value::<Vec<bool>>(&value) else { panic!() };
/// assert_eq!(wrong.path, "[0]");
/// # Ok::<(), erlet::Error>(())
/// ```
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T, Error> {
    let read = T::deserialize(read::Reader::new(value));
    // Serde says what is wrong, but not in what.
    read.map_err(|Fault { text, path }| {
        let found = format!("{} ({text})", read::shown(value));
        Error::from(Conversion::new(std::any::type_name::<T>(), found)).inside(format_args!("{path}"))
    })
}

/// A value that is converted as serde says.
///
/// ```
/// # let vm = erlet::vm::Vm::builder().threads(0).build()?;
/// use erlet::serde::Serde;
/// #[derive(serde::Serialize, serde::Deserialize)]
/// struct Point { x: i64, y: i64 }
///
/// vm.module("geometry")
///     .function("mirror", |Serde(point): Serde<Point>| Serde(Point { x: point.y, y: point.x }))
///     .install()?;
/// # Ok::<(), erlet::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Serde<T>(pub T);

impl<T: Serialize> IntoTerm for Serde<T> {
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        to_value(&self.0)?.into_term(maker)
    }
}

impl<T: DeserializeOwned> FromTerm for Serde<T> {
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<Serde<T>, Error> {
        from_value(&Value::from_term(term, reader)?).map(Serde)
    }
}

/// What serde's two sides fail with.
#[derive(Debug)]
pub struct Fault {
    text: String,
    /// Where, as [`Conversion::path`] tells it.
    path: String,
}

impl Fault {
    fn new(text: impl Into<String>) -> Fault {
        Fault { text: text.into(), path: String::new() }
    }

    /// It happened inside this part.
    fn inside(mut self, part: std::fmt::Arguments<'_>) -> Fault {
        self.path.insert_str(0, &part.to_string());
        self
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Fault {}

impl serde::ser::Error for Fault {
    fn custom<T: std::fmt::Display>(text: T) -> Fault {
        Fault::new(text.to_string())
    }
}

impl serde::de::Error for Fault {
    fn custom<T: std::fmt::Display>(text: T) -> Fault {
        Fault::new(text.to_string())
    }
}

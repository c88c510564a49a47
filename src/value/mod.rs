//! Values between Rust and Erlang: the owned [`Value`], and the traits that convert any Rust type.
//!
//! A term lives on the heap of one process of one machine. What crosses to Rust is converted: by [`FromTerm`] into a type that the
//! caller names, and back by [`IntoTerm`]. [`Value`] is the type for whatever a term may be; it owns all it holds, may be sent between
//! threads, and outlives its machine.
//!
//! | Rust | Erlang |
//! |---|---|
//! | `i8` ... `i128`, `u8` ... `u128`, [`BigInt`] | integer |
//! | `f32`, `f64` | float (an integer is read as a float too; NaN and infinities are refused) |
//! | `bool` | `true`, `false` |
//! | `char` | its code point |
//! | `&str`, `String` | binary of UTF-8 |
//! | [`Charlist`] | list of code points |
//! | [`Atom`] | atom |
//! | [`Bytes`] | binary, shared instead of copied if it is large |
//! | `Vec<T>`, `&[T]`, `[T; N]`, `VecDeque<T>`, sets | list |
//! | tuples up to 12 | tuple |
//! | `HashMap`, `BTreeMap` | map |
//! | `Option<T>` | the value, or `undefined` |
//! | `Result<T, E>` | `{ok, T}` or `{error, E}` |
//! | `()` | `ok`; any term is read as `()` |
//! | [`Pid`], [`Reference`], [`Function`], [`Resource`](crate::host::Resource) | themselves |
//!
//! ```
//! use erlet::Value;
//! let value = Value::tuple([Value::atom("ok"), Value::from("text"), Value::list([1, 2])]);
//! assert_eq!(value.to_string(), "{ok,<<\"text\">>,[1,2]}");
//! ```
//!
//! Nothing here recurses over what it is given: terms and values may be nested as deep as memory allows.
//!
//! Invariant: no value holds a word of a machine but in [`Function`], whose fragment is self-contained.

mod atom;
mod big;
mod bytes;
mod clone;
mod convert;
mod function;
mod identity;
mod maker;
mod map;
mod number;
mod order;
#[cfg(feature = "compiler")]
mod parse;
mod print;
mod reader;
mod sequence;
#[cfg(feature = "serde")]
pub mod serde;
mod toll;
mod values;
mod walk;

pub use atom::Atom;
pub use big::BigInt;
pub use bytes::{Bitstring, Bytes};
pub use convert::{Charlist, FromTerm, IntoArgs, IntoTerm, Reply};
pub use function::Function;
pub use identity::{Pid, Port, Reference};
pub(crate) use maker::intern;
pub use maker::{TermMaker, fragment};
pub use map::Map;
#[cfg(feature = "compiler")]
pub use parse::NotATerm;
pub use reader::TermReader;
pub(crate) use toll::{Held, Toll};
pub use values::Values;

use crate::host::AnyResource;

/// Any Erlang term, owned.
///
/// Equality and order are Erlang's exact ones (`=:=`; `1` and `1.0` differ), so values can be keys. `Debug` and `Display` print what
/// `~p` prints, on one line.
///
/// ```
/// use erlet::Value;
/// let value = Value::tuple([Value::atom("point"), Value::from(3), Value::from(4)]);
/// if let Value::Tuple(parts) = &value
///     && let [tag, Value::Int(x), Value::Int(y)] = &parts[..]
/// {
///     assert!(*tag == "point" && x + y == 7);
/// }
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub enum Value {
    /// An integer that fits 64 bits.
    Int(i64),
    /// A larger one.
    BigInt(BigInt),
    /// A float. NaN and infinities are no Erlang floats: converting one into a term fails.
    Float(f64),
    /// An atom.
    Atom(Atom),
    /// A binary.
    Binary(Bytes),
    /// A bitstring that is no whole number of bytes.
    Bits(Bitstring),
    /// A proper list.
    List(Values),
    /// A list that ends in something else than `[]`: its elements, then its tail.
    Improper(Values),
    /// A tuple.
    Tuple(Values),
    /// A map.
    Map(Map),
    /// A process.
    Pid(Pid),
    /// A port.
    Port(Port),
    /// A reference.
    Reference(Reference),
    /// A fun.
    Function(Function),
    /// A host object.
    Resource(AnyResource),
}

impl Value {
    /// The empty list.
    pub const NIL: Value = Value::List(Values::new());

    /// An atom.
    ///
    /// ```
    /// assert_eq!(erlet::Value::atom("ok").to_string(), "ok");
    /// ```
    pub fn atom(text: impl Into<Atom>) -> Value {
        Value::Atom(text.into())
    }

    /// A binary of these bytes.
    ///
    /// ```
    /// assert_eq!(erlet::Value::binary("abc").to_string(), "<<\"abc\">>");
    /// ```
    pub fn binary(bytes: impl AsRef<[u8]>) -> Value {
        Value::Binary(Bytes::copy_from(bytes.as_ref()))
    }

    /// A list of characters: what Erlang writes `"text"`.
    ///
    /// ```
    /// assert_eq!(erlet::Value::charlist("text").to_string(), "\"text\"");
    /// ```
    pub fn charlist(text: &str) -> Value {
        Value::List(text.chars().map(|character| Value::Int(i64::from(u32::from(character)))).collect())
    }

    /// A list.
    ///
    /// ```
    /// assert_eq!(erlet::Value::list([1, 2]).to_string(), "[1,2]");
    /// ```
    pub fn list<V: Into<Value>>(elements: impl IntoIterator<Item = V>) -> Value {
        Value::List(elements.into_iter().map(Into::into).collect())
    }

    /// A tuple.
    ///
    /// ```
    /// assert_eq!(erlet::Value::tuple([1, 2]).to_string(), "{1,2}");
    /// ```
    pub fn tuple<V: Into<Value>>(elements: impl IntoIterator<Item = V>) -> Value {
        Value::Tuple(elements.into_iter().map(Into::into).collect())
    }

    /// A map; of keys that are equal, the last counts.
    ///
    /// ```
    /// use erlet::Value;
    /// let map = Value::map([(Value::atom("a"), Value::from(1))]);
    /// assert_eq!(map.get("a"), Some(&Value::Int(1)));
    /// ```
    pub fn map<K: Into<Value>, V: Into<Value>>(entries: impl IntoIterator<Item = (K, V)>) -> Value {
        Value::Map(entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }

    /// A list of strings (lists of characters), as `main/1` gets its arguments.
    ///
    /// ```
    /// assert_eq!(erlet::Value::strings(["a", "b"]).to_string(), "[\"a\",\"b\"]");
    /// ```
    pub fn strings<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> Value {
        Value::list(texts.into_iter().map(|text| Value::charlist(text.as_ref())))
    }

    /// The integer, if it is one of 64 bits.
    ///
    /// ```
    /// assert_eq!(erlet::Value::from(5).as_int(), Some(5));
    /// ```
    pub fn as_int(&self) -> Option<i64> {
        if let Value::Int(value) = self { Some(*value) } else { None }
    }

    /// The number as a float, if it is a float or an integer of 64 bits.
    ///
    /// ```
    /// assert_eq!(erlet::Value::from(5).as_f64(), Some(5.0));
    /// ```
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Float(value) => Some(*value),
            Value::Int(value) => Some(*value as f64),
            _ => None,
        }
    }

    /// `true` or `false`, if it is one of the two.
    ///
    /// ```
    /// assert_eq!(erlet::Value::from(true).as_bool(), Some(true));
    /// ```
    pub fn as_bool(&self) -> Option<bool> {
        match self.as_atom()? {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// The atom's text, if it is an atom.
    ///
    /// ```
    /// assert_eq!(erlet::Value::atom("ok").as_atom(), Some("ok"));
    /// ```
    pub fn as_atom(&self) -> Option<&str> {
        if let Value::Atom(atom) = self { Some(atom.as_str()) } else { None }
    }

    /// The text, if it is a binary of UTF-8. (A list of characters: [`Value::to_text`].)
    ///
    /// ```
    /// assert_eq!(erlet::Value::from("abc").as_str(), Some("abc"));
    /// ```
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(self.as_bytes()?).ok()
    }

    /// The bytes, if it is a binary.
    ///
    /// ```
    /// assert_eq!(erlet::Value::from("abc").as_bytes(), Some(&b"abc"[..]));
    /// ```
    pub fn as_bytes(&self) -> Option<&[u8]> {
        if let Value::Binary(bytes) = self { Some(bytes) } else { None }
    }

    /// The elements, if it is a proper list.
    ///
    /// ```
    /// assert_eq!(erlet::Value::list([1, 2]).as_list().map(<[_]>::len), Some(2));
    /// ```
    pub fn as_list(&self) -> Option<&[Value]> {
        if let Value::List(elements) = self { Some(elements) } else { None }
    }

    /// The elements, if it is a tuple.
    ///
    /// ```
    /// assert_eq!(erlet::Value::tuple([1, 2]).as_tuple().map(<[_]>::len), Some(2));
    /// ```
    pub fn as_tuple(&self) -> Option<&[Value]> {
        if let Value::Tuple(elements) = self { Some(elements) } else { None }
    }

    /// The map, if it is one.
    ///
    /// ```
    /// assert_eq!(erlet::Value::from(1).as_map(), None);
    /// ```
    pub fn as_map(&self) -> Option<&Map> {
        if let Value::Map(map) = self { Some(map) } else { None }
    }

    /// The pid, if it is one.
    ///
    /// ```
    /// assert_eq!(erlet::Value::from(1).as_pid(), None);
    /// ```
    pub fn as_pid(&self) -> Option<Pid> {
        if let Value::Pid(pid) = self { Some(*pid) } else { None }
    }

    /// The reference, if it is one.
    ///
    /// ```
    /// assert!(erlet::Value::from(1).as_reference().is_none());
    /// ```
    pub fn as_reference(&self) -> Option<Reference> {
        if let Value::Reference(reference) = self { Some(*reference) } else { None }
    }

    /// The fun, if it is one.
    ///
    /// ```
    /// fn arity(value: &erlet::Value) -> Option<usize> {
    ///     value.as_function().map(erlet::Function::arity)
    /// }
    /// ```
    pub fn as_function(&self) -> Option<&Function> {
        if let Value::Function(function) = self { Some(function) } else { None }
    }

    /// The host object, if it is one.
    ///
    /// ```
    /// fn number(value: &erlet::Value) -> Option<i64> {
    ///     value.as_resource()?.downcast::<i64>().map(|number| *number)
    /// }
    /// ```
    pub fn as_resource(&self) -> Option<&AnyResource> {
        if let Value::Resource(resource) = self { Some(resource) } else { None }
    }

    /// The other elements of a tuple whose first one is the atom `tag`: what `{Tag, ...}` matches. The atom `tag` alone has none.
    ///
    /// ```
    /// use erlet::Value;
    /// fn answer(value: &Value) -> Result<i64, String> {
    ///     if let Some([number]) = value.tagged("ok") {
    ///         return number.as_int().ok_or_else(|| format!("{number} is no small integer"));
    ///     }
    ///     Err(value.to_string())
    /// }
    /// assert_eq!(answer(&Value::tuple([Value::atom("ok"), Value::from(5)])), Ok(5));
    /// assert_eq!(answer(&Value::atom("ok")), Err("ok".to_owned()));
    /// assert_eq!(Value::atom("ok").tagged("ok"), Some(&[][..]));
    /// ```
    pub fn tagged(&self, tag: &str) -> Option<&[Value]> {
        match self {
            Value::Atom(atom) if *atom == *tag => Some(&[]),
            Value::Tuple(parts) => match parts.split_first() {
                Some((first, rest)) if *first == *tag => Some(rest),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of a map under the atom `key`; `None` if it is no map or has no such key. ([`Map::get`] takes any key.)
    ///
    /// ```
    /// use erlet::Value;
    /// let map = Value::map([(Value::atom("a"), 1)]);
    /// assert_eq!(map.get("a").and_then(Value::as_int), Some(1));
    /// ```
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.get(&Value::atom(key))
    }

    /// The text of a string of either kind: a binary of UTF-8 or a list of characters.
    ///
    /// ```
    /// assert_eq!(erlet::Value::charlist("abc").to_text().as_deref(), Some("abc"));
    /// ```
    pub fn to_text(&self) -> Option<String> {
        match self {
            Value::Binary(_) => self.as_str().map(str::to_owned),
            Value::List(elements) => {
                let code = |value: &Value| u32::try_from(value.as_int()?).ok().and_then(char::from_u32);
                elements.iter().map(code).collect()
            }
            _ => None,
        }
    }
}

macro_rules! from {
    ($($type:ty => |$value:ident| $made:expr;)*) => {$(
        impl From<$type> for Value {
            fn from($value: $type) -> Value {
                $made
            }
        }
    )*};
}

from! {
    i8 => |value| Value::Int(value.into());
    i16 => |value| Value::Int(value.into());
    i32 => |value| Value::Int(value.into());
    i64 => |value| Value::Int(value);
    u8 => |value| Value::Int(value.into());
    u16 => |value| Value::Int(value.into());
    u32 => |value| Value::Int(value.into());
    u64 => |value| BigInt::from(value).into();
    i128 => |value| BigInt::from(value).into();
    usize => |value| BigInt::from(value).into();
    f64 => |value| Value::Float(value);
    bool => |value| Value::atom(if value { "true" } else { "false" });
    &str => |value| Value::binary(value);
    String => |value| Value::Binary(Bytes::from(value));
    Atom => |value| Value::Atom(value);
    Bytes => |value| Value::Binary(value);
    Charlist => |value| Value::charlist(&value.0);
    Vec<Value> => |value| Value::List(value.into());
    Map => |value| Value::Map(value);
    Pid => |value| Value::Pid(value);
    Reference => |value| Value::Reference(value);
    Function => |value| Value::Function(value);
    AnyResource => |value| Value::Resource(value);
}

impl From<BigInt> for Value {
    /// An `Int` if it fits.
    fn from(value: BigInt) -> Value {
        i64::try_from(&value).map_or(Value::BigInt(value), Value::Int)
    }
}

/// Whether it is an atom of this text.
impl PartialEq<str> for Value {
    fn eq(&self, text: &str) -> bool {
        self.as_atom() == Some(text)
    }
}

/// Whether it is an atom of this text.
impl PartialEq<&str> for Value {
    fn eq(&self, text: &&str) -> bool {
        self.as_atom() == Some(*text)
    }
}

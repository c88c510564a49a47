//! The conversion traits, and the conversions of what has no parts.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use super::{Atom, BigInt, Bytes, Function, Pid, Port, Reference, TermMaker, TermReader};
use crate::atom::known;
use crate::error::Error;
use crate::process::Class;
use crate::term::{Term, View};

/// What can be made a term: arguments of calls, answers of host functions, messages.
///
/// See [`TermMaker`] for an implementation of one's own.
///
/// ```
/// fn takes(argument: impl erlet::IntoTerm) {}
/// takes(1);
/// takes(("text", vec![1.5, 2.5], Some(true)));
/// ```
pub trait IntoTerm {
    /// Makes the term.
    ///
    /// # Errors
    /// [`Error::Conversion`] for what has no counterpart (NaN), [`Error::OtherVm`] for a name of another machine,
    /// [`Error::Limit`] if there is no room.
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error>;

    /// As the answer of a host function: `Err` raises.
    #[doc(hidden)]
    fn into_reply<'h>(self, maker: &mut TermMaker<'h>) -> Result<Reply<'h>, Error>
    where
        Self: Sized,
    {
        self.into_term(maker).map(Reply::Value)
    }

    /// As the reason of an exception that a host function raises, and its class.
    #[doc(hidden)]
    fn into_reason<'h>(self, maker: &mut TermMaker<'h>) -> Result<(Class, Term<'h>), Error>
    where
        Self: Sized,
    {
        Ok((Class::Error, self.into_term(maker)?))
    }
}

/// What a host function answers.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Reply<'h> {
    Value(Term<'h>),
    Raise(Class, Term<'h>),
}

/// What a term can be read as: results of calls, arguments of host functions, messages.
///
/// See [`TermReader`] for an implementation of one's own.
///
/// ```
/// fn gives<T: erlet::FromTerm>() {}
/// gives::<(String, Vec<f64>, Option<bool>)>();
/// ```
pub trait FromTerm: Sized {
    /// Reads the term.
    ///
    /// # Errors
    /// [`Error::Conversion`] if the term is something else; it says what was expected, what was found, and where.
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<Self, Error>;
}

/// Arguments of a call: a tuple of up to eight, or a slice or vector of [`Value`](super::Value)s.
///
/// ```
/// fn call(arguments: impl erlet::IntoArgs) {}
/// call(());
/// call((1, "two"));
/// call(vec![erlet::Value::from(1)]);
/// ```
pub trait IntoArgs {
    /// How many there are.
    fn arity(&self) -> usize;

    /// The arguments as a tuple.
    ///
    /// # Errors
    /// Those of the conversions.
    fn into_args<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error>;
}

/// A string as Erlang's `"text"`: a list of code points. (`&str` and `String` are binaries.)
///
/// ```
/// # use erlet::Charlist;
/// let name = Charlist("text".to_owned());
/// assert_eq!(erlet::Value::from(name).to_string(), "\"text\"");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Charlist(pub String);

impl From<&str> for Charlist {
    fn from(text: &str) -> Charlist {
        Charlist(text.to_owned())
    }
}

macro_rules! into {
    ($($type:ty => |$value:ident, $maker:ident| $made:expr;)*) => {$(
        impl IntoTerm for $type {
            #[inline]
            fn into_term<'h>(self, $maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
                let $value = self;
                $made
            }
        }
    )*};
}

macro_rules! from {
    ($($type:ty => |$term:ident, $reader:ident| $read:expr;)*) => {$(
        impl FromTerm for $type {
            #[inline]
            fn from_term($term: Term<'_>, $reader: &TermReader<'_>) -> Result<$type, Error> {
                $read
            }
        }
    )*};
}

into! {
    bool => |value, _maker| Ok(Term::boolean(value));
    &bool => |value, _maker| Ok(Term::boolean(*value));
    char => |value, maker| u32::from(value).into_term(maker);
    &char => |value, maker| u32::from(*value).into_term(maker);
    () => |_value, _maker| Ok(Term::atom(known::OK));
    &str => |value, maker| maker.binary(value.as_bytes());
    &String => |value, maker| maker.binary(value.as_bytes());
    String => |value, maker| maker.binary(value.as_bytes());
    Box<str> => |value, maker| maker.binary(value.as_bytes());
    Arc<str> => |value, maker| maker.binary(value.as_bytes());
    Rc<str> => |value, maker| maker.binary(value.as_bytes());
    Cow<'_, str> => |value, maker| maker.binary(value.as_bytes());
    &Charlist => |value, maker| Ok(maker.heap().string(&value.0)?);
    Charlist => |value, maker| Ok(maker.heap().string(&value.0)?);
    &Atom => |value, maker| maker.atom(value);
    Atom => |value, maker| maker.atom(&value);
    &Bytes => |value, maker| Ok(value.to_term(maker.heap())?);
    Bytes => |value, maker| Ok(value.to_term(maker.heap())?);
    &BigInt => |value, maker| Ok(maker.heap().int_big(value.inner())?);
    BigInt => |value, maker| Ok(maker.heap().int_big(value.inner())?);
    &Pid => |value, maker| (*value).into_term(maker);
    Pid => |value, maker| {
        maker.own(value.machine)?;
        Ok(Term::pid(value.raw))
    };
    &Port => |value, maker| (*value).into_term(maker);
    Port => |value, maker| {
        maker.own(value.machine)?;
        Ok(Term::port(value.raw))
    };
    &Reference => |value, maker| (*value).into_term(maker);
    Reference => |value, maker| {
        maker.own(value.machine)?;
        let owner = value.owner.and_then(|owner| owner.pid());
        Ok(maker.heap().reference(value.unique, owner)?)
    };
    &Function => |value, maker| {
        maker.own(value.machine())?;
        value.to_term(maker.heap())
    };
    Function => |value, maker| (&value).into_term(maker);
}

from! {
    bool => |term, reader| term.as_boolean().ok_or_else(|| reader.mismatch("true or false", term));
    char => |term, reader| {
        let code = term.as_small().and_then(|code| u32::try_from(code).ok());
        code.and_then(char::from_u32).ok_or_else(|| reader.mismatch("a character", term))
    };
    () => |_term, _reader| Ok(());
    String => |term, reader| match reader.bytes(term) {
        Ok(bytes) => {
            reader.copies(bytes.len())?;
            String::from_utf8(bytes.into_owned()).map_err(|_| reader.mismatch("a binary of UTF-8", term))
        }
        Err(_) => Err(reader.mismatch("a binary of UTF-8", term)),
    };
    Box<str> => |term, reader| String::from_term(term, reader).map(String::into_boxed_str);
    Arc<str> => |term, reader| String::from_term(term, reader).map(Arc::from);
    Rc<str> => |term, reader| String::from_term(term, reader).map(Rc::from);
    Cow<'static, str> => |term, reader| String::from_term(term, reader).map(Cow::Owned);
    Charlist => |term, reader| {
        let code = |element: Term<'_>| u32::try_from(element.as_small()?).ok().and_then(char::from_u32);
        let text = reader.list(term).ok().and_then(|mut elements| {
            elements.try_fold(String::new(), |mut text, element| {
                text.push(code(element)?);
                Some(text)
            })
        });
        text.map(Charlist).ok_or_else(|| reader.mismatch("a list of characters", term))
    };
    Atom => |term, reader| reader.atom(term);
    Bytes => |term, reader| reader.bytes(term).map(|bytes| Bytes::of_term(term, &bytes));
    BigInt => |term, reader| match term.view() {
        View::Int(value) => Ok(BigInt::from(value)),
        View::Big(big) => Ok(BigInt::from_limbs(big.is_negative(), big.limbs())),
        _ => Err(reader.mismatch("an integer", term)),
    };
    Pid => |term, reader| match term.as_pid() {
        Some(pid) => Ok(Pid::new(reader.runtime().identity, pid)),
        None => Err(reader.mismatch("a pid", term)),
    };
    Port => |term, reader| match term.as_port() {
        Some(raw) => Ok(Port { machine: reader.runtime().identity, raw }),
        None => Err(reader.mismatch("a port", term)),
    };
    Reference => |term, reader| match term.as_ref() {
        Some(reference) => {
            Ok(Reference::new(reader.runtime().identity, reference.unique(), reference.owner()))
        }
        None => Err(reader.mismatch("a reference", term)),
    };
    Function => |term, reader| match term.view() {
        View::Fun(fun) => Function::of_term(term, usize::from(fun.entry().arity), reader.runtime()),
        View::ExternalFun(fun) => Function::of_term(term, usize::from(fun.arity()), reader.runtime()),
        _ => Err(reader.mismatch("a fun", term)),
    };
}

macro_rules! pointers {
    ($($pointer:ident)*) => {$(
        impl<T: FromTerm> FromTerm for $pointer<T> {
            fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<$pointer<T>, Error> {
                T::from_term(term, reader).map($pointer::new)
            }
        }
    )*};
}

pointers! { Box Arc Rc }

impl<T: IntoTerm> IntoTerm for Box<T> {
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        (*self).into_term(maker)
    }
}

impl<T> IntoTerm for Arc<T>
where
    for<'a> &'a T: IntoTerm,
{
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        (&*self).into_term(maker)
    }
}

/// What slices of references are made of.
impl<'b, T: ?Sized> IntoTerm for &&'b T
where
    &'b T: IntoTerm,
{
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        (*self).into_term(maker)
    }
}

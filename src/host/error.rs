//! What host functions raise.

use crate::error::{Class, Error};
use crate::term::Term;
use crate::value::{IntoTerm, Reply, TermMaker, Value};

/// An exception that a host function raises in its caller: a class and a reason.
///
/// ```
/// use erlet::{Atom, HostError, Value};
/// let error = HostError::error(Atom::new("enoent"));
/// let thrown = HostError::throw(Value::tuple([Value::atom("retry"), Value::from(3)]));
/// let text = HostError::from("no such image"); // error:<<"no such image">>
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HostError {
    /// `error`, `exit` or `throw`.
    pub class: Class,
    /// The reason.
    pub reason: Value,
}

impl HostError {
    /// An error.
    ///
    /// ```
    /// assert_eq!(erlet::HostError::error(1).class, erlet::Class::Error);
    /// ```
    pub fn error(reason: impl Into<Value>) -> HostError {
        HostError { class: Class::Error, reason: reason.into() }
    }

    /// An exit: a process that does not catch it ends with this reason, and nothing is reported.
    ///
    /// ```
    /// assert_eq!(erlet::HostError::exit(1).class, erlet::Class::Exit);
    /// ```
    pub fn exit(reason: impl Into<Value>) -> HostError {
        HostError { class: Class::Exit, reason: reason.into() }
    }

    /// A throw.
    ///
    /// ```
    /// assert_eq!(erlet::HostError::throw(1).class, erlet::Class::Throw);
    /// ```
    pub fn throw(reason: impl Into<Value>) -> HostError {
        HostError { class: Class::Throw, reason: reason.into() }
    }

    /// The error `badarg`, as natives raise it for arguments they do not take.
    ///
    /// ```
    /// assert_eq!(erlet::HostError::badarg().reason, "badarg");
    /// ```
    pub fn badarg() -> HostError {
        HostError::error(crate::Atom::from_static("badarg"))
    }
}

impl std::fmt::Display for HostError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exception {}: {}", self.class.name(), self.reason)
    }
}

impl std::error::Error for HostError {}

impl From<&str> for HostError {
    fn from(reason: &str) -> HostError {
        HostError::error(reason)
    }
}

impl From<String> for HostError {
    fn from(reason: String) -> HostError {
        HostError::error(reason)
    }
}

impl From<Value> for HostError {
    fn from(reason: Value) -> HostError {
        HostError::error(reason)
    }
}

/// An error with the text of the operating system as its reason; of what is not permitted, by it or by
/// [`Capabilities`](crate::Capabilities), with the reason `eacces`.
impl From<std::io::Error> for HostError {
    fn from(error: std::io::Error) -> HostError {
        match error.kind() {
            std::io::ErrorKind::PermissionDenied => HostError::error(Value::atom("eacces")),
            _ => HostError::error(error.to_string()),
        }
    }
}

/// The exception of a call that raised one; otherwise an error with the text as its reason.
impl From<Error> for HostError {
    fn from(error: Error) -> HostError {
        match error {
            Error::Exception(exception) => HostError { class: exception.class, reason: exception.reason },
            Error::Exit(reason) => HostError { class: Class::Exit, reason: *reason },
            other => HostError::error(other.to_string()),
        }
    }
}

/// As a term it is its reason.
impl IntoTerm for HostError {
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        self.reason.into_term(maker)
    }

    fn into_reason<'h>(self, maker: &mut TermMaker<'h>) -> Result<(Class, Term<'h>), Error> {
        Ok((self.class, self.reason.into_term(maker)?))
    }
}

macro_rules! errors {
    ($($type:ty)*) => {$(
        /// As a term it is its text; as what a host function fails with, what `HostError::from` makes of it.
        impl IntoTerm for $type {
            fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
                self.to_string().into_term(maker)
            }

            fn into_reason<'h>(self, maker: &mut TermMaker<'h>) -> Result<(Class, Term<'h>), Error> {
                HostError::from(self).into_reason(maker)
            }
        }
    )*};
}

errors! { Error std::io::Error }

/// A value that a host function answers as a term, whatever it is: a `Result` as `{ok, V}` or `{error, E}`.
///
/// ```
/// # let vm = erlet::vm::Vm::builder().threads(0).build()?;
/// use erlet::AsTerm;
/// vm.module("text").function("parse", |text: String| {
///     AsTerm(text.parse::<i64>().map_err(|error| error.to_string()))
/// }).install()?;
/// # Ok::<(), erlet::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsTerm<T>(pub T);

impl<T: IntoTerm> IntoTerm for AsTerm<T> {
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        self.0.into_term(maker)
    }

    fn into_reply<'h>(self, maker: &mut TermMaker<'h>) -> Result<Reply<'h>, Error> {
        self.0.into_term(maker).map(Reply::Value)
    }
}

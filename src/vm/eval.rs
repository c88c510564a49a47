//! Evaluating expressions.

use std::collections::BTreeMap;

use erlet_lang::{ParseOptions, Session, parse_exprs};

use super::Vm;
use super::diagnostics::Diagnostics;
use crate::error::Error;
use crate::term::Term;
use crate::value::{Atom, FromTerm, IntoTerm, TermMaker, TermReader, Value};

/// What diagnostics show as the file.
const PATH: &str = "eval";

/// Variables and their values, kept from one evaluation to the next.
///
/// ```
/// # fn main() -> Result<(), erlet::Error> {
/// use erlet::{Bindings, Vm};
/// let vm = Vm::builder().threads(0).build()?;
/// let mut bindings = Bindings::new();
/// bindings.set("X", 3);
/// vm.eval_with::<()>(&mut bindings, "Y = X * 2")?;
/// assert_eq!(bindings.get("Y").and_then(erlet::Value::as_int), Some(6));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bindings(BTreeMap<Atom, Value>);

impl Bindings {
    /// None.
    ///
    /// ```
    /// assert!(erlet::Bindings::new().get("X").is_none());
    /// ```
    #[must_use]
    pub fn new() -> Bindings {
        Bindings::default()
    }

    /// Binds a variable, in place of what it was bound to.
    ///
    /// ```
    /// let mut bindings = erlet::Bindings::new();
    /// bindings.set("Name", "Joe");
    /// ```
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(Atom::new(name), value.into());
    }

    /// The value of a variable.
    ///
    /// ```
    /// let mut bindings = erlet::Bindings::new();
    /// bindings.set("X", 1);
    /// assert!(bindings.get("X").is_some());
    /// ```
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(&Atom::new(name))
    }

    /// Names and values, by name.
    ///
    /// ```
    /// assert_eq!(erlet::Bindings::new().iter().count(), 0);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}

impl IntoTerm for &Bindings {
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        maker.make(&self.0)
    }
}

impl FromTerm for Bindings {
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<Bindings, Error> {
        reader.read(term).map(Bindings)
    }
}

impl Vm {
    /// Evaluates expressions, `A = 1, A + 1`, and gives the value of the last one; a full stop at the end may be left out.
    ///
    /// They run in a process of their own, as in [`Vm::call`], by `erl_eval`: fast enough for configuration and formulas; for what
    /// runs often, see [`Vm::load_source`].
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).build()?;
    /// assert_eq!(vm.eval::<Vec<i64>>("[X * X || X <- lists:seq(1, 3)]")?, [1, 4, 9]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Compile`] if the text is no expressions, and those of [`Vm::call`]; a variable that is not bound is an exception.
    pub fn eval<R: FromTerm>(&self, text: &str) -> Result<R, Error> {
        self.eval_with(&mut Bindings::new(), text)
    }

    /// The same with variables that are bound before; those that are bound afterwards are there for the next time.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use erlet::{Bindings, Vm};
    /// let vm = Vm::builder().threads(0).build()?;
    /// let mut bindings = Bindings::new();
    /// vm.eval_with::<i64>(&mut bindings, "Price = 3.")?;
    /// assert_eq!(vm.eval_with::<i64>(&mut bindings, "Price * 7.")?, 21);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Vm::eval`]; then the bindings are as before.
    pub fn eval_with<R: FromTerm>(&self, bindings: &mut Bindings, text: &str) -> Result<R, Error> {
        let trimmed = text.trim_end();
        let text = if trimmed.ends_with('.') { format!("{trimmed}\n") } else { format!("{trimmed}\n.\n") };
        let mut session = Session::new();
        if parse_exprs(&mut session, PATH, &text, &ParseOptions::default()).is_none() {
            return Err(Error::Compile(Box::new(Diagnostics::of(&mut session))));
        }
        let (value, bound) = self.call("erlet_eval", "eval", (text, &*bindings))?;
        *bindings = bound;
        Ok(value)
    }
}

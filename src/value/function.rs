//! Erlang funs kept by Rust.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use crate::heap::{Fragment, HeapRef};
use crate::runtime::Runtime;
use crate::term::Term;
use crate::term::print::{self, Style};

/// An Erlang fun, with what it has captured, kept by Rust: it may be stored, sent between threads and given back to its machine.
///
/// It holds a copy of what the fun captured, so it keeps no process from ending.
///
/// ```
/// fn show(fun: &erlet::Function) -> String {
///     format!("{fun} of {} arguments", fun.arity())
/// }
/// ```
#[derive(Clone)]
pub struct Function(Arc<Inner>);

struct Inner {
    machine: u64,
    arity: usize,
    text: String,
    fun: Fragment,
}

impl Function {
    /// How many arguments it takes.
    ///
    /// ```
    /// fn takes_two(fun: &erlet::Function) -> bool {
    ///     fun.arity() == 2
    /// }
    /// ```
    pub fn arity(&self) -> usize {
        self.0.arity
    }

    /// Which machine it belongs to.
    pub(crate) fn machine(&self) -> u64 {
        self.0.machine
    }

    /// The fun itself, in a fragment of its own.
    #[expect(dead_code, reason = "for calls of it")]
    pub(crate) fn fragment(&self) -> &Fragment {
        &self.0.fun
    }

    pub(super) fn of_term(term: Term<'_>, arity: usize, rt: &Runtime) -> Result<Function, crate::Error> {
        let mut text = String::new();
        print::write(&mut text, &rt.atoms, term, Style::PRINT, usize::MAX);
        let fun = Fragment::copy_whole(term, &rt.account)?;
        Ok(Function(Arc::new(Inner { machine: rt.identity, arity, text, fun })))
    }

    pub(super) fn to_term<'h>(&self, h: &mut HeapRef<'h>) -> Result<Term<'h>, crate::Error> {
        let account = Arc::clone(h.heap().account());
        let copy = Fragment::copy(self.0.fun.term(), &account)?;
        Ok(h.adopt(copy))
    }
}

/// The same fun of the same machine, kept once; a fun that was converted twice is two.
impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Function {}

impl std::hash::Hash for Function {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

impl PartialOrd for Function {
    fn partial_cmp(&self, other: &Function) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Function {
    fn cmp(&self, other: &Function) -> Ordering {
        Arc::as_ptr(&self.0).cmp(&Arc::as_ptr(&other.0))
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.text)
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

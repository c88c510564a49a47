//! Functions of the embedder that programs call by name: `erlet_host:call/2`, which the shell is made of.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::atom::{Atom, known};
use crate::error::Error;
use crate::heap::copy::flat_size;
use crate::runtime::Runtime;
use crate::runtime::host::{HostCalls, HostWork};
use crate::term::Term;
use crate::value::{self, FromTerm, IntoTerm, TermReader, Value};

/// What the embedder offers to the programs it runs: they call it by `erlet_host:call(Function, Arguments)`.
pub trait Host: Send + Sync {
    /// Answers the call of a function of the embedder's own choice of names. It may block: only the calling process waits. A
    /// call it does not know is best answered by an atom that says so.
    fn call(&self, function: &str, args: &[Value]) -> Value;
}

/// A [`Host`] as the natives see it.
pub(crate) struct Offered(pub Arc<dyn Host>);

impl HostCalls for Offered {
    fn prepare(&self, rt: &Runtime, function: Atom, args: Term<'_>) -> Option<HostWork> {
        let function = rt.atoms.text(function).to_owned();
        // In a Rust value nothing is shared: what is huge only because its parts are would take all memory there is.
        flat_size(args).ok()?;
        let Value::List(args) = Value::from_term(args, &TermReader::new(rt)).ok()? else { return None };
        let (host, machine) = (Arc::clone(&self.0), rt.weak());
        Some(Box::new(move || {
            // A panic of the embedder's function is its own; the caller gets an atom that is no answer.
            let answer = catch_unwind(AssertUnwindSafe(|| host.call(&function, &args)))
                .unwrap_or_else(|_| Value::atom("internal_error"));
            let made = match machine.upgrade() {
                Some(rt) => value::fragment(&rt, &rt.account, |maker| answer.into_term(maker)),
                None => Err(Error::Stopped),
            };
            Box::new(move |heap| match made {
                Ok(made) => Ok(heap.adopt(made)),
                Err(Error::Limit(_)) => Ok(Term::atom(known::SYSTEM_LIMIT)),
                Err(_) => Ok(Term::atom(known::BADARG)),
            })
        }))
    }
}

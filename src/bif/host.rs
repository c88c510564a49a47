//! Natives of module `erlet_host`: what the embedding program offers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::io::block;
use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::runtime::pool::JobKind;
use crate::runtime::value::{self, Failure, Value};
use crate::term::{Term, View};

/// `call(Function :: atom(), Arguments :: [term()]) -> term()`: calls a function of the embedding program; only the caller waits.
///
/// Integers of 61 bits, floats, atoms, binaries, and lists and tuples of such can be given and come back.
///
/// # Errors
/// `badarg` if the function is no atom or an argument is something else; `notsup` if nothing is offered.
pub fn call<'h>(cx: &mut Cx<'h>, [function, args]: [Term<'h>; 2]) -> BifResult<'h> {
    let View::Atom(function) = function.view() else { return Err(Stop::badarg()) };
    let function = cx.atoms().text(function).to_owned();
    let Some(Value::List(args)) = value::value_of(args, cx.atoms()) else { return Err(Stop::badarg()) };
    let Some(host) = cx.rt.environment.host() else { return Err(Stop::error(Term::atom(known::NOTSUP))) };
    Err(block(cx, JobKind::Host, move || {
        // A panic of the embedder's function is its own; the caller gets an atom that is no answer.
        let answer = catch_unwind(AssertUnwindSafe(|| host.call(&function, &args)))
            .unwrap_or_else(|_| Value::Atom("internal_error".to_owned()));
        Box::new(move |heap| match value::term(heap, &answer) {
            Ok(term) => Ok(term),
            Err(Failure::Alloc(error)) => Err(error),
            Err(Failure::Atom(_)) => Ok(Term::atom(known::SYSTEM_LIMIT)),
        })
    }))
}

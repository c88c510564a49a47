//! Natives of module `erlet_host`: what the embedding program offers.

use super::io::block;
use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::runtime::pool::JobKind;
use crate::term::{Term, View};

/// `call(Function :: atom(), Arguments :: [term()]) -> term()`: calls a function of the embedding program; only the caller waits.
///
/// # Errors
/// `badarg` if the function is no atom or the arguments are no list; `notsup` if nothing is offered.
pub fn call<'h>(cx: &mut Cx<'h>, [function, args]: [Term<'h>; 2]) -> BifResult<'h> {
    let View::Atom(function) = function.view() else { return Err(Stop::badarg()) };
    let Some(host) = cx.rt.environment.host() else { return Err(Stop::error(Term::atom(known::NOTSUP))) };
    let work = host.prepare(cx.rt, function, args).ok_or_else(Stop::badarg)?;
    Err(block(cx, JobKind::Host, work))
}

//! Registered names.

use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::runtime::names::NameError;
use crate::term::Term;

/// `register(Name, Pid) -> true`.
///
/// # Errors
/// `badarg` if the name is no atom, `undefined`, or taken, or the process is dead or has a name.
pub fn register<'h>(cx: &mut Cx<'h>, [name, pid]: [Term<'h>; 2]) -> BifResult<'h> {
    let refused = || Stop::badarg_because(known::NONE);
    let name = name.as_atom().filter(|name| *name != known::UNDEFINED).ok_or_else(refused)?;
    let pid = pid.as_pid().ok_or_else(refused)?;
    match cx.rt.names.register(name, pid, &cx.rt.slots) {
        Ok(()) => super::yes(),
        Err(NameError::Taken) => Err(refused()),
        Err(NameError::Named) => Err(Stop::badarg_because(known::REGISTERED_NAME)),
        Err(NameError::Dead) => Err(Stop::badarg_because(known::NOTALIVE)),
    }
}

/// `unregister(Name) -> true`.
///
/// # Errors
/// `badarg` if nobody has the name, or it is that of a server of the machine's and the caller has no right to change its code.
pub fn unregister<'h>(cx: &mut Cx<'h>, [name]: [Term<'h>; 1]) -> BifResult<'h> {
    let name = name.as_atom().ok_or_else(Stop::badarg)?;
    if SERVERS.contains(&name) && !cx.capabilities().has_code() {
        return Err(Stop::badarg());
    }
    if cx.rt.names.unregister(name) { super::yes() } else { Err(Stop::badarg()) }
}

/// Names under which everybody finds servers of the machine's.
const SERVERS: [crate::atom::Atom; 4] =
    [known::USER, known::STANDARD_ERROR, known::LOGGER, known::CODE_SERVER];

/// `whereis(Name) -> pid() | undefined`.
///
/// # Errors
/// `badarg` if it is no atom.
pub fn whereis<'h>(cx: &mut Cx<'h>, [name]: [Term<'h>; 1]) -> BifResult<'h> {
    let name = name.as_atom().ok_or_else(Stop::badarg)?;
    let owner = cx.rt.names.get(name).and_then(Term::immediate);
    Ok(owner.unwrap_or(Term::atom(known::UNDEFINED)))
}

/// `registered() -> [atom()]`.
pub fn registered<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let names: Vec<_> = cx.rt.names.all().into_iter().map(Term::atom).collect();
    Ok(cx.list(&names)?)
}

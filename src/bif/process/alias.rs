//! Aliases: references that messages can be sent to.

use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::process::AliasMode;
use crate::term::Term;

/// `alias() -> reference()`.
pub fn alias<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    make(cx, AliasMode::Explicit)
}

/// `alias(Options) -> reference()`: `explicit_unalias` (the default) or `reply`.
///
/// # Errors
/// `badarg` for other options.
pub fn alias_with<'h>(cx: &mut Cx<'h>, [options]: [Term<'h>; 1]) -> BifResult<'h> {
    if options.proper_length().is_none() {
        return Err(Stop::badarg());
    }
    let mut mode = AliasMode::Explicit;
    for option in options.list() {
        mode = match option.as_atom() {
            Some(known::EXPLICIT_UNALIAS) => AliasMode::Explicit,
            Some(known::REPLY) => AliasMode::Reply,
            _ => return Err(Stop::badarg()),
        };
    }
    make(cx, mode)
}

fn make<'h>(cx: &mut Cx<'h>, mode: AliasMode) -> BifResult<'h> {
    let (reference, me) = (super::new_reference(cx), cx.self_pid());
    cx.process_mut().relations().aliases.insert(reference, mode);
    Ok(cx.reference(reference, Some(me))?)
}

/// `unalias(Alias) -> boolean()`: whether it was active.
///
/// # Errors
/// `badarg` if it is no reference, or one that another process made.
pub fn unalias<'h>(cx: &mut Cx<'h>, [alias]: [Term<'h>; 1]) -> BifResult<'h> {
    let reference = alias.as_ref().ok_or_else(Stop::badarg)?;
    if reference.owner().is_some_and(|owner| owner != cx.self_pid()) {
        return Err(Stop::badarg());
    }
    let unique = reference.unique();
    let active =
        cx.process_mut().relations.as_mut().is_some_and(|tables| tables.aliases.remove(&unique).is_some());
    Ok(Term::boolean(active))
}

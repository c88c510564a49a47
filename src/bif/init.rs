//! Natives of module `erlet_init`.

use crate::bif::{BifResult, Cx};
use crate::term::Term;

/// `arguments() -> [string()]`: what follows the program's name on the command line.
pub fn arguments<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let rt = cx.rt;
    let mut terms = Vec::with_capacity(rt.config.arguments.len());
    for argument in &rt.config.arguments {
        terms.push(cx.string(argument)?);
    }
    Ok(cx.list(&terms)?)
}

//! Natives of modules `erlet_forms` and `erlet_compiler` in a machine without the compiler: all of them raise `notsup`.
//!
//! So does what the library builds on them: `erl_scan`, `erl_parse`, `compile`, `io:read`, `file:consult` and their kin.

use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::term::Term;

/// The answer of them all.
fn absent<'h>() -> BifResult<'h> {
    Err(Stop::error(Term::atom(known::NOTSUP)))
}

/// `compile/4`.
///
/// # Errors
/// Always.
pub fn compile<'h>(_cx: &mut Cx<'h>, _args: [Term<'h>; 4]) -> BifResult<'h> {
    absent()
}

/// `file/5`.
///
/// # Errors
/// Always.
pub fn forms_of_file<'h>(_cx: &mut Cx<'h>, _args: [Term<'h>; 5]) -> BifResult<'h> {
    absent()
}

/// `from_bytes/1`.
///
/// # Errors
/// Always.
pub fn from_bytes<'h>(_cx: &mut Cx<'h>, _args: [Term<'h>; 1]) -> BifResult<'h> {
    absent()
}

/// `to_bytes/1`.
///
/// # Errors
/// Always.
pub fn to_bytes<'h>(_cx: &mut Cx<'h>, _args: [Term<'h>; 1]) -> BifResult<'h> {
    absent()
}

/// `parse/2`.
///
/// # Errors
/// Always.
pub fn parse_tokens<'h>(_cx: &mut Cx<'h>, _args: [Term<'h>; 2]) -> BifResult<'h> {
    absent()
}

/// `parse_terms/1`.
///
/// # Errors
/// Always.
pub fn parse_terms<'h>(_cx: &mut Cx<'h>, _args: [Term<'h>; 1]) -> BifResult<'h> {
    absent()
}

/// `scan/4`.
///
/// # Errors
/// Always.
pub fn scan_string<'h>(_cx: &mut Cx<'h>, _args: [Term<'h>; 4]) -> BifResult<'h> {
    absent()
}

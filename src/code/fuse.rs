//! Super-instructions: one internal instruction for several generic ones.
//!
//! What a super-instruction may be: no label inside, at most one point where the collector may run, raising parts on one
//! line; its slow path runs the parts unfused from unchanged operands.

use erlet_lang::bytecode::Instr;
use erlet_lang::verify::Fact;

use super::load::Loader;

/// Emits a super-instruction for the first instructions of `rest` if one fits; how many it stands for.
pub(super) fn fuse(_loader: &mut Loader<'_>, _rest: &[Instr], _facts: &[Fact]) -> usize {
    0
}

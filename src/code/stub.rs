//! Code positions that no module holds: where processes start, what ends them, what natives return through.

use super::op::Op;

static NORMAL_EXIT: [u64; 1] = [Op::NormalExit.word()];
static RETURN: [u64; 1] = [Op::Return.word()];
static CALL_FUN: [u64; 1] = [Op::CallFunOnly.word()];
static APPLY_LIST: [u64; 1] = [Op::ApplyList.word()];

/// What the bottom of every stack returns to: ends the process with reason `normal`.
pub fn normal_exit() -> *const u64 {
    NORMAL_EXIT.as_ptr()
}

/// Returns `x0` to the caller.
pub fn ret() -> *const u64 {
    RETURN.as_ptr()
}

/// Calls the fun in `x0` without arguments.
pub fn call_fun() -> *const u64 {
    CALL_FUN.as_ptr()
}

/// Calls function `x1` of module `x0` with the arguments in the list `x2`.
pub fn apply_list() -> *const u64 {
    APPLY_LIST.as_ptr()
}

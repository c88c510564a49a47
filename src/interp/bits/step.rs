//! The prefixes about bitstrings that stand in chains.

use super::{append, fast};
use crate::interp::live::Live;
use crate::interp::machine::Machine;
use crate::interp::step::{Flow, jump, on};

/// Goes on behind the parts if they are done, else onto the first of them.
#[inline(always)]
fn done(m: &mut Live, done: bool, behind: isize, first: isize) -> Flow {
    if done { on(m, behind) } else { jump(m, first) }
}

/// `bs_start`, `bs_get_position`, `bs_integer` of a byte, and perhaps `bs_rest` of bytes.
#[inline(always)]
pub(in crate::interp) fn start_byte(m: &mut Live, _: &mut Machine<'_>) -> Flow {
    let behind = m.field(1, 1) as isize;
    let started = fast::start_byte(m);
    done(m, started, behind, 2)
}

/// A run of commands.
#[inline(always)]
pub(in crate::interp) fn run(m: &mut Live, _: &mut Machine<'_>) -> Flow {
    let (behind, first) = (m.operand(1) as isize, 2 + m.b() as isize);
    let ran = fast::run(m.pc, m.x);
    done(m, ran, behind, first)
}

/// `bs_rest` of bytes and `call_only`.
#[inline(always)]
pub(in crate::interp) fn rest_call_only(m: &mut Live, _: &mut Machine<'_>) -> Flow {
    // Behind the prefix of 1 word: `bs_rest` of 2, and the call.
    if fast::rest_is_bytes(m) && m.reductions > 0 {
        m.reductions -= 1;
        let callee = 3 + m.h_at(3);
        return jump(m, callee);
    }
    jump(m, 1)
}

/// `bs_create` of a binary and a byte.
#[inline(always)]
pub(in crate::interp) fn append_byte(m: &mut Live, _: &mut Machine<'_>) -> Flow {
    let behind = m.operand(1) as isize;
    let appended = m.has_room(append::PART_WORDS) && append::byte(m);
    done(m, appended, behind, 2)
}

/// `bs_create` of a binary and numbers.
#[inline(always)]
pub(in crate::interp) fn append(m: &mut Live, _: &mut Machine<'_>) -> Flow {
    let (behind, first) = (m.operand(1) as isize, 3 + 2 * m.b() as isize);
    if !m.has_room(append::APPEND_WORDS) {
        return jump(m, first);
    }
    let (appended, hp) = append::append(m.pc, m.x, m.sp, m.hp);
    if hp.is_null() {
        return jump(m, first);
    }
    m.hp = hp;
    m.set(m.a(), appended);
    on(m, behind)
}

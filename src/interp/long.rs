//! Comparisons that take long: those of two large terms, begun in the loop and given up there.
//!
//! The loop compares at most [`PAIRS_AT_ONCE`] pairs where it is, with its state in registers; what takes longer calls out and is
//! done here from the beginning, as work: on a worker for at most a millisecond, then on the pool.

use std::cmp::Ordering;

use super::machine::{Machine, Next};
use crate::heap::AllocError;
use crate::runtime::Runtime;
use crate::term::{Term, Word, pairs};

/// Pairs compared in the loop, about a tenth of a millisecond: what takes longer starts again, which must be worth it.
const PAIRS_AT_ONCE: usize = 20_000;

/// Pairs that one reduction pays for.
const PAIRS_PER_REDUCTION: usize = 64;

/// The order of two terms, if it is found soon; the reductions spent are taken off.
#[cold]
#[inline(never)]
pub(super) fn order_soon(rt: &Runtime, x: Word, y: Word, reductions: &mut i32) -> Option<Ordering> {
    // SAFETY: I3: operands; nothing moves while they are compared.
    let (x, y) = unsafe { (Term::from_word(x), Term::from_word(y)) };
    paid(reductions, |budget| pairs::order_soon(&rt.atoms, x, y, false, budget))
}

/// Whether two terms are `=:=` or `==`, if that is found soon; the reductions spent are taken off.
#[inline(never)]
pub(super) fn equal_soon(x: Word, y: Word, exact: bool, reductions: &mut i32) -> Option<bool> {
    // SAFETY: I3: operands; nothing moves while they are compared.
    let (x, y) = unsafe { (Term::from_word(x), Term::from_word(y)) };
    paid(reductions, |budget| pairs::equal_soon(x, y, exact, budget))
}

#[inline(always)]
fn paid<R>(reductions: &mut i32, compare: impl FnOnce(&mut usize) -> R) -> R {
    let mut budget = PAIRS_AT_ONCE;
    let result = compare(&mut budget);
    *reductions -= ((PAIRS_AT_ONCE - budget) / PAIRS_PER_REDUCTION) as i32;
    result
}

impl Machine<'_> {
    /// A test of the order of two operands: goes on behind its two words if `holds`, else where word 1 says.
    #[cold]
    #[inline(never)]
    pub fn long_order(&mut self, x: Word, y: Word, holds: fn(Ordering) -> bool) -> Next {
        self.begin_work();
        // SAFETY: I3: operands; nothing moves while they are compared.
        let (x, y) = unsafe { (Term::from_word(x), Term::from_word(y)) };
        let order = self.process.heap.compare(&self.rt.atoms, x, y);
        self.tested(order.map(holds))
    }

    /// The same for an equality, which is to hold or not.
    #[cold]
    #[inline(never)]
    pub fn long_equality(&mut self, x: Word, y: Word, exact: bool, wanted: bool) -> Next {
        self.begin_work();
        // SAFETY: I3: operands; nothing moves while they are compared.
        let (x, y) = unsafe { (Term::from_word(x), Term::from_word(y)) };
        let equal = self.process.heap.equals(x, y, exact);
        self.tested(equal.map(|equal| equal == wanted))
    }

    fn tested(&mut self, result: Result<bool, AllocError>) -> Next {
        match result {
            Ok(true) => self.after(2),
            Ok(false) => self.pc().wrapping_offset(self.operand(1) as isize),
            Err(error) => self.no_memory(error),
        }
    }
}

//! The order of all terms, and the two equalities.

use std::cmp::Ordering;

use super::Term;
use crate::atom::Atoms;

/// The order of `<`, `==` and `lists:sort`: integers and floats by value (`1 == 1.0`), map keys exactly.
pub fn compare(atoms: &Atoms, a: Term<'_>, b: Term<'_>) -> Ordering {
    let _ = (atoms, a, b);
    unimplemented!("skeleton")
}

/// The order maps keep their keys in: as `compare`, but every integer is before every float and -0.0 before 0.0.
pub fn compare_exact(atoms: &Atoms, a: Term<'_>, b: Term<'_>) -> Ordering {
    let _ = (atoms, a, b);
    unimplemented!("skeleton")
}

/// `=:=`.
#[inline]
pub fn equal_exact(a: Term<'_>, b: Term<'_>) -> bool {
    a.word() == b.word() || unimplemented!("skeleton")
}

/// `==`.
#[inline]
pub fn equal(a: Term<'_>, b: Term<'_>) -> bool {
    a.word() == b.word() || unimplemented!("skeleton")
}

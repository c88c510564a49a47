//! `erlang:phash2`: OTP's portable hash, value for value.

use super::Term;
use crate::atom::Atoms;

/// `erlang:phash2(Term, Range)` before the range is applied: 32 bits (`phash2/1` takes the low 27).
pub fn phash2(atoms: &Atoms, term: Term<'_>) -> u32 {
    let _ = (atoms, term);
    unimplemented!("skeleton")
}

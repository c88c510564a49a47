//! Terms as text: what `~w` and the one-line case of `~p` print.

use super::Term;
use crate::atom::Atoms;

/// How to print.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Print lists and binaries of printable characters as strings (`~p`).
    pub strings: bool,
    /// Which characters count as printable and may stand unescaped: Unicode (`t` modifier), else Latin-1.
    pub unicode: bool,
    /// Depth after which `...` is printed; `usize::MAX` is none.
    pub depth: usize,
}

/// Appends the text of `term`; stops early (returning false) when `out` passes `limit` bytes.
pub fn write(out: &mut String, atoms: &Atoms, term: Term<'_>, style: Style, limit: usize) -> bool {
    let _ = (out, atoms, term, style, limit);
    unimplemented!("skeleton")
}

/// Appends an atom, quoted if it must be.
pub fn write_atom(out: &mut String, text: &str, unicode: bool) {
    let _ = (out, text, unicode);
    unimplemented!("skeleton")
}

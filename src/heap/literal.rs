//! Literal areas: where the constants of loaded modules live.

use super::AllocError;
use crate::term::{Term, Word};

/// The constants of one module, complete and never written again.
#[derive(Debug)]
pub struct LiteralArea {
    words: usize,
}

impl LiteralArea {
    /// Copies `terms` into an area of their own; the second part holds their words, in order.
    ///
    /// # Errors
    /// If there is no room.
    pub fn build(terms: &[Term<'_>]) -> Result<(LiteralArea, Vec<Word>), AllocError> {
        let _ = terms;
        unimplemented!("skeleton")
    }

    /// Its size in words.
    pub fn words(&self) -> usize {
        self.words
    }
}

/// Whether a pointer word points into a literal area.
#[inline]
pub fn is_literal(word: Word) -> bool {
    let _ = word;
    unimplemented!("skeleton")
}

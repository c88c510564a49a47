//! Integers of any size.

use std::borrow::Cow;

/// dashu's words as 64-bit limbs (they already are, on machines of 64 bits).
#[cfg(target_pointer_width = "64")]
pub fn limbs_of(words: &[dashu_int::Word]) -> Cow<'_, [u64]> {
    Cow::Borrowed(words)
}

/// dashu's words as 64-bit limbs.
#[cfg(not(target_pointer_width = "64"))]
pub fn limbs_of(words: &[dashu_int::Word]) -> Cow<'_, [u64]> {
    let join = |pair: &[dashu_int::Word]| pair[0] as u64 | (pair.get(1).copied().unwrap_or(0) as u64) << 32;
    Cow::Owned(words.chunks(2).map(join).collect())
}

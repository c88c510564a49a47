//! How a heap is to grow and to be collected, and what its collections did.

use super::memory;

/// How a heap grows and when it is collected wholly; from `spawn_opt` and `process_flag`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The young block is never smaller (in words).
    pub min_heap_words: usize,
    /// A collection is a major one after this many minor ones.
    pub fullsweep_after: u32,
    /// Shared bytes referenced below this many trigger no collection.
    pub min_shared_bytes: usize,
    /// Heap size in words past which the process is to be killed or reported; 0 is none.
    pub max_heap_words: usize,
    /// Kill when it is passed.
    pub max_heap_kill: bool,
    /// Report when it is passed.
    pub max_heap_report: bool,
    /// Count shared bytes as heap words for that.
    pub max_heap_include_shared: bool,
    /// Collect at every safepoint and poison what was left.
    pub stress: bool,
}

impl Policy {
    /// What a process has that asks for nothing.
    pub const STANDARD: Policy = Policy {
        min_heap_words: memory::FIRST_WORDS,
        fullsweep_after: 65_535,
        // OTP's min_bin_vheap_size is 46,422 words.
        min_shared_bytes: 46_422 * 8,
        max_heap_words: 0,
        max_heap_kill: true,
        max_heap_report: true,
        max_heap_include_shared: false,
        stress: false,
    };
}

impl Default for Policy {
    fn default() -> Policy {
        Policy::STANDARD
    }
}

/// What collections did so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Minor collections since the last major one.
    pub minor_since_major: u32,
    /// All minor collections.
    pub minor: u32,
    /// All major collections.
    pub major: u32,
    /// Minor collections since the young block last changed its size.
    pub(crate) since_growth: u8,
    /// Collections in a row that left a large block mostly free.
    pub(crate) mostly_free: u8,
}

impl Statistics {
    pub(super) const NONE: Statistics =
        Statistics { minor_since_major: 0, minor: 0, major: 0, since_growth: 0, mostly_free: 0 };
}

//! The part of a heap that few processes need.

use std::ptr::null_mut;

use super::segments::Segments;
use super::work::Poll;
use super::{Policy, Statistics};
use crate::term::Word;

/// What a heap has from its first collection on, or its first large binary. A process that waits for its first message has
/// neither, and there may be a million of them.
#[derive(Debug)]
pub(super) struct Rare {
    /// Room left in the newest fragment that natives allocate from.
    pub spill_hp: *mut Word,
    pub spill_end: *mut Word,
    pub old_start: *mut Word,
    pub old_hp: *mut Word,
    pub old_end: *mut Word,
    pub shared_young: *mut Word,
    pub shared_old: *mut Word,
    pub shared_young_bytes: usize,
    pub shared_old_bytes: usize,
    pub shared_trigger: usize,
    pub shared_old_trigger: usize,
    /// Size the young block is to have.
    pub target_words: usize,
    pub policy: Policy,
    /// Set while the pool works on the heap.
    pub poll: Option<Poll>,
    pub statistics: Statistics,
    /// In which turn of its worker it was last collected for messages.
    pub turns: u32,
    /// The next collection promotes what has survived none yet too.
    pub promotes_at_once: bool,
    /// Old objects outside the old block.
    pub segments: Segments,
}

impl Rare {
    /// Before anything has happened.
    const NONE: &Rare = &Rare::new(Policy::STANDARD);

    pub const fn new(policy: Policy) -> Rare {
        Rare {
            spill_hp: null_mut(),
            spill_end: null_mut(),
            old_start: null_mut(),
            old_hp: null_mut(),
            old_end: null_mut(),
            shared_young: null_mut(),
            shared_old: null_mut(),
            shared_young_bytes: 0,
            shared_old_bytes: 0,
            shared_trigger: policy.min_shared_bytes,
            shared_old_trigger: policy.min_shared_bytes,
            target_words: policy.min_heap_words,
            policy,
            poll: None,
            statistics: Statistics::NONE,
            turns: 0,
            promotes_at_once: false,
            segments: Segments::NONE,
        }
    }
}

/// A [`Rare`] that is made when it is first written to.
#[derive(Debug)]
pub(super) struct Rarely(pub Option<Box<Rare>>);

impl std::ops::Deref for Rarely {
    type Target = Rare;

    #[inline(always)]
    fn deref(&self) -> &Rare {
        self.0.as_deref().unwrap_or(Rare::NONE)
    }
}

impl std::ops::DerefMut for Rarely {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Rare {
        self.0.get_or_insert_with(|| Box::new(Rare::new(Policy::STANDARD)))
    }
}

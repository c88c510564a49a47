//! Programs: what the machine runs.
//!
//! Slots are the machine's registers: slot 0 is where the match is said to begin (`\K`), then three for each group from 1 on
//! (start, end, and where it was opened last), then those of loops and of groups that are left for good.

use super::ast::{Name, Single, Test};
use super::set::Set;
use super::{Limits, Options};

/// A place in a program.
pub type Pc = u32;

/// A slot.
pub type Slot = u32;

/// An instruction. What it does is said where the machine does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inst {
    /// Bytes of [`Program::text`], as they are.
    Text {
        at: u32,
        length: u32,
    },
    One(Single),
    Repeat {
        single: Single,
        min: u32,
        max: u32,
        mode: super::ast::Mode,
    },
    Newline,
    Grapheme,
    Test(Test),
    Keep,
    /// What a group matched: the first that is set of [`Program::lists`].
    Back {
        list: u32,
        caseless: bool,
    },
    /// Goes on, and to `other` if that fails.
    Split {
        other: Pc,
    },
    /// Goes to `other`, and on if that fails.
    SplitLazy {
        other: Pc,
    },
    /// A branch, which ends before `other`, the next.
    Branch {
        other: Pc,
    },
    Jump {
        to: Pc,
    },
    Open {
        group: u32,
    },
    Close {
        group: u32,
    },
    /// Notes where a round begins.
    LoopStart {
        slot: Slot,
    },
    /// Goes to `out` if the round matched nothing.
    LoopEnd {
        slot: Slot,
        out: Pc,
    },
    AtomicStart {
        slot: Slot,
    },
    AtomicEnd {
        slot: Slot,
    },
    LookStart {
        slot: Slot,
        end: Pc,
    },
    LookEnd {
        slot: Slot,
    },
    NotStart {
        slot: Slot,
        end: Pc,
    },
    NotEnd {
        slot: Slot,
    },
    /// An assertion that decides between two branches: `other` is where its failure leads.
    AskStart {
        slot: Slot,
        other: Pc,
        end: Pc,
        negated: bool,
    },
    AskEnd {
        slot: Slot,
    },
    /// A negative assertion is false: its branch is `other`.
    AskedNot {
        slot: Slot,
        other: Pc,
    },
    /// Goes to `other` unless one of a list is set.
    IfSet {
        list: u32,
        other: Pc,
    },
    /// Goes to `other` unless one of a list is being called; an empty list stands for anything.
    IfCalled {
        list: u32,
        other: Pc,
    },
    /// So many characters back.
    Behind {
        count: u32,
    },
    Call {
        group: u32,
    },
    Commit,
    Prune,
    Skip,
    SkipTo {
        mark: u32,
    },
    Then,
    Mark {
        mark: u32,
    },
    Accept,
    Fail,
    End,
}

/// A compiled pattern.
#[derive(Debug)]
pub struct Program {
    pub code: Vec<Inst>,
    pub text: Vec<u8>,
    pub sets: Vec<Set>,
    pub lists: Vec<Vec<u32>>,
    pub names: Vec<Name>,
    /// Where the first group of each number begins; 0 is all.
    pub entries: Vec<Pc>,
    pub groups: u32,
    pub slots: u32,
    /// Characters of words.
    pub word: Set,
    /// Bytes that a match can begin with, if it cannot be empty.
    pub first: Option<[u64; 4]>,
    /// A byte, in either case, that every match has.
    pub required: Option<(u8, u8)>,
    /// A match begins only where matching does, or (second) only after newlines.
    pub anchored: bool,
    pub has_newline: bool,
    pub options: Options,
    pub limit_steps: Option<u64>,
    pub limit_depth: Option<u64>,
}

impl Program {
    /// Slots of groups and of the start.
    pub fn capture_slots(&self) -> usize {
        1 + 3 * self.groups as usize
    }

    /// What a match may do, given what the caller allows.
    pub fn limits(&self, given: Limits) -> Limits {
        Limits {
            steps: self.limit_steps.unwrap_or(u64::MAX).min(given.steps),
            depth: self.limit_depth.unwrap_or(u64::MAX).min(given.depth),
        }
    }

    /// Bytes it takes, roughly.
    pub fn bytes(&self) -> usize {
        let lists: usize = self.lists.iter().map(|list| size_of::<Vec<u32>>() + 4 * list.len()).sum();
        let names: usize = self.names.iter().map(|name| size_of::<Name>() + name.text.len()).sum();
        let sets: usize = self.sets.iter().map(Set::bytes).sum();
        size_of::<Program>()
            + self.code.len() * size_of::<Inst>()
            + self.text.len()
            + 4 * self.entries.len()
            + lists
            + names
            + sets
    }

    /// Numbers of the groups that a name stands for.
    pub fn numbers<'a>(&'a self, name: &'a [u8]) -> impl Iterator<Item = u32> + 'a {
        self.names.iter().filter(move |known| known.text == name).map(|known| known.number)
    }
}

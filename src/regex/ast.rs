//! The tree of a pattern: nodes in one row, children before parents.

use super::Options;
use super::set::Set;

/// An index into [`Tree::nodes`].
pub type NodeId = u32;

/// Something that matches one character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Single {
    /// This byte.
    Byte(u8),
    /// This character, of several bytes of UTF-8.
    Char(u32),
    /// One of a set of the program.
    Set(u32),
    /// Anything.
    Any,
    /// Anything but a newline.
    NotNewline,
    /// One byte, whatever it is part of.
    Unit,
}

/// Something that matches between characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// `^`.
    LineStart { multiline: bool },
    /// `$`.
    LineEnd { multiline: bool },
    /// `\A`.
    Start,
    /// `\z`.
    End,
    /// `\Z`.
    EndOrNewline,
    /// `\G`.
    Offset,
    /// `\b` and, negated, `\B`.
    Boundary { negated: bool },
}

/// A group that something refers to: by number, or by an index into [`Tree::wanted`], the names referred to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Number(u32),
    Name(u32),
}

/// Backtracking verbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    Fail,
    /// Ends the match; the captures that enclose it are closed first. An index into [`Tree::enclosing`].
    Accept(u32),
    Commit,
    Prune,
    Skip,
    /// Skips to the mark of that name (an index into [`Tree::marks`]).
    SkipTo(u32),
    Then,
    Mark(u32),
}

/// When the first branch of a conditional group is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The group is set.
    Set(Target),
    /// The pattern is being called, the whole of it or anything.
    Called(CalledAs),
    /// Never: it only defines groups.
    Define,
    /// The first of the alternatives is an assertion, and it holds.
    Assertion,
}

/// Which call a condition asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalledAs {
    Any,
    Group(Target),
}

/// Kinds of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupKind {
    Plain,
    Capture(u32),
    Atomic,
    Look { behind: bool, negated: bool },
    Condition(Condition),
}

/// Which number of repetitions is tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Greedy,
    Lazy,
    /// The most, for good.
    Possessive,
}

/// No upper bound.
pub const UNBOUNDED: u32 = u32::MAX;

/// A node.
#[derive(Clone, Debug)]
pub enum Node {
    Empty,
    Single(Single),
    /// `\R`.
    Newline,
    /// `\X`.
    Grapheme,
    Test(Test),
    /// `\K`.
    Keep,
    Back {
        target: Target,
        caseless: bool,
    },
    Call(Target),
    Verb(Verb),
    Concat(Vec<NodeId>),
    Group {
        kind: GroupKind,
        alternatives: Vec<NodeId>,
    },
    Repeat {
        node: NodeId,
        min: u32,
        max: u32,
        mode: Mode,
    },
}

/// A name and a number that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: Vec<u8>,
    pub number: u32,
}

/// A lookbehind, whose branches must have a fixed length.
#[derive(Clone, Debug)]
pub struct Behind {
    pub node: NodeId,
    /// Where its branches end: there faults are reported.
    pub ends: Vec<usize>,
}

/// A parsed pattern.
#[derive(Debug)]
pub struct Tree {
    pub nodes: Vec<Node>,
    pub root: NodeId,
    pub sets: Vec<Set>,
    /// Capture groups.
    pub groups: u32,
    pub names: Vec<Name>,
    /// Names that something refers to.
    pub wanted: Vec<Vec<u8>>,
    /// Names of marks.
    pub marks: Vec<Vec<u8>>,
    /// For each `(*ACCEPT)`, the captures it stands in, innermost first.
    pub enclosing: Vec<Vec<u32>>,
    pub behinds: Vec<Behind>,
    /// What must hold but could not be seen in passing: faults found at the end, with their places.
    pub options: Options,
    pub limit_steps: Option<u64>,
    pub limit_depth: Option<u64>,
    /// A carriage return or a line feed is asked for expressly.
    pub has_newline: bool,
    pub has_then: bool,
    /// The length of the pattern.
    pub length: usize,
}

impl Tree {
    /// Numbers of the groups that `target` may mean.
    pub fn numbers(&self, target: Target) -> Vec<u32> {
        match target {
            Target::Number(number) => vec![number],
            Target::Name(wanted) => {
                let text = &self.wanted[wanted as usize];
                let found = self.names.iter().filter(|name| name.text == *text);
                found.map(|name| name.number).collect()
            }
        }
    }
}

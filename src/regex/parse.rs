//! From a pattern to its tree: the characters one by one, groups on a stack.
//!
//! A fault of the syntax ends parsing where it is found. What depends on what follows (references to groups, lengths of
//! lookbehinds) is judged at the end, the first place first: so the faults of a pattern are reported in PCRE's order.

use super::ast::{
    Behind, Condition, GroupKind, Mode, Name, Node, NodeId, Single, Target, Test, Tree, UNBOUNDED,
};
use super::fault::{self, CompileError, fault};
use super::letters;
use super::properties::close_over_case;
use super::set::Ranges;
use super::{Meter, Newline, Options};

/// Deepest nest of groups.
const MAX_NEST: usize = 798;

/// Units of work for a character of the pattern.
const UNITS_PER_CHARACTER: usize = 16;

/// Options that change within a pattern.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flags {
    pub caseless: bool,
    pub multiline: bool,
    pub dotall: bool,
    pub extended: bool,
    pub ungreedy: bool,
    pub dupnames: bool,
    /// Unknown escapes are faults.
    pub extra: bool,
}

/// Numbers of a group whose alternatives count from the same number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reset {
    pub base: u32,
    pub most: u32,
}

/// A group that is not closed yet.
#[derive(Debug)]
pub(super) struct Open {
    pub kind: GroupKind,
    pub alternatives: Vec<NodeId>,
    pub branch: Vec<NodeId>,
    /// Options that come back when it closes.
    pub flags: Flags,
    pub reset: Option<Reset>,
    /// Where its branches end.
    pub ends: Vec<usize>,
}

/// A parser at a place of a pattern.
pub(super) struct Parser<'p> {
    pub pattern: &'p [u8],
    pub at: usize,
    pub flags: Flags,
    pub tree: Tree,
    /// For each node, whether it can match nothing.
    pub nullable: Vec<bool>,
    /// For each node, whether it is a call of what is not known yet.
    pub unknown: Vec<bool>,
    /// Whether groups that are closed can match nothing, by number.
    pub group_nullable: Vec<Option<bool>>,
    pub open: Vec<Open>,
    /// Whether the last node of the branch may be repeated.
    pub repeatable: bool,
    /// Inside `\Q...\E`.
    pub quoting: bool,
    /// References to groups, with the places where they are missed.
    pub references: Vec<(Target, usize)>,
    /// Faults that wait for the end.
    pub late: Vec<fault::Fault>,
    /// The largest group referred to by number alone.
    pub back: u32,
}

/// Parses a pattern.
pub(super) fn parse(pattern: &[u8], options: Options, meter: &mut dyn Meter) -> Result<Tree, CompileError> {
    let mut parser = Parser::new(pattern, options);
    parser.leading_verbs()?;
    if parser.tree.options.unicode {
        if options.never_utf {
            return fault(fault::UTF_DISABLED, 0);
        }
        if let Err(invalid) = std::str::from_utf8(pattern) {
            return fault(fault::UTF_INVALID, invalid.valid_up_to());
        }
    }
    while parser.at < parser.pattern.len() {
        // Nodes take more room than the characters they are made from.
        let held = parser.tree.nodes.len() * 2 * size_of::<Node>();
        if !meter.work(UNITS_PER_CHARACTER) || !meter.hold(held) {
            return Err(CompileError::Stopped);
        }
        let before = parser.tree.sets.len();
        parser.element()?;
        let set_bytes: usize = parser.tree.sets[before..].iter().map(super::set::Set::bytes).sum();
        if set_bytes > 0 && !meter.work(set_bytes) {
            return Err(CompileError::Stopped);
        }
    }
    parser.finish()
}

impl<'p> Parser<'p> {
    fn new(pattern: &'p [u8], options: Options) -> Parser<'p> {
        let flags = Flags {
            caseless: options.caseless,
            multiline: options.multiline,
            dotall: options.dotall,
            extended: options.extended,
            ungreedy: options.ungreedy,
            dupnames: options.dupnames,
            extra: false,
        };
        let whole = Open {
            kind: GroupKind::Plain,
            alternatives: Vec::new(),
            branch: Vec::new(),
            flags,
            reset: None,
            ends: Vec::new(),
        };
        Parser {
            pattern,
            at: 0,
            flags,
            tree: Tree {
                nodes: Vec::new(),
                root: 0,
                sets: Vec::new(),
                groups: 0,
                names: Vec::new(),
                wanted: Vec::new(),
                marks: Vec::new(),
                enclosing: Vec::new(),
                behinds: Vec::new(),
                options,
                limit_steps: None,
                limit_depth: None,
                has_newline: false,
                has_then: false,
                length: pattern.len(),
            },
            nullable: Vec::new(),
            unknown: Vec::new(),
            group_nullable: Vec::new(),
            open: vec![whole],
            repeatable: false,
            quoting: false,
            references: Vec::new(),
            late: Vec::new(),
            back: 0,
        }
    }

    /// The byte at a place, if there is one.
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.pattern.get(at).copied()
    }

    /// Whether bytes stand at a place.
    pub(super) fn sees(&self, at: usize, bytes: &[u8]) -> bool {
        self.pattern.get(at..).is_some_and(|rest| rest.starts_with(bytes))
    }

    pub(super) fn unicode(&self) -> bool {
        self.tree.options.unicode
    }

    /// The character at the present place, which is passed.
    pub(super) fn take_character(&mut self) -> u32 {
        let first = self.pattern[self.at];
        if !self.unicode() || first < 128 {
            self.at += 1;
            return u32::from(first);
        }
        let (c, length) = super::scan::decode(&self.pattern[self.at..]);
        self.at += length;
        c
    }

    /// The innermost open group.
    pub(super) fn top(&mut self) -> &mut Open {
        self.open.last_mut().expect("the whole pattern is never closed")
    }

    /// A new node.
    pub(super) fn node(&mut self, node: Node) -> NodeId {
        let nullable = self.is_nullable(&node);
        let unknown = match &node {
            Node::Call(target) => self.called_nullable(*target).is_none(),
            _ => false,
        };
        self.unknown.push(unknown);
        self.tree.nodes.push(node);
        self.nullable.push(nullable);
        NodeId::try_from(self.tree.nodes.len() - 1).expect("patterns are shorter than 4 GiB")
    }

    fn is_nullable(&self, node: &Node) -> bool {
        let any = |ids: &[NodeId]| ids.iter().any(|id| self.nullable[*id as usize]);
        match node {
            Node::Single(_) | Node::Newline | Node::Grapheme => false,
            // What comes later may be anything.
            Node::Call(target) => self.called_nullable(*target).unwrap_or(true),
            Node::Empty | Node::Test(_) | Node::Keep | Node::Verb(_) | Node::Back { .. } => true,
            Node::Concat(parts) => self.are_nullable(parts),
            Node::Group { kind: GroupKind::Look { .. }, .. } => true,
            Node::Group { kind: GroupKind::Condition(condition), alternatives } => {
                let first = usize::from(*condition == Condition::Assertion);
                alternatives.len() < first + 2 || any(&alternatives[first..])
            }
            Node::Group { alternatives, .. } => any(alternatives),
            Node::Repeat { node, min, .. } => *min == 0 || self.nullable[*node as usize],
        }
    }

    /// Whether nodes after one another can match nothing. What is called and not known yet ends the question.
    pub(super) fn are_nullable(&self, ids: &[NodeId]) -> bool {
        let decides = |id: &&NodeId| self.unknown[**id as usize] || !self.nullable[**id as usize];
        ids.iter().find(decides).is_none_or(|id| self.nullable[*id as usize])
    }

    /// Whether a group that is closed can match nothing.
    fn called_nullable(&self, target: Target) -> Option<bool> {
        let number = self.tree.numbers(target).first().copied()?;
        self.group_nullable.get(number as usize).copied().flatten()
    }

    /// Adds a node to the branch.
    pub(super) fn push(&mut self, node: Node, repeatable: bool) {
        let id = self.node(node);
        self.top().branch.push(id);
        self.repeatable = repeatable;
    }

    /// Adds what matches one of a set.
    pub(super) fn push_set(&mut self, ranges: Ranges) {
        let set = self.set(ranges);
        self.push(Node::Single(set), true);
    }

    /// A set of the program.
    pub(super) fn set(&mut self, ranges: Ranges) -> Single {
        self.tree.sets.push(ranges.finish());
        Single::Set(u32::try_from(self.tree.sets.len() - 1).expect("fewer sets than characters"))
    }

    /// Adds a character that stands for itself.
    pub(super) fn push_literal(&mut self, c: u32) {
        if c == 10 || c == 13 {
            self.tree.has_newline = true;
        }
        let single = self.literal(c);
        self.push(Node::Single(single), true);
    }

    fn literal(&mut self, c: u32) -> Single {
        if self.flags.caseless {
            let mut both = Ranges::of(&[(c, c)]);
            if self.unicode() {
                both = close_over_case(&both);
            } else if let Ok(byte) = u8::try_from(c) {
                let other = u32::from(letters::flip(byte));
                both.add(other, other);
            }
            if both.as_slice().iter().any(|range| *range != (c, c)) {
                return self.set(both);
            }
        }
        match u8::try_from(c) {
            Ok(byte) if byte < 128 || !self.unicode() => Single::Byte(byte),
            _ => Single::Char(c),
        }
    }

    /// One element of the pattern.
    fn element(&mut self) -> Result<(), CompileError> {
        if self.quoting {
            if self.sees(self.at, b"\\E") {
                self.quoting = false;
                self.at += 2;
            } else {
                let c = self.take_character();
                self.push_literal(c);
            }
            return Ok(());
        }
        let start = self.at;
        let byte = self.pattern[start];
        if self.flags.extended && self.skip_space(byte) {
            return Ok(());
        }
        match byte {
            b'\\' => self.escape(),
            b'[' => self.class(),
            b'(' => self.open_group(),
            b')' => self.close_group(),
            b'|' => {
                self.end_branch();
                self.at += 1;
                Ok(())
            }
            b'^' => {
                self.at += 1;
                let multiline = self.flags.multiline;
                self.push(Node::Test(Test::LineStart { multiline }), false);
                Ok(())
            }
            b'$' => {
                self.at += 1;
                let multiline = self.flags.multiline;
                self.push(Node::Test(Test::LineEnd { multiline }), false);
                Ok(())
            }
            b'.' => {
                self.at += 1;
                let single = if self.flags.dotall { Single::Any } else { Single::NotNewline };
                self.push(Node::Single(single), true);
                Ok(())
            }
            b'*' => self.quantify(0, UNBOUNDED, start),
            b'+' => self.quantify(1, UNBOUNDED, start),
            b'?' => self.quantify(0, 1, start),
            b'{' if self.counted(start).is_some() => self.count(),
            _ => {
                let c = self.take_character();
                self.push_literal(c);
                Ok(())
            }
        }
    }

    /// Passes white space and comments between elements.
    fn skip_space(&mut self, byte: u8) -> bool {
        if letters::is_space(byte) {
            self.at += 1;
            return true;
        }
        if byte != b'#' {
            return false;
        }
        let newline = self.tree.options.newline;
        while self.at < self.pattern.len() {
            let length = super::scan::newline_at(newline, self.unicode(), self.pattern, self.at);
            if length > 0 {
                self.at += length;
                break;
            }
            self.at += 1;
        }
        true
    }

    /// Whether `{...}` at a place is a quantifier, and where it ends.
    pub(super) fn counted(&self, open: usize) -> Option<usize> {
        let digits = |mut at: usize| {
            while self.byte(at).is_some_and(|byte| byte.is_ascii_digit()) {
                at += 1;
            }
            at
        };
        let mut at = digits(open + 1);
        if at == open + 1 {
            return None;
        }
        if self.byte(at) == Some(b',') {
            at = digits(at + 1);
        }
        (self.byte(at) == Some(b'}')).then_some(at)
    }

    /// `{n}`, `{n,}`, `{n,m}`.
    fn count(&mut self) -> Result<(), CompileError> {
        let (min, comma) = self.small_number(self.at + 1)?;
        let mut max = min;
        let mut close = comma;
        if self.byte(comma) == Some(b',') {
            max = UNBOUNDED;
            close = comma + 1;
            if self.byte(close) != Some(b'}') {
                (max, close) = self.small_number(close)?;
                if max < min {
                    return fault(fault::QUANTIFIER_ORDER, close);
                }
            }
        }
        self.at = close;
        self.quantify(min, max, close)
    }

    /// A number of a quantifier, and where it ends.
    fn small_number(&self, mut at: usize) -> Result<(u32, usize), CompileError> {
        let mut value = 0;
        while let Some(digit) = self.byte(at).filter(u8::is_ascii_digit) {
            value = value * 10 + u32::from(digit - b'0');
            at += 1;
            if value > 65535 {
                return fault(fault::QUANTIFIER_TOO_BIG, at);
            }
        }
        Ok((value, at))
    }

    /// A quantifier that ends at `self.at`, for the last node of the branch.
    fn quantify(&mut self, min: u32, max: u32, position: usize) -> Result<(), CompileError> {
        if !self.repeatable {
            return fault(fault::NOTHING_TO_REPEAT, position);
        }
        self.at += 1;
        // Between a quantifier and what makes it lazy or possessive there may be a comment.
        while self.flags.extended && self.byte(self.at).is_some_and(|byte| self.skip_space(byte)) {}
        if self.sees(self.at, b"(?#")
            && let Some(length) = self.pattern[self.at..].iter().position(|byte| *byte == b')')
        {
            self.at += length + 1;
        }
        let mode = match self.byte(self.at) {
            Some(b'+') => {
                self.at += 1;
                Mode::Possessive
            }
            Some(b'?') => {
                self.at += 1;
                if self.flags.ungreedy { Mode::Greedy } else { Mode::Lazy }
            }
            _ if self.flags.ungreedy => Mode::Lazy,
            _ => Mode::Greedy,
        };
        self.repeatable = false;
        let node = self.top().branch.pop().expect("what may be repeated is the last of the branch");
        let (min, max) = match self.tree.nodes[node as usize] {
            // To look twice is to see the same.
            Node::Group { kind: GroupKind::Look { .. }, .. } => (min.min(1), max.min(1)),
            // What only defines is defined once.
            Node::Group { kind: GroupKind::Condition(Condition::Define), .. } => (1, 1),
            _ => (min, max),
        };
        let repeat = self.node(Node::Repeat { node, min, max, mode });
        self.top().branch.push(repeat);
        Ok(())
    }

    /// The branch as a node; a new one begins.
    pub(super) fn end_branch(&mut self) {
        let parts = std::mem::take(&mut self.top().branch);
        let node = match parts.as_slice() {
            [] => self.node(Node::Empty),
            [one] => *one,
            _ => self.node(Node::Concat(parts)),
        };
        let (groups, at) = (self.tree.groups, self.at);
        let top = self.top();
        top.alternatives.push(node);
        top.ends.push(at);
        if let Some(reset) = &mut top.reset {
            reset.most = reset.most.max(groups);
            self.tree.groups = reset.base;
        }
        self.repeatable = false;
    }

    /// Opens a group.
    pub(super) fn enter(&mut self, kind: GroupKind, reset: Option<Reset>) -> Result<(), CompileError> {
        if self.open.len() > MAX_NEST {
            return fault(fault::TOO_COMPLICATED, self.at);
        }
        let flags = self.flags;
        self.open.push(Open {
            kind,
            alternatives: Vec::new(),
            branch: Vec::new(),
            flags,
            reset,
            ends: Vec::new(),
        });
        self.repeatable = false;
        Ok(())
    }

    /// `)`.
    fn close_group(&mut self) -> Result<(), CompileError> {
        let position = self.at;
        if self.open.len() == 1 {
            // What stands before it is looked at first.
            self.late.push(fault::Fault { text: fault::PARENTHESIS_UNMATCHED, position });
            self.at = self.pattern.len();
            return Ok(());
        }
        self.end_branch();
        self.at += 1;
        let Open { kind, alternatives, flags, reset, ends, .. } =
            self.open.pop().expect("more than the whole is open");
        self.flags = flags;
        if let Some(reset) = reset {
            self.tree.groups = reset.most;
        }
        if let GroupKind::Condition(condition) = kind {
            let branches = alternatives.len() - usize::from(condition == Condition::Assertion);
            let most = if condition == Condition::Define { 1 } else { 2 };
            if branches > most {
                let text = if most == 1 { fault::DEFINE_BRANCHES } else { fault::CONDITION_BRANCHES };
                self.late.push(fault::Fault { text, position });
            }
        }
        let node = self.node(Node::Group { kind, alternatives });
        if let GroupKind::Capture(number) = kind {
            let number = number as usize;
            if self.group_nullable.len() <= number {
                self.group_nullable.resize(number + 1, None);
            }
            self.group_nullable[number] = Some(self.nullable[node as usize]);
        }
        if matches!(kind, GroupKind::Look { behind: true, .. }) {
            self.tree.behinds.push(Behind { node, ends });
        }
        let top = self.top();
        let is_condition = top.kind == GroupKind::Condition(Condition::Assertion)
            && top.alternatives.is_empty()
            && top.branch.is_empty();
        if is_condition && matches!(kind, GroupKind::Look { .. }) {
            top.alternatives.push(node);
            self.repeatable = false;
        } else {
            top.branch.push(node);
            self.repeatable = true;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Tree, CompileError> {
        if self.open.len() > 1 {
            return fault(fault::PARENTHESIS_MISSING, self.at);
        }
        self.end_branch();
        let alternatives = std::mem::take(&mut self.top().alternatives);
        self.tree.root = self.node(Node::Group { kind: GroupKind::Plain, alternatives });
        let missing = |(target, position): &(Target, usize)| {
            let is_missing = match target {
                Target::Number(number) => *number > self.tree.groups,
                Target::Name(_) => self.tree.numbers(*target).is_empty(),
            };
            is_missing.then_some(fault::Fault { text: fault::REFERENCE_MISSING, position: *position })
        };
        let late = self.references.iter().filter_map(missing).chain(self.late.iter().copied());
        let behinds = super::reference::behind_faults(&self.tree);
        if let Some(first) = late.chain(behinds).min_by_key(|fault| fault.position) {
            return Err(CompileError::Fault(first));
        }
        if self.back > self.tree.groups {
            return fault(fault::REFERENCE_MISSING, self.pattern.len());
        }
        Ok(self.tree)
    }

    /// Notes that a capture has a name.
    pub(super) fn define(&mut self, text: &[u8], number: u32, position: usize) -> Result<(), CompileError> {
        for name in &self.tree.names {
            if name.text == text && name.number == number {
                return Ok(());
            }
            if name.number == number {
                return fault(fault::DIFFERENT_NAMES, position);
            }
            if name.text == text && !self.flags.dupnames {
                return fault(fault::NAME_TWICE, position);
            }
        }
        self.tree.names.push(Name { text: text.to_vec(), number });
        Ok(())
    }

    /// What `(*...)` at the very beginning says of the whole pattern.
    fn leading_verbs(&mut self) -> Result<(), CompileError> {
        while self.sees(self.at, b"(*") {
            let Some(length) = self.pattern[self.at..].iter().position(|byte| *byte == b')') else { break };
            let verb = &self.pattern[self.at + 2..self.at + length];
            let options = &mut self.tree.options;
            match verb {
                b"UTF8" | b"UTF" => options.unicode = true,
                b"UCP" => options.ucp = true,
                b"CR" => options.newline = Newline::Cr,
                b"LF" => options.newline = Newline::Lf,
                b"CRLF" => options.newline = Newline::CrLf,
                b"ANY" => options.newline = Newline::Any,
                b"ANYCRLF" => options.newline = Newline::AnyCrLf,
                b"BSR_ANYCRLF" => options.bsr_anycrlf = true,
                b"BSR_UNICODE" => options.bsr_anycrlf = false,
                b"NO_START_OPT" => options.no_start_optimize = true,
                b"NO_AUTO_POSSESS" => {}
                _ => match limit(verb) {
                    Some((true, value)) => self.tree.limit_steps = Some(value),
                    Some((false, value)) => self.tree.limit_depth = Some(value),
                    None => break,
                },
            }
            self.at += length + 1;
        }
        Ok(())
    }
}

/// `LIMIT_MATCH=...` (true) or `LIMIT_RECURSION=...`.
fn limit(verb: &[u8]) -> Option<(bool, u64)> {
    let text = std::str::from_utf8(verb).ok()?;
    let (name, value) = text.split_once('=')?;
    let of_steps = match name {
        "LIMIT_MATCH" => true,
        "LIMIT_RECURSION" => false,
        _ => return None,
    };
    if !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((of_steps, u64::from(value.parse::<u32>().ok()?)))
}

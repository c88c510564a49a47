//! Where a match can begin at all, seen from the tree: what keeps a search from trying every place.

use super::ast::{Condition, GroupKind, Mode, Node, NodeId, Single, Test, Tree, UNBOUNDED};
use super::letters;
use super::set::Set;

/// A set of bytes.
pub type Bytes = [u64; 4];

const NONE: Bytes = [0; 4];
const ALL: Bytes = [u64::MAX; 4];

/// What a match of a node begins with.
#[derive(Clone, Copy, Debug)]
pub struct First {
    /// It may be empty.
    pub nullable: bool,
    /// The bytes it may begin with.
    pub bytes: Bytes,
    /// A verb may come first.
    pub verb: bool,
}

fn add(bytes: &mut Bytes, byte: u8) {
    bytes[usize::from(byte >> 6)] |= 1 << (byte & 63);
}

fn union(bytes: &mut Bytes, other: &Bytes) {
    for (word, more) in bytes.iter_mut().zip(other) {
        *word |= more;
    }
}

/// The byte that the encoding of a character begins with.
fn lead(c: u32) -> u8 {
    match c {
        0..0x80 => c as u8,
        0x80..0x800 => 0xC0 | (c >> 6) as u8,
        0x800..0x1_0000 => 0xE0 | (c >> 12) as u8,
        _ => 0xF0 | (c >> 18) as u8,
    }
}

fn of_set(set: &Set, unicode: bool) -> Bytes {
    let mut bytes = NONE;
    for byte in 0..=255u8 {
        if set.has_byte(byte) {
            add(&mut bytes, if unicode { lead(u32::from(byte)) } else { byte });
        }
    }
    if unicode {
        for (first, last) in set.high() {
            for byte in lead(*first)..=lead(*last) {
                add(&mut bytes, byte);
            }
        }
    }
    bytes
}

fn of_single(tree: &Tree, single: Single) -> Bytes {
    let mut bytes = NONE;
    match single {
        Single::Byte(byte) => add(&mut bytes, byte),
        Single::Char(c) => add(&mut bytes, lead(c)),
        Single::Set(set) => bytes = of_set(&tree.sets[set as usize], tree.options.unicode),
        Single::Any | Single::NotNewline | Single::Unit => bytes = ALL,
    }
    bytes
}

/// What matches begin with, node by node.
pub fn firsts(tree: &Tree) -> Vec<First> {
    let mut firsts: Vec<First> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let first = first(tree, &firsts, node);
        firsts.push(first);
    }
    firsts
}

fn first(tree: &Tree, firsts: &[First], node: &Node) -> First {
    let any = |ids: &[NodeId]| {
        let mut all = First { nullable: false, bytes: NONE, verb: false };
        for id in ids {
            let one = &firsts[*id as usize];
            all.nullable |= one.nullable;
            all.verb |= one.verb;
            union(&mut all.bytes, &one.bytes);
        }
        all
    };
    let solid = |bytes| First { nullable: false, bytes, verb: false };
    let nothing = First { nullable: true, bytes: NONE, verb: false };
    match node {
        Node::Single(single) => solid(of_single(tree, *single)),
        Node::Newline | Node::Grapheme => solid(ALL),
        Node::Back { .. } | Node::Call(_) => First { nullable: true, bytes: ALL, verb: false },
        Node::Verb(_) => First { verb: true, ..nothing },
        Node::Empty | Node::Test(_) | Node::Keep => nothing,
        Node::Concat(parts) => {
            let mut all = nothing;
            for part in parts {
                let one = &firsts[*part as usize];
                union(&mut all.bytes, &one.bytes);
                all.verb |= one.verb;
                if !one.nullable {
                    all.nullable = false;
                    break;
                }
            }
            all
        }
        Node::Group { kind: GroupKind::Look { .. } | GroupKind::Condition(Condition::Define), .. } => nothing,
        Node::Group { kind: GroupKind::Condition(condition), alternatives } => {
            let branches = &alternatives[usize::from(*condition == Condition::Assertion)..];
            let mut all = any(branches);
            all.nullable |= branches.len() < 2;
            all
        }
        Node::Group { alternatives, .. } => any(alternatives),
        Node::Repeat { max: 0, .. } => nothing,
        Node::Repeat { node, min, .. } => {
            let mut one = firsts[*node as usize];
            one.nullable |= *min == 0;
            one
        }
    }
}

/// Whether what comes next can begin with none of the characters that are repeated.
pub fn are_apart(tree: &Tree, firsts: &[First], single: Single, next: NodeId) -> bool {
    let next = &firsts[next as usize];
    let repeated = of_single(tree, single);
    !next.nullable && next.bytes.iter().zip(&repeated).all(|(a, b)| a & b == 0)
}

/// Where matches of a pattern can begin.
#[derive(Debug)]
pub struct Starts {
    pub first: Option<Bytes>,
    /// A byte that every match has, in two cases.
    pub required: Option<(u8, u8)>,
    pub anchored: bool,
}

impl Starts {
    /// Of a pattern.
    pub fn of(tree: &Tree, firsts: &[First]) -> Starts {
        let anchored = is_anchored(tree);
        if tree.options.no_start_optimize || !tree.enclosing.is_empty() {
            return Starts { first: None, required: None, anchored };
        }
        let root = &firsts[tree.root as usize];
        // Whether places are passed over or tried makes a difference to verbs: as in PCRE, they are passed over only where
        // one letter is looked for, and not at the start of a line.
        let useful = !root.nullable
            && root.bytes != ALL
            && (!root.verb || (is_one_letter(&root.bytes) && !has_line_starts(tree)));
        let first = useful.then_some(root.bytes);
        Starts { first, required: required(tree), anchored }
    }
}

/// Whether it is one byte, or one letter in its two cases.
fn is_one_letter(bytes: &Bytes) -> bool {
    let mut members = (0..=255u8).filter(|byte| bytes[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1);
    match (members.next(), members.next(), members.next()) {
        (Some(_), None, _) => true,
        (Some(a), Some(b), None) => letters::flip(a) == b,
        _ => false,
    }
}

fn has_line_starts(tree: &Tree) -> bool {
    tree.nodes.iter().any(|node| matches!(node, Node::Test(Test::LineStart { multiline: true })))
}

/// The last byte that is sure to be in a match.
fn required(tree: &Tree) -> Option<(u8, u8)> {
    let mut rest = vec![tree.root];
    while let Some(id) = rest.pop() {
        match &tree.nodes[id as usize] {
            Node::Single(Single::Byte(byte)) => return Some((*byte, *byte)),
            Node::Single(Single::Set(set)) => {
                let set = &tree.sets[*set as usize];
                let mut members = (0..=255u8).filter(|byte| set.has_byte(*byte));
                if let (Some(a), Some(b), None) = (members.next(), members.next(), members.next())
                    && set.high().is_empty()
                    && letters::flip(a) == b
                    && (a < 128 || !tree.options.unicode)
                {
                    return Some((a, b));
                }
            }
            Node::Concat(parts) => rest.extend_from_slice(parts),
            Node::Group {
                kind: GroupKind::Plain | GroupKind::Capture(_) | GroupKind::Atomic,
                alternatives,
            } => {
                if let [one] = alternatives.as_slice() {
                    rest.push(*one);
                }
            }
            Node::Repeat { node, min: 1.., .. } => rest.push(*node),
            _ => {}
        }
    }
    None
}

/// Whether every match begins where matching does.
fn is_anchored(tree: &Tree) -> bool {
    let mut anchored: Vec<bool> = Vec::with_capacity(tree.nodes.len());
    let has_verbs = tree.nodes.iter().any(|node| matches!(node, Node::Verb(_)));
    let has_backs = tree.nodes.iter().any(|node| matches!(node, Node::Back { .. }));
    for node in &tree.nodes {
        let is = match node {
            Node::Test(Test::Start | Test::Offset | Test::LineStart { multiline: false }) => true,
            Node::Concat(parts) => parts.first().is_some_and(|part| anchored[*part as usize]),
            Node::Group { kind: GroupKind::Plain | GroupKind::Capture(_), alternatives } => {
                alternatives.iter().all(|one| anchored[*one as usize])
            }
            // What begins with anything begins at the beginning, or nowhere.
            Node::Repeat { node, min: 0, max: UNBOUNDED, mode: Mode::Greedy | Mode::Lazy } => {
                !has_verbs && !has_backs && matches!(tree.nodes[*node as usize], Node::Single(Single::Any))
            }
            Node::Repeat { node, min: 1.., .. } => anchored[*node as usize],
            _ => false,
        };
        anchored.push(is);
    }
    anchored[tree.root as usize]
}

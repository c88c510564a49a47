//! How long what a node matches is: what lookbehinds ask.

use super::ast::{GroupKind, Node, NodeId, Single, Tree};
use super::fault::{self, Fault};

/// The length of what a node matches, in characters; `None` if it varies.
pub type Length = Option<u32>;

/// For each node, how long its matches are. Calls have the length of the group that is called, which may come later: the
/// rounds end when nothing changes.
pub fn lengths(tree: &Tree) -> Vec<Length> {
    let mut lengths: Vec<Length> = vec![None; tree.nodes.len()];
    for _ in 0..ROUNDS {
        let mut changed = false;
        for at in 0..tree.nodes.len() {
            let length = length(tree, &lengths, &tree.nodes[at]);
            changed |= length != lengths[at];
            lengths[at] = length;
        }
        if !changed {
            break;
        }
    }
    lengths
}

/// Rounds after which calls within calls are given up.
const ROUNDS: usize = 8;

fn length(tree: &Tree, lengths: &[Length], node: &Node) -> Length {
    let same = |ids: &[NodeId]| {
        let mut all = ids.iter().map(|id| lengths[*id as usize]);
        let first = all.next()??;
        all.all(|other| other == Some(first)).then_some(first)
    };
    match node {
        Node::Empty | Node::Test(_) | Node::Keep | Node::Verb(_) => Some(0),
        Node::Single(_) => Some(1),
        Node::Newline | Node::Grapheme | Node::Back { .. } => None,
        Node::Call(target) => {
            let number = *tree.numbers(*target).first()?;
            let group = if number == 0 { None } else { capture(tree, number) };
            group.and_then(|group| lengths[group as usize])
        }
        Node::Concat(parts) => parts
            .iter()
            .try_fold(0u32, |sum, part| lengths[*part as usize].and_then(|more| sum.checked_add(more))),
        Node::Group { kind: GroupKind::Look { .. }, .. } => Some(0),
        Node::Group { kind: GroupKind::Condition(super::ast::Condition::Define), .. } => Some(0),
        Node::Group { kind: GroupKind::Condition(condition), alternatives } => {
            let branches = &alternatives[usize::from(*condition == super::ast::Condition::Assertion)..];
            match branches {
                [one] => lengths[*one as usize].filter(|length| *length == 0),
                _ => same(branches),
            }
        }
        Node::Group { alternatives, .. } => same(alternatives),
        Node::Repeat { node, min, max, .. } => {
            if min == max {
                lengths[*node as usize].and_then(|one| one.checked_mul(*min))
            } else {
                None
            }
        }
    }
}

/// The first group of that number.
fn capture(tree: &Tree, number: u32) -> Option<NodeId> {
    let found = tree.nodes.iter().position(
        |node| matches!(node, Node::Group { kind: GroupKind::Capture(capture), .. } if *capture == number),
    );
    found.and_then(|at| NodeId::try_from(at).ok())
}

/// What is wrong with lookbehinds.
pub fn behind_faults(tree: &Tree) -> Vec<Fault> {
    if tree.behinds.is_empty() {
        return Vec::new();
    }
    let lengths = lengths(tree);
    let mut faults = Vec::new();
    for behind in &tree.behinds {
        let Node::Group { alternatives, .. } = &tree.nodes[behind.node as usize] else { continue };
        for (one, position) in alternatives.iter().zip(&behind.ends) {
            let position = *position;
            if lengths[*one as usize].is_none() {
                faults.push(Fault { text: fault::LOOKBEHIND_LENGTH, position });
            } else if tree.options.unicode && has_unit(tree, std::slice::from_ref(one)) {
                faults.push(Fault { text: fault::LOOKBEHIND_UNIT, position });
            }
        }
    }
    faults
}

/// Whether single bytes of characters are asked for in any of these nodes.
fn has_unit(tree: &Tree, nodes: &[NodeId]) -> bool {
    let mut rest = nodes.to_vec();
    while let Some(node) = rest.pop() {
        match &tree.nodes[node as usize] {
            Node::Single(Single::Unit) => return true,
            Node::Concat(parts) | Node::Group { alternatives: parts, .. } => rest.extend_from_slice(parts),
            Node::Repeat { node, .. } => rest.push(*node),
            _ => {}
        }
    }
    false
}

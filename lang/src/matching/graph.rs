//! The graph of decisions.

use crate::core::{BitsPattern, Const, Expr, Value, Var};

/// A node of its [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct NodeId(pub u32);

/// All nodes; some may be reached by nothing.
#[derive(Default, Debug)]
pub struct Graph<'a> {
    pub nodes: Vec<Node<'a>>,
    pub root: NodeId,
}

/// Which parts a constructor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Head and tail.
    Cell,
    /// The elements of a tuple.
    Elements,
}

/// A decision. `yes` and `no` are where it leads.
#[derive(Debug)]
pub enum Node<'a> {
    /// No clause fits.
    Fail,
    /// The clause fits, if its guard holds.
    Leaf {
        clause: usize,
        bindings: Vec<(Var, Value)>,
        otherwise: NodeId,
    },
    /// Takes a value apart; its constructor was tested.
    Parts {
        value: Value,
        part: Part,
        vars: Vec<Var>,
        next: NodeId,
    },
    IsCons {
        value: Value,
        yes: NodeId,
        no: NodeId,
    },
    IsNil {
        value: Value,
        yes: NodeId,
        no: NodeId,
    },
    IsMap {
        value: Value,
        yes: NodeId,
        no: NodeId,
    },
    /// Exactly equal.
    Equal {
        value: Value,
        other: Value,
        yes: NodeId,
        no: NodeId,
    },
    /// One of several immediates.
    Select {
        value: Value,
        cases: Vec<(Const, NodeId)>,
        no: NodeId,
    },
    /// A tuple of one of these arities.
    Arity {
        value: Value,
        cases: Vec<(u32, NodeId)>,
        no: NodeId,
    },
    /// The map has all keys; their values are bound.
    Keys {
        map: Value,
        keys: Vec<(&'a Expr, Var)>,
        bindings: Vec<(Var, Value)>,
        yes: NodeId,
        no: NodeId,
    },
    /// A bitstring; the context is bound.
    Start {
        value: Value,
        context: Var,
        yes: NodeId,
        no: NodeId,
    },
    /// Takes a segment; its size may read the bindings.
    Take {
        context: Value,
        segment: &'a BitsPattern,
        bindings: Vec<(Var, Value)>,
        dst: Option<Var>,
        yes: NodeId,
        no: NodeId,
    },
    /// Takes exactly these bits.
    Exactly {
        context: Value,
        bits: Const,
        yes: NodeId,
        no: NodeId,
    },
    /// Nothing is left.
    AtEnd {
        context: Value,
        yes: NodeId,
        no: NodeId,
    },
    /// Remembers positions of contexts: context, position.
    Save {
        saved: Vec<(Var, Var)>,
        next: NodeId,
    },
    /// Goes back to them.
    Restore {
        saved: Vec<(Var, Var)>,
        next: NodeId,
    },
}

impl<'a> Graph<'a> {
    pub(super) fn add(&mut self, node: Node<'a>) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub(super) fn set(&mut self, id: NodeId, node: Node<'a>) {
        self.nodes[id.0 as usize] = node;
    }

    /// The node behind an id.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node<'a> {
        &self.nodes[id.0 as usize]
    }
}

impl Node<'_> {
    /// Calls `visit` with every node this one leads to.
    pub fn each_next(&self, mut visit: impl FnMut(NodeId)) {
        match self {
            Node::Fail => {}
            Node::Leaf { otherwise, .. } => visit(*otherwise),
            Node::Parts { next, .. } | Node::Save { next, .. } | Node::Restore { next, .. } => visit(*next),
            Node::IsCons { yes, no, .. }
            | Node::IsNil { yes, no, .. }
            | Node::IsMap { yes, no, .. }
            | Node::Equal { yes, no, .. }
            | Node::Keys { yes, no, .. }
            | Node::Start { yes, no, .. }
            | Node::Take { yes, no, .. }
            | Node::Exactly { yes, no, .. }
            | Node::AtEnd { yes, no, .. } => {
                visit(*yes);
                visit(*no);
            }
            Node::Select { cases, no, .. } => {
                cases.iter().for_each(|(_, to)| visit(*to));
                visit(*no);
            }
            Node::Arity { cases, no, .. } => {
                cases.iter().for_each(|(_, to)| visit(*to));
                visit(*no);
            }
        }
    }
}

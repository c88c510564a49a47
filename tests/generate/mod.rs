//! Random modules: a [`Strategy`] whose values are well-formed Erlang modules, as trees that can be made smaller.
//!
//! A module is a tree of [`Node`]s: text with nodes in it. Making one smaller knows nothing of Erlang but the kinds of
//! nodes: an expression can give way to one inside it or to a constant, an item of a list can go. What is no longer well-formed
//! after that is refused by both sides alike, and so is not smaller in the sense that matters.

#![allow(dead_code, reason = "each test that includes this module uses its own part of it")]

mod bifs;
mod binary;
mod control;
mod expr;
mod module;
mod pattern;
mod process;

use proptest::prelude::Rng;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// What may stand in the place of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Expr,
    Pattern,
    Guard,
    /// Nothing else.
    Other,
}

/// A piece of a module.
#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    pub parts: Vec<Part>,
}

/// A piece of a piece.
#[derive(Clone, Debug)]
pub enum Part {
    Text(String),
    Node(Node),
    /// Items between separators, of which at least `least` must stay.
    Many {
        items: Vec<Node>,
        separator: &'static str,
        least: usize,
    },
}

impl Node {
    /// A node of text alone.
    pub fn text(kind: Kind, text: impl Into<String>) -> Node {
        Node { kind, parts: vec![Part::Text(text.into())] }
    }

    /// Text in which each `@` stands for the next of the nodes.
    pub fn of(kind: Kind, template: &str, nodes: impl IntoIterator<Item = Node>) -> Node {
        let mut parts = Vec::new();
        let mut nodes = nodes.into_iter();
        for (at, text) in template.split('@').enumerate() {
            if at > 0 {
                parts.push(Part::Node(nodes.next().expect("as many nodes as places")));
            }
            parts.push(Part::Text(text.to_string()));
        }
        assert!(nodes.next().is_none(), "more nodes than places in {template}");
        Node { kind, parts }
    }

    /// Items between `open` and `close`.
    pub fn many(
        kind: Kind,
        open: &str,
        items: Vec<Node>,
        separator: &'static str,
        close: &str,
        least: usize,
    ) -> Node {
        let parts = vec![
            Part::Text(open.to_string()),
            Part::Many { items, separator, least },
            Part::Text(close.to_string()),
        ];
        Node { kind, parts }
    }

    pub fn write(&self, out: &mut String) {
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Node(node) => node.write(out),
                Part::Many { items, separator, .. } => {
                    for (at, item) in items.iter().enumerate() {
                        if at > 0 {
                            out.push_str(separator);
                        }
                        item.write(out);
                    }
                }
            }
        }
    }

    /// How many ways there are to make this smaller at this node or inside it.
    fn ways(&self) -> usize {
        self.own_ways() + self.inner().map(Node::ways).sum::<usize>() + self.removals()
    }

    fn inner(&self) -> impl Iterator<Item = &Node> {
        self.parts.iter().flat_map(|part| match part {
            Part::Text(_) => &[],
            Part::Node(node) => std::slice::from_ref(node),
            Part::Many { items, .. } => items.as_slice(),
        })
    }

    fn is_small(&self) -> bool {
        matches!(self.parts.as_slice(), [Part::Text(text)] if text.len() <= 2)
    }

    /// Replacements of the node itself: by constants, or by nodes of its kind right inside.
    fn replacements(&self) -> Vec<Node> {
        let constants: &[&str] = match self.kind {
            _ if self.is_small() => &[],
            Kind::Expr => &["ok", "1", "[]"],
            Kind::Pattern => &["_"],
            Kind::Guard => &["true"],
            Kind::Other => &[],
        };
        let mut all: Vec<Node> = constants.iter().map(|text| Node::text(self.kind, *text)).collect();
        if self.kind != Kind::Other {
            self.nearest(self.kind, &mut all);
        }
        all
    }

    fn nearest(&self, kind: Kind, out: &mut Vec<Node>) {
        for node in self.inner() {
            if node.kind == kind { out.push(node.clone()) } else { node.nearest(kind, out) }
        }
    }

    fn own_ways(&self) -> usize {
        self.replacements().len()
    }

    fn removals(&self) -> usize {
        let spare = |part: &Part| match part {
            Part::Many { items, least, .. } => removals(items.len(), *least),
            _ => 0,
        };
        self.parts.iter().map(spare).sum()
    }

    /// This node made smaller in the way of that number.
    fn smaller(&self, mut way: usize) -> Option<Node> {
        let mut copy = self.clone();
        for part in &mut copy.parts {
            if let Part::Many { items, least, .. } = part {
                let (count, halves) = (items.len(), halves(items.len(), *least));
                if way < halves {
                    items.drain(if way == 0 { 0..count / 2 } else { count / 2..count });
                    return Some(copy);
                }
                if way < removals(count, *least) {
                    items.remove(way - halves);
                    return Some(copy);
                }
                way -= removals(count, *least);
            }
        }
        let own = self.replacements();
        if way < own.len() {
            return own.into_iter().nth(way);
        }
        way -= own.len();
        for part in &mut copy.parts {
            let inner: &mut [Node] = match part {
                Part::Text(_) => &mut [],
                Part::Node(node) => std::slice::from_mut(node),
                Part::Many { items, .. } => items.as_mut_slice(),
            };
            for node in inner {
                let ways = node.ways();
                if way < ways {
                    *node = node.smaller(way)?;
                    return Some(copy);
                }
                way -= ways;
            }
        }
        None
    }
}

/// Ways to take half of the items away, the first two tries where there are many.
fn halves(items: usize, least: usize) -> usize {
    if items >= 4 && items / 2 >= least { 2 } else { 0 }
}

/// Ways to take items away: halves, then one.
fn removals(items: usize, least: usize) -> usize {
    if items > least { halves(items, least) + items } else { 0 }
}

/// The strategy.
#[derive(Debug)]
pub struct Modules;

/// A module and the ways to make it smaller that were not tried.
pub struct ModuleTree {
    best: Node,
    candidate: Option<Node>,
    way: usize,
    /// Whether it became smaller since the ways were last tried from the first on.
    progress: bool,
}

impl Strategy for Modules {
    type Tree = ModuleTree;
    type Value = String;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let mut random = Random(runner.rng().next_u64());
        Ok(ModuleTree { best: module::module(&mut random), candidate: None, way: 0, progress: false })
    }
}

impl ModuleTree {
    fn next(&mut self) -> bool {
        self.candidate = self.best.smaller(self.way);
        if self.candidate.is_none() && std::mem::take(&mut self.progress) {
            self.way = 0;
            self.candidate = self.best.smaller(0);
        }
        self.way += 1;
        self.candidate.is_some()
    }
}

impl ValueTree for ModuleTree {
    type Value = String;

    /// The text, in which `THIS_MODULE` stands for the module's name.
    fn current(&self) -> String {
        let mut out = String::new();
        self.candidate.as_ref().unwrap_or(&self.best).write(&mut out);
        out
    }

    fn simplify(&mut self) -> bool {
        if let Some(good) = self.candidate.take() {
            self.best = good;
            self.progress = true;
            self.way = self.way.saturating_sub(1);
        }
        self.next()
    }

    fn complicate(&mut self) -> bool {
        self.candidate = None;
        self.next()
    }
}

/// The module of a seed.
pub fn tree(seed: u64) -> ModuleTree {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    Modules.new_tree(&mut runner).expect("every number makes a module")
}

/// A module under a name.
pub fn named(text: &str, name: &str) -> String {
    text.replace("THIS_MODULE", name)
}

/// Numbers from a seed.
pub struct Random(u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        // splitmix64: every seed gives a sequence of its own.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 33) as usize % limit.max(1)
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

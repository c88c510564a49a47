//! Which blocks all ways to a block lead through.

use super::super::flow::{BlockId, Flow};
use super::super::liveness::order;

/// The dominator tree of a function. A handler's dominators are those of the block that put its mark: what is in the protected
/// part lies behind that.
pub(super) struct Dominators {
    /// The nearest dominator of each block; its own for the entry and for what is never reached.
    above: Vec<BlockId>,
    depth: Vec<u32>,
}

impl Dominators {
    pub fn new(flow: &Flow) -> Dominators {
        let order = order(flow);
        let count = flow.blocks.len();
        let mut place = vec![usize::MAX; count];
        order.iter().enumerate().for_each(|(at, id)| place[id.index()] = at);
        let mut predecessors = vec![Vec::new(); count];
        for &id in &order {
            flow.block(id).end.each_target(|to| predecessors[to.index()].push(id));
        }
        let mut above: Vec<BlockId> = (0..count as u32).map(BlockId).collect();
        let mut known = vec![false; count];
        known[0] = true;
        let mut depth = vec![0; count];
        // There are no loops in functions without a receive, so the order brings all predecessors first.
        for &id in order.iter().skip(1) {
            let mut nearest: Option<BlockId> = None;
            for &from in predecessors[id.index()].iter().filter(|from| known[from.index()]) {
                nearest = Some(match nearest {
                    None => from,
                    Some(other) => common(&above, &place, other, from),
                });
            }
            if let Some(nearest) = nearest {
                above[id.index()] = nearest;
                depth[id.index()] = depth[nearest.index()] + 1;
            }
            known[id.index()] = true;
        }
        Dominators { above, depth }
    }

    /// How many blocks dominate a block, itself aside.
    pub fn depth(&self, id: BlockId) -> u32 {
        self.depth[id.index()]
    }

    /// Whether all ways to `id` lead through `over`; a block dominates itself.
    pub fn dominates(&self, over: BlockId, id: BlockId) -> bool {
        let mut at = id;
        while self.depth(at) > self.depth(over) {
            at = self.above[at.index()];
        }
        at == over
    }
}

/// The nearest block that dominates both.
fn common(above: &[BlockId], place: &[usize], mut a: BlockId, mut b: BlockId) -> BlockId {
    while a != b {
        if place[a.index()] > place[b.index()] {
            a = above[a.index()];
        } else {
            b = above[b.index()];
        }
    }
    a
}

//! Which variables are alive where.

use super::flow::{BlockId, Flow};
use super::var_set::VarSet;
use crate::core::{Value, Var};

/// The variables alive at the start of each block, parameters not among them.
pub(super) struct Liveness {
    live_in: Vec<VarSet>,
}

impl Liveness {
    /// By walking from each use up to the definition: the cost is the size of the result.
    pub fn new(flow: &Flow) -> Liveness {
        let count = flow.blocks.len();
        // Parameters of the function have the entry as home.
        let mut home = vec![BlockId(0); flow.vars as usize];
        let mut edges = Vec::with_capacity(2 * count);
        for (index, block) in flow.blocks.iter().enumerate() {
            let id = BlockId(index as u32);
            let mut define = |var: Var| home[var.index()] = id;
            block.params.iter().for_each(|&var| define(var));
            block.insts.iter().flat_map(|inst| &inst.dsts).for_each(|&var| define(var));
            block.end.each_def(define);
            block.end.each_target(|to| edges.push((to, id)));
            edges.extend(block.handler.map(|handler| (handler, id)));
        }
        let predecessors = Lists::new(count, &edges);
        let mut liveness = Liveness { live_in: vec![VarSet::default(); count] };
        let mut waiting = Vec::new();
        for (index, block) in flow.blocks.iter().enumerate() {
            let id = BlockId(index as u32);
            let mut read = |value: Value| {
                if let Some(var) = value.var() {
                    waiting.push((id, var));
                }
            };
            block.insts.iter().flat_map(|inst| &inst.args).for_each(|&value| read(value));
            block.end.each_use(read);
            while let Some((id, var)) = waiting.pop() {
                if home[var.index()] != id && liveness.add(id, var) {
                    waiting.extend(predecessors.of(id).iter().map(|&from| (from, var)));
                }
            }
        }
        liveness
    }

    /// Whether `var` is alive at the start of a block.
    pub fn is_live_in(&self, id: BlockId, var: Var) -> bool {
        self.live_in[id.index()].contains(var)
    }

    /// Enters a variable; whether it is new.
    pub fn add(&mut self, id: BlockId, var: Var) -> bool {
        self.live_in[id.index()].insert(var)
    }

    /// Takes a variable out.
    pub fn remove(&mut self, id: BlockId, var: Var) {
        self.live_in[id.index()].remove(var);
    }

    /// A further block, with these variables alive at its start.
    pub fn push(&mut self, vars: VarSet) {
        self.live_in.push(vars);
    }

    /// The variables alive at the start of a block, in order.
    pub fn live_in(&self, id: BlockId) -> Vec<Var> {
        self.live_in[id.index()].sorted()
    }

    /// The set of the same.
    pub fn set(&self, id: BlockId) -> &VarSet {
        &self.live_in[id.index()]
    }

    /// The variables alive at the end of a block, behind its end.
    pub fn live_out(&self, flow: &Flow, id: BlockId) -> VarSet {
        let mut live = VarSet::default();
        self.find_live_out(flow, id, &mut live);
        live
    }

    /// The same, into a set that held others.
    pub fn find_live_out(&self, flow: &Flow, id: BlockId, live: &mut VarSet) {
        let block = flow.block(id);
        live.clear();
        block.end.each_target(|to| live.add_all(&self.live_in[to.index()]));
        if let Some(handler) = block.handler {
            live.add_all(&self.live_in[handler.index()]);
        }
    }
}

/// A list of blocks for each block, all in one piece.
pub(super) struct Lists {
    /// Where each block's list ends; it begins where the one before ends.
    ends: Vec<u32>,
    all: Vec<BlockId>,
}

impl Lists {
    /// From pairs of a block and what its list has, of which it keeps the order.
    pub fn new(count: usize, pairs: &[(BlockId, BlockId)]) -> Lists {
        let mut ends = vec![0; count];
        pairs.iter().for_each(|(at, _)| ends[at.index()] += 1);
        let mut sum = 0;
        for end in &mut ends {
            (*end, sum) = (sum, sum + *end);
        }
        let mut all = vec![BlockId(0); pairs.len()];
        for &(at, id) in pairs {
            let end = &mut ends[at.index()];
            all[*end as usize] = id;
            *end += 1;
        }
        Lists { ends, all }
    }

    pub fn of(&self, id: BlockId) -> &[BlockId] {
        let start = id.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start as usize..self.ends[id.index()] as usize]
    }
}

/// The blocks in an order in which definitions come before uses, and where `yes` follows if it can.
pub(super) fn order(flow: &Flow) -> Vec<BlockId> {
    let mut seen = vec![false; flow.blocks.len()];
    let mut order = Vec::with_capacity(flow.blocks.len());
    // Blocks to be left are marked; the targets of those that were entered wait on top of them, the last first.
    let mut stack = vec![(BlockId(0), false)];
    while let Some((id, leave)) = stack.pop() {
        if leave {
            order.push(id);
        } else if !std::mem::replace(&mut seen[id.index()], true) {
            stack.push((id, true));
            flow.block(id).end.each_target(|to| stack.push((to, false)));
        }
    }
    order.reverse();
    order
}

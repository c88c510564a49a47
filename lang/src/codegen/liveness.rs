//! Which variables are alive where.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use super::flow::{BlockId, End, Flow};
use crate::core::{Value, Var};

/// A set of variables; the same on every run, so nothing depends on chance.
pub(super) type VarSet = HashSet<Var, BuildHasherDefault<IndexHasher>>;

/// Spreads small numbers.
#[derive(Default)]
pub(super) struct IndexHasher(u64);

impl Hasher for IndexHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        // The golden ratio: neighbours land far apart, in the high bits too, which the table looks at.
        self.0 = (self.0.rotate_left(5) ^ u64::from(value)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

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
        let mut predecessors = vec![Vec::new(); count];
        for (index, block) in flow.blocks.iter().enumerate() {
            let id = BlockId(index as u32);
            let mut define = |var: Var| home[var.index()] = id;
            block.params.iter().for_each(|&var| define(var));
            block.insts.iter().flat_map(|inst| &inst.dsts).for_each(|&var| define(var));
            block.end.each_def(define);
            block.end.each_target(|to| predecessors[to.index()].push(id));
            if let Some(handler) = block.handler {
                predecessors[handler.index()].push(id);
            }
        }
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
                    waiting.extend(predecessors[id.index()].iter().map(|&from| (from, var)));
                }
            }
        }
        liveness
    }

    /// Whether `var` is alive at the start of a block.
    pub fn is_live_in(&self, id: BlockId, var: Var) -> bool {
        self.live_in[id.index()].contains(&var)
    }

    /// Enters a variable; whether it is new.
    pub fn add(&mut self, id: BlockId, var: Var) -> bool {
        self.live_in[id.index()].insert(var)
    }

    /// Takes a variable out.
    pub fn remove(&mut self, id: BlockId, var: Var) {
        self.live_in[id.index()].remove(&var);
    }

    /// A further block, with these variables alive at its start.
    pub fn push(&mut self, vars: VarSet) {
        self.live_in.push(vars);
    }

    /// The variables alive at the start of a block, in order.
    pub fn live_in(&self, id: BlockId) -> Vec<Var> {
        let mut vars: Vec<Var> = self.live_in[id.index()].iter().copied().collect();
        vars.sort_unstable();
        vars
    }

    /// The set of the same.
    pub fn set(&self, id: BlockId) -> &VarSet {
        &self.live_in[id.index()]
    }

    /// The variables alive at the end of a block, behind its end.
    pub fn live_out(&self, flow: &Flow, id: BlockId) -> VarSet {
        let block = flow.block(id);
        let mut live = VarSet::default();
        block.end.each_target(|to| live.extend(self.live_in[to.index()].iter().copied()));
        if let Some(handler) = block.handler {
            live.extend(self.live_in[handler.index()].iter().copied());
        }
        live
    }
}

/// The blocks in an order in which definitions come before uses, and where `yes` follows if it can.
pub(super) fn order(flow: &Flow) -> Vec<BlockId> {
    let mut seen = vec![false; flow.blocks.len()];
    let mut order = Vec::with_capacity(flow.blocks.len());
    let mut stack = vec![(BlockId(0), successors(&flow.blocks[0].end), 0)];
    seen[0] = true;
    while let Some((id, targets, at)) = stack.last_mut() {
        match targets.get(*at).copied() {
            Some(to) => {
                *at += 1;
                if !std::mem::replace(&mut seen[to.index()], true) {
                    stack.push((to, successors(&flow.block(to).end), 0));
                }
            }
            None => {
                order.push(*id);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Targets with the one that should follow last.
fn successors(end: &End) -> Vec<BlockId> {
    let mut targets = Vec::new();
    end.each_target(|to| targets.push(to));
    targets.reverse();
    targets
}

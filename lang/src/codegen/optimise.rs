//! Small improvements of control flow: no test is made to decide a boolean that is then tested again, blocks in a
//! row become one, what nothing reads goes, and parts of terms are taken where they are needed.

mod returns;
mod simplify;
mod sink;
mod skips;
mod thread;

use super::flow::{BlockId, End, Flow, Inst, Op};
use crate::core::{Value, Var};

/// Improves a function.
pub(super) fn optimise(flow: &mut Flow) {
    let mut changed = simplify::simplify(flow);
    // Once through a boolean's join uncovers the join around it; deeper nests are rare.
    for _ in 0..3 {
        if !thread::thread(flow) {
            break;
        }
        changed = true;
    }
    changed |= thread::fuse(flow);
    if changed {
        changed = simplify::simplify(flow);
    }
    changed |= thread::tagged(flow);
    if changed {
        simplify::simplify(flow);
    }
    simplify::drop_unused(flow);
    skips::skip(flow);
    sink::sink_to_failures(flow);
    sink::sink(flow);
    coalesce(flow);
    simplify::simplify(flow);
    returns::leave_with_calls(flow);
}

/// Drops copies of variables that nothing else reads. Those behind `remove_message` stay: there what was bound from
/// the message becomes a value that may be kept.
fn coalesce(flow: &mut Flow) {
    if !flow.blocks.iter().flat_map(|block| &block.insts).any(|inst| inst.op == Op::Copy) {
        return;
    }
    let counts = use_counts(flow);
    let mut replacement: Vec<Option<Value>> = vec![None; flow.vars as usize];
    for block in &mut flow.blocks {
        let mut takes_message = false;
        block.insts.retain(|inst| {
            takes_message |= inst.op == Op::RemoveMessage;
            let alone =
                inst.args.first().and_then(|value| value.var()).is_some_and(|var| counts[var.index()] == 1);
            if inst.op != Op::Copy || takes_message || !alone {
                return true;
            }
            replacement[inst.dsts[0].index()] = Some(inst.args[0]);
            false
        });
    }
    substitute(flow, &replacement);
}

/// How often each variable is read.
pub(super) fn use_counts(flow: &Flow) -> Vec<u32> {
    let mut counts = vec![0; flow.vars as usize];
    for block in &flow.blocks {
        let mut count = |value: Value| {
            if let Some(var) = value.var() {
                counts[var.index()] += 1;
            }
        };
        block.insts.iter().flat_map(|inst| &inst.args).for_each(|&value| count(value));
        block.end.each_use(count);
    }
    counts
}

/// The blocks that lead to each block, handlers' included once for their `Protect`.
pub(super) fn predecessors(flow: &Flow) -> Vec<Vec<BlockId>> {
    let mut predecessors = vec![Vec::new(); flow.blocks.len()];
    for (index, block) in flow.blocks.iter().enumerate() {
        block.end.each_target(|to| predecessors[to.index()].push(BlockId(index as u32)));
    }
    predecessors
}

/// Replaces variables everywhere.
pub(super) fn substitute(flow: &mut Flow, replacement: &[Option<Value>]) {
    let resolve = |value: &mut Value| {
        // Chains arise when one replaced parameter was passed on as another.
        while let Some(var) = value.var() {
            match replacement.get(var.index()).copied().flatten() {
                Some(next) => *value = next,
                None => break,
            }
        }
    };
    for block in &mut flow.blocks {
        block.insts.iter_mut().flat_map(|inst| &mut inst.args).for_each(resolve);
        block.end.each_use_mut(resolve);
    }
}

/// The instruction that a block with this end waits for, if it is a branch.
pub(super) fn branch(end: &End) -> Option<(&Inst, BlockId, BlockId)> {
    match end {
        End::Branch { inst, yes, no } => Some((inst, *yes, *no)),
        _ => None,
    }
}

/// Whether a value is this variable.
pub(super) fn is(value: Value, var: Var) -> bool {
    value == Value::Var(var)
}

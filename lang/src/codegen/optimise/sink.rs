//! Takes parts of terms, and builds terms, where they are needed: on one way out of a block only, so not before it.

use crate::codegen::flow::{Block, BlockId, End, Flow, Inst, Op};
use crate::codegen::liveness::{Liveness, order};

/// Moves instructions down.
pub(in crate::codegen) fn sink(flow: &mut Flow) {
    let may_sink = |block: &Block| can_sink(&block.end) && block.insts.iter().any(moves);
    if !flow.blocks.iter().any(may_sink) {
        return;
    }
    let mut liveness = Liveness::new(flow);
    let predecessors = flow.predecessor_counts();
    let mut targets = Vec::new();
    for id in order(flow) {
        if !can_sink(&flow.block(id).end) || flow.block(id).insts.is_empty() {
            continue;
        }
        targets.clear();
        flow.block(id).end.each_target(|to| {
            if !targets.contains(&to) {
                targets.push(to);
            }
        });
        if targets.len() < 2 {
            continue;
        }
        let mut at = flow.block(id).insts.len();
        while at > 0 {
            at -= 1;
            let block = flow.block(id);
            let inst = &block.insts[at];
            if !moves(inst) || read_behind(flow, id, at) || !stays_available(flow, id, at) {
                continue;
            }
            let Some(&dst) = inst.dsts.first() else { continue };
            let mut live = targets.iter().filter(|to| liveness.is_live_in(**to, dst));
            let (Some(&to), None) = (live.next(), live.next()) else { continue };
            if predecessors[to.index()] != 1
                || is_handler(flow, to)
                || flow.block(to).handler != flow.block(id).handler
            {
                continue;
            }
            let inst = flow.block_mut(id).insts.remove(at);
            for value in &inst.args {
                if let Some(var) = value.var() {
                    liveness.add(to, var);
                }
            }
            liveness.remove(to, dst);
            flow.block_mut(to).insts.insert(0, inst);
        }
    }
}

/// Builds terms that only a raising block reads in that block: the subject of a `case` that is a tuple, above all.
pub(in crate::codegen) fn sink_to_failures(flow: &mut Flow) {
    let builds = |inst: &Inst| matches!(inst.op, Op::Cons | Op::Tuple);
    let fails = |block: &Block| matches!(block.end, End::Fail(..));
    if !(flow.blocks.iter().any(fails) && flow.blocks.iter().flat_map(|block| &block.insts).any(builds)) {
        return;
    }
    // The one block that reads each variable, and whether there is but one.
    let mut readers: Vec<Option<BlockId>> = vec![None; flow.vars as usize];
    let mut several = vec![false; flow.vars as usize];
    for (index, block) in flow.blocks.iter().enumerate() {
        let id = BlockId(index as u32);
        let mut read = |value: crate::core::Value| {
            if let Some(var) = value.var() {
                several[var.index()] |= readers[var.index()].is_some_and(|reader| reader != id);
                readers[var.index()] = Some(id);
            }
        };
        block.insts.iter().flat_map(|inst| &inst.args).for_each(|&value| read(value));
        block.end.each_use(read);
    }
    for index in 0..flow.blocks.len() {
        let mut at = flow.blocks[index].insts.len();
        while at > 0 {
            at -= 1;
            let inst = &flow.blocks[index].insts[at];
            let (Op::Cons | Op::Tuple, Some(&dst)) = (&inst.op, inst.dsts.first()) else { continue };
            let Some(to) = readers[dst.index()].filter(|_| !several[dst.index()]) else { continue };
            let fails = matches!(flow.block(to).end, End::Fail(..)) && to.index() != index;
            // A block that does more than to raise may be the body of a `receive`, where nothing is built before the message is
            // taken; and what a term is made of would have to be kept over its calls.
            let fails = fails
                && !flow.block(to).insts.iter().any(|inst| inst.clobbers() || inst.op == Op::RemoveMessage);
            if fails && !is_handler(flow, to) && flow.block(to).handler == flow.blocks[index].handler {
                let inst = flow.blocks[index].insts.remove(at);
                flow.block_mut(to).insts.insert(0, inst);
            }
        }
    }
}

/// Whether exceptions come to the block: then nothing stands before what takes them.
fn is_handler(flow: &Flow, id: BlockId) -> bool {
    flow.block(id).insts.first().is_some_and(|inst| matches!(inst.op, Op::TryCase | Op::CatchEnd))
}

/// Ends over which nothing changes that an instruction could see.
fn can_sink(end: &End) -> bool {
    matches!(end, End::Branch { .. } | End::Select { .. } | End::Arity { .. })
}

fn moves(inst: &Inst) -> bool {
    matches!(inst.op, Op::Head | Op::Tail | Op::Element(_) | Op::Cons | Op::Tuple | Op::Bool(_))
}

/// Whether the block itself reads the result.
fn read_behind(flow: &Flow, id: BlockId, at: usize) -> bool {
    let block = flow.block(id);
    let dst = block.insts[at].dsts.first().copied();
    let reads = |value: crate::core::Value| value.var().is_some() && value.var() == dst;
    let mut read = block.insts[at + 1..].iter().any(|inst| inst.args.iter().any(|&value| reads(value)));
    block.end.each_use(|value| read |= reads(value));
    read
}

/// Whether moving keeps everything as short-lived as it was: no call lies between.
fn stays_available(flow: &Flow, id: BlockId, at: usize) -> bool {
    !flow.block(id).insts[at + 1..].iter().any(|inst| inst.clobbers() || inst.op == Op::RemoveMessage)
}

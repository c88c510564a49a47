//! Takes parts of terms, and builds terms, where they are needed: on one way out of a block only, so not before it.

use super::predecessors;
use crate::codegen::flow::{End, Flow, Inst, Op};
use crate::codegen::liveness::{Liveness, order};

/// Moves instructions down.
pub(in crate::codegen) fn sink(flow: &mut Flow) {
    let mut liveness = Liveness::new(flow);
    let predecessors = predecessors(flow);
    for id in order(flow) {
        let mut targets = Vec::new();
        flow.block(id).end.each_target(|to| {
            if !targets.contains(&to) {
                targets.push(to);
            }
        });
        if targets.len() < 2 || !can_sink(&flow.block(id).end) {
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
            if predecessors[to.index()].len() != 1 || flow.block(to).handler != flow.block(id).handler {
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

/// Ends over which nothing changes that an instruction could see.
fn can_sink(end: &End) -> bool {
    matches!(end, End::Branch { .. } | End::Select { .. } | End::Arity { .. })
}

fn moves(inst: &Inst) -> bool {
    matches!(inst.op, Op::Head | Op::Tail | Op::Element(_) | Op::Cons | Op::Tuple | Op::Bool(_))
}

/// Whether the block itself reads the result.
fn read_behind(flow: &Flow, id: crate::codegen::flow::BlockId, at: usize) -> bool {
    let block = flow.block(id);
    let dst = block.insts[at].dsts.first().copied();
    let reads = |value: crate::core::Value| value.var().is_some() && value.var() == dst;
    let mut read = block.insts[at + 1..].iter().any(|inst| inst.args.iter().any(|&value| reads(value)));
    block.end.each_use(|value| read |= reads(value));
    read
}

/// Whether moving keeps everything as short-lived as it was: no call lies between.
fn stays_available(flow: &Flow, id: crate::codegen::flow::BlockId, at: usize) -> bool {
    !flow.block(id).insts[at + 1..].iter().any(|inst| inst.clobbers() || inst.op == Op::RemoveMessage)
}

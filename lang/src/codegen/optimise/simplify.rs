//! Blocks: unreachable ones go, empty ones are passed by, those in a row become one.

use crate::hash::HashMap;

use super::{predecessors, substitute, use_counts};
use crate::bytecode::Line;
use crate::codegen::flow::{Block, BlockId, End, Fail, Flow, Inst, NO_LINE, Op};
use crate::core::{Const, Value};

/// Brings the blocks into a simple form.
pub(in crate::codegen) fn simplify(flow: &mut Flow) {
    share_ends(flow);
    pass_by(flow);
    drop_unreachable(flow);
    merge(flow);
    drop_unreachable(flow);
}

/// Makes one block of those that do nothing but return the same constant, or raise the same.
fn share_ends(flow: &mut Flow) {
    // Not with a frame here and without one there: the latter would have to make one.
    let framed = may_be_framed(flow);
    let mut returns: HashMap<(Const, bool), BlockId> = HashMap::default();
    let mut failures: HashMap<(Fail, Vec<Value>, Line, bool), BlockId> = HashMap::default();
    for (index, framed) in framed.into_iter().enumerate().skip(1) {
        let block = &flow.blocks[index];
        if !block.insts.is_empty() || !block.params.is_empty() {
            continue;
        }
        let id = BlockId(index as u32);
        let same = match &block.end {
            End::Return(Value::Const(constant)) => *returns.entry((*constant, framed)).or_insert(id),
            End::Fail(fail, args) if block.handler.is_none() => {
                *failures.entry((*fail, args.clone(), block.line, framed)).or_insert(id)
            }
            _ => continue,
        };
        if same != id {
            flow.blocks[index].end = End::Jump(same, vec![]);
        }
    }
}

/// The blocks that come behind one that may need a frame.
fn may_be_framed(flow: &Flow) -> Vec<bool> {
    let mut framed = vec![false; flow.blocks.len()];
    let mut waiting = Vec::new();
    for (index, block) in flow.blocks.iter().enumerate() {
        let waits = matches!(block.end, End::Protect { .. } | End::LoopRec { .. } | End::WaitTimeout { .. });
        if waits || block.insts.iter().any(Inst::clobbers) {
            waiting.push(BlockId(index as u32));
        }
    }
    while let Some(id) = waiting.pop() {
        if !std::mem::replace(&mut framed[id.index()], true) {
            flow.block(id).end.each_target(|to| waiting.push(to));
        }
    }
    framed
}

/// Leads past blocks that only jump.
fn pass_by(flow: &mut Flow) {
    let mut target: Vec<BlockId> = (0..flow.blocks.len() as u32).map(BlockId).collect();
    for place in &mut target {
        let mut at = *place;
        // A circle of empty blocks cannot be entered twice in as many steps as there are blocks.
        let mut steps = 0;
        while let Some(next) = empty_jump(flow.block(at)) {
            steps += 1;
            if steps > 64 || next == at {
                break;
            }
            at = next;
        }
        *place = at;
    }
    for index in 0..flow.blocks.len() {
        let mut end = std::mem::replace(&mut flow.blocks[index].end, End::Open);
        end.each_target_mut(|to| {
            if flow.blocks[target[to.index()].index()].params.is_empty() {
                *to = target[to.index()];
            }
        });
        // A jump may take over the arguments of an empty block.
        if let End::Jump(to, args) = &end
            && args.is_empty()
            && to.index() != index
            && flow.blocks[to.index()].insts.is_empty()
            && flow.blocks[to.index()].params.is_empty()
            && let End::Jump(next, args) = &flow.blocks[to.index()].end
        {
            end = End::Jump(*next, args.clone());
        }
        flow.blocks[index].end = end;
    }
}

/// Where a block that does nothing else jumps to without arguments.
fn empty_jump(block: &Block) -> Option<BlockId> {
    match &block.end {
        End::Jump(to, args) if args.is_empty() && block.insts.is_empty() && block.params.is_empty() => {
            Some(*to)
        }
        _ => None,
    }
}

/// Appends blocks to their only predecessor.
fn merge(flow: &mut Flow) {
    let predecessors = predecessors(flow);
    let mut replacement: Vec<Option<Value>> = vec![None; flow.vars as usize];
    let mut gone = vec![false; flow.blocks.len()];
    let mut protected = vec![false; flow.blocks.len()];
    for block in &flow.blocks {
        if let Some(handler) = block.handler {
            protected[handler.index()] = true;
        }
        if let End::Protect { handler, .. } = &block.end {
            protected[handler.index()] = true;
        }
    }
    for index in 0..flow.blocks.len() {
        if gone[index] {
            continue;
        }
        while let End::Jump(to, _) = flow.blocks[index].end {
            let next = to.index();
            let alone = predecessors[next].len() == 1 && next != 0 && next != index;
            if !alone || protected[next] || flow.blocks[next].handler != flow.blocks[index].handler {
                break;
            }
            gone[next] = true;
            let taken = std::mem::replace(
                &mut flow.blocks[next],
                Block { params: vec![], insts: vec![], end: End::Open, line: NO_LINE, handler: None },
            );
            let block = &mut flow.blocks[index];
            if let End::Jump(_, args) = std::mem::replace(&mut block.end, taken.end) {
                for (param, arg) in taken.params.iter().zip(args) {
                    replacement[param.index()] = Some(arg);
                }
            }
            block.insts.extend(taken.insts);
            block.line = taken.line;
        }
    }
    substitute(flow, &replacement);
}

/// Removes what cannot be reached, and numbers the rest anew.
fn drop_unreachable(flow: &mut Flow) {
    let mut reached = vec![false; flow.blocks.len()];
    let mut waiting = vec![BlockId(0)];
    while let Some(id) = waiting.pop() {
        if std::mem::replace(&mut reached[id.index()], true) {
            continue;
        }
        flow.block(id).end.each_target(|to| waiting.push(to));
    }
    let mut place = vec![BlockId(0); flow.blocks.len()];
    let mut count = 0;
    for (index, reached) in reached.iter().enumerate() {
        place[index] = BlockId(count);
        count += u32::from(*reached);
    }
    let mut index = 0;
    flow.blocks.retain(|_| {
        index += 1;
        reached[index - 1]
    });
    for block in &mut flow.blocks {
        block.end.each_target_mut(|to| *to = place[to.index()]);
        if let Some(handler) = &mut block.handler {
            // A handler is reached from its `Protect`, and so is every block that names it.
            *handler = place[handler.index()];
        }
    }
}

/// Removes instructions and parameters whose results nothing reads.
pub(in crate::codegen) fn drop_unused(flow: &mut Flow) {
    let mut counts = use_counts(flow);
    let forget = |value: Value, counts: &mut Vec<u32>| {
        if let Some(var) = value.var() {
            counts[var.index()] -= 1;
        }
    };
    loop {
        let mut changed = false;
        for block in flow.blocks.iter_mut().rev() {
            let mut insts = std::mem::take(&mut block.insts);
            let mut at = insts.len();
            while at > 0 {
                at -= 1;
                let inst = &insts[at];
                if inst.is_pure() && inst.dsts.iter().all(|dst| counts[dst.index()] == 0) {
                    inst.args.iter().for_each(|&value| forget(value, &mut counts));
                    insts[at].op = Op::Timeout;
                    insts[at].dsts = vec![crate::core::Var(u32::MAX)];
                    changed = true;
                }
            }
            insts.retain(|inst: &Inst| inst.dsts.first() != Some(&crate::core::Var(u32::MAX)));
            block.insts = insts;
        }
        changed |= drop_params(flow, &mut counts);
        if !changed {
            return;
        }
    }
}

fn drop_params(flow: &mut Flow, counts: &mut [u32]) -> bool {
    let unused: Vec<bool> =
        flow.blocks.iter().map(|block| block.params.iter().any(|param| counts[param.index()] == 0)).collect();
    if !unused.contains(&true) {
        return false;
    }
    let mut keep: Vec<Vec<bool>> = Vec::with_capacity(flow.blocks.len());
    let mut changed = false;
    for (block, unused) in flow.blocks.iter().zip(&unused) {
        // The value that ends a `catch` stays: the machine puts the exception there.
        let fixed = block.insts.first().is_some_and(|inst| inst.op == Op::CatchEnd);
        let kept: Vec<bool> = if *unused && !fixed {
            block.params.iter().map(|param| counts[param.index()] > 0).collect()
        } else {
            Vec::new()
        };
        changed |= !kept.is_empty();
        keep.push(kept);
    }
    for block in &mut flow.blocks {
        if let End::Jump(to, args) = &mut block.end
            && !keep[to.index()].is_empty()
        {
            let mut kept = keep[to.index()].iter();
            args.retain(|value| {
                let keep = kept.next().copied().unwrap_or(true);
                if let (false, Some(var)) = (keep, value.var()) {
                    counts[var.index()] -= 1;
                }
                keep
            });
        }
    }
    for (block, kept) in flow.blocks.iter_mut().zip(&keep) {
        if !kept.is_empty() {
            let mut kept = kept.iter();
            block.params.retain(|_| kept.next().copied().unwrap_or(true));
        }
    }
    changed
}

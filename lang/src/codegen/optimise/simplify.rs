//! Blocks: unreachable ones go, empty ones are passed by, those in a row become one.

use crate::hash::HashMap;

use super::{substitute, use_counts};
use crate::bytecode::Line;
use crate::codegen::flow::{Block, BlockId, End, Fail, Flow, Inst, NO_LINE, Op, Test};
use crate::core::{Const, Value, Var};

/// Brings the blocks into a simple form. Whether anything changed: if not, to do it again changes nothing either.
pub(in crate::codegen) fn simplify(flow: &mut Flow) -> bool {
    decide(flow);
    let mut changed = share_ends(flow);
    changed |= pass_by(flow);
    changed |= drop_unreachable(flow);
    if merge(flow) {
        drop_unreachable(flow);
        changed = true;
    }
    changed
}

/// A variable equals itself.
fn decide(flow: &mut Flow) {
    for block in &mut flow.blocks {
        if let End::Branch { inst, yes, .. } = &block.end
            && let Op::Test(Test::Eq | Test::ExactEq) = inst.op
            && inst.args[0] == inst.args[1]
        {
            block.end = End::Jump(*yes, Vec::new());
        }
    }
}

/// Makes one block of those that do nothing but return the same constant, or raise the same. Whether there were any.
fn share_ends(flow: &mut Flow) -> bool {
    let only_ends = |block: &Block| {
        block.insts.is_empty()
            && block.params.is_empty()
            && match &block.end {
                End::Return(Value::Const(_)) => true,
                End::Fail(..) => block.handler.is_none(),
                _ => false,
            }
    };
    if flow.blocks.iter().skip(1).filter(|block| only_ends(block)).nth(1).is_none() {
        return false;
    }
    // Not with a frame here and without one there: the latter would have to make one.
    let framed = may_be_framed(flow);
    let mut returns: HashMap<(Const, bool), BlockId> = HashMap::default();
    let mut failures: HashMap<(Fail, Vec<Value>, Line, bool), BlockId> = HashMap::default();
    let mut changed = false;
    for (index, framed) in framed.into_iter().enumerate().skip(1) {
        let block = &flow.blocks[index];
        if !only_ends(block) {
            continue;
        }
        let id = BlockId(index as u32);
        let same = match &block.end {
            End::Return(Value::Const(constant)) => *returns.entry((*constant, framed)).or_insert(id),
            End::Fail(fail, args) => {
                *failures.entry((*fail, args.to_vec(), block.line, framed)).or_insert(id)
            }
            _ => continue,
        };
        if same != id {
            flow.blocks[index].end = End::Jump(same, Vec::new());
            changed = true;
        }
    }
    changed
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

/// Leads past blocks that only jump. Whether there were any.
fn pass_by(flow: &mut Flow) -> bool {
    let only_jumps = |block: &Block| {
        matches!(block.end, End::Jump(..)) && block.insts.is_empty() && block.params.is_empty()
    };
    if !flow.blocks.iter().any(only_jumps) {
        return false;
    }
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
        if flow.block(at).params.is_empty() {
            *place = at;
        }
    }
    let mut changed = false;
    for index in 0..flow.blocks.len() {
        let mut end = std::mem::replace(&mut flow.blocks[index].end, End::Open);
        end.each_target_mut(|to| {
            changed |= *to != target[to.index()];
            *to = target[to.index()];
        });
        // A jump may take over the arguments of an empty block.
        if let End::Jump(to, args) = &end
            && args.is_empty()
            && to.index() != index
            && only_jumps(flow.block(*to))
            && let End::Jump(next, args) = &flow.block(*to).end
        {
            end = End::Jump(*next, args.clone());
            changed = true;
        }
        flow.blocks[index].end = end;
    }
    changed
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

/// Appends blocks to their only predecessor. Whether there were any.
fn merge(flow: &mut Flow) -> bool {
    if !flow.blocks.iter().any(|block| matches!(block.end, End::Jump(..))) {
        return false;
    }
    let predecessors = flow.predecessor_counts();
    let mut replacement: Vec<Option<Value>> = Vec::new();
    let mut merged = false;
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
            let alone = predecessors[next] == 1 && next != 0 && next != index;
            if !alone || protected[next] || flow.blocks[next].handler != flow.blocks[index].handler {
                break;
            }
            gone[next] = true;
            merged = true;
            let taken = std::mem::replace(
                &mut flow.blocks[next],
                Block { params: vec![], insts: vec![], end: End::Open, line: NO_LINE, handler: None },
            );
            let block = &mut flow.blocks[index];
            if let End::Jump(_, args) = std::mem::replace(&mut block.end, taken.end) {
                if replacement.is_empty() && !taken.params.is_empty() {
                    replacement.resize(flow.vars as usize, None);
                }
                for (param, arg) in taken.params.iter().zip(args) {
                    replacement[param.index()] = Some(arg);
                }
            }
            if block.insts.is_empty() {
                block.insts = taken.insts;
            } else {
                block.insts.extend(taken.insts);
            }
            block.line = taken.line;
        }
    }
    if !replacement.is_empty() {
        substitute(flow, &replacement);
    }
    merged
}

/// Removes what cannot be reached, and numbers the rest anew. Whether there was any.
fn drop_unreachable(flow: &mut Flow) -> bool {
    let mut reached = vec![false; flow.blocks.len()];
    let mut waiting = vec![BlockId(0)];
    while let Some(id) = waiting.pop() {
        if std::mem::replace(&mut reached[id.index()], true) {
            continue;
        }
        flow.block(id).end.each_target(|to| waiting.push(to));
    }
    if !reached.contains(&false) {
        return false;
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
    true
}

/// The result of an instruction that is about to go.
const NOWHERE: Var = Var(u32::MAX);

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
            let unused = |inst: &Inst, counts: &[u32]| {
                inst.is_pure() && inst.dsts.iter().all(|dst| counts[dst.index()] == 0)
            };
            // From the end up, as what only an unused one reads is unused too.
            let mut found = false;
            for inst in block.insts.iter_mut().rev() {
                if unused(inst, &counts) {
                    inst.args.iter().for_each(|&value| forget(value, &mut counts));
                    inst.op = Op::Timeout;
                    inst.dsts = vec![NOWHERE];
                    found = true;
                }
            }
            if found {
                block.insts.retain(|inst| inst.dsts.first() != Some(&NOWHERE));
                changed = true;
            }
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

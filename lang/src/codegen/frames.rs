//! Which variables need slots, and which blocks have a frame.

use super::flow::{Block, BlockId, End, Flow, Inst, Op};
use super::liveness::Liveness;
use super::var_set::VarSet;
use crate::core::{Value, Var};

/// The instruction of a block before which it makes its frame, if it makes one: the first, but never while a message
/// is being looked at, or between a wait and its end.
pub(super) fn frame_position(block: &Block) -> usize {
    let ends_receive = |inst: &Inst| matches!(inst.op, Op::RemoveMessage | Op::Timeout);
    block.insts.iter().rposition(ends_receive).map_or(0, |at| at + 1)
}

/// Which variables need a slot.
pub(super) fn survivors(flow: &Flow, liveness: &Liveness) -> Vec<bool> {
    let mut survivors = vec![false; flow.vars as usize];
    let all = |vars: &VarSet, survivors: &mut Vec<bool>| {
        vars.each(|var| survivors[var.index()] = true);
    };
    for (index, block) in flow.blocks.iter().enumerate() {
        let id = BlockId(index as u32);
        match &block.end {
            End::Protect { slot, handler, .. } => {
                survivors[slot.index()] = true;
                all(liveness.set(*handler), &mut survivors);
            }
            End::LoopRec { dst, .. } => all(&across_receive(flow, liveness, id, *dst), &mut survivors),
            End::WaitTimeout { next, time, .. } => {
                all(liveness.set(*next), &mut survivors);
                if let Some(var) = time.var() {
                    survivors[var.index()] = true;
                }
            }
            _ => {}
        }
        if block.insts.iter().any(Inst::clobbers) {
            call_survivors(flow, liveness, id, &mut survivors);
        }
    }
    survivors
}

/// What is alive while a message is waited for, the message aside: what was there before.
fn across_receive(flow: &Flow, liveness: &Liveness, id: BlockId, message: Var) -> VarSet {
    let mut live = liveness.live_out(flow, id);
    live.remove(message);
    live
}

/// What is alive across the calls of a block.
fn call_survivors(flow: &Flow, liveness: &Liveness, id: BlockId, survivors: &mut [bool]) {
    let block = flow.block(id);
    // Only those not known to survive, so each is handed on once.
    let mut live: VarSet = liveness.live_out(flow, id);
    block.end.each_def(|var| {
        live.remove(var);
    });
    let read = |live: &mut VarSet, survivors: &[bool], value: Value| {
        if let Some(var) = value.var()
            && !survivors[var.index()]
        {
            live.insert(var);
        }
    };
    block.end.each_use(|value| read(&mut live, survivors, value));
    for inst in block.insts.iter().rev() {
        for dst in &inst.dsts {
            live.remove(*dst);
        }
        if inst.clobbers() {
            live.drain(|var| survivors[var.index()] = true);
        }
        for &value in &inst.args {
            read(&mut live, survivors, value);
        }
    }
}

/// Which blocks have a frame.
pub(super) fn framed(flow: &Flow, liveness: &Liveness) -> Vec<bool> {
    let mut framed = vec![false; flow.blocks.len()];
    let mut waiting = Vec::new();
    for (index, block) in flow.blocks.iter().enumerate() {
        let id = BlockId(index as u32);
        let needs = block.insts.iter().any(Inst::clobbers)
            || match &block.end {
                End::Protect { .. } => true,
                End::LoopRec { dst, .. } => !across_receive(flow, liveness, id, *dst).is_empty(),
                // The time is read again and again.
                End::WaitTimeout { time, next, .. } => {
                    time.var().is_some() || !liveness.set(*next).is_empty()
                }
                _ => false,
            };
        if needs {
            waiting.push(id);
        }
    }
    while let Some(id) = waiting.pop() {
        if !std::mem::replace(&mut framed[id.index()], true) {
            flow.block(id).end.each_target(|to| waiting.push(to));
        }
    }
    framed
}

/// Adds blocks that make the frame where blocks with and without one meet; says which blocks make it.
pub(super) fn make_frames(flow: &mut Flow, framed: &mut Vec<bool>, liveness: &mut Liveness) -> Vec<bool> {
    let count = flow.blocks.len();
    let mut mixed = vec![(false, false); count];
    mixed[0].0 = true;
    for (index, block) in flow.blocks.iter().enumerate() {
        block.end.each_target(|to| {
            if framed[index] {
                mixed[to.index()].1 = true;
            } else {
                mixed[to.index()].0 = true;
            }
        });
    }
    let mut makes: Vec<bool> = (0..count).map(|at| framed[at] && mixed[at].0 && !mixed[at].1).collect();
    let mut shared: Vec<Option<BlockId>> = vec![None; count];
    for index in 0..count {
        if framed[index] {
            continue;
        }
        let mut end = std::mem::replace(&mut flow.blocks[index].end, End::Open);
        let args = match &mut end {
            End::Jump(_, args) => std::mem::take(args),
            _ => Vec::new(),
        };
        let mut taken = false;
        end.each_target_mut(|to| {
            let target = *to;
            if !framed[target.index()] || makes[target.index()] {
                return;
            }
            taken = true;
            if let (true, Some(block)) = (args.is_empty(), shared[target.index()]) {
                *to = block;
                return;
            }
            let mut block = flow.blocks[index].clone();
            let mut live = liveness.set(target).clone();
            live.extend(args.iter().filter_map(|value| value.var()));
            block.params.clear();
            block.insts.clear();
            block.end = End::Jump(target, args.clone());
            flow.blocks.push(block);
            liveness.push(live);
            let new = BlockId(flow.blocks.len() as u32 - 1);
            if args.is_empty() {
                shared[target.index()] = Some(new);
            }
            *to = new;
        });
        if let (false, End::Jump(_, kept)) = (taken, &mut end) {
            *kept = args;
        }
        flow.blocks[index].end = end;
    }
    framed.resize(flow.blocks.len(), true);
    makes.resize(flow.blocks.len(), true);
    makes
}

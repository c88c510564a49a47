//! The callee's side: parameters that are terms or contexts.

use super::super::flow::{BlockId, End, Flow, Inst, NO_LINE, Op};
use super::{first_use, materialise, started};
use crate::core::{Value, Var};

/// Lets parameter `param` of a function be a match context.
pub(super) fn accept(flow: &mut Flow, param: u8) {
    let var = flow.params[usize::from(param)];
    // From here on `either` is what was passed, and `var` the term, which is made where it is read.
    let either = flow.var();
    flow.params[usize::from(param)] = either;
    let starts = first_starts(flow, var);
    for &id in &starts {
        if let End::Branch { inst, .. } = &mut flow.block_mut(id).end {
            inst.args[0] = Value::Var(either);
        }
    }
    if let [start] = starts[..]
        && fails_only(flow, start, var)
    {
        return;
    }
    if read_before(flow, &starts, var) {
        let begin = Inst { op: Op::BsBegin, args: vec![Value::Var(either)], dsts: vec![], line: NO_LINE };
        flow.block_mut(BlockId(0)).insts.insert(0, begin);
    }
    materialise(flow, var, &Op::BsWhole, either);
}

/// The blocks that end by starting a match of `var` with none before them on any way. (A context is started once.)
fn first_starts(flow: &Flow, var: Var) -> Vec<BlockId> {
    let starts: Vec<(BlockId, [BlockId; 2])> = (0..flow.blocks.len() as u32)
        .map(BlockId)
        .filter_map(|id| {
            let (_, source, targets) = started(&flow.block(id).end)?;
            (source == var).then_some((id, targets))
        })
        .collect();
    let behind: Vec<BlockId> = starts.iter().flat_map(|(_, targets)| targets).copied().collect();
    let after = reached(flow, &behind, |_| false);
    starts.into_iter().map(|(id, _)| id).filter(|id| !after[id.index()]).collect()
}

/// The blocks that control may reach from `from`, not going on behind those that `stops`.
fn reached(flow: &Flow, from: &[BlockId], stops: impl Fn(BlockId) -> bool) -> Vec<bool> {
    let mut seen = vec![false; flow.blocks.len()];
    let mut waiting = from.to_vec();
    while let Some(id) = waiting.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        waiting.extend(flow.block(id).handler);
        if !stops(id) {
            flow.block(id).end.each_target(|to| waiting.push(to));
        }
    }
    seen
}

/// Whether `var` is read somewhere before a match of it was started.
fn read_before(flow: &Flow, starts: &[BlockId], var: Var) -> bool {
    let before = reached(flow, &[BlockId(0)], |id| starts.contains(&id));
    let mut ids = (0..flow.blocks.len() as u32).map(BlockId);
    ids.any(|id| before[id.index()] && first_use(flow, id, var).is_some())
}

/// If the term is only wanted to say that no clause fits: makes it from the context there, so that what was passed need not be kept.
/// Whether that is so.
fn fails_only(flow: &mut Flow, start: BlockId, var: Var) -> bool {
    let Some((context, either, [yes, no])) = started(&flow.block(start).end) else { return false };
    let readers: Vec<BlockId> =
        (0..flow.blocks.len() as u32).map(BlockId).filter(|&id| first_use(flow, id, var).is_some()).collect();
    let ends_in_failure = |&id: &BlockId| {
        let block = flow.block(id);
        matches!(block.end, End::Fail(..)) && block.params.is_empty() && block.insts.is_empty()
    };
    if !readers.iter().all(ends_in_failure) {
        return false;
    }
    let before = reached(flow, &[BlockId(0)], |id| id == start);
    let without = reached(flow, &[no], |_| false);
    if readers.iter().any(|&id| before[id.index()] || without[id.index()] && id != no) {
        return false;
    }
    // Where there was no bitstring the failure is another one: of what was passed, a term.
    let replace_in = |flow: &mut Flow, id: BlockId, term: Var| {
        flow.block_mut(id).end.each_use_mut(|value| {
            if *value == Value::Var(var) {
                *value = Value::Var(term);
            }
        });
    };
    if readers.contains(&no) {
        let own = BlockId(flow.blocks.len() as u32);
        flow.blocks.push(flow.block(no).clone());
        replace_in(flow, own, either);
        if let End::Branch { no, .. } = &mut flow.block_mut(start).end {
            *no = own;
        }
    }
    let with = reached(flow, &[yes], |_| false);
    for id in readers {
        if with[id.index()] {
            let term = flow.var();
            let line = flow.block(id).line;
            let inst = Inst { op: Op::BsWhole, args: vec![Value::Var(context)], dsts: vec![term], line };
            flow.block_mut(id).insts.push(inst);
            replace_in(flow, id, term);
        }
    }
    true
}

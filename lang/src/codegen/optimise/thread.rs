//! Booleans that are computed to be tested: the test is made at once.

use super::{branch, is, predecessors, use_counts};
use crate::codegen::flow::{Block, BlockId, End, Flow, Inst, Op, Test};
use crate::codegen::words;
use crate::core::{Const, Value, Var};
use crate::known;

/// A decision with more cases is not copied to those that jump to it.
const MAX_COPIED_CASES: usize = 3;

/// Leads past blocks that only test their parameter: with a constant to where the test would lead, with a variable by
/// a copy of the test. Whether anything changed.
pub(in crate::codegen) fn thread(flow: &mut Flow) -> bool {
    let decides = |block: &Block| {
        block.params.len() == 1
            && block.insts.is_empty()
            && matches!(block.end, End::Select { .. } | End::Branch { .. })
    };
    if !flow.blocks.iter().any(decides) {
        return false;
    }
    let mut changed = false;
    let counts = use_counts(flow);
    let predecessors = predecessors(flow);
    for index in 0..flow.blocks.len() {
        let Some((param, dead)) = decision(flow, index, &counts, &predecessors) else { continue };
        for &from in &predecessors[index] {
            let End::Jump(to, args) = &flow.block(from).end else { continue };
            let (true, &[arg]) = (to.index() == index && from.index() != index, &args[..]) else { continue };
            let end = match arg {
                Value::Const(constant) => match known_target(&flow.blocks[index].end, constant) {
                    Some(to) if Some(to) != dead => End::Jump(to, vec![]),
                    _ => continue,
                },
                Value::Var(_) => match copy(flow, index, param, dead, arg) {
                    Some(end) => end,
                    None => continue,
                },
            };
            flow.block_mut(from).end = end;
            changed = true;
        }
    }
    changed
}

/// The parameter that a block only tests, and the block behind that raises with it, if any.
fn decision(
    flow: &Flow,
    index: usize,
    counts: &[u32],
    predecessors: &[Vec<BlockId>],
) -> Option<(Var, Option<BlockId>)> {
    let block = &flow.blocks[index];
    let (true, &[param]) = (block.insts.is_empty(), &block.params[..]) else { return None };
    match &block.end {
        End::Select { value, .. } if is(*value, param) => {}
        End::Branch { inst, .. }
            if inst.op == Op::Test(Test::ExactEq)
                && is(inst.args[0], param)
                && matches!(inst.args[1], Value::Const(_)) => {}
        _ => return None,
    }
    let mut uses = counts[param.index()] - 1;
    let mut dead = None;
    block.end.each_target(|to| {
        let raising = flow.block(to);
        if matches!(raising.end, End::Fail(..)) && predecessors[to.index()].len() == 1 && dead.is_none() {
            let mut here = 0;
            raising
                .insts
                .iter()
                .flat_map(|inst| &inst.args)
                .for_each(|&value| here += u32::from(is(value, param)));
            raising.end.each_use(|value| here += u32::from(is(value, param)));
            if here > 0 {
                uses -= here;
                dead = Some(to);
            }
        }
    });
    (uses == 0).then_some((param, dead))
}

/// Where the decision leads for a constant.
fn known_target(end: &End, constant: Const) -> Option<BlockId> {
    match end {
        End::Select { cases, default, .. } => {
            Some(cases.iter().find(|(case, _)| *case == constant).map_or(*default, |(_, to)| *to))
        }
        End::Branch { inst, yes, no } => match inst.args[1] {
            Value::Const(other) => Some(if other == constant { *yes } else { *no }),
            Value::Var(_) => None,
        },
        _ => None,
    }
}

/// The decision on `arg` instead of the parameter.
fn copy(flow: &mut Flow, index: usize, param: Var, dead: Option<BlockId>, arg: Value) -> Option<End> {
    let mut end = match &flow.blocks[index].end {
        End::Select { cases, .. } if cases.len() > MAX_COPIED_CASES => return None,
        end => end.clone(),
    };
    let replace = |value: &mut Value| {
        if is(*value, param) {
            *value = arg;
        }
    };
    end.each_use_mut(replace);
    if let Some(dead) = dead {
        let mut raising: Block = flow.block(dead).clone();
        if raising.insts.iter().any(|inst| !inst.dsts.is_empty()) {
            return None;
        }
        raising.insts.iter_mut().flat_map(|inst| &mut inst.args).for_each(replace);
        raising.end.each_use_mut(replace);
        flow.blocks.push(raising);
        let new = BlockId(flow.blocks.len() as u32 - 1);
        end.each_target_mut(|to| {
            if *to == dead {
                *to = new;
            }
        });
    }
    Some(end)
}

/// Turns a boolean that is computed and then tested into the test. Whether there was any.
pub(in crate::codegen) fn fuse(flow: &mut Flow) -> bool {
    let decides = |block: &Block| {
        block.insts.last().is_some_and(|last| matches!(last.op, Op::Bool(_)))
            && boolean_decision(&block.end).is_some()
    };
    if !flow.blocks.iter().any(decides) {
        return false;
    }
    let mut changed = false;
    let counts = use_counts(flow);
    let predecessors = flow.predecessor_counts();
    // Uses in a raising block behind do not count, if both booleans lead elsewhere: then none gets there.
    for index in 0..flow.blocks.len() {
        let Some((value, yes, no)) = boolean_decision(&flow.blocks[index].end) else { continue };
        let Some(last) = flow.blocks[index].insts.last() else { continue };
        let (Op::Bool(name), Some(&dst)) = (&last.op, last.dsts.first()) else { continue };
        if dst != value {
            continue;
        }
        let Some(comparison) = words::test(*name, last.args.len()) else { continue };
        let mut here = 0;
        flow.blocks[index].end.each_use(|value| here += u32::from(is(value, dst)));
        let raising = match &flow.blocks[index].end {
            End::Select { default, .. } if ![yes, no].contains(default) => {
                let mut uses = 0;
                flow.block(*default).end.each_use(|value| uses += u32::from(is(value, dst)));
                let alone = predecessors[default.index()] == 1;
                if alone && matches!(flow.block(*default).end, End::Fail(..)) { uses } else { 0 }
            }
            _ => 0,
        };
        let keep = counts[dst.index()] > here + raising;
        let mut args = last.args.clone();
        if comparison.swapped {
            args.reverse();
        }
        let inst = Inst { op: Op::Test(comparison.test), args, dsts: vec![], line: last.line };
        let block = &mut flow.blocks[index];
        if !keep {
            block.insts.pop();
        }
        block.end = End::Branch { inst, yes, no };
        changed = true;
    }
    changed
}

/// The variable that an end tests for being `true` and `false`, and where these lead.
fn boolean_decision(end: &End) -> Option<(Var, BlockId, BlockId)> {
    let target = |cases: &[(Const, BlockId)], default: BlockId, name| {
        cases.iter().find(|(case, _)| *case == Const::Atom(name)).map_or(default, |(_, to)| *to)
    };
    match end {
        End::Select { value: Value::Var(var), cases, default } => {
            Some((*var, target(cases, *default, known::TRUE), target(cases, *default, known::FALSE)))
        }
        End::Branch { inst, yes, no } if inst.op == Op::Test(Test::ExactEq) => match inst.args[..] {
            [Value::Var(var), Value::Const(Const::Atom(known::TRUE))] => Some((var, *yes, *no)),
            [Value::Var(var), Value::Const(Const::Atom(known::FALSE))] => Some((var, *no, *yes)),
            _ => None,
        },
        _ => None,
    }
}

/// Joins the tests for a tuple's arity and for its first element. Whether there were any.
pub(in crate::codegen) fn tagged(flow: &mut Flow) -> bool {
    let asks =
        |end: &End| branch(end).is_some_and(|(inst, ..)| matches!(inst.op, Op::Test(Test::TupleOf(_))));
    if !flow.blocks.iter().any(|block| asks(&block.end)) {
        return false;
    }
    let mut changed = false;
    let predecessors = flow.predecessor_counts();
    for index in 0..flow.blocks.len() {
        let Some((inst, yes, no)) = branch(&flow.blocks[index].end) else { continue };
        let (Op::Test(Test::TupleOf(arity)), &[tuple]) = (&inst.op, &inst.args[..]) else { continue };
        let arity = *arity;
        let behind = flow.block(yes);
        let alone = predecessors[yes.index()] == 1
            && behind.insts.iter().all(|inst| matches!(inst.op, Op::Element(_)));
        let Some((test, matched, other)) = branch(&behind.end) else { continue };
        let (Op::Test(Test::ExactEq), &[first, Value::Const(Const::Atom(tag))]) = (&test.op, &test.args[..])
        else {
            continue;
        };
        let is_first = behind.insts.iter().any(|inst| {
            inst.op == Op::Element(0) && inst.args[0] == tuple && inst.dsts.first().copied() == first.var()
        });
        if !(alone && is_first && other == no) {
            continue;
        }
        flow.block_mut(yes).end = End::Jump(matched, vec![]);
        if let End::Branch { inst, .. } = &mut flow.blocks[index].end {
            inst.op = Op::Test(Test::Tagged(arity, tag));
        }
        changed = true;
    }
    changed
}

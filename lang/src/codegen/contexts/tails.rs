//! The caller's side: rests of contexts that are passed on.

use crate::hash::HashMap;
use std::collections::BTreeSet;

use super::super::flow::{Block, BlockId, End, Flow, Inst, Op, Target};
use super::super::liveness::Liveness;
use super::super::optimise::substitute;
use super::super::var_set::VarSet;
use super::{materialise, started};
use crate::Name;
use crate::bytecode::FnIx;
use crate::core::{Value, Var};

/// The rest of a context: where it is taken, and from what.
#[derive(Clone, Copy)]
struct Tail {
    /// The block that ends by taking it, and where that goes on.
    block: BlockId,
    yes: BlockId,
    unit: u16,
    var: Var,
    context: Var,
    /// What the context was started on, if known.
    source: Option<Var>,
}

/// Where contexts are taken: the parameters of each function, and the places of functions by name.
struct Takers<'a> {
    params: &'a [Vec<bool>],
    functions: &'a HashMap<(Name, u8), FnIx>,
}

impl Takers<'_> {
    /// The one argument of a call that is `var` and may be passed as a context.
    fn position(&self, target: Target, args: &[Value], var: Var) -> Option<(FnIx, usize)> {
        let Target::Local(name, arity) = target else { return None };
        let function = *self.functions.get(&(name, arity))?;
        let mut places = args.iter().enumerate().filter(|(_, value)| **value == Value::Var(var));
        let (at, _) = places.next()?;
        let takes = self.params[function.index()].get(at).copied().unwrap_or(false);
        (takes && places.next().is_none()).then_some((function, at))
    }
}

/// A use that becomes the passing of a context: block, instruction (its end: the number of instructions), argument.
type Passing = (BlockId, usize, FnIx, usize);

/// Rewrites a function; enters into `passed` the parameters that it passes contexts in.
pub(super) fn pass(
    flow: &mut Flow,
    params: &[Vec<bool>],
    functions: &HashMap<(Name, u8), FnIx>,
    passed: &mut [BTreeSet<u8>],
) {
    let tails = tails(flow);
    if tails.is_empty() {
        return;
    }
    let takers = Takers { params, functions };
    drop_copies(flow, &takers, &tails);
    let mut liveness = Liveness::new(flow);
    for tail in tails {
        let passings = passings(flow, &liveness, &takers, tail);
        if passings.is_empty() || !stays(flow, &liveness, tail) {
            continue;
        }
        for &(block, at, function, arg) in &passings {
            set_argument(flow.block_mut(block), at, arg, Value::Var(tail.context));
            passed[function.index()].insert(arg as u8);
        }
        rewrite(flow, &mut liveness, tail);
    }
}

/// All rests that a function takes.
fn tails(flow: &Flow) -> Vec<Tail> {
    let mut sources = HashMap::default();
    for block in &flow.blocks {
        if let Some((context, source, _)) = started(&block.end) {
            sources.insert(context, source);
        }
    }
    let mut tails = Vec::new();
    for (index, block) in flow.blocks.iter().enumerate() {
        let End::Branch { inst: Inst { op: Op::BsBinary { unit }, args, dsts, .. }, yes, .. } = &block.end
        else {
            continue;
        };
        // With a second argument it has a size, and is no rest.
        if let (&[Value::Var(context)], &[var]) = (&args[..], &dsts[..]) {
            let source = sources.get(&context).copied();
            let block = BlockId(index as u32);
            tails.push(Tail { block, yes: *yes, unit: *unit, var, context, source });
        }
    }
    tails
}

/// Drops the copies of rests that are passed where contexts are taken.
fn drop_copies(flow: &mut Flow, takers: &Takers<'_>, tails: &[Tail]) {
    let mut copies: Vec<Option<Value>> = vec![None; flow.vars as usize];
    for inst in flow.blocks.iter().flat_map(|block| &block.insts) {
        if let (Op::Copy, &[Value::Var(from)]) = (&inst.op, &inst.args[..])
            && tails.iter().any(|tail| tail.var == from)
        {
            copies[inst.dsts[0].index()] = Some(Value::Var(from));
        }
    }
    let mut wanted: Vec<Option<Value>> = vec![None; flow.vars as usize];
    let mut look = |target: Target, args: &[Value]| {
        for var in args.iter().filter_map(|value| value.var()) {
            if copies[var.index()].is_some() && takers.position(target, args, var).is_some() {
                wanted[var.index()] = copies[var.index()];
            }
        }
    };
    for block in &flow.blocks {
        if let End::TailCall(target, args) = &block.end {
            look(*target, args);
        }
        for inst in &block.insts {
            if let Op::Call(target) = inst.op {
                look(target, &inst.args);
            }
        }
    }
    if wanted.iter().any(Option::is_some) {
        for block in &mut flow.blocks {
            block.insts.retain(|inst| inst.op != Op::Copy || wanted[inst.dsts[0].index()].is_none());
        }
        substitute(flow, &wanted);
    }
}

/// The uses that may pass the context instead; none if there is a use that forbids to do so at all.
fn passings(flow: &Flow, liveness: &Liveness, takers: &Takers<'_>, tail: Tail) -> Vec<Passing> {
    let mut passings = Vec::new();
    for (index, block) in flow.blocks.iter().enumerate() {
        let id = BlockId(index as u32);
        if id != tail.yes && !liveness.is_live_in(id, tail.var) {
            continue;
        }
        if block.insts.iter().any(|inst| inst.op == Op::Copy && reads(inst, tail.var)) {
            return Vec::new();
        }
        if let End::TailCall(target, args) = &block.end
            && let Some((function, arg)) = takers.position(*target, args, tail.var)
            && !args.contains(&Value::Var(tail.context))
        {
            passings.push((id, block.insts.len(), function, arg));
        }
        // From the end up, as what is alive behind an instruction counts.
        let mut live: VarSet = liveness.live_out(flow, id);
        block.end.each_def(|var| {
            live.remove(var);
        });
        block.end.each_use(|value| live.extend(value.var()));
        for (at, inst) in block.insts.iter().enumerate().rev() {
            if let Op::Call(target) = inst.op
                && let Some((function, arg)) = takers.position(target, &inst.args, tail.var)
                && !reads(inst, tail.context)
                && ![Some(tail.var), Some(tail.context), tail.source]
                    .iter()
                    .flatten()
                    .any(|var| live.contains(*var))
            {
                passings.push((id, at, function, arg));
            }
            for dst in &inst.dsts {
                live.remove(*dst);
            }
            live.extend(inst.args.iter().filter_map(|value| value.var()));
        }
    }
    passings
}

/// Whether the context stays at the rest's place for as long as the rest is wanted.
fn stays(flow: &Flow, liveness: &Liveness, tail: Tail) -> bool {
    for (index, block) in flow.blocks.iter().enumerate() {
        let id = BlockId(index as u32);
        if id != tail.yes && !liveness.is_live_in(id, tail.var) {
            continue;
        }
        let moves = |inst: &Inst| reads(inst, tail.context) && moves(&inst.op);
        let first_move = block.insts.iter().position(moves);
        let end_moves = match &block.end {
            End::Branch { inst, .. } => moves(inst),
            End::TailCall(_, args) => args.contains(&Value::Var(tail.context)),
            _ => false,
        };
        let lives_on = liveness.live_out(flow, id).contains(tail.var);
        let mut in_end = false;
        block.end.each_use(|value| in_end |= value == Value::Var(tail.var));
        if let Some(first) = first_move
            && (lives_on || in_end || block.insts[first..].iter().any(|inst| reads(inst, tail.var)))
        {
            return false;
        }
        if end_moves && (lives_on || in_end) {
            return false;
        }
    }
    true
}

/// Whether an instruction leaves the context in its first argument (or any, of a call) at another place.
fn moves(op: &Op) -> bool {
    !matches!(op, Op::BsPosition | Op::BsTail(_) | Op::BsRest { .. } | Op::BsGetTail | Op::BsWhole)
}

fn reads(inst: &Inst, var: Var) -> bool {
    inst.args.contains(&Value::Var(var))
}

fn set_argument(block: &mut Block, at: usize, arg: usize, value: Value) {
    match (block.insts.get_mut(at), &mut block.end) {
        (Some(inst), _) => inst.args[arg] = value,
        (None, End::TailCall(_, args)) => args[arg] = value,
        (None, _) => {}
    }
}

/// The rest is not taken any more, and made where it is still wanted.
fn rewrite(flow: &mut Flow, liveness: &mut Liveness, tail: Tail) {
    let block = flow.block_mut(tail.block);
    if let End::Branch { inst, yes, .. } = &mut block.end {
        if tail.unit == 1 {
            block.end = End::Jump(*yes, vec![]);
        } else {
            inst.op = Op::BsRest { unit: tail.unit };
            inst.dsts.clear();
        }
    }
    // Where the rest was alive, the context is now.
    for index in 0..flow.blocks.len() as u32 {
        let id = BlockId(index);
        if liveness.is_live_in(id, tail.var) {
            liveness.remove(id, tail.var);
            liveness.add(id, tail.context);
        }
    }
    materialise(flow, tail.var, &Op::BsGetTail, tail.context);
}

//! Match contexts handed on instead of the rest of a binary.
//!
//! A loop over a binary matches `<<C, Rest/binary>>` and calls itself with `Rest`, which the callee matches at once: the rest as a
//! term would be made only to be taken apart. So where a parameter is matched (`bs_start`), local calls may pass the context in which the rest
//! is what is left, and nothing is allocated from one turn to the next. Two rewritings, function by function:
//!
//! - [`tails`] at the caller: a variable that is the rest of a context and given to such a parameter is no longer made; where it is
//!   wanted as a term too, it is made there.
//! - [`wholes`] at the callee, for the parameters that some call passes a context in: where the parameter is wanted as a term, that is
//!   made from the place where the context began.
//!
//! A context has one position and one place where it begins, so whoever passes it must not want either again: what is
//! alive behind the call decides. Functions with a `receive` are left as they are: what they match may be in the mailbox still.

mod dominators;
mod tails;
mod wholes;

use crate::hash::HashMap;
use std::collections::BTreeSet;

use super::flow::{BlockId, End, Flow, Inst, Op};
use crate::Name;
use crate::bytecode::FnIx;
use crate::core::{Value, Var};
use dominators::Dominators;

/// Rewrites the functions of a module, `functions` being their places. For each, the parameters that may be contexts.
pub(super) fn share(flows: &mut [Flow], functions: &HashMap<(Name, u8), FnIx>) -> Vec<Vec<u8>> {
    let takers: Vec<Vec<bool>> = flows.iter().map(takers).collect();
    let mut passed: Vec<BTreeSet<u8>> = vec![BTreeSet::new(); flows.len()];
    if takers.iter().any(|takers| takers.contains(&true)) {
        for flow in &mut *flows {
            if !receives(flow) {
                tails::pass(flow, &takers, functions, &mut passed);
            }
        }
    }
    for (flow, params) in flows.iter_mut().zip(&passed) {
        for &param in params {
            wholes::accept(flow, param);
        }
    }
    passed.into_iter().map(|params| params.into_iter().collect()).collect()
}

/// Which parameters a function matches.
fn takers(flow: &Flow) -> Vec<bool> {
    let mut takers = vec![false; flow.params.len()];
    if receives(flow) {
        return takers;
    }
    for block in &flow.blocks {
        if let Some((_, source, _)) = started(&block.end)
            && let Some(at) = flow.params.iter().position(|&param| param == source)
        {
            takers[at] = true;
        }
    }
    takers
}

fn receives(flow: &Flow) -> bool {
    flow.blocks.iter().any(|block| matches!(block.end, End::LoopRec { .. }))
}

/// The context that a block ends by starting, the variable it is of, and where control goes on.
fn started(end: &End) -> Option<(Var, Var, [BlockId; 2])> {
    match end {
        End::Branch { inst: Inst { op: Op::BsStart, args, dsts, .. }, yes, no } => {
            Some((*dsts.first()?, args.first()?.var()?, [*yes, *no]))
        }
        _ => None,
    }
}

/// Where a variable is read: in an instruction of the block, or in its end.
fn first_use(flow: &Flow, id: BlockId, var: Var) -> Option<usize> {
    let block = flow.block(id);
    let reads = |inst: &Inst| inst.args.contains(&Value::Var(var));
    block.insts.iter().position(reads).or_else(|| {
        let mut in_end = false;
        block.end.each_use(|value| in_end |= value == Value::Var(var));
        in_end.then_some(block.insts.len())
    })
}

/// Makes `var` where it is read, by `make`, once on each way as far as dominance tells.
fn materialise(flow: &mut Flow, var: Var, op: &Op, context: Var) {
    let readers: Vec<BlockId> =
        (0..flow.blocks.len() as u32).map(BlockId).filter(|&id| first_use(flow, id, var).is_some()).collect();
    if readers.is_empty() {
        return;
    }
    let dominators = Dominators::new(flow);
    // The block in which each reader finds its term made: itself, or the outermost reader that dominates it.
    let makers: Vec<BlockId> = readers
        .iter()
        .map(|&reader| {
            let above = |maker: &&BlockId| dominators.dominates(**maker, reader);
            *readers.iter().filter(above).min_by_key(|id| dominators.depth(**id)).unwrap_or(&reader)
        })
        .collect();
    let mut made: HashMap<BlockId, Var> = HashMap::default();
    for (&reader, &maker) in readers.iter().zip(&makers) {
        let term = *made.entry(maker).or_insert_with(|| flow.var());
        if reader == maker {
            let at = first_use(flow, reader, var).unwrap_or(0);
            let line = flow.block(reader).line;
            let inst = Inst { op: op.clone(), args: vec![Value::Var(context)], dsts: vec![term], line };
            flow.block_mut(reader).insts.insert(at, inst);
        }
        let replace = |value: &mut Value| {
            if *value == Value::Var(var) {
                *value = Value::Var(term);
            }
        };
        let block = flow.block_mut(reader);
        block.insts.iter_mut().flat_map(|inst| &mut inst.args).for_each(replace);
        block.end.each_use_mut(replace);
    }
}

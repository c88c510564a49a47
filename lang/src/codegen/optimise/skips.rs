//! Passes over segments that nothing reads, several in one step.

use super::use_counts;
use crate::codegen::flow::{BlockId, End, Flow, Inst, Op};
use crate::core::{Const, Value, Var};

/// Longest integer that is passed over, in bits: one that is too long to be an integer at all does not match.
const LONGEST_INTEGER: i64 = 1 << 16;

/// Makes skips of segments without readers, and one of skips in a row.
pub(in crate::codegen) fn skip(flow: &mut Flow) {
    let takes = |end: &End| match end {
        End::Branch { inst, .. } => {
            matches!(inst.op, Op::BsInteger { .. } | Op::BsBinary { .. } | Op::BsSkip { .. })
        }
        _ => false,
    };
    if !flow.blocks.iter().any(|block| takes(&block.end)) {
        return;
    }
    let counts = use_counts(flow);
    let mut skips = false;
    for block in &mut flow.blocks {
        if let End::Branch { inst, .. } = &mut block.end {
            if inst.dsts.iter().all(|dst| counts[dst.index()] == 0) {
                to_skip(inst);
            }
            skips |= matches!(inst.op, Op::BsSkip { .. });
        }
    }
    if skips {
        join(flow);
    }
}

/// Makes a skip of an instruction whose result nothing reads, if it fails just where that does.
fn to_skip(inst: &mut Inst) {
    match (&inst.op, fixed(inst)) {
        (Op::BsInteger { unit, .. }, Some((_, bits))) if bits <= LONGEST_INTEGER => {
            inst.op = Op::BsSkip { unit: *unit };
        }
        (Op::BsBinary { unit }, _) => inst.op = Op::BsSkip { unit: *unit },
        _ => return,
    }
    inst.dsts.clear();
}

/// The context of an instruction that takes a fixed number of bits, and these.
fn fixed(inst: &Inst) -> Option<(Var, i64)> {
    let (Op::BsInteger { unit, .. } | Op::BsSkip { unit }) = inst.op else { return None };
    match inst.args[..] {
        [Value::Var(context), Value::Const(Const::Int(size))] if size >= 0 => {
            Some((context, size.checked_mul(i64::from(unit))?))
        }
        _ => None,
    }
}

/// The skip that a block ends with: context, bits, and where it goes on.
fn skipped(end: &End) -> Option<(Var, i64, BlockId, BlockId)> {
    match end {
        End::Branch { inst, yes, no } if matches!(inst.op, Op::BsSkip { .. }) => {
            let (context, bits) = fixed(inst)?;
            Some((context, bits, *yes, *no))
        }
        _ => None,
    }
}

fn join(flow: &mut Flow) {
    let predecessors = flow.predecessor_counts();
    for index in 0..flow.blocks.len() {
        let Some((context, mut bits, mut yes, no)) = skipped(&flow.blocks[index].end) else { continue };
        let handler = flow.blocks[index].handler;
        let mut joined = false;
        loop {
            let next = flow.block(yes);
            let alone = next.insts.is_empty()
                && next.params.is_empty()
                && next.handler == handler
                && predecessors[yes.index()] == 1;
            match skipped(&next.end) {
                Some((same, more, then, fail)) if alone && same == context && fail == no => {
                    let Some(sum) = bits.checked_add(more) else { break };
                    (bits, yes, joined) = (sum, then, true);
                }
                _ => break,
            }
        }
        if joined && let End::Branch { inst, yes: to, .. } = &mut flow.blocks[index].end {
            inst.op = Op::BsSkip { unit: 1 };
            inst.args[1] = Value::Const(Const::Int(bits));
            *to = yes;
        }
    }
}

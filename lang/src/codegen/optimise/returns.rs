//! A call whose result is just returned is the last thing its function does: then the function's frame goes before, also where
//! the source has matched the result against a variable, or built something around it, in between.

use super::{BlockId, End, Flow, Op, is};
use crate::codegen::flow::Target;
use crate::core::{Value, Var};

/// Makes such calls tail calls.
pub(super) fn leave_with_calls(flow: &mut Flow) {
    for index in 0..flow.blocks.len() {
        if let Some(returned) = returned(flow, BlockId(index as u32))
            && let block = &mut flow.blocks[index]
            // Who handles exceptions of the call has to be there still.
            && block.handler.is_none()
            && let Some(call) = block.insts.last()
            && let Op::Call(target) = call.op
            && target != Target::Send
            && call.dsts == [returned]
            && let Some(call) = block.insts.pop()
        {
            block.line = call.line;
            block.end = End::TailCall(target, call.args);
        }
    }
}

/// The variable that the function returns behind this block.
fn returned(flow: &Flow, block: BlockId) -> Option<Var> {
    match &flow.block(block).end {
        End::Return(value) => value.var(),
        End::Jump(to, args) => {
            let to = flow.block(*to);
            let End::Return(Value::Var(result)) = to.end else { return None };
            let at = to.params.iter().position(|param| is(Value::Var(*param), result))?;
            if to.insts.is_empty() { args[at].var() } else { None }
        }
        _ => None,
    }
}

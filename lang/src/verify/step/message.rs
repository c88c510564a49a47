//! The receive: what is allowed in which of its states, and its own rows.

use super::super::Reason;
use super::super::flow::Flow;
use super::super::state::{Receive, State};
use super::super::value::Value;
use super::{Done, collect};
use crate::bytecode::{Instr, Label, Src};

/// Whether an instruction may stand where the receive is in this state.
pub(super) fn allowed(receive: Receive, instr: &Instr) -> Done {
    let (fits, state) = match receive {
        Receive::Out => (outside(instr), "outside this part of a receive"),
        Receive::Message(_) => (at_message(instr), "while a message is being looked at"),
        Receive::Empty(_) => (
            passive(instr)
                || matches!(instr, Instr::Wait { .. } | Instr::WaitTimeout { .. } | Instr::Timeout {}),
            "between the last message and the wait",
        ),
        Receive::TimedOut => {
            (passive(instr) || matches!(instr, Instr::Timeout {}), "between the wait and its `timeout`")
        }
    };
    if fits { Ok(()) } else { Err(Reason::NotHere(state)) }
}

fn passive(instr: &Instr) -> bool {
    matches!(instr, Instr::Label { .. } | Instr::Line { .. } | Instr::Move { .. } | Instr::Jump { .. })
}

fn outside(instr: &Instr) -> bool {
    !matches!(
        instr,
        Instr::LoopRecEnd { .. }
            | Instr::RemoveMessage { .. }
            | Instr::Wait { .. }
            | Instr::WaitTimeout { .. }
            | Instr::Timeout {}
    )
}

/// Nothing that collects, builds, calls, raises or touches the frame: what allocates does so in fragments.
fn at_message(instr: &Instr) -> bool {
    match instr {
        Instr::Bif { fail, .. }
        | Instr::MapPut { fail, .. }
        | Instr::MapUpdate { fail, .. }
        | Instr::BsCreate { fail, .. } => fail.is_some(),
        Instr::GetList { .. }
        | Instr::GetHd { .. }
        | Instr::GetTl { .. }
        | Instr::GetElement { .. }
        | Instr::Swap { .. }
        | Instr::SelectVal { .. }
        | Instr::SelectArity { .. }
        | Instr::MapGet { .. }
        | Instr::MapHas { .. }
        | Instr::BsStart { .. }
        | Instr::BsInteger { .. }
        | Instr::BsFloat { .. }
        | Instr::BsBinary { .. }
        | Instr::BsUtf { .. }
        | Instr::BsSkip { .. }
        | Instr::BsString { .. }
        | Instr::BsTail { .. }
        | Instr::BsGetPosition { .. }
        | Instr::BsSetPosition { .. }
        | Instr::BsGetTail { .. }
        | Instr::BsRest { .. }
        | Instr::LoopRecEnd { .. }
        | Instr::RemoveMessage { .. } => true,
        _ => passive(instr) || super::test::is_test(instr),
    }
}

impl Flow<'_> {
    pub(super) fn message(&mut self, state: &mut State, pc: usize, instr: &Instr) -> Done {
        match instr {
            Instr::LoopRec { empty, dst } => {
                state.keep_x(0);
                state.space = 0;
                state.receive = Receive::Empty(pc);
                self.edge(*empty, state)?;
                state.receive = Receive::Message(pc);
                state.set(*dst, Value::ANY.fragile(true))
            }
            Instr::LoopRecEnd { again } => {
                self.charged = true;
                self.again(state, *again)
            }
            Instr::RemoveMessage { live } => {
                collect(state, *live)?;
                state.x.iter_mut().for_each(|value| value.fragile = false);
                state.receive = Receive::Out;
                Ok(())
            }
            Instr::Wait { again } => {
                self.charged = true;
                self.again(state, *again)
            }
            Instr::WaitTimeout { again, time } => {
                if matches!(time, Src::X(_)) {
                    return Err(Reason::BadOperand("the time of a wait is a constant or in a Y slot"));
                }
                self.kept(state, *time)?;
                state.keep_x(0);
                state.space = 0;
                self.raises(state)?;
                // Going back means that it waited and gave the processor away; going on may be at once.
                let charged = std::mem::replace(&mut self.charged, true);
                self.again(&state.clone(), *again)?;
                self.charged = charged;
                state.receive = Receive::TimedOut;
                Ok(())
            }
            Instr::Timeout {} => {
                state.receive = Receive::Out;
                Ok(())
            }
            Instr::ReceiveMark { reference } => self.term(state, *reference).map(|_| ()),
            _ => unreachable!("dispatched by family"),
        }
    }

    /// Back to the `loop_rec` of this receive.
    fn again(&mut self, state: &State, again: Label) -> Done {
        let own = match state.receive {
            Receive::Message(own) | Receive::Empty(own) => own,
            Receive::Out | Receive::TimedOut => return Err(Reason::WrongLoop),
        };
        if self.first(again).0 != own {
            return Err(Reason::WrongLoop);
        }
        let state = State { x: Vec::new(), space: 0, receive: Receive::Out, ..state.clone() };
        self.edge(again, &state)
    }
}

//! The effect of each instruction on a state: what it needs, what it leaves, where it may go on.
//!
//! This file has the dispatch, what all rows share (reading, writing, collecting, raising), calls and frames; the
//! families of rows are in the files below it.

mod bits;
mod exception;
mod message;
mod term;
mod test;

use super::flow::Flow;
use super::state::{Receive, State, name};
use super::value::{self, Form, Kinds, Value};
use super::{Fact, Reason};
use crate::bytecode::{Instr, Label, MAX_HEAP_NEED, MAX_X, MAX_Y, Reg, Src};

/// What a step answers.
type Done = Result<(), Reason>;

impl Flow<'_> {
    /// Follows the instruction at `pc`. If it ends, `state` means nothing afterwards.
    pub(super) fn step(&mut self, state: &mut State, pc: usize, instr: &Instr) -> Done {
        message::allowed(state.receive, instr)?;
        if instr.flags().call {
            self.charged = true;
        }
        match instr {
            Instr::Label { .. } | Instr::Line { .. } => Ok(()),
            Instr::FunctionClause {} => self.raise_with(state, self.function.arity.into()),

            Instr::Call { .. }
            | Instr::CallExt { .. }
            | Instr::CallFun { .. }
            | Instr::Apply { .. }
            | Instr::CallLast { .. }
            | Instr::CallExtLast { .. }
            | Instr::CallFunLast { .. }
            | Instr::ApplyLast { .. }
            | Instr::CallOnly { .. }
            | Instr::CallExtOnly { .. }
            | Instr::CallFunOnly { .. }
            | Instr::ApplyOnly { .. } => self.call_row(state, instr),
            Instr::Return {} => no_frame(state).and_then(|()| arguments(state, 1, &[])),
            Instr::Send {} => {
                arguments(state, 2, &[])?;
                self.raises(state)?;
                state.after_call(Value::ANY);
                Ok(())
            }

            Instr::Allocate { words, live } => self.allocate(state, *words, *live),
            Instr::Deallocate { words } => leave_frame(state, *words),
            Instr::Trim { words, remaining } => trim(state, *words, *remaining),
            Instr::TestHeap { words, live } => {
                if *words > MAX_HEAP_NEED {
                    return Err(Reason::BadOperand("more heap than one instruction may reserve"));
                }
                collect(state, *live)?;
                state.space = *words;
                Ok(())
            }
            Instr::Move { src, dst } => {
                let value = self.movable(state, *src)?;
                state.set(*dst, value)
            }
            Instr::Swap { a, b } => {
                let (old_a, old_b) = (self.movable(state, (*a).into())?, self.movable(state, (*b).into())?);
                state.set(*a, old_b)?;
                state.set(*b, old_a)
            }

            Instr::IsInteger { .. }
            | Instr::IsFloat { .. }
            | Instr::IsNumber { .. }
            | Instr::IsAtom { .. }
            | Instr::IsBoolean { .. }
            | Instr::IsPid { .. }
            | Instr::IsPort { .. }
            | Instr::IsReference { .. }
            | Instr::IsBinary { .. }
            | Instr::IsBitstring { .. }
            | Instr::IsList { .. }
            | Instr::IsCons { .. }
            | Instr::IsNil { .. }
            | Instr::IsTuple { .. }
            | Instr::IsTupleOf { .. }
            | Instr::IsTagged { .. }
            | Instr::IsMap { .. }
            | Instr::IsFun { .. }
            | Instr::IsFunOf { .. }
            | Instr::IsLt { .. }
            | Instr::IsGe { .. }
            | Instr::IsEq { .. }
            | Instr::IsNe { .. }
            | Instr::IsExactEq { .. }
            | Instr::IsExactNe { .. }
            | Instr::Jump { .. }
            | Instr::SelectVal { .. }
            | Instr::SelectArity { .. } => self.test(state, instr),

            Instr::GetList { .. }
            | Instr::GetHd { .. }
            | Instr::GetTl { .. }
            | Instr::GetElement { .. }
            | Instr::PutList { .. }
            | Instr::PutTuple { .. }
            | Instr::MakeFun { .. }
            | Instr::Bif { .. }
            | Instr::MapPut { .. }
            | Instr::MapUpdate { .. }
            | Instr::MapGet { .. }
            | Instr::MapHas { .. } => self.term_row(state, instr),

            Instr::BsCreate { .. }
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
            | Instr::BsWhole { .. }
            | Instr::BsBegin { .. } => self.bits(state, instr),

            Instr::Try { .. }
            | Instr::TryEnd { .. }
            | Instr::TryCase { .. }
            | Instr::Catch { .. }
            | Instr::CatchEnd { .. }
            | Instr::BadMatch { .. }
            | Instr::CaseClause { .. }
            | Instr::TryClause { .. }
            | Instr::IfClause {}
            | Instr::BadRecord { .. }
            | Instr::ReRaise {}
            | Instr::BuildTrace { .. } => self.exception_row(state, pc, instr),

            Instr::LoopRec { .. }
            | Instr::LoopRecEnd { .. }
            | Instr::RemoveMessage { .. }
            | Instr::Wait { .. }
            | Instr::WaitTimeout { .. }
            | Instr::Timeout {}
            | Instr::ReceiveMark { .. } => self.message(state, pc, instr),
        }
    }

    /// The value of an operand that must be a term.
    fn term(&self, state: &State, src: Src) -> Result<Value, Reason> {
        match Reg::try_from(src) {
            Ok(reg) => term_in(state, reg),
            Err(constant) => Ok(value::constant(self.module, constant)),
        }
    }

    /// The value of an operand that will be kept by a term, a call or an exception.
    fn kept(&self, state: &State, src: Src) -> Result<Value, Reason> {
        let value = self.term(state, src)?;
        match Reg::try_from(src) {
            Ok(reg) if value.fragile => Err(Reason::Fragile(name(reg))),
            _ => Ok(value),
        }
    }

    /// The value of an operand of a move: anything but a catch mark.
    fn movable(&self, state: &State, src: Src) -> Result<Value, Reason> {
        let Ok(reg) = Reg::try_from(src) else { return self.term(state, src) };
        let value = state.get(reg)?;
        match (value.form, reg) {
            (Form::Nothing, _) => Err(Reason::Undefined(name(reg))),
            (Form::Mixed, _) => Err(Reason::NotATerm(name(reg), value.form_name())),
            (Form::Mark, Reg::Y(n)) => Err(Reason::MarkLost(n)),
            _ => Ok(value),
        }
    }

    /// The instruction takes `reg` apart: `proven` chooses the variant without a check, the other one may raise.
    fn subject(&mut self, state: &State, reg: Reg, proven: bool) -> Done {
        self.fact.set(Fact::PROVEN, proven);
        if proven {
            return Ok(());
        }
        if matches!(state.receive, Receive::Message(_)) {
            return Err(Reason::UnprovenFragile(name(reg)));
        }
        self.raises(state)
    }

    /// A row with `fail` and `live`, its arguments being read: where it fails it goes on, where not X registers are left
    /// as `live` says.
    fn may_fail(&mut self, state: &mut State, fail: Option<Label>, live: u16) -> Done {
        collect(state, live)?;
        match fail {
            Some(label) => self.edge(label, state),
            None => self.raises(state),
        }
    }

    /// A call of any kind: the arguments, and the frame it needs or leaves.
    fn call_row(&mut self, state: &mut State, instr: &Instr) -> Done {
        let module = self.module;
        match instr {
            Instr::Call { function } | Instr::CallLast { function, .. } | Instr::CallOnly { function } => {
                let callee = &module.functions[function.index()];
                arguments(state, callee.arity.into(), &callee.contexts)?;
            }
            Instr::CallExt { import } | Instr::CallExtLast { import, .. } | Instr::CallExtOnly { import } => {
                arguments(state, module.imports[import.index()].arity.into(), &[])?;
            }
            // The fun is behind the arguments.
            Instr::CallFun { arity } | Instr::CallFunLast { arity, .. } | Instr::CallFunOnly { arity } => {
                arguments(state, u16::from(*arity) + 1, &[])?;
            }
            // Module and function are.
            Instr::Apply { arity } | Instr::ApplyLast { arity, .. } | Instr::ApplyOnly { arity } => {
                arguments(state, u16::from(*arity) + 2, &[])?;
            }
            _ => unreachable!("dispatched by family"),
        }
        match instr {
            Instr::CallLast { words, .. }
            | Instr::CallExtLast { words, .. }
            | Instr::CallFunLast { words, .. }
            | Instr::ApplyLast { words, .. } => leave_frame(state, *words),
            _ if instr.flags().ends => no_frame(state),
            _ if state.frame.is_none() => Err(Reason::NoFrame),
            _ => {
                self.raises(state)?;
                state.after_call(Value::ANY);
                Ok(())
            }
        }
    }

    fn allocate(&mut self, state: &mut State, words: u16, live: u16) -> Done {
        no_frame(state)?;
        if words > MAX_Y {
            return Err(Reason::BadOperand("a frame of more slots than there are Y registers"));
        }
        collect(state, live)?;
        self.max_frame = self.max_frame.max(words);
        state.frame = Some(vec![Value::term(Kinds::NIL); usize::from(words)]);
        Ok(())
    }
}

/// The value of a register that must be a term.
fn term_in(state: &State, reg: Reg) -> Result<Value, Reason> {
    let value = state.get(reg)?;
    match value.form {
        Form::Term => Ok(value),
        Form::Nothing => Err(Reason::Undefined(name(reg))),
        _ => Err(Reason::NotATerm(name(reg), value.form_name())),
    }
}

/// That `x0 .. x(count-1)` are terms to be given away; those of `contexts` may be match contexts.
fn arguments(state: &State, count: u16, contexts: &[u8]) -> Done {
    let mut contexts = contexts.iter().peekable();
    for n in 0..count {
        let reg = Reg::X(n);
        let may_be_context = contexts.next_if(|param| u16::from(**param) == n).is_some();
        let value = if may_be_context { matchable_in(state, reg)? } else { term_in(state, reg)? };
        if value.fragile {
            return Err(Reason::Fragile(name(reg)));
        }
    }
    Ok(())
}

/// The value of a register that must be a term or a match context.
fn matchable_in(state: &State, reg: Reg) -> Result<Value, Reason> {
    let value = state.get(reg)?;
    if value.is_matchable() { Ok(value) } else { term_in(state, reg) }
}

/// The collector may run: what is live must be there, nothing else stays.
fn collect(state: &mut State, live: u16) -> Done {
    if live > MAX_X {
        return Err(Reason::LiveTooHigh(live));
    }
    for n in 0..live {
        if state.get(Reg::X(n))?.form == Form::Nothing {
            return Err(Reason::Undefined(name(Reg::X(n))));
        }
    }
    state.keep_x(live);
    state.space = 0;
    Ok(())
}

fn no_frame(state: &State) -> Done {
    if state.frame.is_some() { Err(Reason::HasFrame) } else { Ok(()) }
}

fn leave_frame(state: &mut State, words: u16) -> Done {
    let frame = state.frame.as_ref().ok_or(Reason::NoFrame)?;
    if frame.len() != usize::from(words) {
        return Err(frame_size(u32::from(words), frame.len()));
    }
    if let Some(mark) = state.marks.last() {
        return Err(Reason::MarkLost(mark.slot));
    }
    state.frame = None;
    Ok(())
}

fn trim(state: &mut State, words: u16, remaining: u16) -> Done {
    let frame = state.frame.as_mut().ok_or(Reason::NoFrame)?;
    let said = u32::from(words) + u32::from(remaining);
    if frame.len() != said as usize {
        return Err(frame_size(said, frame.len()));
    }
    if let Some(mark) = state.marks.iter().find(|mark| mark.slot < words) {
        return Err(Reason::MarkLost(mark.slot));
    }
    frame.drain(..usize::from(words));
    state.marks.iter_mut().for_each(|mark| mark.slot -= words);
    Ok(())
}

fn frame_size(said: u32, real: usize) -> Reason {
    Reason::FrameSize(said, u32::try_from(real).expect("a frame has at most MAX_Y slots"))
}

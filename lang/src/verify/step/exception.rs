//! Catch marks, handlers, raising.

use super::super::flow::Flow;
use super::super::state::{Mark, Receive, State, name};
use super::super::value::{Form, Kinds, Value};
use super::super::{Fact, Reason};
use super::{Done, collect, term_in};
use crate::bytecode::{Instr, Label, Reg};

impl Flow<'_> {
    pub(super) fn exception_row(&mut self, state: &mut State, pc: usize, instr: &Instr) -> Done {
        match instr {
            Instr::Try { slot, handler } => self.mark(state, *slot, *handler, false),
            Instr::Catch { slot, handler } => self.mark(state, *slot, *handler, true),
            Instr::TryEnd { slot } => self.end(state, *slot, |mark| !mark.is_catch),
            Instr::TryCase { slot } => {
                if !self.is_first(pc) {
                    return Err(Reason::EntersHandler);
                }
                state.set(*slot, Value::term(Kinds::NIL))
            }
            Instr::CatchEnd { slot } => {
                term_in(state, Reg::X(0))?;
                let firsts = &self.shape.firsts;
                let ends_here = |mark: &Mark| mark.is_catch && firsts[mark.handler.index()] == pc;
                self.end(state, *slot, ends_here)?;
                state.after_call(Value::ANY);
                Ok(())
            }
            Instr::BadMatch { value }
            | Instr::CaseClause { value }
            | Instr::TryClause { value }
            | Instr::BadRecord { value } => {
                self.kept(state, *value)?;
                self.raises(state)
            }
            Instr::IfClause {} => self.raises(state),
            Instr::ReRaise {} => {
                let class = term_in(state, Reg::X(0))?;
                term_in(state, Reg::X(1))?;
                raw_trace(state, Reg::X(2))?;
                self.fact.set(Fact::PROVEN, class.is(Kinds::CLASS));
                self.raises(state)
            }
            Instr::BuildTrace { live, src, dst } => {
                raw_trace(state, *src)?;
                collect(state, *live)?;
                state.set(*dst, Value::term(Kinds::LIST))
            }
            _ => unreachable!("dispatched by family"),
        }
    }

    /// Raises with `x0 .. x(count-1)` as the arguments shown.
    pub(super) fn raise_with(&mut self, state: &State, count: u16) -> Done {
        super::arguments(state, count, &[])?;
        self.raises(state)
    }

    /// The instruction may raise here: the innermost handler may be reached.
    pub(super) fn raises(&mut self, state: &State) -> Done {
        let Some(mark) = state.marks.last().copied() else { return Ok(()) };
        let mut frame = state.frame.clone();
        let mut marks = state.marks.clone();
        let slot = Reg::Y(mark.slot);
        let x = match self.first(mark.handler).1 {
            Some(Instr::CatchEnd { slot: end }) if mark.is_catch && *end == slot => {
                // `catch_end` takes both paths: as if the mark were still there and the value of the catch in x0.
                vec![Value::ANY]
            }
            Some(Instr::TryCase { slot: end }) if !mark.is_catch && *end == slot => {
                marks.pop();
                if let Some(frame) = &mut frame {
                    frame[usize::from(mark.slot)] = Value::term(Kinds::NIL);
                }
                vec![Value::term(Kinds::CLASS), Value::ANY, Value::RAW_TRACE]
            }
            _ => return Err(Reason::BadHandler(if mark.is_catch { "catch_end" } else { "try_case" })),
        };
        let state = State { x, frame, marks, space: 0, receive: Receive::Out };
        self.join(mark.handler, &state)
    }

    fn mark(&mut self, state: &mut State, slot: Reg, handler: Label, is_catch: bool) -> Done {
        let Reg::Y(n) = slot else {
            return Err(Reason::BadOperand("a catch mark is only put into a Y slot"));
        };
        let wanted = match (self.first(handler).1, is_catch) {
            (Some(Instr::CatchEnd { .. }), true) | (Some(Instr::TryCase { .. }), false) => None,
            (_, true) => Some("catch_end"),
            (_, false) => Some("try_case"),
        };
        if let Some(wanted) = wanted {
            return Err(Reason::BadHandler(wanted));
        }
        state.set(slot, Value::MARK)?;
        if state.marks.last().is_some_and(|outer| outer.slot <= n) {
            return Err(Reason::MarkOrder(n));
        }
        state.marks.push(Mark { slot: n, handler, is_catch });
        Ok(())
    }

    fn end(&self, state: &mut State, slot: Reg, fits: impl Fn(&Mark) -> bool) -> Done {
        let Reg::Y(n) = slot else { return Err(Reason::BadOperand("a catch mark is only in a Y slot")) };
        if !state.marks.last().is_some_and(|mark| mark.slot == n && fits(mark)) {
            return Err(Reason::NotInnermost(n));
        }
        state.marks.pop();
        state.overwrite(slot, Value::term(Kinds::NIL));
        Ok(())
    }
}

fn raw_trace(state: &State, reg: Reg) -> Done {
    match state.get(reg)?.form {
        Form::RawTrace => Ok(()),
        Form::Nothing => Err(Reason::Undefined(name(reg))),
        _ => Err(Reason::WrongKind(name(reg), "a raw stack trace")),
    }
}

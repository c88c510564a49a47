//! Bitstrings: building them, and match contexts.

use super::super::Reason;
use super::super::flow::Flow;
use super::super::state::{State, name};
use super::super::value::{Form, Kinds, Value};
use super::term::made_here;
use super::{Done, collect, matchable_in};
use crate::bytecode::{BuildSegment, Instr, Label, Literal, Reg, SegmentKind, Size, Src};

/// Highest number of bits an integer may have to be a small one whatever they are.
const SMALL_BITS: i64 = 60;

/// Bits per unit of size.
const UNITS: std::ops::RangeInclusive<u16> = 1..=256;

impl Flow<'_> {
    pub(super) fn bits(&mut self, state: &mut State, instr: &Instr) -> Done {
        match instr {
            Instr::BsCreate { fail, live, segments, dst } => {
                for segment in segments {
                    self.build_segment(state, *fail, segment)?;
                }
                self.may_fail(state, *fail, *live)?;
                state.set(*dst, made_here(state, Value::term(Kinds::BITS)))
            }
            Instr::BsStart { fail, live, src, dst } => {
                let fragile = self.start(state, *fail, *live, *src)?;
                state.set(*dst, Value::CONTEXT.fragile(fragile))
            }
            Instr::BsGetPosition { context, dst } => {
                context_in(state, *context)?;
                state.set(*dst, Value::POSITION)
            }
            Instr::BsSetPosition { context, position } => {
                context_in(state, *context)?;
                match state.get(*position)?.form {
                    Form::Position => Ok(()),
                    Form::Nothing => Err(Reason::Undefined(name(*position))),
                    _ => Err(Reason::WrongKind(name(*position), "a position of a match context")),
                }
            }
            Instr::BsGetTail { context, live, dst } => {
                let fragile = context_in(state, *context)?;
                collect(state, *live)?;
                state.set(*dst, Value::term(Kinds::BITS).fragile(fragile))
            }
            Instr::BsRest { fail, context, unit } => {
                context_in(state, *context)?;
                self.size(state, Size::All, *unit)?;
                self.edge(*fail, state)
            }
            Instr::BsWhole { live, src, dst } => {
                let value = matchable_in(state, *src)?;
                collect(state, *live)?;
                let whole = if value.is_term() { value } else { Value::ANY.fragile(value.fragile) };
                state.set(*dst, whole)
            }
            Instr::BsBegin { src } => matchable_in(state, *src).map(|_| ()),
            _ => self.take_bits(state, instr),
        }
    }

    /// What takes from a context, or looks whether something is next in it.
    fn take_bits(&mut self, state: &mut State, instr: &Instr) -> Done {
        match instr {
            Instr::BsInteger { fail, live, context, size, unit, dst, .. } => {
                let fragile = context_in(state, *context)?;
                self.size(state, Size::Units(*size), *unit)?;
                self.may_fail(state, Some(*fail), *live)?;
                let kinds = match size {
                    Src::Int(size) if (0..=SMALL_BITS / i64::from(*unit)).contains(size) => Kinds::SMALL,
                    _ => Kinds::INTEGER,
                };
                state.set(*dst, Value::term(kinds).fragile(fragile))
            }
            Instr::BsFloat { fail, live, context, size, unit, dst, .. } => {
                let fragile = context_in(state, *context)?;
                self.size(state, Size::Units(*size), *unit)?;
                self.may_fail(state, Some(*fail), *live)?;
                state.set(*dst, Value::term(Kinds::FLOAT).fragile(fragile))
            }
            Instr::BsBinary { fail, live, context, size, unit, dst } => {
                let fragile = context_in(state, *context)?;
                self.size(state, *size, *unit)?;
                self.may_fail(state, Some(*fail), *live)?;
                state.set(*dst, Value::term(Kinds::BITS).fragile(fragile))
            }
            Instr::BsUtf { fail, context, kind, dst, .. } => {
                let fragile = context_in(state, *context)?;
                if !is_utf(*kind) {
                    return Err(Reason::BadOperand("not a UTF segment"));
                }
                self.edge(*fail, state)?;
                state.set(*dst, Value::term(Kinds::SMALL).fragile(fragile))
            }
            Instr::BsSkip { fail, context, size, unit } => {
                context_in(state, *context)?;
                self.size(state, *size, *unit)?;
                self.edge(*fail, state)
            }
            Instr::BsString { fail, context, bits } => {
                context_in(state, *context)?;
                if !matches!(self.module.literals[bits.index()], Literal::Bits { .. }) {
                    return Err(Reason::BadOperand("the literal is no bitstring"));
                }
                self.edge(*fail, state)
            }
            Instr::BsTail { fail, context, .. } => {
                context_in(state, *context)?;
                self.edge(*fail, state)
            }
            _ => unreachable!("dispatched by family"),
        }
    }

    /// `bs_start`: where it fails there was a term. Whether the context is of a message still in the mailbox.
    fn start(&mut self, state: &mut State, fail: Label, live: u16, src: Src) -> Result<bool, Reason> {
        let reg = Reg::try_from(src).ok();
        let value = match reg {
            Some(reg) => matchable_in(state, reg)?,
            None => self.term(state, src)?,
        };
        collect(state, live)?;
        match reg {
            // What the collection did not take away, and nothing but a term fails.
            Some(reg) if value.form == Form::Either && state.get(reg)?.form == Form::Either => {
                let mut failed = state.clone();
                failed.overwrite(reg, Value::ANY.fragile(value.fragile));
                self.edge(fail, &failed)?;
            }
            _ => self.edge(fail, state)?,
        }
        Ok(value.fragile)
    }

    fn build_segment(&self, state: &State, fail: Option<Label>, segment: &BuildSegment) -> Done {
        self.read(state, fail, segment.value)?;
        if is_utf(segment.kind) {
            return Ok(());
        }
        if segment.size == Size::All && segment.kind != SegmentKind::Binary {
            return Err(Reason::BadOperand("only a binary segment takes all of its value"));
        }
        self.size(state, segment.size, segment.unit)
    }

    fn size(&self, state: &State, size: Size, unit: u16) -> Done {
        if !UNITS.contains(&unit) {
            return Err(Reason::BadOperand("a unit is 1 to 256 bits"));
        }
        match size {
            Size::Units(units) => self.term(state, units).map(|_| ()),
            Size::All => Ok(()),
        }
    }
}

fn is_utf(kind: SegmentKind) -> bool {
    matches!(kind, SegmentKind::Utf8 | SegmentKind::Utf16 | SegmentKind::Utf32)
}

/// That the register holds a match context; whether that is of a message still in the mailbox.
fn context_in(state: &State, reg: Reg) -> Result<bool, Reason> {
    let value = state.get(reg)?;
    match value.form {
        Form::Context => Ok(value.fragile),
        Form::Nothing => Err(Reason::Undefined(name(reg))),
        _ => Err(Reason::WrongKind(name(reg), "a match context")),
    }
}

//! What each instruction does in the model.

use super::{At, Held, Kind, NIL, Next, Run, Wrong};
use crate::bytecode::{Instr, Label, Reg, Size};
use crate::verify::Fact;

impl Run<'_> {
    pub(super) fn step(&mut self, instr: &Instr, pc: usize) -> Result<Next, Wrong> {
        let proven = self.facts.at(pc).has(Fact::PROVEN);
        let made = matches!(self.at, At::Message(_));
        let made = |kind| Held { kind, fragile: made };
        let flags = instr.flags();
        if flags.call {
            self.free_steps = 0;
            if self.at != At::Out {
                return Err("a call in a receive".into());
            }
        }
        match instr {
            Instr::Label { .. } | Instr::Line { .. } => {}
            Instr::Call { .. }
            | Instr::CallExt { .. }
            | Instr::CallFun { .. }
            | Instr::Apply { .. }
            | Instr::Send {} => {
                if let Instr::Call { function } = instr {
                    self.local_arguments(*function)?;
                }
                let count = match instr {
                    Instr::Call { .. } => 0,
                    Instr::CallExt { import } => self.module.imports[import.index()].arity.into(),
                    Instr::CallFun { arity } => u16::from(*arity) + 1,
                    Instr::Apply { arity } => u16::from(*arity) + 2,
                    _ => 2,
                };
                self.arguments(count)?;
                if self.y.is_none() && *instr != (Instr::Send {}) {
                    return Err("a call without a frame".into());
                }
                if self.random.below(4) == 0 {
                    return Ok(Next::Raise);
                }
                self.lose_x(0);
                self.space = 0;
                self.x[0] = self.any(false);
            }
            Instr::CallLast { function, words } => {
                self.local_arguments(*function)?;
                self.leave(*words)?;
                return Ok(Next::Stop);
            }
            Instr::CallOnly { function } => {
                self.local_arguments(*function)?;
                return if self.y.is_some() { Err("leaves a frame behind".into()) } else { Ok(Next::Stop) };
            }
            Instr::Return {} => {
                self.arguments(1)?;
                return if self.y.is_some() || self.at != At::Out {
                    Err("returns".into())
                } else {
                    Ok(Next::Stop)
                };
            }
            Instr::Allocate { words, live } => {
                if self.y.is_some() {
                    return Err("two frames".into());
                }
                self.collect(*live)?;
                self.y = Some(vec![NIL; usize::from(*words)]);
            }
            Instr::Deallocate { words } => self.leave(*words)?,
            Instr::Trim { words, remaining } => {
                let frame = self.y.as_mut().ok_or("no frame")?;
                let dropped = usize::from(*words);
                if frame.len() != dropped + usize::from(*remaining)
                    || frame[..dropped].iter().any(|held| matches!(held.kind, Kind::Mark(..)))
                {
                    return Err("trims".into());
                }
                frame.drain(..dropped);
            }
            Instr::TestHeap { words, live } => {
                self.collect(*live)?;
                self.space = *words;
            }
            Instr::Move { src, dst } => {
                let held = match Reg::try_from(*src) {
                    Ok(reg) => self.get(reg)?,
                    Err(constant) => self.term(constant)?,
                };
                if matches!(held.kind, Kind::Undefined | Kind::Mark(..)) {
                    return Err("moves what is not to be moved".into());
                }
                self.set(*dst, held)?;
            }
            Instr::Swap { a, b } => {
                let (held_a, held_b) = (self.get(*a)?, self.get(*b)?);
                self.set(*a, held_b)?;
                self.set(*b, held_a)?;
            }
            Instr::IsCons { fail, src } => {
                let holds = self.term(*src)?.kind == Kind::Cons;
                return Ok(self.branch(holds, *fail));
            }
            Instr::IsNil { fail, src } => {
                let holds = self.term(*src)?.kind == Kind::Nil;
                return Ok(self.branch(holds, *fail));
            }
            Instr::IsMap { fail, src } => {
                let holds = self.term(*src)?.kind == Kind::Map;
                return Ok(self.branch(holds, *fail));
            }
            Instr::IsTupleOf { fail, src, arity } => {
                let holds = self.term(*src)?.kind == Kind::Tuple(*arity);
                return Ok(self.branch(holds, *fail));
            }
            Instr::Jump { label } => return Ok(Next::To(*label)),
            Instr::SelectVal { src, fail, cases } => {
                let kind = self.term(*src)?.kind;
                let fitting: Vec<Label> = cases
                    .iter()
                    .filter(|(case, _)| self.term(*case).is_ok_and(|case| case.kind == kind))
                    .map(|(_, label)| *label)
                    .chain([*fail])
                    .collect();
                let chosen = self.random.below(fitting.len());
                return Ok(Next::To(fitting[chosen]));
            }
            Instr::GetList { src, head, tail } => {
                let list = self.term_in(*src)?;
                if let Some(raise) = self.take(proven, list.kind == Kind::Cons)? {
                    return Ok(raise);
                }
                let (a, b) = (self.any(list.fragile), self.any(list.fragile));
                self.set(*head, a)?;
                self.set(*tail, b)?;
            }
            Instr::GetHd { src, dst } | Instr::GetTl { src, dst } => {
                let list = self.term_in(*src)?;
                if let Some(raise) = self.take(proven, list.kind == Kind::Cons)? {
                    return Ok(raise);
                }
                let part = self.any(list.fragile);
                self.set(*dst, part)?;
            }
            Instr::GetElement { src, index, dst } => {
                let tuple = self.term_in(*src)?;
                let fits = matches!(tuple.kind, Kind::Tuple(arity) if arity > *index);
                if let Some(raise) = self.take(proven, fits)? {
                    return Ok(raise);
                }
                let part = self.any(tuple.fragile);
                self.set(*dst, part)?;
            }
            Instr::PutList { head, tail, dst } => {
                self.kept(*head)?;
                self.kept(*tail)?;
                self.build(2)?;
                self.set(*dst, made(Kind::Cons))?;
            }
            Instr::PutTuple { elements, dst } => {
                elements.iter().try_for_each(|element| self.kept(*element).map(|_| ()))?;
                let arity = u32::try_from(elements.len()).expect("few");
                self.build(1 + arity)?;
                self.set(*dst, made(Kind::Tuple(arity)))?;
            }
            Instr::MakeFun { captured, dst, .. } => {
                captured.iter().try_for_each(|value| self.kept(*value).map(|_| ()))?;
                self.build(2 + u32::try_from(captured.len()).expect("few"))?;
                self.set(*dst, made(Kind::Fun))?;
            }
            Instr::Bif { fail, live, args, dst, .. } => {
                let held = args.iter().map(|arg| self.term(*arg)).collect::<Result<Vec<_>, _>>()?;
                for (held, flag) in held.iter().zip([Fact::SMALL_0, Fact::SMALL_1]) {
                    if self.facts.at(pc).has(flag) && held.kind != Kind::Small {
                        return Err("a small integer that is none".into());
                    }
                }
                if let Some(next) = self.fail(*fail, *live)? {
                    return Ok(next);
                }
                self.set(*dst, made(Kind::Small))?;
            }
            Instr::MapPut { fail, live, map, pairs, dst } => {
                self.term(*map)?;
                for (key, value) in pairs {
                    self.term(*key)?;
                    self.term(*value)?;
                }
                if let Some(next) = self.fail(*fail, *live)? {
                    return Ok(next);
                }
                self.set(*dst, made(Kind::Map))?;
            }
            Instr::MapGet { fail, map, pairs } => {
                let held = self.term_in(*map)?;
                if proven && held.kind != Kind::Map {
                    return Err("a map that is none".into());
                }
                for (key, dst) in pairs {
                    self.term(*key)?;
                    self.term_in(*map)?;
                    if held.kind != Kind::Map || self.random.below(4) == 0 {
                        return Ok(Next::To(*fail));
                    }
                    let value = self.any(held.fragile);
                    self.set(*dst, value)?;
                }
            }
            Instr::BsStart { fail, live, src, dst } => {
                let held = self.matchable(*src)?;
                self.collect(*live)?;
                if !matches!(held.kind, Kind::Bits | Kind::Context) {
                    return Ok(Next::To(*fail));
                }
                self.set(*dst, Held { kind: Kind::Context, fragile: held.fragile })?;
            }
            Instr::BsGetPosition { context, dst } => {
                self.context(*context)?;
                self.set(*dst, Held { kind: Kind::Position, fragile: false })?;
            }
            Instr::BsSetPosition { context, position } => {
                self.context(*context)?;
                if self.get(*position)?.kind != Kind::Position {
                    return Err("no position".into());
                }
            }
            Instr::BsRest { fail, context, .. } => {
                self.context(*context)?;
                let holds = self.random.coin();
                return Ok(self.branch(holds, *fail));
            }
            Instr::BsWhole { live, src, dst } => {
                let held = self.matchable((*src).into())?;
                self.collect(*live)?;
                let kind = if held.kind == Kind::Context { Kind::Bits } else { held.kind };
                self.set(*dst, Held { kind, fragile: held.fragile })?;
            }
            Instr::BsBegin { src } => {
                self.matchable((*src).into())?;
            }
            Instr::BsInteger { fail, live, context, size, dst, .. } => {
                let fragile = self.context(*context)?;
                if let Size::Units(units) = Size::Units(*size) {
                    self.term(units)?;
                }
                self.collect(*live)?;
                if self.random.coin() {
                    return Ok(Next::To(*fail));
                }
                self.set(*dst, Held { kind: Kind::Small, fragile })?;
            }
            Instr::Try { slot, handler } => {
                self.set(*slot, Held { kind: Kind::Mark(*handler, false), fragile: false })?
            }
            Instr::TryEnd { slot } => {
                if !matches!(self.get(*slot)?.kind, Kind::Mark(_, false)) {
                    return Err("no mark".into());
                }
                self.put(*slot, NIL)?;
            }
            Instr::TryCase { .. } => return Err("reached without an exception".into()),
            Instr::BuildTrace { live, src, dst } => {
                if self.get(*src)?.kind != Kind::Trace {
                    return Err("no trace".into());
                }
                self.collect(*live)?;
                let kind = if self.random.coin() { Kind::Nil } else { Kind::Cons };
                self.set(*dst, made(kind))?;
            }
            Instr::ReRaise {} => {
                if proven && self.x[0].kind != Kind::Class {
                    return Err("no class".into());
                }
                self.arguments(2)?;
                return if self.x[2].kind == Kind::Trace { Ok(Next::Raise) } else { Err("no trace".into()) };
            }
            Instr::LoopRec { empty, dst } => {
                if self.at != At::Out {
                    return Err("in a receive already".into());
                }
                self.lose_x(0);
                self.space = 0;
                if self.random.coin() {
                    self.at = At::Empty(pc);
                    return Ok(Next::To(*empty));
                }
                self.at = At::Message(pc);
                let message = self.any(true);
                self.put(*dst, message)?;
            }
            Instr::LoopRecEnd { again } => {
                self.free_steps = 0;
                self.lose_x(0);
                let own = At::Message(self.first(*again));
                return if std::mem::replace(&mut self.at, At::Out) == own {
                    Ok(Next::To(*again))
                } else {
                    Err("not its loop".into())
                };
            }
            Instr::RemoveMessage { live } => {
                self.collect(*live)?;
                if !matches!(std::mem::replace(&mut self.at, At::Out), At::Message(_)) {
                    return Err("no message".into());
                }
                self.x.iter_mut().for_each(|held| held.fragile = false);
            }
            Instr::WaitTimeout { again, time } => {
                self.kept(*time)?;
                self.lose_x(0);
                self.space = 0;
                if self.at != At::Empty(self.first(*again)) {
                    return Err("not its loop".into());
                }
                match self.random.below(3) {
                    0 => return Ok(Next::Raise),
                    1 => {
                        self.at = At::Out;
                        self.free_steps = 0;
                        return Ok(Next::To(*again));
                    }
                    _ => self.at = At::TimedOut,
                }
            }
            Instr::Timeout {} => {
                if !matches!(std::mem::replace(&mut self.at, At::Out), At::Empty(_) | At::TimedOut) {
                    return Err("no time-out".into());
                }
            }
            other => return Err(format!("the model does not know {other:?}")),
        }
        Ok(Next::On)
    }
}

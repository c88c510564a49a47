//! Instructions inside blocks.

use super::{Emitter, Kind};
use crate::bytecode::instr::{BuildSegment, SegmentKind};
use crate::bytecode::{Instr, LambdaIx, Reg, Size, Src};
use crate::codegen::flow::{BsSegment, Inst, Op};
use crate::codegen::words;
use crate::core::Var;
use crate::known;

impl Emitter<'_, '_> {
    /// Emits the instruction at `at`; how many were taken together.
    pub(super) fn inst(&mut self, insts: &[Inst], at: usize, dead: &[Var]) -> usize {
        let inst = &insts[at];
        match &inst.op {
            Op::Head => return self.head(insts, at),
            Op::Cons | Op::Tuple | Op::Fun(_) => self.building(insts, at),
            Op::Call(target) => {
                dead.iter().filter(|var| !inst.dsts.contains(var)).for_each(|&var| self.die_in_slot(var));
                self.call(*target, &inst.args, inst.dsts[0], inst.line, at);
            }
            Op::Copy => {
                let src = self.src(inst.args[0]);
                let dst = self.dst(inst.dsts[0]);
                if src != Src::from(dst) {
                    self.code.push(Instr::Move { src, dst });
                }
                self.wrote(dst);
                if let (Src::X(x), Reg::Y(y)) = (src, dst) {
                    self.copies.insert(x, y);
                }
            }
            Op::TryCase | Op::TryEnd | Op::CatchEnd => self.catching(inst),
            Op::RemoveMessage => {
                let live = self.live();
                self.code.push(Instr::RemoveMessage { live });
                self.collected(live);
            }
            Op::Timeout => self.code.push(Instr::Timeout {}),
            Op::ReceiveMark => {
                let reference = self.src(inst.args[0]);
                self.code.push(Instr::ReceiveMark { reference });
            }
            _ => self.plain(inst),
        }
        1
    }

    fn head(&mut self, insts: &[Inst], at: usize) -> usize {
        let inst = &insts[at];
        let src = self.reg(inst.args[0]);
        let head = self.dst(inst.dsts[0]);
        if let Some(next) = insts.get(at + 1)
            && next.op == Op::Tail
            && next.args == inst.args
        {
            let tail = self.dst(next.dsts[0]);
            self.code.push(Instr::GetList { src, head, tail });
            self.wrote(head);
            self.wrote(tail);
            return 2;
        }
        self.code.push(Instr::GetHd { src, dst: head });
        self.wrote(head);
        1
    }

    fn building(&mut self, insts: &[Inst], at: usize) {
        let inst = &insts[at];
        let words = self.words_ahead(&insts[..=at], at);
        self.reserve(insts, at, words);
        let dst = self.dst(inst.dsts[0]);
        let values: Vec<Src> = inst.args.iter().map(|&value| self.src(value)).collect();
        self.code.push(match inst.op {
            Op::Cons => Instr::PutList { head: values[0], tail: values[1], dst },
            Op::Fun(lambda) => Instr::MakeFun { lambda: LambdaIx(lambda), captured: values, dst },
            _ => Instr::PutTuple { elements: values, dst },
        });
        self.wrote(dst);
    }

    fn catching(&mut self, inst: &Inst) {
        let slot = self.reg(inst.args[0]);
        if let Reg::Y(y) = slot {
            // The instruction leaves nil there.
            self.dirty[usize::from(y) / 64] &= !(1 << (y % 64));
        }
        match inst.op {
            Op::TryEnd => self.code.push(Instr::TryEnd { slot }),
            Op::TryCase => {
                self.code.push(Instr::TryCase { slot });
                self.filled.clear();
                self.filled.extend([Kind::Term, Kind::Term, Kind::Trace]);
                for (at, &var) in inst.dsts.iter().enumerate() {
                    let dst = self.dst(var);
                    if dst != Reg::X(at as u16) {
                        self.code.push(Instr::Move { src: Src::X(at as u16), dst });
                        self.wrote(dst);
                    }
                }
            }
            _ => {
                self.code.push(Instr::CatchEnd { slot });
                self.reserved = 0;
                self.filled = vec![Kind::Term];
                self.result(inst.dsts[0]);
            }
        }
    }

    /// Instructions with at most one result that is written last.
    fn plain(&mut self, inst: &Inst) {
        let Some(&result) = inst.dsts.first() else {
            match (&inst.op, &inst.args[..]) {
                (Op::BsRestore, &[context, position]) => {
                    let (context, position) = (self.reg(context), self.reg(position));
                    self.code.push(Instr::BsSetPosition { context, position });
                }
                (Op::BsBegin, &[either]) => {
                    let src = self.reg(either);
                    self.code.push(Instr::BsBegin { src });
                }
                _ => {}
            }
            return;
        };
        let dst = self.dst(result);
        match &inst.op {
            Op::Tail => {
                let src = self.reg(inst.args[0]);
                self.code.push(Instr::GetTl { src, dst });
            }
            Op::Element(index) => {
                let src = self.reg(inst.args[0]);
                self.code.push(Instr::GetElement { src, index: *index, dst });
            }
            Op::BsPosition => {
                let context = self.reg(inst.args[0]);
                self.code.push(Instr::BsGetPosition { context, dst });
            }
            _ => self.failing(inst, None),
        }
        self.wrote(dst);
        if let (Op::BsPosition, Reg::X(x)) = (&inst.op, dst) {
            self.fill(x, Kind::Position);
        }
        self.note_numbers(inst, dst);
    }

    /// Operands of arithmetic that did not raise are numbers, and so are its results.
    fn note_numbers(&mut self, inst: &Inst, dst: Reg) {
        let (Op::Bif(name) | Op::Bool(name)) = inst.op else { return };
        if !words::is_numeric(name, inst.args.len()) {
            return;
        }
        inst.dsts.iter().for_each(|dst| self.numeric[dst.index()] = true);
        if let Reg::Y(y) = dst {
            self.harmless(y);
        }
        if words::is_arithmetic(name) {
            for var in inst.args.iter().filter_map(|value| value.var()) {
                if let Reg::Y(y) = self.dst(var)
                    && dst != Reg::Y(y)
                {
                    self.harmless(y);
                }
            }
        }
    }

    /// Instructions that may go to `fail`, or raise without it.
    pub(super) fn failing(&mut self, inst: &Inst, fail: crate::bytecode::Fail) {
        let Some(&result) = inst.dsts.first() else { return };
        if fail.is_none() && self.raises(inst) {
            self.at_line(inst.line);
        }
        let args: Vec<Src> = inst.args.iter().map(|&value| self.src(value)).collect();
        let live = self.live();
        let dst = self.dst(result);
        let pairs = || args[1..].chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
        let instr = match &inst.op {
            Op::MapPut => Instr::MapPut { fail, live, map: args[0], pairs: pairs(), dst },
            Op::MapUpdate => Instr::MapUpdate { fail, live, map: args[0], pairs: pairs(), dst },
            Op::BsCreate(shapes) => Instr::BsCreate { fail, live, segments: segments(shapes, &args), dst },
            Op::BuildTrace => {
                let src = self.reg(inst.args[0]);
                Instr::BuildTrace { live, src, dst }
            }
            Op::BsWhole => Instr::BsWhole { live, src: self.reg(inst.args[0]), dst },
            Op::BsGetTail => Instr::BsGetTail { context: self.reg(inst.args[0]), live, dst },
            Op::Bif(name) | Op::Bool(name) => {
                let import = self.tables.import(words::module_of(*name), *name, args.len() as u8);
                Instr::Bif { fail, live, import, args, dst }
            }
            _ => return,
        };
        self.code.push(instr);
        self.collected(live);
    }

    fn raises(&self, inst: &Inst) -> bool {
        match &inst.op {
            Op::Bif(name) => *name != known::SELF,
            Op::MapPut | Op::MapUpdate | Op::BsCreate(_) => true,
            _ => false,
        }
    }
}

/// Segments with their operands.
fn segments(shapes: &[BsSegment], args: &[Src]) -> Vec<BuildSegment> {
    let mut args = args.iter().copied();
    let mut next = || args.next().unwrap_or(Src::Nil);
    let utf = |kind| matches!(kind, SegmentKind::Utf8 | SegmentKind::Utf16 | SegmentKind::Utf32);
    shapes
        .iter()
        .enumerate()
        .map(|(index, shape)| {
            let value = next();
            let before = shape.place.saturating_sub(u16::try_from(index + 1).unwrap_or(u16::MAX));
            let size = if shape.sized { Size::Units(next()) } else { Size::All };
            let unit = if utf(shape.kind) { 1 } else { shape.unit.max(1) };
            BuildSegment { kind: shape.kind, value, size, unit, flags: shape.flags, before }
        })
        .collect()
}

//! Ends of blocks.

use super::{Emitter, Kind, restrict};
use crate::bytecode::{Instr, Label, Line, Reg, Size, Src};
use crate::codegen::flow::{BlockId, End, Fail, Inst, Op, Target, Test};
use crate::codegen::moves::parallel;
use crate::core::{Const, Value, Var};

impl Emitter<'_, '_> {
    pub(super) fn end(&mut self, end: &End, line: Line, dead: &[Var]) {
        match end {
            End::Jump(to, args) => self.jump(*to, args),
            End::Branch { inst, yes, no } => self.branch(inst, *yes, *no, dead),
            End::Select { value, cases, default } => {
                let src = self.src(*value);
                let cases = cases
                    .iter()
                    .map(|&(constant, to)| (self.tables.constant(constant), self.target(to)))
                    .collect();
                let fail = self.target(*default);
                self.code.push(Instr::SelectVal { src, fail, cases });
            }
            End::Arity { value, cases, default } => {
                let src = self.src(*value);
                let cases = cases.iter().map(|&(arity, to)| (arity, self.target(to))).collect();
                let fail = self.target(*default);
                self.code.push(Instr::SelectArity { src, fail, cases });
            }
            End::Return(value) => {
                self.arguments(&[*value]);
                if self.framed {
                    self.code.push(Instr::Deallocate { words: self.frame_words() });
                }
                self.code.push(Instr::Return {});
            }
            End::TailCall(target, args) => self.tail_call(*target, args, line),
            End::Fail(fail, args) => self.fail(*fail, args, line),
            End::Protect { slot, catch, handler, next } => self.protect(*slot, *catch, *handler, *next),
            End::LoopRec { dst, next, empty } => self.loop_rec(*dst, *next, *empty),
            End::NextMessage(again) => {
                let again = self.label(*again);
                self.code.push(Instr::LoopRecEnd { again });
            }
            End::Wait(again) => {
                let again = self.label(*again);
                self.code.push(Instr::Wait { again });
            }
            End::WaitTimeout { time, again, next } => {
                self.at_line(line);
                let time = self.src(*time);
                let again = self.label(*again);
                self.code.push(Instr::WaitTimeout { again, time });
                self.lead_to(*next, &[]);
                self.go(*next);
            }
            End::Open => self.code.push(Instr::IfClause {}),
        }
    }

    /// The label of a block that is led to with what is known now.
    fn target(&mut self, to: BlockId) -> Label {
        self.lead_on(to);
        self.label(to)
    }

    /// Goes to a block, by falling through if it is the next one.
    fn go(&mut self, to: BlockId) {
        if self.next() != Some(to) {
            let label = self.label(to);
            self.code.push(Instr::Jump { label });
        }
    }

    fn jump(&mut self, to: BlockId, args: &[Value]) {
        let target = self.flow.block(to);
        let framed = self.allocation.framed_at_start(to);
        let mut moves = Vec::with_capacity(args.len());
        for (&value, &param) in args.iter().zip(&target.params) {
            moves.push((self.src(value), self.allocation.place(param, framed)));
        }
        let code = &mut self.code;
        parallel(moves.clone(), &mut |instr| code.push(instr));
        for (_, dst) in moves {
            self.wrote(dst);
        }
        if self.framed && matches!(target.end, End::LoopRec { .. }) {
            // What is dead now would be kept for as long as the process waits.
            // (What is handed to the block is defined there, so it is not among what is alive in front of it.)
            let mut alive = self.allocation.liveness.set(to).clone();
            alive.extend(target.params.iter().copied());
            self.live_slots = self.slots_of(&alive);
            self.clear_slots();
        }
        self.lead_on(to);
        self.go(to);
    }

    fn tail_call(&mut self, target: Target, args: &[Value], line: Line) {
        self.arguments(args);
        self.at_line(line);
        let words = self.frame_words();
        let local = match target {
            Target::Local(name, arity) => self.tables.function(name, arity),
            _ => None,
        };
        let instr = match (target, self.framed) {
            (Target::Local(name, arity), framed) => match (local, framed) {
                (Some(function), true) => Instr::CallLast { function, words },
                (Some(function), false) => Instr::CallOnly { function },
                (None, framed) => {
                    let import = self.tables.import(self.tables.module, name, arity);
                    if framed { Instr::CallExtLast { import, words } } else { Instr::CallExtOnly { import } }
                }
            },
            (Target::Ext(module, function, arity), framed) => {
                let import = self.tables.import(module, function, arity);
                if framed { Instr::CallExtLast { import, words } } else { Instr::CallExtOnly { import } }
            }
            (Target::Fun(arity), true) => Instr::CallFunLast { arity, words },
            (Target::Fun(arity), false) => Instr::CallFunOnly { arity },
            (Target::Apply(arity), true) => Instr::ApplyLast { arity, words },
            (Target::Apply(arity), false) => Instr::ApplyOnly { arity },
            // Never made a tail call: sending goes on behind itself.
            (Target::Send, _) => Instr::IfClause {},
        };
        self.code.push(instr);
    }

    fn fail(&mut self, fail: Fail, args: &[Value], line: Line) {
        let first = args.first().copied().unwrap_or(Value::Const(Const::Nil));
        let instr = match fail {
            Fail::FunctionClause | Fail::ReRaise => {
                self.arguments(args);
                if fail == Fail::ReRaise { Instr::ReRaise {} } else { Instr::FunctionClause {} }
            }
            Fail::CaseClause => Instr::CaseClause { value: self.src(first) },
            Fail::BadMatch => Instr::BadMatch { value: self.src(first) },
            Fail::TryClause => Instr::TryClause { value: self.src(first) },
            Fail::IfClause => Instr::IfClause {},
            Fail::BadRecord => Instr::BadRecord { value: self.src(first) },
        };
        if fail != Fail::ReRaise {
            self.at_line(line);
        }
        self.code.push(instr);
    }

    fn protect(&mut self, slot: Var, catch: bool, handler: BlockId, next: BlockId) {
        let slot = self.dst(slot);
        let label = self.label(handler);
        self.code.push(match catch {
            true => Instr::Catch { slot, handler: label },
            false => Instr::Try { slot, handler: label },
        });
        self.wrote(slot);
        // The handler starts with what the machine puts there; of the slots it may find any in use.
        let any = vec![u64::MAX; self.dirty.len()];
        let dirty = std::mem::replace(&mut self.dirty, any);
        self.lead_to(handler, &[]);
        self.dirty = dirty;
        self.lead_on(next);
        self.go(next);
    }

    fn loop_rec(&mut self, dst: Var, next: BlockId, empty: BlockId) {
        let register = self.dst(dst);
        let label = self.label(empty);
        self.code.push(Instr::LoopRec { empty: label, dst: register });
        self.lead_to(empty, &[]);
        self.filled = Vec::new();
        self.wrote(register);
        self.lead_on(next);
        self.go(next);
    }

    fn branch(&mut self, inst: &Inst, yes: BlockId, no: BlockId, dead: &[Var]) {
        if let Op::Test(test) = inst.op {
            self.lead_on(yes);
            self.lead_on(no);
            self.note_constant(test, &inst.args, yes);
            return self.test(test, &inst.args, yes, no);
        }
        let mut known = self.filled.clone();
        let fail = self.label(no);
        self.attempt(inst, fail);
        // Whether the collector ran or not: only what both know is known.
        restrict(&mut known, &self.filled);
        self.lead_to(no, &known);
        dead.iter().for_each(|&var| self.die(var));
        for &var in &inst.dsts {
            let dst = self.dst(var);
            self.wrote(dst);
            if let (Op::BsStart, Reg::X(x)) = (&inst.op, dst) {
                self.fill(x, Kind::Context);
            }
        }
        self.lead_on(yes);
        self.go(yes);
    }

    /// Behind a successful comparison the register holds the constant.
    fn note_constant(&mut self, test: Test, args: &[Value], yes: BlockId) {
        let (var, constant) = match (test, args) {
            (Test::Nil, &[Value::Var(var)]) => (var, Const::Nil),
            (Test::ExactEq, &[Value::Var(var), Value::Const(constant)]) => (var, constant),
            _ => return,
        };
        if let (Reg::X(x), 1) = (self.dst(var), self.predecessors[yes.index()]) {
            self.constants.insert(yes, (x, constant));
        }
    }

    fn test(&mut self, test: Test, args: &[Value], yes: BlockId, no: BlockId) {
        let (test, yes, no) = match inverse(test) {
            Some(inverse) if self.next() == Some(no) && self.next() != Some(yes) => (inverse, no, yes),
            _ => (test, yes, no),
        };
        let fail = self.label(no);
        let instr = self.test_instr(test, args, fail);
        self.code.push(instr);
        self.go(yes);
    }

    fn test_instr(&mut self, test: Test, args: &[Value], fail: Label) -> Instr {
        let src = args.first().map_or(Src::Nil, |&value| self.src(value));
        let second = args.get(1).map_or(Src::Nil, |&value| self.src(value));
        let constant = |src: Src| !matches!(src, Src::X(_) | Src::Y(_));
        // Equality is the same both ways; a constant comes second.
        let (a, b) = match test {
            Test::Eq | Test::Ne | Test::ExactEq | Test::ExactNe if constant(src) => (second, src),
            _ => (src, second),
        };
        match test {
            Test::Integer => Instr::IsInteger { fail, src },
            Test::Float => Instr::IsFloat { fail, src },
            Test::Number => Instr::IsNumber { fail, src },
            Test::Atom => Instr::IsAtom { fail, src },
            Test::Boolean => Instr::IsBoolean { fail, src },
            Test::Pid => Instr::IsPid { fail, src },
            Test::Port => Instr::IsPort { fail, src },
            Test::Reference => Instr::IsReference { fail, src },
            Test::Binary => Instr::IsBinary { fail, src },
            Test::Bitstring => Instr::IsBitstring { fail, src },
            Test::List => Instr::IsList { fail, src },
            Test::Cons => Instr::IsCons { fail, src },
            Test::Nil => Instr::IsNil { fail, src },
            Test::Tuple => Instr::IsTuple { fail, src },
            Test::TupleOf(arity) => Instr::IsTupleOf { fail, src, arity },
            Test::Tagged(arity, tag) => Instr::IsTagged { fail, src, arity, tag: self.tables.atom(tag) },
            Test::Map => Instr::IsMap { fail, src },
            Test::Fun => Instr::IsFun { fail, src },
            Test::FunOf => Instr::IsFunOf { fail, src, arity: second },
            Test::Lt => Instr::IsLt { fail, a, b },
            Test::Ge => Instr::IsGe { fail, a, b },
            Test::Eq => Instr::IsEq { fail, a, b },
            Test::Ne => Instr::IsNe { fail, a, b },
            Test::ExactEq if b == Src::Nil => Instr::IsNil { fail, src: a },
            Test::ExactEq => Instr::IsExactEq { fail, a, b },
            Test::ExactNe => Instr::IsExactNe { fail, a, b },
        }
    }

    /// An instruction that goes to `fail` instead of raising.
    fn attempt(&mut self, inst: &Inst, fail: Label) {
        let first = inst.args.first().copied().unwrap_or(Value::Const(Const::Nil));
        let size = inst.args.get(1).copied();
        let dst = inst.dsts.first().map(|&var| self.dst(var));
        let dst = dst.unwrap_or(Reg::X(self.allocation.scratch + 1));
        let instr = match &inst.op {
            Op::MapGet => {
                let map = self.reg(first);
                let keys: Vec<Src> = inst.args[1..].iter().map(|&key| self.src(key)).collect();
                let dsts = inst.dsts.iter().map(|&var| self.dst(var));
                Instr::MapGet { fail, map, pairs: keys.into_iter().zip(dsts).collect() }
            }
            Op::BsStart => {
                let src = self.src(first);
                let live = self.live();
                self.collected(live);
                Instr::BsStart { fail, live, src, dst }
            }
            Op::BsInteger { unit, flags } | Op::BsFloat { unit, flags } => {
                let (unit, flags) = (*unit, *flags);
                let context = self.reg(first);
                let size = size.map_or(Src::Int(0), |size| self.src(size));
                let live = self.live();
                self.collected(live);
                match inst.op {
                    Op::BsFloat { .. } => Instr::BsFloat { fail, live, context, size, unit, flags, dst },
                    _ => Instr::BsInteger { fail, live, context, size, unit, flags, dst },
                }
            }
            Op::BsBinary { unit } => {
                let context = self.reg(first);
                let size = size.map_or(Size::All, |size| Size::Units(self.src(size)));
                let live = self.live();
                self.collected(live);
                Instr::BsBinary { fail, live, context, size, unit: *unit, dst }
            }
            Op::BsUtf { kind, flags } => {
                Instr::BsUtf { fail, context: self.reg(first), kind: *kind, flags: *flags, dst }
            }
            Op::BsSkip { unit } => {
                let context = self.reg(first);
                let size = size.map_or(Size::All, |size| Size::Units(self.src(size)));
                Instr::BsSkip { fail, context, size, unit: *unit }
            }
            Op::BsString(bits) => {
                let context = self.reg(first);
                Instr::BsString { fail, context, bits: self.tables.literal(*bits) }
            }
            Op::BsRest { unit } => Instr::BsRest { fail, context: self.reg(first), unit: *unit },
            Op::BsTail(bits) => Instr::BsTail { fail, context: self.reg(first), bits: *bits },
            _ => return self.failing(inst, Some(fail)),
        };
        self.code.push(instr);
    }
}

/// The test that holds when this one does not.
fn inverse(test: Test) -> Option<Test> {
    Some(match test {
        Test::Lt => Test::Ge,
        Test::Ge => Test::Lt,
        Test::Eq => Test::Ne,
        Test::Ne => Test::Eq,
        Test::ExactEq => Test::ExactNe,
        Test::ExactNe => Test::ExactEq,
        _ => return None,
    })
}

//! Core to control flow.
//!
//! A body is built into the current block and a [`Dest`]: its values are returned, or passed to a block. Steps in
//! tail position become tail calls. Variables of patterns have no instructions of their own: the builder's
//! environment says which value stands for a Core variable.

mod guards;
mod matches;
mod messages;

use crate::hash::HashMap;

use super::flow::{Block, BlockId, BsSegment, End, Fail, Flow, Inst, Op, Target};
use super::words;
use crate::bytecode::Line;
use crate::core::{
    self, Body, Clause, Const, EscapeId, Failure, Function, Pool, Segment, Step, Try, Value, Var,
};
use crate::known;
use crate::matching::{Shape, Shapes};

/// What becomes of the values of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dest {
    /// Its one value is the function's.
    Return,
    /// They are the parameters of this block.
    Goto(BlockId),
}

pub(super) struct Builder<'a> {
    flow: Flow,
    pool: &'a mut Pool,
    current: BlockId,
    /// What stands for a variable, where that is not itself.
    env: Env,
    /// Tuples and cells just built, so that matching them needs no test.
    shapes: Shapes,
    handler: Option<BlockId>,
    escapes: HashMap<EscapeId, BlockId>,
    line: Line,
    /// A message is being looked at: no heap may be reserved.
    in_message: bool,
}

/// Values of variables, in a list by the variables' numbers.
#[derive(Default)]
struct Env(Vec<Option<Value>>);

impl Env {
    fn get(&self, var: Var) -> Option<Value> {
        self.0.get(var.index()).copied().flatten()
    }

    fn insert(&mut self, var: Var, value: Value) {
        if self.0.len() <= var.index() {
            self.0.resize(var.index() + 1, None);
        }
        self.0[var.index()] = Some(value);
    }

    fn remove(&mut self, var: Var) {
        if let Some(value) = self.0.get_mut(var.index()) {
            *value = None;
        }
    }
}

/// Builds the control flow of a function.
pub(super) fn build(function: &Function, pool: &mut Pool) -> Flow {
    let flow = Flow { params: function.params.clone(), blocks: Vec::new(), vars: function.vars };
    let mut builder = Builder {
        flow,
        pool,
        current: BlockId(0),
        env: Env::default(),
        shapes: HashMap::default(),
        handler: None,
        escapes: HashMap::default(),
        line: function.line,
        in_message: false,
    };
    builder.block();
    builder.body(&function.body, Dest::Return);
    builder.flow
}

impl Builder<'_> {
    /// A new block in the protected part that is being built.
    fn block(&mut self) -> BlockId {
        self.flow.blocks.push(Block {
            params: Vec::new(),
            insts: Vec::new(),
            end: End::Open,
            line: self.line,
            handler: self.handler,
        });
        BlockId(self.flow.blocks.len() as u32 - 1)
    }

    fn block_with(&mut self, params: Vec<Var>) -> BlockId {
        let id = self.block();
        self.flow.block_mut(id).params = params;
        id
    }

    /// Ends the current block and goes on with `next`.
    fn end(&mut self, end: End, next: BlockId) {
        self.close(end);
        self.current = next;
    }

    fn close(&mut self, end: End) {
        let line = self.line;
        let block = self.flow.block_mut(self.current);
        if matches!(block.end, End::Open) {
            block.end = end;
            block.line = line;
        }
    }

    fn push(&mut self, op: Op, args: Vec<Value>, dsts: Vec<Var>) {
        let line = self.line;
        self.flow.block_mut(self.current).insts.push(Inst { op, args, dsts, line });
    }

    /// An instruction with one new result.
    fn emit(&mut self, op: Op, args: Vec<Value>) -> Value {
        let dst = self.flow.var();
        self.push(op, args, vec![dst]);
        Value::Var(dst)
    }

    /// An instruction that fails to `no`.
    fn branch(&mut self, op: Op, args: Vec<Value>, dsts: Vec<Var>, no: BlockId) {
        let yes = self.block();
        self.branch_to(op, args, dsts, yes, no);
        self.current = yes;
    }

    fn branch_to(&mut self, op: Op, args: Vec<Value>, dsts: Vec<Var>, yes: BlockId, no: BlockId) {
        let inst = Inst { op, args, dsts, line: self.line };
        self.close(End::Branch { inst, yes, no });
    }

    fn value(&self, value: Value) -> Value {
        match value {
            Value::Var(var) => self.env.get(var).unwrap_or(value),
            Value::Const(_) => value,
        }
    }

    fn values(&self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|&value| self.value(value)).collect()
    }

    fn body(&mut self, body: &Body, dest: Dest) {
        let steps = match (body.steps.split_last(), &body.end) {
            (Some((last, before)), core::End::Never) => {
                before.iter().for_each(|step| self.step(step));
                return self.never(last);
            }
            (Some((last, before)), core::End::Values(values)) if passes_on(last, values, dest) => {
                before.iter().for_each(|step| self.step(step));
                self.line = last.line;
                return self.last(last, dest);
            }
            _ => &body.steps,
        };
        steps.iter().for_each(|step| self.step(step));
        match &body.end {
            core::End::Values(values) => {
                let values = self.values(values);
                self.finish(dest, values);
            }
            core::End::Escape(id, value) => {
                let value = self.value(*value);
                self.escape(*id, value);
            }
            core::End::Never => self.dead_end(),
        }
    }

    /// A step behind which nothing comes.
    fn never(&mut self, step: &Step) {
        self.line = step.line;
        match self.call(&step.op) {
            Some((target, args)) => self.call_that_raises(target, args),
            None => {
                self.step(step);
                self.dead_end();
            }
        }
    }

    fn finish(&mut self, dest: Dest, values: Vec<Value>) {
        match dest {
            Dest::Return => {
                let value = values.first().copied().unwrap_or(Value::Const(Const::Nil));
                self.close(End::Return(value));
            }
            Dest::Goto(block) => self.close(End::Jump(block, values)),
        }
    }

    fn escape(&mut self, id: EscapeId, value: Value) {
        if let Some(&block) = self.escapes.get(&id) {
            self.close(End::Jump(block, vec![value]));
        }
    }

    /// A step whose variables are exactly what its body ends with.
    fn last(&mut self, step: &Step, dest: Dest) {
        match &step.op {
            core::Op::Case(case) => self.case(&case.subjects, &case.clauses, &case.otherwise, dest),
            core::Op::Receive(receive) => self.receive(receive, dest),
            core::Op::Try(attempt) => self.attempt(attempt, dest),
            core::Op::Escape { id, body, var, otherwise } => {
                let block = self.block_with(vec![*var]);
                self.escapes.insert(*id, block);
                self.body(body, dest);
                self.current = block;
                self.body(otherwise, dest);
            }
            op => match (dest, self.call(op)) {
                (Dest::Return, Some((target, args))) => self.close(End::TailCall(target, args)),
                _ => {
                    self.step(step);
                    let values: Vec<Value> = step.vars.iter().map(|&var| Value::Var(var)).collect();
                    let values = self.values(&values);
                    self.finish(dest, values);
                }
            },
        }
    }

    /// Target and arguments of a call that may be the last thing a function does.
    fn call(&self, op: &core::Op) -> Option<(Target, Vec<Value>)> {
        let (target, args, more): (Target, &[Value], Vec<Value>) = match op {
            core::Op::Call(name, args) => (Target::Local(*name, args.len() as u8), args, vec![]),
            core::Op::CallExt(module, name, args) => {
                (Target::Ext(*module, *name, args.len() as u8), args, vec![])
            }
            core::Op::CallFun(fun, args) => (Target::Fun(args.len() as u8), args, vec![*fun]),
            core::Op::Apply(module, name, args) => {
                (Target::Apply(args.len() as u8), args, vec![*module, *name])
            }
            _ => return None,
        };
        let mut args = self.values(args);
        args.extend(self.values(&more));
        Some((target, args))
    }

    fn step(&mut self, step: &Step) {
        self.line = step.line;
        if let Some((target, args)) = self.call(&step.op) {
            let dsts = self.dsts(step);
            return self.push(Op::Call(target), args, dsts);
        }
        match &step.op {
            core::Op::Case(_) | core::Op::Receive(_) | core::Op::Try(_) | core::Op::Escape { .. } => {
                let join = self.block_with(step.vars.clone());
                self.last(step, Dest::Goto(join));
                self.current = join;
            }
            core::Op::Catch(body) => self.old_catch(step, body),
            core::Op::Values(values) => {
                for (&var, &value) in step.vars.iter().zip(values) {
                    let value = self.value(value);
                    self.env.insert(var, value);
                }
            }
            core::Op::Fail(failure) => self.failure(failure),
            op => self.simple(step, op),
        }
    }

    fn dsts(&mut self, step: &Step) -> Vec<Var> {
        match step.vars.first() {
            Some(&var) => vec![var],
            None => vec![self.flow.var()],
        }
    }

    /// Goes on where nothing comes.
    fn dead_end(&mut self) {
        // The instruction before never returns; a block wants an end all the same, and this one is right everywhere.
        self.close(End::Fail(Fail::IfClause, vec![]));
        self.current = self.block();
    }

    fn simple(&mut self, step: &Step, op: &core::Op) {
        let dsts = self.dsts(step);
        let dst = dsts[0];
        match op {
            core::Op::List(items, tail) => {
                let mut tail = self.value(*tail);
                let items = self.values(items);
                for (i, &item) in items.iter().enumerate().rev() {
                    let cell = if i == 0 { dst } else { self.flow.var() };
                    self.push(Op::Cons, vec![item, tail], vec![cell]);
                    self.shapes.insert(cell, Shape::Cons(item, tail));
                    tail = Value::Var(cell);
                }
            }
            core::Op::Tuple(items) => {
                let items = self.values(items);
                self.shapes.insert(dst, Shape::Tuple(items.clone()));
                self.push(Op::Tuple, items, dsts);
            }
            core::Op::Fun(lambda, captured) => {
                let captured = self.values(captured);
                self.push(Op::Fun(*lambda), captured, dsts);
            }
            core::Op::Bif(name, args) => {
                let args = self.values(args);
                let is_test = words::is_test(*name, args.len());
                self.push(if is_test { Op::Bool(*name) } else { Op::Bif(*name) }, args, dsts);
            }
            core::Op::Send(to, message) => {
                let args = self.values(&[*to, *message]);
                self.push(Op::Call(Target::Send), args, dsts);
            }
            core::Op::MapPut(map, pairs) | core::Op::MapUpdate(map, pairs) => {
                let mut args = vec![self.value(*map)];
                args.extend(pairs.iter().flat_map(|&(key, value)| [self.value(key), self.value(value)]));
                let put = matches!(op, core::Op::MapPut(..));
                self.push(if put { Op::MapPut } else { Op::MapUpdate }, args, dsts);
            }
            core::Op::Bits(segments) => {
                let (shapes, args) = split_segments(segments, |value| self.value(*value));
                self.push(Op::BsCreate(shapes), args, dsts);
            }
            core::Op::BuildTrace(trace) => {
                let args = self.values(&[Value::Var(*trace)]);
                self.push(Op::BuildTrace, args, dsts);
            }
            _ => {}
        }
    }

    fn failure(&mut self, failure: &Failure) {
        let (fail, args) = match failure {
            Failure::FunctionClause => {
                (Fail::FunctionClause, self.flow.params.iter().map(|&var| Value::Var(var)).collect())
            }
            Failure::CaseClause(value) => (Fail::CaseClause, vec![*value]),
            Failure::BadMatch(value) => (Fail::BadMatch, vec![*value]),
            Failure::TryClause(value) => (Fail::TryClause, vec![*value]),
            Failure::IfClause => (Fail::IfClause, vec![]),
            Failure::BadRecord(value) => (Fail::BadRecord, vec![*value]),
            Failure::ReRaise(caught) => (Fail::ReRaise, caught.map(Value::Var).to_vec()),
            Failure::Tagged(tag, value) => {
                let value = self.value(*value);
                let reason = self.emit(Op::Tuple, vec![Value::atom(*tag), value]);
                let error = Target::Ext(known::ERLANG, known::ERROR, 1);
                return self.call_that_raises(error, vec![reason]);
            }
            Failure::Escape(id, value) => {
                let value = self.value(*value);
                return self.escape(*id, value);
            }
            Failure::Inlined(name, args) => {
                let (target, args) = (Target::Local(*name, args.len() as u8), self.values(args));
                return self.call_that_raises(target, args);
            }
            Failure::Impossible => (Fail::IfClause, vec![]),
        };
        let args = self.values(&args);
        self.close(End::Fail(fail, args));
        self.current = self.block();
    }

    /// Calls what never returns: where nobody here handles what it raises, the frame is not needed any more.
    fn call_that_raises(&mut self, target: Target, args: Vec<Value>) {
        if self.handler.is_none() {
            self.close(End::TailCall(target, args));
            self.current = self.block();
            return;
        }
        self.emit(Op::Call(target), args);
        self.dead_end();
    }

    fn attempt(&mut self, attempt: &Try, dest: Dest) {
        let slot = self.flow.var();
        let handler = self.block();
        let then = self.block_with(attempt.vars.clone());
        let around = self.handler.replace(handler);
        let next = self.block();
        self.end(End::Protect { slot, catch: false, handler, next }, next);
        self.body(&attempt.body, Dest::Goto(then));
        self.handler = around;
        self.current = then;
        self.push(Op::TryEnd, vec![Value::Var(slot)], vec![]);
        self.body(&attempt.then, dest);
        self.current = handler;
        self.push(Op::TryCase, vec![Value::Var(slot)], attempt.caught.to_vec());
        self.body(&attempt.handler, dest);
    }

    fn old_catch(&mut self, step: &Step, body: &Body) {
        let slot = self.flow.var();
        let value = self.flow.var();
        let handler = self.block_with(vec![value]);
        let around = self.handler.replace(handler);
        let next = self.block();
        self.end(End::Protect { slot, catch: true, handler, next }, next);
        self.body(body, Dest::Goto(handler));
        self.handler = around;
        self.current = handler;
        let dsts = self.dsts(step);
        self.push(Op::CatchEnd, vec![Value::Var(slot), Value::Var(value)], dsts);
    }

    fn case(&mut self, subjects: &[Value], clauses: &[Clause], otherwise: &Failure, dest: Dest) {
        let line = self.line;
        let subjects = self.values(subjects);
        let failing = self.block();
        self.clauses(&subjects, clauses, failing, dest, false);
        self.line = line;
        self.current = failing;
        self.failure(otherwise);
    }
}

/// Whether a body that ends with `values` ends with exactly what its last step binds.
fn passes_on(last: &Step, values: &[Value], dest: Dest) -> bool {
    // The old `catch` and steps without effect have nothing to gain.
    let pairs = || last.vars.iter().zip(values);
    match dest {
        // Whoever returns gives its first value alone: variables that the clauses of a branch export must not stand between a call
        // at their end and the return.
        Dest::Return => pairs().next().is_some_and(|(&var, &value)| Value::Var(var) == value),
        Dest::Goto(_) => {
            last.vars.len() == values.len() && pairs().all(|(&var, &value)| Value::Var(var) == value)
        }
    }
}

/// Segments as shapes and flat arguments.
fn split_segments<T>(
    segments: &[Segment<T>],
    mut value: impl FnMut(&T) -> Value,
) -> (Vec<BsSegment>, Vec<Value>) {
    let mut args = Vec::with_capacity(segments.len());
    let mut shapes = Vec::with_capacity(segments.len());
    for segment in segments {
        args.push(value(&segment.value));
        if let Some(size) = &segment.size {
            args.push(value(size));
        }
        shapes.push(BsSegment {
            place: segment.place,
            kind: segment.kind,
            sized: segment.size.is_some(),
            unit: segment.unit,
            flags: segment.flags,
        });
    }
    (shapes, args)
}

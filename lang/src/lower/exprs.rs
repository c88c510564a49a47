//! Expressions.

use super::Lowerer;
use super::comprehensions::Rest;
use crate::ast::{BinaryOp, Expr, ExprKind, MapField, UnaryOp};
use crate::core::{self, Body, Case, Clause, Const, End, Failure, Op, Pattern, Value};
use crate::known;

impl<'f> Lowerer<'f, '_> {
    /// Adds the steps of an expression; its value.
    pub(super) fn expr(&mut self, expr: &'f Expr) -> Value {
        match &expr.kind {
            ExprKind::Var(name) => match self.scope.get(*name) {
                Some(value) => value,
                None => self.illegal(expr.span, "unbound variable"),
            },
            ExprKind::Atom(name) => Value::atom(*name),
            ExprKind::Char(c) => Value::Const(Const::Int(i64::from(u32::from(*c)))),
            ExprKind::Int(int) => Value::Const(self.integer(int)),
            ExprKind::Float(float) => Value::Const(self.pool.float(*float)),
            ExprKind::Str(text) => Value::Const(self.pool.string(text)),
            ExprKind::List { elements, tail } => self.list(expr, elements, tail.as_deref()),
            ExprKind::Tuple(elements) => {
                let items = self.operands(elements);
                self.at(expr.span);
                self.tuple(items)
            }
            ExprKind::Map { base, fields } => self.map(expr, base.as_deref(), fields),
            ExprKind::Record { base: None, name, fields } => self.record(expr, *name, fields),
            ExprKind::Record { base: Some(base), name, fields } => self.record_update(base, *name, fields),
            ExprKind::RecordIndex { name, field } => self.record_index(*name, *field),
            ExprKind::RecordAccess { base, name, field } => self.record_access(expr, base, *name, *field),
            ExprKind::Binary(segments) => self.binary(expr, segments),
            ExprKind::Match { pattern, value } => self.match_expr(expr, pattern, value),
            ExprKind::Unary { op, operand } => self.unary(expr, *op, operand),
            ExprKind::Op { op, left, right } => self.binary_op(*op, left, right),
            ExprKind::Call { callee, args } => self.call(expr, callee, args),
            ExprKind::Block(exprs) => self.exprs(exprs),
            ExprKind::Catch(inner) => {
                let body = self.scoped_body(|lowerer| lowerer.expr(inner));
                self.at(expr.span);
                self.step(Op::Catch(body))
            }
            ExprKind::If(_)
            | ExprKind::Case { .. }
            | ExprKind::Receive { .. }
            | ExprKind::Try(_)
            | ExprKind::Maybe { .. } => self.control(expr, true),
            ExprKind::FunLocal { .. } | ExprKind::FunRemote { .. } | ExprKind::Fun { .. } => {
                self.any_fun(expr)
            }
            ExprKind::ListComprehension { .. }
            | ExprKind::BinaryComprehension { .. }
            | ExprKind::MapComprehension { .. } => self.comprehension(expr, true),
            ExprKind::Error | ExprKind::Remote { .. } | ExprKind::MaybeMatch { .. } => {
                self.illegal(expr.span, "expression")
            }
        }
    }

    pub(super) fn integer(&mut self, int: &crate::Int) -> Const {
        match int.to_i64() {
            Some(small) => Const::Int(small),
            None => super::fold::big(&mut self.pool, &int.to_big()),
        }
    }

    pub(super) fn tuple(&mut self, items: Vec<Value>) -> Value {
        match constants(&items) {
            Some(items) => Value::Const(self.pool.tuple(items)),
            None => self.step(Op::Tuple(items)),
        }
    }

    fn list(&mut self, expr: &Expr, elements: &'f [Expr], tail: Option<&'f Expr>) -> Value {
        let group = self.scope.mark();
        let items = self.operands_of(group, elements);
        let tail = match tail {
            Some(tail) => self.operand_of(group, tail),
            None => Value::Const(Const::Nil),
        };
        self.at(expr.span);
        self.list_of(items, tail)
    }

    /// A list; its constant end is one constant.
    pub(super) fn list_of(&mut self, mut items: Vec<Value>, mut tail: Value) -> Value {
        if let Value::Const(end) = tail {
            let from = items.iter().rposition(|item| item.var().is_some()).map_or(0, |at| at + 1);
            let constant = constants(&items.split_off(from)).unwrap_or_default();
            tail = Value::Const(self.pool.list(constant, end));
        }
        if items.is_empty() { tail } else { self.step(Op::List(items, tail)) }
    }

    fn map(&mut self, expr: &Expr, base: Option<&'f Expr>, fields: &'f [MapField]) -> Value {
        let fresh = base.is_none();
        let mut map = match base {
            Some(base) => self.expr(base),
            None => Value::Const(self.pool.map([])),
        };
        let mut pairs: Vec<(bool, Value, Value)> = Vec::with_capacity(fields.len());
        for field in fields {
            let key = self.expr(&field.key);
            pairs.push((field.exact, key, self.expr(&field.value)));
        }
        self.at(self.place(expr));
        sort_keys(&self.pool, self.names, &mut pairs);
        let constant: Option<Vec<(Const, Const)>> = pairs
            .iter()
            .map(|pair| match pair {
                (false, Value::Const(key), Value::Const(value)) => Some((*key, *value)),
                _ => None,
            })
            .collect();
        if let (true, Some(pairs)) = (fresh, constant) {
            return Value::Const(self.pool.map(pairs));
        }
        if pairs.is_empty() {
            return self.step(Op::MapPut(map, vec![]));
        }
        for run in pairs.chunk_by(|a, b| a.0 == b.0) {
            let exact = run[0].0;
            let run = run.iter().map(|&(_, key, value)| (key, value)).collect();
            map = self.step(if exact { Op::MapUpdate(map, run) } else { Op::MapPut(map, run) });
        }
        map
    }

    fn unary(&mut self, expr: &Expr, op: UnaryOp, operand: &'f Expr) -> Value {
        let value = self.expr(operand);
        self.at(expr.span);
        if let Value::Const(constant) = value
            && let Some(folded) = super::fold::unary(&mut self.pool, op, constant)
        {
            return Value::Const(folded);
        }
        let name = self.names.intern(op.text());
        self.step(Op::Bif(name, vec![value]))
    }

    fn binary_op(&mut self, op: BinaryOp, left: &'f Expr, right: &'f Expr) -> Value {
        match op {
            BinaryOp::Andalso => return self.short_circuit(left, right, true),
            BinaryOp::Orelse => return self.short_circuit(left, right, false),
            _ => {}
        }
        if op == BinaryOp::Append && matches!(left.kind, ExprKind::ListComprehension { .. }) {
            // As in OTP: what is to stand behind its elements is made first, and the walk ends with it.
            let behind = self.expr(right);
            return self.comprehension_before(left, true, Rest::List(behind));
        }
        let group = self.scope.mark();
        let a = self.expr(left);
        let b = self.operand_of(group, right);
        self.at(self.sources.operator_behind(left.span));
        if let (Value::Const(a), Value::Const(b)) = (a, b)
            && let Some(folded) = super::fold::binary(&mut self.pool, op, a, b)
        {
            return Value::Const(folded);
        }
        match op {
            BinaryOp::Send => self.step(Op::Send(a, b)),
            BinaryOp::Append | BinaryOp::Subtract => {
                let name = self.names.intern(op.text());
                self.append(op, a, b)
                    .unwrap_or_else(|| self.step(Op::CallExt(known::ERLANG, name, vec![a, b])))
            }
            _ => {
                let name = self.names.intern(op.text());
                self.step(Op::Bif(name, vec![a, b]))
            }
        }
    }

    /// `[...] ++ B` with a constant list in front is that list before `B`.
    fn append(&mut self, op: BinaryOp, a: Value, b: Value) -> Option<Value> {
        let Value::Const(a) = a else { return None };
        let items = self.pool.proper_list(a)?;
        // Longer ones are cheaper to copy than to build.
        if op != BinaryOp::Append || items.len() > 16 {
            return None;
        }
        Some(self.list_of(items.into_iter().map(Value::Const).collect(), b))
    }

    /// `andalso` (`and`) and `orelse`.
    fn short_circuit(&mut self, left: &'f Expr, right: &'f Expr, and: bool) -> Value {
        let first = self.expr(left);
        self.at(self.sources.operator_behind(left.span));
        let line = self.line;
        let second = self.scoped_body(|lowerer| lowerer.expr(right));
        self.line = line;
        let (on, off) = if and { (known::TRUE, known::FALSE) } else { (known::FALSE, known::TRUE) };
        let clause = |atom, body| Clause {
            patterns: vec![Pattern::Const(Const::Atom(atom))],
            same: vec![],
            guard: vec![],
            body,
        };
        let shortcut = Body { steps: vec![], end: End::Values(vec![Value::atom(off)]) };
        let badarg = self.names.intern("badarg");
        self.step(Op::Case(Case {
            subjects: vec![first],
            clauses: vec![clause(on, second), clause(off, shortcut)],
            otherwise: Failure::Tagged(badarg, first),
        }))
    }

    /// `erlang:error(reason)`
    pub(super) fn raise(&mut self, tag: &str, value: Value) -> Value {
        let tag = self.names.intern(tag);
        self.step_to(vec![], Op::Fail(core::Failure::Tagged(tag, value)));
        Value::Const(Const::Nil)
    }
}

/// Brings pairs with constant keys, where they stand side by side, into the order in which OTP updates them: those that must be
/// there first, each kind by its keys.
fn sort_keys(pool: &core::Pool, names: &crate::Interner, pairs: &mut Vec<(bool, Value, Value)>) {
    let mut sorted: Vec<(bool, Value, Value)> = Vec::with_capacity(pairs.len());
    for run in pairs.chunk_by(|a, b| a.1.var().is_none() && b.1.var().is_none()) {
        let from = sorted.len();
        for &(exact, key, value) in run {
            match sorted[from..].iter_mut().find(|pair| pair.1 == key) {
                Some(pair) => pair.2 = value,
                None => sorted.push((exact, key, value)),
            }
        }
        sorted[from..].sort_by(|a, b| match (a.1, b.1) {
            (Value::Const(x), Value::Const(y)) => {
                b.0.cmp(&a.0).then_with(|| core::order::compare(pool, names, x, y))
            }
            _ => std::cmp::Ordering::Equal,
        });
    }
    *pairs = sorted;
}

/// The values if all are constants.
pub(super) fn constants(values: &[Value]) -> Option<Vec<Const>> {
    values
        .iter()
        .map(|value| match value {
            Value::Const(constant) => Some(*constant),
            Value::Var(_) => None,
        })
        .collect()
}

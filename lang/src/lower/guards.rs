//! Guards.
//!
//! A record's field may only be read from such a record: a guard that reads one fails for other values. So reading
//! leaves a test for the enclosing test to make first; the right side of `andalso` and `orelse`, which may not be
//! evaluated at all, makes its own.

use super::Lowerer;
use crate::ast::{self, BinaryOp, ExprKind, UnaryOp};
use crate::core::{Const, Expr, Guard, Value};
use crate::{Name, known};

impl<'f> Lowerer<'f, '_> {
    pub(super) fn guard(&mut self, guard: &'f ast::Guard) -> Guard {
        let mut alternatives: Guard = Vec::with_capacity(guard.len());
        for tests in guard {
            let mut lowered: Vec<Expr> = tests.iter().map(|test| self.guard_test(test)).collect();
            lowered.retain(|test| *test != Expr::Value(Value::atom(known::TRUE)));
            if lowered.is_empty() {
                // Always true: so is the guard, unless an alternative before may decide.
                return Vec::new();
            }
            alternatives.push(lowered);
        }
        alternatives
    }

    pub(super) fn guard_test(&mut self, test: &'f ast::Expr) -> Expr {
        if let ExprKind::Call { callee, args } = &test.kind
            && let ExprKind::Atom(name) = callee.kind
            && !self.locals.contains(&(name, args.len() as u32))
            && crate::builtin::is_old_type_test(self.names.text(name), args.len() as u32)
        {
            let new = format!("is_{}", self.names.text(name));
            let name = self.names.intern(&new);
            return self.with_record_tests(|lowerer| lowerer.guard_call(test, name, args));
        }
        self.with_record_tests(|lowerer| lowerer.guard_expr(test))
    }

    /// An expression behind the record tests that it needs.
    fn with_record_tests(&mut self, work: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let around = std::mem::take(&mut self.record_tests);
        let expr = work(self);
        let tests = std::mem::replace(&mut self.record_tests, around);
        tests.into_iter().rev().fold(expr, |expr, test| Expr::And(Box::new(test), Box::new(expr)))
    }

    pub(super) fn guard_expr(&mut self, expr: &'f ast::Expr) -> Expr {
        match &expr.kind {
            kind if kind.is_literal() => Expr::Value(self.expr(expr)),
            ExprKind::Var(_) | ExprKind::RecordIndex { .. } => Expr::Value(self.expr(expr)),
            ExprKind::List { elements, tail } => {
                let items = self.guard_exprs(elements);
                let tail = match tail {
                    Some(tail) => self.guard_expr(tail),
                    None => Expr::Value(Value::Const(Const::Nil)),
                };
                self.guard_list(items, tail)
            }
            ExprKind::Tuple(elements) => {
                let items = self.guard_exprs(elements);
                match constants(&items) {
                    Some(items) => Expr::Value(Value::Const(self.pool.tuple(items))),
                    None => Expr::Tuple(items),
                }
            }
            ExprKind::Map { base, fields } => self.guard_map(base.as_deref(), fields),
            ExprKind::Binary(segments) => self.guard_binary(segments),
            ExprKind::Record { base: None, name, fields } => self.guard_record(expr, *name, fields),
            ExprKind::RecordAccess { base, name, field } => self.guard_record_access(base, *name, *field),
            ExprKind::Unary { op, operand } => self.guard_unary(*op, operand),
            ExprKind::Op { op, left, right } => self.guard_op(*op, left, right),
            ExprKind::Call { callee, args } => {
                let name = match &callee.kind {
                    ExprKind::Atom(name) => Some(*name),
                    ExprKind::Remote { name, .. } => match name.kind {
                        ExprKind::Atom(name) => Some(name),
                        _ => None,
                    },
                    _ => None,
                };
                match name {
                    Some(name) => self.guard_call(expr, name, args),
                    None => self.illegal_guard(expr),
                }
            }
            _ => self.illegal_guard(expr),
        }
    }

    fn illegal_guard(&mut self, expr: &ast::Expr) -> Expr {
        Expr::Value(self.illegal(expr.span, "guard expression"))
    }

    pub(super) fn guard_exprs(&mut self, exprs: &'f [ast::Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.guard_expr(expr)).collect()
    }

    fn guard_list(&mut self, items: Vec<Expr>, tail: Expr) -> Expr {
        if items.is_empty() {
            return tail;
        }
        match (constants(&items), &tail) {
            (Some(items), Expr::Value(Value::Const(tail))) => {
                Expr::Value(Value::Const(self.pool.list(items, *tail)))
            }
            _ => Expr::List(items, Box::new(tail)),
        }
    }

    fn guard_map(&mut self, base: Option<&'f ast::Expr>, fields: &'f [ast::MapField]) -> Expr {
        let mut map = match base {
            Some(base) => self.guard_expr(base),
            None => Expr::Value(Value::Const(self.pool.map([]))),
        };
        let pairs: Vec<(bool, Expr, Expr)> = fields
            .iter()
            .map(|field| {
                let key = self.guard_expr(&field.key);
                (field.exact, key, self.guard_expr(&field.value))
            })
            .collect();
        let constant: Option<Vec<(Const, Const)>> = pairs
            .iter()
            .map(|pair| match pair {
                (false, Expr::Value(Value::Const(key)), Expr::Value(Value::Const(value))) => {
                    Some((*key, *value))
                }
                _ => None,
            })
            .collect();
        if let (None, Some(pairs)) = (base, constant) {
            return Expr::Value(Value::Const(self.pool.map(pairs)));
        }
        if pairs.is_empty() {
            return Expr::MapPut(Box::new(map), vec![]);
        }
        let mut pairs = pairs.into_iter().peekable();
        while let Some((exact, key, value)) = pairs.next() {
            let mut run = vec![(key, value)];
            while let Some((_, key, value)) = pairs.next_if(|next| next.0 == exact) {
                run.push((key, value));
            }
            map = if exact { Expr::MapUpdate(Box::new(map), run) } else { Expr::MapPut(Box::new(map), run) };
        }
        map
    }

    fn guard_unary(&mut self, op: UnaryOp, operand: &'f ast::Expr) -> Expr {
        let operand = self.guard_expr(operand);
        if let Expr::Value(Value::Const(constant)) = operand
            && let Some(folded) = super::fold::unary(&mut self.pool, op, constant)
        {
            return Expr::Value(Value::Const(folded));
        }
        let name = self.names.intern(op.text());
        Expr::Bif(name, vec![operand])
    }

    fn guard_op(&mut self, op: BinaryOp, left: &'f ast::Expr, right: &'f ast::Expr) -> Expr {
        let a = self.guard_expr(left);
        if matches!(op, BinaryOp::Andalso | BinaryOp::Orelse) {
            let b = self.with_record_tests(|lowerer| lowerer.guard_expr(right));
            let (a, b) = (Box::new(a), Box::new(b));
            return if op == BinaryOp::Andalso { Expr::And(a, b) } else { Expr::Or(a, b) };
        }
        let b = self.guard_expr(right);
        if let (Expr::Value(Value::Const(a)), Expr::Value(Value::Const(b))) = (&a, &b)
            && let Some(folded) = super::fold::binary(&mut self.pool, op, *a, *b)
        {
            return Expr::Value(Value::Const(folded));
        }
        let name = self.names.intern(op.text());
        Expr::Bif(name, vec![a, b])
    }

    fn guard_call(&mut self, expr: &ast::Expr, name: Name, args: &'f [ast::Expr]) -> Expr {
        let mut args = self.guard_exprs(args);
        let text = self.names.text(name);
        let arity = args.len() as u32;
        if text == "is_record" && arity == 2 {
            if let Expr::Value(Value::Const(Const::Atom(tag))) = args[1]
                && let Some(record) = self.records.get(&tag)
            {
                let size = record.fields.len() as i64 + 1;
                args.push(Expr::Value(Value::Const(Const::Int(size))));
            }
            return Expr::Bif(name, args);
        }
        if !(crate::builtin::is_guard(text, arity) || crate::builtin::is_guard_operator(text, arity)) {
            return self.illegal_guard(expr);
        }
        Expr::Bif(name, args)
    }

    /// `Base#name.field`
    fn guard_record_access(&mut self, base: &'f ast::Expr, name: ast::Ident, field: ast::Ident) -> Expr {
        let base = self.guard_expr(base);
        let Some(index) = self.field_index(name, field) else { return Expr::Value(Value::Const(Const::Nil)) };
        let size = self.records.get(&name.name).map_or(0, |record| record.fields.len() as i64 + 1);
        let constant = |value| Expr::Value(Value::Const(value));
        let is_record = self.names.intern("is_record");
        let element = self.names.intern("element");
        let test = Expr::Bif(
            is_record,
            vec![base.clone(), constant(Const::Atom(name.name)), constant(Const::Int(size))],
        );
        if !self.record_tests.contains(&test) {
            self.record_tests.push(test);
        }
        Expr::Bif(element, vec![constant(Const::Int(index as i64 + 1)), base])
    }

    fn guard_record(&mut self, expr: &ast::Expr, name: ast::Ident, fields: &'f [ast::RecordField]) -> Expr {
        let Some(values) = self.record_fields(name, fields) else { return self.illegal_guard(expr) };
        let mut items = vec![Expr::Value(Value::atom(name.name))];
        for (value, _) in values {
            items.push(match value {
                Some(value) => self.guard_expr(value),
                None => Expr::Value(Value::atom(known::UNDEFINED)),
            });
        }
        match constants(&items) {
            Some(items) => Expr::Value(Value::Const(self.pool.tuple(items))),
            None => Expr::Tuple(items),
        }
    }

    /// Whether an expression could be a guard: then a filter of a comprehension is one.
    pub(super) fn is_guard_test(&self, expr: &ast::Expr) -> bool {
        match &expr.kind {
            kind if kind.is_literal() => true,
            ExprKind::Var(_) | ExprKind::RecordIndex { .. } => true,
            ExprKind::List { elements, tail } => {
                let tail = tail.as_ref().is_none_or(|tail| self.is_guard_test(tail));
                tail && self.are_guard_tests(elements)
            }
            ExprKind::Tuple(elements) => self.are_guard_tests(elements),
            ExprKind::Map { base, fields } => {
                base.as_ref().is_none_or(|base| self.is_guard_test(base))
                    && fields.iter().all(|f| self.is_guard_test(&f.key) && self.is_guard_test(&f.value))
            }
            ExprKind::Binary(segments) => segments.iter().all(|segment| {
                self.is_guard_test(&segment.value)
                    && segment.size.as_ref().is_none_or(|size| self.is_guard_test(size))
            }),
            ExprKind::Record { base: None, name, fields } => {
                let values = self.record_fields(*name, fields).unwrap_or_default();
                values.into_iter().filter_map(|(value, _)| value).all(|value| self.is_guard_test(value))
            }
            ExprKind::RecordAccess { base, .. } => self.is_guard_test(base),
            ExprKind::Unary { operand, .. } => self.is_guard_test(operand),
            ExprKind::Op { op, left, right } => {
                !matches!(op, BinaryOp::Send | BinaryOp::Append | BinaryOp::Subtract)
                    && self.is_guard_test(left)
                    && self.is_guard_test(right)
            }
            ExprKind::Call { callee, args } => {
                let arity = args.len() as u32;
                let known = match &callee.kind {
                    ExprKind::Atom(name) => {
                        let text = self.names.text(*name);
                        let imported = self.imports.get(&(*name, arity));
                        !self.locals.contains(&(*name, arity))
                            && imported.is_none_or(|&module| module == known::ERLANG)
                            && crate::builtin::is_guard(text, arity)
                    }
                    ExprKind::Remote { module, name } => match (&module.kind, &name.kind) {
                        (ExprKind::Atom(known::ERLANG), ExprKind::Atom(name)) => {
                            let text = self.names.text(*name);
                            crate::builtin::is_guard(text, arity)
                                || crate::builtin::is_guard_operator(text, arity)
                        }
                        _ => false,
                    },
                    _ => false,
                };
                known && self.are_guard_tests(args)
            }
            _ => false,
        }
    }

    fn are_guard_tests(&self, exprs: &[ast::Expr]) -> bool {
        exprs.iter().all(|expr| self.is_guard_test(expr))
    }
}

fn constants(exprs: &[Expr]) -> Option<Vec<Const>> {
    exprs
        .iter()
        .map(|expr| match expr {
            Expr::Value(Value::Const(constant)) => Some(*constant),
            _ => None,
        })
        .collect()
}

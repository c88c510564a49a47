//! Calls: what a name means, and which functions are instructions.

use super::Lowerer;
use crate::ast::{Expr, ExprKind};
use crate::core::{self, Body, Case, Clause, Const, End, Failure, Op, Pattern, Value};
use crate::{Name, builtin, known};

/// What `name(...)` without a module calls.
pub(super) enum Callee {
    Local,
    Imported(Name),
}

impl<'f> Lowerer<'f, '_> {
    /// Local functions come before imported ones, these before automatically imported ones.
    pub(super) fn callee(&self, name: Name, arity: usize) -> Callee {
        let key = (name, arity as u32);
        if self.locals.contains(&key) {
            Callee::Local
        } else if let Some(&module) = self.imports.get(&key) {
            Callee::Imported(module)
        } else if builtin::is_auto_imported(self.names.text(name), arity as u32) {
            Callee::Imported(known::ERLANG)
        } else {
            Callee::Local
        }
    }

    pub(super) fn call(&mut self, expr: &Expr, callee: &'f Expr, args: &'f [Expr]) -> Value {
        if args.len() > super::forms::MAX_ARITY {
            return self.illegal(expr.span, "call with more than 255 arguments");
        }
        match &callee.kind {
            ExprKind::Atom(name) => self.named_call(expr, *name, args),
            ExprKind::Remote { module, name } => {
                let group = self.scope.mark();
                let module = self.expr(module);
                let name = self.operand_of(group, name);
                let args = self.operands_of(group, args);
                self.at(callee.span);
                match (module, name) {
                    (Value::Const(Const::Atom(module)), Value::Const(Const::Atom(name))) => {
                        self.remote_call(module, name, args)
                    }
                    _ => self.step(Op::Apply(module, name, args)),
                }
            }
            _ => {
                let group = self.scope.mark();
                let fun = self.expr(callee);
                let args = self.operands_of(group, args);
                self.at(callee.span);
                self.step(Op::CallFun(fun, args))
            }
        }
    }

    fn named_call(&mut self, expr: &Expr, name: Name, args: &'f [Expr]) -> Value {
        match self.callee(name, args.len()) {
            Callee::Local => {
                if name == known::RECORD_INFO && args.len() == 2 {
                    return self.record_info(expr, args);
                }
                let args = self.operands(args);
                self.at(expr.span);
                self.step(Op::Call(name, args))
            }
            Callee::Imported(module) => {
                let args = self.operands(args);
                self.at(expr.span);
                self.remote_call(module, name, args)
            }
        }
    }

    /// `module:name(args)` with known names.
    pub(super) fn remote_call(&mut self, module: Name, name: Name, args: Vec<Value>) -> Value {
        if module != known::ERLANG {
            return self.other_module(module, name, args);
        }
        let text = self.names.text(name);
        let arity = args.len() as u32;
        match (text, &args[..]) {
            ("!", &[to, message]) => return self.step(Op::Send(to, message)),
            ("is_record", &[value, Value::Const(Const::Atom(tag))]) => {
                if let Some(record) = self.records.get(&tag) {
                    let size = record.fields.len() + 1;
                    return self.is_record(value, tag, size);
                }
            }
            (
                "is_record",
                &[value, Value::Const(Const::Atom(tag)), Value::Const(Const::Int(size @ 1..=4096))],
            ) => {
                return self.is_record(value, tag, size as usize);
            }
            ("apply", &[fun, Value::Const(list)]) => {
                if let Some(args) = self.pool.proper_list(list).filter(|args| args.len() <= 255) {
                    let args = args.into_iter().map(Value::Const).collect();
                    return self.step(Op::CallFun(fun, args));
                }
            }
            ("apply", &[fun, Value::Var(list)]) => {
                if let Some(args) = self.built_list(list) {
                    return self.step(Op::CallFun(fun, args));
                }
            }
            ("apply", &[module, name, list]) => {
                let known = match list {
                    Value::Const(list) => self
                        .pool
                        .proper_list(list)
                        .map(|args| args.into_iter().map(Value::Const).collect::<Vec<_>>()),
                    Value::Var(list) => self.built_list(list),
                };
                if let Some(args) = known.filter(|args| args.len() <= 255) {
                    return match (module, name) {
                        (Value::Const(Const::Atom(module)), Value::Const(Const::Atom(name))) => {
                            self.remote_call(module, name, args)
                        }
                        _ => self.step(Op::Apply(module, name, args)),
                    };
                }
            }
            _ if builtin::is_guard(text, arity) || builtin::is_guard_operator(text, arity) => {
                return self.step(Op::Bif(name, args));
            }
            _ => {}
        }
        self.step(Op::CallExt(module, name, args))
    }

    /// A call of another module; two functions of `maps` are guard BIFs under other names, down to their errors, and those of
    /// `math` are called like guard BIFs.
    fn other_module(&mut self, module: Name, name: Name, args: Vec<Value>) -> Value {
        let bif = match (self.names.text(module), self.names.text(name), args.len()) {
            ("maps", "get", 2) => "map_get",
            ("maps", "is_key", 2) => "is_map_key",
            ("math", function, arity) if builtin::is_math(function, arity as u32) => {
                return self.step(Op::Bif(name, args));
            }
            _ => return self.step(Op::CallExt(module, name, args)),
        };
        let bif = self.names.intern(bif);
        self.step(Op::Bif(bif, args))
    }

    /// The items of a proper list that the step just before built; the list itself may then be unused.
    fn built_list(&self, list: core::Var) -> Option<Vec<Value>> {
        let last = self.steps.last()?;
        match &last.op {
            Op::List(items, Value::Const(tail)) if last.vars == [list] => {
                let rest = self.pool.proper_list(*tail)?;
                Some(items.iter().copied().chain(rest.into_iter().map(Value::Const)).collect())
            }
            _ => None,
        }
        .filter(|args: &Vec<Value>| args.len() <= 255)
    }

    /// Whether `value` is a tuple of `size` elements with `tag` first.
    pub(super) fn is_record(&mut self, value: Value, tag: Name, size: usize) -> Value {
        let mut items = vec![Pattern::Any; size];
        items[0] = Pattern::Const(Const::Atom(tag));
        let clause = |pattern, atom| Clause {
            patterns: vec![pattern],
            same: vec![],
            guard: vec![],
            body: Body { steps: vec![], end: End::Values(vec![Value::atom(atom)]) },
        };
        let clauses = vec![clause(Pattern::Tuple(items), known::TRUE), clause(Pattern::Any, known::FALSE)];
        self.step(Op::Case(Case { subjects: vec![value], clauses, otherwise: Failure::Impossible }))
    }

    /// `record_info(fields, r)` and `record_info(size, r)`.
    fn record_info(&mut self, expr: &Expr, args: &'f [Expr]) -> Value {
        let (ExprKind::Atom(what), ExprKind::Atom(name)) = (&args[0].kind, &args[1].kind) else {
            return self.illegal(expr.span, "use of record_info");
        };
        let Some(record) = self.records.get(name) else { return self.illegal(expr.span, "record") };
        let fields: Vec<Const> = record.fields.iter().map(|(name, _)| Const::Atom(*name)).collect();
        Value::Const(match *what {
            known::SIZE => Const::Int(fields.len() as i64 + 1),
            _ => self.pool.list(fields, Const::Nil),
        })
    }
}

//! Funs.

use super::Lowerer;
use super::calls::Callee;
use super::lift::Lifted;
use super::matches::Outside;
use super::numbers::{Part, part};
use crate::ast::{self, Expr, ExprKind, Ident};
use crate::core::visit::{self, Role};
use crate::core::{Const, Lambda, Op, Step, Value};
use crate::{Name, known};

impl<'f> Lowerer<'f, '_> {
    pub(super) fn any_fun(&mut self, expr: &'f Expr) -> Value {
        match &expr.kind {
            ExprKind::FunLocal { name, arity } => self.local_fun(expr, *name, *arity),
            ExprKind::FunRemote { module, name, arity } => {
                let values = [self.expr(module), self.expr(name), self.expr(arity)];
                self.at(expr.span);
                match values {
                    [
                        Value::Const(Const::Atom(module)),
                        Value::Const(Const::Atom(name)),
                        Value::Const(Const::Int(arity @ 0..=255)),
                    ] => Value::Const(self.pool.export(module, name, arity as u8)),
                    _ => {
                        let make_fun = self.names.intern("make_fun");
                        self.step(Op::CallExt(known::ERLANG, make_fun, values.to_vec()))
                    }
                }
            }
            ExprKind::Fun { name, clauses } => self.closure(expr, *name, clauses),
            _ => self.illegal(expr.span, "fun"),
        }
    }

    /// `fun f/1`
    fn local_fun(&mut self, expr: &Expr, name: Ident, arity: u32) -> Value {
        let Ok(small) = u8::try_from(arity) else { return self.illegal(expr.span, "fun") };
        if let Callee::Imported(module) = self.callee(name.name, arity as usize) {
            return Value::Const(self.pool.export(module, name.name, small));
        }
        if !self.locals.contains(&(name.name, arity)) && name.name != known::MODULE_INFO {
            return self.illegal(expr.span, "fun of a function that is not there");
        }
        let row = match self.local_funs.get(&(name.name, small)) {
            Some(&row) => row,
            None => {
                let row = self.lambda(name.name, small, 0);
                self.local_funs.insert((name.name, small), row);
                row
            }
        };
        self.at(expr.span);
        self.step(Op::Fun(row, vec![]))
    }

    fn lambda(&mut self, name: Name, arity: u8, free: u8) -> u32 {
        self.lambdas.push(Lambda { name, arity, free });
        self.lambdas.len() as u32 - 1
    }

    fn closure(&mut self, expr: &Expr, own_name: Option<Ident>, clauses: &'f [ast::Clause]) -> Value {
        let arity = clauses.first().map_or(0, |clause| clause.patterns.len());
        if arity > super::forms::MAX_ARITY {
            return self.illegal(expr.span, "fun with more than 255 arguments");
        }
        self.at(expr.span);
        let line = self.line;
        let mark = self.scope.mark();
        let siblings = self.away_from_siblings();
        let own_name = own_name.filter(|name| self.numbers.is_used(name.name));
        // Heads match the fun's own name, as any name that is bound; but hide it if it hides another itself, as in OTP.
        let outside = match own_name {
            Some(own) if self.scope.get(own.name).is_none() => Outside::Only(own.name),
            _ => Outside::None,
        };
        let own = own_name.map(|name| {
            let var = self.var();
            self.scope.bind(name.name, Value::Var(var));
            var
        });
        let (steps, (params, mut body)) =
            self.apart(|lowerer| lowerer.function_body(clauses, arity as u32, outside));
        debug_assert!(steps.is_empty(), "a fun's clauses are in its body");
        self.scope.rollback(mark);
        self.back_among_siblings(siblings);
        self.line = line;
        let name = self.fun_name(own_name, arity, part(expr, self.site));
        // The fun's own name stands for the fun made again from what it captured.
        let row = self.lambda(name, 0, 0);
        if let Some(own) = own {
            let mut used = false;
            visit::body(&mut body, &mut |var, role| used |= *var == own && role == Role::Read);
            if used {
                body.steps.insert(0, Step { vars: vec![own], op: Op::Fun(row, vec![]), line });
            }
        }
        let lifted = Lifted { name, params, body, line };
        if let Some(&row) = self.funs.get(&name) {
            // It is the second of two in a short `after` body: the same function again.
            let captured = super::lift::captured_by(lifted).into_iter().map(Value::Var).collect();
            return self.step(Op::Fun(row, captured));
        }
        self.funs.insert(name, row);
        let captured = self.add_function(lifted);
        let total = arity + captured.len();
        let free = captured.len();
        if let (Ok(total), Ok(free)) = (u8::try_from(total), u8::try_from(free)) {
            self.lambdas[row as usize] = Lambda { name, arity: total, free };
        }
        if own.is_some() {
            self.complete_own(arity, free);
        }
        let captured = captured.into_iter().map(Value::Var).collect();
        self.step(Op::Fun(row, captured))
    }

    /// Gives the fun that a function makes of itself what it captured: its last parameters.
    fn complete_own(&mut self, arity: usize, free: usize) {
        let Some(function) = self.functions.last_mut() else { return };
        if function.params.len() != arity + free {
            return;
        }
        let captured: Vec<Value> = function.params[arity..].iter().map(|&var| Value::Var(var)).collect();
        if let Some(Step { op: Op::Fun(_, values), .. }) = function.body.steps.first_mut() {
            *values = captured;
        }
    }

    /// `-f/1-fun-0-`, or `-f/1-Name/2-0-` for a fun that uses a name of its own.
    fn fun_name(&mut self, own_name: Option<Ident>, arity: usize, part: Part) -> Name {
        let (function, function_arity) = self.function;
        let (number, lifted) = (self.numbers.function(part), self.numbers.lifted(part));
        let function = self.names.text(function);
        let name = match own_name {
            Some(own) => {
                let own = self.names.text(own.name);
                format!("-{function}/{function_arity}-{own}/{arity}-{lifted}-")
            }
            None => format!("-{function}/{function_arity}-fun-{number}-"),
        };
        self.names.intern(&name)
    }
}

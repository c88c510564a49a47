//! `case`, `if`, `receive`, `try`, `maybe`.

use super::Lowerer;
use super::clauses::Open;
use super::matches::{Heads, Outside};
use super::numbers::part;
use crate::ast::{self, Expr, ExprKind};
use crate::core::{
    self, Body, Case, Clause, Const, End, EscapeId, Failure, Op, Pattern, Receive, Value, Var,
};
use crate::hash::HashSet;
use crate::{Name, known};

impl<'f> Lowerer<'f, '_> {
    pub(super) fn control(&mut self, expr: &'f Expr, wanted: bool) -> Value {
        match &expr.kind {
            ExprKind::If(clauses) => self.choice(expr, vec![], (clauses, wanted), Failure::IfClause),
            ExprKind::Case { subject, clauses } => {
                let value = self.expr(subject);
                self.choice(expr, vec![value], (clauses, wanted), Failure::CaseClause(value))
            }
            ExprKind::Receive { clauses, timeout } => self.receive(expr, clauses, timeout.as_deref()),
            ExprKind::Try(attempt) => self.attempt(expr, attempt),
            ExprKind::Maybe { body, otherwise } => self.maybe(expr, body, otherwise),
            _ => self.illegal(expr.span, "expression"),
        }
    }

    fn choice(
        &mut self,
        expr: &Expr,
        subjects: Vec<Value>,
        (clauses, wanted): (&'f [ast::Clause], bool),
        otherwise: Failure,
    ) -> Value {
        self.at(expr.span);
        let line = self.line;
        let opens: Vec<Open> =
            clauses.iter().map(|clause| self.open_clause(clause, Outside::All, wanted)).collect();
        self.line = line;
        let (vars, clauses) = self.export(opens);
        let value = Value::Var(vars[0]);
        self.step_to(vars, Op::Case(Case { subjects, clauses, otherwise }));
        value
    }

    fn receive(
        &mut self,
        expr: &Expr,
        clauses: &'f [ast::Clause],
        timeout: Option<&'f ast::Timeout>,
    ) -> Value {
        // The time is evaluated first; what it binds is bound everywhere.
        let time = timeout.map(|timeout| self.expr(&timeout.time));
        self.at(timeout.map_or(expr.span, |timeout| self.place(&timeout.time)));
        let line = self.line;
        let mut opens: Vec<Open> =
            clauses.iter().map(|clause| self.open_clause(clause, Outside::All, true)).collect();
        if let Some(timeout) = timeout {
            let mark = self.scope.mark();
            let (steps, value) = self.apart(|lowerer| lowerer.exprs(&timeout.body));
            let (patterns, same, guard, bound) = (vec![], vec![], vec![], vec![]);
            let open = Open { patterns, same, guard, steps, value, bound, again: vec![] };
            let open = self.forget(open, mark);
            opens.push(open);
        }
        self.line = line;
        let (vars, mut clauses) = self.export(opens);
        let timeout = match time {
            Some(time) => clauses.pop().map(|clause| core::Timeout { time, body: clause.body }),
            None => None,
        };
        let marker = marker(&clauses);
        let value = Value::Var(vars[0]);
        self.step_to(vars, Op::Receive(Receive { clauses, marker, timeout }));
        value
    }

    fn attempt(&mut self, expr: &'f Expr, attempt: &'f ast::Try) -> Value {
        if attempt.after.is_empty() {
            return self.attempt_without_after(expr, attempt);
        }
        let body = match attempt.clauses.is_empty() && attempt.catches.is_empty() {
            true => self.scoped_body(|lowerer| lowerer.exprs(&attempt.body)),
            false => self.scoped_body(|lowerer| lowerer.attempt_without_after(expr, attempt)),
        };
        let result = self.var();
        let (then_steps, handler_steps) = self.after(expr, attempt);
        let caught = [self.var(), self.var(), self.var()];
        let mut handler = Body { steps: handler_steps, end: End::Never };
        handler.steps.push(core::Step {
            vars: vec![],
            op: Op::Fail(Failure::ReRaise(caught)),
            line: self.line,
        });
        let then = Body { steps: then_steps, end: End::Values(vec![Value::Var(result)]) };
        self.step(Op::Try(Box::new(core::Try { body, vars: vec![result], then, caught, handler })))
    }

    /// The steps of an `after` body, for both ways: twice if it is short, else as calls of a function.
    fn after(&mut self, expr: &Expr, attempt: &'f ast::Try) -> (Vec<core::Step>, Vec<core::Step>) {
        let after = &attempt.after;
        let sizes = super::size::Sizes { lowerer: self };
        if !sizes.is_function_of_its_own(after) {
            let mut copy = || {
                let mark = self.scope.mark();
                let (steps, ()) = self.apart(|lowerer| lowerer.effects(after));
                self.scope.rollback(mark);
                steps
            };
            return (copy(), copy());
        }
        // Its value is nobody's; and without it the last call leaves its line in stack traces.
        let body = self.scoped_body(|lowerer| {
            lowerer.effects(after);
            Value::Const(core::Const::Nil)
        });
        self.at(expr.span);
        let (name, args) = self.lift_body("after", part(after, self.site), body);
        let mut call = || {
            let args = args.clone();
            self.apart(|lowerer| lowerer.step(Op::Call(name, args))).0
        };
        (call(), call())
    }

    fn attempt_without_after(&mut self, expr: &Expr, attempt: &'f ast::Try) -> Value {
        // Nothing that it binds is safe behind it.
        self.branch(|lowerer| lowerer.attempt_in_branch(expr, attempt)).0
    }

    fn attempt_in_branch(&mut self, expr: &Expr, attempt: &'f ast::Try) -> Value {
        self.at(expr.span);
        let line = self.line;
        let mark = self.scope.mark();
        let (steps, value) = self.apart(|lowerer| lowerer.exprs(&attempt.body));
        let bound = self.scope.new_since(mark);
        self.scope.rollback(mark);
        let result = self.var();
        let (mut vars, mut values) = (vec![result], vec![value]);
        // What the body binds is bound in the clauses behind `of`, and nowhere else.
        let clauses = self.scope.mark();
        for (name, value) in named_in(&attempt.clauses, bound) {
            let Value::Var(_) = value else {
                self.scope.bind(name, value);
                continue;
            };
            let var = self.var();
            vars.push(var);
            values.push(value);
            self.scope.bind(name, Value::Var(var));
        }
        let body = Body { steps, end: End::Values(values) };
        let caught = [self.var(), self.var(), self.var()];
        let mut opens: Vec<Open> =
            attempt.clauses.iter().map(|clause| self.open_clause(clause, Outside::All, true)).collect();
        self.scope.rollback(clauses);
        let of_count = opens.len();
        for clause in &attempt.catches {
            let open = self.catch_clause(clause, caught[2]);
            opens.push(open);
        }
        self.line = line;
        // What `of` and `catch` clauses bind is unsafe behind the `try`: nothing is exported.
        let mut clauses: Vec<Clause> =
            opens.into_iter().map(|open| open.close(|open| vec![open.value])).collect();
        let handlers = clauses.split_off(of_count);
        let then = if attempt.clauses.is_empty() {
            Body { steps: vec![], end: End::Values(vec![Value::Var(result)]) }
        } else {
            let failure = Failure::TryClause(Value::Var(result));
            self.case_body(vec![Value::Var(result)], clauses, failure)
        };
        let subjects = vec![Value::Var(caught[0]), Value::Var(caught[1])];
        let handler = self.case_body(subjects, handlers, Failure::ReRaise(caught));
        self.step(Op::Try(Box::new(core::Try { body, vars, then, caught, handler })))
    }

    /// A body that is one `case`.
    fn case_body(&mut self, subjects: Vec<Value>, clauses: Vec<Clause>, otherwise: Failure) -> Body {
        let (steps, value) =
            self.apart(|lowerer| lowerer.step(Op::Case(Case { subjects, clauses, otherwise })));
        Body { steps, end: End::Values(vec![value]) }
    }

    fn catch_clause(&mut self, clause: &'f ast::CatchClause, trace: Var) -> Open {
        let mark = self.scope.mark();
        let mut heads = Heads::new(Outside::All);
        let class = match &clause.class {
            Some(class) => self.pattern(class, &mut heads),
            None => Pattern::Const(Const::Atom(known::THROW)),
        };
        let pattern = self.pattern(&clause.pattern, &mut heads);
        let guard = self.guard(&clause.guard);
        let (steps, value) = self.apart(|lowerer| {
            if let Some(stacktrace) = clause.stacktrace
                && stacktrace.name != known::UNDERSCORE
            {
                let list = lowerer.step(Op::BuildTrace(trace));
                lowerer.scope.bind(stacktrace.name, list);
            }
            lowerer.exprs(&clause.body)
        });
        let patterns = vec![class, pattern];
        let (same, bound) = (heads.same, vec![]);
        self.forget(Open { patterns, same, guard, steps, value, bound, again: vec![] }, mark)
    }

    fn maybe(&mut self, expr: &Expr, body: &'f [Expr], otherwise: &'f [ast::Clause]) -> Value {
        self.escapes += 1;
        let id = EscapeId(self.escapes);
        let inner = self.scoped_body(|lowerer| {
            let mut value = Value::Const(Const::Nil);
            for expr in body {
                value = match &expr.kind {
                    ExprKind::MaybeMatch { pattern, value } => {
                        let value = lowerer.expr(value);
                        lowerer.at(expr.span);
                        lowerer.match_value(pattern, value, Failure::Escape(id, value));
                        value
                    }
                    _ => lowerer.expr(expr),
                };
            }
            value
        });
        let var = self.var();
        self.at(expr.span);
        let line = self.line;
        let other = if otherwise.is_empty() {
            Body { steps: vec![], end: End::Values(vec![Value::Var(var)]) }
        } else {
            let clauses = otherwise.iter().map(|clause| self.closed_clause(clause, Outside::All)).collect();
            let else_clause = self.names.intern("else_clause");
            self.line = line;
            self.case_body(vec![Value::Var(var)], clauses, Failure::Tagged(else_clause, Value::Var(var)))
        };
        self.step(Op::Escape { id, body: inner, var, otherwise: other })
    }
}

/// Those of the variables that the clauses name.
fn named_in(clauses: &[ast::Clause], mut bound: Vec<(Name, Value)>) -> Vec<(Name, Value)> {
    let mut named = HashSet::default();
    if !bound.is_empty() {
        super::named::in_clauses(clauses, &mut |name| {
            named.insert(name);
        });
    }
    bound.retain(|(name, _)| named.contains(name));
    bound
}

/// A variable bound before that every clause asks for in its message.
fn marker(clauses: &[Clause]) -> Option<Var> {
    let (first, rest) = clauses.split_first()?;
    let mut wanted = Vec::new();
    first.patterns.iter().for_each(|pattern| required(pattern, &mut wanted));
    for clause in rest {
        let mut here = Vec::new();
        clause.patterns.iter().for_each(|pattern| required(pattern, &mut here));
        wanted.retain(|var| here.contains(var));
    }
    wanted.first().copied()
}

/// The variables whose values must be somewhere in what matches.
fn required(pattern: &Pattern, vars: &mut Vec<Var>) {
    match pattern {
        Pattern::Same(Value::Var(var)) => vars.push(*var),
        Pattern::Tuple(items) | Pattern::And(items) => items.iter().for_each(|item| required(item, vars)),
        Pattern::List(items, tail) => {
            items.iter().for_each(|item| required(item, vars));
            required(tail, vars);
        }
        Pattern::Map(pairs) => pairs.iter().for_each(|(_, item)| required(item, vars)),
        Pattern::Any | Pattern::Var(_) | Pattern::Const(_) | Pattern::Same(_) | Pattern::Bits(_) => {}
    }
}

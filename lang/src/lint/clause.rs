//! Clauses, bodies and the variables that pass between them.

use super::Linter;
use super::environment::{Branch, Origin, State};
use super::pattern::Scope;
use crate::ast::{CatchClause, Clause, Expr, Guard};
use crate::{Code, Diagnostic, Name, Span, known};

impl<'a> Linter<'a> {
    /// A sequence: each expression sees what those before it bind.
    pub(super) fn body(&mut self, exprs: &'a [Expr]) {
        for (at, expr) in exprs.iter().enumerate() {
            self.expr(expr);
            if at + 1 < exprs.len() {
                self.check_ignored(expr);
            }
        }
    }

    /// Expressions that do not see each other's variables.
    pub(super) fn separate(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        let mut parts: Vec<Branch> = Vec::new();
        for expr in exprs {
            if expr.depth == 1 && !matches!(expr.kind, crate::ast::ExprKind::Var(_)) {
                // Nothing without parts binds, and long lists of constants are common.
                self.expr(expr);
                continue;
            }
            let mark = self.env.mark();
            self.expr(expr);
            let branch = self.env.leave(mark);
            if !branch.is_empty() {
                parts.push(branch);
            }
        }
        self.join(parts);
    }

    pub(super) fn join(&mut self, parts: Vec<Branch>) {
        let matched = self.env.join(parts);
        for (name, _) in matched {
            if self.is_underscored(name) && self.settings.warns("underscore_match", true) {
                self.underscore_matched(name, Span::NONE);
            }
        }
    }

    /// A clause of a function: nothing is bound before it.
    pub(super) fn function_clause(&mut self, clause: &'a Clause) {
        let mark = self.env.mark();
        self.head(&clause.patterns, false, "");
        self.guard(&clause.guard);
        self.body(&clause.body);
        self.env.discard(mark);
    }

    /// Clauses of `if`, `case`, `receive` and `else`: each gives a branch.
    pub(super) fn branches(&mut self, clauses: &'a [Clause]) -> Vec<Branch> {
        clauses
            .iter()
            .map(|clause| {
                let mark = self.env.mark();
                self.head(&clause.patterns, false, "");
                self.guard(&clause.guard);
                self.body(&clause.body);
                self.env.leave(mark)
            })
            .collect()
    }

    pub(super) fn exporting_clauses(&mut self, clauses: &'a [Clause], construct: &'static str, span: Span) {
        let branches = self.branches(clauses);
        self.env.merge(branches, Origin { construct, span });
    }

    /// Clauses of a fun: parameters shadow, nothing comes out.
    pub(super) fn fun_clauses(&mut self, clauses: &'a [Clause]) {
        let outer = std::mem::replace(&mut self.in_record_default, false);
        for clause in clauses {
            let mark = self.env.mark();
            self.head(&clause.patterns, true, "a fun");
            self.guard(&clause.guard);
            self.body(&clause.body);
            self.env.discard(mark);
        }
        self.in_record_default = outer;
    }

    pub(super) fn catch_clause(&mut self, clause: &'a CatchClause) -> Branch {
        self.check_guard(&clause.guard);
        let mark = self.env.mark();
        let mut scope = Scope::new(false);
        if let Some(class) = &clause.class {
            self.pattern(class, &mut scope);
        }
        self.pattern(&clause.pattern, &mut scope);
        let stack = clause.stacktrace.filter(|stack| stack.name != known::UNDERSCORE);
        if let Some(stack) = stack {
            let taken = scope.contains(stack.name) || self.env.get(stack.name).is_some();
            if taken {
                let title = format!("the stack trace variable `{}` is already bound", self.text(stack.name));
                self.report(
                    Diagnostic::new(Code::StacktraceVariable, stack.span, title)
                        .help("a stack trace cannot be matched; use a fresh variable"),
                );
            } else {
                let variable = self.env.create(stack.name, stack.span);
                scope.add(stack.name, variable);
            }
        }
        self.enter_scope(scope, "");
        if let Some(stack) = stack {
            self.env.set_state(stack.name, State::Stacktrace);
        }
        self.guard(&clause.guard);
        if let Some(stack) = stack {
            self.env.set_state(stack.name, State::Bound);
        }
        self.body(&clause.body);
        self.env.leave(mark)
    }

    fn guard(&mut self, guard: &'a Guard) {
        for tests in guard {
            for test in tests {
                self.guard_test(test);
            }
        }
    }

    /// A use of a variable in an expression or guard.
    pub(super) fn use_variable(&mut self, name: Name, span: Span) {
        if name == known::UNDERSCORE {
            self.report(
                Diagnostic::new(Code::UnboundVariable, span, "`_` has no value")
                    .help("it may stand only in patterns"),
            );
            return;
        }
        let Some(binding) = self.env.get(name) else {
            return self.unbound(name, span);
        };
        self.env.mark_used(binding.variable);
        match binding.state {
            State::Bound => {}
            State::Unsafe(origin) => self.unsafe_use(name, span, origin),
            State::Exported(origin) => {
                if self.settings.warns("export_vars", false) {
                    self.exported_use(name, span, origin);
                }
            }
            State::Stacktrace => {
                let title = format!("the stack trace variable `{}` is used in a guard", self.text(name));
                let note = "stack traces are built only after a clause was chosen";
                self.report(Diagnostic::new(Code::StacktraceVariable, span, title).note(note));
            }
        }
    }

    pub(super) fn unbound(&mut self, name: Name, span: Span) {
        let text = self.text(name);
        let title = format!("variable `{text}` is unbound");
        let names = self.env.names().map(|known| self.text(known));
        let meant = self.closest(text, names).map(str::to_owned);
        let mut diagnostic = Diagnostic::new(Code::UnboundVariable, span, title);
        if let Some(meant) = meant {
            // The one that was meant is not unused, then.
            if let Some(binding) = self.session.names.lookup(&meant).and_then(|name| self.env.get(name)) {
                self.env.mark_used(binding.variable);
            }
            diagnostic = diagnostic.suggest("there is a variable with a similar name", span, meant);
        }
        self.report(diagnostic);
        self.bind_reported(name);
    }

    /// Bound from here on, so that it is reported once.
    pub(super) fn bind_reported(&mut self, name: Name) {
        let variable = self.env.create(name, Span::NONE);
        self.env.mark_used(variable);
        self.env.bind(name, variable);
    }

    pub(super) fn unsafe_use(&mut self, name: Name, span: Span, origin: Origin) {
        let title = format!("variable `{}` is unsafe here", self.text(name));
        let words = format!("this `{}` binds it on some ways only", origin.construct);
        let help = match origin.construct {
            "case" | "if" | "receive" | "try" => {
                format!("let the `{0}` give the value: `X = {0} ... end`", origin.construct)
            }
            _ => "bind it before".to_owned(),
        };
        self.report(Diagnostic::new(Code::UnsafeVariable, span, title).also(origin.span, words).help(help));
        self.env.set_state(name, State::Bound);
    }

    pub(super) fn exported_use(&mut self, name: Name, span: Span, origin: Origin) {
        let title = format!("variable `{}` comes out of `{}`", self.text(name), origin.construct);
        self.report(
            Diagnostic::new(Code::ExportedVariable, span, title).also(origin.span, "it is bound in this"),
        );
        self.env.set_state(name, State::Bound);
    }

    pub(super) fn underscore_matched(&mut self, name: Name, span: Span) {
        let title = format!("variable `{}` is already bound, so this is a match", self.text(name));
        self.report(
            Diagnostic::new(Code::UnderscoreUsed, span, title)
                .help("to ignore the value, write `_` or another name that begins with `_`"),
        );
    }
}

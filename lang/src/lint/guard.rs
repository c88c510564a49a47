//! Guards: tests, and which expressions may stand in them.

use super::{Linter, NameArity};
use crate::ast::{BinaryOp, Expr, ExprKind};
use crate::{Code, Diagnostic, Name, Span, builtin, known};

impl<'a> Linter<'a> {
    /// A test at the top of a guard: type tests of long ago are still allowed here.
    pub(super) fn guard_test(&mut self, test: &'a Expr) {
        if let ExprKind::Call { callee, args } = &test.kind
            && let ExprKind::Atom(name) = callee.kind
        {
            let arity = args.len() as u32;
            if builtin::is_old_type_test(self.text(name), arity) && !self.is_local_or_imported((name, arity))
            {
                self.obsolete_test(name, arity, callee.span);
                args.iter().for_each(|arg| self.guard_expr(arg));
                if self.text(name) == "record" {
                    match args[1].kind {
                        ExprKind::Atom(record) => drop(self.use_record(record, args[1].span)),
                        _ => self.say(Code::IllegalGuard, args[1].span, "`record` takes a record's name"),
                    }
                }
                return;
            }
        }
        self.guard_expr(test);
    }

    fn obsolete_test(&mut self, name: Name, arity: u32, span: Span) {
        let text = self.text(name).to_owned();
        let modern = format!("is_{text}");
        if let Some(found) = self.session.names.lookup(&modern)
            && self.locals.contains_key(&(found, arity))
        {
            let title =
                format!("the old test `{text}/{arity}` cannot be used where `{modern}/{arity}` is defined");
            self.say(Code::IllegalGuard, span, title);
        }
        if self.settings.warns("obsolete_guard", true) {
            let title = format!("the test `{text}/{arity}` is obsolete");
            let help = format!("write `{modern}`");
            self.report(Diagnostic::new(Code::ObsoleteGuard, span, title).help(help));
        }
    }

    pub(super) fn is_local_or_imported(&self, function: NameArity) -> bool {
        self.locals.contains_key(&function) || self.imports.contains_key(&function)
    }

    /// Whether a function of `erlang` goes by its short name here: an import may say that it does.
    fn is_plain_builtin(&self, function: NameArity) -> bool {
        if self.locals.contains_key(&function) {
            return false;
        }
        match self.imports.get(&function) {
            Some(&(module, _)) => module == known::ERLANG,
            None => !self.settings.suppresses(function),
        }
    }

    pub(super) fn guard_expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Error
            | ExprKind::Atom(_)
            | ExprKind::Char(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Str(_) => {}
            ExprKind::Var(name) => self.use_variable(*name, expr.span),
            ExprKind::List { elements, tail } => {
                elements.iter().chain(tail.as_deref()).for_each(|element| self.guard_expr(element));
            }
            ExprKind::Tuple(elements) => elements.iter().for_each(|element| self.guard_expr(element)),
            ExprKind::Map { base, fields } => {
                match base {
                    Some(base) => self.guard_expr(base),
                    None => self.check_assoc(fields),
                }
                for field in fields {
                    self.guard_expr(&field.key);
                    self.guard_expr(&field.value);
                }
            }
            ExprKind::RecordIndex { name, field } => self.record_index(*name, *field),
            ExprKind::RecordAccess { base, name, field } => {
                self.guard_expr(base);
                self.record_index(*name, *field);
            }
            ExprKind::Record { base: None, name, fields } => {
                self.record_in_guard(expr.span, *name, fields);
            }
            ExprKind::Binary(segments) => self.guard_binary(segments),
            ExprKind::Unary { operand, .. } => self.guard_expr(operand),
            ExprKind::Op { op, left, right } => {
                self.guard_expr(left);
                self.guard_expr(right);
                if matches!(op, BinaryOp::Send | BinaryOp::Append | BinaryOp::Subtract) {
                    let title = format!("`{}` cannot be used in a guard", op.text());
                    self.say(Code::IllegalGuard, expr.span, title);
                }
            }
            ExprKind::Call { callee, args } => self.guard_call(expr.span, callee, args),
            _ => self.illegal_guard(expr),
        }
    }

    fn illegal_guard(&mut self, expr: &Expr) {
        let title = "this expression cannot be in a guard";
        let mut diagnostic = Diagnostic::new(Code::IllegalGuard, expr.span, title);
        if let ExprKind::Match { pattern, value } = &expr.kind {
            diagnostic.title = "`=` does not compare".to_owned();
            let between = self.mark_between(pattern.span, value.span, "=");
            diagnostic = match between {
                Some(at) => diagnostic.suggest("compare with `=:=` or `==`", at, "=:="),
                None => diagnostic.help("compare with `=:=` or `==`"),
            };
        }
        self.report(diagnostic);
    }

    /// Where a mark is written between two expressions.
    pub(super) fn mark_between(&self, left: Span, right: Span, mark: &str) -> Option<Span> {
        let gap = Span { start: left.end, end: right.start };
        self.session.sources.written_place(gap)?;
        let at = self.session.sources.text(gap).find(mark)? as u32;
        Some(Span { start: gap.start + at, end: gap.start + at + mark.len() as u32 })
    }

    fn guard_call(&mut self, span: Span, callee: &'a Expr, args: &'a [Expr]) {
        let arity = args.len() as u32;
        let (name, remote) = match &callee.kind {
            ExprKind::Atom(name) => (*name, false),
            ExprKind::Remote { module, name } => match (&module.kind, &name.kind) {
                (ExprKind::Atom(known::ERLANG), ExprKind::Atom(name)) => (*name, true),
                _ => return self.illegal_guard_call(span, callee, args),
            },
            _ => return self.illegal_guard_call(span, callee, args),
        };
        if self.text(name) == "is_record" {
            return self.guard_is_record(span, remote, args);
        }
        args.iter().for_each(|arg| self.guard_expr(arg));
        let text = self.text(name);
        let allowed = builtin::is_guard(text, arity) || remote && builtin::is_guard_operator(text, arity);
        if allowed && (remote || self.is_plain_builtin((name, arity))) {
            if !remote && self.imports.contains_key(&(name, arity)) {
                self.used_imports.insert((name, arity));
            }
            return;
        }
        self.report_guard_call(span, name, arity, remote);
    }

    fn illegal_guard_call(&mut self, span: Span, callee: &'a Expr, args: &'a [Expr]) {
        args.iter().for_each(|arg| self.guard_expr(arg));
        let title = "only functions of the language can be called in a guard";
        self.report(Diagnostic::new(Code::IllegalGuard, span, title).also(callee.span, "not this one"));
    }

    fn report_guard_call(&mut self, span: Span, name: Name, arity: u32, remote: bool) {
        let shown = self.function_text((name, arity));
        let local = !remote && self.is_local_or_imported((name, arity));
        let title = match local {
            true => format!("the function `{shown}` cannot be called in a guard"),
            false => format!("`{shown}` is not a function that guards may call"),
        };
        let mut diagnostic = Diagnostic::new(Code::IllegalGuard, span, title);
        if local {
            diagnostic = diagnostic.help("call it before, and test its result with `case` or `if`");
        } else {
            let guards = builtin::auto_imported().filter(|&(name, arity)| builtin::is_guard(name, arity));
            let close = self.closest(self.text(name), guards.map(|(name, _)| name));
            diagnostic = match close {
                Some(close) => diagnostic.help(format!("there is a guard function `{close}`")),
                None => diagnostic,
            };
        }
        self.report(diagnostic);
    }

    fn guard_is_record(&mut self, span: Span, remote: bool, args: &'a [Expr]) {
        match args {
            [value, Expr { kind: ExprKind::Atom(name), span: at, .. }] => {
                self.guard_expr(value);
                self.use_record(*name, *at);
            }
            [value, Expr { kind: ExprKind::Atom(_), .. }, Expr { kind: ExprKind::Int(_), .. }] => {
                self.guard_expr(value);
                let name = self.session.names.lookup("is_record");
                if let Some(name) = name.filter(|&name| !remote && self.is_local_or_imported((name, 3))) {
                    self.report_guard_call(span, name, 3, false);
                }
            }
            _ => {
                args.iter().for_each(|arg| self.guard_expr(arg));
                let title = "in a guard, `is_record` takes a record's name, and its size, as constants";
                self.say(Code::IllegalGuard, span, title);
            }
        }
    }

    // Judging without reporting: for the filters of comprehensions.

    pub(super) fn is_guard_test(&self, test: &Expr) -> bool {
        if let ExprKind::Call { callee, args } = &test.kind
            && let ExprKind::Atom(name) = callee.kind
        {
            let function = (name, args.len() as u32);
            if builtin::is_old_type_test(self.text(name), function.1) && !self.is_local_or_imported(function)
            {
                return args.iter().all(|arg| self.is_guard_expr(arg));
            }
        }
        self.is_guard_expr(test)
    }

    pub(super) fn is_guard_expr(&self, expr: &Expr) -> bool {
        match &expr.kind {
            kind if kind.is_literal() => true,
            ExprKind::Error | ExprKind::Var(_) | ExprKind::RecordIndex { .. } => true,
            ExprKind::List { elements, tail } => {
                elements.iter().chain(tail.as_deref()).all(|element| self.is_guard_expr(element))
            }
            ExprKind::Tuple(elements) => elements.iter().all(|element| self.is_guard_expr(element)),
            ExprKind::Map { base, fields } => {
                base.as_deref().is_none_or(|base| self.is_guard_expr(base))
                    && fields.iter().all(|f| self.is_guard_expr(&f.key) && self.is_guard_expr(&f.value))
            }
            ExprKind::RecordAccess { base, .. } => self.is_guard_expr(base),
            ExprKind::Record { base: None, name, fields } => {
                fields.iter().all(|field| self.is_guard_expr(&field.value))
                    && self.defaults(name.name, fields).into_iter().all(|default| self.is_guard_expr(default))
            }
            ExprKind::Binary(segments) => segments.iter().all(|segment| {
                self.is_guard_expr(&segment.value)
                    && segment.size.as_ref().is_none_or(|size| self.is_guard_expr(size))
            }),
            ExprKind::Unary { operand, .. } => self.is_guard_expr(operand),
            ExprKind::Op { op, left, right } => {
                !matches!(op, BinaryOp::Send | BinaryOp::Append | BinaryOp::Subtract)
                    && self.is_guard_expr(left)
                    && self.is_guard_expr(right)
            }
            ExprKind::Call { callee, args } => {
                self.is_guard_callee(callee, args.len() as u32)
                    && args.iter().all(|arg| self.is_guard_expr(arg))
            }
            _ => false,
        }
    }

    fn is_guard_callee(&self, callee: &Expr, arity: u32) -> bool {
        match &callee.kind {
            ExprKind::Atom(name) => {
                builtin::is_guard(self.text(*name), arity) && self.is_plain_builtin((*name, arity))
            }
            ExprKind::Remote { module, name } => match (&module.kind, &name.kind) {
                (ExprKind::Atom(known::ERLANG), ExprKind::Atom(name)) => {
                    let text = self.text(*name);
                    builtin::is_guard(text, arity) || builtin::is_guard_operator(text, arity)
                }
                _ => false,
            },
            _ => false,
        }
    }
}

//! Expressions.

use super::Linter;
use super::environment::{Branch, Origin};
use super::pattern::Scope;
use crate::ast::{
    BinaryOp, Clause, Expr, ExprKind, Generator, GeneratorPattern, Ident, MapField, Qualifier, Try,
};
use crate::{Code, Diagnostic, Span, known};

impl<'a> Linter<'a> {
    pub(super) fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Error
            | ExprKind::Atom(_)
            | ExprKind::Char(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Str(_) => {}
            ExprKind::Var(name) => self.use_variable(*name, expr.span),
            ExprKind::List { elements, tail } => self.separate(elements.iter().chain(tail.as_deref())),
            ExprKind::Tuple(elements) => self.separate(elements),
            ExprKind::Map { base, fields } => self.map(base.as_deref(), fields),
            ExprKind::Record { base: None, name, fields } => {
                self.record_construction(expr.span, *name, fields)
            }
            ExprKind::Record { base: Some(base), name, fields } => self.record_update(base, *name, fields),
            ExprKind::RecordIndex { name, field } => self.record_index(*name, *field),
            ExprKind::RecordAccess { base, name, field } => {
                self.check_record_base(base);
                self.expr(base);
                self.record_index(*name, *field);
            }
            ExprKind::Binary(segments) => self.binary(segments),
            ExprKind::Match { pattern, value } | ExprKind::MaybeMatch { pattern, value } => {
                self.match_expr(pattern, value);
            }
            ExprKind::Unary { operand, .. } => self.expr(operand),
            ExprKind::Op { op, left, right } => self.op(expr.span, *op, left, right),
            ExprKind::Catch(body) => {
                let mark = self.env.mark();
                self.expr(body);
                let branch = self.env.leave(mark);
                self.env.adopt_unsafe(&branch, Origin { construct: "catch", span: expr.span });
            }
            ExprKind::Call { callee, args } => self.call(expr.span, callee, args),
            ExprKind::Remote { .. } => {
                let title = "`module:name` means nothing by itself";
                self.report(
                    Diagnostic::new(Code::IllegalExpression, expr.span, title)
                        .help("call it with parentheses, or refer to it as `fun module:name/arity`"),
                );
            }
            other => self.control(expr.span, other),
        }
    }

    fn control(&mut self, span: Span, kind: &'a ExprKind) {
        match kind {
            ExprKind::Block(body) => self.body(body),
            ExprKind::If(clauses) => {
                self.check_reach_if(clauses);
                self.exporting_clauses(clauses, "if", span);
            }
            ExprKind::Case { subject, clauses } => {
                self.expr(subject);
                self.check_no_clause(subject, clauses);
                self.check_reach(clauses);
                self.exporting_clauses(clauses, "case", span);
            }
            ExprKind::Receive { clauses, timeout } => {
                self.check_reach(clauses);
                let mut time = Branch::new();
                let mut branches = Vec::new();
                if let Some(timeout) = timeout {
                    let mark = self.env.mark();
                    self.expr(&timeout.time);
                    time = self.env.leave(mark);
                    self.body(&timeout.body);
                    branches.push(self.env.leave(mark));
                }
                branches.extend(self.branches(clauses));
                self.env.merge(branches, Origin { construct: "receive", span });
                self.env.adopt(&time);
            }
            ExprKind::Try(parts) => self.try_expr(span, parts),
            ExprKind::FunLocal { name, arity } => self.fun_local(span, *name, *arity),
            ExprKind::FunRemote { module, name, arity } => {
                if let (ExprKind::Atom(module), ExprKind::Atom(function), ExprKind::Int(arity)) =
                    (&module.kind, &name.kind, &arity.kind)
                    && let Some(arity) = arity.to_i64().and_then(|arity| u32::try_from(arity).ok())
                {
                    self.check_export(*module, *function, name.span, arity);
                }
                self.separate([&**module, &**name, &**arity]);
            }
            ExprKind::Fun { name, clauses } => self.fun(*name, clauses),
            ExprKind::ListComprehension { body, qualifiers }
            | ExprKind::BinaryComprehension { body, qualifiers } => {
                self.comprehension([&**body].into_iter(), qualifiers);
            }
            ExprKind::MapComprehension { key, value, qualifiers } => {
                self.comprehension([&**key, &**value].into_iter(), qualifiers);
            }
            ExprKind::Maybe { body, otherwise } => self.maybe(span, body, otherwise),
            _ => {}
        }
    }

    fn map(&mut self, base: Option<&'a Expr>, fields: &'a [MapField]) {
        if base.is_none() {
            self.check_assoc(fields);
        }
        self.separate(base.into_iter().chain(fields.iter().flat_map(|field| [&field.key, &field.value])));
    }

    pub(super) fn check_assoc(&mut self, fields: &[MapField]) {
        for field in fields.iter().filter(|field| field.exact) {
            let diagnostic = Diagnostic::new(Code::IllegalMap, field.span, "`:=` where a map is made")
                .note("`:=` updates a key that is there, and a new map has none");
            self.report(match self.mark_between(field.key.span, field.value.span, ":=") {
                Some(at) => diagnostic.suggest("a new map is made with `=>`", at, "=>"),
                None => diagnostic,
            });
        }
    }

    fn match_expr(&mut self, pattern: &'a Expr, value: &'a Expr) {
        let before = self.env.next();
        self.expr(value);
        let mut scope = Scope::new(false);
        self.pattern(pattern, &mut scope);
        self.enter_scope(scope, "");
        self.check_match_chain(pattern, value, before);
        self.check_no_match(pattern, value);
    }

    fn op(&mut self, span: Span, op: BinaryOp, left: &'a Expr, right: &'a Expr) {
        match op {
            BinaryOp::Andalso | BinaryOp::Orelse => {
                self.expr(left);
                let mark = self.env.mark();
                self.expr(right);
                let branch = self.env.leave(mark);
                self.env.adopt_unsafe(&branch, Origin { construct: op.text(), span });
            }
            _ => {
                self.separate([left, right]);
                self.check_arithmetic(span, op, [left, right]);
            }
        }
    }

    fn try_expr(&mut self, span: Span, parts: &'a Try) {
        let origin = Origin { construct: "try", span };
        let mark = self.env.mark();
        self.body(&parts.body);
        let tried = self.env.leave(mark);

        // The clauses of `of` see what the body bound ...
        self.env.adopt(&tried);
        self.check_reach(&parts.clauses);
        let mut branches = self.branches(&parts.clauses);
        self.env.leave(mark);

        // ... the others cannot know whether it did.
        self.env.adopt_unsafe(&tried, origin);
        for clause in &parts.catches {
            branches.push(self.catch_clause(clause));
        }
        for branch in &branches {
            self.env.adopt_unsafe(branch, origin);
        }
        let mark = self.env.mark();
        self.body(&parts.after);
        let after = self.env.leave(mark);
        self.env.adopt_unsafe(&after, origin);
    }

    fn maybe(&mut self, span: Span, body: &'a [Expr], otherwise: &'a [Clause]) {
        let mark = self.env.mark();
        self.body(body);
        let branch = self.env.leave(mark);
        self.env.adopt_unsafe(&branch, Origin { construct: "maybe", span });
        if !otherwise.is_empty() {
            self.check_reach(otherwise);
            let branches = self.branches(otherwise);
            for branch in &branches {
                self.env.adopt_unsafe(branch, Origin { construct: "else", span });
            }
        }
    }

    fn fun(&mut self, name: Option<Ident>, clauses: &'a [Clause]) {
        self.check_fun_arity(clauses);
        self.check_reach(clauses);
        let mark = self.env.mark();
        if let Some(name) = name.filter(|name| name.name != known::UNDERSCORE) {
            let mut scope = Scope::new(true);
            let variable = self.env.create(name.name, name.span);
            scope.add(name.name, variable);
            self.enter_scope(scope, "a named fun");
        }
        self.fun_clauses(clauses);
        self.env.discard(mark);
    }

    fn check_fun_arity(&mut self, clauses: &[Clause]) {
        if let Some(clause) = clauses.first() {
            self.check_arity(clause.patterns.len() as u32, clause.span);
        }
    }

    pub(super) fn check_arity(&mut self, arity: u32, span: Span) {
        const MAX_ARITY: u32 = 255; // as in OTP
        if arity > MAX_ARITY {
            let title = format!("too many parameters ({arity}); at most {MAX_ARITY} are allowed");
            self.say(Code::TooManyArguments, span, title);
        }
    }

    // Comprehensions.

    fn comprehension(&mut self, body: impl Iterator<Item = &'a Expr>, qualifiers: &'a [Qualifier]) {
        let outer = std::mem::replace(&mut self.in_record_default, false);
        let mark = self.env.mark();
        for qualifier in qualifiers {
            match qualifier {
                Qualifier::Filter(filter) => self.filter(filter),
                Qualifier::Generator(generator) => {
                    self.generator_source(&generator.source);
                    self.generator_patterns(&[generator]);
                }
                Qualifier::Zip(generators) => {
                    for generator in generators {
                        self.generator_source(&generator.source);
                    }
                    self.generator_patterns(&generators.iter().collect::<Vec<_>>());
                }
            }
        }
        self.separate(body);
        self.env.discard(mark);
        self.in_record_default = outer;
    }

    /// A filter that can be a guard is one; otherwise it is an expression.
    fn filter(&mut self, filter: &'a Expr) {
        match self.is_guard_test(filter) {
            true => {
                self.check_filter(filter);
                self.guard_test(filter);
            }
            false => self.expr(filter),
        }
    }

    /// What a generator's source binds is gone at once.
    fn generator_source(&mut self, source: &'a Expr) {
        let mark = self.env.mark();
        self.expr(source);
        self.env.discard(mark);
    }

    fn generator_patterns(&mut self, generators: &[&'a Generator]) {
        let mut scope = Scope::new(true);
        for generator in generators {
            match &generator.pattern {
                GeneratorPattern::List(pattern) => self.pattern(pattern, &mut scope),
                GeneratorPattern::Binary(pattern) => {
                    self.check_generator_binary(pattern);
                    self.pattern(pattern, &mut scope);
                }
                GeneratorPattern::Map { key, value } => {
                    self.pattern(key, &mut scope);
                    self.pattern(value, &mut scope);
                }
            }
        }
        self.enter_scope(scope, "a generator");
    }
}

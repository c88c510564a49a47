//! Patterns: what they bind, and what may stand in them.

use super::Linter;
use super::environment::{State, VariableId};
use crate::ast::{BinaryOp, Expr, ExprKind, MapField, UnaryOp};
use crate::hash::HashMap;
use crate::{Code, Diagnostic, Name, Span, known};

/// The variables of one pattern, or of all patterns in one head, until they come into scope.
pub(super) struct Scope {
    /// Whether variables are new even if they are bound outside: heads of funs and generators.
    shadows: bool,
    /// In order, for messages; `index` finds them.
    new: Vec<(Name, VariableId)>,
    index: HashMap<Name, VariableId>,
    /// Where, in `new` and by name, the binary pattern under way begins: its sizes see only its own variables.
    binary: Vec<Name>,
}

impl Scope {
    pub(super) fn new(shadows: bool) -> Self {
        Self { shadows, new: Vec::new(), index: HashMap::default(), binary: Vec::new() }
    }

    pub(super) fn contains(&self, name: Name) -> bool {
        self.find(name).is_some()
    }

    fn find(&self, name: Name) -> Option<VariableId> {
        self.index.get(&name).copied()
    }

    pub(super) fn add(&mut self, name: Name, variable: VariableId) {
        self.new.push((name, variable));
        self.index.insert(name, variable);
    }

    pub(super) fn begin_binary(&mut self) -> Vec<Name> {
        std::mem::take(&mut self.binary)
    }

    pub(super) fn end_binary(&mut self, outer: Vec<Name>) {
        self.binary = outer;
    }

    pub(super) fn note_binary(&mut self, name: Name) {
        self.binary.push(name);
    }

    /// The variable a size may use: one of the same binary pattern.
    pub(super) fn in_binary(&self, name: Name) -> Option<VariableId> {
        match self.binary.contains(&name) {
            true => self.find(name),
            false => None,
        }
    }
}

impl<'a> Linter<'a> {
    /// All patterns of a head; their variables come into scope.
    pub(super) fn head(&mut self, patterns: &'a [Expr], shadows: bool, place: &str) {
        let mut scope = Scope::new(shadows);
        for pattern in patterns {
            self.pattern(pattern, &mut scope);
        }
        self.enter_scope(scope, place);
    }

    pub(super) fn enter_scope(&mut self, scope: Scope, place: &str) {
        for (name, variable) in scope.new {
            if scope.shadows
                && let Some(outer) = self.env.get(name)
                && !matches!(outer.state, State::Unsafe(_))
                && self.settings.warns("shadow_vars", true)
            {
                let span = self.env.span(variable);
                let outer_span = self.env.span(outer.variable);
                let title = format!("variable `{}` is shadowed in {place}", self.text(name));
                let mut diagnostic = Diagnostic::new(Code::ShadowedVariable, span, title);
                if !outer_span.is_none() {
                    diagnostic = diagnostic.also(outer_span, "the one it hides");
                }
                self.report(diagnostic.note("this is a new variable, not a match against the one outside"));
            }
            if !scope.shadows && self.env.get(name).is_some() {
                // Only a use in the same head, reported as unbound, can have bound it meanwhile.
                self.env.mark_used(variable);
            }
            self.env.bind(name, variable);
        }
    }

    pub(super) fn pattern(&mut self, pattern: &'a Expr, scope: &mut Scope) {
        match &pattern.kind {
            ExprKind::Var(known::UNDERSCORE)
            | ExprKind::Error
            | ExprKind::Atom(_)
            | ExprKind::Char(_)
            | ExprKind::Int(_)
            | ExprKind::Str(_) => {}
            ExprKind::Float(value) => self.check_zero(*value, pattern.span),
            ExprKind::Var(name) => self.pattern_variable(*name, pattern.span, scope),
            ExprKind::List { elements, tail } => {
                elements.iter().for_each(|element| self.pattern(element, scope));
                if let Some(tail) = tail {
                    self.pattern(tail, scope);
                }
            }
            ExprKind::Tuple(elements) => elements.iter().for_each(|element| self.pattern(element, scope)),
            ExprKind::Map { base: None, fields } => self.map_pattern(fields, scope),
            ExprKind::Record { base: None, name, fields } => self.record_pattern(*name, fields, scope),
            ExprKind::RecordIndex { name, field } => self.record_index(*name, *field),
            ExprKind::Binary(segments) => self.binary_pattern(segments, scope),
            ExprKind::Match { pattern: left, value: right } => {
                self.pattern(left, scope);
                self.pattern(right, scope);
                self.check_aliases(left, right, None);
            }
            ExprKind::Op { op: BinaryOp::Append, left, right } if is_prefix(left) => {
                self.pattern(right, scope)
            }
            _ => {
                if !is_constant(pattern) {
                    self.illegal_pattern(pattern, scope);
                }
            }
        }
    }

    fn illegal_pattern(&mut self, pattern: &Expr, scope: &mut Scope) {
        let title = "this expression cannot be a pattern";
        let mut diagnostic = Diagnostic::new(Code::IllegalPattern, pattern.span, title);
        if let ExprKind::Op { op: BinaryOp::Append, .. } = pattern.kind {
            diagnostic = diagnostic.help("in patterns, `++` has a literal string or list on its left");
        } else if matches!(pattern.kind, ExprKind::Call { .. }) {
            diagnostic = diagnostic.help("call the function before and match against a variable");
        }
        self.report(diagnostic);
        self.bind_quietly(pattern, scope);
    }

    /// What stands in something illegal counts as bound, so that its uses are not reported again.
    fn bind_quietly(&mut self, pattern: &Expr, scope: &mut Scope) {
        let mut pending = vec![pattern];
        while let Some(expr) = pending.pop() {
            match &expr.kind {
                ExprKind::Var(name) if *name != known::UNDERSCORE => {
                    let known = scope.contains(*name) || !scope.shadows && self.env.get(*name).is_some();
                    if !known {
                        let variable = self.env.create(*name, Span::NONE);
                        self.env.mark_used(variable);
                        scope.add(*name, variable);
                    }
                }
                ExprKind::Call { args, .. } | ExprKind::Tuple(args) => pending.extend(args),
                ExprKind::List { elements, tail } => pending.extend(elements.iter().chain(tail.as_deref())),
                ExprKind::Op { left, right, .. } => pending.extend([&**left, &**right]),
                ExprKind::Unary { operand, .. } => pending.push(operand),
                ExprKind::Match { pattern, value } => pending.extend([&**pattern, &**value]),
                ExprKind::RecordAccess { base, .. } => pending.push(base),
                ExprKind::Record { base, fields, .. } => {
                    pending
                        .extend(base.as_deref().into_iter().chain(fields.iter().map(|field| &field.value)));
                }
                ExprKind::Map { base, fields } => {
                    pending
                        .extend(base.as_deref().into_iter().chain(fields.iter().map(|field| &field.value)));
                }
                _ => {}
            }
        }
    }

    /// OTP 27 tells `0.0` from `-0.0` in matches, which older programs do not expect.
    fn check_zero(&mut self, value: f64, span: Span) {
        if value == 0.0 && self.settings.warns("match_float_zero", true) {
            self.report(
                Diagnostic::new(Code::MatchFloatZero, span, "this matches `0.0` but not `-0.0`")
                    .help("write `+0.0` to say so, or compare with `==` to match both"),
            );
        }
    }

    pub(super) fn pattern_variable(&mut self, name: Name, span: Span, scope: &mut Scope) {
        if let Some(variable) = scope.find(name) {
            self.env.mark_used(variable);
            if self.is_underscored(name) && self.settings.warns("underscore_match", true) {
                self.underscore_matched(name, span);
            }
            return;
        }
        let outer = if scope.shadows { None } else { self.env.get(name) };
        let Some(binding) = outer else {
            if self.in_record_default {
                let title = format!("variable `{}` in the default value of a record", self.text(name));
                self.say(Code::IllegalRecord, span, title);
            }
            let variable = self.env.create(name, span);
            if self.in_record_default {
                self.env.mark_used(variable);
            }
            scope.add(name, variable);
            return;
        };
        self.env.mark_used(binding.variable);
        match binding.state {
            State::Unsafe(origin) => return self.unsafe_use(name, span, origin),
            State::Exported(origin) => self.exported_use(name, span, origin),
            State::Bound | State::Stacktrace => {}
        }
        if self.is_underscored(name) && self.settings.warns("underscore_match", true) {
            self.underscore_matched(name, span);
        }
    }

    fn map_pattern(&mut self, fields: &'a [MapField], scope: &mut Scope) {
        for field in fields {
            if !field.exact {
                let diagnostic = Diagnostic::new(Code::IllegalPattern, field.span, "`=>` in a map pattern");
                self.report(match self.mark_between(field.key.span, field.value.span, "=>") {
                    Some(at) => diagnostic.suggest("patterns match with `:=`", at, ":="),
                    None => diagnostic.help("patterns match with `:=`"),
                });
            }
            self.guard_expr(&field.key);
            self.pattern(&field.value, scope);
        }
    }
}

/// What may stand on the left of `++` in a pattern.
fn is_prefix(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Str(_) => true,
        ExprKind::List { elements, tail: None } => {
            elements.iter().all(|element| matches!(element.kind, ExprKind::Int(_) | ExprKind::Char(_)))
        }
        ExprKind::List { elements, tail: Some(tail) } => {
            is_prefix(tail) && elements.iter().all(|e| matches!(e.kind, ExprKind::Int(_) | ExprKind::Char(_)))
        }
        ExprKind::Op { op: BinaryOp::Append, left, right } => is_prefix(left) && is_prefix(right),
        _ => false,
    }
}

/// Arithmetic on numbers, which patterns may contain.
pub(super) fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Char(_) | ExprKind::Float(_) => true,
        ExprKind::Unary { op, operand } => {
            let float = matches!(operand.kind, ExprKind::Float(_));
            is_constant(operand) && !(float && matches!(op, UnaryOp::Bnot)) && !matches!(op, UnaryOp::Not)
        }
        ExprKind::Op { op, left, right } => op.is_arithmetic() && is_constant(left) && is_constant(right),
        _ => false,
    }
}

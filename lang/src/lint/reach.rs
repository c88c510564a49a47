//! Clauses that nothing reaches, matches that cannot succeed, values that nobody reads.

use super::{Linter, MAX_HINTED};
use crate::ast::{BinaryOp, Clause, Expr, ExprKind, UnaryOp};
use crate::{Code, Diagnostic, Int, Name, Span, known};
use std::collections::HashMap;

/// Clauses with variables are compared with every later one; a function of thousands of such clauses is generated,
/// and its generator is trusted from here on.
const MAX_COMPARED: usize = 100;

impl<'a> Linter<'a> {
    /// Clauses that an earlier one without a guard takes all values from.
    pub(super) fn check_reach(&mut self, clauses: &[Clause]) {
        self.check_guards(clauses);
        let mut open: Vec<&Clause> = Vec::new();
        let mut constants: HashMap<Vec<Constant<'_>>, Span> = HashMap::new();
        for clause in clauses {
            let key: Option<Vec<Constant<'_>>> = clause.patterns.iter().map(constant).collect();
            let before = match &key {
                Some(key) if constants.contains_key(key) => constants.get(key).copied(),
                _ => open
                    .iter()
                    .find(|earlier| self.covers_clause(earlier, clause))
                    .map(|earlier| earlier.span),
            };
            if let Some(before) = before {
                self.unreachable(clause, before);
            } else if self.is_unguarded(clause) {
                match key {
                    Some(key) => drop(constants.insert(key, clause.span)),
                    None if open.len() < MAX_COMPARED => open.push(clause),
                    None => {}
                }
            }
        }
    }

    /// In `if`, `true` takes all.
    pub(super) fn check_reach_if(&mut self, clauses: &[Clause]) {
        self.check_guards(clauses);
        if let Some(at) = clauses.iter().position(|clause| self.is_unguarded(clause)) {
            for clause in &clauses[at + 1..] {
                self.unreachable(clause, clauses[at].span);
            }
        }
    }

    /// Without a guard, or with one that is always true.
    fn is_unguarded(&self, clause: &Clause) -> bool {
        match clause.guard.is_empty() {
            true => !clause.patterns.is_empty(),
            false => self.always_holds(&clause.guard),
        }
    }

    fn unreachable(&mut self, clause: &Clause, before: Span) {
        let head = clause.patterns.first().map(|first| first.span);
        let guard = clause.guard.first().and_then(|tests| tests.first()).map(|test| test.span);
        let at = head.or(guard).unwrap_or(clause.span);
        let title = "this clause cannot match, because a clause before it always does";
        self.report(
            Diagnostic::new(Code::UnreachableClause, at, title).also(before, "this one takes all it could"),
        );
    }

    fn covers_clause(&self, earlier: &Clause, later: &Clause) -> bool {
        let mut seen = Vec::new();
        earlier.patterns.iter().zip(&later.patterns).all(|(a, b)| self.covers(a, b, &mut seen))
    }

    /// Whether all values of pattern `b` match `a`. A variable covers all if it is new and stands in `a` once.
    fn covers(&self, a: &Expr, b: &Expr, seen: &mut Vec<Name>) -> bool {
        match (&a.kind, &b.kind) {
            (ExprKind::Var(known::UNDERSCORE), _) => true,
            (ExprKind::Var(name), _) => {
                let fresh = !seen.contains(name) && self.env.get(*name).is_none();
                seen.push(*name);
                fresh
            }
            (_, ExprKind::Match { pattern, value }) => {
                let mut again = seen.clone();
                self.covers(a, pattern, seen) || self.covers(a, value, &mut again)
            }
            (ExprKind::Match { pattern, value }, _) => {
                self.covers(pattern, b, seen) && self.covers(value, b, seen)
            }
            (ExprKind::Tuple(left), ExprKind::Tuple(right)) => {
                left.len() == right.len() && left.iter().zip(right).all(|(a, b)| self.covers(a, b, seen))
            }
            (
                ExprKind::List { elements: left, tail: left_tail },
                ExprKind::List { elements: right, tail: right_tail },
            ) if left.len() == right.len() && left_tail.is_some() == right_tail.is_some() => {
                left.iter().zip(right).all(|(a, b)| self.covers(a, b, seen))
                    && left_tail
                        .as_deref()
                        .zip(right_tail.as_deref())
                        .is_none_or(|(a, b)| self.covers(a, b, seen))
            }
            // `[A | B]` takes every list that has an element and whose rest is anything.
            (ExprKind::List { elements: left, tail: Some(tail) }, ExprKind::List { elements: right, .. })
                if left.len() < right.len() && matches!(tail.kind, ExprKind::Var(_)) =>
            {
                left.iter().zip(right).all(|(a, b)| self.covers(a, b, seen)) && self.covers(tail, b, seen)
            }
            _ => constant(a).is_some_and(|a| Some(a) == constant(b)),
        }
    }

    /// `Pattern = Value` of constants that differ.
    pub(super) fn check_no_match(&mut self, pattern: &Expr, value: &Expr) {
        if never_matches(pattern, value) {
            let title = "this never matches";
            self.report(
                Diagnostic::new(Code::NeverMatches, pattern.span, title).also(value.span, "this value"),
            );
        }
    }

    /// Clauses of a `case` of a term that is written or built there and differs from their patterns.
    pub(super) fn check_no_clause(&mut self, subject: &Expr, clauses: &[Clause]) {
        let mut patterns = clauses.iter().flat_map(|clause| &clause.patterns);
        if constant(subject).is_some() && patterns.all(|pattern| never_matches(pattern, subject)) {
            let title = "no clause of this `case` matches";
            let of = "it is of this value";
            self.report(Diagnostic::new(Code::NeverMatches, subject.span, title).note(of));
            return;
        }
        if matches!(subject.kind, ExprKind::Tuple(_) | ExprKind::Map { base: None, .. }) {
            for pattern in clauses.iter().flat_map(|clause| &clause.patterns) {
                self.check_no_match(pattern, subject);
            }
        }
    }

    /// An expression in a body whose value nobody reads.
    pub(super) fn check_ignored(&mut self, expr: &Expr) {
        let title = match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Char(_)
            | ExprKind::Float(_)
            | ExprKind::Str(_)
            | ExprKind::Tuple(_)
            | ExprKind::Binary(_)
            | ExprKind::Map { .. }
            | ExprKind::Record { .. }
            | ExprKind::Fun { .. } => "a term is built, but never used",
            ExprKind::List { elements, .. } if !elements.is_empty() => "a term is built, but never used",
            ExprKind::Unary { .. } => "the result of this operation is ignored",
            ExprKind::Op { op, .. } => match op {
                BinaryOp::Send | BinaryOp::Andalso | BinaryOp::Orelse => return,
                _ => "the result of this operation is ignored",
            },
            ExprKind::Call { callee, args } if self.is_pure_call(callee, args.len() as u32) => {
                "the result of this call is ignored"
            }
            _ => return,
        };
        if self.settings.warns("ignored", true) {
            let help = "if it is meant, write `_ = ...`";
            self.report(Diagnostic::new(Code::UnusedTerm, expr.span, title).help(help));
        }
    }

    /// Calls that do nothing but give a value.
    fn is_pure_call(&self, callee: &Expr, arity: u32) -> bool {
        let ExprKind::Atom(name) = callee.kind else { return false };
        if self.is_local_or_imported((name, arity)) || self.settings.suppresses((name, arity)) {
            return false;
        }
        let text = self.text(name);
        crate::builtin::is_guard(text, arity)
            || crate::builtin::is_auto_imported(text, arity)
                && (text.contains("_to_") && !text.contains("atom") && !text.contains("existing")
                    || matches!(
                        text,
                        "setelement" | "atom_to_list" | "atom_to_binary" | "iolist_size" | "make_ref"
                    ))
    }

    /// Arithmetic on what is no number.
    pub(super) fn check_arithmetic(&mut self, span: Span, op: BinaryOp, operands: [&Expr; 2]) {
        let no_number = |expr: &&Expr| {
            matches!(
                expr.kind,
                ExprKind::Atom(_)
                    | ExprKind::Str(_)
                    | ExprKind::Tuple(_)
                    | ExprKind::List { .. }
                    | ExprKind::Map { .. }
                    | ExprKind::Binary(_)
                    | ExprKind::Fun { .. }
            )
        };
        if op.is_arithmetic()
            && let Some(wrong) = operands.into_iter().find(|operand| no_number(operand))
        {
            let title = format!("`{}` always fails here with `badarith`", op.text());
            let diagnostic =
                Diagnostic::new(Code::AlwaysFails, span, title).also(wrong.span, "this is no number");
            let diagnostic = self.advise_on_operand(diagnostic, op, operands);
            self.report(diagnostic);
        }
    }

    /// What else may be meant by an atom or a string among numbers.
    fn advise_on_operand(
        &mut self,
        diagnostic: Diagnostic,
        op: BinaryOp,
        operands: [&Expr; 2],
    ) -> Diagnostic {
        let [left, right] = operands;
        match (&left.kind, op, &right.kind) {
            (ExprKind::Atom(name), BinaryOp::Divide, ExprKind::Int(arity))
                if self
                    .locals
                    .keys()
                    .any(|local| local.0 == *name && Int::Small(i64::from(local.1)) == *arity) =>
            {
                diagnostic.suggest("to refer to the function, write `fun`", left.span.before(), "fun ")
            }
            (ExprKind::Str(_), BinaryOp::Add, _) | (_, BinaryOp::Add, ExprKind::Str(_)) => {
                diagnostic.help("strings are joined with `++`")
            }
            (ExprKind::Atom(name), ..) => self.advise_on_atom(diagnostic, left.span, *name),
            (.., ExprKind::Atom(name)) => self.advise_on_atom(diagnostic, right.span, *name),
            _ => diagnostic,
        }
    }
}

impl Linter<'_> {
    /// An atom where a variable is meant.
    fn advise_on_atom(&mut self, diagnostic: Diagnostic, span: Span, atom: Name) -> Diagnostic {
        const WORDS: &str = "a word in lower case is an atom; variables begin in upper case";
        let text = self.text(atom).to_lowercase();
        let variable = match self.session.diagnostics.len() < MAX_HINTED {
            true => self.env.names().find(|&name| self.text(name).to_lowercase() == text),
            false => None,
        };
        match variable {
            Some(name) => {
                if let Some(binding) = self.env.get(name) {
                    self.env.mark_used(binding.variable);
                }
                diagnostic.suggest(WORDS, span, self.text(name))
            }
            None => diagnostic.help(WORDS),
        }
    }
}

/// A constant without parts, comparable and hashable.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum Constant<'e> {
    Nil,
    Atom(Name),
    Int(bool, Int),
    Str(&'e str),
    /// By bits: `0.0` and `-0.0` differ.
    Float(bool, u64),
}

pub(super) fn constant(expr: &Expr) -> Option<Constant<'_>> {
    Some(match &expr.kind {
        ExprKind::Atom(name) => Constant::Atom(*name),
        ExprKind::Int(value) => Constant::Int(false, value.clone()),
        ExprKind::Char(c) => Constant::Int(false, Int::Small(i64::from(u32::from(*c)))),
        ExprKind::Str(text) if text.is_empty() => Constant::Nil,
        ExprKind::Str(text) => Constant::Str(text),
        ExprKind::Float(value) => Constant::Float(false, value.to_bits()),
        ExprKind::List { elements, tail: None } if elements.is_empty() => Constant::Nil,
        ExprKind::Unary { op: UnaryOp::Minus, operand } => match &operand.kind {
            ExprKind::Int(Int::Small(0)) => Constant::Int(false, Int::Small(0)),
            ExprKind::Int(value) => Constant::Int(true, value.clone()),
            ExprKind::Float(value) => Constant::Float(true, value.to_bits()),
            _ => return None,
        },
        _ => return None,
    })
}

/// Whether a constant value, as far as it is one, cannot match.
fn never_matches(pattern: &Expr, value: &Expr) -> bool {
    if let (Some(a), Some(b)) = (constant(pattern), constant(value)) {
        return a != b;
    }
    let built = |expr: &Expr| matches!(expr.kind, ExprKind::Tuple(_) | ExprKind::Map { base: None, .. });
    // A string is a list too.
    let no_cons = |expr: &Expr| constant(expr).is_some_and(|constant| !matches!(constant, Constant::Str(_)));
    match (&pattern.kind, &value.kind) {
        (ExprKind::List { elements, .. }, _) if !elements.is_empty() => no_cons(value),
        (_, ExprKind::List { elements, .. }) if !elements.is_empty() => no_cons(pattern),
        (ExprKind::Tuple(a), ExprKind::Tuple(b)) => {
            a.len() != b.len() || a.iter().zip(b).any(|(a, b)| never_matches(a, b))
        }
        _ => built(pattern) && constant(value).is_some() || constant(pattern).is_some() && built(value),
    }
}

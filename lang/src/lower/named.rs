//! Every place where clauses name a variable, binding or reading it: one that is named once is bound for nothing.

use crate::Name;
use crate::ast::{CatchClause, Clause, Expr, ExprKind, Generator, GeneratorPattern, Qualifier};

type Visit<'v> = &'v mut dyn FnMut(Name);

/// Calls `visit` with the name at each place.
pub(super) fn in_clauses(clauses: &[Clause], visit: Visit) {
    for clause in clauses {
        in_exprs(&clause.patterns, visit);
        in_exprs(clause.guard.iter().flatten(), visit);
        in_exprs(&clause.body, visit);
    }
}

fn in_exprs<'e>(exprs: impl IntoIterator<Item = &'e Expr>, visit: Visit) {
    exprs.into_iter().for_each(|expr| in_expr(expr, visit));
}

pub(super) fn in_expr(expr: &Expr, visit: Visit) {
    match &expr.kind {
        ExprKind::Var(name) => visit(*name),
        ExprKind::Error
        | ExprKind::Atom(_)
        | ExprKind::Char(_)
        | ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Str(_)
        | ExprKind::FunLocal { .. }
        | ExprKind::RecordIndex { .. } => {}
        ExprKind::List { elements, tail } => in_exprs(elements.iter().chain(tail.as_deref()), visit),
        ExprKind::Tuple(exprs) | ExprKind::Block(exprs) => in_exprs(exprs, visit),
        ExprKind::Map { base, fields } => {
            in_exprs(base.as_deref(), visit);
            in_exprs(fields.iter().flat_map(|field| [&field.key, &field.value]), visit);
        }
        ExprKind::Record { base, fields, .. } => {
            in_exprs(base.as_deref(), visit);
            in_exprs(fields.iter().map(|field| &field.value), visit);
        }
        ExprKind::Binary(segments) => {
            in_exprs(segments.iter().flat_map(|part| std::iter::once(&part.value).chain(&part.size)), visit);
        }
        ExprKind::Match { pattern: left, value: right }
        | ExprKind::MaybeMatch { pattern: left, value: right }
        | ExprKind::Op { left, right, .. }
        | ExprKind::Remote { module: left, name: right } => in_exprs([&**left, &**right], visit),
        ExprKind::RecordAccess { base: inner, .. }
        | ExprKind::Unary { operand: inner, .. }
        | ExprKind::Catch(inner) => in_expr(inner, visit),
        ExprKind::Call { callee, args } => in_exprs(std::iter::once(&**callee).chain(args), visit),
        ExprKind::FunRemote { module, name, arity } => in_exprs([&**module, &**name, &**arity], visit),
        ExprKind::If(clauses) | ExprKind::Fun { clauses, .. } => in_clauses(clauses, visit),
        ExprKind::Case { subject, clauses } => {
            in_expr(subject, visit);
            in_clauses(clauses, visit);
        }
        ExprKind::Receive { clauses, timeout } => {
            in_clauses(clauses, visit);
            if let Some(timeout) = timeout {
                in_expr(&timeout.time, visit);
                in_exprs(&timeout.body, visit);
            }
        }
        ExprKind::Try(attempt) => {
            in_exprs(attempt.body.iter().chain(&attempt.after), visit);
            in_clauses(&attempt.clauses, visit);
            attempt.catches.iter().for_each(|clause| in_catch(clause, visit));
        }
        ExprKind::Maybe { body, otherwise } => {
            in_exprs(body, visit);
            in_clauses(otherwise, visit);
        }
        ExprKind::ListComprehension { body, qualifiers }
        | ExprKind::BinaryComprehension { body, qualifiers } => {
            in_expr(body, visit);
            in_qualifiers(qualifiers, visit);
        }
        ExprKind::MapComprehension { key, value, qualifiers } => {
            in_exprs([&**key, &**value], visit);
            in_qualifiers(qualifiers, visit);
        }
    }
}

fn in_catch(clause: &CatchClause, visit: Visit) {
    in_exprs(&clause.class, visit);
    in_expr(&clause.pattern, visit);
    if let Some(trace) = &clause.stacktrace {
        visit(trace.name);
    }
    in_exprs(clause.guard.iter().flatten(), visit);
    in_exprs(&clause.body, visit);
}

fn in_qualifiers(qualifiers: &[Qualifier], visit: Visit) {
    for qualifier in qualifiers {
        match qualifier {
            Qualifier::Filter(filter) => in_expr(filter, visit),
            Qualifier::Generator(generator) => in_generator(generator, visit),
            Qualifier::Zip(generators) => {
                generators.iter().for_each(|generator| in_generator(generator, visit));
            }
        }
    }
}

fn in_generator(generator: &Generator, visit: Visit) {
    match &generator.pattern {
        GeneratorPattern::List(pattern) | GeneratorPattern::Binary(pattern) => in_expr(pattern, visit),
        GeneratorPattern::Map { key, value } => in_exprs([key, value], visit),
    }
    in_expr(&generator.source, visit);
}

//! What the shell reads off and changes in syntax trees.
//!
//! The walks recurse, as the compiler's do: they run on its stack (`on_compile_stack`), which holds the deepest tree there is.

use erlet::lang::ast::{
    BinaryOp, Clause, Expr, ExprKind, Function, GeneratorPattern, Qualifier, RecordFieldName,
};
use erlet::lang::{Name, known};

/// Calls `f` on every expression of the list, inner ones first.
pub fn each(exprs: &mut [Expr], f: &mut dyn FnMut(&mut Expr)) {
    for expr in exprs {
        walk(expr, f);
    }
}

/// Calls `f` on every expression of a function, inner ones first.
pub fn each_of_function(function: &mut Function, f: &mut dyn FnMut(&mut Expr)) {
    clauses(&mut function.clauses, f);
}

fn clauses(clauses: &mut [Clause], f: &mut dyn FnMut(&mut Expr)) {
    for clause in clauses {
        each(&mut clause.patterns, f);
        clause.guard.iter_mut().for_each(|tests| each(tests, f));
        each(&mut clause.body, f);
    }
}

fn qualifiers(qualifiers: &mut [Qualifier], f: &mut dyn FnMut(&mut Expr)) {
    let generator = |generator: &mut erlet::lang::ast::Generator, f: &mut dyn FnMut(&mut Expr)| {
        match &mut generator.pattern {
            GeneratorPattern::List(pattern) | GeneratorPattern::Binary(pattern) => walk(pattern, f),
            GeneratorPattern::Map { key, value } => {
                walk(key, f);
                walk(value, f);
            }
        }
        walk(&mut generator.source, f);
    };
    for qualifier in qualifiers {
        match qualifier {
            Qualifier::Filter(filter) => walk(filter, f),
            Qualifier::Generator(one) => generator(one, f),
            Qualifier::Zip(several) => several.iter_mut().for_each(|one| generator(one, f)),
        }
    }
}

fn walk(expr: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    match &mut expr.kind {
        ExprKind::List { elements, tail } => {
            each(elements, f);
            tail.iter_mut().for_each(|tail| walk(tail, f));
        }
        ExprKind::Tuple(exprs) | ExprKind::Block(exprs) => each(exprs, f),
        ExprKind::Map { base, fields } => {
            base.iter_mut().for_each(|base| walk(base, f));
            for field in fields {
                walk(&mut field.key, f);
                walk(&mut field.value, f);
            }
        }
        ExprKind::Record { base, fields, .. } => {
            base.iter_mut().for_each(|base| walk(base, f));
            fields.iter_mut().for_each(|field| walk(&mut field.value, f));
        }
        ExprKind::RecordAccess { base, .. } => walk(base, f),
        ExprKind::Binary(segments) => {
            for segment in segments {
                walk(&mut segment.value, f);
                segment.size.iter_mut().for_each(|size| walk(size, f));
            }
        }
        ExprKind::Match { pattern, value } | ExprKind::MaybeMatch { pattern, value } => {
            walk(pattern, f);
            walk(value, f);
        }
        ExprKind::Unary { operand, .. } => walk(operand, f),
        ExprKind::Op { left, right, .. } => {
            walk(left, f);
            walk(right, f);
        }
        ExprKind::Catch(inner) => walk(inner, f),
        ExprKind::Call { callee, args } => {
            walk(callee, f);
            each(args, f);
        }
        ExprKind::Remote { module, name } => {
            walk(module, f);
            walk(name, f);
        }
        ExprKind::FunRemote { module, name, arity } => {
            walk(module, f);
            walk(name, f);
            walk(arity, f);
        }
        ExprKind::Fun { clauses: of, .. } => clauses(of, f),
        ExprKind::ListComprehension { body, qualifiers: of }
        | ExprKind::BinaryComprehension { body, qualifiers: of } => {
            walk(body, f);
            qualifiers(of, f);
        }
        ExprKind::MapComprehension { key, value, qualifiers: of } => {
            walk(key, f);
            walk(value, f);
            qualifiers(of, f);
        }
        _ => walk_control(&mut expr.kind, f),
    }
    f(expr);
}

fn walk_control(kind: &mut ExprKind, f: &mut dyn FnMut(&mut Expr)) {
    match kind {
        ExprKind::If(of) => clauses(of, f),
        ExprKind::Case { subject, clauses: of } => {
            walk(subject, f);
            clauses(of, f);
        }
        ExprKind::Receive { clauses: of, timeout } => {
            clauses(of, f);
            if let Some(timeout) = timeout {
                walk(&mut timeout.time, f);
                each(&mut timeout.body, f);
            }
        }
        ExprKind::Try(of) => {
            each(&mut of.body, f);
            clauses(&mut of.clauses, f);
            for catch in &mut of.catches {
                walk(&mut catch.pattern, f);
                catch.guard.iter_mut().for_each(|tests| each(tests, f));
                each(&mut catch.body, f);
            }
            each(&mut of.after, f);
        }
        ExprKind::Maybe { body, otherwise } => {
            each(body, f);
            clauses(otherwise, f);
        }
        // Leaves.
        _ => {}
    }
}

/// The records an expression names, as far as it does so itself.
pub fn record_names(expr: &Expr, seen: &mut dyn FnMut(Name)) {
    match &expr.kind {
        ExprKind::Record { name, .. }
        | ExprKind::RecordIndex { name, .. }
        | ExprKind::RecordAccess { name, .. } => seen(name.name),
        // `is_record(X, name)`, `record_info(fields, name)`.
        ExprKind::Call { args, .. } => {
            for arg in args {
                if let ExprKind::Atom(name) = arg.kind {
                    seen(name);
                }
            }
        }
        _ => {}
    }
}

/// The variables that have a value once these expressions have been evaluated, whatever way that went, in order. Those that
/// have one on some ways only are noted where those ways end: `note` is given the last expression of the way and the
/// variables, and may change it.
pub fn bound(exprs: &mut [Expr], note: &mut dyn FnMut(&mut Expr, &[Name])) -> Vec<Name> {
    let mut names = Vec::new();
    for expr in exprs {
        add(&mut names, bound_by(expr, note));
    }
    names
}

fn add(names: &mut Vec<Name>, more: Vec<Name>) {
    for name in more {
        if !names.contains(&name) {
            names.push(name);
        }
    }
}

/// A way through a branching expression: what it matches first, and what it evaluates.
fn way(patterns: &mut [Expr], body: &mut [Expr], note: &mut dyn FnMut(&mut Expr, &[Name])) -> Vec<Name> {
    let mut names = Vec::new();
    each(patterns, &mut |expr| {
        if let ExprKind::Var(name) = expr.kind
            && name != known::UNDERSCORE
            && !names.contains(&name)
        {
            names.push(name);
        }
    });
    add(&mut names, bound(body, note));
    names
}

/// What all ways bind; what only some of them bind is noted at their ends.
fn join(ways: Vec<(Vec<Name>, Option<&mut Expr>)>, note: &mut dyn FnMut(&mut Expr, &[Name])) -> Vec<Name> {
    let Some((first, _)) = ways.first() else { return Vec::new() };
    let common: Vec<Name> =
        first.iter().copied().filter(|name| ways.iter().all(|(names, _)| names.contains(name))).collect();
    for (names, last) in ways {
        let some: Vec<Name> = names.into_iter().filter(|name| !common.contains(name)).collect();
        if let (false, Some(last)) = (some.is_empty(), last) {
            note(last, &some);
        }
    }
    common
}

fn branches(of: &mut [Clause], note: &mut dyn FnMut(&mut Expr, &[Name])) -> Vec<Name> {
    let ways = of
        .iter_mut()
        .map(|clause| (way(&mut clause.patterns, &mut clause.body, note), clause.body.last_mut()))
        .collect();
    join(ways, note)
}

/// Nothing of this is bound for certain.
fn perhaps(names: Vec<Name>, last: Option<&mut Expr>, note: &mut dyn FnMut(&mut Expr, &[Name])) {
    if let (false, Some(last)) = (names.is_empty(), last) {
        note(last, &names);
    }
}

fn bound_by(expr: &mut Expr, note: &mut dyn FnMut(&mut Expr, &[Name])) -> Vec<Name> {
    let mut names = Vec::new();
    match &mut expr.kind {
        ExprKind::Match { pattern, value } | ExprKind::MaybeMatch { pattern, value } => {
            names = way(std::slice::from_mut(pattern), &mut [], note);
            add(&mut names, bound_by(value, note));
        }
        ExprKind::List { elements, tail } => {
            names = bound(elements, note);
            if let Some(tail) = tail {
                add(&mut names, bound_by(tail, note));
            }
        }
        ExprKind::Tuple(exprs) | ExprKind::Block(exprs) => names = bound(exprs, note),
        ExprKind::Map { base, fields } => {
            if let Some(base) = base {
                names = bound_by(base, note);
            }
            for field in fields {
                add(&mut names, bound_by(&mut field.key, note));
                add(&mut names, bound_by(&mut field.value, note));
            }
        }
        ExprKind::Record { base, fields, .. } => {
            if let Some(base) = base {
                names = bound_by(base, note);
            }
            for field in fields.iter_mut().filter(|f| matches!(f.name, RecordFieldName::Field(_))) {
                add(&mut names, bound_by(&mut field.value, note));
            }
        }
        ExprKind::RecordAccess { base, .. } => names = bound_by(base, note),
        ExprKind::Binary(segments) => {
            for segment in segments {
                add(&mut names, bound_by(&mut segment.value, note));
            }
        }
        ExprKind::Unary { operand, .. } => names = bound_by(operand, note),
        ExprKind::Op { op: BinaryOp::Andalso | BinaryOp::Orelse, left, .. } => {
            // What the right side binds stays its own, as in Erlang/OTP's shell.
            names = bound_by(left, note);
        }
        ExprKind::Op { left, right, .. } => {
            names = bound_by(left, note);
            add(&mut names, bound_by(right, note));
        }
        ExprKind::Catch(inner) => {
            let inner_names = bound_by(inner, note);
            perhaps(inner_names, Some(inner), note);
        }
        ExprKind::Call { callee, args } => {
            names = bound_by(callee, note);
            add(&mut names, bound(args, note));
        }
        ExprKind::Remote { module, name } => {
            names = bound_by(module, note);
            add(&mut names, bound_by(name, note));
        }
        _ => names = bound_by_control(&mut expr.kind, note),
    }
    names
}

fn bound_by_control(kind: &mut ExprKind, note: &mut dyn FnMut(&mut Expr, &[Name])) -> Vec<Name> {
    let mut names = Vec::new();
    match kind {
        ExprKind::If(of) => names = branches(of, note),
        ExprKind::Case { subject, clauses: of } => {
            names = bound_by(subject, note);
            add(&mut names, branches(of, note));
        }
        ExprKind::Receive { clauses: of, timeout } => {
            let mut ways: Vec<(Vec<Name>, Option<&mut Expr>)> = of
                .iter_mut()
                .map(|clause| (way(&mut clause.patterns, &mut clause.body, note), clause.body.last_mut()))
                .collect();
            if let Some(timeout) = timeout {
                names = bound_by(&mut timeout.time, note);
                ways.push((bound(&mut timeout.body, note), timeout.body.last_mut()));
            }
            let joined = join(ways, note);
            add(&mut names, joined);
        }
        // In these, what is bound inside stays unknown outside.
        ExprKind::Try(of) => {
            let body = bound(&mut of.body, note);
            perhaps(body, of.body.last_mut(), note);
            for clause in &mut of.clauses {
                let clause_names = way(&mut clause.patterns, &mut clause.body, note);
                perhaps(clause_names, clause.body.last_mut(), note);
            }
        }
        ExprKind::Maybe { body, .. } => {
            let inner = bound(body, note);
            perhaps(inner, body.last_mut(), note);
        }
        _ => {}
    }
    names
}

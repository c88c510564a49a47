//! Walks over the variables of Core.

use super::{
    BitsPattern, Body, Case, Clause, End, EscapeId, Expr, Failure, Op, Pattern, Segment, Value, Var,
};

/// What happens to a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Bound,
    Read,
}

/// Calls `visit` with every variable of a body, and whether it is bound or read there.
pub fn body(body: &mut Body, visit: &mut dyn FnMut(&mut Var, Role)) {
    for step in &mut body.steps {
        step.vars.iter_mut().for_each(|var| visit(var, Role::Bound));
        op(&mut step.op, visit);
    }
    match &mut body.end {
        End::Values(all) => values(all, visit),
        End::Escape(_, one) => value(one, visit),
        End::Never => {}
    }
}

/// Calls `visit` with the name and arguments of every call of a function of the module in a body.
pub fn calls(body: &mut Body, visit: &mut dyn FnMut(crate::Name, &mut Vec<Value>)) {
    for step in &mut body.steps {
        match &mut step.op {
            Op::Call(name, args) => visit(*name, args),
            other => each_body(other, &mut |body| calls(body, visit)),
        }
    }
}

/// Calls `visit` with a body and all those in it.
pub fn each(body: &mut Body, visit: &mut dyn FnMut(&mut Body)) {
    visit(body);
    for step in &mut body.steps {
        each_body(&mut step.op, &mut |body| each(body, visit));
    }
}

/// Calls `visit` with every failure in a body.
pub fn failures(body: &mut Body, visit: &mut dyn FnMut(&mut Failure)) {
    each(body, &mut |body| {
        for step in &mut body.steps {
            match &mut step.op {
                Op::Case(case) => visit(&mut case.otherwise),
                Op::Fail(failure) => visit(failure),
                _ => {}
            }
        }
    });
}

/// Calls `visit` with the name of every escape in a body, where it is made and where it is taken.
pub fn escapes(body: &mut Body, visit: &mut dyn FnMut(&mut EscapeId)) {
    failures(body, &mut |failure| {
        if let Failure::Escape(id, _) = failure {
            visit(id);
        }
    });
    each(body, &mut |body| {
        if let End::Escape(id, _) = &mut body.end {
            visit(id);
        }
        for step in &mut body.steps {
            if let Op::Escape { id, .. } = &mut step.op {
                visit(id);
            }
        }
    });
}

/// Calls `visit` with the bodies right inside a step.
pub fn each_body(op: &mut Op, visit: &mut dyn FnMut(&mut Body)) {
    match op {
        Op::Case(case) => case.clauses.iter_mut().for_each(|clause| visit(&mut clause.body)),
        Op::Receive(receive) => {
            receive.clauses.iter_mut().for_each(|clause| visit(&mut clause.body));
            receive.timeout.iter_mut().for_each(|timeout| visit(&mut timeout.body));
        }
        Op::Try(attempt) => {
            visit(&mut attempt.body);
            visit(&mut attempt.then);
            visit(&mut attempt.handler);
        }
        Op::Catch(body) => visit(body),
        Op::Escape { body, otherwise, .. } => {
            visit(body);
            visit(otherwise);
        }
        _ => {}
    }
}

fn op(op: &mut Op, visit: &mut dyn FnMut(&mut Var, Role)) {
    match op {
        Op::Values(all) | Op::Tuple(all) | Op::Fun(_, all) | Op::Bif(_, all) => values(all, visit),
        Op::Call(_, args) | Op::CallExt(_, _, args) => values(args, visit),
        Op::List(items, tail) => {
            values(items, visit);
            value(tail, visit);
        }
        Op::CallFun(fun, args) => {
            value(fun, visit);
            values(args, visit);
        }
        Op::Apply(module, name, args) => {
            value(module, visit);
            value(name, visit);
            values(args, visit);
        }
        Op::Send(to, message) => {
            value(to, visit);
            value(message, visit);
        }
        Op::MapPut(map, pairs) | Op::MapUpdate(map, pairs) => {
            value(map, visit);
            for (key, item) in pairs {
                value(key, visit);
                value(item, visit);
            }
        }
        Op::Bits(segments) => {
            for segment in segments {
                value(&mut segment.value, visit);
                segment.size.iter_mut().for_each(|size| value(size, visit));
            }
        }
        Op::Case(case) => self::case(case, visit),
        Op::Receive(receive) => {
            clauses(&mut receive.clauses, visit);
            receive.marker.iter_mut().for_each(|var| visit(var, Role::Read));
            if let Some(timeout) = &mut receive.timeout {
                value(&mut timeout.time, visit);
                body(&mut timeout.body, visit);
            }
        }
        Op::Try(attempt) => {
            body(&mut attempt.body, visit);
            attempt.vars.iter_mut().for_each(|var| visit(var, Role::Bound));
            body(&mut attempt.then, visit);
            attempt.caught.iter_mut().for_each(|var| visit(var, Role::Bound));
            body(&mut attempt.handler, visit);
        }
        Op::Catch(inner) => body(inner, visit),
        Op::Escape { body: inner, var, otherwise, .. } => {
            body(inner, visit);
            visit(var, Role::Bound);
            body(otherwise, visit);
        }
        Op::BuildTrace(var) => visit(var, Role::Read),
        Op::Fail(why) => failure(why, visit),
    }
}

fn case(case: &mut Case, visit: &mut dyn FnMut(&mut Var, Role)) {
    values(&mut case.subjects, visit);
    clauses(&mut case.clauses, visit);
    failure(&mut case.otherwise, visit);
}

fn failure(failure: &mut Failure, visit: &mut dyn FnMut(&mut Var, Role)) {
    match failure {
        Failure::CaseClause(one)
        | Failure::BadMatch(one)
        | Failure::TryClause(one)
        | Failure::BadRecord(one)
        | Failure::Tagged(_, one)
        | Failure::Escape(_, one) => value(one, visit),
        Failure::Inlined(_, args) => values(args, visit),
        Failure::ReRaise(caught) => caught.iter_mut().for_each(|var| visit(var, Role::Read)),
        Failure::FunctionClause | Failure::IfClause | Failure::Impossible => {}
    }
}

fn clauses(clauses: &mut [Clause], visit: &mut dyn FnMut(&mut Var, Role)) {
    for clause in clauses {
        clause.patterns.iter_mut().for_each(|one| pattern(one, visit));
        for (a, b) in &mut clause.same {
            visit(a, Role::Read);
            visit(b, Role::Read);
        }
        clause.guard.iter_mut().flatten().for_each(|test| expr(test, visit));
        body(&mut clause.body, visit);
    }
}

/// Calls `visit` with every variable of a pattern.
pub fn pattern(one: &mut Pattern, visit: &mut dyn FnMut(&mut Var, Role)) {
    match one {
        Pattern::Any | Pattern::Const(_) => {}
        Pattern::Var(var) => visit(var, Role::Bound),
        Pattern::Same(same) => value(same, visit),
        Pattern::And(all) | Pattern::Tuple(all) => all.iter_mut().for_each(|one| pattern(one, visit)),
        Pattern::List(items, tail) => {
            items.iter_mut().for_each(|one| pattern(one, visit));
            pattern(tail, visit);
        }
        Pattern::Map(pairs) => {
            for (key, item) in pairs {
                expr(key, visit);
                pattern(item, visit);
            }
        }
        Pattern::Bits(segments) => {
            for BitsPattern { value, size, .. } in segments {
                size.iter_mut().for_each(|size| expr(size, visit));
                pattern(value, visit);
            }
        }
    }
}

fn expr(one: &mut Expr, visit: &mut dyn FnMut(&mut Var, Role)) {
    match one {
        Expr::Value(read) => value(read, visit),
        Expr::Bif(_, args) | Expr::Tuple(args) => args.iter_mut().for_each(|arg| expr(arg, visit)),
        Expr::And(a, b) | Expr::Or(a, b) => {
            expr(a, visit);
            expr(b, visit);
        }
        Expr::List(items, tail) => {
            items.iter_mut().for_each(|item| expr(item, visit));
            expr(tail, visit);
        }
        Expr::MapPut(map, pairs) | Expr::MapUpdate(map, pairs) => {
            expr(map, visit);
            for (key, item) in pairs {
                expr(key, visit);
                expr(item, visit);
            }
        }
        Expr::Bits(segments) => {
            for Segment { value, size, .. } in segments {
                expr(value, visit);
                size.iter_mut().for_each(|size| expr(size, visit));
            }
        }
    }
}

fn values(all: &mut [Value], visit: &mut dyn FnMut(&mut Var, Role)) {
    all.iter_mut().for_each(|one| value(one, visit));
}

fn value(one: &mut Value, visit: &mut dyn FnMut(&mut Var, Role)) {
    if let Value::Var(var) = one {
        visit(var, Role::Read);
    }
}

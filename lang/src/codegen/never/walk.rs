//! One function, from its beginning to its ends, with what is known of its variables on the way.

use crate::codegen::words;
use crate::core::{
    Body, Case, Clause, Const, End, EscapeId, Expr, Failure, Function, Guard, Op, Pattern, Pool, Step, Value,
    Var,
};
use crate::hash::HashSet;
use crate::known;

use super::types::{self, Type};
use super::{Key, Returning};

pub(super) struct Walk<'w> {
    pool: &'w Pool,
    returning: &'w Returning,
    /// Whether to take out what is never reached.
    cuts: bool,
    params: Vec<Var>,
    vars: Vec<Known>,
    /// What variables were before they were changed.
    trail: Vec<(Var, Known)>,
    /// Escapes that may be taken.
    escapes: HashSet<EscapeId>,
    /// Whether something is never reached.
    can_cut: bool,
    /// Functions that are called.
    called: HashSet<Key>,
    /// The arguments where the function returns, and behind those the result.
    returns: Option<Vec<Type>>,
}

/// What a walk has found.
pub(super) struct Found {
    /// The arguments where the function returns, and behind those the result, if it does return.
    pub(super) returns: Option<Vec<Type>>,
    /// Functions that it calls.
    pub(super) called: HashSet<Key>,
    /// Whether something in it is never reached.
    pub(super) can_cut: bool,
}

/// What a variable is.
#[derive(Clone, Copy)]
enum Known {
    Is(Type),
    /// The same as another.
    Same(Var),
}

/// What a body comes to, if its end is reached.
type Reached = Option<Vec<Type>>;

/// What is known behind one of several ways: the values it ends with, and the variables it has told more of.
struct Way {
    values: Vec<Type>,
    told: Vec<(Var, Type)>,
}

impl<'w> Walk<'w> {
    pub(super) fn new(function: &Function, pool: &'w Pool, returning: &'w Returning, cuts: bool) -> Walk<'w> {
        Walk {
            pool,
            returning,
            cuts,
            params: function.params.clone(),
            vars: vec![Known::Is(Type::ANY); function.vars as usize],
            trail: Vec::new(),
            escapes: HashSet::default(),
            can_cut: false,
            called: HashSet::default(),
            returns: None,
        }
    }

    pub(super) fn function(&mut self, function: &mut Function) {
        self.body(&mut function.body, true);
    }

    pub(super) fn finish(self) -> Found {
        Found { returns: self.returns, called: self.called, can_cut: self.can_cut }
    }

    // ---- what is known ----

    fn root(&self, var: Var) -> Var {
        let mut at = var;
        while let Some(Known::Same(next)) = self.vars.get(at.index()) {
            at = *next;
        }
        at
    }

    fn of_var(&self, var: Var) -> Type {
        match self.vars.get(self.root(var).index()) {
            Some(Known::Is(known)) => *known,
            _ => Type::ANY,
        }
    }

    fn of(&self, value: Value) -> Type {
        match value {
            Value::Var(var) => self.of_var(var),
            Value::Const(constant) => Type::constant(self.pool, constant),
        }
    }

    fn set(&mut self, var: Var, known: Known) {
        if let Some(place) = self.vars.get_mut(var.index()) {
            self.trail.push((var, std::mem::replace(place, known)));
        }
    }

    /// From here on the value is of this kind; whether it can be.
    fn narrow(&mut self, value: Value, to: Type) -> bool {
        let before = self.of(value);
        let met = before.meet(to);
        if let Value::Var(var) = value
            && met != before
        {
            self.set(self.root(var), Known::Is(met));
        }
        !met.is_none()
    }

    fn bind(&mut self, var: Var, value: Value) {
        match value {
            Value::Var(other) if self.root(other) != var => self.set(var, Known::Same(self.root(other))),
            _ => self.set(var, Known::Is(self.of(value))),
        }
    }

    fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark
            && let Some((var, before)) = self.trail.pop()
        {
            self.vars[var.index()] = before;
        }
    }

    // ---- ways ----

    /// Walks one of several ways, and comes back to where they part. Behind the last step nobody asks what they have told.
    fn way(&mut self, ways: &mut Vec<Way>, is_last: bool, walk: impl FnOnce(&mut Self) -> Reached) {
        let mark = self.trail.len();
        if let Some(values) = walk(self) {
            let told = if is_last { Vec::new() } else { self.told_since(mark) };
            ways.push(Way { values, told });
        }
        self.undo(mark);
    }

    /// The variables changed since then, in order, and what they are now.
    fn told_since(&self, mark: usize) -> Vec<(Var, Type)> {
        let mut told: Vec<Var> = self.trail[mark..].iter().map(|(var, _)| self.root(*var)).collect();
        told.sort_unstable_by_key(|var| var.index());
        told.dedup();
        told.into_iter().map(|var| (var, self.of_var(var))).collect()
    }

    /// Goes on behind ways that meet again. What all of them tell is known then.
    fn meet_again(&mut self, ways: Vec<Way>) -> Reached {
        let mut ways = ways.into_iter();
        let mut met = ways.next()?;
        for way in ways {
            join_all(&mut met.values, &way.values);
            // Both are in order.
            let mut others = way.told.into_iter().peekable();
            met.told.retain_mut(|(var, known)| {
                while others.next_if(|(other, _)| other.index() < var.index()).is_some() {}
                let other = others.next_if(|(other, _)| other == var);
                if let Some((_, other)) = other {
                    *known = known.join(other);
                }
                other.is_some()
            });
        }
        for (var, known) in met.told {
            self.narrow(Value::Var(var), known);
        }
        Some(met.values)
    }

    // ---- the function ----

    /// Walks a body. `is_last` says that its values are the function's.
    fn body(&mut self, body: &mut Body, is_last: bool) -> Reached {
        let count = body.steps.len();
        let mut parts = false;
        for (at, step) in body.steps.iter_mut().enumerate() {
            // Then each way through the step ends with the function's value.
            parts = is_last && at + 1 == count && has_ways(&step.op) && gives_result(step, &body.end);
            if !self.step(step, parts) {
                let more = at + 1 < count || !matches!(body.end, End::Never);
                self.can_cut |= more;
                if more && self.cuts {
                    body.steps.truncate(at + 1);
                    body.end = End::Never;
                }
                return None;
            }
        }
        match &body.end {
            End::Values(values) => {
                let values: Vec<Type> = values.iter().map(|&value| self.of(value)).collect();
                if is_last && !parts {
                    self.returns(values.first().copied().unwrap_or(Type::ANY));
                }
                Some(values)
            }
            End::Escape(id, _) => {
                self.escapes.insert(*id);
                None
            }
            End::Never => None,
        }
    }

    fn returns(&mut self, value: Type) {
        let mut values: Vec<Type> = self.params.iter().map(|&param| self.of_var(param)).collect();
        values.push(value);
        match &mut self.returns {
            None => self.returns = Some(values),
            Some(known) => join_all(known, &values),
        }
    }

    /// Whether what comes behind a step is reached.
    fn step(&mut self, step: &mut Step, is_last: bool) -> bool {
        let value = match &mut step.op {
            Op::Values(values) => {
                let pairs: Vec<(Var, Value)> =
                    step.vars.iter().copied().zip(values.iter().copied()).collect();
                pairs.into_iter().for_each(|(var, value)| self.bind(var, value));
                return true;
            }
            Op::List(..) => Some(Type::CELL),
            Op::Tuple(items) => Some(Type::tuple(items.len())),
            Op::Fun(..) => Some(Type::FUN),
            Op::Bits(_) => Some(Type::BITS),
            Op::Bif(name, args) => {
                let (value, wanted) = if words::is_test(*name, args.len()) {
                    (Type::BOOLEAN, [Type::ANY; 2])
                } else {
                    types::of_bif(*name, args.len())
                };
                let fits = args.iter().zip(wanted).all(|(&arg, wanted)| self.narrow(arg, wanted));
                fits.then_some(value)
            }
            Op::MapPut(map, _) | Op::MapUpdate(map, _) => self.narrow(*map, Type::MAP).then_some(Type::MAP),
            Op::Call(name, args) => self.call((*name, args.len() as u8), args),
            Op::CallExt(known::ERLANG, name, args) => {
                (!words::never_returns(*name, args.len())).then_some(Type::ANY)
            }
            Op::CallExt(..) | Op::CallFun(..) | Op::Apply(..) | Op::Send(..) | Op::BuildTrace(_) => {
                Some(Type::ANY)
            }
            Op::Fail(failure) => {
                self.fails(failure);
                None
            }
            Op::Catch(body) => {
                self.way(&mut Vec::new(), true, |walk| walk.body(body, false));
                Some(Type::ANY)
            }
            op => {
                let reached = self.ways(op, is_last);
                return self.results(&step.vars, reached);
            }
        };
        self.results(&step.vars, value.map(|value| vec![value]))
    }

    fn results(&mut self, vars: &[Var], reached: Reached) -> bool {
        let Some(values) = reached else { return false };
        for (&var, value) in vars.iter().zip(values) {
            self.set(var, Known::Is(value));
        }
        true
    }

    fn call(&mut self, callee: Key, args: &[Value]) -> Option<Type> {
        if !self.cuts {
            self.called.insert(callee);
        }
        let (value, params) = self.returning.get(&callee)?.values.split_last()?;
        let fits = args.iter().zip(params).all(|(&arg, &param)| !self.of(arg).meet(param).is_none());
        fits.then_some(*value)
    }

    fn fails(&mut self, failure: &Failure) {
        if let Failure::Escape(id, _) = failure {
            self.escapes.insert(*id);
        }
    }

    /// A step that there are several ways through.
    fn ways(&mut self, op: &mut Op, is_last: bool) -> Reached {
        let mut ways = Vec::new();
        match op {
            Op::Case(case) => self.case(case, is_last, &mut ways),
            Op::Receive(receive) => {
                for clause in &mut receive.clauses {
                    self.way(&mut ways, is_last, |walk| walk.clause(&[], clause, is_last));
                }
                if let Some(timeout) = &mut receive.timeout {
                    self.way(&mut ways, is_last, |walk| walk.body(&mut timeout.body, is_last));
                }
            }
            Op::Try(attempt) => {
                let vars = attempt.vars.clone();
                self.way(&mut ways, is_last, |walk| {
                    let reached = walk.body(&mut attempt.body, false);
                    if walk.results(&vars, reached) { walk.body(&mut attempt.then, is_last) } else { None }
                });
                self.way(&mut ways, is_last, |walk| walk.body(&mut attempt.handler, is_last));
            }
            Op::Escape { id, body, otherwise, .. } => {
                self.way(&mut ways, is_last, |walk| walk.body(body, is_last));
                if self.escapes.contains(id) {
                    self.way(&mut ways, is_last, |walk| walk.body(otherwise, is_last));
                }
            }
            _ => {}
        }
        self.meet_again(ways)
    }

    fn case(&mut self, case: &mut Case, is_last: bool, ways: &mut Vec<Way>) {
        for clause in &mut case.clauses {
            let always = clause.same.is_empty()
                && clause.guard.is_empty()
                && clause.patterns.iter().all(|pattern| matches!(pattern, Pattern::Any | Pattern::Var(_)));
            self.way(ways, is_last, |walk| walk.clause(&case.subjects, clause, is_last));
            if always {
                return;
            }
        }
        self.fails(&case.otherwise);
    }

    /// A clause, where it is taken.
    fn clause(&mut self, subjects: &[Value], clause: &mut Clause, is_last: bool) -> Reached {
        for (&subject, pattern) in subjects.iter().zip(&clause.patterns) {
            if !self.matches(subject, pattern) {
                return None;
            }
        }
        if !self.passes(&clause.guard) {
            return None;
        }
        self.body(&mut clause.body, is_last)
    }

    /// Whether a pattern may match; then what it tells of the subject is known.
    fn matches(&mut self, subject: Value, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::Any => true,
            Pattern::Var(var) => {
                self.bind(*var, subject);
                true
            }
            Pattern::Const(constant) => self.narrow(subject, Type::constant(self.pool, *constant)),
            Pattern::Same(value) => self.narrow(subject, self.of(*value)),
            Pattern::And(patterns) => patterns.iter().all(|pattern| self.matches(subject, pattern)),
            Pattern::List(..) => self.narrow(subject, Type::CELL),
            Pattern::Tuple(items) => self.narrow(subject, Type::tuple(items.len())),
            Pattern::Map(_) => self.narrow(subject, Type::MAP),
            Pattern::Bits(_) => self.narrow(subject, Type::BITS),
        }
    }

    /// Whether a guard may let through; then what it tells is known.
    fn passes(&mut self, guard: &Guard) -> bool {
        match &guard[..] {
            [all] => all.iter().all(|test| self.holds(test)),
            _ => true,
        }
    }

    fn holds(&mut self, test: &Expr) -> bool {
        match test {
            Expr::Value(value) => self.narrow(*value, Type::constant(self.pool, Const::Atom(known::TRUE))),
            Expr::And(one, other) => self.holds(one) && self.holds(other),
            Expr::Bif(name, args) => match &args[..] {
                [Expr::Value(value)] => {
                    types::of_test(*name).is_none_or(|wanted| self.narrow(*value, wanted))
                }
                [Expr::Value(one), Expr::Value(other)] if *name == known::EXACT_EQUAL => {
                    let met = self.of(*one).meet(self.of(*other));
                    self.narrow(*one, met) && self.narrow(*other, met)
                }
                _ => true,
            },
            _ => true,
        }
    }
}

fn join_all(types: &mut [Type], others: &[Type]) {
    for (one, &other) in types.iter_mut().zip(others) {
        *one = one.join(other);
    }
}

/// Whether there are several ways through a step.
fn has_ways(op: &Op) -> bool {
    matches!(op, Op::Case(_) | Op::Receive(_) | Op::Try(_) | Op::Escape { .. })
}

/// Whether the step's value is what the body ends with.
fn gives_result(step: &Step, end: &End) -> bool {
    let End::Values(values) = end else { return false };
    step.vars.first().zip(values.first()).is_some_and(|(&var, &value)| value == Value::Var(var))
}

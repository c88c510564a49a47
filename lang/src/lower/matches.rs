//! Patterns.

use crate::hash::HashMap;

use super::Lowerer;
use crate::ast::{BinaryOp, Expr, ExprKind};
use crate::core::{self, Const, Pattern, Value, Var};
use crate::{Code, Name, known};

/// Which variables that are bound outside patterns match.
#[derive(Clone, Copy)]
pub(super) enum Outside {
    All,
    /// A fun or generator hides them.
    None,
    /// A fun hides them, but for its own name.
    Only(Name),
}

impl Outside {
    fn is_seen(self, name: Name) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::Only(own) => own == name,
        }
    }
}

/// What the patterns of one clause have bound so far.
pub(super) struct Heads {
    pub outside: Outside,
    pub bound: HashMap<Name, Var>,
    pub same: Vec<(Var, Var)>,
    /// What the bound names stood for before, in order.
    before: Vec<(Name, Option<Value>)>,
    in_binary: bool,
}

impl Heads {
    pub fn new(outside: Outside) -> Self {
        Heads { outside, bound: HashMap::default(), same: Vec::new(), before: Vec::new(), in_binary: false }
    }
}

impl<'f> Lowerer<'f, '_> {
    /// A pattern; its variables are bound in the scope as they come.
    pub(super) fn pattern(&mut self, expr: &'f Expr, heads: &mut Heads) -> Pattern {
        match &expr.kind {
            ExprKind::Var(known::UNDERSCORE) => Pattern::Any,
            ExprKind::Var(name) => self.pattern_var(*name, heads),
            ExprKind::List { elements, tail } => {
                let items: Vec<Pattern> = elements.iter().map(|item| self.pattern(item, heads)).collect();
                let tail = match tail {
                    Some(tail) => self.pattern(tail, heads),
                    None => Pattern::Const(Const::Nil),
                };
                list(items, tail)
            }
            ExprKind::Tuple(elements) => {
                Pattern::Tuple(elements.iter().map(|item| self.pattern(item, heads)).collect())
            }
            ExprKind::Match { pattern, value } => {
                Pattern::And(vec![self.pattern(pattern, heads), self.pattern(value, heads)])
            }
            ExprKind::Map { fields, .. } => {
                let mut pairs = Vec::with_capacity(fields.len());
                for field in fields {
                    let key = self.guard_expr(&field.key);
                    pairs.push((key, self.pattern(&field.value, heads)));
                }
                Pattern::Map(pairs)
            }
            ExprKind::Record { name, fields, .. } => self.record_pattern(*name, fields, heads),
            ExprKind::Binary(segments) => self.binary_pattern(segments, heads),
            ExprKind::Op { op: BinaryOp::Append, left, right } => self.prefix_pattern(left, right, heads),
            _ => match self.pattern_constant(expr) {
                Some(constant) => Pattern::Const(constant),
                None => {
                    // Arithmetic without a result: a division by zero, or more than a float holds.
                    self.error(Code::IllegalPattern, expr.span, "this expression cannot be a pattern");
                    Pattern::Any
                }
            },
        }
    }

    fn pattern_var(&mut self, name: Name, heads: &mut Heads) -> Pattern {
        let var = self.var();
        if let Some(&first) = heads.bound.get(&name) {
            heads.same.push((first, var));
            if heads.in_binary {
                // The sizes behind it read this one.
                self.scope.bind(name, Value::Var(var));
            }
            return Pattern::Var(var);
        }
        if let Some(value) = self.scope.get(name).filter(|_| heads.outside.is_seen(name)) {
            self.bind_beside(name);
            return match value {
                Value::Const(constant) => Pattern::Const(constant),
                value => Pattern::Same(value),
            };
        }
        heads.bound.insert(name, var);
        heads.before.push((name, self.scope.get(name)));
        self.scope.bind(name, Value::Var(var));
        Pattern::Var(var)
    }

    /// Brings back what the names that a head has bound so far stood for before it: a binary pattern begins, and its sizes know
    /// nothing of the patterns beside it.
    pub(super) fn leave_head(&mut self, heads: &mut Heads) {
        heads.in_binary = true;
        for &(name, before) in &heads.before {
            match before {
                Some(value) => self.scope.bind(name, value),
                None => self.scope.unbind(name),
            }
        }
    }

    /// The binary pattern is over.
    pub(super) fn enter_head(&mut self, heads: &mut Heads) {
        heads.in_binary = false;
        for (name, _) in &heads.before {
            if let Some(&var) = heads.bound.get(name) {
                self.scope.bind(*name, Value::Var(var));
            }
        }
    }

    /// `"prefix" ++ Rest`
    fn prefix_pattern(&mut self, left: &'f Expr, right: &'f Expr, heads: &mut Heads) -> Pattern {
        let prefix = self.pattern(left, heads);
        let rest = self.pattern(right, heads);
        let items = match prefix {
            Pattern::Const(constant) => {
                self.pool.proper_list(constant).map(|items| items.into_iter().map(Pattern::Const).collect())
            }
            Pattern::List(items, tail) if *tail == Pattern::Const(Const::Nil) => Some(items),
            _ => None,
        };
        match items {
            Some(items) => list(items, rest),
            None => {
                self.illegal(left.span, "pattern");
                Pattern::Any
            }
        }
    }

    /// Literals and constant arithmetic.
    fn pattern_constant(&mut self, expr: &'f Expr) -> Option<Const> {
        match self.guard_expr(expr) {
            core::Expr::Value(Value::Const(constant)) => Some(constant),
            _ => None,
        }
    }

    /// `Pattern = value` as a step.
    pub(super) fn match_value(&mut self, pattern: &'f Expr, value: Value, failure: core::Failure) {
        if let ExprKind::Var(name) = pattern.kind {
            if name == known::UNDERSCORE {
                return;
            }
            if self.scope.get(name).is_none() {
                return self.scope.bind(name, value);
            }
        }
        let mark = self.scope.mark();
        let mut heads = Heads::new(Outside::All);
        let lowered = self.pattern(pattern, &mut heads);
        let bound = self.scope.new_since(mark);
        self.scope.rollback(mark);
        let mut vars = Vec::with_capacity(bound.len());
        for (name, _) in &bound {
            let var = self.var();
            vars.push(var);
            self.scope.bind(*name, Value::Var(var));
        }
        let clause = core::Clause {
            patterns: vec![lowered],
            same: heads.same,
            guard: vec![],
            body: core::Body {
                steps: vec![],
                end: core::End::Values(bound.into_iter().map(|(_, value)| value).collect()),
            },
        };
        let case = core::Case { subjects: vec![value], clauses: vec![clause], otherwise: failure };
        self.step_to(vars, core::Op::Case(case));
    }

    pub(super) fn match_expr(&mut self, expr: &Expr, pattern: &'f Expr, value: &'f Expr) -> Value {
        let value = self.expr(value);
        self.at(expr.span);
        self.match_value(pattern, value, core::Failure::BadMatch(value));
        value
    }
}

/// `[items | tail]`, flat.
pub(super) fn list(mut items: Vec<Pattern>, tail: Pattern) -> Pattern {
    if items.is_empty() {
        return tail;
    }
    match tail {
        Pattern::List(more, tail) => {
            items.extend(more);
            Pattern::List(items, tail)
        }
        tail => Pattern::List(items, Box::new(tail)),
    }
}

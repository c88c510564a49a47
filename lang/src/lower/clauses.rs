//! Clauses and bodies.

use super::Lowerer;
use super::effects::Effects;
use super::matches::{Heads, Outside};
use super::scope::Mark;
use crate::Name;
use crate::ast::{self, Expr, ExprKind};
use crate::core::{Body, Clause, End, Guard, Pattern, Step, Value, Var};

/// A clause whose values are not decided yet: it may export variables.
pub(super) struct Open {
    pub patterns: Vec<Pattern>,
    pub same: Vec<(Var, Var)>,
    pub guard: Guard,
    pub steps: Vec<Step>,
    pub value: Value,
    /// What the clause binds.
    pub bound: Vec<(Name, Value)>,
    /// What it binds that a sibling bound before.
    pub again: Vec<Name>,
}

impl<'f> Lowerer<'f, '_> {
    /// Expressions in a row; the value is the last one's.
    pub(super) fn exprs(&mut self, exprs: &'f [Expr]) -> Value {
        let Some((last, before)) = exprs.split_last() else {
            return Value::Const(crate::core::Const::Nil);
        };
        self.effects(before);
        self.expr(last)
    }

    /// Expressions in a row whose values nobody wants.
    pub(super) fn effects(&mut self, exprs: &'f [Expr]) {
        exprs.iter().for_each(|expr| self.effect(expr));
    }

    /// An expression whose value nobody wants.
    pub(super) fn effect(&mut self, expr: &'f Expr) {
        match Effects::of(expr, |pattern| self.numbers.is_unused(pattern)) {
            Effects::InTurn(parts) => parts.into_iter().for_each(|part| self.effect(part)),
            Effects::SideBySide(parts) => self.effects_side_by_side(parts),
            Effects::Bodies if matches!(expr.kind, ExprKind::ListComprehension { .. }) => {
                self.comprehension(expr, false);
            }
            Effects::Bodies => {
                self.control(expr, false);
            }
            Effects::Whole => {
                self.expr(expr);
            }
        }
    }

    /// A clause that exports nothing.
    pub(super) fn closed_clause(&mut self, clause: &'f ast::Clause, outside: Outside) -> Clause {
        let open = self.open_clause(clause, outside, true);
        open.close(|open| vec![open.value])
    }

    /// A clause of which the value is `wanted` or not.
    pub(super) fn open_clause(&mut self, clause: &'f ast::Clause, outside: Outside, wanted: bool) -> Open {
        let mark = self.scope.mark();
        let mut heads = Heads::new(outside);
        let ((patterns, guard, (steps, value)), again) = self.branch(|lowerer| {
            let patterns =
                clause.patterns.iter().map(|pattern| lowerer.pattern(pattern, &mut heads)).collect();
            let guard = lowerer.guard(&clause.guard);
            let body = lowerer.apart(|lowerer| {
                if wanted {
                    return lowerer.exprs(&clause.body);
                }
                lowerer.effects(&clause.body);
                Value::Const(crate::core::Const::Nil)
            });
            (patterns, guard, body)
        });
        self.forget(Open { patterns, same: heads.same, guard, steps, value, bound: vec![], again }, mark)
    }

    /// Notes what a clause bound since `mark`, and forgets it.
    pub(super) fn forget(&mut self, mut open: Open, mark: Mark) -> Open {
        open.bound = self.scope.new_since(mark);
        self.scope.rollback(mark);
        open
    }

    /// Closes clauses so that all end with their value and with the variables that each of them binds; these are
    /// bound from now on. Gives the variables of the step: the value's first.
    pub(super) fn export(&mut self, opens: Vec<Open>) -> (Vec<Var>, Vec<Clause>) {
        // What only some clauses bound is unsafe from here on, and nobody reads it.
        opens.iter().flat_map(|open| &open.again).for_each(|name| self.bind_beside(*name));
        let names = exported(&opens);
        let mut vars = vec![self.var()];
        for &name in &names {
            let var = self.var();
            vars.push(var);
            self.scope.bind(name, Value::Var(var));
        }
        let close = |open: Open| {
            open.close(|open| {
                let find = |name: &Name| {
                    let at = open.bound.binary_search_by_key(name, |(name, _)| *name);
                    at.map_or(open.value, |at| open.bound[at].1)
                };
                std::iter::once(open.value).chain(names.iter().map(find)).collect()
            })
        };
        (vars, opens.into_iter().map(close).collect())
    }
}

impl Open {
    pub fn close(self, values: impl FnOnce(&Open) -> Vec<Value>) -> Clause {
        let end = End::Values(values(&self));
        let Open { patterns, same, guard, steps, .. } = self;
        Clause { patterns, same, guard, body: Body { steps, end } }
    }
}

/// The names that every clause binds.
fn exported(opens: &[Open]) -> Vec<Name> {
    let Some((first, rest)) = opens.split_first() else { return Vec::new() };
    let everywhere = |name: &Name| {
        rest.iter().all(|open| open.bound.binary_search_by_key(name, |(name, _)| *name).is_ok())
    };
    first.bound.iter().map(|(name, _)| *name).filter(everywhere).collect()
}

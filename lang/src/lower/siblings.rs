//! Operands side by side.
//!
//! What one of the elements of a tuple or list, or one of the arguments of a call, binds is matched by those behind it, since in the end
//! all must agree. But the body of a fun or comprehension among them does not see it: there the name is free, and the body
//! binds it for itself. So the names that earlier siblings bound are noted, and taken out of scope for such a body. An operand that
//! matches such a name has bound it, too, and what follows in it sees it; in a branch, what follows there.

use super::Lowerer;
use super::scope::Mark;
use crate::Name;
use crate::ast::Expr;
use crate::core::Value;

impl<'f> Lowerer<'f, '_> {
    /// All operands of a group.
    pub(super) fn operands(&mut self, exprs: &'f [Expr]) -> Vec<Value> {
        let group = self.scope.mark();
        self.operands_of(group, exprs)
    }

    /// Operands of the group that began at `group`.
    pub(super) fn operands_of(&mut self, group: Mark, exprs: &'f [Expr]) -> Vec<Value> {
        exprs.iter().map(|expr| self.operand_of(group, expr)).collect()
    }

    /// One operand of the group that began at `group`.
    pub(super) fn operand_of(&mut self, group: Mark, expr: &'f Expr) -> Value {
        self.beside(group, |lowerer| lowerer.expr(expr))
    }

    /// Operands of one group whose values nobody wants.
    pub(super) fn effects_side_by_side(&mut self, exprs: impl IntoIterator<Item = &'f Expr>) {
        let group = self.scope.mark();
        exprs.into_iter().for_each(|expr| self.beside(group, |lowerer| lowerer.effect(expr)));
    }

    fn beside<R>(&mut self, group: Mark, work: impl FnOnce(&mut Self) -> R) -> R {
        if !self.scope.has_changed_since(group) {
            return work(self);
        }
        let before: Vec<Name> = self.scope.new_since(group).into_iter().map(|(name, _)| name).collect();
        self.siblings.extend(&before);
        let result = work(self);
        self.siblings.retain(|name| !before.contains(name));
        result
    }

    /// A pattern binds a name that is in scope.
    pub(super) fn bind_beside(&mut self, name: Name) {
        self.siblings.retain(|known| *known != name);
    }

    /// What one of several branches does, and the names of siblings that it bound; to the next they are siblings' again.
    pub(super) fn branch<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> (R, Vec<Name>) {
        if self.siblings.is_empty() {
            return (work(self), Vec::new());
        }
        let mut bound = self.siblings.clone();
        let result = work(self);
        std::mem::swap(&mut self.siblings, &mut bound);
        let left = bound;
        (result, self.siblings.iter().copied().filter(|name| !left.contains(name)).collect())
    }

    /// Takes what siblings bound out of scope: a body of its own begins. Whoever calls this rolls the scope back, and then
    /// gives the names to [`Lowerer::back_among_siblings`].
    pub(super) fn away_from_siblings(&mut self) -> Vec<Name> {
        let names = std::mem::take(&mut self.siblings);
        names.iter().for_each(|name| self.scope.unbind(*name));
        names
    }

    /// The body is over.
    pub(super) fn back_among_siblings(&mut self, names: Vec<Name>) {
        self.siblings = names;
    }
}

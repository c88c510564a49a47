//! What is left of an expression whose value nobody wants.
//!
//! Asked where expressions are lowered and where parts are counted, which must see the same.

use crate::ast::{Expr, ExprKind};

pub(super) enum Effects<'f> {
    /// Those of expressions in a row, whose values nobody wants either.
    InTurn(&'f [Expr]),
    /// Those of operands, whose values nobody wants either: what is around them only makes a value.
    SideBySide(Vec<&'f Expr>),
    /// Those of the bodies in it, whose values nobody wants either.
    Bodies,
    /// Those of the whole, which may fail.
    Whole,
}

impl<'f> Effects<'f> {
    /// `is_unused` says whether a pattern binds what nobody reads.
    pub(super) fn of(expr: &'f Expr, is_unused: impl FnOnce(&Expr) -> bool) -> Self {
        let parts = match &expr.kind {
            kind if kind.is_literal() => vec![],
            ExprKind::Var(_) | ExprKind::Fun { .. } => vec![],
            ExprKind::Block(exprs) => return Self::InTurn(exprs),
            ExprKind::Tuple(elements) => elements.iter().collect(),
            ExprKind::List { elements, tail } => elements.iter().chain(tail.as_deref()).collect(),
            ExprKind::Map { base: None, fields } => {
                fields.iter().flat_map(|field| [&field.key, &field.value]).collect()
            }
            ExprKind::Match { pattern, value } if is_unused(pattern) => vec![&**value],
            ExprKind::Op { op, left, right } if op.is_comparison() => vec![&**left, &**right],
            ExprKind::ListComprehension { .. } | ExprKind::If(_) | ExprKind::Case { .. } => {
                return Self::Bodies;
            }
            _ => return Self::Whole,
        };
        Self::SideBySide(parts)
    }
}

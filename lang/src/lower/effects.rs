//! What is left of an expression whose value nobody wants.
//!
//! Asked where expressions are lowered and where parts are counted, which must see the same.

use crate::ast::{Expr, ExprKind};

pub(super) enum Effects<'f> {
    /// Those of these expressions, one after the other, whose values nobody wants either: what is around them only makes a value.
    InTurn(Vec<&'f Expr>),
    /// The same, where none of them sees what another binds.
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
            ExprKind::Block(exprs) => return Self::InTurn(exprs.iter().collect()),
            ExprKind::Tuple(elements) => elements.iter().collect(),
            ExprKind::List { elements, tail } => elements.iter().chain(tail.as_deref()).collect(),
            // As OTP has it, parts of a map see each other.
            ExprKind::Map { base: None, fields } => {
                return Self::InTurn(fields.iter().flat_map(|field| [&field.key, &field.value]).collect());
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

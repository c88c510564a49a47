//! How much code an `after` body is: a short one is compiled twice, where the body before it ends and where it fails.
//!
//! Which is short follows OTP's compiler, since a body that is a function of its own has a frame in stack traces: steps
//! are counted that an expression leaves beside its value, and what is in clauses.

use crate::ast::{self, BinaryOp, Expr, ExprKind, Qualifier};

/// An `after` body of this size is too large to be compiled twice.
const TOO_LARGE: u32 = 20;

/// More than any sum that is still short.
const NEVER: u32 = 1000;

/// Whether an `after` body becomes a function.
pub(super) fn is_function_of_its_own(after: &[Expr]) -> bool {
    statements(after) >= TOO_LARGE
}

/// The steps that an expression needs before it, the size of its own, and whether it needs no step as an operand.
struct Size {
    before: u32,
    own: u32,
    plain: bool,
}

impl Size {
    const PLAIN: Size = Size { before: 0, own: 0, plain: true };

    fn step(before: u32, own: u32) -> Size {
        Size { before, own, plain: false }
    }

    fn statement(&self) -> u32 {
        self.before.saturating_add(1).saturating_add(self.own)
    }

    fn operand(&self) -> u32 {
        if self.plain { self.before } else { self.statement() }
    }
}

fn statements(exprs: &[Expr]) -> u32 {
    exprs.iter().fold(0, |sum, expr| sum.saturating_add(size(expr).statement()))
}

/// Steps of several operands count as one.
fn operands<'e>(exprs: impl IntoIterator<Item = &'e Expr>) -> u32 {
    let mut sizes = exprs.into_iter().map(|expr| size(expr).operand()).filter(|&steps| steps > 0);
    match (sizes.next(), sizes.next()) {
        (None, _) => 0,
        (Some(steps), None) => steps,
        // One of them may be what must not be compiled twice.
        (Some(first), Some(second)) => {
            if sizes.chain([first, second]).any(|steps| steps >= NEVER) {
                NEVER
            } else {
                1
            }
        }
    }
}

fn clauses(clauses: &[ast::Clause]) -> u32 {
    clauses.iter().fold(0u32, |sum, clause| {
        let tests = clause.guard.iter().flatten().count() as u32;
        sum.saturating_add(1).saturating_add(tests).saturating_add(statements(&clause.body))
    })
}

fn size(expr: &Expr) -> Size {
    match &expr.kind {
        ExprKind::Var(_)
        | ExprKind::Atom(_)
        | ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Char(_)
        | ExprKind::Str(_)
        | ExprKind::RecordIndex { .. } => Size::PLAIN,
        ExprKind::Tuple(elements) => Size { before: operands(elements), ..Size::PLAIN },
        ExprKind::List { elements, tail } => {
            Size { before: operands(elements.iter().chain(tail.as_deref())), ..Size::PLAIN }
        }
        ExprKind::Match { value, .. } => Size::step(size(value).operand(), 0),
        ExprKind::Unary { operand, .. } => Size::step(size(operand).operand(), 0),
        ExprKind::Op { op: BinaryOp::Andalso | BinaryOp::Orelse, left, right } => {
            Size::step(size(left).operand(), size(right).statement().saturating_add(6))
        }
        ExprKind::Op { left, right, .. } => Size::step(operands([&**left, &**right]), 0),
        ExprKind::Call { callee, args } => match &callee.kind {
            ExprKind::Atom(_) => Size::step(operands(args), 0),
            ExprKind::Remote { module, name } => {
                Size::step(operands([&**module, &**name].into_iter().chain(args)), 0)
            }
            _ => Size::step(size(callee).operand().saturating_add(operands(args)), 0),
        },
        ExprKind::Case { subject, clauses: of } => Size::step(size(subject).operand(), clauses(of)),
        ExprKind::If(of) => Size::step(0, clauses(of)),
        ExprKind::Receive { clauses: of, timeout: None } => Size::step(0, clauses(of)),
        ExprKind::Catch(inner) => Size::step(0, size(inner).statement()),
        ExprKind::ListComprehension { qualifiers, .. } => match qualifiers.first() {
            Some(Qualifier::Generator(generator)) => {
                Size::step(0, size(&generator.source).operand().saturating_add(1))
            }
            _ => Size::step(0, NEVER),
        },
        ExprKind::BinaryComprehension { qualifiers, .. } => match qualifiers.first() {
            Some(Qualifier::Generator(generator)) => {
                Size::step(size(&generator.source).operand().saturating_add(1), 1)
            }
            _ => Size::step(0, NEVER),
        },
        ExprKind::Fun { clauses: of, .. } => Size::step(0, clauses(of)),
        ExprKind::FunLocal { .. } => Size::step(0, 0),
        ExprKind::FunRemote { module, name, arity } => {
            Size::step(operands([&**module, &**name, &**arity]), 0)
        }
        ExprKind::Map { base, fields } => {
            let fields = fields.iter().flat_map(|field| [&field.key, &field.value]);
            let before = fields.map(|part| size(part).operand()).fold(0, u32::saturating_add);
            match base {
                None => Size::step(before, 0),
                Some(base) => Size::step(size(base).operand().saturating_add(before), 3),
            }
        }
        ExprKind::Binary(segments) => {
            let parts = segments.iter().flat_map(|part| std::iter::once(&part.value).chain(&part.size));
            Size::step(parts.map(|part| size(part).operand()).fold(0, u32::saturating_add), 0)
        }
        ExprKind::RecordAccess { base, .. } => Size::step(size(base).operand(), 4),
        ExprKind::Block(exprs) => match exprs.split_last() {
            Some((last, before)) => {
                let last = size(last);
                Size { before: statements(before).saturating_add(last.before), ..last }
            }
            None => Size::PLAIN,
        },
        ExprKind::Try(attempt) if attempt.after.is_empty() => {
            let of = if attempt.clauses.is_empty() { 1 } else { clauses(&attempt.clauses).saturating_add(1) };
            let caught = attempt.catches.iter().fold(1u32, |sum, clause| {
                let tests = clause.guard.iter().flatten().count() as u32;
                let trace = u32::from(clause.stacktrace.is_some());
                sum.saturating_add(1 + tests + trace).saturating_add(statements(&clause.body))
            });
            Size::step(0, of.saturating_add(caught))
        }
        // What follows an inner `after` counts, what it guards does not.
        ExprKind::Try(attempt) if is_function_of_its_own(&attempt.after) => Size::step(0, 4),
        ExprKind::Try(attempt) => Size::step(0, statements(&attempt.after).saturating_add(2)),
        _ => Size::step(0, NEVER),
    }
}

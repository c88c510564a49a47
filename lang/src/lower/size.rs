//! How much code an `after` body is: a short one is compiled twice, where the body before it ends and where it fails.
//!
//! Which is short follows OTP's compiler, since a body that is a function of its own has a frame in stack traces: steps
//! are counted that an expression leaves beside its value, and what is in clauses.

use super::Lowerer;
use crate::ast::{self, BinaryOp, Expr, ExprKind, Qualifier};
use crate::known;

/// An `after` body of this size is too large to be compiled twice.
const TOO_LARGE: u32 = 20;

/// More than any sum that is still short.
const NEVER: u32 = 1000;

/// Measures expressions; records are known to the lowerer.
pub(super) struct Sizes<'w, 'f, 's> {
    pub lowerer: &'w Lowerer<'f, 's>,
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

impl Sizes<'_, '_, '_> {
    /// Whether an `after` body becomes a function.
    pub(super) fn is_function_of_its_own(&self, after: &[Expr]) -> bool {
        let Some((last, before)) = after.split_last() else { return false };
        self.statements(before).saturating_add(self.bound(last)) >= TOO_LARGE
    }

    /// The steps of an expression whose value is bound, as that of the last one is, to `_`.
    fn bound(&self, expr: &Expr) -> u32 {
        self.taken(expr).saturating_add(1)
    }

    /// The steps before what takes the value at once: a call, or what makes a fun or a bitstring, can stand there itself.
    fn taken(&self, expr: &Expr) -> u32 {
        let size = self.size(expr);
        let stands_there = size.plain || size.own == 0 || matches!(expr.kind, ExprKind::Fun { .. });
        if stands_there { size.before } else { size.statement() }
    }

    /// A `try`: what follows an inner `after` counts, what that guards does not.
    fn attempt(&self, attempt: &ast::Try) -> Size {
        if !attempt.after.is_empty() {
            let own = self.is_function_of_its_own(&attempt.after);
            return Size::step(0, if own { 4 } else { self.statements(&attempt.after).saturating_add(2) });
        }
        let of =
            if attempt.clauses.is_empty() { 1 } else { self.clauses(&attempt.clauses).saturating_add(1) };
        let caught = attempt.catches.iter().fold(1u32, |sum, clause| {
            let tests = clause.guard.iter().flatten().count() as u32;
            let trace = u32::from(clause.stacktrace.is_some_and(|trace| trace.name != known::UNDERSCORE));
            sum.saturating_add(1 + tests + trace).saturating_add(self.statements(&clause.body))
        });
        Size::step(0, of.saturating_add(caught))
    }

    /// What is up to the first generator, whose walk is a function.
    fn comprehension(&self, qualifiers: &[Qualifier], body: &Expr) -> Size {
        match qualifiers.split_first() {
            None => match body.kind {
                ExprKind::Binary(_) => self.size(body),
                _ => Size { before: self.size(body).operand(), ..Size::PLAIN },
            },
            Some((Qualifier::Generator(generator), _)) => {
                Size::step(0, self.size(&generator.source).operand().saturating_add(1))
            }
            Some((Qualifier::Filter(filter), more)) if !self.lowerer.is_guard_test(filter) => {
                let inner = self.comprehension(more, body).statement();
                Size::step(self.taken(filter), inner.saturating_add(3))
            }
            Some((Qualifier::Filter(_), more)) => {
                // Tests side by side are one guard.
                let test = |qualifier: &&Qualifier| match qualifier {
                    Qualifier::Filter(filter) => self.lowerer.is_guard_test(filter),
                    _ => false,
                };
                let tests = more.iter().take_while(test).count();
                let inner = self.comprehension(&more[tests..], body).statement();
                Size::step(0, inner.saturating_add(tests as u32 + 2))
            }
            Some((Qualifier::Zip(_), _)) => Size::step(0, NEVER),
        }
    }

    /// An update of a record: values that are no constants are bound first, then fields are set one by one, or all at once.
    fn update(&self, base: &Expr, name: ast::Ident, fields: &[ast::RecordField]) -> Size {
        let count = self.lowerer.records.get(&name.name).map_or(0, |record| record.fields.len());
        let values = fields.iter().map(|field| &field.value);
        let bound = values.filter(|value| !is_simple(value)).map(|value| self.bound(value));
        let before = bound.fold(self.bound(base), u32::saturating_add);
        let few = !fields.is_empty() && 2 * fields.len() <= count;
        Size::step(before, if few { fields.len() as u32 + 3 } else { 4 })
    }

    fn statements(&self, exprs: &[Expr]) -> u32 {
        exprs.iter().fold(0, |sum, expr| sum.saturating_add(self.size(expr).statement()))
    }

    /// Steps of several operands count as one.
    fn operands<'e>(&self, exprs: impl IntoIterator<Item = &'e Expr>) -> u32 {
        let mut sizes = exprs.into_iter().map(|expr| self.size(expr).operand()).filter(|&steps| steps > 0);
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

    fn clauses(&self, clauses: &[ast::Clause]) -> u32 {
        clauses.iter().fold(0u32, |sum, clause| {
            let tests = clause.guard.iter().flatten().count() as u32;
            sum.saturating_add(1).saturating_add(tests).saturating_add(self.statements(&clause.body))
        })
    }

    fn size(&self, expr: &Expr) -> Size {
        match &expr.kind {
            kind if kind.is_literal() => Size::PLAIN,
            ExprKind::Var(_) | ExprKind::RecordIndex { .. } => Size::PLAIN,
            ExprKind::Tuple(elements) => Size { before: self.operands(elements), ..Size::PLAIN },
            ExprKind::List { elements, tail } => {
                Size { before: self.operands(elements.iter().chain(tail.as_deref())), ..Size::PLAIN }
            }
            ExprKind::Match { value, .. } => Size::step(self.taken(value), 0),
            ExprKind::Unary { operand, .. } => Size::step(self.size(operand).operand(), 0),
            ExprKind::Op { op: BinaryOp::Andalso | BinaryOp::Orelse, left, right } => {
                Size::step(self.size(left).operand(), self.size(right).statement().saturating_add(6))
            }
            ExprKind::Op { left, right, .. } => Size::step(self.operands([&**left, &**right]), 0),
            ExprKind::Call { callee, args } => match &callee.kind {
                ExprKind::Atom(_) => Size::step(self.operands(args), 0),
                ExprKind::Remote { module, name } => {
                    Size::step(self.operands([&**module, &**name].into_iter().chain(args)), 0)
                }
                _ => Size::step(self.size(callee).operand().saturating_add(self.operands(args)), 0),
            },
            ExprKind::Case { subject, clauses: of } => Size::step(self.taken(subject), self.clauses(of)),
            ExprKind::If(of) => Size::step(0, self.clauses(of)),
            ExprKind::Receive { clauses: of, timeout } => {
                let before = timeout.as_ref().map_or(0, |timeout| self.taken(&timeout.time));
                Size::step(before, self.clauses(of))
            }
            ExprKind::Catch(inner) => Size::step(0, self.size(inner).statement()),
            ExprKind::ListComprehension { body, qualifiers } => self.comprehension(qualifiers, body),
            ExprKind::BinaryComprehension { body, qualifiers } => match qualifiers.first() {
                Some(Qualifier::Generator(generator)) => {
                    Size::step(self.size(&generator.source).operand().saturating_add(1), 1)
                }
                _ => {
                    let rest = self.comprehension(qualifiers, body);
                    Size { before: rest.before.saturating_add(1), ..rest }
                }
            },
            ExprKind::Fun { clauses: of, .. } => Size::step(0, self.clauses(of)),
            ExprKind::FunLocal { .. } => Size::step(0, 0),
            ExprKind::FunRemote { module, name, arity } => {
                Size::step(self.operands([&**module, &**name, &**arity]), 0)
            }
            ExprKind::Map { base, fields } => {
                let fields = fields.iter().flat_map(|field| [&field.key, &field.value]);
                let before = fields.map(|part| self.size(part).operand()).fold(0, u32::saturating_add);
                match base {
                    None => Size::step(before, 0),
                    Some(base) => Size::step(self.size(base).operand().saturating_add(before), 3),
                }
            }
            ExprKind::Binary(segments) => {
                let parts = segments.iter().flat_map(|part| std::iter::once(&part.value).chain(&part.size));
                Size::step(parts.map(|part| self.size(part).operand()).fold(0, u32::saturating_add), 0)
            }
            ExprKind::Record { base: None, name, fields } => {
                let values = self.lowerer.record_fields(*name, fields).unwrap_or_default();
                Size {
                    before: self.operands(values.into_iter().filter_map(|(value, _)| value)),
                    ..Size::PLAIN
                }
            }
            ExprKind::Record { base: Some(base), name, fields } => self.update(base, *name, fields),
            ExprKind::RecordAccess { base, .. } => Size::step(self.taken(base), 4),
            ExprKind::Block(exprs) => match exprs.split_last() {
                Some((last, before)) => {
                    let last = self.size(last);
                    Size { before: self.statements(before).saturating_add(last.before), ..last }
                }
                None => Size::PLAIN,
            },
            ExprKind::Try(attempt) => self.attempt(attempt),
            _ => Size::step(0, NEVER),
        }
    }
}

/// A variable or a constant.
fn is_simple(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Var(_)) || is_constant(expr)
}

fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Tuple(elements) => elements.iter().all(is_constant),
        ExprKind::List { elements, tail } => elements.iter().chain(tail.as_deref()).all(is_constant),
        kind => kind.is_literal(),
    }
}

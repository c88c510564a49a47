//! Tests whose outcome is known without running them: clauses that a guard never lets through.

use super::Linter;
use super::reach::{Constant, constant};
use crate::ast::{BinaryOp, Clause, Expr, ExprKind, Guard, UnaryOp};
use crate::{Code, Diagnostic, Int, known};

/// What a test gives, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    True,
    False,
    /// It fails: in a guard that is as good as `false`, but `not` of it is no more true.
    Fails,
    /// One of the two.
    NotTrue,
    Unknown,
}

impl Outcome {
    fn of(is_true: bool) -> Outcome {
        if is_true { Outcome::True } else { Outcome::False }
    }

    fn is_never_true(self) -> bool {
        matches!(self, Outcome::False | Outcome::Fails | Outcome::NotTrue)
    }
}

impl<'a> Linter<'a> {
    /// Clauses whose guard lets nothing through.
    pub(super) fn check_guards(&mut self, clauses: &[Clause]) {
        clauses.iter().for_each(|clause| self.check_guard(&clause.guard));
    }

    /// The same of one guard.
    pub(super) fn check_guard(&mut self, guard: &Guard) {
        let never = |tests: &'_ Vec<Expr>| tests.iter().position(|test| self.outcome(test).is_never_true());
        let Some(first) = guard.first() else { return };
        let (Some(at), true) = (never(first), guard.iter().all(|tests| never(tests).is_some())) else {
            return;
        };
        let title = "this clause cannot match, because its guard is never true";
        self.report(Diagnostic::new(Code::FalseGuard, first[at].span, title).label("this is never true"));
    }

    /// A filter that lets nothing through.
    pub(super) fn check_filter(&mut self, filter: &Expr) {
        if self.outcome(filter).is_never_true() {
            let title = "this filter is never true, so the comprehension gives nothing";
            self.say(Code::FalseGuard, filter.span, title);
        }
    }

    /// Whether a guard lets everything through.
    pub(super) fn always_holds(&self, guard: &Guard) -> bool {
        guard.iter().any(|tests| tests.iter().all(|test| self.outcome(test) == Outcome::True))
    }

    fn outcome(&self, test: &Expr) -> Outcome {
        match &test.kind {
            ExprKind::Atom(known::TRUE) => Outcome::True,
            ExprKind::Atom(known::FALSE) => Outcome::False,
            ExprKind::Unary { op: UnaryOp::Not, operand } => match self.outcome(operand) {
                Outcome::True => Outcome::False,
                Outcome::False => Outcome::True,
                Outcome::Fails => Outcome::Fails,
                Outcome::NotTrue | Outcome::Unknown => Outcome::Unknown,
            },
            ExprKind::Op { op, left, right } => self.operation(*op, left, right),
            ExprKind::Call { callee, args } => match (&callee.kind, &args[..]) {
                (ExprKind::Atom(name), [value]) => type_test(self.text(*name), value),
                _ => Outcome::Unknown,
            },
            _ if kind(test).is_some() => Outcome::Fails,
            _ => Outcome::Unknown,
        }
    }

    fn operation(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Outcome {
        use Outcome::{Fails, False, NotTrue, True, Unknown};
        match op {
            BinaryOp::Andalso => match (self.outcome(left), self.outcome(right)) {
                (True, right) => right,
                (Unknown, right) if right.is_never_true() => NotTrue,
                (left, _) => left,
            },
            BinaryOp::Orelse => match (self.outcome(left), self.outcome(right)) {
                (False, right) => right,
                (NotTrue, right) if right.is_never_true() => NotTrue,
                (NotTrue, _) => Unknown,
                (left, _) => left,
            },
            BinaryOp::And | BinaryOp::Or => match (self.outcome(left), self.outcome(right)) {
                (Fails, _) | (_, Fails) => Fails,
                (left, right) if op == BinaryOp::And && (left.is_never_true() || right.is_never_true()) => {
                    NotTrue
                }
                (left, right) if left.is_never_true() && right.is_never_true() => NotTrue,
                (True, True | False) | (False, True) => True,
                _ => Unknown,
            },
            _ => compared(op, left, right),
        }
    }
}

/// A comparison of constants.
fn compared(op: BinaryOp, left: &Expr, right: &Expr) -> Outcome {
    let (Some(a), Some(b)) = (constant(left), constant(right)) else { return Outcome::Unknown };
    // Integers and floats that are equal by value only, and the two zeros, are for those who run it.
    let is_float = |constant: &Constant<'_>| matches!(constant, Constant::Float(..));
    if is_float(&a) || is_float(&b) {
        return Outcome::Unknown;
    }
    let small = |constant: &Constant<'_>| match constant {
        Constant::Int(negative, Int::Small(value)) => Some(if *negative { -value } else { *value }),
        _ => None,
    };
    let ordered = small(&a).zip(small(&b)).map(|(a, b)| a.cmp(&b));
    match (op, ordered) {
        (BinaryOp::Eq | BinaryOp::ExactEq, _) => Outcome::of(a == b),
        (BinaryOp::Ne | BinaryOp::ExactNe, _) => Outcome::of(a != b),
        (BinaryOp::Lt, Some(order)) => Outcome::of(order.is_lt()),
        (BinaryOp::Le, Some(order)) => Outcome::of(order.is_le()),
        (BinaryOp::Gt, Some(order)) => Outcome::of(order.is_gt()),
        (BinaryOp::Ge, Some(order)) => Outcome::of(order.is_ge()),
        _ => Outcome::Unknown,
    }
}

/// A type test of an expression whose type is plain to see.
fn type_test(test: &str, value: &Expr) -> Outcome {
    let Some(kind) = kind(value) else { return Outcome::Unknown };
    let fitting: &[&str] = match test {
        "is_atom" => &["atom"],
        "is_integer" => &["integer"],
        "is_float" => &["float"],
        "is_number" => &["integer", "float"],
        "is_list" => &["list"],
        "is_tuple" => &["tuple"],
        "is_map" => &["map"],
        "is_bitstring" => &["bitstring"],
        "is_pid" | "is_port" | "is_reference" => &[],
        _ => return Outcome::Unknown,
    };
    Outcome::of(fitting.contains(&kind))
}

/// The type of an expression that builds a term.
fn kind(expr: &Expr) -> Option<&'static str> {
    Some(match &expr.kind {
        ExprKind::Atom(_) => "atom",
        ExprKind::Int(_) | ExprKind::Char(_) => "integer",
        ExprKind::Float(_) => "float",
        ExprKind::Str(_) | ExprKind::List { .. } => "list",
        ExprKind::Tuple(_) => "tuple",
        ExprKind::Map { base: None, .. } => "map",
        ExprKind::Binary(_) => "bitstring",
        _ => return None,
    })
}

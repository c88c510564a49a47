//! The conditions of `-if` and `-elif`: guard expressions without variables, evaluated on the spot.
//!
//! As in OTP, a condition that is no guard is an error, and one that fails or gives anything but `true` is false.

use super::Preprocessor;
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::token::Spanned;
use crate::{Code, Diagnostic, Int, Name, Session, Span, known};
use dashu_int::IBig;
use dashu_int::ops::BitTest;
use std::cmp::Ordering;

/// Conditions nest no deeper than this: they are evaluated by recursion, on whatever stack the caller has.
const MAX_CONDITION_DEPTH: u32 = 300;

/// Shifts and products beyond this many bits make a condition false: nobody tests a macro so.
const MAX_BITS: usize = 1 << 16;

/// The value of a constant expression, in term order up to [`Value::rank`].
#[derive(Clone, PartialEq, Debug)]
enum Value {
    Int(IBig),
    Float(f64),
    Atom(Name),
    Tuple(Vec<Value>),
    List(Vec<Value>),
}

/// An evaluation that fails makes the condition false.
type Evaluated = Option<Value>;

impl Preprocessor<'_> {
    /// Whether the condition in `tokens`, `(Expression).`, holds.
    pub(super) fn condition(
        &mut self,
        session: &mut Session,
        at: Span,
        tokens: &[Spanned],
    ) -> Result<bool, Box<Diagnostic>> {
        let mut expanded = Vec::new();
        self.expand(session, tokens, &mut expanded)?;
        let before = session.diagnostics.len();
        let parsed = crate::parse::exprs(session, &expanded);
        if parsed.is_none() && session.diagnostics.len() > before {
            let diagnostic = session.diagnostics.swap_remove(before);
            session.diagnostics.truncate(before);
            return Err(Box::new(diagnostic));
        }
        let Some([condition]) = parsed.as_deref() else {
            let title = "a condition is one guard expression in parentheses";
            return Err(Box::new(Diagnostic::new(Code::IllegalCondition, at, title)));
        };
        if condition.depth > MAX_CONDITION_DEPTH {
            let title = "this condition is nested too deeply";
            return Err(Box::new(Diagnostic::new(Code::IllegalCondition, condition.span, title)));
        }
        let evaluator = Evaluator { preprocessor: self, session };
        if let Some(span) = evaluator.illegal(condition) {
            let title = "this cannot stand in a condition";
            let help = "conditions are guard expressions without variables, and `defined(NAME)`";
            return Err(Box::new(Diagnostic::new(Code::IllegalCondition, span, title).help(help)));
        }
        Ok(evaluator.value(condition) == Some(Value::Atom(known::TRUE)))
    }
}

struct Evaluator<'e, 'a> {
    preprocessor: &'e Preprocessor<'a>,
    session: &'e Session,
}

impl Evaluator<'_, '_> {
    /// The first part that is no guard expression.
    fn illegal(&self, condition: &Expr) -> Option<Span> {
        let mut pending = vec![condition];
        while let Some(expr) = pending.pop() {
            match &expr.kind {
                kind if kind.is_literal() => {}
                ExprKind::Binary(_) => {}
                ExprKind::List { elements, tail } => pending.extend(elements.iter().chain(tail.as_deref())),
                ExprKind::Tuple(elements) => pending.extend(elements),
                ExprKind::Map { base, fields } => {
                    pending.extend(base.as_deref());
                    pending.extend(fields.iter().flat_map(|field| [&field.key, &field.value]));
                }
                ExprKind::Unary { operand, .. } => pending.push(operand),
                ExprKind::Op { op, left, right }
                    if !matches!(op, BinaryOp::Send | BinaryOp::Append | BinaryOp::Subtract) =>
                {
                    pending.extend([&**left, &**right]);
                }
                ExprKind::Call { callee, args } => match callee.kind {
                    ExprKind::Atom(known::DEFINED) => match &args[..] {
                        [Expr { kind: ExprKind::Atom(_) | ExprKind::Var(_), .. }] => {}
                        _ => return Some(expr.span),
                    },
                    ExprKind::Atom(_) | ExprKind::Remote { .. } => pending.extend(args),
                    _ => return Some(expr.span),
                },
                _ => return Some(expr.span),
            }
        }
        None
    }

    fn value(&self, expr: &Expr) -> Evaluated {
        Some(match &expr.kind {
            ExprKind::Atom(name) => Value::Atom(*name),
            ExprKind::Char(c) => Value::Int(IBig::from(u32::from(*c))),
            ExprKind::Int(value) => Value::Int(Int::to_big(value)),
            ExprKind::Float(value) => Value::Float(*value),
            ExprKind::Str(text) => {
                Value::List(text.chars().map(|c| Value::Int(IBig::from(u32::from(c)))).collect())
            }
            ExprKind::Tuple(elements) => Value::Tuple(self.values(elements)?),
            ExprKind::List { elements, tail } => {
                let mut values = self.values(elements)?;
                if let Some(tail) = tail {
                    let Value::List(rest) = self.value(tail)? else { return None };
                    values.extend(rest);
                }
                Value::List(values)
            }
            ExprKind::Unary { op, operand } => return unary(*op, self.value(operand)?),
            ExprKind::Op { op: BinaryOp::Andalso, left, right } => match truth(&self.value(left)?)? {
                true => return self.value(right),
                false => Value::Atom(known::FALSE),
            },
            ExprKind::Op { op: BinaryOp::Orelse, left, right } => match truth(&self.value(left)?)? {
                true => Value::Atom(known::TRUE),
                false => return self.value(right),
            },
            ExprKind::Op { op, left, right } => {
                let left = self.value(left)?;
                let right = self.value(right)?;
                return self.binary(*op, left, right);
            }
            ExprKind::Call { callee, args } => return self.call(callee, args),
            _ => return None,
        })
    }

    fn values(&self, exprs: &[Expr]) -> Option<Vec<Value>> {
        exprs.iter().map(|expr| self.value(expr)).collect()
    }

    fn call(&self, callee: &Expr, args: &[Expr]) -> Evaluated {
        let name = match &callee.kind {
            ExprKind::Atom(name) => *name,
            ExprKind::Remote { module, name } => match (&module.kind, &name.kind) {
                (ExprKind::Atom(known::ERLANG), ExprKind::Atom(name)) => *name,
                _ => return None,
            },
            _ => return None,
        };
        if name == known::DEFINED {
            let [Expr { kind: ExprKind::Atom(wanted) | ExprKind::Var(wanted), .. }] = args else {
                return None;
            };
            let preprocessor = self.preprocessor;
            let module_known = preprocessor.module.is_some();
            return Some(boolean(preprocessor.macros.is_defined(&self.session.names, *wanted, module_known)));
        }
        let args = self.values(args)?;
        self.builtin(self.session.names.text(name), &args)
    }

    /// The guard functions that make sense on constants.
    fn builtin(&self, name: &str, args: &[Value]) -> Evaluated {
        Some(match (name, args) {
            ("is_atom", [value]) => boolean(matches!(value, Value::Atom(_))),
            ("is_boolean", [value]) => boolean(truth(value).is_some()),
            ("is_integer", [value]) => boolean(matches!(value, Value::Int(_))),
            ("is_float", [value]) => boolean(matches!(value, Value::Float(_))),
            ("is_number", [value]) => boolean(matches!(value, Value::Int(_) | Value::Float(_))),
            ("is_list", [value]) => boolean(matches!(value, Value::List(_))),
            ("is_tuple", [value]) => boolean(matches!(value, Value::Tuple(_))),
            (
                "is_binary" | "is_bitstring" | "is_map" | "is_pid" | "is_port" | "is_reference"
                | "is_function",
                [_],
            ) => Value::Atom(known::FALSE),
            ("length", [Value::List(elements)]) | ("tuple_size" | "size", [Value::Tuple(elements)]) => {
                Value::Int(IBig::from(elements.len()))
            }
            ("hd", [Value::List(elements)]) => elements.first()?.clone(),
            ("tl", [Value::List(elements)]) => Value::List(elements.get(1..)?.to_vec()),
            ("element", [Value::Int(index), Value::Tuple(elements)]) => {
                elements.get(usize::try_from(index).ok()?.checked_sub(1)?)?.clone()
            }
            ("abs", [Value::Int(value)]) => match value < &IBig::ZERO {
                true => Value::Int(-value),
                false => Value::Int(value.clone()),
            },
            ("abs", [Value::Float(value)]) => Value::Float(value.abs()),
            ("float", [value]) => Value::Float(to_float(value)?),
            ("max", [a, b]) => if self.compare(a, b) == Ordering::Less { b } else { a }.clone(),
            ("min", [a, b]) => if self.compare(a, b) == Ordering::Greater { b } else { a }.clone(),
            _ => return None,
        })
    }

    fn binary(&self, op: BinaryOp, left: Value, right: Value) -> Evaluated {
        let ordering = || self.compare(&left, &right);
        Some(match op {
            BinaryOp::Eq => boolean(ordering() == Ordering::Equal),
            BinaryOp::Ne => boolean(ordering() != Ordering::Equal),
            BinaryOp::Le => boolean(ordering() != Ordering::Greater),
            BinaryOp::Lt => boolean(ordering() == Ordering::Less),
            BinaryOp::Ge => boolean(ordering() != Ordering::Less),
            BinaryOp::Gt => boolean(ordering() == Ordering::Greater),
            BinaryOp::ExactEq => boolean(left == right),
            BinaryOp::ExactNe => boolean(left != right),
            BinaryOp::And => boolean(truth(&left)? & truth(&right)?),
            BinaryOp::Or => boolean(truth(&left)? | truth(&right)?),
            BinaryOp::Xor => boolean(truth(&left)? ^ truth(&right)?),
            _ => return arithmetic(op, &left, &right),
        })
    }

    /// The order of terms, integers and floats by value.
    fn compare(&self, left: &Value, right: &Value) -> Ordering {
        match (left, right) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => {
                let (a, b) = (to_float(left).unwrap_or(0.0), to_float(right).unwrap_or(0.0));
                a.partial_cmp(&b).unwrap_or(Ordering::Equal)
            }
            (Value::Atom(a), Value::Atom(b)) => {
                self.session.names.text(*a).chars().cmp(self.session.names.text(*b).chars())
            }
            (Value::Tuple(a), Value::Tuple(b)) => a.len().cmp(&b.len()).then_with(|| self.compare_all(a, b)),
            (Value::List(a), Value::List(b)) => self.compare_all(a, b).then(a.len().cmp(&b.len())),
            _ => left.rank().cmp(&right.rank()),
        }
    }

    fn compare_all(&self, a: &[Value], b: &[Value]) -> Ordering {
        let unequal = a.iter().zip(b).map(|(a, b)| self.compare(a, b)).find(|ordering| ordering.is_ne());
        unequal.unwrap_or(Ordering::Equal)
    }
}

impl Value {
    /// Numbers before atoms before tuples before lists.
    fn rank(&self) -> u8 {
        match self {
            Self::Int(_) | Self::Float(_) => 0,
            Self::Atom(_) => 1,
            Self::Tuple(_) => 2,
            Self::List(_) => 3,
        }
    }
}

fn boolean(value: bool) -> Value {
    Value::Atom(if value { known::TRUE } else { known::FALSE })
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Atom(known::TRUE) => Some(true),
        Value::Atom(known::FALSE) => Some(false),
        _ => None,
    }
}

fn to_float(value: &Value) -> Option<f64> {
    match value {
        Value::Float(value) => Some(*value),
        Value::Int(value) => Some(value.to_f64().value()).filter(|value| value.is_finite()),
        _ => None,
    }
}

fn unary(op: UnaryOp, operand: Value) -> Evaluated {
    Some(match (op, operand) {
        (UnaryOp::Plus, value @ (Value::Int(_) | Value::Float(_))) => value,
        (UnaryOp::Minus, Value::Int(value)) => Value::Int(-value),
        (UnaryOp::Minus, Value::Float(value)) => Value::Float(-value),
        (UnaryOp::Bnot, Value::Int(value)) => Value::Int(-value - IBig::ONE),
        (UnaryOp::Not, value) => boolean(!truth(&value)?),
        _ => return None,
    })
}

fn arithmetic(op: BinaryOp, left: &Value, right: &Value) -> Evaluated {
    let (Value::Int(a), Value::Int(b)) = (left, right) else { return float_arithmetic(op, left, right) };
    Some(Value::Int(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul if a.bit_len() + b.bit_len() <= MAX_BITS => a * b,
        BinaryOp::Divide => return float_arithmetic(op, left, right),
        BinaryOp::Div if *b != IBig::ZERO => a / b,
        BinaryOp::Rem if *b != IBig::ZERO => a % b,
        BinaryOp::Band => a & b,
        BinaryOp::Bor => a | b,
        BinaryOp::Bxor => a ^ b,
        BinaryOp::Bsl => shift(a, i64::try_from(b).ok()?)?,
        BinaryOp::Bsr => shift(a, i64::try_from(b).ok()?.checked_neg()?)?,
        _ => return None,
    }))
}

/// Shifts left, or right by a negative count.
fn shift(value: &IBig, count: i64) -> Option<IBig> {
    let bits = usize::try_from(count.unsigned_abs()).ok().filter(|bits| *bits <= MAX_BITS)?;
    Some(if count < 0 { value >> bits } else { value << bits })
}

fn float_arithmetic(op: BinaryOp, left: &Value, right: &Value) -> Evaluated {
    let (a, b) = (to_float(left)?, to_float(right)?);
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Divide if b != 0.0 => a / b,
        _ => return None,
    };
    Some(Value::Float(value)).filter(|_| value.is_finite())
}

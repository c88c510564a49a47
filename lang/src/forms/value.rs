//! Constant expressions as the terms they stand for.

use super::writer::{Step, Writer};
use crate::Int;
use crate::ast::*;
use crate::bits::{BitKind, Endian, resolve};
use crate::bytecode::{LitValue, Literal};
use dashu_int::IBig;

impl<'t> Writer<'t> {
    /// Plans the value of an expression; with `arities`, `name/arity` may stand in its lists, tuples and values of maps.
    pub(super) fn constant(&mut self, expr: &'t Expr, arities: bool) {
        self.step(Step::Constant(expr, arities));
    }

    pub(super) fn plan_constant(&mut self, expr: &'t Expr, arities: bool) {
        match &expr.kind {
            ExprKind::Atom(name) => self.name(*name),
            ExprKind::Char(c) => self.value(LitValue::Int(i64::from(u32::from(*c)))),
            ExprKind::Int(value) => {
                let value = self.rows.int(value);
                self.value(value);
            }
            ExprKind::Float(value) => {
                let value = self.rows.float(*value);
                self.value(value);
            }
            ExprKind::Str(text) => {
                let text = self.rows.string(text);
                self.value(text);
            }
            ExprKind::List { elements, tail } => {
                elements.iter().for_each(|element| self.constant(element, arities));
                match tail {
                    Some(tail) => {
                        self.constant(tail, arities);
                        self.step(Step::ListWithTail(elements.len() as u32));
                    }
                    None => self.list(elements.len()),
                }
            }
            ExprKind::Tuple(elements) => {
                elements.iter().for_each(|element| self.constant(element, arities));
                self.tuple(elements.len());
            }
            ExprKind::Map { base: None, fields } if fields.iter().all(|field| !field.exact) => {
                for field in fields {
                    self.constant(&field.key, false);
                    self.constant(&field.value, arities);
                }
                self.step(Step::Map(fields.len() as u32));
            }
            ExprKind::Binary(segments) => match constant_bits(segments) {
                Some(bits) => {
                    let bits = self.rows.literal(Literal::Bits { bytes: bits.bytes, bits: bits.length });
                    self.value(bits);
                }
                None => self.refused = Some(expr),
            },
            ExprKind::Op { op: BinaryOp::Divide, left, right } if arities => {
                match (&left.kind, &right.kind) {
                    (ExprKind::Atom(name), ExprKind::Int(arity)) => {
                        self.name(*name);
                        let arity = self.rows.int(arity);
                        self.value(arity);
                        self.tuple(2);
                    }
                    _ => self.refused = Some(expr),
                }
            }
            ExprKind::Unary { op, operand } => match self.signed(*op, operand) {
                Some(value) => self.value(value),
                None => self.refused = Some(expr),
            },
            ExprKind::FunRemote { module, name, arity } => match (&module.kind, &name.kind, &arity.kind) {
                (
                    ExprKind::Atom(module),
                    ExprKind::Atom(name),
                    ExprKind::Int(Int::Small(arity @ 0..=255)),
                ) => {
                    let (module, name) =
                        (self.rows.name(self.names, *module), self.rows.name(self.names, *name));
                    if let (LitValue::Atom(module), LitValue::Atom(function)) = (module, name) {
                        let fun =
                            self.rows.literal(Literal::Export { module, function, arity: *arity as u8 });
                        self.value(fun);
                    }
                }
                _ => self.refused = Some(expr),
            },
            _ => self.refused = Some(expr),
        }
    }

    fn signed(&mut self, op: UnaryOp, operand: &Expr) -> Option<LitValue> {
        let minus = match op {
            UnaryOp::Minus => true,
            UnaryOp::Plus => false,
            UnaryOp::Bnot | UnaryOp::Not => return None,
        };
        Some(match &operand.kind {
            ExprKind::Int(value) if minus => self.rows.int(&Int::from(-value.to_big())),
            ExprKind::Int(value) => self.rows.int(value),
            ExprKind::Char(c) => {
                let value = i64::from(u32::from(*c));
                LitValue::Int(if minus { -value } else { value })
            }
            ExprKind::Float(value) => self.rows.float(if minus { -value } else { *value }),
            _ => return None,
        })
    }
}

/// Bits put together.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    /// In bits.
    length: u64,
}

/// More bits than this in one segment are no constant worth writing.
const MAX_SEGMENT_BITS: u64 = 1 << 20;

impl Bits {
    /// Adds the low `count` bits of the bytes, the most significant first.
    fn push(&mut self, big_endian: &[u8], count: u64) {
        let skip = big_endian.len() as u64 * 8 - count;
        for bit in skip..skip + count {
            let value = big_endian[(bit / 8) as usize] >> (7 - bit % 8) & 1;
            if self.length.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= value << (7 - self.length % 8);
            }
            self.length += 1;
        }
    }

    /// Adds an integer of so many bits.
    fn push_int(&mut self, value: &IBig, size: u64, endian: Endian) -> Option<()> {
        if size > MAX_SEGMENT_BITS {
            return None;
        }
        let modulus = IBig::ONE << size as usize;
        let mut value = value % &modulus;
        if value < IBig::ZERO {
            value += modulus;
        }
        let length = size.div_ceil(8) as usize;
        let mut little = value.into_parts().1.to_le_bytes().to_vec();
        little.resize(length, 0);
        if matches!(endian, Endian::Big) {
            little.reverse();
            self.push(&little, size);
            return Some(());
        }
        // Little endian: whole bytes first, the rest of the bits last.
        for (index, byte) in little.iter().enumerate() {
            self.push(&[*byte], (size - index as u64 * 8).min(8));
        }
        Some(())
    }
}

fn constant_bits(segments: &[Segment]) -> Option<Bits> {
    let mut bits = Bits::default();
    for segment in segments {
        push_segment(segment, &mut bits)?;
    }
    Some(bits)
}

fn push_segment(segment: &Segment, bits: &mut Bits) -> Option<()> {
    let spec = resolve(segment).ok()?;
    let size = match &segment.size {
        None => spec.default_size.map(u64::from),
        Some(Expr { kind: ExprKind::Int(Int::Small(size)), .. }) => {
            Some(u64::try_from(*size).ok()?.checked_mul(u64::from(spec.unit))?)
        }
        Some(_) => return None,
    };
    // A string is as many segments as it has characters.
    let values: Vec<IBig> = match &segment.value.kind {
        ExprKind::Str(text) => text.chars().map(|c| IBig::from(u32::from(c))).collect(),
        _ => match (integer(&segment.value), float(&segment.value), spec.kind) {
            (Some(value), _, _) => vec![value],
            (None, Some(value), BitKind::Float) => return push_float(bits, value, size?, spec.endian),
            _ => return None,
        },
    };
    for value in values {
        let character = || u32::try_from(&value).ok().and_then(char::from_u32);
        match spec.kind {
            BitKind::Integer => bits.push_int(&value, size?, spec.endian)?,
            BitKind::Float => push_float(bits, value.to_f64().value(), size?, spec.endian)?,
            BitKind::Utf8 => {
                let mut buffer = [0; 4];
                let bytes = character()?.encode_utf8(&mut buffer).as_bytes().to_vec();
                bits.push(&bytes, bytes.len() as u64 * 8);
            }
            BitKind::Utf16 => {
                let mut buffer = [0; 2];
                for unit in character()?.encode_utf16(&mut buffer) {
                    bits.push_int(&IBig::from(*unit), 16, spec.endian)?;
                }
            }
            BitKind::Utf32 => bits.push_int(&IBig::from(u32::from(character()?)), 32, spec.endian)?,
            BitKind::Binary | BitKind::Bitstring => return None,
        }
    }
    Some(())
}

fn push_float(bits: &mut Bits, value: f64, size: u64, endian: Endian) -> Option<()> {
    let pattern = match size {
        64 => IBig::from(value.to_bits()),
        32 if (value as f32).is_finite() => IBig::from((value as f32).to_bits()),
        _ => return None,
    };
    bits.push_int(&pattern, size, endian)
}

fn integer(expr: &Expr) -> Option<IBig> {
    match &expr.kind {
        ExprKind::Int(value) => Some(value.to_big()),
        ExprKind::Char(c) => Some(IBig::from(u32::from(*c))),
        ExprKind::Unary { op: UnaryOp::Minus, operand } => match &operand.kind {
            ExprKind::Int(value) => Some(-value.to_big()),
            _ => None,
        },
        _ => None,
    }
}

fn float(expr: &Expr) -> Option<f64> {
    match &expr.kind {
        ExprKind::Float(value) => Some(*value),
        ExprKind::Unary { op: UnaryOp::Minus, operand } => match operand.kind {
            ExprKind::Float(value) => Some(-value),
            _ => None,
        },
        _ => None,
    }
}

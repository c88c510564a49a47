//! Bitstrings: construction and patterns.

use super::Lowerer;
use super::matches::Heads;
use crate::ast::{self, ExprKind};
use crate::bits::{self, BitKind, BitSpec};
use crate::bytecode::instr::Endian;
use crate::bytecode::{BitFlags, SegmentKind};
use crate::core::literal::Term;
use crate::core::{BitsPattern, Const, Expr, Op, Pattern, Segment, Value};

impl<'f> Lowerer<'f, '_> {
    fn spec(&mut self, segment: &ast::Segment) -> Option<BitSpec> {
        let spec = bits::resolve(segment).ok();
        if spec.is_none() {
            self.illegal(segment.span, "segment");
        }
        spec
    }

    /// `<<...>>` as an expression.
    pub(super) fn binary(&mut self, expr: &ast::Expr, segments: &'f [ast::Segment]) -> Value {
        let segments = self.build_segments(segments);
        self.at(expr.span);
        self.bits_of(segments)
    }

    /// A bitstring of segments; constant ones become one constant each run.
    pub(super) fn bits_of(&mut self, segments: Vec<Segment<Value>>) -> Value {
        let segments = self.join_constants(segments);
        match &segments[..] {
            [] => Value::Const(self.pool.bits(vec![], 0)),
            [
                Segment {
                    value: value @ Value::Const(Const::Lit(_)),
                    size: None,
                    kind: SegmentKind::Binary,
                    unit,
                    ..
                },
            ] if self.is_bits(*value, *unit) => *value,
            _ => self.step(Op::Bits(segments)),
        }
    }

    /// Whether it is a constant bitstring of whole units.
    fn is_bits(&self, value: Value, unit: u16) -> bool {
        match value {
            Value::Const(constant) => {
                matches!(self.pool.get(constant), Some(Term::Bits { bits, .. }) if bits % u64::from(unit) == 0)
            }
            Value::Var(_) => false,
        }
    }

    pub(super) fn build_segments(&mut self, segments: &'f [ast::Segment]) -> Vec<Segment<Value>> {
        let mut built = Vec::with_capacity(segments.len());
        for (place, segment) in (1..).zip(segments) {
            let Some(spec) = self.spec(segment) else { continue };
            let shape = |value, size| shape(place, spec, value, size);
            if let ExprKind::Str(text) = &segment.value.kind
                && !matches!(spec.kind, BitKind::Binary | BitKind::Bitstring)
            {
                let size = self.build_size(segment, spec);
                if text.is_empty() {
                    self.judge_size(spec, size);
                }
                built.extend(
                    text.chars().map(|c| shape(Value::Const(Const::Int(i64::from(u32::from(c)))), size)),
                );
                continue;
            }
            let value = self.expr(&segment.value);
            let size = self.build_size(segment, spec);
            built.push(shape(value, size));
        }
        built
    }

    /// A segment without characters makes nothing, but its size must be one.
    fn judge_size(&mut self, spec: BitSpec, size: Option<Value>) {
        if !matches!(size, None | Some(Value::Const(Const::Int(0..=MAX_CONSTANT_BITS))))
            && spec.kind == BitKind::Integer
        {
            let zero = shape(1, spec, Value::Const(Const::Int(0)), size);
            self.step(Op::Bits(vec![zero]));
        }
    }

    fn build_size(&mut self, segment: &'f ast::Segment, spec: BitSpec) -> Option<Value> {
        match &segment.size {
            Some(size) => Some(self.expr(size)),
            None => spec.default_size.map(|size| Value::Const(Const::Int(i64::from(size)))),
        }
    }

    /// Joins neighbouring constant segments.
    fn join_constants(&mut self, segments: Vec<Segment<Value>>) -> Vec<Segment<Value>> {
        let mut joined = Vec::with_capacity(segments.len());
        let mut run = Bits::default();
        for segment in segments {
            match self.constant_bits(&segment) {
                Some(bits) => run.append(&bits),
                None => {
                    self.flush(&mut run, &mut joined);
                    joined.push(segment);
                }
            }
        }
        self.flush(&mut run, &mut joined);
        joined
    }

    fn flush(&mut self, run: &mut Bits, joined: &mut Vec<Segment<Value>>) {
        if run.count == 0 {
            return;
        }
        let Bits { bytes, count } = std::mem::take(run);
        let unit = if count % 8 == 0 { 8 } else { 1 };
        let value = Value::Const(self.pool.bits(bytes, count));
        joined.push(Segment {
            place: 0,
            kind: SegmentKind::Binary,
            value,
            size: None,
            unit,
            flags: BitFlags::default(),
        });
    }

    /// What a segment of constants comes to.
    fn constant_bits(&self, segment: &Segment<Value>) -> Option<Bits> {
        let Value::Const(value) = segment.value else { return None };
        let size = match segment.size {
            Some(Value::Const(Const::Int(size @ 0..=MAX_CONSTANT_BITS))) => {
                Some(size as u64 * u64::from(segment.unit))
            }
            Some(_) => return None,
            None => None,
        };
        match (segment.kind, value, size) {
            (SegmentKind::Integer, Const::Int(value), Some(size)) => {
                integer_bits(value, size, segment.flags.endian)
            }
            (SegmentKind::Binary, Const::Lit(id), None) => match self.pool.term(id) {
                Term::Bits { bytes, bits } if bits % u64::from(segment.unit) == 0 => {
                    Some(Bits { bytes: bytes.clone(), count: *bits })
                }
                _ => None,
            },
            (SegmentKind::Utf8 | SegmentKind::Utf16 | SegmentKind::Utf32, Const::Int(value), _) => {
                encoded(segment.kind, segment.flags.endian, value)
            }
            _ => None,
        }
    }

    /// `<<...>>` in a guard.
    pub(super) fn guard_binary(&mut self, segments: &'f [ast::Segment]) -> Expr {
        let mut built = Vec::with_capacity(segments.len());
        for (place, segment) in (1..).zip(segments) {
            let Some(spec) = self.spec(segment) else { continue };
            let size = match &segment.size {
                Some(size) => Some(self.guard_expr(size)),
                None => spec.default_size.map(|size| Expr::Value(Value::Const(Const::Int(i64::from(size))))),
            };
            if let ExprKind::Str(text) = &segment.value.kind {
                built.extend(text.chars().map(|c| {
                    let value = Expr::Value(Value::Const(Const::Int(i64::from(u32::from(c)))));
                    shape(place, spec, value, size.clone())
                }));
            } else {
                let value = self.guard_expr(&segment.value);
                built.push(shape(place, spec, value, size));
            }
        }
        let plain: Option<Vec<Segment<Value>>> = built.iter().map(plain_segment).collect();
        if let Some(plain) = plain {
            let joined = self.join_constants(plain);
            match &joined[..] {
                [] => return Expr::Value(Value::Const(self.pool.bits(vec![], 0))),
                [one] if self.is_bits(one.value, one.unit) && one.size.is_none() => {
                    return Expr::Value(one.value);
                }
                _ => {}
            }
        }
        Expr::Bits(built)
    }

    /// `<<...>>` as a pattern.
    pub(super) fn binary_pattern(&mut self, segments: &'f [ast::Segment], heads: &mut Heads) -> Pattern {
        let mut patterns = Vec::with_capacity(segments.len());
        self.leave_head(heads);
        for segment in segments {
            let Some(spec) = self.spec(segment) else { continue };
            let size = match &segment.size {
                Some(size) => Some(self.guard_expr(size)),
                None => spec.default_size.map(|size| Expr::Value(Value::Const(Const::Int(i64::from(size))))),
            };
            if let ExprKind::Str(text) = &segment.value.kind {
                for c in text.chars() {
                    self.constant_segment(spec, size.clone(), i64::from(u32::from(c)), &mut patterns);
                }
                continue;
            }
            match self.pattern(&segment.value, heads) {
                Pattern::Const(Const::Int(value)) => self.constant_segment(spec, size, value, &mut patterns),
                value => {
                    let mut shape = bits_pattern(spec, value, size);
                    if shape.kind == SegmentKind::Float
                        && let Pattern::Const(constant) = shape.value
                        && let Some(float) = super::fold::big_as_float(&mut self.pool, constant)
                    {
                        shape.value = Pattern::Const(float);
                    }
                    patterns.push(shape);
                }
            }
        }
        self.enter_head(heads);
        Pattern::Bits(patterns)
    }

    /// A segment whose value is a known integer: encoded where it means a character, a float where it means one.
    fn constant_segment(
        &mut self,
        spec: BitSpec,
        size: Option<Expr>,
        value: i64,
        patterns: &mut Vec<BitsPattern>,
    ) {
        let shape = bits_pattern(spec, Pattern::Const(Const::Int(value)), size);
        match shape.kind {
            SegmentKind::Utf8 | SegmentKind::Utf16 | SegmentKind::Utf32 => {
                let Some(bits) = encoded(shape.kind, shape.flags.endian, value) else {
                    return patterns.push(shape);
                };
                patterns.extend(bits.bytes.into_iter().map(|byte| BitsPattern {
                    kind: SegmentKind::Integer,
                    value: Pattern::Const(Const::Int(i64::from(byte))),
                    size: Some(Expr::Value(Value::Const(Const::Int(8)))),
                    unit: 1,
                    flags: BitFlags::default(),
                }));
            }
            SegmentKind::Float => {
                let value = Pattern::Const(self.pool.float(value as f64));
                patterns.push(BitsPattern { value, ..shape });
            }
            _ => patterns.push(shape),
        }
    }
}

/// Longer constant segments are built when the program runs.
const MAX_CONSTANT_BITS: i64 = 1 << 16;

/// Bits, from the highest of the first byte on.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    count: u64,
}

impl Bits {
    fn push(&mut self, bit: bool) {
        if self.count.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let (true, Some(last)) = (bit, self.bytes.last_mut()) {
            *last |= 0x80 >> (self.count % 8);
        }
        self.count += 1;
    }

    fn append(&mut self, other: &Bits) {
        if self.count.is_multiple_of(8) {
            self.bytes.extend_from_slice(&other.bytes);
            self.count += other.count;
            return;
        }
        for at in 0..other.count {
            self.push(other.bytes[at as usize / 8] & (0x80 >> (at % 8)) != 0);
        }
    }
}

/// The low `size` bits of an integer.
fn integer_bits(value: i64, size: u64, endian: Endian) -> Option<Bits> {
    let mut bits = Bits::default();
    let bit = |at: u64| if at < 64 { value >> at & 1 == 1 } else { value < 0 };
    match endian {
        Endian::Big => (0..size).rev().for_each(|at| bits.push(bit(at))),
        Endian::Native if size > 8 => return None,
        // Whole bytes from the low end; what is left of the last byte comes behind them.
        Endian::Little | Endian::Native => {
            for start in (0..size).step_by(8) {
                let end = size.min(start + 8);
                (start..end).rev().for_each(|at| bits.push(bit(at)));
            }
        }
    }
    Some(bits)
}

/// The bytes of a character.
fn encoded(kind: SegmentKind, endian: Endian, value: i64) -> Option<Bits> {
    let character = u32::try_from(value).ok().and_then(char::from_u32)?;
    let bytes = match (kind, endian) {
        (SegmentKind::Utf8, _) => character.to_string().into_bytes(),
        (_, Endian::Native) => return None,
        (SegmentKind::Utf16, endian) => {
            let mut units = [0; 2];
            let units = character.encode_utf16(&mut units).iter();
            units
                .flat_map(|unit| if endian == Endian::Big { unit.to_be_bytes() } else { unit.to_le_bytes() })
                .collect()
        }
        (_, Endian::Big) => u32::from(character).to_be_bytes().to_vec(),
        (_, Endian::Little) => u32::from(character).to_le_bytes().to_vec(),
    };
    Some(Bits { count: bytes.len() as u64 * 8, bytes })
}

fn kind_of(kind: BitKind) -> SegmentKind {
    match kind {
        BitKind::Integer => SegmentKind::Integer,
        BitKind::Float => SegmentKind::Float,
        BitKind::Binary | BitKind::Bitstring => SegmentKind::Binary,
        BitKind::Utf8 => SegmentKind::Utf8,
        BitKind::Utf16 => SegmentKind::Utf16,
        BitKind::Utf32 => SegmentKind::Utf32,
    }
}

fn flags_of(spec: BitSpec) -> BitFlags {
    let endian = match spec.endian {
        bits::Endian::Big => Endian::Big,
        bits::Endian::Little => Endian::Little,
        bits::Endian::Native => Endian::Native,
    };
    BitFlags { signed: spec.signed, endian }
}

fn shape<T>(place: usize, spec: BitSpec, value: T, size: Option<T>) -> Segment<T> {
    let place = u16::try_from(place).unwrap_or(u16::MAX);
    Segment { place, kind: kind_of(spec.kind), value, size, unit: spec.unit.max(1), flags: flags_of(spec) }
}

fn bits_pattern(spec: BitSpec, value: Pattern, size: Option<Expr>) -> BitsPattern {
    BitsPattern { kind: kind_of(spec.kind), value, size, unit: spec.unit.max(1), flags: flags_of(spec) }
}

/// A guard's segment whose operands are plain values.
fn plain_segment(segment: &Segment<Expr>) -> Option<Segment<Value>> {
    let plain = |expr: &Expr| match expr {
        Expr::Value(value) => Some(*value),
        _ => None,
    };
    let size = match &segment.size {
        Some(size) => Some(plain(size)?),
        None => None,
    };
    Some(Segment {
        place: segment.place,
        kind: segment.kind,
        value: plain(&segment.value)?,
        size,
        unit: segment.unit,
        flags: segment.flags,
    })
}

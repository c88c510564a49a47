//! Matching of bitstrings: rows by their next segment.

use super::Compiler;
use super::graph::{Node, NodeId};
use super::rows::{Goal, Row, State};
use crate::bytecode::SegmentKind;
use crate::bytecode::instr::Endian;
use crate::core::{BitsPattern, Const, Expr, Pattern, Value};

impl<'a> Compiler<'a, '_> {
    /// The first rows want the same of the context `context`.
    pub(super) fn segments(&mut self, mut state: State<'a>, context: Value, at: usize) -> Node<'a> {
        let Goal::Segments(wanted) = state.rows[0].goals[at].1 else { return Node::Fail };
        let group = state.rows.iter().take_while(|row| alike(row, context, wanted)).count();
        let rest = state.rows.split_off(group);
        let (saves, plain, back) = self.fallback(rest, state.fallback);
        let node = match wanted.first() {
            None => self.at_end(state.rows, context, plain, back),
            Some(_) if group == 1 => match self.literal_run(wanted) {
                Some((bits, length)) => {
                    advance(&mut state.rows[0], context, length);
                    let yes = self.state(State { rows: state.rows, fallback: back });
                    Node::Exactly { context, bits, yes, no: plain }
                }
                None => self.take(state.rows, context, plain, back),
            },
            Some(_) => self.take(state.rows, context, plain, back),
        };
        self.saving(saves, node)
    }

    fn at_end(&mut self, mut rows: Vec<Row<'a>>, context: Value, no: NodeId, back: NodeId) -> Node<'a> {
        for row in &mut rows {
            row.goals.retain(|(value, goal)| !(*value == context && matches!(goal, Goal::Segments([]))));
        }
        let yes = self.state(State { rows, fallback: back });
        Node::AtEnd { context, yes, no }
    }

    /// Takes the segment that the rows have in common.
    fn take(&mut self, rows: Vec<Row<'a>>, context: Value, no: NodeId, back: NodeId) -> Node<'a> {
        let Some(segment) = next_segment(&rows[0], context) else { return Node::Fail };
        let wanted = rows
            .iter()
            .any(|row| next_segment(row, context).is_some_and(|segment| segment.value != Pattern::Any));
        let dst = wanted.then(|| self.var());
        let bindings = rows[0].bindings.clone();
        let mut left = Vec::with_capacity(rows.len());
        for mut row in rows {
            let Some(segment) = next_segment(&row, context) else { continue };
            advance(&mut row, context, 1);
            if takes_all(segment) {
                row.goals.retain(|(value, goal)| !(*value == context && matches!(goal, Goal::Segments([]))));
            }
            if dst.is_none_or(|dst| self.want(&mut row, Value::Var(dst), &segment.value)) {
                left.push(row);
            }
        }
        let yes = self.state(State { rows: left, fallback: back });
        Node::Take { context, segment, bindings, dst, yes, no }
    }

    /// The bits of the segments in front that are known, as one constant, and how many segments these are.
    fn literal_run(&mut self, segments: &[BitsPattern]) -> Option<(Const, usize)> {
        let mut bits: Vec<bool> = Vec::new();
        let mut length = 0;
        for segment in segments {
            let Some(more) = known_bits(segment) else { break };
            bits.extend(more);
            length += 1;
        }
        if length == 0 {
            return None;
        }
        let mut bytes = vec![0u8; bits.len().div_ceil(8)];
        for (i, _) in bits.iter().enumerate().filter(|(_, bit)| **bit) {
            bytes[i / 8] |= 0x80 >> (i % 8);
        }
        Some((self.pool.bits(bytes, bits.len() as u64), length))
    }
}

/// Whether the row's next segment at `context` is read as the one in front of `wanted`.
fn alike(row: &Row<'_>, context: Value, wanted: &[BitsPattern]) -> bool {
    row.goals.iter().any(|(value, goal)| match goal {
        Goal::Segments(segments) if *value == context => match (segments.first(), wanted.first()) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                a.kind == b.kind && a.unit == b.unit && a.flags == b.flags && a.size == b.size
            }
            _ => false,
        },
        _ => false,
    })
}

fn next_segment<'a>(row: &Row<'a>, context: Value) -> Option<&'a BitsPattern> {
    row.goals.iter().find_map(|(value, goal)| match goal {
        Goal::Segments(segments) if *value == context => segments.first(),
        _ => None,
    })
}

/// Passes over segments.
fn advance(row: &mut Row<'_>, context: Value, count: usize) {
    for (value, goal) in &mut row.goals {
        if let Goal::Segments(segments) = goal
            && *value == context
        {
            *segments = segments.get(count..).unwrap_or(&[]);
            return;
        }
    }
}

/// Whether the segment takes the rest.
fn takes_all(segment: &BitsPattern) -> bool {
    segment.kind == SegmentKind::Binary && segment.size.is_none()
}

/// Longest constant segment that is compared bit by bit; longer ones are read as integers.
const MAX_KNOWN_BITS: u64 = 4096;

/// The bits of an integer segment whose value and size are constants, in the order they come.
fn known_bits(segment: &BitsPattern) -> Option<Vec<bool>> {
    let Pattern::Const(Const::Int(value)) = segment.value else { return None };
    let Some(Expr::Value(Value::Const(Const::Int(size)))) = segment.size else { return None };
    if segment.kind != SegmentKind::Integer {
        return None;
    }
    let size = u64::try_from(size).ok()?.checked_mul(u64::from(segment.unit))?;
    let whole_bytes = size % 8 == 0;
    let one_byte = size <= 8;
    if size > MAX_KNOWN_BITS
        || segment.flags.endian == Endian::Native && !one_byte
        || segment.flags.endian == Endian::Little && !(whole_bytes || one_byte)
        || !fits(value, size, segment.flags.signed)
    {
        return None;
    }
    let bit = |at: u64| if at < 64 { value >> at & 1 == 1 } else { value < 0 };
    let big: Vec<bool> = (0..size).rev().map(bit).collect();
    if segment.flags.endian == Endian::Big || one_byte {
        return Some(big);
    }
    Some(big.chunks(8).rev().flatten().copied().collect())
}

/// Whether reading `size` bits can give `value` at all.
fn fits(value: i64, size: u64, signed: bool) -> bool {
    match (size, signed) {
        (0, _) => value == 0,
        (64.., true) => true,
        (_, true) => -(1i128 << (size - 1)) <= i128::from(value) && i128::from(value) < 1i128 << (size - 1),
        (63.., false) => value >= 0,
        (_, false) => value >= 0 && value < 1 << size,
    }
}

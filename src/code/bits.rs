//! Translation of the rows that build and match bitstrings.

use erlet_lang::bytecode::instr::Endian;
use erlet_lang::bytecode::{
    BitFlags, BuildSegment, Instr, Label, LitIx, Literal, Module, Reg, SegmentKind, Size, Src,
};

use super::load::{Loader, reg};
use super::op::Op;
use crate::atom::known;
use crate::term::Word;

/// Words of one segment in `bs_create`: description, value, size.
pub const SEGMENT_WORDS: usize = 3;

/// A segment's description as one word: unit in bits 0..16, kind in 16..24, signed in bit 24, little-endian in bit 25, and in
/// bits 32..48 how many more segments are written before it.
#[derive(Clone, Copy, Debug)]
pub struct Segment(u64);

impl Segment {
    pub(super) fn new(kind: SegmentKind, unit: u16, flags: BitFlags) -> Segment {
        let little = match flags.endian {
            Endian::Big => false,
            Endian::Little => true,
            Endian::Native => cfg!(target_endian = "little"),
        };
        let kind = match kind {
            SegmentKind::Integer => 0,
            SegmentKind::Float => 1,
            SegmentKind::Binary => 2,
            SegmentKind::Utf8 => 3,
            SegmentKind::Utf16 => 4,
            SegmentKind::Utf32 => 5_u64,
        };
        Segment(u64::from(unit) | kind << 16 | u64::from(flags.signed) << 24 | u64::from(little) << 25)
    }

    /// The description in an instruction's word.
    pub const fn from_bits(bits: u64) -> Segment {
        Segment(bits)
    }

    /// The description of one with so many more segments before it in the source.
    const fn behind(self, before: u16) -> Segment {
        Segment(self.0 | (before as u64) << 32)
    }

    /// How many more segments are written before it in the source.
    pub const fn before(self) -> usize {
        (self.0 >> 32 & 0xffff) as usize
    }

    /// Bits that the size is multiplied by.
    pub const fn unit(self) -> u64 {
        self.0 & 0xffff
    }

    /// What the segment holds.
    pub const fn kind(self) -> SegmentKind {
        match self.0 >> 16 & 0xff {
            0 => SegmentKind::Integer,
            1 => SegmentKind::Float,
            2 => SegmentKind::Binary,
            3 => SegmentKind::Utf8,
            4 => SegmentKind::Utf16,
            _ => SegmentKind::Utf32,
        }
    }

    /// Whether integers are signed.
    pub const fn is_signed(self) -> bool {
        self.0 >> 24 & 1 != 0
    }

    /// Whether the least significant byte comes first.
    pub const fn is_little(self) -> bool {
        self.0 >> 25 & 1 != 0
    }
}

/// In the shape of an integer of fixed size: its bits, 1 to [`CONSTANT_BITS`].
pub const SHAPE_BITS: u16 = 0x3f;
/// In such a shape: the integer is signed.
pub const SHAPE_SIGNED: u16 = 0x40;
/// In such a shape: the least significant byte comes first.
pub const SHAPE_LITTLE: u16 = 0x80;

/// The shape of an integer segment of fixed size, if it is not empty and whatever it holds is a small integer.
pub(super) fn fixed_shape(size: Src, segment: Segment) -> Option<u16> {
    let Src::Int(units) = size else { return None };
    let bits = u64::try_from(units).ok()?.checked_mul(segment.unit())?;
    let little = segment.is_little() && bits > 8;
    if !(1..=CONSTANT_BITS).contains(&bits) || little && !bits.is_multiple_of(8) {
        return None;
    }
    let signed = if segment.is_signed() { SHAPE_SIGNED } else { 0 };
    Some(bits as u16 | signed | if little { SHAPE_LITTLE } else { 0 })
}

/// Set in a piece's shape if its least significant byte comes first; the low byte is its number of bits, 1 to 64.
pub const PIECE_LITTLE: u64 = 1 << 8;

/// Bits of a constant piece: small integers whatever they are.
const CONSTANT_BITS: u64 = 56;

/// A number of fixed size in what is built.
#[derive(Clone, Copy)]
enum Piece {
    /// So many bits, at most [`CONSTANT_BITS`].
    Constant(u64, u64),
    Value(Src, u64),
}

/// The pieces of the segments and their bits in all, if all are numbers or constants of fixed size that fit a word together.
fn pieces(module: &Module, segments: &[BuildSegment]) -> Option<(Vec<Piece>, u64)> {
    let mut pieces = Vec::new();
    let mut total = 0;
    for segment in segments {
        let (piece, bits) = piece(module, segment)?;
        total += bits;
        if total > 64 {
            return None;
        }
        match (pieces.last_mut(), piece) {
            (Some(Piece::Constant(first, length)), Piece::Constant(second, more))
                if *length + more <= CONSTANT_BITS =>
            {
                *first = *first << more | second;
                *length += more;
            }
            _ => pieces.push(piece),
        }
    }
    (total > 0).then_some((pieces, total))
}

/// A literal bitstring of 1 to [`CONSTANT_BITS`] bits as a number, and its bits.
pub(super) fn constant(module: &Module, lit: LitIx) -> Option<(u64, u64)> {
    let Literal::Bits { bytes, bits } = &module.literals[lit.index()] else { return None };
    let number = bytes.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
    (1..=CONSTANT_BITS).contains(bits).then(|| (number >> (8 * bytes.len() as u64 - bits), *bits))
}

/// One segment as a piece, and its bits.
fn piece(module: &Module, segment: &BuildSegment) -> Option<(Piece, u64)> {
    match (segment.kind, segment.value, segment.size) {
        (SegmentKind::Binary, Src::Lit(lit), Size::All) => {
            let (number, bits) = constant(module, lit)?;
            bits.is_multiple_of(segment.unit.into()).then_some((Piece::Constant(number, bits), bits))
        }
        (SegmentKind::Integer, value, Size::Units(Src::Int(units))) => {
            let bits = u64::try_from(units).ok()?.checked_mul(segment.unit.into())?;
            let little = Segment::new(segment.kind, segment.unit, segment.flags).is_little() && bits > 8;
            if !(1..=64).contains(&bits) || little && !bits.is_multiple_of(8) {
                return None;
            }
            Some(match value {
                Src::X(_) | Src::Y(_) => {
                    (Piece::Value(value, if little { bits | PIECE_LITTLE } else { bits }), bits)
                }
                Src::Int(value) if !little && bits <= CONSTANT_BITS => {
                    (Piece::Constant(value as u64 & (u64::MAX >> (64 - bits)), bits), bits)
                }
                _ => return None,
            })
        }
        _ => None,
    }
}

impl Loader<'_> {
    pub(super) fn bits(&mut self, instr: &Instr) {
        match instr {
            Instr::BsCreate { fail, segments, dst, .. } => self.bs_create(*fail, segments, *dst),
            Instr::BsStart { fail, src, dst, .. } => {
                let src = self.field(*src, 0);
                let start = self.emit.abc(Op::BsStart, src, reg(*dst), 0);
                self.emit.offset(start, Some(*fail));
            }
            Instr::BsInteger { fail, context, size, unit, flags, dst, .. } => {
                let segment = Segment::new(SegmentKind::Integer, *unit, *flags);
                if let Some(shape) = fixed_shape(*size, segment) {
                    let op = if shape <= SHAPE_BITS { Op::BsIntegerFixed } else { Op::BsIntegerShaped };
                    let start = self.emit.abc(op, reg(*context), reg(*dst), shape);
                    self.emit.offset(start, Some(*fail));
                    return;
                }
                self.bs_take(Op::BsInteger, *fail, *context, Size::Units(*size), segment, reg(*dst));
            }
            Instr::BsFloat { fail, context, size, unit, flags, dst, .. } => {
                let segment = Segment::new(SegmentKind::Float, *unit, *flags);
                let wide = matches!(size, Src::Int(units) if units.checked_mul((*unit).into()) == Some(64));
                let start =
                    self.bs_take(Op::BsFloat, *fail, *context, Size::Units(*size), segment, reg(*dst));
                if wide && !segment.is_little() {
                    self.emit.code[start as usize] |= 64 << 48;
                }
            }
            Instr::BsBinary { fail, context, size, unit, dst, .. } => {
                let segment = Segment::new(SegmentKind::Binary, *unit, BitFlags::default());
                self.bs_take(Op::BsBinary, *fail, *context, *size, segment, reg(*dst));
            }
            Instr::BsSkip { fail, context, size, unit } => {
                let segment = Segment::new(SegmentKind::Binary, *unit, BitFlags::default());
                self.bs_take(Op::BsSkip, *fail, *context, *size, segment, 0);
            }
            Instr::BsUtf { fail, context, kind, flags, dst } => {
                let segment = Segment::new(*kind, 0, *flags);
                let bits = if *kind == SegmentKind::Utf8 { 8 } else { 0 };
                let start = self.emit.abc(Op::BsUtf, reg(*context), reg(*dst), bits);
                self.emit.offset(start, Some(*fail));
                self.emit.word(segment.0);
            }
            Instr::BsString { fail, context, bits } => {
                if let Some((number, length)) = constant(self.module, *bits) {
                    let start = self.emit.abc(Op::BsConstant, reg(*context), 0, length as u16);
                    self.emit.offset(start, Some(*fail));
                    self.emit.word(number);
                    return;
                }
                let start = self.emit.abc(Op::BsString, reg(*context), 0, 0);
                self.emit.offset(start, Some(*fail));
                let bits = self.literals.word(*bits);
                self.emit.word(bits.bits());
            }
            Instr::BsTail { fail, context, bits } => {
                let start = self.emit.abc(Op::BsTail, reg(*context), 0, 0);
                self.emit.offset(start, Some(*fail));
                self.emit.word(u64::from(*bits));
            }
            Instr::BsGetPosition { context, dst } => {
                self.emit.abc(Op::BsGetPosition, reg(*context), reg(*dst), 0);
            }
            Instr::BsSetPosition { context, position } => {
                self.emit.abc(Op::BsSetPosition, reg(*context), reg(*position), 0);
            }
            Instr::BsGetTail { context, dst, .. } => {
                self.emit.abc(Op::BsGetTail, reg(*context), reg(*dst), 0);
            }
            Instr::BsRest { fail, context, unit } => {
                let start = self.emit.abc(Op::BsRest, reg(*context), *unit, 0);
                self.emit.offset(start, Some(*fail));
            }
            Instr::BsWhole { src, dst, .. } => {
                self.emit.abc(Op::BsWhole, reg(*src), reg(*dst), 0);
            }
            Instr::BsBegin { src } => {
                self.emit.abc(Op::BsBegin, reg(*src), 0, 0);
            }
            _ => unreachable!("the caller passes only rows about bitstrings"),
        }
    }

    /// Words of a segment's size: that of the rest is an atom which no program writes, since a size that is any other atom is wrong.
    fn bs_size(&mut self, size: Size) -> u64 {
        match size {
            Size::Units(src) => self.source(src),
            Size::All => Word::atom(known::THE_REST).bits(),
        }
    }

    fn bs_take(&mut self, op: Op, fail: Label, context: Reg, size: Size, segment: Segment, dst: u16) -> u32 {
        let size = self.bs_size(size);
        let start = self.emit.abc(op, reg(context), dst, 0);
        self.emit.offset(start, Some(fail));
        self.emit.word(size);
        self.emit.word(segment.0);
        start
    }

    /// What stands in front of a `bs_create` whose segments are numbers of fixed size, behind a binary or alone; the offset of its
    /// first word, whose second is to be the offset of what follows the whole.
    fn bs_prefix(&mut self, segments: &[BuildSegment], dst: Reg) -> Option<u32> {
        let (head, rest) = match segments {
            [
                BuildSegment { kind: SegmentKind::Binary, value, size: Size::All, unit: 1 | 8, .. },
                rest @ ..,
            ] if matches!(value, Src::X(_) | Src::Y(_) | Src::Lit(_)) && !rest.is_empty() => {
                (Some(*value), rest)
            }
            all => (None, all),
        };
        let (pieces, bits) = pieces(self.module, rest)?;
        let op = if head.is_some() { Op::BsAppend } else { Op::BsNew };
        let start = self.emit.abc(op, reg(dst), pieces.len() as u16, bits as u16);
        self.emit.word(0);
        if let Some(head) = head {
            let head = self.source(head);
            self.emit.word(head);
        }
        for piece in pieces {
            let (value, shape) = match piece {
                Piece::Constant(number, bits) => (Word::small(number as i64).bits(), bits),
                Piece::Value(src, shape) => (self.source(src), shape),
            };
            self.emit.word(value);
            self.emit.word(shape);
        }
        Some(start)
    }

    /// What stands in front of that for one byte behind a binary, all in X registers.
    fn bs_byte_prefix(&mut self, segments: &[BuildSegment], dst: Reg) -> Option<u32> {
        let [
            BuildSegment {
                kind: SegmentKind::Binary, value: Src::X(head), size: Size::All, unit: 1 | 8, ..
            },
            BuildSegment {
                kind: SegmentKind::Integer,
                value: Src::X(value),
                size: Size::Units(Src::Int(units)),
                unit,
                ..
            },
        ] = segments
        else {
            return None;
        };
        let (Reg::X(dst), Some(8)) = (dst, units.checked_mul((*unit).into())) else { return None };
        let start = self.emit.abc(Op::BsAppendByte, dst, *value, *head);
        self.emit.word(0);
        Some(start)
    }

    fn bs_create(&mut self, fail: Option<Label>, segments: &[BuildSegment], dst: Reg) {
        // What follows the whole makes a chain with the first of the prefixes.
        let byte_prefix = self.bs_byte_prefix(segments, dst);
        if byte_prefix.is_some() {
            self.emit.begin_parts();
        }
        let prefix = self.bs_prefix(segments, dst);
        if prefix.is_some() {
            self.emit.begin_parts();
        }
        let words: Vec<[u64; SEGMENT_WORDS]> = segments
            .iter()
            .map(|segment| {
                let description =
                    Segment::new(segment.kind, segment.unit, segment.flags).behind(segment.before);
                [description.0, self.source(segment.value), self.bs_size(segment.size)]
            })
            .collect();
        let start = self.emit.abc(Op::BsCreate, reg(dst), words.len() as u16, 0);
        self.emit.offset(start, fail);
        for word in words.into_iter().flatten() {
            self.emit.word(word);
        }
        self.emit.end_parts();
        for prefix in [byte_prefix, prefix].into_iter().flatten() {
            self.emit.code[prefix as usize + 1] = u64::from(self.emit.here() - prefix);
        }
    }
}

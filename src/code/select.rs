//! Translation of moves, tests, selections, list cells and operators: the rows with variants by kind of operand.

use erlet_lang::bytecode::{Instr, Label, Reg, Src};

use super::BifId;
use super::load::{Loader, reg};
use super::op::{Op, Y_BIT};
use crate::atom::{Atom, known};
use crate::term::{Subtag, Word};

/// Integers up to this are doubles without loss.
const EXACT_INTEGERS: u64 = 1 << 53;

/// Up to so many cases are searched one after the other: halving mispredicts more than it saves below that.
const LINEAR_CASES: usize = 6;

impl Loader<'_> {
    pub(super) fn mov(&mut self, src: Src, dst: Reg) {
        match (src, dst) {
            (Src::X(a), Reg::X(b)) => self.emit.abc(Op::MoveXX, a, b, 0),
            (Src::X(a), Reg::Y(b)) => self.emit.abc(Op::MoveXY, a, b, 0),
            (Src::Y(a), Reg::X(b)) => self.emit.abc(Op::MoveYX, a, b, 0),
            (Src::Y(a), Reg::Y(b)) => self.emit.abc(Op::Move, a | Y_BIT, b | Y_BIT, 0),
            (constant, _) => {
                let constant = self.constant(constant).expect("registers are handled above");
                let start = self.emit.abc(Op::MoveConst, reg(dst), 0, 0);
                self.emit.word(constant.bits());
                start
            }
        };
    }

    pub(super) fn put_list(&mut self, head: Src, tail: Src, dst: Reg) {
        let head = self.field(head, 0);
        match self.constant(tail) {
            Some(tail) => {
                self.emit.abc(Op::PutListConst, head, reg(dst), 0);
                self.emit.word(tail.bits());
            }
            None => {
                let tail = self.field(tail, 1);
                self.emit.abc(Op::PutList, head, tail, reg(dst));
            }
        }
    }

    // ---- tests ----

    pub(super) fn test(&mut self, test: &Instr) {
        match *test {
            Instr::IsInteger { fail, src } => self.type_test(Op::IsInteger, fail, src),
            Instr::IsFloat { fail, src } => self.type_test(Op::IsFloat, fail, src),
            Instr::IsNumber { fail, src } => self.type_test(Op::IsNumber, fail, src),
            Instr::IsAtom { fail, src } => self.type_test(Op::IsAtom, fail, src),
            Instr::IsBoolean { fail, src } => self.type_test(Op::IsBoolean, fail, src),
            Instr::IsPid { fail, src } => self.type_test(Op::IsPid, fail, src),
            Instr::IsPort { fail, src } => self.type_test(Op::IsPort, fail, src),
            Instr::IsReference { fail, src } => self.type_test(Op::IsReference, fail, src),
            Instr::IsBinary { fail, src } => self.type_test(Op::IsBinary, fail, src),
            Instr::IsBitstring { fail, src } => self.type_test(Op::IsBitstring, fail, src),
            Instr::IsList { fail, src } => self.type_test(Op::IsList, fail, src),
            Instr::IsCons { fail, src } => self.type_test(Op::IsCons, fail, src),
            Instr::IsNil { fail, src } => self.type_test(Op::IsNil, fail, src),
            Instr::IsTuple { fail, src } => self.type_test(Op::IsTuple, fail, src),
            Instr::IsMap { fail, src } => self.type_test(Op::IsMap, fail, src),
            Instr::IsFun { fail, src } => self.type_test(Op::IsFun, fail, src),
            Instr::IsTupleOf { fail, src, arity } => {
                self.type_test(Op::IsTupleOf, fail, src);
                self.emit.word(tuple_header(arity));
            }
            Instr::IsTagged { fail, src, arity, tag } => {
                self.type_test(Op::IsTagged, fail, src);
                self.emit.word(tuple_header(arity));
                self.emit.word(Word::atom(self.names[tag.index()]).bits());
            }
            Instr::IsFunOf { fail, src, arity } => self.compare(Op::IsFunOf, fail, src, arity),
            Instr::IsLt { fail, a, b } => {
                self.order_test([Op::IsLt, Op::IsLtSmall, Op::IsGtSmall], fail, a, b)
            }
            Instr::IsGe { fail, a, b } => {
                self.order_test([Op::IsGe, Op::IsGeSmall, Op::IsLeSmall], fail, a, b)
            }
            Instr::IsEq { fail, a, b } => self.equality_test(Op::IsEq, Op::IsExactEqImmediate, fail, a, b),
            Instr::IsNe { fail, a, b } => self.equality_test(Op::IsNe, Op::IsExactNeImmediate, fail, a, b),
            Instr::IsExactEq { fail, a, b } => {
                self.equality_test(Op::IsExactEq, Op::IsExactEqImmediate, fail, a, b)
            }
            Instr::IsExactNe { fail, a, b } => {
                self.equality_test(Op::IsExactNe, Op::IsExactNeImmediate, fail, a, b)
            }
            _ => unreachable!("the caller translates all other instructions"),
        }
    }

    fn type_test(&mut self, op: Op, fail: Label, src: Src) {
        let src = self.field(src, 0);
        self.emit.jump(op, src, fail);
    }

    fn compare(&mut self, op: Op, fail: Label, a: Src, b: Src) {
        let op = match (op, a, b) {
            (Op::IsLt, Src::X(_), Src::X(_)) => Op::IsLtXX,
            (Op::IsGe, Src::X(_), Src::X(_)) => Op::IsGeXX,
            _ => op,
        };
        let (a, b) = (self.field(a, 0), self.field(b, 1));
        let start = self.emit.abc(op, a, b, 0);
        self.emit.offset(start, Some(fail));
    }

    /// `ops`: for registers, for a small or float constant on the right, for one on the left.
    fn order_test(&mut self, ops: [Op; 3], fail: Label, a: Src, b: Src) {
        let usable =
            |constant: Option<Word>| constant.filter(|word| word.is_small() || word.is_nonzero_float());
        match (usable(self.constant(a)), usable(self.constant(b))) {
            (None, Some(constant)) => self.constant_test(ops[1], fail, a, constant),
            (Some(constant), None) => self.constant_test(ops[2], fail, b, constant),
            _ => self.compare(ops[0], fail, a, b),
        }
    }

    fn equality_test(&mut self, op: Op, immediate: Op, fail: Label, a: Src, b: Src) {
        let exact = matches!(op, Op::IsExactEq | Op::IsExactNe);
        // `==` of an atom or nil is `=:=`; that of a number is not.
        let usable = |constant: Option<Word>| {
            constant.filter(|word| word.is_immediate() && (exact || word.is_atom() || word.is_nil()))
        };
        match (usable(self.constant(a)), usable(self.constant(b))) {
            (None, Some(constant)) => self.constant_test(immediate, fail, a, constant),
            (Some(constant), None) => self.constant_test(immediate, fail, b, constant),
            _ => self.compare(op, fail, a, b),
        }
    }

    fn constant_test(&mut self, op: Op, fail: Label, src: Src, constant: Word) {
        self.type_test(op, fail, src);
        self.emit.word(constant.bits());
    }

    // ---- selections ----

    pub(super) fn select_val(&mut self, src: Src, fail: Label, cases: &[(Src, Label)]) {
        let src = self.field(src, 0);
        let mut immediates = Vec::with_capacity(cases.len());
        for &(value, label) in cases {
            let constant = self.constant(value).expect("cases are constants");
            if constant.is_immediate() {
                immediates.push((constant, label));
                continue;
            }
            // Integers beyond the small range are no immediates here: they are compared one by one before the rest.
            let constant = self.field(value, 1);
            let start = self.emit.abc(Op::IsExactNe, src, constant, 0);
            self.emit.offset(start, Some(label));
        }
        match &immediates[..] {
            [] => {
                self.emit.jump(Op::Jump, 0, fail);
            }
            _ => self.select_immediate(src, fail, immediates),
        }
    }

    fn select_immediate(&mut self, src: u16, fail: Label, mut cases: Vec<(Word, Label)>) {
        if let Some(first) = dense_from(&cases) {
            return self.select_table(src, fail, first, &cases);
        }
        if let [(first, one), (second, two)] = cases[..] {
            let start = self.emit.abc(Op::Select2, src, 0, 0);
            self.emit.offset(start, Some(fail));
            self.emit.word(first.bits());
            self.emit.offset(start, Some(one));
            self.emit.word(second.bits());
            self.emit.offset(start, Some(two));
            return;
        }
        let op = if cases.len() == 3 {
            Op::Select3
        } else if cases.len() <= LINEAR_CASES {
            Op::SelectLinear
        } else {
            cases.sort_by_key(|(word, _)| word.bits());
            Op::SelectBinary
        };
        let pairs = cases.into_iter().map(|(word, label)| (word.bits(), label));
        self.pairs(op, src, fail, pairs);
    }

    fn select_table(&mut self, src: u16, fail: Label, first: i64, cases: &[(Word, Label)]) {
        let last = cases.iter().map(|(word, _)| word.small_value()).max().unwrap_or(first);
        let size = (last - first + 1) as usize;
        let mut targets = vec![fail; size];
        for &(word, label) in cases {
            targets[(word.small_value() - first) as usize] = label;
        }
        let start = self.emit.abc(Op::SelectTable, src, size as u16, 0);
        self.emit.offset(start, Some(fail));
        self.emit.word(Word::small(first).bits());
        for target in targets {
            self.emit.offset(start, Some(target));
        }
    }

    pub(super) fn select_arity(&mut self, src: Src, fail: Label, cases: &[(u32, Label)]) {
        let src = self.field(src, 0);
        self.pairs(
            if cases.len() == 2 { Op::SelectArity2 } else { Op::SelectArity },
            src,
            fail,
            cases.iter().map(|&(arity, label)| (tuple_header(arity), label)),
        );
    }

    fn pairs(&mut self, op: Op, src: u16, fail: Label, pairs: impl ExactSizeIterator<Item = (u64, Label)>) {
        let start = self.emit.abc(op, src, pairs.len() as u16, 0);
        self.emit.offset(start, Some(fail));
        for (word, label) in pairs {
            self.emit.word(word);
            self.emit.offset(start, Some(label));
        }
    }

    // ---- operators ----

    /// Emits the instruction of its own that a guard BIF or operator has; whether it has one.
    pub(super) fn operator(&mut self, name: Atom, fail: Option<Label>, args: &[Src], dst: Reg) -> bool {
        match *args {
            [a] => self.unary_operator(name, fail, a, dst),
            [a, b] => self.binary_operator(name, fail, a, b, dst),
            _ => false,
        }
    }

    fn unary_operator(&mut self, name: Atom, fail: Option<Label>, a: Src, dst: Reg) -> bool {
        let op = match name {
            known::HD => Op::BifHd,
            known::TL => Op::BifTl,
            known::TUPLE_SIZE => Op::BifTupleSize,
            known::BYTE_SIZE => Op::BifByteSize,
            known::MINUS => Op::Negate,
            known::ABS => Op::BifAbs,
            known::FLOAT => Op::BifFloat,
            known::TRUNC => Op::BifTrunc,
            known::ROUND => Op::BifRound,
            _ => return false,
        };
        let a = self.field(a, 0);
        let start = self.emit.abc(op, a, reg(dst), 0);
        self.emit.offset(start, fail);
        true
    }

    /// Emits the instruction for a function of `math`, native `id`, if it has one argument; whether it has.
    pub(super) fn math(&mut self, name: Atom, id: BifId, args: &[Src], dst: Reg) -> bool {
        let &[a] = args else { return false };
        let a = self.field(a, 0);
        let start = if name == known::SQRT {
            self.emit.abc(Op::MathSqrt, a, reg(dst), 0)
        } else {
            self.emit.abc(Op::Math, a, reg(dst), id.0)
        };
        self.emit.offset(start, None);
        true
    }

    fn binary_operator(&mut self, name: Atom, fail: Option<Label>, a: Src, b: Src, dst: Reg) -> bool {
        if let Some(&(_, op, swapped)) = COMPARISONS.iter().find(|row| row.0 == name) {
            let (a, b) = if swapped { (b, a) } else { (a, b) };
            let (a, b) = (self.field(a, 0), self.field(b, 1));
            let start = self.emit.abc(op, a, b, reg(dst));
            self.emit.offset(start, fail);
            return true;
        }
        if name == known::MAP_GET {
            let map = self.field(b, 0);
            let start = self.emit.abc(Op::BifMapGet, map, reg(dst), 0);
            self.emit.offset(start, fail);
            let key = self.source(a);
            self.emit.word(key);
            return true;
        }
        let Some(&(_, op, with_constant)) = OPERATORS.iter().find(|row| row.0 == name) else { return false };
        if op == Op::Slash && self.quotient(fail, a, b, dst) {
            return true;
        }
        let with_constant = with_constant.map(|row| (op, row));
        let done = match (self.constant(a), self.constant(b)) {
            (None, Some(constant)) => self.constant_operator(with_constant, fail, a, (constant, false), dst),
            (Some(constant), None) if COMMUTATIVE.contains(&op) => {
                self.constant_operator(with_constant, fail, b, (constant, true), dst)
            }
            _ => false,
        };
        if done {
            return true;
        }
        let (a, b, dst) = (self.field(a, 0), self.field(b, 1), reg(dst));
        let op = match (op, a & Y_BIT != 0, (b | dst) & Y_BIT != 0) {
            (Op::Add, false, false) => Op::AddXXX,
            (Op::Add, true, false) => Op::AddYXX,
            (Op::Sub, false, false) => Op::SubXXX,
            (Op::Mul, false, false) => Op::MulXXX,
            (Op::Slash, false, false) => Op::SlashXXX,
            _ => op,
        };
        let a = if op == Op::AddYXX { a & !Y_BIT } else { a };
        let start = self.emit.abc(op, a, b, dst);
        self.emit.offset(start, fail);
        true
    }

    /// Emits the instruction for a division of X registers by or of a number that is written out; whether it is one.
    fn quotient(&mut self, fail: Option<Label>, a: Src, b: Src, dst: Reg) -> bool {
        let (op, register, number) = match (a, b, self.constant(a), self.constant(b)) {
            (Src::X(register), _, None, Some(number)) => (Op::SlashNumber, register, number),
            (_, Src::X(register), Some(number), None) => (Op::NumberSlash, register, number),
            _ => return false,
        };
        let value = match number.is_small() {
            true if number.small_value().unsigned_abs() <= EXACT_INTEGERS => number.small_value() as f64,
            false if number.is_nonzero_float() => number.nonzero_float_value(),
            _ => return false,
        };
        let Reg::X(dst) = dst else { return false };
        let start = self.emit.abc(op, register, 0, dst);
        self.emit.offset(start, fail);
        self.emit.word(value.to_bits());
        self.emit.word(number.bits());
        true
    }

    /// Emits the instruction for a register and a constant, which is the left operand if so said; whether there is one.
    /// `ops`: that for registers and that with a constant.
    fn constant_operator(
        &mut self,
        ops: Option<(Op, Op)>,
        fail: Option<Label>,
        register: Src,
        (constant, left): (Word, bool),
        dst: Reg,
    ) -> bool {
        let Some((op, with_constant)) = ops else { return false };
        let small = if constant.is_small() { i16::try_from(constant.small_value()).ok() } else { None };
        let small_op = match (op, register, dst) {
            (Op::Add, Src::X(_), Reg::X(_)) if !left => Some(Op::AddSmallXX),
            (Op::Add, ..) => Some(if left { Op::AddSmallLeft } else { Op::AddSmall }),
            (Op::Sub, Src::X(_), Reg::X(_)) => Some(Op::SubSmallXX),
            (Op::Sub, Src::Y(_), Reg::X(_)) => Some(Op::SubSmallYX),
            (Op::Sub, ..) => Some(Op::SubSmall),
            _ => None,
        };
        if let (Some(op), Some(value)) = (small_op, small) {
            let register = match (op, register) {
                (Op::SubSmallYX, Src::Y(n)) => n,
                _ => self.field(register, 0),
            };
            let start = self.emit.abc(op, register, value as u16, reg(dst));
            self.emit.offset(start, fail);
            return true;
        }
        let float_op = match op {
            Op::Add => Some(Op::AddFloat),
            Op::Sub => Some(Op::SubFloat),
            Op::Mul => Some(Op::MulFloat),
            _ => None,
        };
        if let (Some(op), Src::X(register), Reg::X(dst)) = (float_op, register, dst)
            && constant.is_nonzero_float()
        {
            let start = self.emit.abc(op, register, u16::from(left), dst);
            self.emit.offset(start, fail);
            self.emit.word(constant.nonzero_float_value().to_bits());
            return true;
        }
        let register = self.field(register, 0);
        let start = self.emit.abc(with_constant, register, u16::from(left), reg(dst));
        self.emit.offset(start, fail);
        self.emit.word(constant.bits());
        true
    }
}

/// Operators of two operands: the instruction for registers, and that with a constant.
const OPERATORS: &[(Atom, Op, Option<Op>)] = &[
    (known::BAND, Op::Band, Some(Op::BandConst)),
    (known::BOR, Op::Bor, Some(Op::BorConst)),
    (known::BSL, Op::Bsl, Some(Op::BslConst)),
    (known::BSR, Op::Bsr, Some(Op::BsrConst)),
    (known::BXOR, Op::Bxor, Some(Op::BxorConst)),
    (known::DIV, Op::Div, Some(Op::DivConst)),
    (known::ELEMENT, Op::BifElement, None),
    (known::MINUS, Op::Sub, Some(Op::SubConst)),
    (known::PLUS, Op::Add, Some(Op::AddConst)),
    (known::REM, Op::Rem, Some(Op::RemConst)),
    (known::SLASH, Op::Slash, Some(Op::SlashConst)),
    (known::TIMES, Op::Mul, Some(Op::MulConst)),
];

/// Comparisons: the instruction that makes a boolean of them, and whether it takes the operands the other way round.
const COMPARISONS: &[(Atom, Op, bool)] = &[
    (known::EQ, Op::ValueEq, false),
    (known::EQ_EXACT, Op::ValueExactEq, false),
    (known::GE, Op::ValueGe, false),
    (known::GT, Op::ValueLt, true),
    (known::LE, Op::ValueGe, true),
    (known::LT, Op::ValueLt, false),
    (known::NE, Op::ValueNe, false),
    (known::NE_EXACT, Op::ValueExactNe, false),
];

/// Those whose instruction with a constant serves for a constant on the left too.
const COMMUTATIVE: &[Op] = &[Op::Add, Op::Band, Op::Bor, Op::Bxor, Op::Mul];

/// The header word of a tuple of that arity.
fn tuple_header(arity: u32) -> u64 {
    Word::header(Subtag::Tuple, arity as usize).bits()
}

/// The least of the cases if they are small integers that fill at least half of a table.
fn dense_from(cases: &[(Word, Label)]) -> Option<i64> {
    if cases.len() < 4 || !cases.iter().all(|(word, _)| word.is_small()) {
        return None;
    }
    let values = cases.iter().map(|(word, _)| word.small_value());
    let (least, greatest) = (values.clone().min()?, values.max()?);
    let span = greatest.checked_sub(least)?;
    (span < 2 * cases.len() as i64 && span < u16::MAX as i64).then_some(least)
}

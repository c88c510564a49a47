//! Writing internal instructions: words, jump offsets to be filled in, line table.

use erlet_lang::bytecode::Label;

use super::op::Op;

/// The code of a module under construction.
#[derive(Default)]
pub(super) struct Emitter {
    pub code: Vec<u64>,
    /// Offsets of the labels of the function under construction; `u32::MAX` until placed.
    labels: Vec<u32>,
    fixups: Vec<Fixup>,
    pub line_starts: Vec<(u32, u32)>,
    line: u32,
    /// Instructions that go on where the next one will stand: what a chain can begin with.
    before: Vec<u32>,
    /// Whether what is emitted are the parts of a super-instruction, which are not chained.
    in_parts: bool,
}

/// A jump offset to be filled in once the label is placed.
struct Fixup {
    /// First word of the instruction: what the offset counts from.
    start: u32,
    /// Word that holds the offset.
    at: u32,
    /// Whether it is the upper half of that word.
    high: bool,
    label: u32,
}

const UNPLACED: u32 = u32::MAX;

impl Emitter {
    /// Offset of the next word.
    pub fn here(&self) -> u32 {
        self.code.len() as u32
    }

    /// Begins a function with so many labels.
    pub fn begin(&mut self, labels: u32) {
        self.labels.clear();
        self.labels.resize(labels as usize, UNPLACED);
        self.before.clear();
        self.line = 0;
        self.mark_line();
    }

    /// Ends the function: all its jumps are filled in.
    pub fn end(&mut self) {
        for fixup in std::mem::take(&mut self.fixups) {
            let target = self.labels[fixup.label as usize];
            debug_assert_ne!(target, UNPLACED, "the verifier saw every label placed");
            let offset = target as i32 - fixup.start as i32;
            let word = &mut self.code[fixup.at as usize];
            *word = if fixup.high { *word | (offset as u32 as u64) << 32 } else { offset as i64 as u64 };
            let first = &mut self.code[fixup.start as usize];
            if let Some(near) = Op::from_number(*first as u16).and_then(|op| op.near(offset)) {
                *first = *first & !0xffff | near.word();
            }
        }
    }

    /// Places a label here.
    pub fn place(&mut self, label: Label) {
        self.labels[label.index()] = self.here();
    }

    /// What follows stands at row `line` of the module's lines.
    pub fn set_line(&mut self, line: u32) {
        if self.line != line + 1 {
            self.line = line + 1;
            self.mark_line();
        }
    }

    fn mark_line(&mut self) {
        let here = self.here();
        match self.line_starts.last_mut() {
            Some(last) if last.0 == here => last.1 = self.line,
            _ => self.line_starts.push((here, self.line)),
        }
    }

    /// An instruction with fields `a`, `b`, `c`; the offset of its first word.
    pub fn abc(&mut self, op: Op, a: u16, b: u16, c: u16) -> u32 {
        let start = self.instruction(op);
        self.code.push(op.word() | (a as u64) << 16 | (b as u64) << 32 | (c as u64) << 48);
        start
    }

    /// An instruction with fields `a` and `h`.
    pub fn ah(&mut self, op: Op, a: u16, h: u32) -> u32 {
        let start = self.instruction(op);
        self.code.push(op.word() | (a as u64) << 16 | (h as u64) << 32);
        start
    }

    /// Begins an instruction: those in front of it that make a chain with it get the number of the chain.
    fn instruction(&mut self, op: Op) -> u32 {
        let start = self.here();
        if self.in_parts {
            return start;
        }
        let code = &mut self.code;
        self.before.retain(|&before| {
            let first = &mut code[before as usize];
            let chained = Op::from_number(*first as u16).and_then(|first| first.chained(op));
            if let Some(chained) = chained {
                *first = *first & !0xffff | chained.word();
            }
            chained.is_some()
        });
        self.before.push(start);
        start
    }

    /// What follows are the parts of the super-instruction emitted just now.
    pub fn begin_parts(&mut self) {
        self.in_parts = true;
    }

    /// The parts are all there: what follows is where the super-instruction goes on.
    pub fn end_parts(&mut self) {
        self.in_parts = false;
    }

    /// An instruction with field `a` and a jump in `h`.
    pub fn jump(&mut self, op: Op, a: u16, label: Label) -> u32 {
        let start = self.ah(op, a, 0);
        self.fixups.push(Fixup { start, at: start, high: true, label: label.0 });
        start
    }

    /// One more word of the instruction.
    pub fn word(&mut self, word: u64) {
        self.code.push(word);
    }

    /// One more word: a jump offset of the instruction that began at `start`; 0 for none.
    pub fn offset(&mut self, start: u32, label: Option<Label>) {
        if let Some(label) = label {
            self.fixups.push(Fixup { start, at: self.here(), high: false, label: label.0 });
        }
        self.code.push(0);
    }
}

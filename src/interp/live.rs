//! The live state of the running process, and the instructions that touch nothing else.
//!
//! [`Live`] is a local of the loop; all its methods are inlined into it and none lends it out, so its fields stay in
//! machine registers. What needs more than it (the collector, natives, exceptions) is out of line in the files beside
//! this one and works on the process, into which the loop writes the live state first ("one home").
//!
//! Safety. All methods rest on the same three facts, and the SAFETY comments name them:
//! - **I1**: `pc` is a code position (C1), so the words of the instruction are there and its operands were verified:
//!   register numbers are below the file's end, slots inside the frame, constants whole terms.
//! - **I2**: `hp..sp` is the free part of the process's young block (H6), at least the red zone; an instruction that
//!   builds writes no more than the reserve before it (verified), whole objects, before a register names them.
//! - **I3**: registers and slots that are read hold terms (verified); a pointer in one is good until the next collection,
//!   which only happens out of line.

use crate::code::op::{REGISTER_TAG, Y_BIT};
use crate::heap::RED_ZONE;
use crate::term::{Subtag, Word};

/// Slots of a new frame that are written at a time, whether it has them or not: most frames are no larger.
const QUICK_SLOTS: usize = RED_ZONE;

/// The state of the running process that the loop keeps in registers.
#[derive(Clone, Copy)]
pub(super) struct Live {
    /// The instruction that runs.
    pub pc: *const u64,
    /// Top of the stack: slot `y0`, or a return word if there is no frame.
    pub sp: *mut Word,
    /// Next free word of the heap.
    pub hp: *mut Word,
    /// Reductions left before the slice ends.
    pub reductions: i32,
    /// The X registers.
    pub x: *mut Word,
}

/// Field `a` of an instruction's first word.
#[inline(always)]
pub(super) const fn a(word: u64) -> u16 {
    (word >> 16) as u16
}

/// Field `b`.
#[inline(always)]
pub(super) const fn b(word: u64) -> u16 {
    (word >> 32) as u16
}

/// Field `c`.
#[inline(always)]
pub(super) const fn c(word: u64) -> u16 {
    (word >> 48) as u16
}

/// Field `h`: the signed upper half.
#[inline(always)]
pub(super) const fn h(word: u64) -> isize {
    (word as i64 >> 32) as isize
}

impl Live {
    /// Word `index` of the instruction.
    #[inline(always)]
    pub fn operand(&self, index: usize) -> u64 {
        // SAFETY: I1.
        unsafe { *self.pc.add(index) }
    }

    /// 16-bit field `field` of word `index` of the instruction; field 0 of word 0 is its number. A load of its own: the
    /// field comes out of the cache as it is, where taking it out of a whole word costs a shift and a mask.
    #[inline(always)]
    pub fn field(&self, index: usize, field: usize) -> u16 {
        let place = if cfg!(target_endian = "little") { field } else { 3 - field };
        // SAFETY: I1.
        unsafe { *self.pc.cast::<u16>().add(4 * index + place) }
    }

    /// Field `a` of the instruction's first word.
    #[inline(always)]
    pub fn a(&self) -> u16 {
        self.field(0, 1)
    }

    /// Field `b`.
    #[inline(always)]
    pub fn b(&self) -> u16 {
        self.field(0, 2)
    }

    /// Field `c`.
    #[inline(always)]
    pub fn c(&self) -> u16 {
        self.field(0, 3)
    }

    /// Field `h`: the signed upper half.
    #[inline(always)]
    pub fn h(&self) -> isize {
        self.h_at(0)
    }

    /// Field `h` of word `index`.
    #[inline(always)]
    pub fn h_at(&self, index: usize) -> isize {
        let place = if cfg!(target_endian = "little") { 1 } else { 0 };
        // SAFETY: I1.
        unsafe { *self.pc.cast::<i32>().add(2 * index + place) as isize }
    }

    /// Unsigned half `half` of word `index`, 0 for the lower one.
    #[inline(always)]
    pub fn half(&self, index: usize, half: usize) -> usize {
        let place = if cfg!(target_endian = "little") { half } else { 1 - half };
        // SAFETY: I1.
        unsafe { *self.pc.cast::<u32>().add(2 * index + place) as usize }
    }

    /// Goes on `words` further (or back).
    #[inline(always)]
    pub fn go(&mut self, words: isize) {
        self.pc = self.pc.wrapping_offset(words);
    }

    /// The place of a register field.
    #[inline(always)]
    pub fn place(&self, field: u16) -> *mut Word {
        // Compiles to a conditional move: which kind it is predicts badly across the code of a program.
        let base = if field & Y_BIT == 0 { self.x } else { self.sp };
        base.wrapping_add((field & !Y_BIT) as usize)
    }

    /// The value of a register field.
    #[inline(always)]
    pub fn get(&self, field: u16) -> Word {
        // SAFETY: I1, I3.
        unsafe { *self.place(field) }
    }

    /// Writes a register field.
    #[inline(always)]
    pub fn set(&mut self, field: u16, value: Word) {
        // SAFETY: I1.
        unsafe { *self.place(field) = value }
    }

    /// The value of X register `n`.
    #[inline(always)]
    pub fn x(&self, n: u16) -> Word {
        // SAFETY: I1, I3.
        unsafe { *self.x.add(n as usize) }
    }

    /// Writes X register `n`.
    #[inline(always)]
    pub fn set_x(&mut self, n: u16, value: Word) {
        // SAFETY: I1.
        unsafe { *self.x.add(n as usize) = value }
    }

    /// The value of Y register `n`.
    #[inline(always)]
    pub fn y(&self, n: u16) -> Word {
        // SAFETY: I1, I3.
        unsafe { *self.sp.add(n as usize) }
    }

    /// Writes Y register `n`.
    #[inline(always)]
    pub fn set_y(&mut self, n: u16, value: Word) {
        // SAFETY: I1.
        unsafe { *self.sp.add(n as usize) = value }
    }

    /// The value of a source word.
    #[inline(always)]
    pub fn source(&self, word: u64) -> Word {
        if word & REGISTER_TAG == REGISTER_TAG { self.get((word >> 3) as u16) } else { Word::from_bits(word) }
    }

    // ---- stack ----

    /// Pushes the return word for `words` further on. The red zone has room for it: a frame is checked for, and between
    /// two checks at most one return word is pushed.
    #[inline(always)]
    pub fn push_return(&mut self, words: usize) {
        let back = self.pc.wrapping_add(words);
        self.sp = self.sp.wrapping_sub(1);
        // SAFETY: I2: the red zone.
        unsafe { *self.sp = Word::continuation(back.expose_provenance() as u64) };
    }

    /// Pops the return word and goes there.
    #[inline(always)]
    pub fn pop_return(&mut self) {
        // SAFETY: I3: without a frame, the top of the stack is a return word (verified).
        let back = unsafe { *self.sp };
        self.sp = self.sp.wrapping_add(1);
        self.pc = std::ptr::with_exposed_provenance(back.continuation_address() as usize);
    }

    /// Whether `words` are free, the red zone kept.
    #[inline(always)]
    pub fn has_room(&self, words: usize) -> bool {
        (self.sp as usize).wrapping_sub(self.hp as usize) >= (words + RED_ZONE) * size_of::<Word>()
    }

    /// Makes a frame of `slots` nil slots; there is room.
    #[inline(always)]
    pub fn make_frame(&mut self, slots: usize) {
        let frame = self.sp.wrapping_sub(slots);
        let mut top = self.sp;
        loop {
            // SAFETY: I2: slots of the frame or words below it, of which the red zone has as many as are written at once.
            unsafe { *top.sub(QUICK_SLOTS).cast::<[Word; QUICK_SLOTS]>() = [Word::NIL; QUICK_SLOTS] };
            top = top.wrapping_sub(QUICK_SLOTS);
            if top <= frame {
                break;
            }
        }
        self.sp = frame;
    }

    /// Drops `slots` slots.
    #[inline(always)]
    pub fn drop_slots(&mut self, slots: u16) {
        self.sp = self.sp.wrapping_add(slots as usize);
    }

    // ---- heap ----

    /// A list cell, from the reserve.
    #[inline(always)]
    pub fn cons(&mut self, head: Word, tail: Word) -> Word {
        let cell = self.hp;
        // SAFETY: I2.
        unsafe {
            *cell = head;
            *cell.add(1) = tail;
        }
        self.hp = self.hp.wrapping_add(2);
        Word::cons(cell)
    }

    /// Head and tail of a list cell.
    #[inline(always)]
    pub fn cell(list: Word) -> (Word, Word) {
        let cell = list.address();
        // SAFETY: I3; the callers know that it is a cell.
        unsafe { (*cell, *cell.add(1)) }
    }

    /// The header of a boxed term.
    #[inline(always)]
    pub fn header(boxed: Word) -> Word {
        // SAFETY: I3; the callers know that it is boxed.
        unsafe { *boxed.address() }
    }

    /// Word `index` behind the header of a boxed term.
    #[inline(always)]
    pub fn body(boxed: Word, index: usize) -> Word {
        // SAFETY: I3; the callers know that it is boxed and that large.
        unsafe { *boxed.address().add(1 + index) }
    }

    /// Whether `word` is boxed with a header of that kind.
    #[inline(always)]
    pub fn is_boxed_of(word: Word, subtag: Subtag) -> bool {
        word.is_boxed() && Live::header(word).is_header_of(subtag)
    }

    /// Whether `word` is an integer.
    #[inline(always)]
    pub fn is_integer(word: Word) -> bool {
        word.is_small() || word.is_boxed() && is_big(Live::header(word))
    }

    /// Whether `word` is a float.
    #[inline(always)]
    pub fn is_float(word: Word) -> bool {
        word.is_float() || Live::is_boxed_of(word, Subtag::Float)
    }

    /// An object of these words behind its header; there is room.
    #[inline(always)]
    pub fn object<const N: usize>(&mut self, header: Word, body: [Word; N]) -> Word {
        let object = self.hp;
        // SAFETY: I2: the caller saw that there is room.
        unsafe {
            *object = header;
            object.add(1).cast::<[Word; N]>().write(body);
        }
        self.hp = self.hp.wrapping_add(1 + N);
        Word::boxed(object)
    }

    /// The same for source words that are all X registers.
    #[inline(always)]
    pub fn build_x(&mut self, header: Word, first: usize, count: usize) -> Word {
        let object = self.hp;
        for index in 0..count {
            let element = self.x((self.operand(first + index) >> 3) as u16);
            // SAFETY: I2.
            unsafe { *object.add(1 + index) = element };
        }
        // SAFETY: I2.
        unsafe { *object = header };
        self.hp = self.hp.wrapping_add(1 + count);
        Word::boxed(object)
    }

    /// A tuple of the source words from operand `first` on, from the reserve.
    #[inline(always)]
    pub fn build(&mut self, header: Word, first: usize, count: usize) -> Word {
        let object = self.hp;
        for index in 0..count {
            let element = self.source(self.operand(first + index));
            // SAFETY: I2.
            unsafe { *object.add(1 + index) = element };
        }
        // SAFETY: I2.
        unsafe { *object = header };
        self.hp = self.hp.wrapping_add(1 + count);
        Word::boxed(object)
    }
}

/// Whether a header is that of a big integer.
#[inline(always)]
pub(super) fn is_big(header: Word) -> bool {
    header.is_header_of(Subtag::BigPositive) || header.is_header_of(Subtag::BigNegative)
}

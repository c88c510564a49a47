//! The machine: a process, its worker and its VM, as everything sees them that is not the loop itself.
//!
//! A method that the loop calls out to finds the live state written back ("one home") and gives the position to go on at,
//! or null if the slice has ended. It may move terms only where its documentation says that it collects.

use std::ptr::{NonNull, null};

use super::live::Live;
use crate::atom::known;
use crate::bif::{self, Cx, ErrorInfo, Stop, StopKind};
use crate::code::op::{REGISTER_TAG, Y_BIT};
use crate::code::{BifId, Mfa, Op, stub};
use crate::heap::collect::LONG_COLLECTION;
use crate::heap::work::{Mode, UNITS_PER_REDUCTION, reductions};
use crate::heap::{AllocError, Fragment, Kind};
use crate::process::{Class, Ended, ExitReason, Process, SliceEnd};
use crate::runtime::limits;
use crate::runtime::signals::{self, Handled};
use crate::runtime::{Report, Runtime, WorkerCx};
use crate::term::{Term, Word};

/// Where to go on; null: the slice has ended.
pub(super) type Next = *const u64;

/// A process on a worker.
pub(super) struct Machine<'a> {
    pub process: &'a mut Process,
    pub worker: &'a mut WorkerCx,
    pub rt: &'a Runtime,
    /// How the slice ended, once a method gave null.
    pub end: Option<SliceEnd>,
}

/// Who raises, for the stack trace.
#[derive(Clone, Copy)]
pub(super) struct Native<'t> {
    pub id: BifId,
    pub args: &'t [Word],
}

impl Machine<'_> {
    // ---- one home ----

    /// Writes the live state back.
    #[inline(always)]
    pub fn store(&mut self, live: Live) {
        self.process.heap.hp = live.hp;
        self.process.heap.sp = live.sp;
        self.process.pc = live.pc;
        self.process.reductions = live.reductions;
    }

    /// The live state, to go on at `pc`. If a collection is due, the next call is made to take its slow path.
    #[inline(always)]
    pub fn load(&mut self, pc: *const u64) -> Live {
        if self.process.heap.collect_due() {
            self.ask_for_collection();
        }
        Live {
            pc,
            sp: self.process.heap.sp,
            hp: self.process.heap.hp,
            reductions: self.process.reductions,
            x: self.worker.x.as_mut_ptr(),
        }
    }

    /// Makes the next call take its slow path, which collects. (Under stress every safepoint collects anyway, and a
    /// collection is always due.)
    #[cold]
    fn ask_for_collection(&mut self) {
        if self.process.reductions > 0 && !self.process.heap.stress() {
            self.process.reductions_saved = self.process.reductions;
            self.process.reductions = 0;
        }
    }

    /// Position of the instruction that called out.
    pub fn pc(&self) -> *const u64 {
        self.process.pc
    }

    /// Word `index` of the instruction that called out.
    pub fn operand(&self, index: usize) -> u64 {
        // SAFETY: I1.
        unsafe { *self.process.pc.add(index) }
    }

    /// Position `words` behind the instruction's first word.
    pub fn after(&self, words: usize) -> Next {
        self.process.pc.wrapping_add(words)
    }

    /// Where the jump offset in word `index` leads; `None` if it says to raise.
    pub fn target(&self, index: usize) -> Option<Next> {
        match self.operand(index) as i64 {
            0 => None,
            offset => Some(self.process.pc.wrapping_offset(offset as isize)),
        }
    }

    // ---- registers ----

    /// X register `n`.
    pub fn x(&self, n: usize) -> Word {
        self.worker.x[n]
    }

    /// Writes X register `n`.
    pub fn set_x(&mut self, n: usize, value: Word) {
        self.worker.x[n] = value;
    }

    /// The value of a register field.
    pub fn get(&self, field: u16) -> Word {
        if field & Y_BIT == 0 {
            return self.worker.x[field as usize];
        }
        // SAFETY: I1, I3.
        unsafe { *self.process.heap.sp.add((field & !Y_BIT) as usize) }
    }

    /// Writes a register field.
    pub fn set(&mut self, field: u16, value: Word) {
        if field & Y_BIT == 0 {
            self.worker.x[field as usize] = value;
            return;
        }
        // SAFETY: I1.
        unsafe { *self.process.heap.sp.add((field & !Y_BIT) as usize) = value }
    }

    /// The value of a source word.
    pub fn source(&self, word: u64) -> Word {
        if word & REGISTER_TAG == REGISTER_TAG { self.get((word >> 3) as u16) } else { Word::from_bits(word) }
    }

    /// Pushes a return word; the red zone has room for one.
    pub fn push_return(&mut self, back: *const u64) {
        let sp = self.process.heap.sp.wrapping_sub(1);
        self.process.heap.sp = sp;
        // SAFETY: I2: the red zone.
        unsafe { *sp = Word::continuation(back.expose_provenance() as u64) };
    }

    /// Fills the file with what the process left with.
    pub fn load_registers(&mut self) {
        match self.process.cold.as_mut().and_then(|cold| cold.registers.take()) {
            Some(registers) => self.worker.x.copy_from_slice(&registers),
            None => self.process.load_x(&mut self.worker.x[..]),
        }
    }

    // ---- contexts ----

    /// Something begins that may be long work; what was done before is paid for.
    #[inline(always)]
    pub fn begin_work(&mut self) {
        let done = self.process.heap.begin_work(self.worker.work_at_once);
        if done >= UNITS_PER_REDUCTION {
            self.pay(done);
        }
    }

    #[cold]
    #[inline(never)]
    fn pay(&mut self, units: i32) {
        let reductions = reductions(units);
        // While a collection is asked for, what is left of the slice is kept elsewhere.
        match self.process.reductions_saved {
            saved @ 1.. => {
                let paid = reductions.min(saved.unsigned_abs());
                self.process.reductions_saved = saved.saturating_sub_unsigned(paid);
                self.process.charge(reductions - paid);
            }
            _ => self.process.charge(reductions),
        }
    }

    /// Opens a native context.
    pub fn cx(&mut self) -> Cx<'_> {
        self.begin_work();
        let process = NonNull::from(&mut *self.process);
        // SAFETY: the context borrows `self`, so nobody else touches the process meanwhile, and collections need `self`.
        unsafe { Cx::new(process, self.rt, self.worker) }
    }

    // ---- slices ----

    /// Ends the slice so that it goes on at the instruction that called out, with `live` X registers.
    pub fn leave(&mut self, pc: *const u64, live: usize, end: SliceEnd) -> Next {
        self.process.pc = pc;
        // A collection that was asked for is still due; the reductions are given back.
        let saved = std::mem::take(&mut self.process.reductions_saved);
        if saved > 0 {
            self.process.reductions = saved.saturating_add(self.process.reductions.min(0));
        }
        self.process.save_x(&self.worker.x[..], live as u16);
        self.end = Some(end);
        null()
    }

    /// The instruction that called out takes longer than a worker may be held: it has done nothing yet, and runs again on the
    /// pool. Which registers are live here only a call could say, so the whole file goes along, unseen by any collection, since
    /// none happens on the way.
    #[cold]
    fn leave_for_pool(&mut self) -> Next {
        let pc = self.pc();
        self.process.cold().registers = Some(self.worker.x.clone());
        self.leave(pc, 0, SliceEnd::Bulk)
    }

    /// Long work was given up because a signal in the queue ends the process.
    #[cold]
    fn end_of_cancelled(&mut self) -> Next {
        while !self.process.is_exiting {
            if signals::handle_all(self.worker, self.rt, self.process) == Handled::All {
                break;
            }
        }
        if !self.process.is_exiting {
            return self.exit_with(Fragment::immediate(Word::atom(known::KILLED)), false);
        }
        let pc = self.pc();
        self.leave(pc, 0, SliceEnd::Yield)
    }

    /// Whether the collection that is due would hold the worker for long, so that it is the pool's.
    pub fn is_long_collection(&self) -> bool {
        let heap = &self.process.heap;
        self.worker.work_at_once != Mode::Free
            && !heap.is_on_pool()
            && heap.collection_words() > LONG_COLLECTION
    }

    /// A call found no reductions left: collects if that was the reason, else ends the slice. The call runs again.
    #[cold]
    #[inline(never)]
    pub fn used_up(&mut self, live: usize) -> Next {
        let pc = self.pc();
        let saved = std::mem::take(&mut self.process.reductions_saved);
        if saved > 0 {
            // Less what natives took meanwhile; the reduction this call has just been refused was not used.
            self.process.reductions = saved.saturating_add((self.process.reductions + 1).min(0));
        }
        if (self.process.heap.collect_due() || self.process.heap.stress())
            && let Err(ended) = self.collect(0, live)
        {
            return ended;
        }
        if self.process.is_exiting || self.process.reductions <= 0 {
            return self.leave(pc, live, SliceEnd::Yield);
        }
        pc
    }

    // ---- collections ----

    /// Collects; afterwards `need` words are free. X registers from `live` up are undefined. A long collection is the pool's:
    /// the process leaves, to run the instruction that called out again there.
    ///
    /// # Errors
    /// What ends the slice, if the process ends for want of memory.
    pub fn collect(&mut self, need: usize, live: usize) -> Result<(), Next> {
        if self.is_long_collection() {
            let pc = self.pc();
            return Err(self.leave(pc, live, SliceEnd::Bulk));
        }
        let stress = self.process.heap.stress();
        let worker = &mut *self.worker;
        let (registers, dead) = worker.x.split_at_mut(live);
        let dictionary =
            self.process.dictionary.as_mut().map_or(&mut [][..], |dictionary| dictionary.roots());
        let mut roots = [registers, dictionary];
        // SAFETY: I3: live registers, stack and dictionary hold terms of this heap; no context is open, since `self` is
        // borrowed mutably.
        let collected =
            unsafe { self.process.heap.collect(&mut worker.blocks, need, &mut roots, Kind::Auto) };
        if stress {
            dead.fill(Word::POISON);
        }
        match collected {
            Ok(collected) => {
                self.process.charge((collected.moved_words / WORDS_PER_REDUCTION) as u32);
                match self.process.over_max() {
                    Some(words) => self.over_max(words),
                    None => Ok(()),
                }
            }
            Err(error) => Err(self.no_memory(error)),
        }
    }

    /// The heap is larger than the process may have.
    #[cold]
    fn over_max(&mut self, words: usize) -> Result<(), Next> {
        let policy = *self.process.heap.policy();
        if policy.max_heap_report {
            (self.rt.hooks.report)(self.rt, self.worker, self.process, Report::HeapLimit(words));
        }
        match policy.max_heap_kill {
            true => Err(self.exit_with(Fragment::immediate(Word::atom(known::KILLED)), false)),
            false => Ok(()),
        }
    }

    /// `test_heap` found too little room: collects.
    #[cold]
    #[inline(never)]
    pub fn make_room(&mut self, need: usize, live: usize) -> Next {
        match self.collect(need, live) {
            Ok(()) => self.pc(),
            Err(ended) => ended,
        }
    }

    /// What was asked for cannot be had: without memory the process ends; without the time it goes to the pool.
    #[cold]
    pub fn no_memory(&mut self, error: AllocError) -> Next {
        match error {
            AllocError::Time => return self.leave_for_pool(),
            AllocError::Cancelled => return self.end_of_cancelled(),
            AllocError::Limit(quota) => {
                limits::report(self.worker, self.rt, self.process, quota);
                return self.exit_with(limits::reason(self.rt, quota), false);
            }
            AllocError::SystemLimit | AllocError::OutOfMemory => {}
        }
        let reason = Word::atom(known::SYSTEM_LIMIT);
        self.exit_with(Fragment::immediate(reason), true)
    }

    /// The first function has returned: the process ends normally, and who waits for it gets the value.
    pub fn finished(&mut self) -> Next {
        if let Some(answer) = self.process.answer.take() {
            let value = self.result();
            // It stays with the process until the process is gone.
            let answer = self.process.answer.insert(answer);
            match value {
                Ok(value) => answer.put(Ended::Returned(value)),
                Err(error) => return self.no_memory(error),
            }
        }
        self.exit_with(Fragment::immediate(Word::atom(known::NORMAL)), false)
    }

    /// A copy of what the first function has returned.
    fn result(&mut self) -> Result<Fragment, AllocError> {
        self.begin_work();
        // SAFETY: I3: what a function returns is a term of this process.
        let value = unsafe { Term::from_word(self.worker.x[0]) };
        // Whole: it waits where no process looks.
        let size = self.process.heap.copying_whole(value)?;
        Fragment::message(&mut self.worker.fragments, value, size, self.process.account())
    }

    /// Ends the process with this reason.
    pub fn exit_with(&mut self, reason: Result<Fragment, AllocError>, report: bool) -> Next {
        // A reason too large to copy is replaced by one that needs no room.
        let reason = reason.or_else(|_| Fragment::immediate(Word::atom(known::SYSTEM_LIMIT)));
        let reason = reason.expect("a header of a few words is to be had, or nothing is");
        self.end = Some(SliceEnd::Exit(ExitReason { reason, report }));
        null()
    }

    // ---- natives ----

    /// Calls native `id` with the first `arity` X registers; its result goes to `x0`. `next` is where to go on; that of a
    /// tail call is the return stub.
    #[inline(never)]
    pub fn call_native(&mut self, id: BifId, arity: usize, next: *const u64) -> Next {
        let registers = self.worker.x.first_chunk::<NATIVE_ARGUMENTS>().expect("the file has more registers");
        // Word by word, though it be more instructions: the registers were written so just before, and what is read in larger
        // pieces than it was written has to wait until the writes have left the processor.
        let mut args = [Word::NIL; NATIVE_ARGUMENTS];
        let few = if arity <= FEW_ARGUMENTS { FEW_ARGUMENTS } else { NATIVE_ARGUMENTS };
        for (arg, register) in args.iter_mut().zip(registers).take(few) {
            *arg = std::hint::black_box(*register);
        }
        self.process.charge(1);
        let mut cx = self.cx();
        // SAFETY: I3: argument registers hold terms of this process, good until the next collection.
        let terms = unsafe { Term::from_words(&args[..arity]) };
        match (bif::ROWS[id.0 as usize].call)(&mut cx, terms) {
            Ok(result) => {
                let result = result.word();
                self.worker.x[0] = result;
                next
            }
            Err(stop) => {
                let stop = Stopped::of(stop);
                self.stopped(stop, Native { id, args: &args[..arity] }, next)
            }
        }
    }

    #[cold]
    fn stopped(&mut self, stop: Stopped, native: Native<'_>, next: *const u64) -> Next {
        let pc = self.pc();
        match stop {
            Stopped::Raise { class, reason, info } => {
                let last = is_return(next);
                self.raise_native(class, reason, info, native, last)
            }
            Stopped::Call { mfa, args } => {
                self.worker.x[..args.len()].copy_from_slice(&args);
                // Whoever applies what only raises is shown in the stack trace, so its frame stays.
                let next = if self.raises(mfa) { next } else { self.in_tail_position(next) };
                if next != stub::ret() {
                    self.push_return(next);
                }
                self.rt.code.export(mfa).entry()
            }
            Stopped::CallFun { fun, args } => {
                self.worker.x[..args.len()].copy_from_slice(&args);
                self.worker.x[args.len()] = fun;
                let next = self.in_tail_position(next);
                self.call_fun(args.len(), next)
            }
            Stopped::Again { args } => {
                self.worker.x[..args.len()].copy_from_slice(&args);
                self.leave(pc, args.len(), SliceEnd::Yield)
            }
            Stopped::Block(wait) => {
                self.process.wait = wait;
                self.leave(next, 0, SliceEnd::Blocked)
            }
            Stopped::Yield { result } => {
                self.worker.x[0] = result;
                self.leave(next, 1, SliceEnd::Yield)
            }
            Stopped::Exit(reason) => {
                // SAFETY: I3: the reason is a term the native made or was given just now.
                let reason = unsafe { Fragment::copy_word(reason, self.process.account()) };
                self.exit_with(reason, false)
            }
            Stopped::Halt(status) => {
                self.end = Some(SliceEnd::Halt(status));
                null()
            }
            Stopped::NoMemory(error) => self.no_memory(error),
        }
    }

    /// Where a call in a native's place returns to, if `next` is behind the native: in tail position the caller's frame goes
    /// first, so that loops through `apply/3` use no stack.
    fn in_tail_position(&mut self, next: *const u64) -> *const u64 {
        // SAFETY: C1: an instruction.
        let word = unsafe { *next };
        match super::decode(word as u16) {
            Op::Return => stub::ret(),
            Op::DeallocateReturn => {
                let words = usize::from(super::live::a(word));
                self.process.heap.sp = self.process.heap.sp.wrapping_add(words);
                stub::ret()
            }
            _ => next,
        }
    }

    /// Calls a native in an expression or guard: result to field `dst`, `words` is the instruction's length, the jump offset
    /// is in word 1.
    #[inline(never)]
    pub fn guard_native(&mut self, id: BifId, args: &[Word], dst: u16, words: usize) -> Next {
        self.operation(id, args, dst, words, false)
    }

    /// The same. `plain`: the trace of a `badarith` begins with the function that calculates, not with the operator. OTP has it so
    /// where its compiler or loader replaces the operator by an instruction that knows one operand.
    fn operation(&mut self, id: BifId, args: &[Word], dst: u16, words: usize, plain: bool) -> Next {
        let mut cx = self.cx();
        // SAFETY: I3: operands are terms of this process, good until the next collection.
        let terms = unsafe { Term::from_words(args) };
        match (bif::ROWS[id.0 as usize].call)(&mut cx, terms) {
            Ok(result) => {
                let result = result.word();
                self.set(dst, result);
                self.after(words)
            }
            Err(stop) => {
                let mut stop = Stopped::of(stop);
                if let (true, Stopped::Raise { reason, info, .. }) = (plain, &mut stop)
                    && *reason == Word::atom(known::BADARITH)
                {
                    *info = Info::Plain;
                }
                match (stop, self.target(1)) {
                    (Stopped::Raise { .. }, Some(fail)) => fail,
                    (stop, _) => self.stopped(stop, Native { id, args }, self.after(words)),
                }
            }
        }
    }

    /// The `bif` instruction.
    #[inline(never)]
    pub fn bif(&mut self) -> Next {
        let word = self.operand(0);
        let (dst, id, count) = (super::live::a(word), super::live::b(word), super::live::c(word) as usize);
        let mut args = [Word::NIL; GUARD_ARGUMENTS];
        for (index, arg) in args.iter_mut().enumerate().take(count) {
            *arg = self.source(self.operand(2 + index));
        }
        let (id, args) = (BifId(id), &args[..count]);
        self.operation(id, args, dst, 2 + count, id == super::UNARY_PLUS)
    }

    /// An operator's slow path: two operands and a destination in fields `a`, `b`, `c`.
    #[cold]
    #[inline(never)]
    pub fn operator(&mut self, id: BifId, a: Word, b: Word) -> Next {
        let dst = super::live::c(self.operand(0));
        self.guard_native(id, &[a, b], dst, 2)
    }

    /// The same of `+` and `-` where one operand is a small constant.
    #[cold]
    #[inline(never)]
    pub fn small_operator(&mut self, id: BifId, a: Word, b: Word) -> Next {
        let dst = super::live::c(self.operand(0));
        self.operation(id, &[a, b], dst, 2, true)
    }

    /// The same with the constant in word 2: on the left if field `b` says so.
    #[cold]
    #[inline(never)]
    pub fn constant_operator(&mut self, id: BifId, a: Word, constant: Word) -> Next {
        let word = self.operand(0);
        let left = super::live::b(word) != 0;
        let args = if left { [constant, a] } else { [a, constant] };
        let plain = match id {
            super::PLUS => constant.is_float() || is_otp_small(constant),
            super::MINUS => constant.is_float() || (!left && is_otp_small(constant)),
            super::TIMES => constant.is_float(),
            super::SLASH => constant.is_float() || constant.is_small(),
            _ => false,
        };
        self.operation(id, &args, super::live::c(word), 3, plain)
    }

    /// The same for an instruction of four words and operands in the order of the call.
    #[cold]
    #[inline(never)]
    pub fn quotient(&mut self, operands: [Word; 2], number: Word) -> Next {
        let dst = super::live::c(self.operand(0));
        let plain = number.is_float() || number.is_small();
        self.operation(super::SLASH, &operands, dst, 4, plain)
    }

    /// The same for one operand and a destination in fields `a` and `b`.
    #[cold]
    #[inline(never)]
    pub fn unary(&mut self, id: BifId, a: Word) -> Next {
        let dst = super::live::b(self.operand(0));
        self.guard_native(id, &[a], dst, 2)
    }
}

/// Whether a constant is a small integer of OTP, and its negation too.
fn is_otp_small(constant: Word) -> bool {
    constant.is_small() && constant.small_value().unsigned_abs() < 1 << 59
}

/// Words moved by a collection that one reduction pays for.
const WORDS_PER_REDUCTION: usize = 64;
/// Arguments of nearly all natives.
const FEW_ARGUMENTS: usize = 3;
/// Most arguments of a native.
const NATIVE_ARGUMENTS: usize = 9;
/// Most arguments of a guard BIF.
const GUARD_ARGUMENTS: usize = 3;

/// A native's stop without its brand: nothing moves between the call and what is done about it.
enum Stopped {
    Raise { class: Class, reason: Word, info: Info },
    Call { mfa: Mfa, args: Vec<Word> },
    CallFun { fun: Word, args: Vec<Word> },
    Again { args: Vec<Word> },
    Block(crate::process::WaitState),
    Yield { result: Word },
    Exit(Word),
    Halt(i32),
    NoMemory(AllocError),
}

/// An [`ErrorInfo`] without its brand.
#[derive(Clone, Copy)]
pub(super) enum Info {
    Hidden,
    /// Hidden, unless the code was typed at a prompt.
    Plain,
    Standard,
    Cause(Word),
    Arguments(Word),
    Detailed(Word, Word),
    Trace(Word),
}

impl Stopped {
    fn of(stop: Stop<'_>) -> Stopped {
        let words = |terms: Vec<Term<'_>>| terms.into_iter().map(Term::word).collect::<Vec<Word>>();
        match stop.into_kind() {
            StopKind::Raise { class, reason, info } => {
                let info = match info {
                    ErrorInfo::Hidden => Info::Hidden,
                    ErrorInfo::Standard => Info::Standard,
                    ErrorInfo::Cause(cause) => Info::Cause(cause.word()),
                    ErrorInfo::Arguments(args) => Info::Arguments(args.word()),
                    ErrorInfo::ArgumentsWithInfo(args, info) => Info::Detailed(args.word(), info.word()),
                    ErrorInfo::Trace(trace) => Info::Trace(trace.word()),
                };
                Stopped::Raise { class, reason: reason.word(), info }
            }
            StopKind::TailCall { module, function, args } => {
                let mfa = Mfa { module, function, arity: args.len() as u8 };
                Stopped::Call { mfa, args: words(args) }
            }
            StopKind::TailCallFun { fun, args } => Stopped::CallFun { fun: fun.word(), args: words(args) },
            StopKind::Again { args } => Stopped::Again { args: words(args) },
            StopKind::Block(wait) => Stopped::Block(wait),
            StopKind::Yield { result } => Stopped::Yield { result: result.word() },
            StopKind::Exit(reason) => Stopped::Exit(reason.word()),
            StopKind::Halt(status) => Stopped::Halt(status),
            StopKind::NoMemory(error) => Stopped::NoMemory(error),
        }
    }
}

/// Whether the instruction behind a native returns.
fn is_return(next: *const u64) -> bool {
    // SAFETY: C1: an instruction.
    let word = unsafe { *next };
    matches!(super::decode(word as u16), Op::Return | Op::DeallocateReturn)
}

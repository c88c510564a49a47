//! Blocks with registers to instructions.
//!
//! Blocks are laid out so that the way that succeeds falls through. While instructions of a block come out, the
//! emitter knows which registers hold values (so that no collection sees an undefined one), which X registers still
//! hold a copy of a slot (so that it need not be read again), and which slots hold what nothing will read (so that
//! they can be cleared before a call keeps it alive).

mod ends;
mod operations;

use crate::hash::HashMap;
use std::collections::BTreeSet;

use super::flow::{BlockId, Flow, Inst, Op, Target};
use super::frames::frame_position;
use super::moves::parallel;
use super::registers::{Allocation, argument_count};
use super::tables::Tables;
use super::var_set::VarSet;
use crate::bytecode::{CONS_WORDS, MAX_X};
use crate::bytecode::{Instr, Label, Line, Operand, Reg, Src, fun_words, tuple_words};
use crate::core::{Const, Value, Var};

/// A set of X registers.
type XSet = [u64; MAX_X as usize / 64];

/// What an X register holds: where ways meet that left different kinds in it, it holds nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Nothing,
    Term,
    Context,
    Position,
    Trace,
}

/// What X registers hold, as far as the list goes.
type Filled = Vec<Kind>;

/// Leaves of a list what another one agrees on.
fn restrict(known: &mut Filled, other: &[Kind]) {
    known.truncate(other.len());
    for (known, other) in known.iter_mut().zip(other) {
        if known != other {
            *known = Kind::Nothing;
        }
    }
}

/// Slots that may hold something, in 64 at a time.
type Slots = Vec<u64>;

pub(super) struct Emitter<'e, 't> {
    flow: &'e Flow,
    allocation: &'e Allocation,
    tables: &'e mut Tables<'t>,
    code: Vec<Instr>,
    /// Position in the layout of the block being emitted.
    at: usize,
    framed: bool,
    line: Option<Line>,
    /// What registers hold.
    filled: Filled,
    /// Slots that may hold values worth clearing.
    dirty: Slots,
    /// The X register that holds a copy of a slot.
    copies: HashMap<u16, u16>,
    /// Variables in X registers that are alive now, by register.
    alive: XSet,
    /// Heap words reserved and not used yet.
    reserved: u32,
    /// `filled` and `dirty` at the start of blocks not emitted yet.
    starts: Vec<Option<(Filled, Slots)>>,
    referenced: Vec<bool>,
    /// Slots of variables that are alive now.
    live_slots: Slots,
    /// Variables alive now that will move into slots when the frame is made.
    in_slots: BTreeSet<Var>,
    /// Constants that X registers are known to hold at the start of a block.
    constants: HashMap<BlockId, (u16, Const)>,
    /// The constant that an X register is known to hold now.
    constant: Option<(u16, Const)>,
    /// How many blocks lead to each.
    predecessors: Vec<u32>,
    /// Whether the frame may shrink in this block: nothing follows it, and no handler looks at it.
    may_trim: bool,
    /// The first slot that is written from each instruction of the block on, if the frame may shrink.
    first_written: Vec<u16>,
    /// Where the frame shrank: place in the code and the number of slots dropped so far.
    trims: Vec<(usize, u16)>,
    /// Variables that arithmetic made.
    numeric: Vec<bool>,
}

/// The code of a function, and the number of labels.
pub(super) fn emit(
    flow: &Flow,
    allocation: &Allocation,
    tables: &mut Tables<'_>,
    arity: u8,
) -> (Vec<Instr>, u32) {
    let filled = vec![Kind::Term; usize::from(arity)];
    let mut emitter = Emitter {
        flow,
        allocation,
        tables,
        code: Vec::new(),
        at: 0,
        framed: false,
        line: None,
        filled,
        dirty: vec![0; usize::from(allocation.words).div_ceil(64)],
        copies: HashMap::default(),
        alive: [0; MAX_X as usize / 64],
        reserved: 0,
        starts: vec![None; flow.blocks.len()],
        referenced: vec![false; flow.blocks.len()],
        live_slots: Vec::new(),
        in_slots: BTreeSet::new(),
        constants: HashMap::default(),
        constant: None,
        predecessors: flow.predecessor_counts(),
        may_trim: false,
        first_written: Vec::new(),
        trims: Vec::new(),
        numeric: vec![false; flow.vars as usize],
    };
    emitter.starts[0] = Some((emitter.filled.clone(), emitter.dirty.clone()));
    for at in 0..allocation.order.len() {
        emitter.at = at;
        emitter.block(allocation.order[at]);
    }
    let Emitter { code, referenced, .. } = emitter;
    number_labels(code, &referenced)
}

/// Drops labels that nothing refers to and numbers the others anew.
fn number_labels(code: Vec<Instr>, referenced: &[bool]) -> (Vec<Instr>, u32) {
    let mut numbers = vec![Label(0); referenced.len()];
    let mut count = 0;
    for instr in &code {
        if let Instr::Label { label } = instr
            && referenced[label.index()]
        {
            numbers[label.index()] = Label(count);
            count += 1;
        }
    }
    let mut kept = Vec::with_capacity(code.len());
    for mut instr in code {
        if let Instr::Label { label } = &instr
            && !referenced[label.index()]
        {
            continue;
        }
        instr.operands_mut(&mut |operand| match operand {
            Operand::Label(label) => Operand::Label(numbers[label.index()]),
            other => other,
        });
        kept.push(instr);
    }
    (kept, count)
}

fn set(registers: &mut XSet, x: u16, on: bool) {
    if let Some(word) = registers.get_mut(usize::from(x) / 64) {
        let bit = 1 << (x % 64);
        *word = if on { *word | bit } else { *word & !bit };
    }
}

/// Whether a slot is in a set.
fn bit(slots: &[u64], y: u16) -> bool {
    slots.get(usize::from(y) / 64).is_some_and(|word| word >> (y % 64) & 1 == 1)
}

/// One more than the highest register.
fn end_of(registers: &XSet) -> u16 {
    let highest = registers.iter().enumerate().rev().find(|(_, word)| **word != 0);
    highest.map_or(0, |(at, word)| at as u16 * 64 + 64 - word.leading_zeros() as u16)
}

impl Emitter<'_, '_> {
    fn block(&mut self, id: BlockId) {
        let block = self.flow.block(id);
        self.code.push(Instr::Label { label: Label(id.0) });
        self.framed = self.allocation.framed_at_start(id);
        // A block that only a handler's edge or a loop leads to knows nothing of registers.
        let (filled, dirty) = self.starts[id.index()]
            .take()
            .unwrap_or_else(|| (Vec::new(), vec![u64::MAX; usize::from(self.allocation.words).div_ceil(64)]));
        (self.filled, self.dirty) = (filled, dirty);
        self.copies.clear();
        self.reserved = 0;
        let mut follows = false;
        block.end.each_target(|_| follows = true);
        self.may_trim = !follows && block.handler.is_none();
        self.first_written.clear();
        if self.may_trim {
            self.first_written = self.first_written(&block.insts);
        }
        let deaths = self.allocation.deaths.of(id);
        self.enter(id);
        let mut frame_at = match self.allocation.makes_frame[id.index()] {
            true => Some(frame_position(block)),
            false => None,
        };
        let mut at = 0;
        while at < block.insts.len() {
            if frame_at == Some(at) {
                frame_at = None;
                self.make_frame();
            }
            let taken = self.inst(&block.insts, at, deaths.at(at));
            for (at, inst) in block.insts.iter().enumerate().skip(at).take(taken) {
                self.settle(inst, deaths.at(at));
            }
            at += taken;
        }
        if frame_at.is_some() {
            self.make_frame();
        }
        self.end(&block.end, block.line, deaths.at_end());
        self.shift_slots();
    }

    /// Slots that are left in the frame.
    fn frame_words(&self) -> u16 {
        self.allocation.words - self.trims.last().map_or(0, |(_, dropped)| *dropped)
    }

    /// Numbers the slots in what was emitted behind trims: there the frame begins later.
    fn shift_slots(&mut self) {
        let trims = std::mem::take(&mut self.trims);
        for (at, &(start, dropped)) in trims.iter().enumerate() {
            let end = trims.get(at + 1).map_or(self.code.len(), |(next, _)| *next);
            for instr in &mut self.code[start..end] {
                instr.operands_mut(&mut |operand| match operand {
                    Operand::Reg(Reg::Y(y)) => Operand::Reg(Reg::Y(y - dropped)),
                    Operand::Read(Reg::Y(y)) => Operand::Read(Reg::Y(y - dropped)),
                    other => other,
                });
            }
        }
    }

    fn first_written(&self, insts: &[Inst]) -> Vec<u16> {
        let mut first = self.allocation.words;
        let mut firsts: Vec<u16> = insts
            .iter()
            .rev()
            .map(|inst| {
                let slots = inst.dsts.iter().filter_map(|&var| self.allocation.slot(var));
                first = slots.fold(first, u16::min);
                first
            })
            .collect();
        firsts.reverse();
        firsts
    }

    /// Drops the slots in front of the first one that is alive, or written from the instruction at `at` on, if that
    /// clears several at once.
    fn trim(&mut self, at: usize) {
        let dropped = self.allocation.words - self.frame_words();
        let first_live = (0..self.allocation.words).find(|&y| bit(&self.live_slots, y));
        let first_written = self.first_written.get(at).copied().unwrap_or(0);
        let keep_from = first_live.unwrap_or(self.allocation.words).min(first_written);
        let stale = (dropped..keep_from).filter(|&y| bit(&self.dirty, y)).count();
        if !self.may_trim || stale < 2 {
            return;
        }
        let words = keep_from.saturating_sub(dropped);
        self.code.push(Instr::Trim { words, remaining: self.allocation.words - keep_from });
        (dropped..keep_from).for_each(|y| self.harmless(y));
        self.copies.retain(|_, slot| *slot >= keep_from);
        self.trims.push((self.code.len(), keep_from));
    }

    /// What is alive behind an instruction: operands may have died, and results taken their registers.
    fn settle(&mut self, inst: &Inst, dead: &[Var]) {
        dead.iter().for_each(|&var| self.die(var));
        for &var in inst.dsts.iter().filter(|var| !dead.contains(var)) {
            self.live_in_place(var);
        }
    }

    fn live_in_place(&mut self, var: Var) {
        match self.allocation.place(var, self.framed) {
            Reg::X(x) => {
                set(&mut self.alive, x, true);
                if self.allocation.slot(var).is_some() {
                    self.in_slots.insert(var);
                }
            }
            Reg::Y(y) => self.live_slots[usize::from(y) / 64] |= 1 << (y % 64),
        }
    }

    /// Registers alive at the start; makes the frame if that is done here.
    fn enter(&mut self, id: BlockId) {
        self.alive = [0; MAX_X as usize / 64];
        self.live_slots.clear();
        self.live_slots.resize(self.dirty.len(), 0);
        self.in_slots.clear();
        self.constant = self.constants.remove(&id);
        let block = self.flow.block(id);
        let mut vars = self.allocation.liveness.live_in(id);
        vars.extend(&block.params);
        if id.index() == 0 {
            let Allocation { deaths, liveness, .. } = self.allocation;
            let read = |var: &&Var| deaths.read(self.flow, liveness, **var);
            vars.extend(self.flow.params.iter().filter(read));
        }
        for &var in &vars {
            self.live_in_place(var);
        }
    }

    /// Makes the frame, and moves what is alive and has a slot there.
    fn make_frame(&mut self) {
        let live = self.live();
        self.code.push(Instr::Allocate { words: self.allocation.words, live });
        self.collected(live);
        self.framed = true;
        self.dirty.iter_mut().for_each(|word| *word = 0);
        for var in std::mem::take(&mut self.in_slots) {
            let Some(y) = self.allocation.slot(var) else { continue };
            let Reg::X(x) = self.allocation.place(var, false) else { continue };
            self.code.push(Instr::Move { src: Src::X(x), dst: Reg::Y(y) });
            self.wrote(Reg::Y(y));
            if self.numeric[var.index()] {
                self.harmless(y);
            }
            self.copies.insert(x, y);
            set(&mut self.alive, x, false);
            self.live_in_place(var);
        }
    }

    /// The value of an operand.
    fn src(&mut self, value: Value) -> Src {
        match value {
            Value::Const(constant) => self.tables.constant(constant),
            Value::Var(var) => match self.allocation.place(var, self.framed) {
                Reg::X(x) => Src::X(x),
                Reg::Y(y) => Src::Y(y),
            },
        }
    }

    /// An operand that must be in a register.
    fn reg(&mut self, value: Value) -> Reg {
        match value {
            Value::Var(var) => self.allocation.place(var, self.framed),
            Value::Const(constant) => {
                let src = self.tables.constant(constant);
                let dst = Reg::X(self.allocation.scratch);
                self.code.push(Instr::Move { src, dst });
                dst
            }
        }
    }

    fn dst(&self, var: Var) -> Reg {
        self.allocation.place(var, self.framed)
    }

    /// Registers up to here are alive; the ones between that hold nothing get a value.
    fn live(&mut self) -> u16 {
        let live = end_of(&self.alive);
        for x in 0..live {
            if self.held(x) == Kind::Nothing {
                self.code.push(Instr::Move { src: Src::Nil, dst: Reg::X(x) });
                self.fill(x, Kind::Term);
            }
        }
        live
    }

    /// A collection may have happened.
    fn collected(&mut self, live: u16) {
        self.reserved = 0;
        self.filled.truncate(usize::from(live));
        self.copies.retain(|x, _| *x < live);
        self.constant = self.constant.filter(|(x, _)| *x < live);
    }

    fn held(&self, x: u16) -> Kind {
        self.filled.get(usize::from(x)).copied().unwrap_or(Kind::Nothing)
    }

    fn fill(&mut self, x: u16, kind: Kind) {
        if self.filled.len() <= usize::from(x) {
            self.filled.resize(usize::from(x) + 1, Kind::Nothing);
        }
        self.filled[usize::from(x)] = kind;
    }

    /// A register got a new value.
    fn wrote(&mut self, reg: Reg) {
        match reg {
            Reg::X(x) => {
                self.fill(x, Kind::Term);
                self.copies.remove(&x);
                if self.constant.is_some_and(|(known, _)| known == x) {
                    self.constant = None;
                }
            }
            Reg::Y(y) => {
                self.dirty[usize::from(y) / 64] |= 1 << (y % 64);
                self.copies.retain(|_, slot| *slot != y);
            }
        }
    }

    fn die(&mut self, var: Var) {
        match self.allocation.place(var, self.framed) {
            Reg::X(x) => {
                set(&mut self.alive, x, false);
                self.in_slots.remove(&var);
            }
            Reg::Y(_) => self.die_in_slot(var),
        }
    }

    fn die_in_slot(&mut self, var: Var) {
        if let Some(y) = self.allocation.slot(var) {
            self.live_slots[usize::from(y) / 64] &= !(1 << (y % 64));
        }
    }

    /// What a slot holds keeps no memory alive that is worth a clearing.
    fn harmless(&mut self, y: u16) {
        self.dirty[usize::from(y) / 64] &= !(1 << (y % 64));
    }

    /// What follows stands at `line`.
    fn at_line(&mut self, line: Line) {
        if line.line != 0 && self.line != Some(line) {
            self.line = Some(line);
            let line = self.tables.line(line);
            self.code.push(Instr::Line { line });
        }
    }

    /// Moves the arguments of a call into place.
    fn arguments(&mut self, args: &[Value]) {
        let mut moves = Vec::with_capacity(args.len());
        for (at, &value) in args.iter().enumerate() {
            let dst = at as u16;
            if let (Value::Const(constant), true) = (value, self.held(dst) == Kind::Term)
                && self.constant == Some((dst, constant))
            {
                continue;
            }
            let mut src = self.src(value);
            if let Src::Y(y) = src {
                // The register itself if it still holds the slot's value, else any other that does.
                let held = |x: &u16| self.copies.get(x) == Some(&y);
                if held(&dst) {
                    src = Src::X(dst);
                }
            }
            moves.push((src, Reg::X(dst)));
        }
        let code = &mut self.code;
        parallel(moves, &mut |instr| code.push(instr));
    }

    /// Clears slots that nothing will read but that would be kept alive.
    fn clear_slots(&mut self) {
        for word in 0..self.dirty.len() {
            let live = self.live_slots[word];
            let mut stale = self.dirty[word] & !live;
            while stale != 0 {
                let y = (word * 64) as u16 + stale.trailing_zeros() as u16;
                if y < self.allocation.words {
                    self.code.push(Instr::Move { src: Src::Nil, dst: Reg::Y(y) });
                    self.copies.retain(|_, slot| *slot != y);
                }
                stale &= stale - 1;
            }
            self.dirty[word] &= live;
        }
    }

    /// Passes what is known on to a block behind.
    fn lead_to(&mut self, to: BlockId, filled: &[Kind]) {
        match &mut self.starts[to.index()] {
            Some((known, dirty)) => {
                restrict(known, filled);
                dirty.iter_mut().zip(&self.dirty).for_each(|(known, now)| *known |= now);
            }
            start => *start = Some((filled.to_vec(), self.dirty.clone())),
        }
    }

    /// Passes what is known now on to a block behind.
    fn lead_on(&mut self, to: BlockId) {
        let filled = std::mem::take(&mut self.filled);
        self.lead_to(to, &filled);
        self.filled = filled;
    }

    fn label(&mut self, to: BlockId) -> Label {
        self.referenced[to.index()] = true;
        Label(to.0)
    }

    fn next(&self) -> Option<BlockId> {
        self.allocation.order.get(self.at + 1).copied()
    }

    /// Heap words of what is built from `at` on before the collector may run again.
    fn words_ahead(&self, insts: &[Inst], at: usize) -> u32 {
        let mut words: u32 = 0;
        for inst in &insts[at..] {
            let more = match &inst.op {
                Op::Cons => CONS_WORDS,
                Op::Tuple => tuple_words(inst.args.len() as u32),
                Op::Fun(_) => fun_words(inst.args.len() as u32),
                Op::Copy | Op::Head | Op::Tail | Op::Element(_) | Op::BsPosition | Op::BsRestore => 0,
                _ => break,
            };
            words = words.saturating_add(more);
        }
        words
    }

    /// Reserves heap for the building instruction at `at` and those behind it.
    fn reserve(&mut self, insts: &[Inst], at: usize, words: u32) {
        if self.reserved < words {
            let total = self.words_ahead(insts, at);
            let live = self.live();
            self.code.push(Instr::TestHeap { words: total, live });
            self.collected(live);
            self.reserved = total;
        }
        self.reserved -= words;
    }

    /// A call that comes back.
    fn call(&mut self, target: Target, args: &[Value], dst: Var, line: Line, at: usize) {
        debug_assert_eq!(args.len(), argument_count(target), "as many arguments as the call reads");
        self.arguments(args);
        self.trim(at);
        self.clear_slots();
        self.at_line(line);
        let instr = match target {
            Target::Local(name, arity) => match self.tables.function(name, arity) {
                Some(function) => Instr::Call { function },
                None => self.undefined(name, arity),
            },
            Target::Ext(module, function, arity) => {
                Instr::CallExt { import: self.tables.import(module, function, arity) }
            }
            Target::Fun(arity) => Instr::CallFun { arity },
            Target::Apply(arity) => Instr::Apply { arity },
            Target::Send => Instr::Send {},
        };
        self.code.push(instr);
        self.reserved = 0;
        self.filled = vec![Kind::Term];
        self.alive = [0; MAX_X as usize / 64];
        self.copies.clear();
        self.constant = None;
        self.result(dst);
    }

    /// The result of a call or the like is in `x0`.
    fn result(&mut self, dst: Var) {
        match self.dst(dst) {
            Reg::X(x) => {
                if x != 0 {
                    self.code.push(Instr::Move { src: Src::X(0), dst: Reg::X(x) });
                }
                self.wrote(Reg::X(x));
            }
            Reg::Y(y) => {
                self.code.push(Instr::Move { src: Src::X(0), dst: Reg::Y(y) });
                self.wrote(Reg::Y(y));
                self.copies.insert(0, y);
            }
        }
    }

    /// A local function that is not there: the linter reports it, and a call that fails is right all the same.
    fn undefined(&mut self, name: crate::Name, arity: u8) -> Instr {
        let module = self.tables.module;
        Instr::CallExt { import: self.tables.import(module, name, arity) }
    }

    /// The slots of variables that are alive across an instruction.
    fn slots_of(&self, vars: &VarSet) -> Vec<u64> {
        let mut slots = vec![0; self.dirty.len()];
        vars.each(|var| {
            if let Some(y) = self.allocation.slot(var) {
                slots[usize::from(y) / 64] |= 1 << (y % 64);
            }
        });
        slots
    }
}

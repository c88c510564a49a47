//! Frames and registers.
//!
//! **Slots.** A variable that must survive a call, a wait or an exception has a slot (Y register). Slots exist only
//! where there is a frame, so such a variable lives in an X register until the frame is made and in its slot from
//! there on: where it is depends on the place, see [`Allocation::place`].
//!
//! **Frames.** A block has a frame if it needs one (it calls, protects, or waits with something to keep) or comes
//! after a block that has one: frames are made as late as blocks allow, and dropped only at the end of the
//! function. Where blocks with and without a frame meet in one that has it, a block on the way makes the frame.
//!
//! **X registers** are given out in an order in which definitions come before uses. As every variable is
//! defined once, it is enough to look at what is alive at the definition. Hints say where a variable will be wanted
//! (as an argument, as the result, as a parameter of the next block), so that few moves are left.

use std::collections::BTreeSet;

use super::flow::{BlockId, End, Flow, Inst, Op, Target};
use super::frames::{frame_position, framed, make_frames, survivors};
use super::liveness::{Liveness, order};
use super::var_set::VarSet;
use crate::bytecode::{MAX_X, MAX_Y, Reg};
use crate::core::{Value, Var};

/// Where everything is.
pub(super) struct Allocation {
    /// The blocks in the order they are laid out.
    pub order: Vec<BlockId>,
    pub liveness: Liveness,
    /// What dies in each block.
    pub deaths: AllDeaths,
    /// Whether a block has a frame from its start, or makes one there.
    pub framed: Vec<bool>,
    /// Whether a block starts by making the frame.
    pub makes_frame: Vec<bool>,
    /// Slots of the frame.
    pub words: u16,
    x: Vec<u16>,
    y: Vec<u16>,
    /// X registers from here on are never given out.
    pub scratch: u16,
}

/// No register.
const NONE: u16 = u16::MAX;

/// The function needs more registers than there are.
#[derive(Debug)]
pub(super) struct TooComplex;

impl Allocation {
    /// Where a variable is, at a place with or without a frame.
    pub fn place(&self, var: Var, framed: bool) -> Reg {
        let slot = self.y[var.index()];
        if framed && slot != NONE { Reg::Y(slot) } else { Reg::X(self.x[var.index()]) }
    }

    /// The slot of a variable that survives calls.
    pub fn slot(&self, var: Var) -> Option<u16> {
        Some(self.y[var.index()]).filter(|slot| *slot != NONE)
    }

    /// Whether there is a frame at the very start of a block.
    pub fn framed_at_start(&self, id: BlockId) -> bool {
        self.framed[id.index()] && !self.makes_frame[id.index()]
    }
}

/// Gives out registers; may add blocks.
pub(super) fn allocate(flow: &mut Flow) -> Result<Allocation, TooComplex> {
    let mut liveness = Liveness::new(flow);
    let survivors = survivors(flow, &liveness);
    let mut framed = framed(flow, &liveness);
    let makes_frame = make_frames(flow, &mut framed, &mut liveness);
    let order = order(flow);
    let deaths = AllDeaths::new(flow, &liveness);
    let mut allocation = Allocation {
        order,
        liveness,
        deaths: AllDeaths::default(),
        framed,
        makes_frame,
        words: 0,
        x: vec![NONE; flow.vars as usize],
        y: vec![NONE; flow.vars as usize],
        scratch: 0,
    };
    let hints = hints(flow, &allocation, &survivors);
    Painter {
        flow,
        allocation: &mut allocation,
        survivors: &survivors,
        hints: &hints,
        deaths: &deaths,
        x: Bank::default(),
        y: Bank::default(),
        in_slots: BTreeSet::new(),
        clock: 0,
        last_use: Vec::new(),
    }
    .paint()?;
    allocation.deaths = deaths;
    Ok(allocation)
}

/// What dies in all blocks of a function.
#[derive(Default)]
pub(super) struct AllDeaths {
    /// By block, and within a block those of the last instruction first.
    vars: Vec<Var>,
    /// For each block where its part ends, then where those of each instruction begin, and where those of its end do.
    places: Vec<u32>,
    /// Where the places of each block begin.
    blocks: Vec<u32>,
}

/// For each instruction of a block, and last its end, the variables that are read there and not alive behind; and results
/// that nothing reads.
#[derive(Clone, Copy)]
pub(super) struct Deaths<'d> {
    vars: &'d [Var],
    places: &'d [u32],
}

impl AllDeaths {
    fn new(flow: &Flow, liveness: &Liveness) -> AllDeaths {
        let mut all = AllDeaths {
            vars: Vec::with_capacity(flow.vars as usize),
            places: Vec::with_capacity(4 * flow.blocks.len()),
            blocks: Vec::with_capacity(flow.blocks.len()),
        };
        let mut live = VarSet::default();
        for index in 0..flow.blocks.len() as u32 {
            all.block(flow, liveness, BlockId(index), &mut live);
        }
        all
    }

    fn block(&mut self, flow: &Flow, liveness: &Liveness, id: BlockId, live: &mut VarSet) {
        let block = flow.block(id);
        liveness.find_live_out(flow, id, live);
        let vars = &mut self.vars;
        let first = self.places.len();
        self.blocks.push(first as u32);
        self.places.resize(first + block.insts.len() + 2, vars.len() as u32);
        block.end.each_def(|var| {
            live.remove(var);
        });
        block.end.each_use(|value| {
            if let Some(var) = value.var()
                && live.insert(var)
            {
                vars.push(var);
            }
        });
        for (at, inst) in block.insts.iter().enumerate().rev() {
            self.places[first + 1 + at] = vars.len() as u32;
            for &dst in &inst.dsts {
                // A result that nothing reads dies where it is born.
                if !live.remove(dst) {
                    vars.push(dst);
                }
            }
            for value in &inst.args {
                if let Some(var) = value.var()
                    && live.insert(var)
                {
                    vars.push(var);
                }
            }
        }
        self.places[first] = vars.len() as u32;
    }

    /// Whether a parameter of the function is read.
    pub fn read(&self, flow: &Flow, liveness: &Liveness, param: Var) -> bool {
        let block = flow.block(BlockId(0));
        let mut alive = block.handler.is_some_and(|to| liveness.is_live_in(to, param));
        block.end.each_target(|to| alive |= liveness.is_live_in(to, param));
        alive || self.of(BlockId(0)).contains(param)
    }

    /// What dies in a block.
    pub fn of(&self, id: BlockId) -> Deaths<'_> {
        let end = self.blocks.get(id.index() + 1).map_or(self.places.len(), |next| *next as usize);
        Deaths { vars: &self.vars, places: &self.places[self.blocks[id.index()] as usize..end] }
    }
}

impl<'d> Deaths<'d> {
    /// What dies in the instruction at a place; behind the last one, in the end.
    pub fn at(self, at: usize) -> &'d [Var] {
        &self.vars[self.places[at + 1] as usize..self.places[at] as usize]
    }

    /// What dies in the end.
    pub fn at_end(self) -> &'d [Var] {
        self.at(self.places.len() - 2)
    }

    /// Whether a variable dies in the block.
    fn contains(self, var: Var) -> bool {
        let last = self.places.len() - 1;
        self.vars[self.places[last] as usize..self.places[0] as usize].contains(&var)
    }
}

/// Where variables are wanted: a register number, or [`NONE`].
fn hints(flow: &Flow, allocation: &Allocation, survivors: &[bool]) -> Vec<u16> {
    let mut hints = vec![NONE; flow.vars as usize];
    let want = |hints: &mut Vec<u16>, value: Value, register: u16| {
        if let Some(var) = value.var() {
            hints[var.index()] = register;
        }
    };
    for &id in allocation.order.iter().rev() {
        let block = flow.block(id);
        match &block.end {
            End::Jump(to, args) => {
                for (&value, param) in args.iter().zip(&flow.block(*to).params) {
                    let hint = hints[param.index()];
                    if hint != NONE {
                        want(&mut hints, value, hint);
                    }
                }
            }
            End::TailCall(_, args) | End::Fail(_, args) => {
                args.iter().enumerate().for_each(|(at, &value)| want(&mut hints, value, at as u16));
            }
            End::Return(value) => want(&mut hints, *value, 0),
            _ => {}
        }
        for inst in block.insts.iter().rev() {
            match &inst.op {
                Op::Call(_) => {
                    inst.args.iter().enumerate().for_each(|(at, &value)| want(&mut hints, value, at as u16));
                }
                Op::Copy if !survivors[inst.dsts[0].index()] => {
                    let hint = hints[inst.dsts[0].index()];
                    want(&mut hints, inst.args[0], hint);
                }
                _ => {}
            }
        }
    }
    hints
}

/// Registers of one kind that are taken.
#[derive(Default)]
struct Bank {
    taken: Vec<bool>,
}

impl Bank {
    fn clear(&mut self) {
        self.taken.clear();
    }

    fn is_free(&self, register: u16) -> bool {
        !self.taken.get(register as usize).copied().unwrap_or(false)
    }

    fn take(&mut self, register: u16) {
        if register == NONE {
            return;
        }
        if self.taken.len() <= register as usize {
            self.taken.resize(register as usize + 1, false);
        }
        self.taken[register as usize] = true;
    }

    fn free(&mut self, register: u16) {
        if let Some(taken) = self.taken.get_mut(register as usize) {
            *taken = false;
        }
    }

    fn lowest(&self) -> u16 {
        self.taken.iter().position(|taken| !taken).unwrap_or(self.taken.len()) as u16
    }
}

/// Gives out registers block by block.
struct Painter<'a> {
    flow: &'a Flow,
    allocation: &'a mut Allocation,
    survivors: &'a [bool],
    hints: &'a [u16],
    deaths: &'a AllDeaths,
    x: Bank,
    y: Bank,
    /// Variables alive now that have slots, in order.
    in_slots: BTreeSet<Var>,
    /// Counts instructions, and when each slot was last in use.
    clock: u32,
    last_use: Vec<u32>,
}

impl Painter<'_> {
    fn paint(mut self) -> Result<(), TooComplex> {
        for (at, &param) in self.flow.params.iter().enumerate() {
            self.allocation.x[param.index()] = at as u16;
        }
        for id in self.allocation.order.clone() {
            self.block(id);
        }
        let highest = |registers: &[u16]| registers.iter().copied().filter(|&r| r != NONE).max();
        let x = highest(&self.allocation.x).map_or(0, |x| x + 1);
        self.order_slots();
        let y = self.mark_slots(highest(&self.allocation.y).map_or(0, |y| y + 1));
        // Two are kept for constants that an instruction wants in a register.
        if x + 2 > MAX_X || y > MAX_Y {
            return Err(TooComplex);
        }
        self.allocation.words = y;
        self.allocation.scratch = x;
        Ok(())
    }

    fn used(&mut self, slot: u16) {
        if slot == NONE {
            return;
        }
        if self.last_use.len() <= usize::from(slot) {
            self.last_use.resize(usize::from(slot) + 1, 0);
        }
        self.last_use[usize::from(slot)] = self.clock;
    }

    /// Numbers slots by when they are last used: the frame can then be trimmed at its front.
    fn order_slots(&mut self) {
        let mut order: Vec<usize> = (0..self.last_use.len()).collect();
        order.sort_by_key(|&slot| self.last_use[slot]);
        let mut place = vec![0; order.len()];
        for (new, old) in order.into_iter().enumerate() {
            place[old] = new as u16;
        }
        for slot in self.allocation.y.iter_mut().filter(|slot| **slot != NONE) {
            *slot = place[usize::from(*slot)];
        }
    }

    /// Gives catch marks their slots, from `base` on: unwinding looks at the frame from its first slot up, so an inner
    /// mark must come before the outer ones. The number of slots in all.
    fn mark_slots(&mut self, base: u16) -> u16 {
        let mut depths: Vec<Option<u16>> = vec![None; self.flow.blocks.len()];
        let mut marks = Vec::new();
        for &id in &self.allocation.order {
            let depth = self.depth(id, &mut depths);
            if let End::Protect { slot, .. } = self.flow.block(id).end {
                marks.push((slot, depth));
            }
        }
        let count = marks.iter().map(|(_, depth)| depth + 1).max().unwrap_or(0);
        for (slot, depth) in marks {
            self.allocation.y[slot.index()] = base + count - 1 - depth;
        }
        base + count
    }

    /// How many handlers are around a block.
    fn depth(&self, id: BlockId, depths: &mut [Option<u16>]) -> u16 {
        let mut chain = Vec::new();
        let mut at = Some(id);
        let mut depth = 0;
        while let Some(id) = at {
            if let Some(known) = depths[id.index()] {
                depth = known;
                break;
            }
            chain.push(id);
            at = self.flow.block(id).handler;
        }
        let outermost = at.is_none();
        for (i, id) in chain.into_iter().rev().enumerate() {
            if !(outermost && i == 0) {
                depth += 1;
            }
            depths[id.index()] = Some(depth);
        }
        depth
    }

    fn block(&mut self, id: BlockId) {
        let mut framed = self.allocation.framed_at_start(id);
        self.clock += 1;
        self.x.clear();
        self.y.clear();
        self.in_slots.clear();
        for var in self.allocation.liveness.live_in(id) {
            self.occupy(var, framed);
        }
        if id.index() == 0 {
            self.entry_params();
        }
        let block = self.flow.block(id);
        for &param in &block.params {
            let fixed = block.insts.first().is_some_and(|inst| inst.op == Op::CatchEnd);
            self.define(param, framed, fixed.then_some(0), &[]);
        }
        let mut frame_at = match self.allocation.makes_frame[id.index()] {
            true => Some(frame_position(block)),
            false => None,
        };
        for (at, inst) in block.insts.iter().enumerate() {
            if frame_at == Some(at) {
                frame_at = None;
                framed = true;
                self.move_to_slots();
            }
            let dead = self.deaths.of(id).at(at);
            self.inst(inst, dead, framed);
        }
        if frame_at.is_some() {
            framed = true;
            self.move_to_slots();
        }
        let dead = self.deaths.of(id).at_end();
        self.end(id, dead, framed);
    }

    fn inst(&mut self, inst: &Inst, dead: &[Var], framed: bool) {
        self.clock += 1;
        for &var in dead {
            if !inst.dsts.contains(&var) {
                self.release(var, framed);
            }
        }
        for (at, &dst) in inst.dsts.iter().enumerate() {
            let fixed = match inst.op {
                Op::Call(_) | Op::CatchEnd => Some(0),
                Op::TryCase => Some(at as u16),
                _ => None,
            };
            self.define(dst, framed, fixed, &inst.args);
        }
        for &var in dead {
            if inst.dsts.contains(&var) {
                self.release(var, framed);
            }
        }
    }

    /// The frame is made: what has a slot leaves its X register.
    fn move_to_slots(&mut self) {
        for var in self.in_slots.clone() {
            self.x.free(self.allocation.x[var.index()]);
        }
    }

    /// Parameters that are read somewhere keep their registers; a slot is taken for those that need one.
    fn entry_params(&mut self) {
        for &param in &self.flow.params {
            if !self.deaths.read(self.flow, &self.allocation.liveness, param) {
                continue;
            }
            self.x.take(self.allocation.x[param.index()]);
            if self.survivors[param.index()] {
                let slot = self.y.lowest();
                self.y.take(slot);
                self.in_slots.insert(param);
                self.allocation.y[param.index()] = slot;
                self.used(slot);
            }
        }
    }

    fn end(&mut self, id: BlockId, dead: &[Var], framed: bool) {
        let inst = match &self.flow.block(id).end {
            End::Branch { inst, .. } => inst,
            End::LoopRec { dst, .. } => return self.define(*dst, framed, None, &[]),
            _ => return,
        };
        // Where the instruction fails its operands may still be wanted, but then they are not dead here. A result
        // may take their place unless several results are written while operands are still read.
        let several = inst.dsts.len() > 1;
        if !several {
            dead.iter().for_each(|&var| self.release(var, framed));
            // It is written only where the instruction succeeds: what is alive only where it fails makes room too.
            for var in self.only_failing(id) {
                self.release(var, framed);
            }
        }
        for &dst in &inst.dsts {
            self.define(dst, framed, None, if several { &[] } else { &inst.args });
        }
    }

    /// What is alive only where the instruction at the end of a block fails.
    fn only_failing(&self, id: BlockId) -> Vec<Var> {
        let block = self.flow.block(id);
        let End::Branch { yes, no, .. } = block.end else { return Vec::new() };
        let liveness = &self.allocation.liveness;
        let elsewhere = [Some(yes), block.handler];
        let wanted = |var: Var| elsewhere.iter().flatten().any(|&to| liveness.is_live_in(to, var));
        liveness.live_in(no).into_iter().filter(|&var| !wanted(var)).collect()
    }

    fn occupy(&mut self, var: Var, framed: bool) {
        self.used(self.allocation.y[var.index()]);
        self.y.take(self.allocation.y[var.index()]);
        if self.survivors[var.index()] {
            self.in_slots.insert(var);
        }
        if !(framed && self.survivors[var.index()]) {
            self.x.take(self.allocation.x[var.index()]);
        }
    }

    fn release(&mut self, var: Var, framed: bool) {
        self.used(self.allocation.y[var.index()]);
        self.y.free(self.allocation.y[var.index()]);
        self.in_slots.remove(&var);
        if !(framed && self.survivors[var.index()]) {
            self.x.free(self.allocation.x[var.index()]);
        }
    }

    /// Gives a variable its registers: a slot if it survives, and an X register unless it is born in its slot.
    fn define(&mut self, var: Var, framed: bool, fixed: Option<u16>, args: &[Value]) {
        if self.survivors[var.index()] {
            let slot = self.y.lowest();
            self.y.take(slot);
            self.in_slots.insert(var);
            self.allocation.y[var.index()] = slot;
            self.used(slot);
            if framed {
                return;
            }
        }
        let register = fixed.unwrap_or_else(|| self.choose(var, args));
        self.x.take(register);
        self.allocation.x[var.index()] = register;
    }

    fn choose(&self, var: Var, args: &[Value]) -> u16 {
        let hint = self.hints[var.index()];
        if hint != NONE && self.x.is_free(hint) {
            return hint;
        }
        // The place of an operand that is not needed any more.
        let reused = args.iter().filter_map(|value| value.var()).find_map(|var| {
            let register = self.allocation.x[var.index()];
            (register != NONE && self.x.is_free(register) && !self.survivors[var.index()]).then_some(register)
        });
        reused.unwrap_or_else(|| self.x.lowest())
    }
}

/// How many X registers a call reads.
pub(super) fn argument_count(target: Target) -> usize {
    match target {
        Target::Local(_, arity) | Target::Ext(_, _, arity) => usize::from(arity),
        Target::Fun(arity) => usize::from(arity) + 1,
        Target::Apply(arity) => usize::from(arity) + 2,
        Target::Send => 2,
    }
}

//! Forward data flow to a fixpoint, function by function.
//!
//! A *block* runs from a label (or the function's start) up to the next label or to an instruction that ends. Each
//! block has one state, that at its start; [`Flow::edge`] joins a state into a block's and queues the block if that
//! changed it. Blocks are taken in the order of the code, which is nearly the order in which control reaches them,
//! so most code is followed once or twice. Facts are written, and the edges on which no reduction was charged are collected, as a block is
//! followed for the first time. When nothing is queued any more, blocks that were followed again since, as their state had changed,
//! are followed once more for that. The edges without a charge must form no cycle.

use super::shape::{self, Fault, Shape};
use super::state::{Receive, State};
use super::{Fact, FunctionFacts, Reason, VerifyError};
use crate::bytecode::{Function, Instr, Label, Module};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Visits of a block after which changed types are given up. Types of a register can change about twelve times each;
/// real code settles in two or three visits.
const VISITS_BEFORE_WIDENING: u32 = 8;

/// Work allowed per operand of the module: registers joined and instructions followed. Real code takes well under a
/// hundred.
const WORK_PER_OPERAND: u64 = 2_000;

/// Work allowed in addition, so that small modules may be odd.
const WORK_FLAT: u64 = 1 << 24;

/// Most registers that the states of one function may hold together: 64 MB.
const MAX_CELLS: u64 = 1 << 23;

/// Facts about all functions of a module whose tables are in order.
pub(super) fn functions(module: &Module) -> Result<Vec<FunctionFacts>, VerifyError> {
    let mut work = WORK_FLAT;
    let mut all = Vec::with_capacity(module.functions.len());
    for function in &module.functions {
        let facts = one(module, function, &mut work);
        all.push(facts.map_err(|fault| shape::located(module, function, fault))?);
    }
    Ok(all)
}

fn one(module: &Module, function: &Function, work: &mut u64) -> Result<FunctionFacts, Fault> {
    let shape = shape::check(module, function)?;
    *work += shape.size.saturating_mul(WORK_PER_OPERAND);
    let mut flow = Flow::new(module, function, &shape, *work);
    flow.settle()?;
    flow.record()?;
    *work = flow.work;
    flow.no_free_loop()?;
    // A handler's three registers count even if the code does not name them.
    let x_registers = shape.x_registers.max(3);
    Ok(FunctionFacts { facts: flow.facts, x_registers, max_frame: flow.max_frame })
}

/// A block by number: labels first, the function's start behind them.
type Block = usize;

pub(super) struct Flow<'m> {
    pub module: &'m Module,
    pub function: &'m Function,
    pub shape: &'m Shape,
    /// State at the start of each block that was reached.
    states: Vec<Option<State>>,
    visits: Vec<u32>,
    queued: Vec<bool>,
    /// Queued blocks by position.
    queue: BinaryHeap<Reverse<(usize, Block)>>,
    /// Work left.
    work: u64,
    /// Values in all states.
    cells: u64,
    /// The block being followed.
    block: Block,
    /// Whether a reduction was charged since the block's start.
    pub charged: bool,
    /// What is known of the instruction being followed.
    pub fact: Fact,
    /// In the last round: edges are only looked at.
    recording: bool,
    facts: Vec<Fact>,
    pub max_frame: u16,
    /// Edges on which nothing was charged.
    free: Vec<(Block, Block)>,
}

impl<'m> Flow<'m> {
    fn new(module: &'m Module, function: &'m Function, shape: &'m Shape, work: u64) -> Self {
        let blocks = shape.labels.len() + 1;
        let mut states: Vec<Option<State>> = Vec::new();
        states.resize_with(blocks, || None);
        let start = blocks - 1;
        states[start] = Some(State::start(function.arity, &function.contexts));
        let mut queued = vec![false; blocks];
        queued[start] = true;
        Flow {
            module,
            function,
            shape,
            states,
            visits: vec![0; blocks],
            queued,
            queue: BinaryHeap::from([Reverse((0, start))]),
            work,
            cells: 0,
            block: start,
            charged: false,
            fact: Fact::default(),
            recording: false,
            facts: vec![Fact::default(); function.code.len()],
            max_frame: 0,
            free: Vec::new(),
        }
    }

    fn place(&self, block: Block) -> usize {
        self.shape.labels.get(block).copied().unwrap_or(0)
    }

    /// Follows blocks until no state changes.
    fn settle(&mut self) -> Result<(), Fault> {
        while let Some(Reverse((_, block))) = self.queue.pop() {
            self.queued[block] = false;
            self.visits[block] += 1;
            self.follow(block)?;
        }
        Ok(())
    }

    /// Follows every block whose state changed after it was followed once more, and writes down what is known.
    fn record(&mut self) -> Result<(), Fault> {
        self.recording = true;
        let Flow { free, visits, .. } = self;
        free.retain(|(from, _)| visits[*from] == 1);
        (0..self.states.len()).try_for_each(|block| match self.visits[block] {
            0 | 1 => Ok(()),
            _ => self.follow(block),
        })
    }

    fn follow(&mut self, block: Block) -> Result<(), Fault> {
        let Some(mut state) = self.states[block].clone() else { return Ok(()) };
        self.block = block;
        self.charged = false;
        let start = self.place(block);
        self.spend(state.cells()).map_err(|reason| (start, reason))?;
        for pc in start.. {
            let Some(instr) = self.function.code.get(pc) else { return Err((pc - 1, Reason::FallsOff)) };
            // An instruction may look at all X registers.
            self.spend(1 + state.x.len() as u64 / 16).map_err(|reason| (pc, reason))?;
            self.fact = Fact::REACHED;
            self.fact.set(Fact::FRAGILE, matches!(state.receive, Receive::Message(_)));
            if let Instr::Label { label } = instr
                && (pc != start || label.index() != block)
            {
                return self.fall_through(*label, &state).map_err(|reason| (pc, reason));
            }
            self.step(&mut state, pc, instr).map_err(|reason| (pc, reason))?;
            self.facts[pc] = self.fact;
            if instr.flags().ends {
                return Ok(());
            }
        }
        Ok(())
    }

    fn spend(&mut self, work: u64) -> Result<(), Reason> {
        self.work = self.work.checked_sub(work).ok_or(Reason::Unsettled)?;
        Ok(())
    }

    /// Whether control stands at the first instruction proper of a labelled block at `pc`.
    pub fn is_first(&self, pc: usize) -> bool {
        self.shape.firsts.get(self.block) == Some(&pc)
    }

    /// The first instruction proper behind `label`, and where it is.
    pub fn first(&self, label: Label) -> (usize, Option<&'m Instr>) {
        let pc = self.shape.firsts[label.index()];
        (pc, self.function.code.get(pc))
    }

    /// Control may go on at `label` with `state`, other than by an exception.
    pub fn edge(&mut self, label: Label, state: &State) -> Result<(), Reason> {
        if matches!(self.first(label).1, Some(Instr::TryCase { .. })) {
            return Err(Reason::EntersHandler);
        }
        self.join(label, state)
    }

    /// Control goes on from the end of a block to the next label.
    fn fall_through(&mut self, label: Label, state: &State) -> Result<(), Reason> {
        // Several labels may stand in front of a handler: going on from one to the next is no way in.
        if self.is_first(self.first(label).0) { self.join(label, state) } else { self.edge(label, state) }
    }

    /// Control may go on at `label` with `state`, also by an exception.
    pub fn join(&mut self, label: Label, state: &State) -> Result<(), Reason> {
        let block = label.index();
        if !self.charged && (self.recording || self.visits[self.block] == 1) {
            self.free.push((self.block, block));
        }
        if self.recording {
            return Ok(());
        }
        self.spend(state.cells())?;
        let widen = self.visits[block] > VISITS_BEFORE_WIDENING;
        let changed = if let Some(known) = &mut self.states[block] {
            known.join(state, widen)?
        } else {
            self.cells += state.cells();
            if self.cells > MAX_CELLS {
                return Err(Reason::TooLarge("registers times labels in one function"));
            }
            self.states[block] = Some(state.clone());
            true
        };
        if changed && !self.queued[block] {
            self.queued[block] = true;
            self.queue.push(Reverse((self.place(block), block)));
        }
        Ok(())
    }

    /// Takes blocks away that no free edge enters; if some stay, they are on a cycle or behind one.
    fn no_free_loop(&mut self) -> Result<(), Fault> {
        self.free.sort_unstable();
        self.free.dedup();
        let mut entered = vec![0u32; self.states.len()];
        for (_, to) in &self.free {
            entered[*to] += 1;
        }
        let mut ready: Vec<Block> = (0..entered.len()).filter(|block| entered[*block] == 0).collect();
        while let Some(block) = ready.pop() {
            let start = self.free.partition_point(|(from, _)| *from < block);
            for (_, to) in self.free[start..].iter().take_while(|(from, _)| *from == block) {
                entered[*to] -= 1;
                if entered[*to] == 0 {
                    ready.push(*to);
                }
            }
        }
        match entered.iter().position(|count| *count > 0) {
            Some(block) => Err((self.place(block), Reason::FreeLoop)),
            None => Ok(()),
        }
    }
}

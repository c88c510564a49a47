//! Control flow: a function as blocks of instructions over variables that are assigned once.
//!
//! A block has parameters instead of phi functions: `Jump` passes them, and no other end of a block may lead to a
//! block with parameters, so moves between registers happen in straight lines only. Variables are Core's, and new
//! ones above them. There are no loops but those of `receive`.
//!
//! A block inside the protected part of a `try` or `catch` names the handler: every instruction in it may go there.

use super::words;
use crate::bytecode::{BitFlags, Line, SegmentKind};
use crate::core::{LitId, Value, Var};
use crate::{Name, known};

/// A block of its function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BlockId(pub u32);

impl BlockId {
    /// Position in tables by block.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function.
#[derive(Debug)]
pub struct Flow {
    pub params: Vec<Var>,
    /// The first one is the entry.
    pub blocks: Vec<Block>,
    /// Variables are numbered below this.
    pub vars: u32,
}

/// Instructions in a row.
#[derive(Clone, Debug)]
pub struct Block {
    pub params: Vec<Var>,
    pub insts: Vec<Inst>,
    pub end: End,
    /// Line of the end, if it raises or calls.
    pub line: Line,
    /// Innermost handler around.
    pub handler: Option<BlockId>,
}

/// `dsts := op(args)`
#[derive(Clone, Debug, PartialEq)]
pub struct Inst {
    pub op: Op,
    pub args: Vec<Value>,
    pub dsts: Vec<Var>,
    pub line: Line,
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    Copy,
    /// Head and tail of a list cell, or one of them.
    Head,
    Tail,
    /// Element of a tuple, from 0.
    Element(u32),
    Cons,
    Tuple,
    /// The fun of a lambda row over the arguments.
    Fun(u32),
    Bif(Name),
    /// A BIF that is a test: it gives a boolean and never raises.
    Bool(Name),
    /// Map, then keys and values in turn.
    MapPut,
    MapUpdate,
    /// For each segment its value, and its size if that is given.
    BsCreate(Vec<BsSegment>),
    BsPosition,
    /// Context, position.
    BsRestore,
    /// The rest of a context.
    BsGetTail,
    /// The term that a term or a context stands for.
    BsWhole,
    /// What it is given begins here, if it is a context.
    BsBegin,
    /// Slot.
    TryEnd,
    /// Slot; class, reason, trace.
    TryCase,
    /// Slot, value.
    CatchEnd,
    RemoveMessage,
    Timeout,
    ReceiveMark,
    BuildTrace,
    Call(Target),
    /// Only at the end of a block, with a place to fail to: a test without result.
    Test(Test),
    /// The same, from here on: map, then keys; a result for each that is read.
    MapGet,
    BsStart,
    /// Context, size.
    BsInteger {
        unit: u16,
        flags: BitFlags,
    },
    BsFloat {
        unit: u16,
        flags: BitFlags,
    },
    /// Context and size; without a size, the rest.
    BsBinary {
        unit: u16,
    },
    BsUtf {
        kind: SegmentKind,
        flags: BitFlags,
    },
    BsSkip {
        unit: u16,
    },
    BsString(LitId),
    BsTail(u32),
    /// The rest has whole units.
    BsRest {
        unit: u16,
    },
}

/// Shape of a segment under construction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BsSegment {
    /// As in [`crate::core::Segment`].
    pub place: u16,
    pub kind: SegmentKind,
    /// Whether a size comes behind the value.
    pub sized: bool,
    pub unit: u16,
    pub flags: BitFlags,
}

/// What a call calls; the arguments are in the order of the X registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Local(Name, u8),
    Ext(Name, Name, u8),
    /// The fun is behind the arguments.
    Fun(u8),
    /// Module and function are behind the arguments.
    Apply(u8),
    Send,
}

/// A condition on the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    Integer,
    Float,
    Number,
    Atom,
    Boolean,
    Pid,
    Port,
    Reference,
    Binary,
    Bitstring,
    List,
    Cons,
    Nil,
    Tuple,
    TupleOf(u32),
    Tagged(u32, Name),
    Map,
    Fun,
    FunOf,
    Lt,
    Ge,
    Eq,
    Ne,
    ExactEq,
    ExactNe,
}

/// Where a block leads.
#[derive(Clone, Debug)]
pub enum End {
    Jump(BlockId, Vec<Value>),
    /// The instruction succeeds or fails.
    Branch {
        inst: Inst,
        yes: BlockId,
        no: BlockId,
    },
    /// By a constant.
    Select {
        value: Value,
        cases: Vec<(crate::core::Const, BlockId)>,
        default: BlockId,
    },
    /// By the arity of a tuple.
    Arity {
        value: Value,
        cases: Vec<(u32, BlockId)>,
        default: BlockId,
    },
    Return(Value),
    TailCall(Target, Vec<Value>),
    Fail(Fail, Vec<Value>),
    /// Puts a catch mark into `slot`.
    Protect {
        slot: Var,
        catch: bool,
        handler: BlockId,
        next: BlockId,
    },
    LoopRec {
        dst: Var,
        next: BlockId,
        empty: BlockId,
    },
    /// Goes on with the next message.
    NextMessage(BlockId),
    Wait(BlockId),
    WaitTimeout {
        time: Value,
        again: BlockId,
        next: BlockId,
    },
    /// Still being built, or reached by nothing.
    Open,
}

/// What raises at the end of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fail {
    FunctionClause,
    CaseClause,
    BadMatch,
    TryClause,
    IfClause,
    BadRecord,
    ReRaise,
}

impl Flow {
    /// The block behind an id.
    #[must_use]
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// The same, to change.
    pub fn block_mut(&mut self, id: BlockId) -> &mut Block {
        &mut self.blocks[id.index()]
    }

    /// How many times blocks lead to each block.
    #[must_use]
    pub fn predecessor_counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.blocks.len()];
        for block in &self.blocks {
            block.end.each_target(|to| counts[to.index()] += 1);
        }
        counts
    }

    /// A new variable.
    pub fn var(&mut self) -> Var {
        self.vars += 1;
        Var(self.vars - 1)
    }
}

impl End {
    /// Calls `visit` with every block this leads to.
    pub fn each_target(&self, mut visit: impl FnMut(BlockId)) {
        match self {
            End::Jump(to, _) | End::NextMessage(to) | End::Wait(to) => visit(*to),
            End::Branch { yes, no, .. } => {
                visit(*yes);
                visit(*no);
            }
            End::Select { cases, default, .. } => {
                cases.iter().for_each(|(_, to)| visit(*to));
                visit(*default);
            }
            End::Arity { cases, default, .. } => {
                cases.iter().for_each(|(_, to)| visit(*to));
                visit(*default);
            }
            End::Protect { handler, next, .. } => {
                visit(*next);
                visit(*handler);
            }
            End::LoopRec { next, empty, .. } => {
                visit(*next);
                visit(*empty);
            }
            End::WaitTimeout { again, next, .. } => {
                visit(*next);
                visit(*again);
            }
            End::Return(_) | End::TailCall(..) | End::Fail(..) | End::Open => {}
        }
    }

    /// Calls `visit` with every block this leads to.
    pub fn each_target_mut(&mut self, mut visit: impl FnMut(&mut BlockId)) {
        match self {
            End::Jump(to, _) | End::NextMessage(to) | End::Wait(to) => visit(to),
            End::Branch { yes, no, .. } => {
                visit(yes);
                visit(no);
            }
            End::Select { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, to)| visit(to));
                visit(default);
            }
            End::Arity { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, to)| visit(to));
                visit(default);
            }
            End::Protect { handler, next, .. } => {
                visit(next);
                visit(handler);
            }
            End::LoopRec { next, empty, .. } => {
                visit(next);
                visit(empty);
            }
            End::WaitTimeout { again, next, .. } => {
                visit(next);
                visit(again);
            }
            End::Return(_) | End::TailCall(..) | End::Fail(..) | End::Open => {}
        }
    }

    /// Calls `visit` with every value this reads.
    pub fn each_use(&self, mut visit: impl FnMut(Value)) {
        match self {
            End::Jump(_, args) | End::TailCall(_, args) | End::Fail(_, args) => {
                args.iter().copied().for_each(visit);
            }
            End::Branch { inst, .. } => inst.args.iter().copied().for_each(visit),
            End::Select { value, .. } | End::Arity { value, .. } | End::Return(value) => visit(*value),
            End::WaitTimeout { time, .. } => visit(*time),
            End::Protect { .. } | End::LoopRec { .. } | End::NextMessage(_) | End::Wait(_) | End::Open => {}
        }
    }

    /// The same, to change.
    pub fn each_use_mut(&mut self, mut visit: impl FnMut(&mut Value)) {
        match self {
            End::Jump(_, args) | End::TailCall(_, args) | End::Fail(_, args) => {
                args.iter_mut().for_each(visit);
            }
            End::Branch { inst, .. } => inst.args.iter_mut().for_each(visit),
            End::Select { value, .. } | End::Arity { value, .. } | End::Return(value) => visit(value),
            End::WaitTimeout { time, .. } => visit(time),
            End::Protect { .. } | End::LoopRec { .. } | End::NextMessage(_) | End::Wait(_) | End::Open => {}
        }
    }

    /// Calls `visit` with every variable this binds.
    pub fn each_def(&self, mut visit: impl FnMut(Var)) {
        match self {
            End::Branch { inst, .. } => inst.dsts.iter().copied().for_each(visit),
            End::Protect { slot, .. } => visit(*slot),
            End::LoopRec { dst, .. } => visit(*dst),
            _ => {}
        }
    }
}

impl Inst {
    /// Whether the instruction may be left out if nothing reads its results.
    #[must_use]
    pub fn is_pure(&self) -> bool {
        match self.op {
            Op::Copy
            | Op::Head
            | Op::Tail
            | Op::Element(_)
            | Op::Cons
            | Op::Tuple
            | Op::Fun(_)
            | Op::Bool(_)
            | Op::BsPosition => true,
            Op::Bif(name) | Op::Call(Target::Ext(known::ERLANG, name, _)) => {
                words::only_gives_value(name, self.args.len())
            }
            _ => false,
        }
    }

    /// Whether the instruction destroys the X registers.
    #[must_use]
    pub fn clobbers(&self) -> bool {
        matches!(self.op, Op::Call(_))
    }
}

/// The line of what no source wrote.
pub const NO_LINE: Line = Line { file: 0, line: 0 };

//! The state at one place of a function: registers, frame, catch marks, reserved space, receive.

use super::Reason;
use super::value::{Form, Value};
use crate::bytecode::{Label, MAX_X, Reg};

/// A catch mark in the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub slot: u16,
    pub handler: Label,
    /// Of the old `catch` rather than of `try`.
    pub is_catch: bool,
}

/// How far a receive has come. The number is the position of its `loop_rec`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Receive {
    /// In none.
    Out,
    /// A message is being looked at.
    Message(usize),
    /// All messages were seen.
    Empty(usize),
    /// The time is over and not yet taken.
    TimedOut,
}

/// A state. Everything in it is compared or joined where paths meet.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// X registers; those beyond the end hold nothing.
    pub x: Vec<Value>,
    /// Slots of the frame, if there is one.
    pub frame: Option<Vec<Value>>,
    /// Catch marks in the frame, the innermost last.
    pub marks: Vec<Mark>,
    /// Words of heap reserved and not yet used.
    pub space: u32,
    pub receive: Receive,
}

impl State {
    /// At the start of a function with `arity` arguments; those of `contexts` may be match contexts.
    pub fn start(arity: u8, contexts: &[u8]) -> State {
        let mut x = vec![Value::ANY; usize::from(arity)];
        for &param in contexts {
            x[usize::from(param)] = Value::EITHER;
        }
        State { x, frame: None, marks: Vec::new(), space: 0, receive: Receive::Out }
    }

    /// Number of values in it: its size in memory and the cost of a join.
    pub fn cells(&self) -> u64 {
        (self.x.len() + self.frame.as_ref().map_or(0, Vec::len) + 1) as u64
    }

    /// What a register holds.
    pub fn get(&self, reg: Reg) -> Result<Value, Reason> {
        match reg {
            Reg::X(n) if n >= MAX_X => Err(Reason::NoSuchX(n)),
            Reg::X(n) => Ok(self.x.get(usize::from(n)).copied().unwrap_or(Value::NOTHING)),
            Reg::Y(n) => {
                let frame = self.frame.as_ref().ok_or(Reason::NoFrame)?;
                frame.get(usize::from(n)).copied().ok_or(Reason::NoSuchY(n))
            }
        }
    }

    /// Writes a register; catch marks are not overwritten, and nothing fragile is kept in a slot.
    pub fn set(&mut self, reg: Reg, value: Value) -> Result<(), Reason> {
        let old = self.get(reg)?;
        if let (Reg::Y(n), Form::Mark) = (reg, old.form) {
            return Err(Reason::MarkLost(n));
        }
        if matches!(reg, Reg::Y(_)) && value.fragile {
            return Err(Reason::Fragile(name(reg)));
        }
        self.overwrite(reg, value);
        Ok(())
    }

    /// Writes a register that is there, whatever it holds.
    pub fn overwrite(&mut self, reg: Reg, value: Value) {
        let (registers, n) = match (reg, &mut self.frame) {
            (Reg::X(n), _) => (&mut self.x, usize::from(n)),
            (Reg::Y(n), Some(frame)) => (frame, usize::from(n)),
            (Reg::Y(_), None) => return,
        };
        if n >= registers.len() && matches!(reg, Reg::X(_)) {
            registers.resize(n + 1, Value::NOTHING);
        }
        registers[n] = value;
    }

    /// Only the first `live` X registers stay.
    pub fn keep_x(&mut self, live: u16) {
        self.x.truncate(usize::from(live));
    }

    /// After a call: its result and no other X register.
    pub fn after_call(&mut self, result: Value) {
        self.x.clear();
        self.x.push(result);
        self.space = 0;
    }

    /// Joins `other` into this state; `true` if that changed it. With `widen`, types that change are given up.
    pub fn join(&mut self, other: &State, widen: bool) -> Result<bool, Reason> {
        if self.marks != other.marks {
            return Err(Reason::MarkMismatch);
        }
        if self.receive != other.receive {
            return Err(Reason::ReceiveMismatch);
        }
        let mut changed = false;
        match (&mut self.frame, &other.frame) {
            (None, None) => {}
            (Some(mine), Some(others)) if mine.len() == others.len() => {
                changed |= join_all(mine, others, widen);
            }
            _ => return Err(Reason::FrameMismatch),
        }
        if self.x.len() > other.x.len() {
            changed |= self.x[other.x.len()..].iter().any(|value| value.form != Form::Nothing);
            self.x.truncate(other.x.len());
        }
        changed |= join_all(&mut self.x, &other.x, widen);
        if other.space < self.space {
            self.space = if widen { 0 } else { other.space };
            changed = true;
        }
        Ok(changed)
    }
}

/// Joins pairwise as far as both go.
fn join_all(mine: &mut [Value], others: &[Value], widen: bool) -> bool {
    let mut changed = false;
    for (mine, other) in mine.iter_mut().zip(others) {
        let joined = mine.join(*other);
        if joined != *mine {
            *mine = if widen { joined.widened() } else { joined };
            changed = true;
        }
    }
    changed
}

/// A register's name in assembler text.
pub(super) fn name(reg: Reg) -> String {
    match reg {
        Reg::X(n) => format!("x{n}"),
        Reg::Y(n) => format!("y{n}"),
    }
}

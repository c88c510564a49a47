//! The machine: runs a program over a subject, and goes back to its last choice when it can go no further.
//!
//! Everything that may have to be undone lies on one stack of small entries: choices, old values of slots, and the marks of
//! what is going on (assertions, calls, verbs). To leave an atomic group, an assertion or a call is to cut the stack
//! back to where it was entered; old values of slots stay, for they are still to be restored when what lies below them
//! is returned to. A call saves all slots of groups and gives them back when it returns, which it does once.

use super::ast::{Mode, Single};
use super::program::{Inst, Pc, Program, Slot};
use super::scan::{before, newline_at};
use super::{Limits, Meter};

/// No position.
pub(super) const UNSET: u32 = u32::MAX;

/// Instructions and bytes passed between two announcements of work.
const AT_ONCE: u32 = 1024;

/// Characters that a repetition passes for the price of one instruction.
pub(super) const CHARACTERS_PER_STEP: usize = 8;

/// How a match is to be made.
#[derive(Clone, Copy, Debug, Default)]
pub struct MatchOptions {
    /// Where to begin.
    pub offset: usize,
    pub anchored: bool,
    pub notbol: bool,
    pub noteol: bool,
    pub notempty: bool,
    pub notempty_atstart: bool,
    pub newline: Option<super::Newline>,
    pub bsr_anycrlf: Option<bool>,
    pub limits: Limits,
}

/// Why a match was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchError {
    /// Too many choices.
    Steps,
    /// Too many open choices.
    Depth,
    /// A call of a group that is being called at the same place.
    Loop,
    /// The meter stopped it.
    Stopped,
}

/// A match: for each group, the whole being group 0, where it begins and ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub spans: Vec<Option<(usize, usize)>>,
}

/// What may have to be undone or taken up again.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    /// Go on there.
    Retry {
        pc: Pc,
        at: u32,
    },
    /// The same, for the branch that begins at `from`.
    Branch {
        from: Pc,
        pc: Pc,
        at: u32,
    },
    /// A repetition gives characters back, down to `least`, and goes on at `pc`.
    GiveBack {
        pc: Pc,
        least: u32,
        at: u32,
    },
    /// A repetition at `pc` takes one more.
    TakeMore {
        pc: Pc,
        at: u32,
        left: u32,
    },
    Undo {
        slot: Slot,
        old: u32,
    },
    /// A positive assertion is being tried, which ends at `end`.
    Look {
        end: Pc,
    },
    /// A negative assertion, or one that decides: its failure goes on at `other`.
    Not {
        other: Pc,
        at: u32,
        end: Pc,
        negated: bool,
    },
    Call,
    Verb {
        pc: Pc,
        at: u32,
    },
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub group: u32,
    pub back: Pc,
    pub at: u32,
    /// Where the stack was.
    pub height: u32,
}

/// How an attempt at one place ends.
pub(super) enum Attempt {
    Matched(usize),
    Failed,
    /// No other place is to be tried.
    Committed,
    /// This place is to be tried next.
    Skip(usize),
}

pub(super) struct Machine<'a> {
    pub program: &'a Program,
    pub subject: &'a [u8],
    pub options: MatchOptions,
    pub newline: super::Newline,
    pub unicode: bool,
    pub slots: Vec<u32>,
    pub stack: Vec<Entry>,
    pub frames: Vec<Frame>,
    /// Slots saved by the calls.
    pub saved: Vec<u32>,
    meter: &'a mut dyn Meter,
    fuel: u32,
    /// Choices that may still be made.
    steps: u64,
    limits: Limits,
    /// The stack may grow to this before the meter is asked.
    held: usize,
}

/// Matches once; see [`super::run`].
pub(super) fn run(
    program: &Program,
    subject: &[u8],
    options: MatchOptions,
    meter: &mut dyn Meter,
) -> Result<Option<Found>, MatchError> {
    // Positions are of 32 bits.
    if subject.len() >= UNSET as usize || !meter.hold(4 * program.slots as usize) {
        return Err(MatchError::Stopped);
    }
    let limits = program.limits(options.limits);
    let mut machine = Machine {
        program,
        subject,
        options,
        newline: options.newline.unwrap_or(program.options.newline),
        unicode: program.options.unicode,
        slots: vec![UNSET; program.slots as usize],
        stack: Vec::new(),
        frames: Vec::new(),
        saved: Vec::new(),
        meter,
        fuel: AT_ONCE,
        steps: limits.steps,
        limits,
        held: 0,
    };
    machine.search()
}

impl Machine<'_> {
    /// Tries one place after another.
    fn search(&mut self) -> Result<Option<Found>, MatchError> {
        let anchored = self.options.anchored || self.program.options.anchored || self.program.anchored;
        let mut start = self.options.offset;
        let mut required: Option<usize> = None;
        let end = if self.program.options.firstline { self.first_line_end()? } else { self.subject.len() };
        loop {
            if !anchored && let Some(first) = &self.program.first {
                let rest = &self.subject[start..];
                let skipped =
                    rest.iter().position(|byte| first[usize::from(byte >> 6)] & 1 << (byte & 63) != 0);
                self.pay(skipped.unwrap_or(rest.len()) / CHARACTERS_PER_STEP)?;
                match skipped {
                    Some(skipped) => start += skipped,
                    None => return Ok(None),
                }
            }
            if start > end {
                return Ok(None);
            }
            if required.is_none_or(|required| required < start) {
                required = self.next_required(start)?;
                if required.is_none() {
                    return Ok(None);
                }
            }
            self.slots.fill(UNSET);
            self.slots[0] = start as u32;
            self.pay(self.slots.len() / CHARACTERS_PER_STEP)?;
            self.stack.clear();
            self.frames.clear();
            self.saved.clear();
            match self.attempt(start)? {
                Attempt::Matched(end) => return Ok(Some(self.found(end))),
                Attempt::Committed => return Ok(None),
                Attempt::Skip(next) if next > start && !anchored => {
                    start = next;
                    continue;
                }
                Attempt::Skip(_) | Attempt::Failed => {}
            }
            if anchored || start >= self.subject.len() {
                return Ok(None);
            }
            start = self.next_start(start);
        }
    }

    /// The place after one that was tried: the next character. Between a carriage return and a line feed nothing begins, where
    /// the two end a line and the pattern asks for neither.
    fn next_start(&self, start: usize) -> usize {
        let next = self.forward(start);
        let crlf =
            matches!(self.newline, super::Newline::CrLf | super::Newline::AnyCrLf | super::Newline::Any);
        let between = self.subject[start] == b'\r' && self.subject.get(next) == Some(&b'\n');
        if crlf && between && !self.program.has_newline { next + 1 } else { next }
    }

    /// Where the required byte stands next, from `start` on; the end of the subject if none is required.
    fn next_required(&mut self, start: usize) -> Result<Option<usize>, MatchError> {
        let Some((a, b)) = self.program.required else { return Ok(Some(self.subject.len())) };
        let rest = &self.subject[start..];
        let next = memchr::memchr2(a, b, rest);
        self.pay(next.unwrap_or(rest.len()) / 64)?;
        Ok(next.map(|next| start + next))
    }

    /// Where the first line ends, from the offset on.
    fn first_line_end(&mut self) -> Result<usize, MatchError> {
        let mut at = self.options.offset;
        while at < self.subject.len() && newline_at(self.newline, self.unicode, self.subject, at) == 0 {
            at += 1;
        }
        self.pay((at - self.options.offset) / CHARACTERS_PER_STEP)?;
        Ok(at)
    }

    fn found(&self, end: usize) -> Found {
        let mut spans = Vec::with_capacity(self.program.groups as usize + 1);
        spans.push(Some((self.slots[0] as usize, end)));
        for group in self.slots[1..self.program.capture_slots()].chunks_exact(3) {
            spans.push((group[0] != UNSET).then_some((group[0] as usize, group[1] as usize)));
        }
        Found { spans }
    }

    /// Pays for so many steps.
    #[inline]
    pub fn pay(&mut self, steps: usize) -> Result<(), MatchError> {
        match self.fuel.checked_sub(u32::try_from(steps).unwrap_or(u32::MAX)) {
            Some(fuel) => {
                self.fuel = fuel;
                Ok(())
            }
            None => self.refuel(steps),
        }
    }

    #[cold]
    fn refuel(&mut self, steps: usize) -> Result<(), MatchError> {
        // A step is a few nanoseconds.
        if !self.meter.work(2 * steps.max(AT_ONCE as usize)) {
            return Err(MatchError::Stopped);
        }
        self.fuel = AT_ONCE;
        Ok(())
    }

    #[inline]
    fn push(&mut self, entry: Entry) -> Result<(), MatchError> {
        if self.stack.len() == self.held {
            self.grow()?;
        }
        self.stack.push(entry);
        Ok(())
    }

    #[cold]
    fn grow(&mut self) -> Result<(), MatchError> {
        if self.stack.len() as u64 > self.limits.depth {
            return Err(MatchError::Depth);
        }
        let entries = (2 * self.held).max(64);
        let bytes = 2 * (entries * size_of::<Entry>() + 4 * self.saved.len());
        if entries >= UNSET as usize || !self.meter.hold(bytes) {
            return Err(MatchError::Stopped);
        }
        self.stack.reserve(entries - self.stack.len());
        self.held = entries;
        Ok(())
    }

    /// Makes a choice that can be taken back.
    #[inline]
    fn choose(&mut self, entry: Entry) -> Result<(), MatchError> {
        self.count_choice()?;
        self.push(entry)
    }

    #[inline]
    pub fn count_choice(&mut self) -> Result<(), MatchError> {
        if self.steps == 0 {
            return Err(MatchError::Steps);
        }
        self.steps -= 1;
        if self.stack.len() as u64 > self.limits.depth { Err(MatchError::Depth) } else { Ok(()) }
    }

    #[inline]
    pub fn set(&mut self, slot: Slot, value: u32) -> Result<(), MatchError> {
        let old = std::mem::replace(&mut self.slots[slot as usize], value);
        self.push(Entry::Undo { slot, old })
    }

    /// Runs from the beginning of the program, at a place.
    fn attempt(&mut self, start: usize) -> Result<Attempt, MatchError> {
        let (mut pc, mut at): (Pc, usize) = (0, start);
        let program = self.program;
        loop {
            self.pay(1)?;
            let next = match program.code[pc as usize] {
                Inst::Text { at: text, length } => {
                    let text = &program.text[text as usize..(text + length) as usize];
                    if self.subject[at..].starts_with(text) {
                        at += text.len();
                        Some(pc + 1)
                    } else {
                        None
                    }
                }
                Inst::One(single) => self.single(single, at).map(|end| {
                    at = end;
                    pc + 1
                }),
                Inst::Repeat { single, min, max, mode } => {
                    let end = self.repeat(pc, single, (min, max), mode, at)?;
                    end.map(|end| {
                        at = end;
                        pc + 1
                    })
                }
                Inst::Test(test) => self.test(test, at).then_some(pc + 1),
                Inst::Split { other } => {
                    self.choose(Entry::Retry { pc: other, at: at as u32 })?;
                    Some(pc + 1)
                }
                Inst::SplitLazy { other } => {
                    self.choose(Entry::Retry { pc: pc + 1, at: at as u32 })?;
                    Some(other)
                }
                Inst::Branch { other } => {
                    self.choose(Entry::Branch { from: pc, pc: other, at: at as u32 })?;
                    Some(pc + 1)
                }
                Inst::Jump { to } => Some(to),
                Inst::Open { group } => {
                    self.set(3 * group, at as u32)?;
                    Some(pc + 1)
                }
                Inst::Close { group } => Some(self.close(pc, group, &mut at)?),
                Inst::LoopStart { slot } => {
                    self.set(slot, at as u32)?;
                    Some(pc + 1)
                }
                Inst::LoopEnd { slot, out } => {
                    Some(if self.slots[slot as usize] == at as u32 { out } else { pc + 1 })
                }
                Inst::End => {
                    if let Some(frame) = self.frames.last()
                        && frame.group == 0
                    {
                        Some(self.leave_call())
                    } else if self.is_unwanted(at) {
                        None
                    } else {
                        return Ok(Attempt::Matched(at));
                    }
                }
                Inst::Accept => match self.accept(at)? {
                    Ok(next) => next,
                    Err(end) => return Ok(Attempt::Matched(end)),
                },
                inst => self.step(inst, pc, &mut at)?,
            };
            match next {
                Some(next) => pc = next,
                None => match self.fail()? {
                    super::unwind::Next::Go(next, place) => (pc, at) = (next, place),
                    super::unwind::Next::Give(attempt) => return Ok(attempt),
                },
            }
        }
    }

    /// A match of nothing where none is wanted.
    fn is_unwanted(&self, at: usize) -> bool {
        let is_empty = self.slots[0] as usize == at;
        is_empty && (self.options.notempty || self.options.notempty_atstart && at == self.options.offset)
    }

    /// The rarer instructions. The place to go on at, or `None` if it fails.
    fn step(&mut self, inst: Inst, pc: Pc, at: &mut usize) -> Result<Option<Pc>, MatchError> {
        Ok(match inst {
            Inst::Newline => self.newline_sequence(*at).map(|end| {
                *at = end;
                pc + 1
            }),
            Inst::Grapheme => self.grapheme(*at)?.map(|end| {
                *at = end;
                pc + 1
            }),
            Inst::Keep => {
                self.set(0, *at as u32)?;
                Some(pc + 1)
            }
            Inst::Back { list, caseless } => self.back(list, caseless, *at)?.map(|end| {
                *at = end;
                pc + 1
            }),
            Inst::AtomicStart { slot } => {
                let height = self.stack.len() as u32;
                self.set(slot, height)?;
                Some(pc + 1)
            }
            Inst::AtomicEnd { slot } => {
                self.cut(self.slots[slot as usize] as usize)?;
                Some(pc + 1)
            }
            Inst::LookStart { slot, end } => {
                self.enter(slot, *at, Entry::Look { end })?;
                Some(pc + 1)
            }
            Inst::NotStart { slot, end } => {
                self.enter(slot, *at, Entry::Not { other: end + 1, at: *at as u32, end, negated: true })?;
                Some(pc + 1)
            }
            Inst::AskStart { slot, other, end, negated } => {
                // A condition does not change where the match is said to begin.
                self.set(slot + 2, self.slots[0])?;
                self.enter(slot, *at, Entry::Not { other, at: *at as u32, end, negated })?;
                Some(pc + 1)
            }
            Inst::LookEnd { slot } | Inst::AskEnd { slot } => {
                if matches!(inst, Inst::AskEnd { .. }) {
                    self.set(0, self.slots[slot as usize + 2])?;
                }
                *at = self.slots[slot as usize + 1] as usize;
                self.cut(self.slots[slot as usize] as usize)?;
                Some(pc + 1)
            }
            Inst::NotEnd { slot } => {
                // It matched, so it fails, and with it goes what it did.
                let height = self.slots[slot as usize] as usize;
                self.drop_to(height)?;
                None
            }
            Inst::AskedNot { slot, other } => {
                *at = self.slots[slot as usize + 1] as usize;
                self.drop_to(self.slots[slot as usize] as usize)?;
                Some(other)
            }
            Inst::IfSet { list, other } => {
                let numbers = &self.program.lists[list as usize];
                let is_set = numbers.iter().any(|group| self.slots[3 * *group as usize - 2] != UNSET);
                Some(if is_set { pc + 1 } else { other })
            }
            Inst::IfCalled { list, other } => {
                let numbers = &self.program.lists[list as usize];
                let called = self.frames.last().map(|frame| frame.group);
                let holds = called.is_some_and(|group| numbers.is_empty() || numbers.contains(&group));
                Some(if holds { pc + 1 } else { other })
            }
            Inst::Behind { count } => self.behind(count, *at)?.map(|start| {
                *at = start;
                pc + 1
            }),
            Inst::Call { group } => Some(self.call(pc, group, *at)?),
            Inst::Commit
            | Inst::Prune
            | Inst::Skip
            | Inst::SkipTo { .. }
            | Inst::Then
            | Inst::Mark { .. } => {
                self.choose(Entry::Verb { pc, at: *at as u32 })?;
                Some(pc + 1)
            }
            _ => None,
        })
    }

    /// Enters an assertion, whose first slot keeps where the stack was and whose second where the subject is.
    fn enter(&mut self, slot: Slot, at: usize, mark: Entry) -> Result<(), MatchError> {
        let height = self.stack.len() as u32;
        // Slots first: their old values lie above the height, and stay when the stack is cut to it.
        let old = [self.slots[slot as usize], self.slots[slot as usize + 1]];
        self.slots[slot as usize] = height;
        self.slots[slot as usize + 1] = at as u32;
        self.push(Entry::Undo { slot, old: old[0] })?;
        self.push(Entry::Undo { slot: slot + 1, old: old[1] })?;
        self.choose(mark)
    }

    fn call(&mut self, pc: Pc, group: u32, at: usize) -> Result<Pc, MatchError> {
        if self.frames.iter().any(|frame| frame.group == group && frame.at == at as u32) {
            return Err(MatchError::Loop);
        }
        self.pay(1 + (self.frames.len() + self.slots.len()) / CHARACTERS_PER_STEP)?;
        let bytes = 2 * (self.stack.len() * size_of::<Entry>() + 4 * (self.saved.len() + self.slots.len()));
        if !self.meter.hold(bytes) {
            return Err(MatchError::Stopped);
        }
        let height = self.stack.len() as u32;
        self.choose(Entry::Call)?;
        self.saved.extend_from_slice(&self.slots[1..]);
        self.frames.push(Frame { group, back: pc + 1, at: at as u32, height });
        Ok(self.program.entries[group as usize])
    }

    /// The end of a group: the end of its call, or a capture.
    fn close(&mut self, pc: Pc, group: u32, at: &mut usize) -> Result<Pc, MatchError> {
        if self.frames.last().is_some_and(|frame| frame.group == group) {
            return Ok(self.leave_call());
        }
        let start = self.slots[3 * group as usize];
        self.set(3 * group - 2, start)?;
        self.set(3 * group - 1, *at as u32)?;
        Ok(pc + 1)
    }

    /// A repetition of one character; what else it could have taken is left as a choice.
    fn repeat(
        &mut self,
        pc: Pc,
        single: Single,
        (min, max): (u32, u32),
        mode: Mode,
        at: usize,
    ) -> Result<Option<usize>, MatchError> {
        let (mut end, mut count) = (at, 0);
        let most = if mode == Mode::Lazy { min } else { max };
        let mut least = if min == 0 { Some(at) } else { None };
        while count < most
            && let Some(next) = self.single(single, end)
        {
            end = next;
            count += 1;
            if count == min {
                least = Some(end);
            }
        }
        self.pay((end - at) / CHARACTERS_PER_STEP)?;
        let Some(least) = least else { return Ok(None) };
        match mode {
            Mode::Possessive => {}
            Mode::Greedy if end > least => {
                self.choose(Entry::GiveBack { pc: pc + 1, least: least as u32, at: end as u32 })?;
            }
            Mode::Greedy => {}
            Mode::Lazy if max > min => {
                self.choose(Entry::TakeMore { pc, at: end as u32, left: max - min })?
            }
            Mode::Lazy => {}
        }
        Ok(Some(end))
    }

    /// One more character for a lazy repetition.
    pub fn take_more(&self, pc: Pc, at: usize) -> Option<usize> {
        match self.program.code[pc as usize] {
            Inst::Repeat { single, .. } => self.single(single, at),
            _ => None,
        }
    }

    /// The place before the last character of a repetition.
    pub fn give_back(&self, pc: Pc, at: usize) -> usize {
        let is_unit = matches!(self.program.code[pc as usize - 1], Inst::Repeat { single: Single::Unit, .. });
        before(self.subject, at, self.unicode && !is_unit)
    }
}

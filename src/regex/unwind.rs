//! Going back: to the last choice, or as far as a verb says.

use super::machine::{Attempt, Entry, Machine, MatchError};
use super::program::{Inst, Pc};

/// What comes after a failure.
pub(super) enum Next {
    /// Go on there.
    Go(Pc, usize),
    /// The attempt has ended.
    Give(Attempt),
}

/// What a verb does when it is gone back to.
#[derive(Clone, Copy)]
enum Way {
    Commit,
    Prune,
    Skip(usize),
    /// To the next branch, from the verb at this place.
    Then(Pc),
}

impl Machine<'_> {
    /// Goes back to the last choice.
    pub fn fail(&mut self) -> Result<Next, MatchError> {
        while let Some(entry) = self.stack.pop() {
            match entry {
                Entry::Retry { pc, at } | Entry::Branch { pc, at, .. } => {
                    return Ok(Next::Go(pc, at as usize));
                }
                Entry::Not { other, at, .. } => return Ok(Next::Go(other, at as usize)),
                Entry::Undo { slot, old } => self.slots[slot as usize] = old,
                Entry::Look { .. } => {}
                Entry::Call => self.forget_call(),
                Entry::GiveBack { pc, least, at } => {
                    self.count_choice()?;
                    let at = self.give_back(pc, at as usize);
                    if at as u32 > least {
                        self.stack.push(Entry::GiveBack { pc, least, at: at as u32 });
                    }
                    return Ok(Next::Go(pc, at));
                }
                Entry::TakeMore { pc, at, left } => {
                    self.count_choice()?;
                    if let Some(end) = self.take_more(pc, at as usize) {
                        if left > 1 {
                            // No bound stays none.
                            let left = if left > u32::MAX / 2 { left } else { left - 1 };
                            self.stack.push(Entry::TakeMore { pc, at: end as u32, left });
                        }
                        return Ok(Next::Go(pc + 1, end));
                    }
                }
                Entry::Verb { pc, at } => match self.program.code[pc as usize] {
                    Inst::Mark { .. } => {}
                    Inst::Commit => return self.unwind(Way::Commit),
                    Inst::Prune => return self.unwind(Way::Prune),
                    Inst::Skip => return self.unwind(Way::Skip(at as usize)),
                    Inst::SkipTo { mark } => {
                        if let Some(way) = self.marked(mark) {
                            return self.unwind(way);
                        }
                    }
                    _ => return self.unwind(Way::Then(pc)),
                },
            }
            self.pay(1)?;
        }
        Ok(Next::Give(Attempt::Failed))
    }

    /// Where `(*SKIP:NAME)` goes: to the last mark of that name. Without one it does nothing, unless a call or an assertion
    /// stands between, which then fails.
    fn marked(&self, wanted: u32) -> Option<Way> {
        for entry in self.stack.iter().rev() {
            match entry {
                Entry::Verb { pc, at } => {
                    if let Inst::Mark { mark } = self.program.code[*pc as usize]
                        && mark == wanted
                    {
                        return Some(Way::Skip(*at as usize));
                    }
                }
                Entry::Call | Entry::Not { negated: true, .. } => return Some(Way::Prune),
                _ => {}
            }
        }
        None
    }

    /// Goes back past choices, as a verb says.
    fn unwind(&mut self, way: Way) -> Result<Next, MatchError> {
        while let Some(entry) = self.stack.pop() {
            self.pay(1)?;
            match entry {
                Entry::Undo { slot, old } => self.slots[slot as usize] = old,
                Entry::Branch { from, pc, at } => {
                    if let Way::Then(verb) = way
                        && (from..pc).contains(&verb)
                    {
                        return Ok(Next::Go(pc, at as usize));
                    }
                }
                Entry::Not { other, at, negated, .. } if negated || matches!(way, Way::Then(_)) => {
                    return Ok(Next::Go(other, at as usize));
                }
                // Verbs do not reach beyond a call: it fails.
                Entry::Call => {
                    self.forget_call();
                    return self.fail();
                }
                _ => {}
            }
        }
        Ok(Next::Give(match way {
            Way::Commit => Attempt::Committed,
            Way::Skip(at) => Attempt::Skip(at),
            Way::Prune | Way::Then(_) => Attempt::Failed,
        }))
    }

    /// A call has failed.
    fn forget_call(&mut self) {
        self.frames.pop();
        let saved = self.saved.len() - (self.slots.len() - 1);
        self.saved.truncate(saved);
    }

    /// A call has succeeded: what groups were before is what they are again. What lies on the stack since goes, for there is no
    /// way back into a call; only where the match is said to begin stays to be undone.
    pub fn leave_call(&mut self) -> Pc {
        let frame = self.frames.pop().expect("the caller has seen it");
        let saved = self.saved.len() - (self.slots.len() - 1);
        self.slots[1..].copy_from_slice(&self.saved[saved..]);
        self.saved.truncate(saved);
        let height = frame.height as usize;
        let mut kept = height;
        for at in height..self.stack.len() {
            if let entry @ Entry::Undo { slot: 0, .. } = self.stack[at] {
                self.stack[kept] = entry;
                kept += 1;
            }
        }
        self.stack.truncate(kept);
        frame.back
    }

    /// Forgets the choices above a height; old values of slots stay.
    pub fn cut(&mut self, height: usize) -> Result<(), MatchError> {
        let mut kept = height;
        for at in height..self.stack.len() {
            if let entry @ Entry::Undo { .. } = self.stack[at] {
                self.stack[kept] = entry;
                kept += 1;
            }
        }
        self.pay(self.stack.len() - height)?;
        self.stack.truncate(kept);
        Ok(())
    }

    /// Takes back everything above a height.
    pub fn drop_to(&mut self, height: usize) -> Result<(), MatchError> {
        self.pay(self.stack.len() - height)?;
        while self.stack.len() > height {
            match self.stack.pop() {
                Some(Entry::Undo { slot, old }) => self.slots[slot as usize] = old,
                Some(Entry::Call) => self.forget_call(),
                _ => {}
            }
        }
        Ok(())
    }

    /// `(*ACCEPT)`: the innermost assertion or call succeeds, or else the match, which then ends here.
    pub fn accept(&mut self, at: usize) -> Result<Result<Option<Pc>, usize>, MatchError> {
        self.pay(1 + self.stack.len() / 8)?;
        for entry in self.stack.iter().rev() {
            match entry {
                Entry::Look { end } | Entry::Not { end, .. } => return Ok(Ok(Some(*end))),
                Entry::Call => return Ok(Ok(Some(self.leave_call()))),
                _ => {}
            }
        }
        let is_empty = self.slots[0] as usize == at;
        let unwanted = self.options.notempty || self.options.notempty_atstart && at == self.options.offset;
        Ok(if is_empty && unwanted { Ok(None) } else { Err(at) })
    }
}

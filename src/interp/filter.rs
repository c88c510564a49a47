//! What a receive refuses, known without running it.
//!
//! A selective receive looks at one message after the other until a pattern matches. The tests at its head, up to the first that
//! may lead anywhere else than on to the next message, are read from the code once the first message has been refused: a
//! whole constant, or a tuple of some arity with immediates or references at some places (values known before the receive
//! among them). The mailbox then passes all messages that these tests refuse in one go, and the code runs again with the first
//! that they do not. What the filter cannot decide it does not refuse.
//!
//! Where a value of the message chooses between clauses, the tests go on with the clause that the message refused last has chosen:
//! in a row of many alike, as answers of others are that come before the one waited for, the next has chosen the same. One that has
//! not is left to the code.

use super::decode;
use super::live::{a, b, c, h};
use super::machine::{Machine, Next};
use crate::code::op::Op;
use crate::term::{Subtag, Term, Word};

/// Elements compared; more are left to the code.
const CONDITIONS: usize = 4;
/// Registers that hold elements.
const ELEMENTS: usize = 4;

/// What messages must look like at least.
struct Filter {
    /// The message is this immediate.
    whole: Option<Word>,
    /// The message is a tuple with this header; 0: nothing is known of it.
    header: u64,
    /// Its elements at these places have these values.
    conditions: [Condition; CONDITIONS],
    count: usize,
}

/// An element at `index` is to be `value`.
#[derive(Clone, Copy)]
struct Condition {
    index: usize,
    value: Word,
    /// If it is not, the tests that follow are not for this message; else it is refused.
    chooses: bool,
}

impl Filter {
    /// One that refuses nothing yet.
    const NONE: Filter = Filter {
        whole: None,
        header: 0,
        conditions: [Condition { index: 0, value: Word::NIL, chooses: false }; CONDITIONS],
        count: 0,
    };

    /// Adds a condition; whether there was room.
    fn add(&mut self, index: usize, value: Word) -> bool {
        self.add_condition(Condition { index, value, chooses: false })
    }

    fn add_condition(&mut self, condition: Condition) -> bool {
        let has_room = self.count < CONDITIONS;
        if has_room {
            self.conditions[self.count] = condition;
            self.count += 1;
        }
        has_room
    }

    /// Whether the tests refuse the message.
    #[inline(always)]
    fn refuses(&self, message: Word) -> bool {
        if let Some(whole) = self.whole {
            return message.bits() != whole.bits();
        }
        if !message.is_boxed() {
            return true;
        }
        let object = message.address();
        // SAFETY: I3: the roots of messages are terms; H1: a boxed one is a header and its elements, as many as the filter's
        // header says once the two are the same.
        unsafe {
            if (*object).bits() != self.header {
                return true;
            }
            let conditions = &self.conditions[..self.count];
            let unmet = conditions.iter().find(|one| differ(*object.add(1 + one.index), one.value));
            unmet.is_some_and(|one| !one.chooses)
        }
    }

    /// The element at `index` of a message that has the filter's header, if that is an immediate.
    fn element(&self, message: Word, index: usize) -> Option<Word> {
        if !message.is_boxed() {
            return None;
        }
        let object = message.address();
        // SAFETY: as in `refuses`; what tests take out of a tuple of that header is in it.
        let (header, element) = unsafe {
            let header = (*object).bits();
            (header, if header == self.header { *object.add(1 + index) } else { Word::NIL })
        };
        (header == self.header && element.is_immediate()).then_some(element)
    }
}

/// Whether two terms are surely not the same; those with pointers are compared if both are references.
#[inline(always)]
fn differ(x: Word, y: Word) -> bool {
    if x.bits() == y.bits() {
        return false;
    }
    if x.is_immediate() || y.is_immediate() {
        // H7, H8: what has an immediate form has no other.
        return true;
    }
    if !x.is_boxed() || !y.is_boxed() {
        return x.is_boxed() != y.is_boxed();
    }
    // SAFETY: I3: an element of a message and a value of the process: both are terms.
    let (x, y) = unsafe { (Term::from_word(x), Term::from_word(y)) };
    match (x.as_ref(), y.as_ref()) {
        (Some(x), Some(y)) => x.unique() != y.unique(),
        _ => false,
    }
}

/// Which registers hold which elements of the message.
#[derive(Default)]
struct Held {
    elements: [(u16, usize); ELEMENTS],
    count: usize,
}

impl Held {
    fn of(&self, register: u16) -> Option<usize> {
        self.elements[..self.count].iter().rev().find(|(held, _)| *held == register).map(|(_, index)| *index)
    }

    fn put(&mut self, register: u16, index: usize) -> bool {
        let has_room = self.count < ELEMENTS;
        if has_room {
            self.elements[self.count] = (register, index);
            self.count += 1;
        }
        has_room
    }
}

impl Machine<'_> {
    /// `loop_rec_end`, the message having been passed: passes those behind it that would come here too. Each costs a reduction.
    #[inline(never)]
    pub fn pass_over(&mut self) -> Next {
        let end = self.pc();
        let again = end.wrapping_offset(h(self.operand(0)));
        if let Some(filter) = self.filter(again, end) {
            let most = self.process.reductions.max(0) as usize;
            let passed = self.process.mailbox.pass(most, |message| filter.refuses(message));
            self.process.charge(passed as u32);
        }
        again
    }

    /// The tests of the receive between `loop_rec` at `again` and `loop_rec_end` at `end` that lead from one to the other.
    fn filter(&self, again: Next, end: Next) -> Option<Filter> {
        // SAFETY: I1, for all positions from the receive's first instruction up to one that is not straight on.
        let word = |pc: Next, index: usize| unsafe { *pc.add(index) };
        // Its register, until an element takes its place.
        let mut message = Some(a(word(again, 0)));
        let (mut filter, mut held) = (Filter::NONE, Held::default());
        let mut pc = again.wrapping_add(1);
        loop {
            let first = word(pc, 0);
            let leads_on = |offset: isize| pc.wrapping_offset(offset) == end;
            let of_message = message == Some(a(first));
            let (is_added, words) = match decode(first as u16).alone() {
                Op::IsTagged if of_message && leads_on(h(first)) => {
                    filter.header = word(pc, 1);
                    (filter.add(0, Word::from_bits(word(pc, 2))), 3)
                }
                Op::IsTupleOf if of_message && leads_on(h(first)) => {
                    filter.header = word(pc, 1);
                    (true, 2)
                }
                Op::GetElement | Op::GetElementXX if of_message && filter.header != 0 => {
                    message = message.filter(|register| *register != b(first));
                    (held.put(b(first), usize::from(c(first))), 1)
                }
                Op::GetElement2 | Op::GetElement2XXX if of_message && filter.header != 0 => {
                    let places = word(pc, 1);
                    message = message.filter(|register| ![b(first), c(first)].contains(register));
                    let one = held.put(b(first), places as u32 as usize);
                    (one && held.put(c(first), (places >> 32) as usize), 2)
                }
                Op::IsExactEqImmediate
                | Op::IsExactEqNear4
                | Op::IsExactEqNear5
                | Op::IsExactEqNear6
                | Op::IsExactEqNear7
                | Op::IsExactEqNear8
                | Op::IsExactEqNear9
                    if leads_on(h(first)) =>
                {
                    let value = Word::from_bits(word(pc, 1));
                    match held.of(a(first)) {
                        Some(index) => (filter.add(index, value), 2),
                        None if of_message && filter.header == 0 => {
                            filter.whole = Some(value);
                            (false, 0)
                        }
                        None => (false, 0),
                    }
                }
                Op::Select2 | Op::Select3 | Op::SelectLinear => {
                    let count = match decode(first as u16).alone() {
                        Op::Select2 => 2,
                        Op::Select3 => 3,
                        _ => usize::from(b(first)),
                    };
                    let chosen = held.of(a(first)).and_then(|index| {
                        let value = filter.element(self.process.mailbox.last_refused()?, index)?;
                        let mut pairs = (0..count).map(|pair| 2 + 2 * pair);
                        let pair = pairs.find(|&pair| word(pc, pair) == value.bits())?;
                        filter
                            .add_condition(Condition { index, value, chooses: true })
                            .then(|| word(pc, pair + 1) as isize)
                    });
                    // Where it goes on is as far from here as the table says.
                    (chosen.is_some_and(|offset| !leads_on(offset)), chosen.unwrap_or_default() as usize)
                }
                Op::IsExactEq if leads_on(word(pc, 1) as isize) => {
                    let (x, y) = (a(first), b(first));
                    match (held.of(x), held.of(y)) {
                        (Some(index), None) if message != Some(y) => (filter.add(index, self.get(y)), 2),
                        (None, Some(index)) if message != Some(x) => (filter.add(index, self.get(x)), 2),
                        _ => (false, 0),
                    }
                }
                _ => (false, 0),
            };
            if !is_added {
                break;
            }
            pc = pc.wrapping_add(words);
        }
        (filter.header != 0 || filter.whole.is_some()).then_some(filter)
    }
}

const _: () = {
    // The filter's header is compared as a whole, and 0 is no tuple's.
    assert!(Word::header(Subtag::Tuple, 0).bits() != 0);
};

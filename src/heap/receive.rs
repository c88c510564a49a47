//! Taking a received message over.

use super::{FOR_MESSAGES, Fragment, FragmentCache, Heap, WAITED, mover};
use crate::term::Word;

/// Largest message that is copied when it is received: two cache lines; beyond it, adopting is cheaper.
const ABSORBED_WORDS: usize = 16;

/// Turns between two collections for messages from which on a heap shares the cache with many: a first block holds 5 to 20
/// messages, so these are the turns of at least 50 processes, whose larger blocks would fill the second-level cache.
const MANY_TURNS: u32 = 1000;

impl Heap {
    /// Takes a received message over. Terms of it that `registers` hold stay theirs; nothing else refers to it yet.
    ///
    /// A small message is moved into the block, so that its fragment can be used again while it is warm, by the next
    /// message as a rule: a heap full of fragments of a few words each costs a cache miss for each when it is collected.
    ///
    /// If the block is full of such, it is collected now. A process that waits between its messages while many others have their
    /// turns then goes on in a block of the same size: a thousand processes that wake each other find their blocks in the
    /// cache if those are small, and gain nothing from larger ones. `turns` counts the slices of this worker.
    #[inline]
    pub fn receive(
        &mut self,
        cache: &mut FragmentCache,
        message: Fragment,
        registers: &mut [Word],
        turns: impl FnOnce() -> u64,
    ) {
        if self.absorb(&message, registers) {
            return message.recycle(cache);
        }
        if message.words() <= ABSORBED_WORDS && message.words() > self.free_words() {
            self.collect_due = true;
            self.note_turns(turns() as u32);
        }
        self.adopt(message);
    }

    /// A collection for messages is due in this turn.
    fn note_turns(&mut self, turns: u32) {
        let since = turns.wrapping_sub(std::mem::replace(&mut self.rare.turns, turns));
        if self.notes & WAITED != 0 && since >= MANY_TURNS {
            self.notes |= FOR_MESSAGES;
        }
    }

    /// Copies a small message into the block; `false` if it is not small, there is no room, or something else than
    /// registers may refer to it (a match context, to a binary).
    #[inline]
    fn absorb(&mut self, message: &Fragment, registers: &mut [Word]) -> bool {
        let words = message.words();
        if words > ABSORBED_WORDS || words > self.free_words() || !message.is_plain() {
            return false;
        }
        let (from, to) = (message.payload(), self.hp);
        let inside =
            |word: Word| word.is_pointer() && word.address().addr().wrapping_sub(from.addr()) < words * 8;
        let moved = |word: Word| word.moved_by(to.addr().wrapping_sub(from.addr()));
        let mut index = 0;
        if message.is_flat() {
            while index < words {
                // SAFETY: as below.
                unsafe { to.add(index).write(*from.add(index)) };
                index += 1;
            }
        }
        while index < words {
            // SAFETY: H9: the payload is whole objects, `words` in all; H6: the block has room for as many.
            unsafe {
                let word = *from.add(index);
                let mut raw = 0;
                if word.is_header() {
                    if word.is_header_of_bits() {
                        return false;
                    }
                    raw = mover::raw_words(word);
                    to.add(index).write(word);
                    for next in index + 1..=index + raw {
                        to.add(next).write(*from.add(next));
                    }
                } else {
                    to.add(index).write(if inside(word) { moved(word) } else { word });
                }
                index += 1 + raw;
            }
        }
        self.hp = to.wrapping_add(words);
        for register in registers {
            if inside(*register) {
                *register = moved(*register);
            }
        }
        true
    }
}

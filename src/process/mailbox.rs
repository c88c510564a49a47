//! The mailbox: messages the owner has taken from its signal word and not received yet.
//!
//! Private to the owner. The *save pointer* stands at the message the running receive looks at next; leaving a receive,
//! by a match, a time-out or an exception, puts it back to the front. Untaken messages stay in fragments of their own and
//! are never scanned by the collector.
//!
//! **Marks.** A reference made just before a request cannot be in an older message. When a reference is made, the number of
//! messages that had come by then is remembered with it; a receive all of whose clauses need that reference starts there.
//! A mark is keyed by the reference, which is unique, so an exception between making the reference and receiving leaves
//! nothing to clear: another receive asks for another reference.
//!
//! The first message has a place of its own, so that a mailbox that never holds more than one allocates nothing. Removing
//! in the middle moves the shorter side; the scan that found the message cost more.

use std::collections::VecDeque;

use crate::heap::account::FREE_BYTES;
use crate::heap::memory::prefetch;
use crate::heap::{Account, Fragment};
use crate::term::Word;

/// Marks remembered; a request waits for one reference at a time, nested ones are few.
const MARKS: usize = 4;

/// How many messages ahead a search asks for: what it looks at takes a nanosecond or two each, memory some ten.
const AHEAD: usize = 8;

/// Messages in the order they came; see the module's essay.
#[derive(Debug, Default)]
pub struct Mailbox {
    front: Option<Fragment>,
    /// Behind `front`; empty if there is none. Boxed, since most mailboxes never need it.
    rest: Option<Box<Rest>>,
    /// Position the running receive looks at.
    save: usize,
    marks: Option<Box<Marks>>,
}

/// The messages behind the first, and what they take. (One message a process is not charged for: the mailbox that never holds
/// more is to cost nothing.)
#[derive(Debug, Default)]
struct Rest {
    queue: VecDeque<Entry>,
    bytes: usize,
    /// Bytes that the account was told of.
    told: usize,
}

/// A message, with its root beside it: who looks for one among many needs the terms and not the heads of the fragments.
#[derive(Debug)]
struct Entry {
    root: Word,
    message: Fragment,
}

#[derive(Debug, Default)]
struct Marks {
    /// Reference and position: messages before it are older than the reference. Newest last.
    entries: VecDeque<(u64, usize)>,
}

impl Mailbox {
    /// Number of messages.
    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.front.is_some()) + self.rest.as_ref().map_or(0, |rest| rest.queue.len())
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.front.is_none()
    }

    /// Appends a message.
    #[inline]
    pub fn push(&mut self, message: Fragment) {
        if self.front.is_none() {
            self.front = Some(message);
        } else {
            self.rest.get_or_insert_default().push(message);
        }
    }

    /// Bytes of all messages.
    pub fn bytes(&self) -> usize {
        self.front.as_ref().map_or(0, Fragment::bytes) + self.rest.as_ref().map_or(0, |rest| rest.bytes)
    }

    /// Whether it holds so much more or less than its account was told that the account should know.
    #[inline]
    pub fn is_unsettled(&self) -> bool {
        self.rest.as_ref().is_some_and(|rest| rest.bytes.abs_diff(rest.told) > FREE_BYTES)
    }

    /// Tells the account what the mailbox holds.
    pub fn settle(&mut self, account: &Account) {
        let Some(rest) = &mut self.rest else { return };
        match rest.bytes.checked_sub(rest.told) {
            Some(0) => {}
            Some(more) => account.charge_anyway(more),
            None => account.refund(rest.told - rest.bytes),
        }
        rest.told = rest.bytes;
    }

    /// The message at the save pointer.
    #[inline]
    pub fn peek(&self) -> Option<Word> {
        match self.save {
            0 => self.front.as_ref().map(Fragment::root),
            place => self.rest.as_ref()?.queue.get(place - 1).map(|entry| entry.root),
        }
    }

    /// Whether there is a message at the save pointer.
    #[inline]
    pub fn has_next(&self) -> bool {
        self.save < self.len()
    }

    /// The message at the save pointer does not match: go to the next.
    #[inline]
    pub fn advance(&mut self) {
        self.save += 1;
    }

    /// The message that was looked at last.
    pub fn last_refused(&self) -> Option<Word> {
        self.at(self.save.checked_sub(1)?).map(Fragment::root)
    }

    /// Goes on to the first message that is not `refused`, past `most` of them at most; how many it passed.
    pub fn pass(&mut self, most: usize, refused: impl Fn(Word) -> bool) -> usize {
        let (Some(rest), Some(first)) = (&self.rest, self.save.checked_sub(1)) else { return 0 };
        let (front, back) = rest.queue.as_slices();
        let parts = [
            front.get(first..).unwrap_or_default(),
            &back[first.saturating_sub(front.len()).min(back.len())..],
        ];
        let mut passed = 0;
        'parts: for part in parts {
            for (index, entry) in part.iter().enumerate() {
                if let Some(later) = part.get(index + AHEAD) {
                    prefetch(later.root.address());
                }
                if passed == most || !refused(entry.root) {
                    break 'parts;
                }
                passed += 1;
            }
        }
        self.save += passed;
        passed
    }

    /// Takes the message at the save pointer out and ends the receive.
    #[inline]
    pub fn remove(&mut self) -> Option<Fragment> {
        let place = std::mem::take(&mut self.save);
        self.remove_at(place)
    }

    /// Ends the receive without a message.
    #[inline]
    pub fn reset(&mut self) {
        self.save = 0;
    }

    /// The message at `place`, counted from the oldest.
    #[inline]
    pub fn at(&self, place: usize) -> Option<&Fragment> {
        match place {
            0 => self.front.as_ref(),
            _ => self.rest.as_ref()?.queue.get(place - 1).map(|entry| &entry.message),
        }
    }

    /// All messages, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Fragment> {
        self.front
            .iter()
            .chain(self.rest.iter().flat_map(|rest| rest.queue.iter().map(|entry| &entry.message)))
    }

    /// Replaces messages, each by what `f` makes of it if that is something.
    ///
    /// # Errors
    /// The first error of `f`.
    pub fn replace<E>(
        &mut self,
        mut f: impl FnMut(&Fragment) -> Result<Option<Fragment>, E>,
    ) -> Result<(), E> {
        if let Some(front) = &mut self.front
            && let Some(other) = f(front)?
        {
            *front = other;
        }
        let Some(rest) = &mut self.rest else { return Ok(()) };
        for entry in &mut rest.queue {
            if let Some(message) = f(&entry.message)? {
                rest.bytes = rest.bytes - entry.message.bytes() + message.bytes();
                *entry = Entry { root: message.root(), message };
            }
        }
        Ok(())
    }

    /// Takes the message at `place` out; save pointer and marks keep pointing at what they pointed at.
    #[inline]
    pub fn remove_at(&mut self, place: usize) -> Option<Fragment> {
        if place == 0 && self.rest.is_none() && self.marks.is_none() {
            // The only one of a mailbox that never held more.
            self.save = self.save.saturating_sub(1);
            return self.front.take();
        }
        self.remove_among(place)
    }

    fn remove_among(&mut self, place: usize) -> Option<Fragment> {
        let message = match place {
            0 => {
                let next = self.rest.as_mut().and_then(|rest| rest.remove(0));
                std::mem::replace(&mut self.front, next)
            }
            _ => self.rest.as_mut()?.remove(place - 1),
        }?;
        if self.save > place {
            self.save -= 1;
        }
        if let Some(marks) = &mut self.marks {
            for (_, position) in &mut marks.entries {
                *position -= usize::from(*position > place);
            }
        }
        Some(message)
    }

    /// A reference was made now: no message that is already here can hold it.
    ///
    /// `pending` counts signals taken but not handled yet, which are older than the reference too.
    pub fn mark(&mut self, reference: u64) {
        let position = self.len();
        if position == 0 {
            // Nothing to skip, and so nothing to remember.
            return;
        }
        let marks = &mut self.marks.get_or_insert_default().entries;
        if marks.len() == MARKS {
            marks.pop_front();
        }
        marks.push_back((reference, position));
    }

    /// Nobody will look for this reference any more: what is remembered of older ones that are still waited for stays.
    pub fn unmark(&mut self, reference: u64) {
        if let Some(marks) = &mut self.marks {
            marks.entries.retain(|(marked, _)| *marked != reference);
        }
    }

    /// A receive begins all of whose clauses need `reference`: skips what is older.
    pub fn receive_mark(&mut self, reference: u64) {
        if let Some(marks) = &self.marks
            && let Some(&(_, position)) = marks.entries.iter().rev().find(|(marked, _)| *marked == reference)
        {
            self.save = self.save.max(position);
        }
    }

    /// Gives back room that a long queue needed once.
    pub fn shrink(&mut self) {
        if let Some(Rest { queue, .. }) = self.rest.as_deref_mut()
            && queue.capacity() > 64
            && queue.capacity() > 4 * queue.len()
        {
            queue.shrink_to(2 * queue.len());
        }
        if self.rest.as_ref().is_some_and(|rest| rest.queue.is_empty() && rest.told == 0) {
            self.rest = None;
        }
        if self.is_empty() {
            self.marks = None;
        }
    }
}

impl Rest {
    #[inline]
    fn push(&mut self, mut message: Fragment) {
        self.bytes += message.bytes();
        // From here on it is not its sender who pays for it.
        message.refund();
        self.queue.push_back(Entry { root: message.root(), message });
    }

    #[inline]
    fn remove(&mut self, place: usize) -> Option<Fragment> {
        let entry = if place == 0 { self.queue.pop_front() } else { self.queue.remove(place) }?;
        self.bytes -= entry.message.bytes();
        Some(entry.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(value: i64) -> Fragment {
        Fragment::immediate(Word::small(value)).expect("a header is little")
    }

    fn filled(count: i64) -> Mailbox {
        let mut mailbox = Mailbox::default();
        (0..count).for_each(|value| mailbox.push(message(value)));
        mailbox
    }

    fn value(fragment: Option<Fragment>) -> Option<i64> {
        fragment.map(|fragment| fragment.root().small_value())
    }

    #[test]
    fn messages_are_scanned_in_order_and_the_save_pointer_returns_after_a_match() {
        let mut mailbox = filled(3);
        mailbox.advance();
        assert_eq!(value(mailbox.remove()), Some(1));
        assert_eq!(value(mailbox.remove()), Some(0));
        assert_eq!(value(mailbox.remove()), Some(2));
        assert_eq!((value(mailbox.remove()), mailbox.is_empty()), (None, true));
        mailbox.push(message(7));
        assert_eq!(mailbox.peek(), Some(Word::small(7)));
    }

    #[test]
    fn a_search_passes_what_is_refused_and_no_more_than_it_may() {
        let mut mailbox = filled(20);
        // The first ten are gone and ten more have come: the queue is in two pieces.
        (0..10).for_each(|_| drop(mailbox.remove()));
        (20..30).for_each(|value| mailbox.push(message(value)));
        let below = |limit: i64| move |word: Word| word.small_value() < limit;
        assert_eq!(mailbox.pass(100, below(25)), 0, "the first message is looked at by the receive itself");
        mailbox.advance();
        assert_eq!((mailbox.pass(3, below(25)), mailbox.peek()), (3, Some(Word::small(14))));
        assert_eq!((mailbox.pass(100, below(25)), mailbox.peek()), (11, Some(Word::small(25))));
        assert_eq!((mailbox.pass(100, below(25)), mailbox.peek()), (0, Some(Word::small(25))));
        assert_eq!((mailbox.pass(100, below(99)), mailbox.peek()), (5, None));
        assert_eq!(mailbox.pass(100, below(99)), 0);
        mailbox.reset();
        mailbox.advance();
        assert_eq!(mailbox.pass(100, below(99)), 19);
    }

    #[test]
    fn a_mark_skips_older_messages_and_survives_removals() {
        let mut mailbox = filled(3);
        mailbox.mark(99);
        mailbox.push(message(3));
        assert_eq!(value(mailbox.remove_at(1)), Some(1));
        mailbox.receive_mark(99);
        assert_eq!(value(mailbox.remove()), Some(3));
        mailbox.receive_mark(98);
        assert_eq!(mailbox.peek(), Some(Word::small(0)), "an unknown reference skips nothing");
    }

    #[test]
    fn a_mark_after_which_nothing_came_points_at_the_end() {
        let mut mailbox = filled(2);
        mailbox.mark(5);
        mailbox.receive_mark(5);
        assert_eq!(mailbox.peek(), None);
        mailbox.push(message(9));
        assert_eq!(mailbox.peek(), Some(Word::small(9)));
        mailbox.reset();
        assert_eq!(mailbox.peek(), Some(Word::small(0)));
    }

    #[test]
    fn the_account_knows_what_waits_behind_the_first_message() {
        let account = Account::root();
        let mut mailbox = filled(10_000);
        assert!(mailbox.is_unsettled());
        mailbox.settle(&account);
        assert_eq!((account.bytes(), mailbox.is_unsettled()), (9_999 * Fragment::bytes_for(0), false));
        assert_eq!(mailbox.bytes(), 10_000 * Fragment::bytes_for(0));
        drop(mailbox.remove_at(5_000));
        while mailbox.remove().is_some() {}
        mailbox.shrink();
        mailbox.settle(&account);
        assert_eq!(account.bytes(), 0);
        assert!(filled(1).rest.is_none());
    }

    #[test]
    fn only_the_newest_marks_are_kept() {
        let mut mailbox = filled(1);
        (0..=MARKS as u64).for_each(|reference| mailbox.mark(reference));
        mailbox.receive_mark(0);
        assert_eq!(mailbox.peek(), Some(Word::small(0)));
        mailbox.receive_mark(1);
        assert_eq!(mailbox.peek(), None);
    }

    #[test]
    fn what_is_done_with_makes_room_for_what_is_not() {
        let mut mailbox = filled(1);
        mailbox.mark(1);
        for reference in 2..20 {
            mailbox.mark(reference);
            mailbox.unmark(reference);
        }
        mailbox.receive_mark(2);
        assert_eq!(mailbox.peek(), Some(Word::small(0)));
        mailbox.receive_mark(1);
        assert_eq!(mailbox.peek(), None);
    }
}

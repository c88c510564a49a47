//! Tuples made directly in a fragment: the messages the runtime itself sends (`'EXIT'`, `'DOWN'`, time-outs).

use std::sync::Arc;

use super::account::FREE_BYTES;
use super::copy::{Size, copy_to, size};
use super::shared::{self, SharedList};
use super::{Account, AllocError, Fragment};
use crate::atom::Atom;
use crate::term::{Pid, Subtag, Term, View, Word};

/// An element of a tuple to make.
#[derive(Clone, Copy)]
pub enum Part<'a> {
    /// An immediate word: atom, pid, port, small integer.
    Word(Word),
    /// A reference: its number, and who made it.
    Ref(u64, Pid),
    /// The term a fragment carries, copied.
    Whole(&'a Fragment),
    /// One element of the tuple a fragment carries, copied.
    Element(&'a Fragment, usize),
}

/// Words of a reference.
const REF_WORDS: usize = 3;

impl<'a> Part<'a> {
    /// An atom.
    pub const fn atom(atom: Atom) -> Part<'a> {
        Part::Word(Word::atom(atom))
    }

    /// A pid.
    pub const fn pid(pid: Pid) -> Part<'a> {
        Part::Word(Word::pid(pid))
    }

    /// The term to copy, if it is one.
    pub(crate) fn term(&self) -> Option<Term<'a>> {
        match self {
            Part::Word(_) | Part::Ref(..) => None,
            Part::Whole(fragment) => Some(fragment.term()),
            Part::Element(fragment, index) => match fragment.term().view() {
                View::Tuple(elements) => elements.get(*index).copied(),
                _ => None,
            },
        }
    }
}

impl Fragment {
    /// A fragment whose root is a tuple of these parts: measured, allocated once, written once.
    ///
    /// # Errors
    /// If the parts are too large or there is no memory.
    ///
    /// # Panics
    /// If a `Word` part is no immediate.
    pub fn tuple(parts: &[Part<'_>], account: &Arc<Account>) -> Result<Fragment, AllocError> {
        let mut words = 1 + parts.len();
        let mut sizes = Vec::with_capacity(parts.len());
        for part in parts {
            let size = part.term().map_or(Ok(Size::default()), size)?;
            words += size.words() + if matches!(part, Part::Ref(..)) { REF_WORDS } else { 0 };
            sizes.push(size);
        }
        let large = Fragment::bytes_for(words) > FREE_BYTES;
        let mut fragment = if large { Fragment::charged(words, account)? } else { Fragment::new(words)? };
        let place = fragment.payload();
        let mut top = place.wrapping_add(1 + parts.len());
        let mut shared = SharedList::EMPTY;
        for (index, (part, size)) in parts.iter().zip(sizes).enumerate() {
            // SAFETY: the payload has the measured room: header and slots, then what each part takes, in order (H1, H3).
            let word = unsafe {
                match (part, part.term()) {
                    (Part::Word(word), _) => {
                        assert!(word.is_immediate(), "a part that points must be copied");
                        *word
                    }
                    (Part::Ref(unique, owner), _) => {
                        top.write(Word::header(Subtag::Ref, REF_WORDS - 1));
                        top.add(1).write(Word::from_bits(*unique));
                        top.add(2).write(Word::pid(*owner));
                        let word = Word::boxed(top);
                        top = top.add(REF_WORDS);
                        word
                    }
                    (_, Some(term)) if term.word().is_pointer() => {
                        let copied = copy_to(term, size, top);
                        top = copied.end;
                        append(&mut shared, copied.shared);
                        copied.root
                    }
                    (_, Some(term)) => term.word(),
                    (_, None) => Word::NIL,
                }
            };
            // SAFETY: as above.
            unsafe { place.add(1 + index).write(word) };
        }
        // SAFETY: as above.
        unsafe { place.write(Word::header(Subtag::Tuple, parts.len())) };
        debug_assert!(top == place.wrapping_add(words), "the parts take what was measured");
        fragment.header_mut().root = Word::boxed(place);
        fragment.set_shared(shared);
        Ok(fragment)
    }
}

/// Puts one list of counted objects in front of another.
fn append(list: &mut SharedList, more: SharedList) {
    if more.first.is_null() {
        return;
    }
    if list.first.is_null() {
        *list = more;
        return;
    }
    let bytes = list.bytes + more.bytes;
    // SAFETY: both lists are ours; `more.last` ends its list (H5).
    unsafe { shared::join(more, &mut list.first) };
    list.bytes = bytes;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atom::known;

    #[test]
    fn parts_become_the_elements_of_a_tuple() {
        let account = Account::root();
        let pid = Pid::new(7, 1);
        let inner = Fragment::tuple(&[Part::atom(known::OK), Part::Ref(99, pid)], &account).expect("memory");
        let parts = [
            Part::pid(pid),
            Part::Whole(&inner),
            Part::Element(&inner, 1),
            Part::Word(Word::small(3)),
            Part::atom(known::EXIT),
        ];
        let tuple = Fragment::tuple(&parts, &account).expect("memory");
        let View::Tuple(&[first, second, third, fourth, last]) = tuple.term().view() else {
            panic!("five elements")
        };
        assert_eq!(
            (first.as_pid(), fourth.as_small(), last.as_atom()),
            (Some(pid), Some(3), Some(known::EXIT))
        );
        assert_eq!(third.as_ref().map(|found| (found.unique(), found.owner())), Some((99, Some(pid))));
        let View::Tuple(&[ok, reference]) = second.view() else { panic!("the copied pair") };
        assert!(ok.is_atom(known::OK) && reference.as_ref().is_some_and(|found| found.unique() == 99));
    }
}

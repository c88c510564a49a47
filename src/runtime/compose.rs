//! Tuples of signals: `{'EXIT', From, Reason}`, `{'DOWN', Ref, process, Pid, Reason}` and the like, as fragments.

use std::sync::Arc;

use super::Runtime;
use crate::atom::{Atom, known};
use crate::heap::{Account, AllocError, Fragment, Heap, HeapRef, Policy};
use crate::term::{Pid, Term, View, Word};

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

impl Part<'_> {
    /// An atom.
    pub const fn atom<'a>(atom: Atom) -> Part<'a> {
        Part::Word(Word::atom(atom))
    }

    /// A pid.
    pub const fn pid<'a>(pid: Pid) -> Part<'a> {
        Part::Word(Word::pid(pid))
    }

    fn make<'h>(self, h: &mut HeapRef<'h>, account: &Arc<Account>) -> Result<Term<'h>, AllocError> {
        match self {
            Part::Word(word) => Ok(Term::immediate(word).expect("a part is an immediate word")),
            Part::Ref(unique, owner) => h.reference(unique, Some(owner)),
            Part::Whole(fragment) => copy_to(h, fragment.term(), account),
            Part::Element(fragment, index) => match fragment.term().view() {
                View::Tuple(elements) => copy_to(h, elements[index], account),
                _ => Ok(Term::NIL),
            },
        }
    }

    fn is_large(&self) -> bool {
        matches!(self, Part::Whole(_) | Part::Element(..))
    }
}

fn copy_to<'h>(h: &mut HeapRef<'h>, term: Term<'_>, account: &Arc<Account>) -> Result<Term<'h>, AllocError> {
    match Term::immediate(term.word()) {
        Some(immediate) => Ok(immediate),
        None => Ok(h.adopt(Fragment::copy(term, account)?)),
    }
}

/// A fragment made by `make` on a heap of its own.
///
/// # Errors
/// If there is no memory.
pub fn fragment(
    rt: &Runtime,
    account: &Arc<Account>,
    make: impl for<'h> FnOnce(&mut HeapRef<'h>) -> Result<Term<'h>, AllocError>,
) -> Result<Fragment, AllocError> {
    let mut heap = Heap::new(account.clone(), Policy::default())?;
    heap.with(&rt.atoms, |h| {
        let term = make(h)?;
        Fragment::copy(term, account)
    })
}

fn small<'a>(part: &Part<'a>) -> Part<'a> {
    if part.is_large() { Part::atom(known::SYSTEM_LIMIT) } else { *part }
}

/// A tuple of these parts. A term too large to copy is replaced by `system_limit`: that something died matters more than
/// why; `None` if there is no memory even for that.
pub fn tuple(rt: &Runtime, account: &Arc<Account>, parts: &[Part<'_>]) -> Option<Fragment> {
    let build = |parts: &[Part<'_>]| {
        fragment(rt, account, |h| {
            let elements = parts.iter().map(|part| part.make(h, account)).collect::<Result<Vec<_>, _>>()?;
            h.tuple(&elements)
        })
    };
    build(parts).or_else(|_| build(&parts.iter().map(small).collect::<Vec<Part<'_>>>())).ok()
}

/// `{'EXIT', From, Reason}`.
pub fn exit_tuple(rt: &Runtime, account: &Arc<Account>, from: Word, reason: Part<'_>) -> Option<Fragment> {
    tuple(rt, account, &[Part::atom(known::EXIT_SIGNAL), Part::Word(from), reason])
}

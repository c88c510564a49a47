//! The words a process holds outside its heap, as roots of collections and as terms.

use super::{Dictionary, Process};
use crate::atom::Atoms;
use crate::heap::copy::Measure;
use crate::heap::{AllocError, BlockCache, Collected, HeapRef, Kind};
use crate::term::compare::equal_exact;
use crate::term::hash::hash;
use crate::term::{Term, Word};

/// A measurement of a term that took more than its share of a slice, to be gone on with.
pub(super) struct Measuring {
    term: Word,
    /// Terms of the process's heap, good until its next collection, which drops this.
    measure: Measure<'static>,
}

impl std::fmt::Debug for Measuring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Measuring").field("term", &self.term).finish_non_exhaustive()
    }
}

/// Objects measured at once: some tens of microseconds.
const MEASURED_AT_ONCE: usize = 20_000;

impl Process {
    /// Words a copy of `term` takes, or `None` if that is not known yet: the caller gives way and asks again with the same
    /// term. So a term whose copy would be astronomical (sharing is lost) holds nobody up until it is refused.
    ///
    /// # Errors
    /// `SystemLimit` for more than can be copied.
    #[inline]
    pub fn measure<'h>(&mut self, term: Term<'h>) -> Result<Option<usize>, AllocError> {
        if term.word().is_immediate() {
            return Ok(Some(0));
        }
        if self.cold.as_ref().is_some_and(|cold| cold.measuring.is_some()) {
            return self.go_on_measuring(term);
        }
        let mut measure = Measure::new(term);
        match measure.step(MEASURED_AT_ONCE)? {
            Some(words) => Ok(Some(words)),
            None => {
                self.keep_measuring(term, measure);
                Ok(None)
            }
        }
    }

    #[cold]
    fn keep_measuring<'h>(&mut self, term: Term<'h>, measure: Measure<'h>) {
        self.reductions = 0;
        // SAFETY: only the brand changes. What it reaches are terms of this process's heap and of literals, which stay where
        // they are until the next collection of this process (H1), and that drops the measurement first.
        let measure = unsafe { std::mem::transmute::<Measure<'h>, Measure<'static>>(measure) };
        self.cold().measuring = Some(Box::new(Measuring { term: term.word(), measure }));
    }

    #[cold]
    fn go_on_measuring(&mut self, term: Term<'_>) -> Result<Option<usize>, AllocError> {
        let Some(mut measuring) = self.cold().measuring.take() else { return Ok(None) };
        if measuring.term != term.word() {
            // Another term than the one that was left: that one's native was given up.
            return self.measure(term);
        }
        let words = measuring.measure.step(MEASURED_AT_ONCE)?;
        if words.is_none() {
            self.reductions = 0;
            self.cold().measuring = Some(measuring);
        }
        Ok(words)
    }

    /// Collects at a safepoint of the running process, whose live X registers are `x`; then `need` words are free.
    ///
    /// # Errors
    /// If there is no memory; the heap is as it was.
    ///
    /// # Safety
    /// The process is at a safepoint: every pointer in `x` and on the stack is a term of its heap, and nobody has its heap
    /// opened (H1, H4).
    #[inline]
    pub unsafe fn collect(
        &mut self,
        cache: &mut BlockCache,
        need: usize,
        x: &mut [Word],
        kind: Kind,
    ) -> Result<Collected, AllocError> {
        if let Some(cold) = &mut self.cold {
            cold.measuring = None;
        }
        let dictionary = self.dictionary.as_mut().map_or(&mut [][..], |dictionary| dictionary.roots());
        // SAFETY: the caller vouches for `x` and the stack; the dictionary holds terms of this heap. Messages and signals
        // are in fragments of their own.
        unsafe { self.heap.collect(cache, need, &mut [x, dictionary], kind) }
    }

    /// Collects a process that is not running, whose registers are saved.
    ///
    /// # Errors
    /// If there is no memory; the heap is as it was.
    pub fn collect_parked(&mut self, cache: &mut BlockCache, kind: Kind) -> Result<Collected, AllocError> {
        let mut x = std::mem::take(&mut self.x);
        let live = self.x_live;
        // SAFETY: a process that does not run is at a safepoint: what it holds is on its stack, in its saved registers and
        // in its dictionary, and a heap is only open inside a native call.
        let collected = unsafe { self.collect(cache, 0, x.words_mut(live), kind) };
        self.x = x;
        self.mailbox.shrink();
        collected
    }
}

/// The dictionary, in terms of the brand of the opened heap, which must be this process's own: a native call's.
impl Process {
    fn is_key<'a>(word: Word, key: Term<'a>) -> bool {
        // SAFETY: H1: the dictionary's words are terms of this process's heap, which is open, so nothing moves.
        word == key.word()
            || key.word().is_pointer() && equal_exact(unsafe { Term::<'a>::from_word(word) }, key)
    }

    fn dictionary_hash(atoms: &Atoms, key: Term<'_>) -> u64 {
        if key.word().is_pointer() { hash(atoms, key) } else { Dictionary::immediate_hash(key.word()) }
    }

    /// The value of a key.
    #[inline]
    pub fn dictionary_get<'h>(&self, atoms: &Atoms, key: Term<'h>) -> Option<Term<'h>> {
        let dictionary = self.dictionary.as_ref()?;
        let value =
            dictionary.get(Process::dictionary_hash(atoms, key), |word| Process::is_key(word, key))?;
        // SAFETY: H1: a term of this process's heap, whose brand the key has.
        Some(unsafe { Term::from_word(value) })
    }

    /// Sets a key's value and gives the old one.
    #[inline]
    pub fn dictionary_put<'h>(&mut self, atoms: &Atoms, key: Term<'h>, value: Term<'h>) -> Option<Term<'h>> {
        let hash = Process::dictionary_hash(atoms, key);
        let dictionary = self.dictionary.get_or_insert_default();
        let old = dictionary.put(hash, |word| Process::is_key(word, key), key.word(), value.word())?;
        // SAFETY: as in `dictionary_get`.
        Some(unsafe { Term::from_word(old) })
    }

    /// Removes a key and gives its value.
    pub fn dictionary_erase<'h>(&mut self, atoms: &Atoms, key: Term<'h>) -> Option<Term<'h>> {
        let dictionary = self.dictionary.as_mut()?;
        let old =
            dictionary.erase(Process::dictionary_hash(atoms, key), |word| Process::is_key(word, key))?;
        // SAFETY: as in `dictionary_get`.
        Some(unsafe { Term::from_word(old) })
    }

    /// Keys and values, readable while the process is borrowed.
    pub fn dictionary_terms(&self) -> impl Iterator<Item = (Term<'_>, Term<'_>)> {
        let entries = self.dictionary.iter().flat_map(|dictionary| dictionary.iter());
        // SAFETY: H1: terms of this process's heap, which cannot collect while it is borrowed.
        entries.map(|(key, value)| unsafe { (Term::from_word(key), Term::from_word(value)) })
    }

    /// Keys and values, as terms of the opened heap, which must be this process's own.
    pub fn dictionary_of<'h>(&self, _: &HeapRef<'h>) -> Vec<(Term<'h>, Term<'h>)> {
        let entries = self.dictionary.iter().flat_map(|dictionary| dictionary.iter());
        // SAFETY: H1, H4: terms of this process's heap, opened with this brand.
        entries.map(|(key, value)| unsafe { (Term::from_word(key), Term::from_word(value)) }).collect()
    }
}

//! The words a process holds outside its heap, as roots of collections and as terms.

use super::{Dictionary, Process};
use crate::atom::Atoms;
use crate::heap::{AllocError, Areas, BlockCache, Collected, Fragment, HeapRef, Kind};
use crate::term::compare::equal_exact;
use crate::term::hash::hash;
use crate::term::{Term, Word};

impl Process {
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

    /// Copies whatever a process that is not running has of these areas, its messages included, and notes which watched funs it
    /// has. Gives the words looked at and moved.
    ///
    /// # Errors
    /// If there is no memory; the process is whole, but may still lead to the areas.
    pub fn leave(&mut self, cache: &mut BlockCache, areas: &Areas) -> Result<usize, AllocError> {
        let mut x = std::mem::take(&mut self.x);
        let dictionary = self.dictionary.as_mut().map_or(&mut [][..], |dictionary| dictionary.roots());
        // SAFETY: as in `collect_parked`.
        let left = unsafe { self.heap.leave(cache, &mut [x.words_mut(self.x_live), dictionary], areas) };
        self.x = x;
        let mut words = left?;
        let account = self.heap.account();
        self.mailbox.replace(|message| {
            words += message.words();
            match message.leads_to(areas) {
                true => Fragment::copy(message.term(), account).map(Some),
                false => Ok(None),
            }
        })?;
        Ok(words)
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

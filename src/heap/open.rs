//! The heap as natives see it: opened for reading and allocating.

use std::marker::PhantomData;
use std::ptr::NonNull;

use super::{Account, AllocError, Charge, Fragment, Heap, Scratch};
use crate::atom::{Atom, Atoms};
use crate::limits::Quota;
use crate::term::{Brand, Term, Word};

/// A heap opened for natives: reads and makes terms of brand `'h`. A native context embeds one.
pub struct HeapRef<'h> {
    heap: NonNull<Heap>,
    atoms: NonNull<Atoms>,
    brand: Brand<'h>,
}

impl<'h> HeapRef<'h> {
    /// Opens a heap for a brand the caller vouches for.
    ///
    /// # Safety
    /// Until `'h` ends, `heap` and `atoms` live, nobody else touches the heap's allocation fields while this value's
    /// methods run, and no collection happens (H4). `'h` must be fresh: no term of another heap has it.
    #[inline(always)]
    pub unsafe fn new(heap: NonNull<Heap>, atoms: NonNull<Atoms>) -> HeapRef<'h> {
        HeapRef { heap, atoms, brand: PhantomData }
    }

    /// The VM's atoms.
    #[inline(always)]
    pub fn atoms(&self) -> &'h Atoms {
        // SAFETY: `new`: they live for 'h.
        unsafe { self.atoms.as_ref() }
    }

    /// The heap's figures and settings.
    #[inline(always)]
    pub fn heap(&self) -> &Heap {
        // SAFETY: `new`: the heap lives for 'h and nobody else touches it while we do.
        unsafe { self.heap.as_ref() }
    }

    #[inline(always)]
    pub(crate) fn heap_mut(&mut self) -> &mut Heap {
        // SAFETY: as in `heap`.
        unsafe { self.heap.as_mut() }
    }

    /// Who pays.
    #[inline(always)]
    pub fn payer(&self) -> &'h Account {
        // SAFETY: `new`: the heap lives for 'h, and with it its count of the account, which is never changed for another. The
        // account itself lies outside the heap.
        unsafe { &*std::sync::Arc::as_ptr(self.heap().account()) }
    }

    /// The atom of that text, made if there is none.
    ///
    /// # Errors
    /// `SystemLimit` if the text is too long for one or there are too many; `Limit` if the process has made too many.
    pub fn intern(&self, text: &str) -> Result<Atom, AllocError> {
        let atoms = self.atoms();
        if self.heap().is_limited() && atoms.existing(text).is_none() {
            self.payer().spend(Quota::Atoms, 1)?;
        }
        atoms.intern(text).map_err(|_| AllocError::SystemLimit)
    }

    /// Scratch space that the process pays for.
    #[inline]
    pub fn scratch<T>(&self) -> Scratch<'h, T> {
        Scratch::new(self.payer())
    }

    /// What the process is charged for scratch space that is kept elsewhere.
    #[inline]
    pub fn charge_for_scratch(&self) -> Charge<'h> {
        Charge::new(self.payer())
    }

    /// Takes a message's (or any) fragment over and gives its root.
    pub fn adopt(&mut self, fragment: Fragment) -> Term<'h> {
        let root = self.heap_mut().adopt(fragment);
        // SAFETY: H9: the fragment's root is a term, and the heap owns the payload from now on.
        unsafe { Term::from_word(root) }
    }

    /// Trusts a word of this heap (a register, a dictionary slot).
    ///
    /// # Safety
    /// `word` is a term of this heap, valid now.
    #[inline(always)]
    pub unsafe fn term(&self, word: Word) -> Term<'h> {
        // SAFETY: the caller's promise, and H4 for the rest of 'h.
        unsafe { Term::from_word(word) }
    }

    /// Lends this heap to a wrapper for as long as `work` runs; nobody can use this value meanwhile.
    ///
    /// `wrap` only puts what it is given into the wrapper, which is dropped here.
    #[inline(always)]
    pub(crate) fn lend<T, R>(
        &mut self,
        wrap: impl FnOnce(HeapRef<'h>) -> T,
        work: impl FnOnce(&mut T) -> R,
    ) -> R {
        work(&mut wrap(HeapRef { heap: self.heap, atoms: self.atoms, brand: PhantomData }))
    }

    /// Makes a collection due at the next safepoint.
    pub fn request_collect(&mut self) {
        self.heap_mut().request_collect();
    }
}

//! Funs: with an environment (made by `fun ... end`) and external ones (`fun M:F/A`).

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::{Term, Word};
use crate::atom::Atom;

/// What all funs made at one place of one version of a module have in common.
///
/// Entries are keyed by (module, index, uniq) and owned by the VM's code tables, which free those of purged code that no term
/// refers to any more (H11). `target` belongs to the code floor: where a call goes, replaced when a module with
/// the same entry is loaded again or purged.
#[derive(Debug)]
pub struct FunEntry {
    /// The module.
    pub module: Atom,
    /// Number of arguments of a call.
    pub arity: u8,
    /// Number of captured values.
    pub captured: u8,
    /// Index among the module's funs.
    pub index: u32,
    /// Hash of the fun's code, printed as its third number.
    pub uniq: u32,
    /// Hash of the whole module.
    pub module_hash: [u8; 16],
    /// Where a call goes; the code floor's.
    pub target: AtomicU64,
    /// What a call meets when there is no code; the code floor's.
    pub stub: [u64; 1],
    /// Who may still have funs of it, while the code floor looks for them: [`FunEntry::WATCHED`] and others.
    pub marks: AtomicU8,
}

impl FunEntry {
    /// The code floor looks for its funs.
    pub const WATCHED: u8 = 1;
    /// There was one since.
    pub const SEEN: u8 = 2;
    /// There was one where nobody looks: the entry stays for ever.
    pub const ESCAPED: u8 = 4;

    /// The entry of a fun.
    ///
    /// # Safety
    /// `object` is one, in whole (H3).
    pub(crate) unsafe fn of<'a>(object: *const Word) -> &'a FunEntry {
        // SAFETY: the caller's promise; H11: the second word of a fun is the address of its entry, which lives.
        unsafe { &*std::ptr::with_exposed_provenance::<FunEntry>((*object.add(1)).bits() as usize) }
    }

    /// There is a fun of it in a process.
    pub(crate) fn note_seen(&self) {
        // Relaxed: whoever asks has waited for us (quiescence, an answer), which orders it.
        if self.marks.load(Ordering::Relaxed) & (FunEntry::WATCHED | FunEntry::SEEN) == FunEntry::WATCHED {
            self.marks.fetch_or(FunEntry::SEEN, Ordering::Relaxed);
        }
    }

    /// A fun of it goes where nobody looks.
    pub(crate) fn note_escape(&self) {
        if self.marks.load(Ordering::Relaxed) & FunEntry::ESCAPED == 0 {
            self.marks.fetch_or(FunEntry::ESCAPED, Ordering::Relaxed);
        }
    }

    /// Where a call goes.
    #[inline(always)]
    pub fn target(&self) -> u64 {
        // Acquire pairs with the Release of the loader's `set_target`: the code is complete before it is reachable.
        self.target.load(Ordering::Acquire)
    }

    /// Sets where a call goes.
    pub fn set_target(&self, target: u64) {
        self.target.store(target, Ordering::Release);
    }
}

/// The address of an entry, from whoever owns the entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntryAddress(NonNull<FunEntry>);

impl EntryAddress {
    /// Vouches for an entry.
    ///
    /// # Safety
    /// It lives as long as terms that are made of it (H11).
    pub const unsafe fn new(entry: NonNull<FunEntry>) -> EntryAddress {
        EntryAddress(entry)
    }

    /// Number of values that every fun of this entry captures.
    pub fn captured(self) -> usize {
        // SAFETY: `new`: the entry is alive.
        usize::from(unsafe { self.0.as_ref() }.captured)
    }

    /// Number of arguments of every fun of this entry.
    pub fn arity(self) -> usize {
        // SAFETY: `new`: the entry is alive.
        usize::from(unsafe { self.0.as_ref() }.arity)
    }

    /// The address as a fun holds it.
    pub fn bits(self) -> u64 {
        self.0.as_ptr().expose_provenance() as u64
    }
}

/// A fun with an environment.
#[derive(Clone, Copy)]
pub struct Fun<'h>(Term<'h>);

impl<'h> Fun<'h> {
    pub(super) fn of(term: Term<'h>) -> Fun<'h> {
        Fun(term)
    }

    /// Its entry.
    #[inline]
    pub fn entry(self) -> &'h FunEntry {
        let address = self.0.object()[1].bits() as usize;
        // SAFETY: H11: the second word of a fun is the address of an entry that outlives it.
        unsafe { &*std::ptr::with_exposed_provenance::<FunEntry>(address) }
    }

    /// The captured values.
    #[inline]
    pub fn captured(self) -> &'h [Term<'h>] {
        self.0.terms_of(&self.0.object()[2..])
    }
}

/// `fun M:F/A`.
#[derive(Clone, Copy)]
pub struct ExternalFun<'h>(Term<'h>);

impl<'h> ExternalFun<'h> {
    pub(super) fn of(term: Term<'h>) -> ExternalFun<'h> {
        ExternalFun(term)
    }

    /// The module.
    pub fn module(self) -> Atom {
        self.0.object()[1].as_atom().expect("H3: an external fun's first word is an atom")
    }

    /// The function.
    pub fn function(self) -> Atom {
        self.0.object()[2].as_atom().expect("H3: an external fun's second word is an atom")
    }

    /// The arity.
    pub fn arity(self) -> u8 {
        self.0.object()[3].small_value() as u8
    }

    /// The code floor's own word (its export), as it was given when the fun was made.
    pub fn export(self) -> u64 {
        self.0.object()[4].bits()
    }
}

//! Terms: the machine word, safe read-only views of it, order, equality, hashing and printing.
//!
//! Two types. [`Word`] is raw: registers, stacks and heap slots hold words, and nothing here follows one without `unsafe`.
//! [`Term<'h>`](Term) is a word together with the promise that everything it can reach stays where it is for `'h`; reading
//! it is safe. Terms are issued by a native call's context and cannot outlive it:
//!
//! ```compile_fail
//! # use erlet::{atom::{Atoms, HashKey}, heap::{Heap, HeapRef, Account, Policy}};
//! # let (atoms, mut heap) = (Atoms::new(HashKey::from_seed(1), 9999), Heap::new(Account::root(), Policy::default()).unwrap());
//! let escaped = heap.with(&atoms, |h| h.int(1).unwrap()); // the brand 'h ends with the closure
//! ```
//!
//! Invariant: nothing on this floor allocates on a heap or writes to one. The layout of every object is described in
//! [`word`]; the rules that make reading safe are the numbered invariants H1 to H11 of [`heap`](crate::heap).

pub mod bits;
pub mod buffer;
pub mod compare;
pub mod equal;
pub mod fun;
pub mod hash;
pub mod map;
pub mod pairs;
pub mod phash;
pub mod print;
mod seen;
pub mod view;
pub mod word;
pub(crate) mod worklist;

use std::marker::PhantomData;

pub use bits::Bits;
pub use fun::{EntryAddress, ExternalFun, Fun, FunEntry};
pub use map::Map;
pub use view::{Big, Cons, Ref, View};
pub use word::{Pid, Port, Subtag, Word};

use crate::atom::Atom;

/// A word that may be read for as long as `'h` lasts.
///
/// Invariant in `'h` (a term of one context is no term of another) and not `Send` (heaps belong to one process).
///
/// An embedder meets it in conversions of its own, and reads it through views:
///
/// ```
/// use erlet::{Error, FromTerm, Term, TermReader};
///
/// /// Meters, from `{m, N}` or `{km, N}`.
/// struct Meters(f64);
///
/// impl FromTerm for Meters {
///     fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<Meters, Error> {
///         match term.as_tuple() {
///             Some([unit, number]) if reader.is_atom(*unit, "m") => Ok(Meters(reader.read(*number)?)),
///             Some([unit, number]) if reader.is_atom(*unit, "km") => Ok(Meters(1000.0 * reader.read::<f64>(*number)?)),
///             _ => Err(reader.mismatch("a length", term)),
///         }
///     }
/// }
/// # let vm = erlet::Vm::builder().threads(0).build()?;
/// assert_eq!(vm.convert::<Meters>((erlet::Atom::new("km"), 2))?.0, 2000.0);
/// # Ok::<(), erlet::Error>(())
/// ```
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Term<'h> {
    word: Word,
    brand: Brand<'h>,
}

/// Invariant in `'h`, and neither `Send` nor `Sync`.
pub(crate) type Brand<'h> = PhantomData<(fn(&'h ()) -> &'h (), *mut ())>;

impl<'h> Term<'h> {
    /// The empty list.
    pub const NIL: Term<'h> = Term { word: Word::NIL, brand: PhantomData };

    /// Trusts a word.
    ///
    /// # Safety
    /// `word` is a term (no header, continuation, catch mark or `NONE`), and H1 holds for it throughout `'h` (H4).
    #[inline(always)]
    pub const unsafe fn from_word(word: Word) -> Term<'h> {
        Term { word, brand: PhantomData }
    }

    /// Trusts a slice of words.
    ///
    /// # Safety
    /// As [`Term::from_word`], for each word; and the slice itself stays unchanged for `'h`.
    #[inline(always)]
    pub const unsafe fn from_words(words: &'h [Word]) -> &'h [Term<'h>] {
        // SAFETY: `Term` is a transparent `Word`; the caller vouches for the words (H1, H4).
        unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), words.len()) }
    }

    /// The same term under a brand that ends earlier: for walks that read and give no term out.
    #[inline(always)]
    pub(crate) fn shorten<'s>(self) -> Term<'s>
    where
        'h: 's,
    {
        // SAFETY: what stays for 'h stays for 's, which is inside it (H4). The shorter brand is nobody's heap's: no
        // `HeapRef` of it exists that could take the term for one of its own, since its brand is fresh.
        unsafe { Term::from_word(self.word) }
    }

    /// A term that is wholly in its word.
    #[inline(always)]
    pub const fn immediate(word: Word) -> Option<Term<'h>> {
        let term = word.is_small() || word.is_float() || word.is_atom() || word.is_nil();
        if term || word.is_pid() || word.is_port() { Some(Term { word, brand: PhantomData }) } else { None }
    }

    /// An atom.
    #[inline(always)]
    pub const fn atom(atom: Atom) -> Term<'h> {
        Term { word: Word::atom(atom), brand: PhantomData }
    }

    /// `true` or `false`.
    #[inline(always)]
    pub const fn boolean(value: bool) -> Term<'h> {
        Term::atom(crate::atom::known::boolean(value))
    }

    /// A small integer, if `value` fits in 61 bits.
    #[inline(always)]
    pub const fn small(value: i64) -> Option<Term<'h>> {
        match Word::try_small(value) {
            Some(word) => Some(Term { word, brand: PhantomData }),
            None => None,
        }
    }

    /// A local pid.
    #[inline(always)]
    pub const fn pid(pid: Pid) -> Term<'h> {
        Term { word: Word::pid(pid), brand: PhantomData }
    }

    /// A local port.
    #[inline(always)]
    pub const fn port(port: Port) -> Term<'h> {
        Term { word: Word::port(port), brand: PhantomData }
    }

    /// The raw word.
    #[inline(always)]
    pub const fn word(self) -> Word {
        self.word
    }
}

impl std::fmt::Debug for Term<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.view() {
            View::Int(value) => write!(f, "{value}"),
            View::Float(value) => write!(f, "{value:?}"),
            View::Atom(atom) => write!(f, "atom#{}", atom.index()),
            View::Nil => f.write_str("[]"),
            View::Cons(_) => f.write_str("[..]"),
            View::Tuple(elements) => write!(f, "{{{} elements}}", elements.len()),
            View::Pid(pid) => write!(f, "<0.{}.{}>", pid.serial(), pid.index()),
            _ => write!(f, "{:?}", self.word),
        }
    }
}

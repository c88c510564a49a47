//! What a term is: one enum to match on, and small readers for single questions.

use super::{Bits, ExternalFun, Fun, Map, Pid, Port, Subtag, Term, Word};
use crate::atom::{Atom, known};

/// A term, taken apart one level deep.
#[derive(Clone, Copy)]
pub enum View<'h> {
    /// Integer of 61 bits.
    Int(i64),
    /// Integer outside 61 bits.
    Big(Big<'h>),
    /// Float (never NaN or infinite).
    Float(f64),
    /// Atom.
    Atom(Atom),
    /// `[]`.
    Nil,
    /// A cell of a list.
    Cons(Cons<'h>),
    /// Tuple: its elements.
    Tuple(&'h [Term<'h>]),
    /// Map.
    Map(Map<'h>),
    /// Binary or bitstring.
    Bits(Bits<'h>),
    /// Fun with an environment.
    Fun(Fun<'h>),
    /// `fun M:F/A`.
    ExternalFun(ExternalFun<'h>),
    /// Local process identifier.
    Pid(Pid),
    /// Local port identifier.
    Port(Port),
    /// Reference (also the identity of a resource).
    Ref(Ref<'h>),
}

/// A cell of a list.
#[derive(Clone, Copy)]
pub struct Cons<'h>(&'h [Term<'h>; 2]);

impl<'h> Cons<'h> {
    /// The head.
    #[inline(always)]
    pub fn head(self) -> Term<'h> {
        self.0[0]
    }

    /// Head and tail, side by side.
    #[inline(always)]
    pub(crate) fn parts(self) -> &'h [Term<'h>] {
        self.0
    }

    /// The tail.
    #[inline(always)]
    pub fn tail(self) -> Term<'h> {
        self.0[1]
    }
}

/// An integer outside the small range: sign and magnitude.
#[derive(Clone, Copy)]
pub struct Big<'h> {
    negative: bool,
    limbs: &'h [u64],
}

impl<'h> Big<'h> {
    /// Whether it is below zero.
    #[inline]
    pub fn is_negative(self) -> bool {
        self.negative
    }

    /// The magnitude, least significant limb first; the last limb is not zero.
    #[inline]
    pub fn limbs(self) -> &'h [u64] {
        self.limbs
    }
}

/// A reference.
#[derive(Clone, Copy)]
pub struct Ref<'h> {
    header: &'h [Word],
}

impl<'h> Ref<'h> {
    /// The 64 bits that are unique in the VM.
    #[inline]
    pub fn unique(self) -> u64 {
        self.header[1].bits()
    }

    /// The process that made it, by which its alias, monitor or timer is found; `None` for a resource's identity and for
    /// references that came from outside.
    #[inline]
    pub fn owner(self) -> Option<Pid> {
        if self.header[0].is_header_of(Subtag::Ref) { self.header[2].as_pid() } else { None }
    }

    /// Whether it is the identity of a resource.
    pub fn is_resource(self) -> bool {
        self.header[0].is_header_of(Subtag::Resource)
    }
}

impl<'h> Term<'h> {
    /// Takes the term apart.
    #[inline]
    pub fn view(self) -> View<'h> {
        let word = self.word();
        match word.tag() {
            super::word::TAG_SMALL => View::Int(word.small_value()),
            super::word::TAG_CONS => View::Cons(self.cons_cell()),
            super::word::TAG_BOXED => self.view_boxed(),
            super::word::TAG_IMMEDIATE => {
                if let Some(atom) = word.as_atom() {
                    View::Atom(atom)
                } else if word.is_nil() {
                    View::Nil
                } else if let Some(pid) = word.as_pid() {
                    View::Pid(pid)
                } else if let Some(port) = word.as_port() {
                    View::Port(port)
                } else {
                    View::Float(word.float_value())
                }
            }
            _ => View::Float(word.float_value()),
        }
    }

    fn view_boxed(self) -> View<'h> {
        let object = self.object();
        match object[0].header_subtag() {
            Subtag::Tuple => View::Tuple(self.terms_of(&object[1..])),
            Subtag::BigPositive => View::Big(Big { negative: false, limbs: raw_words(&object[1..]) }),
            Subtag::BigNegative => View::Big(Big { negative: true, limbs: raw_words(&object[1..]) }),
            Subtag::Float => View::Float(f64::from_bits(object[1].bits())),
            Subtag::HeapBits | Subtag::SharedBits | Subtag::SubBits => View::Bits(Bits::of(self)),
            Subtag::FlatMap | Subtag::HashMap => View::Map(Map::of(self)),
            Subtag::Fun => View::Fun(Fun::of(self)),
            Subtag::ExternalFun => View::ExternalFun(ExternalFun::of(self)),
            Subtag::Ref | Subtag::Resource => View::Ref(Ref { header: object }),
            Subtag::MatchContext | Subtag::HashNode | Subtag::HashBucket | Subtag::Filler => {
                unreachable!("H3: never reachable as a term of its own")
            }
        }
    }

    /// Header and body of a boxed object.
    ///
    /// # Panics
    /// If the term is not boxed.
    #[inline]
    pub(crate) fn object(self) -> &'h [Word] {
        assert!(self.word().is_boxed(), "only boxed terms have an object");
        let address = self.word().address();
        // SAFETY: H1: a boxed pointer points at a header and as many words as it says; H2, H4: unchanged for 'h.
        unsafe { std::slice::from_raw_parts(address, 1 + (*address).header_arity()) }
    }

    /// The header of a boxed object, `Word::NONE` for other terms.
    #[inline]
    pub(crate) fn header(self) -> Word {
        if self.word().is_boxed() {
            // SAFETY: H1: a boxed pointer points at a header.
            unsafe { *self.word().address() }
        } else {
            Word::NONE
        }
    }

    /// The words as terms; for words of an object of this same brand.
    #[inline]
    pub(crate) fn terms_of(self, words: &'h [Word]) -> &'h [Term<'h>] {
        // SAFETY: H3: only called for slots that hold terms; H1 makes them valid as long as the object is.
        unsafe { Term::from_words(words) }
    }

    #[inline]
    fn cons_cell(self) -> Cons<'h> {
        debug_assert!(self.word().is_cons());
        // SAFETY: H1: a cons pointer points at two words that are terms; H2, H4: unchanged for 'h.
        Cons(unsafe { &*self.word().address().cast::<[Term<'h>; 2]>() })
    }

    /// Value of a small integer.
    #[inline(always)]
    pub fn as_small(self) -> Option<i64> {
        if self.word().is_small() { Some(self.word().small_value()) } else { None }
    }

    /// The atom, if it is one.
    #[inline(always)]
    pub fn as_atom(self) -> Option<Atom> {
        self.word().as_atom()
    }

    /// Whether it is exactly this atom.
    #[inline(always)]
    pub fn is_atom(self, atom: Atom) -> bool {
        self.word() == Word::atom(atom)
    }

    /// `true` or `false`, if it is one of the two.
    #[inline]
    pub fn as_boolean(self) -> Option<bool> {
        if self.is_atom(known::TRUE) {
            Some(true)
        } else if self.is_atom(known::FALSE) {
            Some(false)
        } else {
            None
        }
    }

    /// The pid, if it is one.
    #[inline(always)]
    pub fn as_pid(self) -> Option<Pid> {
        self.word().as_pid()
    }

    /// The port, if it is one.
    #[inline(always)]
    pub fn as_port(self) -> Option<Port> {
        self.word().as_port()
    }

    /// Whether it is `[]`.
    #[inline(always)]
    pub fn is_nil(self) -> bool {
        self.word().is_nil()
    }

    /// The cell, if it is a non-empty list.
    #[inline(always)]
    pub fn as_cons(self) -> Option<Cons<'h>> {
        if self.word().is_cons() { Some(self.cons_cell()) } else { None }
    }

    /// The elements, if it is a tuple.
    #[inline]
    pub fn as_tuple(self) -> Option<&'h [Term<'h>]> {
        if self.header().is_header_of(Subtag::Tuple) {
            Some(self.terms_of(&self.object()[1..]))
        } else {
            None
        }
    }

    /// The map, if it is one.
    #[inline]
    pub fn as_map(self) -> Option<Map<'h>> {
        let header = self.header();
        if header.is_header_of(Subtag::FlatMap) || header.is_header_of(Subtag::HashMap) {
            Some(Map::of(self))
        } else {
            None
        }
    }

    /// The bitstring, if it is one.
    #[inline]
    pub fn as_bits(self) -> Option<Bits<'h>> {
        match self.view() {
            View::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    /// The fun with an environment, if it is one.
    pub fn as_fun(self) -> Option<Fun<'h>> {
        match self.view() {
            View::Fun(fun) => Some(fun),
            _ => None,
        }
    }

    /// The big integer, if it is one.
    #[inline]
    pub fn as_big(self) -> Option<Big<'h>> {
        match self.view() {
            View::Big(big) => Some(big),
            _ => None,
        }
    }

    /// The float, if it is one.
    #[inline]
    pub fn as_float(self) -> Option<f64> {
        match self.view() {
            View::Float(value) => Some(value),
            _ => None,
        }
    }

    /// The reference, if it is one.
    #[inline]
    pub fn as_ref(self) -> Option<Ref<'h>> {
        match self.view() {
            View::Ref(reference) => Some(reference),
            _ => None,
        }
    }

    /// Whether it is an integer of any size.
    #[inline]
    pub fn is_integer(self) -> bool {
        let header = self.header();
        self.word().is_small()
            || header.is_header_of(Subtag::BigPositive)
            || header.is_header_of(Subtag::BigNegative)
    }

    /// Whether it is an integer or a float.
    #[inline]
    pub fn is_number(self) -> bool {
        self.is_integer() || self.as_float().is_some()
    }

    /// Whether it is `[]` or a cell.
    #[inline]
    pub fn is_list(self) -> bool {
        self.word().is_nil() || self.word().is_cons()
    }

    /// Walks a list; see [`ListIter`] for what happens at its end.
    #[inline]
    pub fn list(self) -> ListIter<'h> {
        ListIter { rest: self }
    }

    /// Number of cells if this is a proper list.
    pub fn proper_length(self) -> Option<usize> {
        let mut cells = self.list();
        let length = cells.by_ref().count();
        if cells.rest().is_nil() { Some(length) } else { None }
    }
}

/// Iterator over the heads of a list; ends at the first tail that is no cell, which `rest` then gives (`[]` if proper).
#[derive(Clone, Copy)]
pub struct ListIter<'h> {
    rest: Term<'h>,
}

impl<'h> ListIter<'h> {
    /// What is left of the list.
    #[inline]
    pub fn rest(&self) -> Term<'h> {
        self.rest
    }
}

impl<'h> Iterator for ListIter<'h> {
    type Item = Term<'h>;

    #[inline]
    fn next(&mut self) -> Option<Term<'h>> {
        let cell = self.rest.as_cons()?;
        self.rest = cell.tail();
        Some(cell.head())
    }
}

/// Words read as plain numbers.
#[inline]
fn raw_words(words: &[Word]) -> &[u64] {
    // SAFETY: `Word` is a transparent u64.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), words.len()) }
}

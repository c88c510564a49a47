//! The two equalities: `=:=` and `==`.
//!
//! Equality needs no atoms' text and no order: atoms are equal words, and equal hash maps have equal shapes (H8), so both
//! sides are walked in step. The walk is iterative, and can be done in steps.

use super::bits::Bits;
use super::compare::compare_numbers;
use super::seen::Seen;
use super::worklist::Worklist;
use super::{Subtag, Term, Word};

/// `=:=`.
#[inline]
pub fn equal_exact(a: Term<'_>, b: Term<'_>) -> bool {
    // Different words of which one is an immediate are different terms (H7, H8).
    a.word() == b.word() || (both_pointers(a.word(), b.word()) && equal_objects(a, b, true))
}

/// `==`: as `=:=`, but integers and floats of the same value are equal, except as keys of maps.
#[inline]
pub fn equal(a: Term<'_>, b: Term<'_>) -> bool {
    a.word() == b.word() || (!differ_as_words(a.word(), b.word()) && equal_objects(a, b, false))
}

/// Whether terms are `=:=` (exactly) or `==`, if their words alone say so.
#[inline(always)]
pub fn words_equal(a: Word, b: Word, exact: bool) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    let differ = if exact { !both_pointers(a, b) } else { differ_as_words(a, b) };
    if differ { Some(false) } else { None }
}

/// Whether words that are not equal are terms that are not `==`, with nothing more to look at.
#[inline(always)]
fn differ_as_words(a: Word, b: Word) -> bool {
    a.is_atom() || b.is_atom() || a.both_small(b)
}

/// Cells of two lists looked at in one step: a step stays short.
const CELLS_PER_STEP: usize = 8;

/// Elements of two rows looked at in one step.
const ELEMENTS_PER_STEP: usize = 16;

#[inline(always)]
fn both_pointers(a: Word, b: Word) -> bool {
    // Tags of pointers are 001 and 010; equal tags are necessary.
    a.is_pointer() && a.tag() == b.tag()
}

fn equal_objects(a: Term<'_>, b: Term<'_>, exact: bool) -> bool {
    let mut walk = Equality::new(a, b, exact);
    loop {
        if let Some(result) = walk.step(usize::MAX) {
            return result;
        }
    }
}

/// A comparison for equality, done in steps.
pub struct Equality<'h> {
    rest: Worklist<Pair<'h>, 12>,
    seen: Seen,
    /// What the next step takes more than others, announced by the last one.
    ahead: usize,
}

#[derive(Clone, Copy)]
enum Pair<'h> {
    /// Two terms; whether exactly.
    Terms(Term<'h>, Term<'h>, bool),
    /// Two rows of terms of the same length.
    Rows(&'h [Term<'h>], &'h [Term<'h>], bool),
    /// Two parts of hash maps (leaf, node or bucket): keys exactly, values as said.
    Parts(Term<'h>, Term<'h>, bool),
}

/// What a look at a pair found.
enum Found<'h> {
    /// A difference.
    Difference,
    /// None so far.
    Nothing,
    /// None so far; this pair is to be looked at next, before the list.
    Pair(Term<'h>, Term<'h>, bool),
}

impl<'h> Found<'h> {
    fn equal(equal: bool) -> Found<'h> {
        if equal { Found::Nothing } else { Found::Difference }
    }
}

impl<'h> Equality<'h> {
    /// Begins to compare two terms, exactly (`=:=`) or not (`==`).
    pub fn new<'x: 'h, 'y: 'h>(a: Term<'x>, b: Term<'y>, exact: bool) -> Equality<'h> {
        let (a, b) = (a.shorten(), b.shorten());
        let mut rest = Worklist::new();
        rest.push(Pair::Terms(a, b, exact));
        Equality { rest, seen: Seen::default(), ahead: 0 }
    }

    /// What the next step takes more than others (long bitstrings are compared in one go), in units of some nanoseconds.
    pub fn ahead(&self) -> usize {
        self.ahead
    }

    /// Compares about `budget` pairs more; the answer once it is known.
    pub fn step(&mut self, budget: usize) -> Option<bool> {
        let mut left = budget;
        loop {
            if left == 0 {
                return None;
            }
            left -= 1;
            let Some(pair) = self.rest.pop() else { return Some(true) };
            let mut found = match pair {
                Pair::Terms(a, b, exact) => self.terms(a, b, exact),
                Pair::Rows(a, b, exact) => self.rows(a, b, exact),
                Pair::Parts(a, b, exact) => self.parts(a, b, exact),
            };
            while let Found::Pair(a, b, exact) = found {
                if left == 0 || self.ahead > 0 {
                    self.rest.push(Pair::Terms(a, b, exact));
                    return None;
                }
                left -= 1;
                found = self.terms(a, b, exact);
            }
            if let Found::Difference = found {
                return Some(false);
            }
        }
    }

    /// Whether the two may be equal as far as seen; what is left to compare is on the list.
    #[inline]
    fn terms(&mut self, a: Term<'h>, b: Term<'h>, exact: bool) -> Found<'h> {
        let (wa, wb) = (a.word(), b.word());
        if wa == wb {
            return Found::Nothing;
        }
        // (What was announced is looked at again.)
        if both_pointers(wa, wb) && self.ahead == 0 && self.seen.again(wa, wb, exact) {
            return Found::Nothing;
        }
        if wa.is_cons() && wb.is_cons() {
            return self.cells(a, b, exact);
        }
        if exact && !both_pointers(wa, wb) {
            return Found::Difference;
        }
        let (ha, hb) = (a.header(), b.header());
        if !exact && (!ha.is_header() || !hb.is_header() || ha != hb) && a.is_number() && b.is_number() {
            return Found::equal(compare_numbers(a, b, false).is_eq());
        }
        if ha.is_header() && hb.is_header() { self.objects(a, b, exact) } else { Found::Difference }
    }

    /// Runs down two lists while their heads are equal words; the first pair of heads that needs a look is next, the rest of
    /// the cells goes on the list.
    fn cells(&mut self, mut a: Term<'h>, mut b: Term<'h>, exact: bool) -> Found<'h> {
        for _ in 0..CELLS_PER_STEP {
            let (Some(x), Some(y)) = (a.as_cons(), b.as_cons()) else { break };
            let (head_a, head_b) = (x.head(), y.head());
            (a, b) = (x.tail(), y.tail());
            if head_a.word() != head_b.word() {
                if exact && !both_pointers(head_a.word(), head_b.word()) {
                    return Found::Difference;
                }
                self.push(a, b, exact);
                return Found::Pair(head_a, head_b, exact);
            }
            if a.word() == b.word() {
                return Found::Nothing;
            }
        }
        Found::Pair(a, b, exact)
    }

    fn objects(&mut self, a: Term<'h>, b: Term<'h>, exact: bool) -> Found<'h> {
        let (oa, ob) = (a.object(), b.object());
        let subtag = oa[0].header_subtag();
        match subtag {
            Subtag::HeapBits | Subtag::SharedBits | Subtag::SubBits => self.bitstrings(a, b, exact),
            Subtag::Ref | Subtag::Resource => {
                let references = matches!(ob[0].header_subtag(), Subtag::Ref | Subtag::Resource);
                Found::equal(references && oa[1] == ob[1])
            }
            _ if oa[0] != ob[0] => Found::Difference,
            Subtag::Tuple => self.rows(a.terms_of(&oa[1..]), b.terms_of(&ob[1..]), exact),
            Subtag::FlatMap => {
                self.rest.push(Pair::Rows(a.terms_of(&oa[2..]), b.terms_of(&ob[2..]), exact));
                Found::Pair(a.terms_of(&oa[1..2])[0], b.terms_of(&ob[1..2])[0], true)
            }
            Subtag::HashMap => {
                self.rest.push(Pair::Parts(a.terms_of(&oa[2..])[0], b.terms_of(&ob[2..])[0], exact));
                Found::equal(oa[1] == ob[1])
            }
            Subtag::Fun => {
                self.rest.push(Pair::Rows(a.terms_of(&oa[2..]), b.terms_of(&ob[2..]), exact));
                Found::equal(oa[1] == ob[1])
            }
            Subtag::ExternalFun => Found::equal(oa[1..4] == ob[1..4]),
            // Of equal length and kind: the limbs or bits decide. Boxed floats are never zero (H7), so bits are values.
            _ => Found::equal(oa[1..] == ob[1..]),
        }
    }

    /// Long ones are announced first, and compared in a step of their own.
    fn bitstrings(&mut self, a: Term<'h>, b: Term<'h>, exact: bool) -> Found<'h> {
        if !matches!(b.header().header_subtag(), Subtag::HeapBits | Subtag::SharedBits | Subtag::SubBits) {
            return Found::Difference;
        }
        if std::mem::take(&mut self.ahead) == 0 {
            self.ahead = super::bits::units_to_compare(a, b);
            if self.ahead > 0 {
                return Found::Pair(a, b, exact);
            }
        }
        Found::equal(Bits::of(a).equals(Bits::of(b)))
    }

    fn rows(&mut self, a: &'h [Term<'h>], b: &'h [Term<'h>], exact: bool) -> Found<'h> {
        // Immediates are decided here; the first pair that needs a look is next, the rest of the row goes on the list.
        for (index, (x, y)) in a.iter().zip(b).enumerate() {
            if x.word() == y.word() {
                if index + 1 == ELEMENTS_PER_STEP && index + 1 < a.len() {
                    self.rest.push(Pair::Rows(&a[index + 1..], &b[index + 1..], exact));
                    return Found::Nothing;
                }
                continue;
            }
            if exact && !both_pointers(x.word(), y.word()) {
                return Found::Difference;
            }
            if index + 1 < a.len() {
                self.rest.push(Pair::Rows(&a[index + 1..], &b[index + 1..], exact));
            }
            return Found::Pair(*x, *y, exact);
        }
        Found::Nothing
    }

    fn parts(&mut self, a: Term<'h>, b: Term<'h>, exact: bool) -> Found<'h> {
        if a.word() == b.word() {
            return Found::Nothing;
        }
        match (a.as_cons(), b.as_cons()) {
            (Some(a), Some(b)) => {
                self.push(a.tail(), b.tail(), exact);
                return Found::Pair(a.head(), b.head(), true);
            }
            (None, None) => {}
            _ => return Found::Difference,
        }
        let (oa, ob) = (a.object(), b.object());
        if oa[0] != ob[0] {
            return Found::Difference;
        }
        for (a, b) in a.terms_of(&oa[1..]).iter().zip(b.terms_of(&ob[1..])) {
            if a.word() != b.word() {
                self.rest.push(Pair::Parts(*a, *b, exact));
            }
        }
        Found::Nothing
    }

    #[inline]
    fn push(&mut self, a: Term<'h>, b: Term<'h>, exact: bool) {
        if a.word() != b.word() {
            self.rest.push(Pair::Terms(a, b, exact));
        }
    }
}

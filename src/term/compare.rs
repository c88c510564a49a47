//! The order of all terms.
//!
//! number < atom < reference < fun < port < pid < tuple < map < [] < list < bitstring. Numbers by value; tuples and maps by size
//! first; maps then by their keys in *exact* order (integers before floats) and then by the values in that order. Two
//! orders are needed: the one of `<`, `==` and `lists:sort`, in which `1` and `1.0` are equal, and the exact one of map keys.
//!
//! The walk is iterative: a machine with a list of frames, each holding the pairs still to be compared behind the current one. A
//! difference ends the walk, unless a pair of hash maps is being compared: those are walked in the order of their tries, not
//! of their keys, so what decides is the *smallest* key that makes a difference, and their frame collects results.

use std::cmp::Ordering;

use super::map::{Iter, Map};
use super::seen::Seen;
use super::view::Big;
use super::worklist::Worklist;
use super::{Term, View};
use crate::atom::Atoms;
use crate::num::float::compare_with_integer;

pub use super::equal::{Equality, equal, equal_exact, words_equal};

/// The order of `<`, `==` and `lists:sort`: integers and floats by value (`1 == 1.0`), map keys exactly.
#[inline]
pub fn compare(atoms: &Atoms, a: Term<'_>, b: Term<'_>) -> Ordering {
    quick(atoms, a, b).unwrap_or_else(|| order(atoms, a, b, false))
}

/// The order maps keep their keys in: as `compare`, but every integer is before every float and -0.0 before 0.0.
#[inline]
pub fn compare_exact(atoms: &Atoms, a: Term<'_>, b: Term<'_>) -> Ordering {
    quick(atoms, a, b).unwrap_or_else(|| order(atoms, a, b, true))
}

/// The order of two small integers or two atoms, which needs no walk: most keys are such.
#[inline]
pub(super) fn quick(atoms: &Atoms, a: Term<'_>, b: Term<'_>) -> Option<Ordering> {
    let (x, y) = (a.word(), b.word());
    if x.both_small(y) {
        return Some(x.small_value().cmp(&y.small_value()));
    }
    Some(atoms.compare(x.as_atom()?, y.as_atom()?))
}

fn order(atoms: &Atoms, a: Term<'_>, b: Term<'_>, exact: bool) -> Ordering {
    let mut walk = Comparison::new(atoms, a, b, exact);
    loop {
        if let Some(result) = walk.step(usize::MAX) {
            return result;
        }
    }
}

/// A comparison done in steps.
pub struct Comparison<'h> {
    atoms: &'h Atoms,
    /// The pair to look at next, or the result of the last one.
    state: State<'h>,
    exact: bool,
    frames: Worklist<Frame<'h>, 8>,
    maps: Vec<MapWalk<'h>>,
    seen: Seen,
    /// What the next step takes more than others, announced by the last one.
    ahead: usize,
}

#[derive(Clone, Copy)]
enum State<'h> {
    Pair(Term<'h>, Term<'h>),
    Result(Ordering),
}

/// What to compare once the current pair has proved equal.
#[derive(Clone, Copy)]
enum Frame<'h> {
    /// Tails of lists.
    Tails(Term<'h>, Term<'h>),
    /// Rows of the same length.
    Rows(&'h [Term<'h>], &'h [Term<'h>]),
    /// Nothing: go back to this exactness.
    Exact(bool),
    /// The pair of hash maps on top of `maps`, which takes the result, equal or not.
    Map,
}

/// Cells of two lists looked at in one step, elements of two rows, and keys of two hash maps: a step stays short.
const CELLS_PER_STEP: usize = 8;
const ELEMENTS_PER_STEP: usize = 16;
const KEYS_PER_STEP: usize = 16;

impl<'h> Comparison<'h> {
    /// Begins to compare two terms, in the exact order or the usual one.
    pub fn new<'x: 'h, 'y: 'h>(atoms: &'h Atoms, a: Term<'x>, b: Term<'y>, exact: bool) -> Comparison<'h> {
        let (a, b) = (a.shorten(), b.shorten());
        Comparison {
            atoms,
            state: State::Pair(a, b),
            exact,
            frames: Worklist::new(),
            maps: Vec::new(),
            seen: Seen::default(),
            ahead: 0,
        }
    }

    /// What the next step takes more than others (long bitstrings are compared in one go), in units of some nanoseconds.
    pub fn ahead(&self) -> usize {
        self.ahead
    }

    /// Compares about `budget` pairs more; the answer once it is known.
    pub fn step(&mut self, budget: usize) -> Option<Ordering> {
        for _ in 0..budget {
            let result = match self.state {
                State::Pair(a, b) => self.pair(a, b),
                State::Result(result) => result,
            };
            if self.ahead > 0 {
                return None;
            }
            match self.advance(result) {
                State::Result(result) => return Some(result),
                pair => self.state = pair,
            }
        }
        None
    }

    /// The next pair, given the result of the last one; or the final result.
    fn advance(&mut self, mut result: Ordering) -> State<'h> {
        loop {
            if result.is_ne() {
                // Only a pair of hash maps outlives a difference.
                loop {
                    match self.frames.pop() {
                        None => return State::Result(result),
                        Some(Frame::Map) => break,
                        Some(_) => {}
                    }
                }
                match self.map_next(Some(result)) {
                    State::Result(order) => result = order,
                    pair => return pair,
                }
                continue;
            }
            match self.frames.pop() {
                None => return State::Result(Ordering::Equal),
                Some(Frame::Tails(a, b)) => return State::Pair(a, b),
                Some(Frame::Exact(exact)) => self.exact = exact,
                Some(Frame::Rows(a, b)) => {
                    if let Some(pair) = self.elements(a, b) {
                        return pair;
                    }
                }
                Some(Frame::Map) => match self.map_next(Some(Ordering::Equal)) {
                    State::Result(order) => result = order,
                    pair => return pair,
                },
            }
        }
    }

    /// The next pair of two rows whose words are not the same; the rest of the rows goes on the frames.
    #[inline]
    fn elements(&mut self, a: &'h [Term<'h>], b: &'h [Term<'h>]) -> Option<State<'h>> {
        for (index, (x, y)) in a.iter().zip(b).enumerate() {
            let step_is_over = index + 1 == ELEMENTS_PER_STEP;
            if x.word() == y.word() && !step_is_over {
                continue;
            }
            if index + 1 < a.len() {
                self.frames.push(Frame::Rows(&a[index + 1..], &b[index + 1..]));
            }
            return Some(State::Pair(*x, *y));
        }
        None
    }

    /// Compares one level; what lies deeper goes on the frames.
    fn pair(&mut self, mut a: Term<'h>, mut b: Term<'h>) -> Ordering {
        // (What was announced is looked at again.)
        if self.ahead == 0 && self.met(a, b) {
            return Ordering::Equal;
        }
        // Lists of equal words are run through here.
        let mut cells = 0;
        while let (Some(x), Some(y)) = (a.as_cons(), b.as_cons()) {
            if a.word() == b.word() {
                return Ordering::Equal;
            }
            cells += 1;
            let (head_a, head_b) = (x.head(), y.head());
            if head_a.word() != head_b.word() {
                if head_a.word().both_small(head_b.word()) {
                    return head_a.word().small_value().cmp(&head_b.word().small_value());
                }
                self.frames.push(Frame::Tails(x.tail(), y.tail()));
                (a, b) = (head_a, head_b);
                if cells < CELLS_PER_STEP && self.met(a, b) {
                    return Ordering::Equal;
                }
            } else {
                (a, b) = (x.tail(), y.tail());
            }
            if cells == CELLS_PER_STEP {
                // The next step looks whether it was met.
                self.frames.push(Frame::Tails(a, b));
                return Ordering::Equal;
            }
        }
        if a.word() == b.word() {
            return Ordering::Equal;
        }
        let (va, vb) = (a.view(), b.view());
        match (va, vb) {
            (View::Int(_) | View::Big(_) | View::Float(_), View::Int(_) | View::Big(_) | View::Float(_)) => {
                compare_numbers(a, b, self.exact)
            }
            (View::Atom(a), View::Atom(b)) => self.atoms.compare(a, b),
            (View::Pid(a), View::Pid(b)) => a.cmp(&b),
            (View::Port(a), View::Port(b)) => a.cmp(&b),
            (View::Ref(a), View::Ref(b)) => a.unique().cmp(&b.unique()),
            (View::Bits(x), View::Bits(y)) => {
                // Long ones are announced first, and compared in a step of their own.
                if std::mem::take(&mut self.ahead) == 0 {
                    self.ahead = super::bits::units_to_compare(a, b);
                    if self.ahead > 0 {
                        self.state = State::Pair(a, b);
                        return Ordering::Equal;
                    }
                }
                x.compare(y)
            }
            (View::Tuple(a), View::Tuple(b)) => self.rows(a, b),
            (View::Map(a), View::Map(b)) => self.maps(a, b),
            (View::Fun(_) | View::ExternalFun(_), View::Fun(_) | View::ExternalFun(_)) => self.funs(va, vb),
            _ => rank(va).cmp(&rank(vb)),
        }
    }

    /// Whether this pair of objects was met before. Among hash maps a difference does not end the walk, so nothing is known there.
    #[inline]
    fn met(&mut self, a: Term<'h>, b: Term<'h>) -> bool {
        let (a, b) = (a.word(), b.word());
        a.is_pointer() && b.is_pointer() && self.maps.is_empty() && self.seen.again(a, b, self.exact)
    }

    fn rows(&mut self, a: &'h [Term<'h>], b: &'h [Term<'h>]) -> Ordering {
        let order = a.len().cmp(&b.len());
        if order.is_eq() && !a.is_empty() {
            self.frames.push(Frame::Rows(a, b));
        }
        order
    }

    fn funs(&mut self, a: View<'h>, b: View<'h>) -> Ordering {
        match (a, b) {
            (View::Fun(a), View::Fun(b)) => {
                let (x, y) = (a.entry(), b.entry());
                let order = self
                    .atoms
                    .compare(x.module, y.module)
                    .then_with(|| x.index.cmp(&y.index))
                    .then_with(|| x.uniq.cmp(&y.uniq))
                    .then_with(|| x.module_hash.cmp(&y.module_hash));
                if order.is_eq() { self.rows(a.captured(), b.captured()) } else { order }
            }
            (View::ExternalFun(a), View::ExternalFun(b)) => self
                .atoms
                .compare(a.module(), b.module())
                .then_with(|| self.atoms.compare(a.function(), b.function()))
                .then_with(|| a.arity().cmp(&b.arity())),
            (View::Fun(_), _) => Ordering::Less,
            _ => Ordering::Greater,
        }
    }

    fn maps(&mut self, a: Map<'h>, b: Map<'h>) -> Ordering {
        let order = a.len().cmp(&b.len());
        if order.is_ne() {
            return order;
        }
        if let (Some((keys_a, values_a)), Some((keys_b, values_b))) = (a.flat(), b.flat()) {
            self.rows(values_a, values_b);
            if keys_a.as_ptr() != keys_b.as_ptr() {
                self.frames.push(Frame::Exact(self.exact));
                self.exact = true;
                self.rows(keys_a, keys_b);
            }
            return Ordering::Equal;
        }
        // Equal lengths: both are hash maps. The frame is found by `advance` with "equal", which begins the walk.
        self.maps.push(MapWalk::new(a, b, self.exact));
        self.frames.push(Frame::Map);
        Ordering::Equal
    }

    /// Continues the topmost pair of hash maps with the result of the pair it asked for; its frame has been popped.
    fn map_next(&mut self, result: Option<Ordering>) -> State<'h> {
        let walk = self.maps.last_mut().expect("a map frame has its walk");
        match walk.next(self.atoms, result) {
            Ask::Keys(a, b) => {
                self.exact = true;
                self.frames.push(Frame::Map);
                State::Pair(a, b)
            }
            Ask::Values(a, b) => {
                self.exact = walk.exact;
                self.frames.push(Frame::Map);
                State::Pair(a, b)
            }
            Ask::More => {
                self.frames.push(Frame::Map);
                State::Pair(Term::NIL, Term::NIL)
            }
            Ask::Done(order) => {
                self.exact = walk.exact;
                self.maps.pop();
                State::Result(order)
            }
        }
    }
}

/// Comparing two hash maps of the same size.
struct MapWalk<'h> {
    a: Map<'h>,
    b: Map<'h>,
    /// Exactness for the values.
    exact: bool,
    phase: Phase,
    rest: Iter<'h>,
    /// The smallest key so far that makes a difference, and which.
    best: Option<(Term<'h>, Ordering)>,
    /// The key being looked at, and the difference it would make.
    pending: Option<(Term<'h>, Ordering)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    /// Keys of the first that the second lacks; then the other way round; then values of equal keys.
    First,
    Second,
    Values,
    /// A pair of values was asked for.
    ValuesAsked,
}

enum Ask<'h> {
    Keys(Term<'h>, Term<'h>),
    Values(Term<'h>, Term<'h>),
    /// Nothing: to be called again with "equal".
    More,
    Done(Ordering),
}

impl<'h> MapWalk<'h> {
    fn new(a: Map<'h>, b: Map<'h>, exact: bool) -> MapWalk<'h> {
        MapWalk { a, b, exact, phase: Phase::First, rest: a.iter(), best: None, pending: None }
    }

    fn next(&mut self, atoms: &Atoms, result: Option<Ordering>) -> Ask<'h> {
        let result = result.unwrap_or(Ordering::Equal);
        if self.phase == Phase::ValuesAsked {
            self.phase = Phase::Values;
            if result.is_eq() {
                self.pending = None;
            } else if let Some((key, _)) = self.pending {
                self.pending = Some((key, result));
                if let Some(ask) = self.consider() {
                    return ask;
                }
            }
        } else if let Some(pending) = self.pending.take()
            && result.is_lt()
        {
            self.best = Some(pending);
        }
        for _ in 0..KEYS_PER_STEP {
            let Some((key, value)) = self.rest.next() else {
                if let Some(done) = self.next_phase() {
                    return done;
                }
                continue;
            };
            let other = if self.phase == Phase::Second { self.a } else { self.b };
            let found = other.get(atoms, key);
            match (self.phase, found) {
                // Whose smallest own key is smaller has, there, the smaller key.
                (Phase::First, None) => self.pending = Some((key, Ordering::Less)),
                (Phase::Second, None) => self.pending = Some((key, Ordering::Greater)),
                (Phase::Values, Some(found)) if found.word() != value.word() => {
                    self.pending = Some((key, Ordering::Equal));
                    self.phase = Phase::ValuesAsked;
                    return Ask::Values(value, found);
                }
                _ => continue,
            }
            if let Some(ask) = self.consider() {
                return ask;
            }
        }
        Ask::More
    }

    /// The pending key against the best: the first needs no comparison.
    fn consider(&mut self) -> Option<Ask<'h>> {
        let pending = self.pending?;
        match self.best {
            Some((best, _)) => Some(Ask::Keys(pending.0, best)),
            None => {
                self.best = Some(pending);
                self.pending = None;
                None
            }
        }
    }

    fn next_phase(&mut self) -> Option<Ask<'h>> {
        match (self.phase, self.best) {
            (Phase::First, Some(_)) => {
                self.phase = Phase::Second;
                self.rest = self.b.iter();
                None
            }
            // As many keys on both sides: if the second has all of the first's, it has no others.
            (Phase::First, None) => {
                self.phase = Phase::Values;
                self.rest = self.a.iter();
                None
            }
            (_, best) => Some(Ask::Done(best.map_or(Ordering::Equal, |(_, order)| order))),
        }
    }
}

fn rank(view: View<'_>) -> u8 {
    match view {
        View::Int(_) | View::Big(_) | View::Float(_) => 0,
        View::Atom(_) => 1,
        View::Ref(_) => 2,
        View::Fun(_) | View::ExternalFun(_) => 3,
        View::Port(_) => 4,
        View::Pid(_) => 5,
        View::Tuple(_) => 6,
        View::Map(_) => 7,
        View::Nil => 8,
        View::Cons(_) => 9,
        View::Bits(_) => 10,
    }
}

/// Order of two numbers, in the exact order or by value.
pub(crate) fn compare_numbers(a: Term<'_>, b: Term<'_>, exact: bool) -> Ordering {
    match (a.view(), b.view()) {
        (View::Int(a), View::Int(b)) => a.cmp(&b),
        (View::Float(a), View::Float(b)) => {
            let order = a.partial_cmp(&b).unwrap_or(Ordering::Equal);
            if exact && order.is_eq() { b.is_sign_negative().cmp(&a.is_sign_negative()) } else { order }
        }
        (View::Big(a), View::Big(b)) => compare_bigs(a, b),
        (View::Int(_), View::Big(b)) => {
            if b.is_negative() {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
        (View::Big(_), View::Int(_)) => compare_numbers(b, a, exact).reverse(),
        (View::Float(_), View::Int(_) | View::Big(_)) => compare_numbers(b, a, exact).reverse(),
        (View::Int(_) | View::Big(_), View::Float(_)) if exact => Ordering::Less,
        (View::Int(a), View::Float(b)) => compare_with_integer(a < 0, &[a.unsigned_abs()], b),
        (View::Big(a), View::Float(b)) => compare_with_integer(a.is_negative(), a.limbs(), b),
        _ => unreachable!("callers pass numbers"),
    }
}

fn compare_bigs(a: Big<'_>, b: Big<'_>) -> Ordering {
    let magnitudes =
        |a: &[u64], b: &[u64]| a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()));
    match (a.is_negative(), b.is_negative()) {
        (false, false) => magnitudes(a.limbs(), b.limbs()),
        (true, true) => magnitudes(b.limbs(), a.limbs()),
        (false, true) => Ordering::Greater,
        (true, false) => Ordering::Less,
    }
}

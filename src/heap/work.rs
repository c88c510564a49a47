//! Long work: how natives keep from holding a worker, and how they are ended when nobody wants their result.
//!
//! There is one mechanism. A native, an operator or a comparison says how much it is about to do, or has just done
//! ([`HeapRef::work`](super::HeapRef::work), in units of some nanoseconds). On a worker, what passes [`AT_ONCE`] fails with
//! [`AllocError::Time`]: the call is given up before it has had any effect, like one that found no memory, and its process goes
//! to the pool, where the same instruction runs again from its first word, this time without a limit. What the first
//! attempt built is garbage of the next collection; what it took is at most a millisecond.
//!
//! What was done is also paid for in reductions ([`UNITS_PER_REDUCTION`]): by the caller's slice when the next call begins or the
//! slice ends, and on the pool by its account at each look. So a slice takes about as long whatever it does, and a limit
//! of reductions bounds time.
//!
//! So long work needs no state machine: it is the same code, and all it must keep to is what natives keep to anyway (no
//! effect before all that can fail is done). The pool asks now and then whether the process is to die ([`Poll`]); then
//! the work fails with [`AllocError::Cancelled`] and the process gets on with dying. Where there are no threads (machines
//! driven by their caller, and those with a seed) the work is done in place.
//!
//! Rejected: state carried through the native's arguments for everything (each native becomes a state machine, and an
//! interrupted sort or hash has no state that is a term), and letting another thread take over the worker (the process that
//! was just woken, in a slot that nobody steals from, would wait behind the long work).

use std::cmp::Ordering;
use std::sync::Arc;

use super::copy::{Measure, Size, shallow_size};
use super::literal::Kept;
use super::{Account, AllocError, Fragment, Heap, HeapRef, Scratch};
use crate::atom::Atoms;
use crate::limits::Quota;
use crate::term::compare::{Comparison, Equality, words_equal};
use crate::term::hash::{Hashing, hash_at_once};
use crate::term::pairs;
use crate::term::phash::Phash;
use crate::term::{Term, View};

/// Units that a native may do on a worker: about a millisecond, a unit being a few nanoseconds.
pub const AT_ONCE: i32 = 200_000;

/// No limit, but a look every so many units: some milliseconds.
pub const UNLIMITED: i32 = 1_000_000;

/// Units that one reduction pays for, which makes it about a quarter of a microsecond.
pub const UNITS_PER_REDUCTION: i32 = 50;

/// The same under stress: most natives with something to do are begun twice.
const STRESSED_AT_ONCE: i32 = 20;

/// How the work of a native is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// What passes [`AT_ONCE`] is the pool's.
    AtOnce,
    /// The same with far less.
    Stressed,
    /// It may take as long as the limits of the process allow.
    Free,
    /// Its effects have begun: it cannot be given up.
    Committed,
}

impl Mode {
    /// The units until somebody looks.
    #[inline]
    fn units(self) -> i32 {
        match self {
            Mode::AtOnce => AT_ONCE,
            Mode::Stressed => STRESSED_AT_ONCE,
            Mode::Free | Mode::Committed => UNLIMITED,
        }
    }
}

/// Asked by long work on the pool: whether, and of what, the process is to die.
pub struct Poll(Box<dyn Fn() -> Result<(), AllocError> + Send>);

impl Poll {
    /// A poll that asks this.
    pub fn new(ask: Box<dyn Fn() -> Result<(), AllocError> + Send>) -> Poll {
        Poll(ask)
    }
}

impl std::fmt::Debug for Poll {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Poll")
    }
}

/// The reductions that so many units are.
#[inline]
pub fn reductions(units: i32) -> u32 {
    (units.max(0) / UNITS_PER_REDUCTION).unsigned_abs()
}

impl Heap {
    /// A native call begins. The units of those before it that nobody has paid for yet.
    #[inline(always)]
    pub fn begin_work(&mut self, mode: Mode) -> i32 {
        self.work_mode = mode;
        self.take_work()
    }

    /// The units done that nobody has paid for yet: the caller does.
    #[inline(always)]
    pub fn take_work(&mut self) -> i32 {
        std::mem::take(&mut self.work_done)
    }

    /// From now on the heap is worked on by the pool, which asks `poll`, or (`None`) no longer.
    pub fn set_poll(&mut self, poll: Option<Poll>) {
        if poll.is_some() || self.rare.poll.is_some() {
            self.rare.poll = poll;
        }
    }

    /// Whether long work is at home here.
    pub fn is_on_pool(&self) -> bool {
        self.rare.poll.is_some()
    }

    /// As [`HeapRef::work`].
    ///
    /// # Errors
    /// As [`HeapRef::work`].
    #[inline]
    pub fn work(&mut self, units: usize) -> Result<(), AllocError> {
        let units = i32::try_from(units).unwrap_or(i32::MAX);
        let done = self.work_done.saturating_add(units);
        if done > self.work_mode.units() {
            return self.worked_out(done);
        }
        self.work_done = done;
        Ok(())
    }

    /// Units of work that may still be announced before somebody looks; any number where nothing is given up for it.
    pub fn room_for_work(&self) -> usize {
        match (&self.rare.poll, self.work_mode) {
            (None, Mode::AtOnce | Mode::Stressed) => {
                usize::try_from(self.work_mode.units() - self.work_done).unwrap_or(0)
            }
            _ => usize::MAX,
        }
    }

    /// So many units were done with effects that cannot be taken back: they are paid for as all others.
    pub fn worked(&mut self, units: usize) {
        self.work_done = self.work_done.saturating_add(i32::try_from(units).unwrap_or(i32::MAX));
    }

    /// What comes next may have to wait for somebody's long work.
    ///
    /// # Errors
    /// `Time` on a worker, which does not.
    pub fn may_wait(&self) -> Result<(), AllocError> {
        match (&self.rare.poll, self.work_mode) {
            (None, Mode::AtOnce | Mode::Stressed) => Err(AllocError::Time),
            _ => Ok(()),
        }
    }

    #[cold]
    fn worked_out(&mut self, done: i32) -> Result<(), AllocError> {
        match (&self.rare.poll, self.work_mode) {
            (_, Mode::Committed) | (None, Mode::Free) => {}
            (Some(poll), _) => {
                (poll.0)()?;
                self.work_mode = Mode::Free;
            }
            // What was announced just now is not done.
            (None, Mode::AtOnce | Mode::Stressed) => return Err(AllocError::Time),
        }
        self.work_done = done;
        let spent = self.spend_work();
        if self.work_mode == Mode::Committed { Ok(()) } else { spent }
    }

    /// The account pays, if it counts; and what is still to be paid for is a whole slice at most, so that the next look comes in
    /// time.
    fn spend_work(&mut self) -> Result<(), AllocError> {
        if self.is_limited() {
            let done = self.take_work();
            return self.account.spend(Quota::Reductions, u64::from(reductions(done)));
        }
        self.work_done = self.work_done.min(AT_ONCE);
        Ok(())
    }

    /// As [`HeapRef::commit`].
    #[inline]
    pub fn commit(&mut self) {
        self.work_mode = Mode::Committed;
        if self.work_done > AT_ONCE {
            // Who has passed the limit ends of it at the end of its slice.
            let _ = self.spend_work();
        }
    }

    /// What was done is paid for by the account, for want of a slice.
    pub fn pay_from_account(&mut self) {
        let done = self.take_work();
        if self.is_limited() {
            // Who has passed the limit ends of it at the end of its slice.
            let _ = self.account.spend(Quota::Reductions, u64::from(reductions(done)));
        }
    }
}

impl HeapRef<'_> {
    /// Says that so many units of work (a few nanoseconds each) come next, or were just done: called before anything has an
    /// effect, and at least once for each tenth of a millisecond.
    ///
    /// # Errors
    /// `Time` if that is more than a worker may be held for, `Cancelled` if the process is to die, `Limit` if it has passed one.
    /// All are to be passed on.
    #[inline]
    pub fn work(&mut self, units: usize) -> Result<(), AllocError> {
        self.heap_mut().work(units)
    }

    /// As [`Heap::worked`].
    #[inline]
    pub fn worked(&mut self, units: usize) {
        self.heap_mut().worked(units);
    }

    /// As [`Heap::may_wait`].
    ///
    /// # Errors
    /// As [`Heap::may_wait`].
    pub fn may_wait(&self) -> Result<(), AllocError> {
        self.heap().may_wait()
    }

    /// As [`Heap::is_on_pool`].
    pub fn is_on_pool(&self) -> bool {
        self.heap().is_on_pool()
    }
}

/// Steps of a walk between two announcements of work. Few, so that many short walks are counted for what they are.
const STEPS: usize = 16;

/// Pairs of a comparison that are looked at in one go, and what one takes.
const PAIRS_AT_ONCE: usize = 256;
const PAIR_UNITS: usize = 4;

/// Steps after which [`HeapRef::suspect`] looks.
pub const SUSPICIOUS: usize = 1 << 22;

/// Cells of a list passed between two announcements of work, and how many of them one unit pays for where they are only
/// counted.
const CELLS_AT_ONCE: usize = 256;
const CELLS_PER_UNIT: usize = 2;

/// Something done in steps.
trait Walk {
    type Result;
    /// Does about `budget` steps more; the result when all is done.
    fn step(&mut self, budget: usize) -> Option<Self::Result>;
    /// Units that the next step takes more than others.
    fn ahead(&self) -> usize;
}

macro_rules! walks {
    ($($type:ident -> $result:ty;)*) => {$(
        impl Walk for $type<'_> {
            type Result = $result;

            #[inline]
            fn step(&mut self, budget: usize) -> Option<$result> {
                $type::step(self, budget)
            }

            #[inline]
            fn ahead(&self) -> usize {
                $type::ahead(self)
            }
        }
    )*};
}

walks! {
    Comparison -> Ordering;
    Equality -> bool;
    Hashing -> u64;
    Phash -> u32;
}

impl Heap {
    /// The order of two terms, the usual one. For terms of this heap, which is not open.
    ///
    /// # Errors
    /// As [`HeapRef::work`].
    pub fn compare(&mut self, atoms: &Atoms, a: Term<'_>, b: Term<'_>) -> Result<Ordering, AllocError> {
        self.finish(Comparison::new(atoms, a, b, false))
    }

    /// `=:=` or `==`. For terms of this heap, which is not open.
    ///
    /// # Errors
    /// As [`HeapRef::work`].
    pub fn equals(&mut self, a: Term<'_>, b: Term<'_>, exact: bool) -> Result<bool, AllocError> {
        self.finish(Equality::new(a, b, exact))
    }

    #[inline]
    fn finish<W: Walk>(&mut self, mut walk: W) -> Result<W::Result, AllocError> {
        loop {
            match walk.step(STEPS) {
                Some(result) => {
                    self.work(2)?;
                    return Ok(result);
                }
                None => self.work(4 * STEPS + walk.ahead())?,
            }
        }
    }
}

/// Comparing and hashing as work: what natives call.
impl<'h> HeapRef<'h> {
    /// The order of `<` and `lists:sort`.
    ///
    /// # Errors
    /// As [`HeapRef::work`].
    #[inline]
    pub fn compare(&mut self, a: Term<'h>, b: Term<'h>) -> Result<Ordering, AllocError> {
        if a.word().both_small(b.word()) {
            return Ok(a.word().small_value().cmp(&b.word().small_value()));
        }
        self.order(a, b, false)
    }

    /// The order in which maps keep their keys.
    ///
    /// # Errors
    /// As [`HeapRef::work`].
    #[inline]
    pub fn compare_exact(&mut self, a: Term<'h>, b: Term<'h>) -> Result<Ordering, AllocError> {
        if a.word().both_small(b.word()) {
            return Ok(a.word().small_value().cmp(&b.word().small_value()));
        }
        self.order(a, b, true)
    }

    fn order(&mut self, a: Term<'h>, b: Term<'h>, exact: bool) -> Result<Ordering, AllocError> {
        let mut left = PAIRS_AT_ONCE;
        match pairs::order_soon(self.atoms(), a, b, exact, &mut left) {
            Some(order) => self.work(2 + PAIR_UNITS * (PAIRS_AT_ONCE - left)).map(|()| order),
            None => {
                let walk = Comparison::new(self.atoms(), a, b, exact);
                self.heap_mut().finish(walk)
            }
        }
    }

    /// `=:=` or `==`.
    ///
    /// # Errors
    /// As [`HeapRef::work`].
    #[inline]
    pub fn equals(&mut self, a: Term<'h>, b: Term<'h>, exact: bool) -> Result<bool, AllocError> {
        match words_equal(a.word(), b.word(), exact) {
            Some(result) => Ok(result),
            None => self.equals_by_content(a, b, exact),
        }
    }

    fn equals_by_content(&mut self, a: Term<'h>, b: Term<'h>, exact: bool) -> Result<bool, AllocError> {
        let mut left = PAIRS_AT_ONCE;
        match pairs::equal_soon(a, b, exact, &mut left) {
            Some(equal) => self.work(2 + PAIR_UNITS * (PAIRS_AT_ONCE - left)).map(|()| equal),
            None => {
                let walk = Equality::new(a, b, exact);
                self.heap_mut().finish(walk)
            }
        }
    }

    /// The hash of large maps and of tables.
    ///
    /// # Errors
    /// As [`HeapRef::work`].
    #[inline]
    pub fn hash(&mut self, term: Term<'h>) -> Result<u64, AllocError> {
        match hash_at_once(self.atoms(), term) {
            Some(hash) => Ok(hash),
            None => self.hash_content(term),
        }
    }

    fn hash_content(&mut self, term: Term<'h>) -> Result<u64, AllocError> {
        let walk = Hashing::new(self.atoms(), term);
        self.heap_mut().finish(walk)
    }

    /// The hash of `phash2/1`, all 32 bits.
    ///
    /// # Errors
    /// As [`HeapRef::work`].
    pub fn phash2(&mut self, term: Term<'h>) -> Result<u32, AllocError> {
        let walk = Phash::new(self.atoms(), term);
        self.heap_mut().finish(walk)
    }

    /// Asked by what goes through all of `term` without regard for sharing, when it has done so many steps: at some point it is
    /// worth a look whether the term is large or only seems so, for what seems larger than anything can be fails at once.
    ///
    /// # Errors
    /// As [`HeapRef::measure`].
    #[inline]
    pub fn suspect(&mut self, term: Term<'h>, steps: usize) -> Result<(), AllocError> {
        if steps == SUSPICIOUS { self.measure(term).map(|_| ()) } else { Ok(()) }
    }

    /// Effects begin: from here on the call cannot be given up for want of time.
    #[inline]
    pub fn commit(&mut self) {
        self.heap_mut().commit();
    }

    /// The length of a proper list; `None` for other terms.
    ///
    /// # Errors
    /// As [`HeapRef::work`].
    pub fn length(&mut self, list: Term<'h>) -> Result<Option<usize>, AllocError> {
        let (mut rest, mut length) = (list, 0);
        loop {
            let mut cells = rest.list();
            let passed = cells.by_ref().take(CELLS_AT_ONCE).count();
            length += passed;
            rest = cells.rest();
            if passed < CELLS_AT_ONCE {
                return Ok(rest.is_nil().then_some(length));
            }
            self.work(CELLS_AT_ONCE / CELLS_PER_UNIT)?;
        }
    }

    /// The elements of a proper list; `None` for other terms.
    ///
    /// # Errors
    /// As [`HeapRef::work`]; if there is no room.
    pub fn elements(&mut self, list: Term<'h>) -> Result<Option<Scratch<'h, Term<'h>>>, AllocError> {
        let mut elements = self.scratch();
        let mut cells = list.list();
        for element in cells.by_ref() {
            elements.push(element)?;
            if elements.len().is_multiple_of(CELLS_AT_ONCE) {
                self.work(CELLS_AT_ONCE)?;
            }
        }
        Ok(if cells.rest().is_nil() { Some(elements) } else { None })
    }

    /// Announces what one look at all of a term takes (a hash, or a comparison with anything), and says in words how large it is. A
    /// key that was weighed may then be looked up without more ado: no comparison takes longer than its smaller side.
    ///
    /// # Errors
    /// As [`HeapRef::measure`].
    #[inline]
    pub fn weigh(&mut self, term: Term<'h>) -> Result<usize, AllocError> {
        if term.word().is_pointer() { self.heap_mut().weigh(term) } else { Ok(0) }
    }

    /// Announces what sorting so many entries by numbers takes.
    ///
    /// # Errors
    /// As [`HeapRef::work`].
    pub fn sorting(&mut self, entries: usize) -> Result<(), AllocError> {
        self.work(entries.saturating_mul(1 + entries.checked_ilog2().unwrap_or(0) as usize))
    }

    /// Words of a term, its literals included, sharing not counted.
    ///
    /// # Errors
    /// As [`HeapRef::work`]; `SystemLimit` for more than can be.
    pub fn measure(&mut self, term: Term<'h>) -> Result<usize, AllocError> {
        self.heap_mut().measure(Measure::with_literals(term))
    }
}

impl Heap {
    /// Announces a copy of `term`, which is then made in one go, and gives what it takes.
    ///
    /// # Errors
    /// As [`HeapRef::work`]; `SystemLimit` for more than can be copied.
    #[inline]
    pub fn copying(&mut self, term: Term<'_>) -> Result<Size, AllocError> {
        if term.word().is_immediate() {
            return Ok(Size::default());
        }
        self.copying_but(term, Kept::now())
    }

    /// The same for a whole copy.
    ///
    /// # Errors
    /// As [`Heap::copying`].
    #[inline]
    pub fn copying_whole(&mut self, term: Term<'_>) -> Result<Size, AllocError> {
        if term.word().is_immediate() {
            return Ok(Size::default());
        }
        self.copying_but(term, Kept::nothing())
    }

    #[inline]
    fn copying_but(&mut self, term: Term<'_>, kept: Kept) -> Result<Size, AllocError> {
        if let Some(words) = shallow_size(term, kept) {
            return Ok(Size::of(words, kept));
        }
        let words = self.measure(Measure::new(term, kept))?;
        self.work(words / WORDS_COPIED_PER_UNIT)?;
        Ok(Size::of(words, kept))
    }

    /// As [`HeapRef::weigh`].
    ///
    /// # Errors
    /// As [`HeapRef::measure`].
    pub fn weigh(&mut self, term: Term<'_>) -> Result<usize, AllocError> {
        if let Some(words) = light(term) {
            return Ok(words);
        }
        let words = self.measure(Measure::with_literals(term))?;
        let bytes = term.as_bits().map_or(0, |bits| bits.byte_length());
        self.work(words + bytes / 4)?;
        Ok(words + bytes / 8)
    }

    fn measure(&mut self, mut measure: Measure<'_>) -> Result<usize, AllocError> {
        loop {
            let words = measure.step(4 * STEPS)?;
            self.work(2 * STEPS)?;
            if let Some(words) = words {
                return Ok(words);
            }
        }
    }

    /// A whole copy of `term` in a fragment, paid by `account`.
    ///
    /// # Errors
    /// As [`Heap::copying`]; if there is no room.
    pub fn copy_out(&mut self, term: Term<'_>, account: &Arc<Account>) -> Result<Fragment, AllocError> {
        if term.word().is_immediate() {
            return Fragment::immediate(term.word());
        }
        let size = self.copying_whole(term)?;
        Fragment::copy_measured(term, size, account)
    }
}

/// Words of a term that is so small that one look at it need not be announced: most keys are.
fn light(term: Term<'_>) -> Option<usize> {
    let word = term.word();
    if !word.is_boxed() {
        return word.is_immediate().then_some(0);
    }
    match term.view() {
        View::Tuple(elements) => {
            let few = elements.len() <= LIGHT_WORDS && elements.iter().all(|one| one.word().is_immediate());
            few.then_some(elements.len())
        }
        View::Bits(bits) => (bits.byte_length() <= LIGHT_WORDS * 8).then_some(LIGHT_WORDS),
        View::Big(big) => (big.limbs().len() <= LIGHT_WORDS).then_some(LIGHT_WORDS),
        View::Float(_) | View::Ref(_) => Some(2),
        _ => None,
    }
}

/// Words of a light term.
const LIGHT_WORDS: usize = 16;

/// Words copied for one unit of work.
pub const WORDS_COPIED_PER_UNIT: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::Policy;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn work_is_limited_on_a_worker_and_ended_on_the_pool() {
        let mut heap = Heap::new(Account::root(), Policy::default()).expect("memory");
        assert_eq!(heap.work(usize::MAX / 4), Ok(()), "without a limit");
        heap.begin_work(Mode::Stressed);
        assert_eq!(heap.work(STRESSED_AT_ONCE as usize), Ok(()));
        assert_eq!(heap.work(1), Err(AllocError::Time));
        let doomed = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&doomed);
        heap.set_poll(Some(Poll::new(Box::new(move || match asked.load(Ordering::Relaxed) {
            true => Err(AllocError::Cancelled),
            false => Ok(()),
        }))));
        assert!(heap.is_on_pool());
        assert_eq!(heap.work(100), Ok(()));
        doomed.store(true, Ordering::Relaxed);
        assert_eq!(heap.work(100), Ok(()), "asked seldom");
        assert_eq!(heap.work(2 * UNLIMITED as usize), Err(AllocError::Cancelled));
    }
}

//! Literal areas: where the constants of loaded modules live.
//!
//! One address range is reserved per OS process (address space only; pages are committed as areas are carved from it), so
//! "is this a literal" is a comparison of addresses. Where it cannot be reserved, areas are ordinary allocations and a table
//! of them is searched; it is bounded by the number of loaded modules. The range is the one thing VMs share; each area
//! belongs to one VM's module.
//!
//! **Eras.** Before the area of a purged module can be freed it is *condemned*: copies treat it as ordinary heap from then on,
//! so that what is sent does not lead there any more. A copy is measured first and made afterwards, and both must agree on
//! what is left in place, though areas are condemned on another thread meanwhile. So each page of the range has a number, the
//! era in which it was condemned, which does not change until the area is freed; and a copy is made in the era in which
//! it was measured ([`Kept`]): what was condemned later does not concern it. Such copies end with the slice they were begun in, and
//! whoever condemns waits for that ([`quiescence`](crate::sync::quiescence)).

use std::collections::BTreeMap;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::account::AllocError;
use super::{copy, shared};
use crate::term::{Term, Word};

/// Bytes of address space reserved: no program's constants come near it, and 47 bits have room for many.
const RESERVED_BYTES: usize = 64 << 30;

/// Granularity areas are carved with: protection works on pages. 16 KiB covers every page size we map on.
const PAGE: usize = 16 * 1024;

struct Range {
    start: usize,
    end: usize,
    /// The numbers of the pages' eras, in pages of their own before `start`.
    eras: usize,
    free: Mutex<Free>,
}

impl Range {
    /// The era of each page of the range.
    fn eras(&self) -> &[AtomicU32] {
        let pages = (self.end - self.start) / PAGE;
        let eras = std::ptr::with_exposed_provenance::<AtomicU32>(self.eras);
        // SAFETY: `reserve` put room for them before the range, readable, writable and zero, which stays as long as the
        // program; without a range there are none.
        if pages == 0 { &[] } else { unsafe { std::slice::from_raw_parts(eras, pages) } }
    }
}

/// Free parts of the range: those given back, by address, and where the untouched rest begins.
struct Free {
    holes: BTreeMap<usize, usize>,
    /// Areas of one page that were given back and are still writable: for the next ones, most of which are as small.
    kept: Vec<usize>,
    next: usize,
}

/// Most pages kept so: a quarter of a mebibyte.
const KEPT: usize = 16;

/// The reserved range; empty (`start == end`) where it could not be had.
static RANGE: OnceLock<Range> = OnceLock::new();

/// Areas outside the range: start to end, and the era they were condemned in.
static OUTSIDE: Mutex<BTreeMap<usize, (usize, u32)>> = Mutex::new(BTreeMap::new());

/// The era: odd while somebody wants to free areas. Even ones need not be looked up.
static ERA: AtomicU32 = AtomicU32::new(0);

/// How many machines want to free areas; held while the era changes.
static CONDEMNING: Mutex<usize> = Mutex::new(0);

/// The era of copies that leave nothing in place; odd, and never reached.
const NO_ERA: u32 = u32::MAX;

/// Lasts as long as areas are condemned.
#[derive(Debug)]
pub struct Condemnation(());

impl Condemnation {
    /// Condemns these areas: copies that are measured from now on copy what lies there.
    pub fn of<'a>(areas: impl Iterator<Item = &'a LiteralArea>) -> Condemnation {
        let mut condemning = lock(&CONDEMNING);
        *condemning += 1;
        let next = (ERA.load(Ordering::Relaxed) + 1) | 1;
        for area in areas.filter(|area| area.words > 0) {
            area.condemn(next);
        }
        // Release: pairs with the Acquire in `Kept::now`; who sees the era sees what was condemned in it.
        ERA.store(next, Ordering::Release);
        Condemnation(())
    }
}

impl Drop for Condemnation {
    fn drop(&mut self) {
        let mut condemning = lock(&CONDEMNING);
        *condemning -= 1;
        if *condemning == 0 {
            ERA.store(ERA.load(Ordering::Relaxed) + 1, Ordering::Release);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The constants of one module, complete and never written again (H10).
#[derive(Debug)]
pub struct LiteralArea {
    start: *mut Word,
    words: usize,
    bytes: usize,
    shared: *mut Word,
}

// SAFETY: an area is written by `build` alone and only read afterwards (H10); its list is touched by `drop` alone.
unsafe impl Send for LiteralArea {}
// SAFETY: as for `Send`.
unsafe impl Sync for LiteralArea {}

impl LiteralArea {
    /// Copies `terms` into an area of their own; the second part holds their words, in order. Sharing among the terms is lost;
    /// no area leads into another one.
    ///
    /// # Errors
    /// If there is no room.
    pub fn build(terms: &[Term<'_>]) -> Result<(LiteralArea, Vec<Word>), AllocError> {
        let mut sizes = Vec::with_capacity(terms.len());
        let mut words = 0_usize;
        for term in terms {
            let size = copy::whole_size(*term)?;
            sizes.push(size);
            words = words.checked_add(size.words()).ok_or(AllocError::SystemLimit)?;
        }
        let bytes = words.checked_mul(8).ok_or(AllocError::SystemLimit)?.next_multiple_of(PAGE);
        let start = if words == 0 { null_mut() } else { carve(bytes)? };
        let mut area = LiteralArea { start, words, bytes, shared: null_mut() };
        let mut place = start;
        let mut roots = Vec::with_capacity(terms.len());
        for (term, size) in terms.iter().zip(sizes) {
            // SAFETY: `size` words from `place` on are ours and unused.
            let copied = unsafe { copy::copy_to(*term, size, place) };
            roots.push(copied.root);
            // SAFETY: the copy's list is complete and joins the area's (H5).
            unsafe { shared::join(copied.shared, &mut area.shared) };
            place = place.wrapping_add(size.words());
        }
        Ok((area, roots))
    }

    /// Its first word.
    pub(super) fn start(&self) -> *mut Word {
        self.start
    }

    /// The first of its counted objects.
    pub(super) fn first_shared(&self) -> *mut Word {
        self.shared
    }

    /// It was condemned in this era, unless that was said before: what was said is not changed, since copies may rely on it.
    fn condemn(&self, era: u32) {
        self.for_pages(|page| {
            let _ = page.compare_exchange(0, era, Ordering::Relaxed, Ordering::Relaxed);
        });
        if let Some((_, condemned)) = lock(&OUTSIDE).get_mut(&self.start.addr())
            && *condemned == 0
        {
            *condemned = era;
        }
    }

    fn for_pages(&self, f: impl Fn(&AtomicU32)) {
        let range = range();
        let first = self.start.addr().wrapping_sub(range.start) / PAGE;
        range.eras().iter().skip(first).take(self.bytes / PAGE).for_each(f);
    }

    /// Its size in words.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Whether `word` points into it.
    pub fn contains(&self, word: Word) -> bool {
        let address = word.address().addr();
        word.is_pointer() && (self.start.addr()..self.start.addr() + self.words * 8).contains(&address)
    }
}

impl Drop for LiteralArea {
    fn drop(&mut self) {
        // SAFETY: H10: every heap has copied what it used; H5: the list owns its counts.
        unsafe { shared::release_list(self.shared) };
        if self.words > 0 {
            self.for_pages(|page| page.store(0, Ordering::Relaxed));
            give_back(self.start, self.bytes);
        }
    }
}

/// What a pointer is compared with to know whether it is a literal; copied once per collection or copy.
#[derive(Clone, Copy, Debug)]
pub struct Literals {
    start: usize,
    length: usize,
    /// There is no range: the table of areas is to be searched.
    outside: bool,
}

impl Literals {
    /// The range in force.
    #[inline]
    pub fn get() -> Literals {
        match RANGE.get() {
            Some(range) => {
                let length = range.end - range.start;
                Literals { start: range.start, length, outside: length == 0 }
            }
            // Nothing was carved yet.
            None => Literals { start: 0, length: 0, outside: false },
        }
    }

    /// Whether this address is in a literal area.
    #[inline(always)]
    pub fn contains(self, address: *const Word) -> bool {
        address.addr().wrapping_sub(self.start) < self.length
            || (self.outside && outside_contains(address.addr(), 0))
    }
}

/// What a copy leaves where it is: the literals, but for those condemned by the era in which it was measured.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    literals: Literals,
    era: u32,
}

impl Kept {
    /// As things are now.
    #[inline]
    pub fn now() -> Kept {
        // Acquire: pairs with the Release in `Condemnation`.
        Kept { era: ERA.load(Ordering::Acquire), literals: Literals::get() }
    }

    /// Nothing: the copy will lead nowhere but into itself, and so may lie where nobody looks for what leads to areas.
    pub fn nothing() -> Kept {
        Kept { era: NO_ERA, literals: Literals { start: 0, length: 0, outside: false } }
    }

    /// As things were in this era.
    #[inline]
    pub(super) fn of_era(era: u32) -> Kept {
        if era == NO_ERA { Kept::nothing() } else { Kept { era, literals: Literals::get() } }
    }

    /// The era.
    #[inline]
    pub(super) fn era(self) -> u32 {
        self.era
    }

    /// Whether nothing is left in place.
    #[inline]
    pub(super) fn is_nothing(self) -> bool {
        self.era == NO_ERA
    }

    /// Whether somebody wants to know which funs there are.
    #[inline(always)]
    pub(super) fn notes_funs(self) -> bool {
        self.era & 1 == 1
    }

    /// Whether what is at this address is left there.
    #[inline(always)]
    pub fn contains(self, address: *const Word) -> bool {
        let offset = address.addr().wrapping_sub(self.literals.start);
        if offset < self.literals.length {
            return self.era & 1 == 0 || !is_condemned(offset, self.era);
        }
        self.literals.outside && outside_contains(address.addr(), self.era)
    }
}

#[cold]
fn is_condemned(offset: usize, era: u32) -> bool {
    // Relaxed: what was condemned by this era was said before the era began; later numbers do not count.
    let condemned = range().eras().get(offset / PAGE).map_or(0, |page| page.load(Ordering::Relaxed));
    condemned != 0 && condemned <= era
}

/// Whether a pointer word points into a literal area.
#[inline]
pub fn is_literal(word: Word) -> bool {
    word.is_pointer() && Literals::get().contains(word.address())
}

#[cold]
fn outside_contains(address: usize, era: u32) -> bool {
    let areas = lock(&OUTSIDE);
    let found = areas.range(..=address).next_back().filter(|(_, (end, _))| address < *end);
    found.is_some_and(|(_, (_, condemned))| era & 1 == 0 || *condemned == 0 || *condemned > era)
}

fn range() -> &'static Range {
    RANGE.get_or_init(|| {
        let (first, end) = reserve().unwrap_or((0, 0));
        let eras = ((end - first) / PAGE * size_of::<AtomicU32>()).next_multiple_of(PAGE);
        // Without the numbers, there is no use in the range.
        let (start, end) = if eras > 0 && commit(first, eras) { (first + eras, end) } else { (0, 0) };
        Range {
            start,
            end,
            eras: first,
            free: Mutex::new(Free { holes: BTreeMap::new(), kept: Vec::new(), next: start }),
        }
    })
}

#[cfg(unix)]
fn reserve() -> Option<(usize, usize)> {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};
    // Smaller tries serve machines with a limit on address space.
    [RESERVED_BYTES, RESERVED_BYTES / 16, RESERVED_BYTES / 256].into_iter().find_map(|bytes| {
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: a fresh mapping anywhere touches no memory of anyone.
        let start = unsafe { mmap_anonymous(null_mut(), bytes, ProtFlags::empty(), flags) }.ok()?;
        let start = start.expose_provenance();
        Some((start.next_multiple_of(PAGE), (start + bytes) / PAGE * PAGE))
    })
}

#[cfg(not(unix))]
fn reserve() -> Option<(usize, usize)> {
    None
}

fn carve(bytes: usize) -> Result<*mut Word, AllocError> {
    let range = range();
    if range.start == range.end {
        return carve_outside(bytes);
    }
    let mut free = lock(&range.free);
    if bytes == PAGE
        && let Some(kept) = free.kept.pop()
    {
        return Ok(std::ptr::with_exposed_provenance_mut(kept));
    }
    let hole = free.holes.iter().find(|(_, size)| **size >= bytes).map(|(start, size)| (*start, *size));
    let start = match hole {
        Some((start, size)) => {
            free.holes.remove(&start);
            if size > bytes {
                free.holes.insert(start + bytes, size - bytes);
            }
            start
        }
        None if bytes <= range.end - free.next => {
            free.next += bytes;
            free.next - bytes
        }
        None => return Err(AllocError::OutOfMemory),
    };
    if commit(start, bytes) {
        return Ok(std::ptr::with_exposed_provenance_mut(start));
    }
    insert_hole(&mut free.holes, start, bytes);
    Err(AllocError::OutOfMemory)
}

fn give_back(start: *mut Word, bytes: usize) {
    let range = range();
    if range.start == range.end {
        return give_back_outside(start, bytes);
    }
    let mut free = lock(&range.free);
    if bytes == PAGE && free.kept.len() < KEPT {
        return free.kept.push(start.addr());
    }
    decommit(start.addr(), bytes);
    insert_hole(&mut free.holes, start.addr(), bytes);
}

/// Adds a hole, merged with its neighbours.
fn insert_hole(holes: &mut BTreeMap<usize, usize>, mut start: usize, mut bytes: usize) {
    if let Some((&before, &size)) = holes.range(..start).next_back()
        && before + size == start
    {
        holes.remove(&before);
        start = before;
        bytes += size;
    }
    if let Some(size) = holes.remove(&(start + bytes)) {
        bytes += size;
    }
    holes.insert(start, bytes);
}

#[cfg(unix)]
fn commit(start: usize, bytes: usize) -> bool {
    use rustix::mm::{MprotectFlags, mprotect};
    let place = std::ptr::with_exposed_provenance_mut(start);
    // SAFETY: the pages are part of the reserved range and, by the table of holes, nobody's.
    unsafe { mprotect(place, bytes, MprotectFlags::READ | MprotectFlags::WRITE) }.is_ok()
}

#[cfg(unix)]
fn decommit(start: usize, bytes: usize) {
    use rustix::mm::{Advice, MprotectFlags, madvise, mprotect};
    let place = std::ptr::with_exposed_provenance_mut(start);
    // SAFETY: the area is being freed: nobody reads these pages any more (H10). Failures only keep memory.
    unsafe {
        let _ = madvise(place, bytes, Advice::LinuxDontNeed);
        let _ = mprotect(place, bytes, MprotectFlags::empty());
    }
}

#[cfg(not(unix))]
fn commit(_start: usize, _bytes: usize) -> bool {
    false
}

#[cfg(not(unix))]
fn decommit(_start: usize, _bytes: usize) {}

fn carve_outside(bytes: usize) -> Result<*mut Word, AllocError> {
    let (start, words) = super::memory::Block::new(bytes / 8)?.into_raw();
    let mut areas = lock(&OUTSIDE);
    areas.insert(start.addr(), (start.addr() + words * 8, 0));
    Ok(start)
}

fn give_back_outside(start: *mut Word, bytes: usize) {
    let mut areas = lock(&OUTSIDE);
    areas.remove(&start.addr());
    drop(areas);
    // SAFETY: `carve_outside` made it of a block of this size; given back once.
    drop(unsafe { super::memory::Block::from_raw(start, bytes / 8) });
}

//! Literal areas: where the constants of loaded modules live.
//!
//! One address range is reserved per OS process (address space only; pages are committed as areas are carved from it), so
//! "is this a literal" is a comparison of addresses. Where it cannot be reserved, areas are ordinary allocations and a table
//! of them is searched; it is bounded by the number of loaded modules. The range is the one thing VMs share; each area
//! belongs to one VM's module.

use std::collections::BTreeMap;
use std::ptr::null_mut;
use std::sync::{Mutex, OnceLock};

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
    free: Mutex<Free>,
}

/// Free parts of the range: those given back, by address, and where the untouched rest begins.
struct Free {
    holes: BTreeMap<usize, usize>,
    next: usize,
}

/// The reserved range; empty (`start == end`) where it could not be had.
static RANGE: OnceLock<Range> = OnceLock::new();

/// Areas outside the range: start to end.
static OUTSIDE: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

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
    /// Copies `terms` into an area of their own; the second part holds their words, in order. Sharing among the terms is lost,
    /// but literals already in an area are not copied again.
    ///
    /// # Errors
    /// If there is no room.
    pub fn build(terms: &[Term<'_>]) -> Result<(LiteralArea, Vec<Word>), AllocError> {
        let mut sizes = Vec::with_capacity(terms.len());
        let mut words = 0_usize;
        for term in terms {
            let size = copy::size(*term)?;
            sizes.push(size);
            words = words.checked_add(size).ok_or(AllocError::SystemLimit)?;
        }
        let bytes = words.checked_mul(8).ok_or(AllocError::SystemLimit)?.next_multiple_of(PAGE);
        let start = if words == 0 { null_mut() } else { carve(bytes)? };
        let mut area = LiteralArea { start, words, bytes, shared: null_mut() };
        let mut place = start;
        let mut roots = Vec::with_capacity(terms.len());
        for (term, size) in terms.iter().zip(sizes) {
            // SAFETY: `size` words from `place` on are ours and unused.
            let copied = unsafe { copy::copy_to(*term, place) };
            roots.push(copied.root);
            // SAFETY: the copy's list is complete and joins the area's (H5).
            unsafe { shared::join(copied.shared, &mut area.shared) };
            place = place.wrapping_add(size);
        }
        Ok((area, roots))
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
            || (self.outside && outside_contains(address.addr()))
    }
}

/// Whether a pointer word points into a literal area.
#[inline]
pub fn is_literal(word: Word) -> bool {
    word.is_pointer() && Literals::get().contains(word.address())
}

#[cold]
fn outside_contains(address: usize) -> bool {
    let areas = OUTSIDE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    areas.range(..=address).next_back().is_some_and(|(_, end)| address < *end)
}

fn range() -> &'static Range {
    RANGE.get_or_init(|| {
        let (start, end) = reserve().unwrap_or((0, 0));
        Range { start, end, free: Mutex::new(Free { holes: BTreeMap::new(), next: start }) }
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
    let mut free = range.free.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
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
    let mut free = range.free.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
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
    let mut areas = OUTSIDE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    areas.insert(start.addr(), start.addr() + words * 8);
    Ok(start)
}

fn give_back_outside(start: *mut Word, bytes: usize) {
    let mut areas = OUTSIDE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    areas.remove(&start.addr());
    drop(areas);
    // SAFETY: `carve_outside` made it of a block of this size; given back once.
    drop(unsafe { super::memory::Block::from_raw(start, bytes / 8) });
}

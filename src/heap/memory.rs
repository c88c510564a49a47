//! Blocks of words from the operating system or the allocator, and each worker's cache of them.
//!
//! Small blocks come from the global allocator. From [`MAPPED_WORDS`] on a block is a mapping of its own (on Unix): pages
//! never touched cost nothing, so a collection may reserve room for the worst case and give the tail back in place.

use std::alloc::{Layout, alloc, dealloc};
use std::ptr::NonNull;

use super::account::AllocError;
use crate::term::Word;

/// Blocks of at least this many words (1 MiB) are mappings of their own.
pub const MAPPED_WORDS: usize = 128 * 1024;

/// Words of a huge page on most machines (2 MiB). Mappings of at least so many are of whole ones and ask for them: to fault in
/// small pages costs five times as much as to fill them. What rounding up may waste is little against such a heap.
pub(super) const HUGE_PAGE_WORDS: usize = 256 * 1024;

/// Words of a page on every platform we map on; a larger page size is only a less exact trim.
const PAGE_WORDS: usize = 4096 / 8;

/// An owned block of words, uninitialised.
#[derive(Debug)]
pub struct Block {
    start: NonNull<Word>,
    words: usize,
}

// SAFETY: a block is plain memory without ties to a thread (H6: one owner).
unsafe impl Send for Block {}

impl Block {
    /// A block of at least `words` words.
    ///
    /// # Errors
    /// `SystemLimit` if the size has no meaning, `OutOfMemory` if there is none.
    pub fn new(words: usize) -> Result<Block, AllocError> {
        if words == 0 || words > isize::MAX as usize / 16 {
            return Err(AllocError::SystemLimit);
        }
        #[cfg(unix)]
        if words >= MAPPED_WORDS {
            return map(whole_pages(words));
        }
        let layout = layout(words)?;
        // SAFETY: the layout is not empty.
        let start = NonNull::new(unsafe { alloc(layout) }.cast()).ok_or(AllocError::OutOfMemory)?;
        Ok(Block { start, words })
    }

    /// Its first word.
    #[inline]
    pub fn start(&self) -> *mut Word {
        self.start.as_ptr()
    }

    /// One past its last word.
    #[inline]
    pub fn end(&self) -> *mut Word {
        self.start.as_ptr().wrapping_add(self.words)
    }

    /// Its size.
    #[inline]
    pub fn words(&self) -> usize {
        self.words
    }

    /// Gives the block up without freeing it, as the pair that [`Block::from_raw`] takes.
    pub fn into_raw(self) -> (*mut Word, usize) {
        let raw = (self.start.as_ptr(), self.words);
        std::mem::forget(self);
        raw
    }

    /// The block that `into_raw` gave up.
    ///
    /// # Safety
    /// The pair comes from `into_raw`, once (H6).
    pub unsafe fn from_raw(start: *mut Word, words: usize) -> Block {
        Block { start: NonNull::new(start).expect("into_raw gives no null"), words }
    }

    /// Gives back the words from `words` on, if that can be done in place; the block may stay larger.
    pub fn trim(&mut self, words: usize) {
        #[cfg(unix)]
        if self.words >= MAPPED_WORDS {
            // The remainder must still be recognised as a mapping when it is freed.
            let keep = kept_by_trim(words);
            if keep < self.words {
                let tail = self.start.as_ptr().wrapping_add(keep);
                // SAFETY: the tail is the end of a mapping this block owns alone (H6).
                if unsafe { rustix::mm::munmap(tail.cast(), (self.words - keep) * 8) }.is_ok() {
                    self.words = keep;
                }
            }
        }
        let _ = words;
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        #[cfg(unix)]
        if self.words >= MAPPED_WORDS {
            // SAFETY: the mapping is owned by this block alone (H6). A failure leaks it, nothing worse.
            let _ = unsafe { rustix::mm::munmap(self.start.as_ptr().cast(), self.words * 8) };
            return;
        }
        let layout = layout(self.words).expect("the layout was good when it was allocated");
        // SAFETY: allocated by `new` with this layout.
        unsafe { dealloc(self.start.as_ptr().cast(), layout) }
    }
}

/// Words a mapping is left with that is trimmed to `words`: whole pages, and huge ones are not broken.
pub(super) fn kept_by_trim(words: usize) -> usize {
    whole_pages(words.max(MAPPED_WORDS))
}

/// Words of the pages that hold so many.
fn whole_pages(words: usize) -> usize {
    words.next_multiple_of(if words >= HUGE_PAGE_WORDS { HUGE_PAGE_WORDS } else { PAGE_WORDS })
}

fn layout(words: usize) -> Result<Layout, AllocError> {
    Layout::array::<Word>(words).map_err(|_| AllocError::SystemLimit)
}

#[cfg(unix)]
fn map(words: usize) -> Result<Block, AllocError> {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};
    // SAFETY: a fresh anonymous mapping anywhere touches no memory of anyone.
    let start = unsafe {
        mmap_anonymous(std::ptr::null_mut(), words * 8, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE)
    };
    let start = start.map_err(|_| AllocError::OutOfMemory)?;
    start.expose_provenance();
    #[cfg(target_os = "linux")]
    if words >= HUGE_PAGE_WORDS {
        // SAFETY: the mapping is ours; the advice changes nothing but how its pages come. Where it is not taken, they are small.
        let _ = unsafe { rustix::mm::madvise(start, words * 8, rustix::mm::Advice::LinuxHugepage) };
    }
    Ok(Block { start: NonNull::new(start.cast()).ok_or(AllocError::OutOfMemory)?, words })
}

/// Asks for the cache line at `place`, which is about to be used: a hint, of which any address may be the subject.
#[inline(always)]
pub fn prefetch<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads and writes nothing, and faults on no address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(place.cast());
    }
    let _ = place;
}

/// Size classes of cached blocks from the allocator, in words; a block of a class has exactly that size.
///
/// The first is a new process's block, the second what it grows to at once, then doublings, as heaps grow.
pub const CLASSES: [usize; 9] = [FIRST_WORDS, 640, 1280, 2560, 5120, 10_240, 20_480, 40_960, 81_920];

/// Words of a new process's first block: a parked process is to cost under 1 KB in all.
pub const FIRST_WORDS: usize = 64;

/// Blocks kept per class; what passes them goes back to the allocator. A working heap changes between two blocks of a size.
const KEPT: [usize; CLASSES.len()] = [64, 32, 16, 8, 4, 4, 4, 2, 2];

/// Larger blocks kept, of any size, and their words in all (32 MiB). A collection of a large heap needs a fresh block and frees
/// as large a one: to fault its pages in costs more than to move what is alive. A worker without work gives them back.
const KEPT_LARGE: usize = 16;
const KEPT_LARGE_WORDS: usize = 4 << 20;

/// A worker's cache of free blocks. Bounded; freeing a block on another worker than made it is normal.
#[derive(Debug, Default)]
pub struct BlockCache {
    free: [Vec<Block>; CLASSES.len()],
    large: Vec<Block>,
    large_words: usize,
    /// What the collections did that used this cache, until the worker takes it into its statistics.
    pub tally: Tally,
}

/// What collections did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Collections of young terms only.
    pub minor: u32,
    /// Collections of a whole heap.
    pub major: u32,
    /// Words freed.
    pub freed_words: u64,
    /// Time spent, if there is a `clock`.
    pub ns: u64,
    /// Tells nanoseconds; `None`: time is not measured, since to read the clock twice would double what a small collection
    /// takes.
    pub clock: Option<fn() -> u64>,
}

impl Tally {
    /// What has been counted since it was last taken; the clock stays.
    pub fn take(&mut self) -> Tally {
        let clock = self.clock;
        std::mem::replace(self, Tally { clock, ..Tally::default() })
    }

    /// The time by the clock, if there is one.
    pub(super) fn now(&self) -> u64 {
        self.clock.map_or(0, |clock| clock())
    }
}

impl BlockCache {
    /// An empty cache.
    pub fn new() -> BlockCache {
        BlockCache::default()
    }

    /// A block of at least `words` words.
    ///
    /// # Errors
    /// As [`Block::new`].
    #[inline]
    pub fn take(&mut self, words: usize) -> Result<Block, AllocError> {
        match CLASSES.iter().position(|&size| words <= size) {
            Some(class) => match self.free[class].pop() {
                Some(block) => Ok(block),
                None => Block::new(CLASSES[class]),
            },
            None => self.take_large(words),
        }
    }

    fn take_large(&mut self, words: usize) -> Result<Block, AllocError> {
        // The smallest that is large enough and not too large to be useful as it is.
        let fits = |block: &Block| block.words() >= words && block.words() / 2 <= words;
        let fitting = self.large.iter().enumerate().filter(|(_, block)| fits(block));
        match fitting.min_by_key(|(_, block)| block.words()).map(|(index, _)| index) {
            Some(index) => {
                let block = self.large.swap_remove(index);
                self.large_words -= block.words();
                Ok(block)
            }
            None => Block::new(words),
        }
    }

    /// Takes a block back.
    #[inline]
    pub fn put(&mut self, block: Block) {
        match CLASSES.iter().position(|&size| block.words() <= size) {
            Some(class) if block.words() == CLASSES[class] && self.free[class].len() < KEPT[class] => {
                self.free[class].push(block);
            }
            Some(_) => {}
            None => self.put_large(block),
        }
    }

    fn put_large(&mut self, block: Block) {
        if block.words() > KEPT_LARGE_WORDS {
            return;
        }
        // The oldest go: their pages are the coldest.
        while self.large.len() >= KEPT_LARGE || self.large_words + block.words() > KEPT_LARGE_WORDS {
            self.large_words -= self.large.remove(0).words();
        }
        self.large_words += block.words();
        self.large.push(block);
    }

    /// Whether it keeps blocks worth giving back before a long sleep.
    pub fn has_large(&self) -> bool {
        !self.large.is_empty()
    }

    /// Gives the large blocks back, before a long sleep.
    pub fn clear_large(&mut self) {
        self.large.clear();
        self.large_words = 0;
    }
}

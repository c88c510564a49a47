//! Fragments: one allocation each, a header and a payload of words.
//!
//! A message is a fragment: built by the sender ([`Fragment::copy`](super::copy)), carried by a signal queue through its
//! header's own link and spare words, adopted by the receiver's heap without a second copy. Natives whose block is full
//! allocate from fragments as well. A fragment without payload carries an immediate root.

use std::alloc::{Layout, alloc, dealloc};
use std::ptr::{NonNull, null_mut};
use std::sync::Arc;

use super::account::{Account, AllocError};
use super::shared::{self, SharedList};
use crate::term::{Term, Word};

/// The head of a fragment. `next`, `kind`, `flags`, `to` and `aux` are free for whoever owns it (a signal queue).
///
/// Most messages are a few words and are written, read and freed at once, so the head is kept small: seven words, and with a
/// tuple of two a message has 80 bytes.
#[repr(C)]
pub struct FragmentHeader {
    /// Link of the list the fragment is on: a signal queue's, or its heap's.
    pub next: *mut FragmentHeader,
    /// Words of payload there is room for.
    words: u32,
    /// The owner's: what kind of signal it is.
    pub kind: u8,
    /// The owner's.
    pub flags: u8,
    /// Its size class: see [`FragmentCache`]. 0: exactly `words`.
    class: u8,
    /// Whether the payload is one object that points nowhere into it.
    flat: bool,
    /// The owner's: the full destination pid.
    pub to: Word,
    /// The term the payload holds.
    pub root: Word,
    /// The owner's: raw values, not looked at by any collection.
    pub aux: [u64; 2],
    /// What few fragments have.
    extra: Option<Box<Extra>>,
}

/// What few fragments have: only those with binaries and the large ones.
struct Extra {
    /// Shared objects in the payload.
    shared: SharedList,
    /// Who was charged, for payloads charged before adoption.
    payer: Option<Arc<Account>>,
}

/// An owned fragment.
#[derive(Debug)]
pub struct Fragment(NonNull<FragmentHeader>);

// SAFETY: a fragment is memory without ties to a thread, owned once (H6, H9); its shared buffers count atomically.
unsafe impl Send for Fragment {}
// SAFETY: through a shared reference a fragment is only read (H9: its payload does not change once built).
unsafe impl Sync for Fragment {}

impl Fragment {
    /// A fragment with room for `words` words of payload, charged to nobody.
    ///
    /// # Errors
    /// If it cannot be had.
    pub fn new(words: usize) -> Result<Fragment, AllocError> {
        Fragment::allocated(layout(words)?, words, 0)
    }

    /// The same, from the worker's cache if it is small: a message.
    ///
    /// # Errors
    /// If it cannot be had.
    #[inline]
    pub(crate) fn new_in(cache: &mut FragmentCache, words: usize) -> Result<Fragment, AllocError> {
        let Some(class) = FragmentCache::class(words) else { return Fragment::new(words) };
        match cache.take(class) {
            // SAFETY: the cache's memory is of that class and nobody else's.
            Some(header) => Ok(unsafe { Fragment::started(header, words, class) }),
            None => Fragment::allocated(layout(FragmentCache::WORDS[usize::from(class)])?, words, class),
        }
    }

    fn allocated(layout: Layout, words: usize, class: u8) -> Result<Fragment, AllocError> {
        // SAFETY: the layout is not empty.
        let header =
            NonNull::new(unsafe { alloc(layout) }.cast::<FragmentHeader>()).ok_or(AllocError::OutOfMemory)?;
        // SAFETY: freshly allocated, with this layout.
        Ok(unsafe { Fragment::started(header, words, class) })
    }

    /// # Safety
    /// The memory is the caller's, with room for a header and `words` words, allocated with the layout of `class`.
    #[inline(always)]
    unsafe fn started(header: NonNull<FragmentHeader>, words: usize, class: u8) -> Fragment {
        let fresh = FragmentHeader {
            next: null_mut(),
            words: words as u32,
            kind: 0,
            flags: 0,
            class,
            flat: false,
            to: Word::NONE,
            root: Word::NIL,
            aux: [0; 2],
            extra: None,
        };
        // SAFETY: the caller's promise.
        unsafe { header.write(fresh) };
        Fragment(header)
    }

    /// Frees it; its memory serves the worker's next message.
    #[inline]
    pub(crate) fn recycle(self, cache: &mut FragmentCache) {
        if self.header().class == 0 || !self.is_plain() || !cache.has_room(self.header().class) {
            return drop(self);
        }
        let class = self.header().class;
        cache.put(class, self.into_raw());
    }

    /// The root of a payload that is one object without pointers into itself; what [`Fragment::set_flat`] said.
    #[inline]
    pub(crate) fn is_flat(&self) -> bool {
        self.header().flat
    }

    /// Says so, and which object it is.
    #[inline]
    pub(crate) fn set_flat(&mut self, root: Word) {
        let header = self.header_mut();
        (header.root, header.flat) = (root, true);
    }

    /// A fragment without payload; `root` must be an immediate.
    ///
    /// # Errors
    /// If it cannot be had.
    ///
    /// # Panics
    /// If `root` is a pointer.
    pub fn immediate(root: Word) -> Result<Fragment, AllocError> {
        assert!(root.is_immediate(), "a pointer needs a payload to point into");
        let mut fragment = Fragment::new(0)?;
        fragment.header_mut().root = root;
        Ok(fragment)
    }

    /// As [`Fragment::immediate`], from the worker's cache.
    ///
    /// # Errors
    /// If it cannot be had.
    #[inline]
    pub(crate) fn immediate_in(cache: &mut FragmentCache, root: Word) -> Result<Fragment, AllocError> {
        debug_assert!(root.is_immediate());
        let mut fragment = Fragment::new_in(cache, 0)?;
        fragment.header_mut().root = root;
        Ok(fragment)
    }

    /// Bytes of memory a fragment of `words` words takes.
    pub fn bytes_for(words: usize) -> usize {
        size_of::<FragmentHeader>() + words * 8
    }

    /// Bytes of memory it takes.
    pub fn bytes(&self) -> usize {
        Fragment::bytes_for(self.words())
    }

    /// Whether an account was charged for it.
    #[inline]
    pub fn is_paid(&self) -> bool {
        self.header().extra.as_ref().is_some_and(|extra| extra.payer.is_some())
    }

    /// Words of payload.
    #[inline]
    pub fn words(&self) -> usize {
        self.header().words as usize
    }

    /// The term it carries.
    #[inline]
    pub fn root(&self) -> Word {
        self.header().root
    }

    /// The term it carries, readable while the fragment is borrowed.
    #[inline]
    pub fn term(&self) -> Term<'_> {
        // SAFETY: H9: the root is a term of the payload or a literal, and both live as long as the borrow.
        unsafe { Term::from_word(self.root()) }
    }

    /// Writes an immediate element over an immediate element of the root, a tuple; `false` if it is not of that shape.
    /// For owners of unpublished terms (rows of tables), who hold the fragment alone.
    pub fn set_immediate(&mut self, index: usize, value: Word) -> bool {
        let old = self.term().as_tuple().and_then(|elements| elements.get(index)).map(|old| old.word());
        if !value.is_immediate()
            || !old.is_some_and(Word::is_immediate)
            || super::literal::is_literal(self.root())
        {
            return false;
        }
        // SAFETY: H6: owned alone, so nobody reads; the root is a tuple of this payload with more than `index` elements.
        unsafe { self.root().address().add(1 + index).write(value) };
        true
    }

    /// The header, to read.
    #[inline]
    pub fn header(&self) -> &FragmentHeader {
        // SAFETY: H6: owned and alive.
        unsafe { self.0.as_ref() }
    }

    /// The header, to set the owner's fields and the root.
    #[inline]
    pub fn header_mut(&mut self) -> &mut FragmentHeader {
        // SAFETY: H6: owned alone.
        unsafe { self.0.as_mut() }
    }

    /// First word of the payload.
    #[inline]
    pub(crate) fn payload(&self) -> *mut Word {
        // SAFETY: the payload follows the header in the same allocation.
        unsafe { self.0.as_ptr().add(1).cast() }
    }

    pub(crate) fn next(&self) -> *mut FragmentHeader {
        self.header().next
    }

    /// Gives the fragment up as a pointer, for a queue that links headers.
    #[inline]
    pub fn into_raw(self) -> *mut FragmentHeader {
        let raw = self.0.as_ptr();
        std::mem::forget(self);
        raw
    }

    /// The fragment that `into_raw` gave up.
    ///
    /// # Safety
    /// The pointer comes from `into_raw`, once (H6).
    #[inline]
    pub unsafe fn from_raw(raw: *mut FragmentHeader) -> Fragment {
        Fragment(NonNull::new(raw).expect("into_raw gives no null"))
    }

    /// Whether it is memory and nothing else: no binary is counted for it, and nobody was charged.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.header().extra.is_none()
    }

    fn extra(&mut self) -> &mut Extra {
        let none = || Box::new(Extra { shared: SharedList::EMPTY, payer: None });
        self.header_mut().extra.get_or_insert_with(none)
    }

    /// Remembers the list of shared objects in the payload.
    #[inline]
    pub(crate) fn set_shared(&mut self, list: SharedList) {
        if !list.first.is_null() {
            self.extra().shared = list;
        }
    }

    /// Hands the list of shared objects over to a heap.
    #[inline]
    pub(crate) fn take_shared(&mut self) -> SharedList {
        match &mut self.header_mut().extra {
            Some(extra) => std::mem::replace(&mut extra.shared, SharedList::EMPTY),
            None => SharedList::EMPTY,
        }
    }

    /// A fragment charged to `account` before it is allocated, until it is adopted or dropped.
    ///
    /// # Errors
    /// If the account's limit would be passed or there is no memory.
    pub fn charged(words: usize, account: &Arc<Account>) -> Result<Fragment, AllocError> {
        let bytes = Fragment::bytes_for(words);
        account.charge(bytes)?;
        match Fragment::new(words) {
            Ok(mut fragment) => {
                fragment.extra().payer = Some(account.clone());
                Ok(fragment)
            }
            Err(error) => {
                account.refund(bytes);
                Err(error)
            }
        }
    }

    /// Gives back what `charged` charged.
    #[inline]
    pub(crate) fn refund(&mut self) {
        let bytes = self.bytes();
        if let Some(extra) = &mut self.header_mut().extra
            && let Some(payer) = extra.payer.take()
        {
            payer.refund(bytes);
        }
    }

    /// Gives up what few fragments have.
    #[cold]
    fn drop_extra(&mut self) {
        self.refund();
        let list = self.take_shared();
        self.header_mut().extra = None;
        // SAFETY: H5: a fragment that still has its list owns one count of each object on it.
        unsafe { shared::release_list(list.first) };
    }
}

impl Drop for Fragment {
    #[inline]
    fn drop(&mut self) {
        if !self.is_plain() {
            self.drop_extra();
        }
        let words = match self.header().class {
            0 => self.words(),
            class => FragmentCache::WORDS[usize::from(class)],
        };
        // SAFETY: H6: allocated with the layout of a head and this many words.
        unsafe { free(self.0, words) };
    }
}

/// Small fragments that a worker keeps for the next messages: the one just received is the next one's memory, still warm.
#[derive(Debug)]
pub struct FragmentCache {
    /// Lists through the headers' links, by class.
    free: [*mut FragmentHeader; FragmentCache::WORDS.len()],
    kept: [u16; FragmentCache::WORDS.len()],
}

// SAFETY: it owns its fragments, which are memory without ties to a thread (H6).
unsafe impl Send for FragmentCache {}

impl Default for FragmentCache {
    fn default() -> Self {
        FragmentCache {
            free: [null_mut(); FragmentCache::WORDS.len()],
            kept: [0; FragmentCache::WORDS.len()],
        }
    }
}

impl FragmentCache {
    /// Payload of each class, in words (0 is no class): immediates, a tuple of two or three, a call with its reference.
    const WORDS: [usize; 4] = [0, 0, 4, 12];
    /// Kept of each class: what a sender sends before its receiver has its turn
    /// ([run-next](crate::runtime::worker)); some ten kilobytes.
    const KEPT: u16 = 256;

    #[inline(always)]
    fn class(words: usize) -> Option<u8> {
        match words {
            0 => Some(1),
            1..=4 => Some(2),
            5..=12 => Some(3),
            _ => None,
        }
    }

    #[inline(always)]
    fn take(&mut self, class: u8) -> Option<NonNull<FragmentHeader>> {
        let list = &mut self.free[usize::from(class)];
        let first = NonNull::new(*list)?;
        // SAFETY: H6: what is on the list is the cache's own.
        *list = unsafe { first.as_ref() }.next;
        self.kept[usize::from(class)] -= 1;
        Some(first)
    }

    #[inline(always)]
    fn has_room(&self, class: u8) -> bool {
        self.kept[usize::from(class)] < FragmentCache::KEPT
    }

    #[inline(always)]
    fn put(&mut self, class: u8, fragment: *mut FragmentHeader) {
        let list = &mut self.free[usize::from(class)];
        // SAFETY: H6: the fragment was given up by its owner.
        unsafe { (*fragment).next = *list };
        *list = fragment;
        self.kept[usize::from(class)] += 1;
    }
}

impl Drop for FragmentCache {
    fn drop(&mut self) {
        for (class, words) in FragmentCache::WORDS.into_iter().enumerate() {
            while let Some(fragment) = self.take(class as u8) {
                // SAFETY: H6: allocated with the layout of its class, and plain when it was put here.
                unsafe { free(fragment, words) };
            }
        }
    }
}

/// # Safety
/// Allocated with the layout of a head and this many words; nobody uses it any more.
#[inline(always)]
unsafe fn free(fragment: NonNull<FragmentHeader>, words: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let size = Fragment::bytes_for(words);
        let layout = Layout::from_size_align_unchecked(size, align_of::<FragmentHeader>());
        dealloc(fragment.as_ptr().cast(), layout);
    }
}

#[inline]
fn layout(words: usize) -> Result<Layout, AllocError> {
    if words > u32::MAX as usize {
        return Err(AllocError::SystemLimit);
    }
    Layout::from_size_align(Fragment::bytes_for(words), align_of::<FragmentHeader>())
        .map_err(|_| AllocError::SystemLimit)
}

/// Payload, its words, and the next fragment of the list.
///
/// # Safety
/// `header` is a live fragment (H6).
pub(crate) unsafe fn payload_of(header: *mut FragmentHeader) -> (*mut Word, usize, *mut FragmentHeader) {
    // SAFETY: the caller's promise; the payload follows the header.
    unsafe { (header.add(1).cast(), (*header).words as usize, (*header).next) }
}

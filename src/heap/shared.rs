//! Shared binaries and resources: counted objects outside every heap, and the lists by which heaps count them.
//!
//! A `SharedBits` object is `[header, bit length, buffer, link]`, a resource `[header, unique, box, link]`; the link chains the
//! objects of one owner (H5). Each collection sweeps the lists of what it moved: an object that was not moved is garbage and
//! gives its count back.
//!
//! **Append in place.** A buffer's `used` says how many of its bytes belong to someone. Whoever moves it from exactly the end
//! of its own term by one compare-exchange owns the bytes between: two terms that extend the same prefix cannot both win, the
//! loser copies. Published bytes never change (H5). What was extended is a part (`SubBits`) of the object that counts the buffer, so a
//! binary that grows step by step is counted once.

use std::alloc::{Layout, alloc, dealloc};
use std::any::Any;
use std::ptr::{NonNull, null};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

use super::account::{Account, AllocError};
use crate::term::buffer::Buffer;
use crate::term::{Subtag, Term, Word};

/// A counted handle to the first `len` bytes of a buffer: what natives, jobs and tables hold; cloning shares the bytes.
#[derive(Debug)]
pub struct SharedBytes {
    buffer: NonNull<Buffer>,
    length: usize,
}

// SAFETY: H5: the count is atomic, published bytes never change, and extension is decided by a compare-exchange.
unsafe impl Send for SharedBytes {}
// SAFETY: as for `Send`.
unsafe impl Sync for SharedBytes {}

impl SharedBytes {
    /// An empty buffer with room for `capacity` bytes, charged to `account`.
    ///
    /// # Errors
    /// If the account's limit or the memory does not allow it.
    pub fn with_capacity(account: &Arc<Account>, capacity: usize) -> Result<SharedBytes, AllocError> {
        let layout = layout(capacity)?;
        account.charge_binary(layout.size())?;
        // SAFETY: the layout is not empty.
        let Some(buffer) = NonNull::new(unsafe { alloc(layout) }.cast::<Buffer>()) else {
            account.refund_binary(layout.size());
            return Err(AllocError::OutOfMemory);
        };
        let head = Buffer {
            references: AtomicUsize::new(1),
            used: AtomicUsize::new(0),
            capacity,
            account: Arc::into_raw(account.clone()).cast(),
        };
        // SAFETY: freshly allocated with room for the head.
        unsafe { buffer.write(head) };
        buffer.as_ptr().expose_provenance();
        Ok(SharedBytes { buffer, length: 0 })
    }

    /// A buffer holding a copy of `bytes`.
    ///
    /// # Errors
    /// As [`SharedBytes::with_capacity`].
    pub fn copy(account: &Arc<Account>, bytes: &[u8]) -> Result<SharedBytes, AllocError> {
        let mut shared = SharedBytes::with_capacity(account, bytes.len())?;
        let appended = shared.append(bytes);
        debug_assert!(appended, "a fresh buffer has room and no other owner");
        Ok(shared)
    }

    /// Bytes the handle covers.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether it covers none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Bytes there is room for.
    pub fn capacity(&self) -> usize {
        // SAFETY: H5: alive by our count; the capacity never changes.
        unsafe { self.buffer.as_ref() }.capacity
    }

    /// The bytes.
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: H5: alive by our count; the bytes this handle covers are written and never change.
        unsafe { Buffer::slice(self.buffer.as_ptr(), 0, self.length) }
    }

    /// Appends in place if nobody else extended the buffer from here and there is room; says whether it did.
    #[must_use]
    pub fn append(&mut self, bytes: &[u8]) -> bool {
        let (buffer, end) = (self.buffer.as_ptr(), self.length);
        // SAFETY: alive by our count.
        let done = unsafe { append_in_place(buffer, end, bytes.len(), |place| place.copy_from_slice(bytes)) };
        if done {
            self.length += bytes.len();
        }
        done
    }

    /// The buffer, kept alive by this handle.
    pub(crate) fn raw(&self) -> *const Buffer {
        self.buffer.as_ptr()
    }

    /// The buffer of a binary that lies in one, and the byte it begins at; `None` for other terms and for binaries that begin
    /// within a byte.
    pub fn of_term(term: Term<'_>) -> Option<(SharedBytes, usize)> {
        let bytes = term.as_bits()?.byte_length();
        let object = term.object();
        let (start, buffer) = match object[0].header_subtag() {
            Subtag::SharedBits => (0, object.as_ptr()),
            Subtag::SubBits if object[1].bits().is_multiple_of(8) => {
                (object[1].bits() as usize / 8, object[3].address().cast_const())
            }
            _ => return None,
        };
        // SAFETY: H5: the object, or the parent of a part, keeps its buffer alive, and these bytes lie within what is published.
        Some((unsafe { SharedBytes::clone_raw(buffer_of(buffer), start + bytes) }, start))
    }

    /// Gives the count up to a heap object.
    pub(crate) fn into_raw(self) -> *const Buffer {
        let raw = self.buffer.as_ptr();
        std::mem::forget(self);
        raw
    }

    /// A further handle to the buffer of a heap object, covering its first `length` bytes.
    ///
    /// # Safety
    /// `buffer` is alive and a published term covers these bytes (H5).
    pub(crate) unsafe fn clone_raw(buffer: *const Buffer, length: usize) -> SharedBytes {
        // SAFETY: the caller's promise. Relaxed: a new count is made from an existing one.
        unsafe { (*buffer).references.fetch_add(1, Ordering::Relaxed) };
        let buffer = NonNull::new(buffer.cast_mut()).expect("a live buffer has an address");
        SharedBytes { buffer, length }
    }
}

impl Clone for SharedBytes {
    fn clone(&self) -> SharedBytes {
        // SAFETY: alive by our count.
        unsafe { SharedBytes::clone_raw(self.buffer.as_ptr(), self.length) }
    }
}

impl Drop for SharedBytes {
    fn drop(&mut self) {
        // SAFETY: our count, given back once.
        unsafe { release_buffer(self.buffer.as_ptr()) }
    }
}

/// Extends a buffer's used part from `end` by `length` bytes and fills them, if `end` is exactly its end and there is room.
///
/// # Safety
/// `buffer` is alive (H5).
pub(crate) unsafe fn append_in_place(
    buffer: *const Buffer,
    end: usize,
    length: usize,
    fill: impl FnOnce(&mut [u8]),
) -> bool {
    // SAFETY: alive by the caller's promise.
    let head = unsafe { &*buffer };
    if length > head.capacity - end.min(head.capacity) {
        return false;
    }
    // AcqRel: pairs with itself on other threads: the winner's bytes come after everything the loser of an earlier race saw.
    if head.used.compare_exchange(end, end + length, Ordering::AcqRel, Ordering::Relaxed).is_err() {
        return false;
    }
    // SAFETY: H5: the exchange made these bytes ours alone, and no published term covers them yet. Zeroed first, so that the
    // slice is initialised memory.
    let place = unsafe {
        let first = buffer.add(1).cast::<u8>().cast_mut().add(end);
        first.write_bytes(0, length);
        std::slice::from_raw_parts_mut(first, length)
    };
    fill(place);
    true
}

/// Gives one count of a buffer back, freeing it with the last.
///
/// # Safety
/// The caller owns that count (H5).
pub(crate) unsafe fn release_buffer(buffer: *const Buffer) {
    // SAFETY: alive until our count is gone. Release: our reads come before the free; pairs with the fence.
    if unsafe { (*buffer).references.fetch_sub(1, Ordering::Release) } != 1 {
        return;
    }
    fence(Ordering::Acquire);
    // SAFETY: the last count: nobody else can reach it. The account is what `with_capacity` stored.
    unsafe {
        let layout = layout((*buffer).capacity).expect("the layout was good when it was allocated");
        Arc::from_raw((*buffer).account.cast::<Account>()).refund_binary(layout.size());
        dealloc(buffer.cast_mut().cast(), layout);
    }
}

fn layout(capacity: usize) -> Result<Layout, AllocError> {
    let bytes = Layout::array::<u8>(capacity).map_err(|_| AllocError::SystemLimit)?;
    let (layout, _) = Layout::new::<Buffer>().extend(bytes).map_err(|_| AllocError::SystemLimit)?;
    Ok(layout.pad_to_align())
}

/// Words of a `SharedBits` or resource object.
pub(crate) const SHARED_WORDS: usize = 4;
const COUNTED: usize = 2;
const LINK: usize = 3;

/// The next object of the list `object` is on.
///
/// # Safety
/// `object` is a `SharedBits` or resource (H3), not yet moved.
#[inline]
pub(crate) unsafe fn link(object: *mut Word) -> *mut Word {
    // SAFETY: the caller's promise.
    std::ptr::with_exposed_provenance_mut(unsafe { (*object.add(LINK)).bits() } as usize)
}

/// Sets the next object.
///
/// # Safety
/// As [`link`].
#[inline]
pub(crate) unsafe fn set_link(object: *mut Word, next: *mut Word) {
    // SAFETY: the caller's promise; the link is not part of the term.
    unsafe { object.add(LINK).write(Word::from_bits(next.expose_provenance() as u64)) }
}

/// Bytes an object on a list keeps alive.
///
/// # Safety
/// As [`link`].
pub(crate) unsafe fn counted_bytes(object: *mut Word) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        if (*object).is_header_of(Subtag::SharedBits) {
            (*buffer_of(object)).capacity
        } else {
            RESOURCE_BYTES
        }
    }
}

/// What a resource weighs in the trigger of collections: it has no size of its own to ask for.
const RESOURCE_BYTES: usize = 256;

/// The buffer of a `SharedBits`.
///
/// # Safety
/// `object` is one (H3).
#[inline]
pub(crate) unsafe fn buffer_of(object: *const Word) -> *const Buffer {
    // SAFETY: the caller's promise.
    std::ptr::with_exposed_provenance(unsafe { (*object.add(COUNTED)).bits() } as usize)
}

/// Adds one count for a copy of `object`.
///
/// # Safety
/// As [`link`]; the object's own count keeps the thing alive.
pub(crate) unsafe fn retain(object: *const Word) {
    // SAFETY: the caller's promise; H5.
    unsafe {
        if (*object).is_header_of(Subtag::SharedBits) {
            (*buffer_of(object)).references.fetch_add(1, Ordering::Relaxed);
        } else {
            Arc::increment_strong_count(resource_of(object));
        }
    }
}

/// Gives the count of a dead object back.
///
/// # Safety
/// As [`link`]; the object will not be read as a term again.
pub(crate) unsafe fn release(object: *const Word) {
    // SAFETY: the caller's promise; H5.
    unsafe {
        if (*object).is_header_of(Subtag::SharedBits) {
            release_buffer(buffer_of(object));
        } else {
            drop(Arc::from_raw(resource_of(object)));
        }
    }
}

/// Gives the counts of a whole list back.
///
/// # Safety
/// The list is owned by the caller (H5) and its objects will not be read again.
pub(crate) unsafe fn release_list(mut object: *mut Word) {
    while !object.is_null() {
        // SAFETY: the caller's promise, for each object of the list.
        unsafe {
            let next = link(object);
            release(object);
            object = next;
        }
    }
}

/// The value of a resource term; `None` for other terms.
pub fn resource_of_term(term: Term<'_>) -> Option<Arc<ResourceBox>> {
    if !term.header().is_header_of(Subtag::Resource) {
        return None;
    }
    // SAFETY: H3, H5: the object holds one count, so the box is alive while another is made.
    unsafe {
        let value = resource_of(term.object().as_ptr());
        Arc::increment_strong_count(value);
        Some(Arc::from_raw(value))
    }
}

/// What a resource holds: any value of the host or of a native. A fat pointer does not fit a word, hence the box inside.
pub type ResourceBox = Box<dyn Any + Send + Sync>;

/// The counted box of a resource object.
///
/// # Safety
/// `object` is a resource (H3).
#[inline]
pub(crate) unsafe fn resource_of(object: *const Word) -> *const ResourceBox {
    // SAFETY: the caller's promise.
    std::ptr::with_exposed_provenance(unsafe { (*object.add(COUNTED)).bits() } as usize)
}

const _: () = assert!(null::<Buffer>().is_null() && size_of::<Buffer>() == 32);

/// Puts a list in front of another.
///
/// # Safety
/// Both are lists of objects whose counts the caller owns (H5).
pub(crate) unsafe fn join(list: SharedList, onto: &mut *mut Word) {
    if !list.first.is_null() {
        // SAFETY: `last` ends the list.
        unsafe { set_link(list.last, *onto) };
        *onto = list.first;
    }
}

/// A list of counted objects under construction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedList {
    pub first: *mut Word,
    pub last: *mut Word,
    pub bytes: usize,
}

impl SharedList {
    pub(crate) const EMPTY: SharedList =
        SharedList { first: std::ptr::null_mut(), last: std::ptr::null_mut(), bytes: 0 };

    /// Adds an object.
    ///
    /// # Safety
    /// As [`link`]; the object's count belongs to the list's owner from now on (H5).
    pub(crate) unsafe fn push(&mut self, object: *mut Word) {
        // SAFETY: the caller's promise.
        unsafe {
            set_link(object, self.first);
            self.bytes += counted_bytes(object);
        }
        if self.first.is_null() {
            self.last = object;
        }
        self.first = object;
    }
}

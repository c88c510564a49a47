//! The head of a shared binary's buffer, as readers see it. Making, counting and freeing it is `heap::shared`'s.

use std::sync::atomic::{AtomicUsize, Ordering};

/// A reference-counted buffer of bytes that several processes may read; the bytes follow this head in memory.
///
/// `used` only grows. Bytes below the size of any published term never change (H5), so readers hold plain slices.
#[repr(C, align(16))]
pub struct Buffer {
    /// References from `SharedBits` objects and native handles.
    pub(crate) references: AtomicUsize,
    /// Bytes that belong to someone; the right to extend is a compare-exchange on this.
    pub(crate) used: AtomicUsize,
    /// Bytes there is room for.
    pub(crate) capacity: usize,
    /// The account charged, as `Arc::into_raw` gave it.
    pub(crate) account: *const (),
}

impl Buffer {
    /// Bytes in use.
    pub fn used(&self) -> usize {
        // Acquire pairs with the Release of an append: its bytes are written before they are read through a term, which
        // a signal has published; this load alone is only informative.
        self.used.load(Ordering::Acquire)
    }

    /// The bytes from `first` on, `length` of them.
    ///
    /// # Safety
    /// `buffer` is a live buffer with its bytes behind it, and a published term covers these bytes (H5).
    #[inline]
    pub(crate) unsafe fn slice<'a>(buffer: *const Buffer, first: usize, length: usize) -> &'a [u8] {
        // SAFETY: the caller's promise; the bytes follow the head.
        unsafe { std::slice::from_raw_parts(buffer.add(1).cast::<u8>().add(first), length) }
    }
}

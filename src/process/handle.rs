//! The right to touch a process.
//!
//! At any moment at most one [`Handle`] to a process exists: with the worker that runs it, in a run queue, or with the sender
//! that has just woken it. While the process is parked there is none, and the next sender's compare-and-swap makes one.
//! A handle is move-only and does nothing when dropped; dropping one would lose the process, so everything that gives one
//! out is `must_use`. Processes are freed by the exit machine, or at teardown through the slot table.

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use super::Process;
use crate::heap::memory::prefetch;

/// Bytes of a cache line on most machines.
const LINE: usize = 64;

/// The one right to touch a process; see the module's essay.
#[must_use = "whoever holds a process must run, enqueue or park it"]
#[derive(Debug)]
pub struct Handle(NonNull<Process>);

// SAFETY: a handle is the only access to its process, and all a process owns may move between threads: heap and fragments
// (H6), code positions (valid in all threads), the boxed native body (`Send`).
unsafe impl Send for Handle {}

impl Handle {
    /// The first handle of a new process.
    pub(super) fn new(process: Box<Process>) -> Handle {
        Handle(NonNull::from(Box::leak(process)))
    }

    /// The address for the slot to keep.
    pub(super) fn as_ptr(&self) -> *mut Process {
        self.0.as_ptr()
    }

    /// The handle a won push makes.
    ///
    /// # Safety
    /// `body` is the body pointer of a slot whose word the caller has just changed from parked, or of a slot table that
    /// nobody else uses any more: no other handle to it exists.
    pub(super) unsafe fn from_body(body: *mut Process) -> Handle {
        Handle(NonNull::new(body).expect("an open slot has a body"))
    }

    /// Asks for the process's memory, for it is going to run.
    #[inline(always)]
    pub fn prefetch(&self) {
        for line in 0..size_of::<Process>().div_ceil(LINE) {
            prefetch(self.0.as_ptr().cast::<u8>().wrapping_add(line * LINE));
        }
    }

    /// Frees the process. The exit machine's last act, and teardown's.
    pub(super) fn free(self) {
        // SAFETY: made by `new` from a box, and this is the only handle.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

impl Deref for Handle {
    type Target = Process;

    #[inline(always)]
    fn deref(&self) -> &Process {
        // SAFETY: the handle is the only access to the live process.
        unsafe { self.0.as_ref() }
    }
}

impl DerefMut for Handle {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Process {
        // SAFETY: as above, and the handle is borrowed mutably.
        unsafe { self.0.as_mut() }
    }
}

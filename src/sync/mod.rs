//! The door to atomics, locks and threads: the standard library's, or loom's under `cfg(loom)`.
//!
//! Whatever takes part in a loom model (signal word, slot reuse, idle protocol) imports its atomics from here and nowhere
//! else. Counters and tables that no model explores (accounts, shared binaries, atoms) use `std` directly: loom's types
//! cannot live in raw memory or outside a model.

pub mod quiescence;
#[cfg(all(test, not(loom)))]
mod quiescence_tests;

#[cfg(loom)]
pub use loom::{
    cell::UnsafeCell,
    hint,
    sync::{Arc, Condvar, Mutex, MutexGuard, RwLock, atomic},
    thread,
};

#[cfg(not(loom))]
pub use std::{
    hint,
    sync::{Arc, Condvar, Mutex, MutexGuard, RwLock, atomic},
    thread,
};

#[cfg(not(loom))]
pub use cell::UnsafeCell;

#[cfg(not(loom))]
mod cell {
    /// `std`'s cell with loom's closure interface, so that one body of code serves both.
    #[derive(Debug, Default)]
    #[repr(transparent)]
    pub struct UnsafeCell<T: ?Sized>(std::cell::UnsafeCell<T>);

    impl<T> UnsafeCell<T> {
        /// A cell holding `value`.
        pub const fn new(value: T) -> Self {
            UnsafeCell(std::cell::UnsafeCell::new(value))
        }

        /// Takes the value out.
        pub fn into_inner(self) -> T {
            self.0.into_inner()
        }

        /// Calls `f` with a pointer to read from.
        #[inline(always)]
        pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
            f(self.0.get())
        }

        /// Calls `f` with a pointer to write through.
        #[inline(always)]
        pub fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
            f(self.0.get())
        }
    }
}

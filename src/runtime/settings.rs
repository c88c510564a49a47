//! What a program may change of the whole machine while it runs: `erlang:system_flag/2`.
//!
//! Everything here is read where something rare happens (an exception is raised, a process asks for options), or behind one flag
//! that says whether anything was ever changed.

use crate::heap::Policy;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Frames of a stack trace if nothing else is asked for, as OTP's default.
const TRACE_DEPTH: usize = 8;

/// Most frames of a stack trace, as in OTP.
const MOST_FRAMES: usize = 64;

/// The settings of one machine.
#[derive(Debug)]
pub struct Settings {
    trace_depth: AtomicUsize,
    /// Whether `policy` is another than the configured one.
    changed: AtomicBool,
    policy: Mutex<Policy>,
}

impl Settings {
    /// Settings of a machine whose processes have this policy.
    pub fn new(policy: Policy) -> Settings {
        Settings {
            trace_depth: AtomicUsize::new(TRACE_DEPTH),
            changed: AtomicBool::new(false),
            policy: Mutex::new(policy),
        }
    }

    /// Most frames of a stack trace.
    pub fn trace_depth(&self) -> usize {
        // Relaxed: whoever sees the old depth has raised before the change.
        self.trace_depth.load(Ordering::Relaxed)
    }

    /// Sets the most frames of a stack trace, and returns what it was.
    pub fn set_trace_depth(&self, depth: usize) -> usize {
        // Relaxed: as above.
        self.trace_depth.swap(depth.min(MOST_FRAMES), Ordering::Relaxed)
    }

    /// How the heaps of processes grow that ask for nothing; `None`: as configured.
    #[inline]
    pub fn policy(&self) -> Option<Policy> {
        // Acquire: pairs with the release in `change_policy`, though the lock alone would do for the policy's value.
        if self.changed.load(Ordering::Acquire) { Some(*self.kept()) } else { None }
    }

    /// Changes how the heaps of later processes grow, and returns what it was.
    ///
    /// # Errors
    /// What `change` says; then nothing is changed.
    pub fn change_policy<E>(&self, change: impl FnOnce(&mut Policy) -> Result<(), E>) -> Result<Policy, E> {
        let mut policy = self.kept();
        let (old, mut new) = (*policy, *policy);
        change(&mut new)?;
        *policy = new;
        // Release: pairs with the acquire in `policy`.
        self.changed.store(true, Ordering::Release);
        Ok(old)
    }

    fn kept(&self) -> MutexGuard<'_, Policy> {
        // Nothing that can panic runs under the lock but the caller's `change`, and it works on a copy.
        self.policy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

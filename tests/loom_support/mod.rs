//! What the loom models share: loom's atomics with faults that can be switched on, and a bounded checker.
//!
//! A fault is planted by an environment variable in a process of its own.

#![allow(dead_code, reason = "each model uses a part of it")]

use std::sync::OnceLock;

/// A mistake to plant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The push publishes nothing.
    PushRelaxed,
    /// Taking the list acquires nothing.
    TakeRelaxed,
    /// Parking hands nothing over.
    ParkRelaxed,
    /// Parking does not look whether signals came.
    ParkBlindly,
    /// Death hands nothing over.
    DieRelaxed,
    /// The word and pid of a new owner publish nothing.
    StoreRelaxed,
    /// Fences do nothing.
    FenceDropped,
    /// The owner takes every signal for its own.
    ForeignNotChecked,
    /// A dead answer goes straight to the mailbox.
    AnswerStraight,
    /// The name is freed after DOWN was sent.
    NameAfterDown,
    /// The name is not looked for again after death.
    NotLookedAgain,
    /// The name table asks whether the process lives outside its lock.
    AskedWithoutLock,
    /// A sleeper does not look at the queues again.
    SleepBlindly,
    /// The last searcher that finds work tells nobody.
    DutyDropped,
    /// A pusher wakes nobody.
    NobodyWoken,
    /// A worker's passes order nothing.
    PassRelaxed,
    /// What is to be freed is not taken away first.
    ThingStays,
    /// It is freed at once.
    NotWaited,
    /// Locks exclude nobody.
    LockSkipped,
    /// Who waits is not woken.
    WakeForgotten,
    /// Who finds nothing sleeps without leaving its waker.
    WakerNotLeft,
    /// Who goes away leaves its waker behind.
    WakerStays,
    /// A flag is not seen at the first look, though it was set before.
    FlagNotSeen,
    /// What is to be done behind others is done at once.
    NotBehind,
    /// A process says how it ends after it has let go.
    SaidTooLate,
    /// One reader is woken, whoever the message is for.
    OneWoken,
}

/// The fault that is on in this process, from the environment.
fn fault() -> Option<&'static str> {
    static FAULT: OnceLock<Option<String>> = OnceLock::new();
    FAULT.get_or_init(|| std::env::var(VARIABLE).ok()).as_deref()
}

const VARIABLE: &str = "ERLET_LOOM_FAULT";

/// Whether this fault is on.
pub fn fault_is(asked: Fault) -> bool {
    fault().is_some_and(|fault| fault == format!("{asked:?}"))
}

/// The model holds in every explored interleaving (of at most three preemptions, unless the environment says otherwise).
pub fn holds(model: fn()) {
    let mut builder = loom::model::Builder::new();
    let preemptions = std::env::var("ERLET_LOOM_PREEMPTIONS").ok().and_then(|number| number.parse().ok());
    builder.preemption_bound = Some(preemptions.unwrap_or(3));
    builder.max_branches = 20_000;
    builder.check(model);
}

/// With the fault planted, the test of that name in this file fails. It runs in a process of its own, because a model
/// that fails half way may abort while loom takes it down.
pub fn caught(fault: Fault, test: &str) {
    let program = std::env::current_exe().expect("a test knows its own program");
    let output = std::process::Command::new(program)
        .args(["--exact", test])
        .env(VARIABLE, format!("{fault:?}"))
        .output()
        .expect("a test program can be started again");
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(report.contains("running 1 test"), "there is no test {test}");
    assert!(!output.status.success(), "the planted fault {fault:?} was not noticed by {test}");
}

/// Loom's atomics behind switchable faults. The included files use few operations, so an operation tells its place.
pub mod atomic {
    use super::{Fault, fault_is};
    pub use std::sync::atomic::Ordering;

    /// As `std`'s.
    pub fn fence(ordering: Ordering) {
        if !fault_is(Fault::FenceDropped) {
            loom::sync::atomic::fence(ordering);
        }
    }

    macro_rules! atomic {
        ($name:ident, $int:ty) => {
            /// As `std`'s.
            #[derive(Debug)]
            pub struct $name(loom::sync::atomic::$name);

            impl $name {
                pub fn new(value: $int) -> Self {
                    $name(loom::sync::atomic::$name::new(value))
                }
                pub fn load(&self, ordering: Ordering) -> $int {
                    self.0.load(ordering)
                }
                pub fn store(&self, value: $int, ordering: Ordering) {
                    let ordering = if fault_is(Fault::StoreRelaxed) { Ordering::Relaxed } else { ordering };
                    self.0.store(value, ordering);
                }
                pub fn swap(&self, value: $int, ordering: Ordering) -> $int {
                    let weaken = match ordering {
                        Ordering::Acquire => fault_is(Fault::TakeRelaxed),
                        _ => fault_is(Fault::DieRelaxed),
                    };
                    self.0.swap(value, if weaken { Ordering::Relaxed } else { ordering })
                }
                pub fn fetch_add(&self, value: $int, ordering: Ordering) -> $int {
                    let ordering = if fault_is(Fault::PassRelaxed) { Ordering::Relaxed } else { ordering };
                    self.0.fetch_add(value, ordering)
                }
                pub fn fetch_or(&self, value: $int, ordering: Ordering) -> $int {
                    self.0.fetch_or(value, ordering)
                }
                pub fn fetch_sub(&self, value: $int, ordering: Ordering) -> $int {
                    self.0.fetch_sub(value, ordering)
                }
                pub fn compare_exchange(
                    &self,
                    old: $int,
                    new: $int,
                    yes: Ordering,
                    no: Ordering,
                ) -> Result<$int, $int> {
                    if fault_is(Fault::ParkBlindly) {
                        return Ok(self.0.swap(new, yes));
                    }
                    let yes = if fault_is(Fault::ParkRelaxed) { Ordering::Relaxed } else { yes };
                    self.0.compare_exchange(old, new, yes, no)
                }
                pub fn compare_exchange_weak(
                    &self,
                    old: $int,
                    new: $int,
                    yes: Ordering,
                    no: Ordering,
                ) -> Result<$int, $int> {
                    let yes = if fault_is(Fault::PushRelaxed) { Ordering::Relaxed } else { yes };
                    self.0.compare_exchange(old, new, yes, no)
                }
            }
        };
    }

    atomic!(AtomicUsize, usize);
    atomic!(AtomicU64, u64);

    /// As `std`'s.
    #[derive(Debug)]
    pub struct AtomicBool {
        flag: loom::sync::atomic::AtomicBool,
        /// For a look that misses it.
        looks: std::sync::atomic::AtomicUsize,
    }

    impl AtomicBool {
        pub fn new(value: bool) -> Self {
            let looks = std::sync::atomic::AtomicUsize::new(0);
            AtomicBool { flag: loom::sync::atomic::AtomicBool::new(value), looks }
        }
        pub fn load(&self, ordering: Ordering) -> bool {
            let seen = self.flag.load(ordering);
            let is_first = fault_is(Fault::FlagNotSeen) && self.looks.fetch_add(1, Ordering::Relaxed) == 0;
            seen && !is_first
        }
        pub fn store(&self, value: bool, ordering: Ordering) {
            let ordering = if fault_is(Fault::StoreRelaxed) { Ordering::Relaxed } else { ordering };
            self.flag.store(value, ordering);
        }
    }

    /// As `std`'s.
    #[derive(Debug)]
    pub struct AtomicPtr<T>(loom::sync::atomic::AtomicPtr<T>);

    impl<T> AtomicPtr<T> {
        pub fn new(value: *mut T) -> Self {
            AtomicPtr(loom::sync::atomic::AtomicPtr::new(value))
        }
        pub fn load(&self, ordering: Ordering) -> *mut T {
            self.0.load(ordering)
        }
        pub fn store(&self, value: *mut T, ordering: Ordering) {
            self.0.store(value, ordering);
        }
    }
}

/// A lock that a fault takes away: loom then sees two at once inside.
pub mod lock {
    use std::fmt;
    use std::ops::{Deref, DerefMut};
    use std::sync::LockResult;

    use loom::cell::{MutPtr, UnsafeCell};

    use super::{Fault, fault_is};

    /// As `std`'s, but for poison.
    pub struct Mutex<T> {
        lock: loom::sync::Mutex<()>,
        value: UnsafeCell<T>,
    }

    // SAFETY: loom checks that nobody is inside with another one.
    unsafe impl<T: Send> Sync for Mutex<T> {}
    // SAFETY: as above.
    unsafe impl<T: Send> Send for Mutex<T> {}

    /// As `std`'s.
    pub struct MutexGuard<'a, T> {
        // Let go in this order.
        value: MutPtr<T>,
        _lock: Option<loom::sync::MutexGuard<'a, ()>>,
    }

    impl<T> Mutex<T> {
        pub fn new(value: T) -> Self {
            Mutex { lock: loom::sync::Mutex::new(()), value: UnsafeCell::new(value) }
        }

        pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
            let lock =
                (!fault_is(Fault::LockSkipped)).then(|| self.lock.lock().expect("no model panics inside"));
            Ok(MutexGuard { value: self.value.get_mut(), _lock: lock })
        }
    }

    impl<T> fmt::Debug for Mutex<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_struct("Mutex").finish_non_exhaustive()
        }
    }

    impl<T> Deref for MutexGuard<'_, T> {
        type Target = T;

        fn deref(&self) -> &T {
            // SAFETY: loom checks that the access is exclusive as long as `value` lives.
            unsafe { self.value.deref() }
        }
    }

    impl<T> DerefMut for MutexGuard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            // SAFETY: as above.
            unsafe { self.value.deref() }
        }
    }
}

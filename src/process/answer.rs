//! Who waits, outside the machine, for what a process ends with.
//!
//! An answer has two sides. The process holds the [`Answer`]: the interpreter puts in what its first function returns, or the
//! exception that nothing caught; the exit machine puts in the reason of one that was ended otherwise. Whoever asked holds the
//! [`Awaited`] and is told when the process lets go of its side, which is when it is gone: links have been told, its name and
//! its tables are free. A process that never ends, since its machine is taken down, lets go of it empty.
//!
//! The asker looks at one flag as often as it likes (a driver between two slices, a thread that spins before it sleeps) and
//! takes the lock only to leave a waker or to take what has come.
//!
//! Invariant: a waker is woken outside the lock, since it is foreign code.

use std::task::Waker;

use super::Class;
use crate::heap::Fragment;
use crate::sync::atomic::{AtomicBool, Ordering};
use crate::sync::{Arc, Mutex, MutexGuard};

/// How a process ended.
#[derive(Debug)]
pub enum Ended {
    /// Its first function returned this.
    Returned(Fragment),
    /// Nothing caught an exception of this class; the root is `{Reason, StackTrace}`.
    Raised(Class, Fragment),
    /// It was ended with this reason, not by an exception of its own.
    Exited(Fragment),
    /// It was taken down with its machine, or there was no memory for what it had to say.
    Lost,
}

#[derive(Debug)]
struct Cell {
    /// The process has let go: `ended` is final.
    done: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    ended: Option<Ended>,
    waker: Option<Waker>,
}

impl Cell {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no code that holds this lock panics")
    }
}

/// The process's side; see the module's essay.
#[derive(Debug)]
pub struct Answer(Arc<Cell>);

/// The asker's side.
#[derive(Debug)]
pub struct Awaited(Arc<Cell>);

/// Both sides of a new answer.
pub fn answer() -> (Answer, Awaited) {
    let state = Mutex::new(State { ended: None, waker: None });
    let cell = Arc::new(Cell { done: AtomicBool::new(false), state });
    (Answer(Arc::clone(&cell)), Awaited(cell))
}

impl Answer {
    /// Says how the process ends; what was said first counts.
    pub fn put(&self, ended: Ended) {
        let mut state = self.0.lock();
        if state.ended.is_none() {
            state.ended = Some(ended);
        }
    }

    /// Whether it was said how the process ends.
    pub fn is_put(&self) -> bool {
        self.0.lock().ended.is_some()
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        // Release: pairs with the Acquire in `is_done`; who sees the flag sees what the process did before.
        self.0.done.store(true, Ordering::Release);
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Awaited {
    /// Whether the process is gone.
    #[inline]
    pub fn is_done(&self) -> bool {
        self.0.done.load(Ordering::Acquire)
    }

    /// How the process ended; if it has not yet, the waker is woken when it has. Once taken, it is `Lost`.
    pub fn take_or_wait(&self, waker: &Waker) -> Option<Ended> {
        let mut state = self.0.lock();
        if self.is_done() {
            return Some(state.ended.take().unwrap_or(Ended::Lost));
        }
        let old = match &state.waker {
            Some(old) if old.will_wake(waker) => None,
            _ => state.waker.replace(waker.clone()),
        };
        drop(state);
        // A waker's drop is foreign code too.
        drop(old);
        None
    }

    /// How the process ended, if it has. Once taken, it is `Lost`.
    pub fn take(&self) -> Option<Ended> {
        self.is_done().then(|| self.0.lock().ended.take().unwrap_or(Ended::Lost))
    }
}

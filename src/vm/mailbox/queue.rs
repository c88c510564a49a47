//! What the two sides of a mailbox share: messages one way, commands the other way, and the wakers of those who wait.
//!
//! Messages are numbered as they come. A reader remembers the number it has looked up to, so that a selective one looks at each message
//! once, however often it is woken; and all readers are woken by what comes, since nobody knows whom it is for. So a reader may go away at any
//! moment, also one that was just woken: what it did not take is found by the others.
//!
//! Invariant: a waker is woken, and a message or a command dropped, outside the lock, since that is foreign code.
//!
//! It knows nothing of machines: `tests/loom_host.rs` compiles this file and runs every interleaving of its two sides.

use std::collections::VecDeque;
use std::sync::PoisonError;
use std::task::Waker;

use crate::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use crate::sync::{Mutex, MutexGuard};

/// Messages of type `M` for the host's side, commands of type `C` for the body.
pub struct Queue<M, C> {
    /// How often something has come: a look before the lock.
    arrived: AtomicU64,
    state: Mutex<State<M, C>>,
    /// Commands wait or are being carried out: a look before the lock. Written with it held.
    is_commanded: Apart<AtomicBool>,
}

/// On a cache line (or two, as they are fetched) of its own: what every sender looks at is away from what every message changes.
#[repr(align(128))]
struct Apart<T>(T);

struct State<M, C> {
    messages: VecDeque<M>,
    /// How many messages have been taken out: the number of the first one that is left, if all were taken from the front.
    taken: u64,
    readers: slab::Slab<Waker>,
    commands: Vec<C>,
    /// The body is carrying out commands.
    is_busy: bool,
    /// The body is gone.
    is_closed: bool,
}

impl<M, C> State<M, C> {
    /// The wakers of those who wait, to be woken outside the lock.
    fn wakers(&self) -> Vec<Waker> {
        self.readers.iter().map(|(_, waker)| waker.clone()).collect()
    }
}

impl<M, C> Queue<M, C> {
    /// Nothing on its way.
    pub fn new() -> Queue<M, C> {
        let state = State {
            messages: VecDeque::new(),
            taken: 0,
            readers: slab::Slab::new(),
            commands: Vec::new(),
            is_busy: false,
            is_closed: false,
        };
        let is_commanded = Apart(AtomicBool::new(false));
        Queue { arrived: AtomicU64::new(0), state: Mutex::new(state), is_commanded }
    }

    fn lock(&self) -> MutexGuard<'_, State<M, C>> {
        // Nothing panics between two changes but a host's closure, which changes nothing.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Messages that nobody has taken.
    pub fn len(&self) -> usize {
        self.lock().messages.len()
    }

    // ---- the body's side ----

    /// Hands messages over. The wakers are those of all who wait: the caller wakes them.
    #[must_use = "they are to be woken"]
    pub fn hand_over(&self, messages: impl ExactSizeIterator<Item = M>) -> Vec<Waker> {
        let mut state = self.lock();
        // Relaxed: who looks at it to know whether there is news takes the lock before it believes that there is none.
        self.arrived.fetch_add(messages.len() as u64, Ordering::Relaxed);
        state.messages.extend(messages);
        state.wakers()
    }

    /// What the body is to do next; when there is nothing, it has done all.
    pub fn take_commands(&self) -> Vec<C> {
        // Relaxed: who commands tells the body so, which orders.
        if !self.is_commanded.0.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let mut state = self.lock();
        let commands = std::mem::take(&mut state.commands);
        state.is_busy = !commands.is_empty();
        // Release: pairs with the Acquire in `behind`; what was to be done is done.
        self.is_commanded.0.store(state.is_busy, Ordering::Release);
        commands
    }

    /// Takes out what nobody may receive any more.
    pub fn remove(&self, mut is_unwanted: impl FnMut(&M) -> bool) {
        let mut state = self.lock();
        let before = state.messages.len();
        let (kept, removed) =
            std::mem::take(&mut state.messages).into_iter().partition(|message| !is_unwanted(message));
        state.messages = kept;
        // As if they had been taken: readers that have passed them look at some again, and at all that come.
        state.taken += (before - state.messages.len()) as u64;
        drop(state);
        let removed: VecDeque<M> = removed;
        drop(removed);
    }

    /// The body is gone: nothing more will come. The commands that nobody carries out are dropped, and all who wait are to be woken.
    #[must_use = "they are to be woken"]
    pub fn close(&self) -> Vec<Waker> {
        let mut state = self.lock();
        state.is_closed = true;
        let commands = std::mem::take(&mut state.commands);
        let wakers = state.wakers();
        self.arrived.fetch_add(1, Ordering::Relaxed);
        drop(state);
        drop(commands);
        wakers
    }

    // ---- the host's side ----

    /// Lets the body do something. Whether it will: then it has to be told that there is a command.
    pub fn command(&self, command: C) -> bool {
        let mut state = self.lock();
        if state.is_closed {
            drop(state);
            drop(command);
            return false;
        }
        state.commands.push(command);
        self.is_commanded.0.store(true, Ordering::Relaxed);
        true
    }

    /// Puts a command behind those that wait or are being carried out, so that it is done after them. It comes back if there are none:
    /// the caller does it at once.
    pub fn behind(&self, command: C) -> Option<C> {
        if !self.is_commanded.0.load(Ordering::Acquire) {
            return Some(command);
        }
        let mut state = self.lock();
        if state.commands.is_empty() && !state.is_busy {
            return Some(command);
        }
        if !state.is_closed {
            state.commands.push(command);
            return None;
        }
        drop(state);
        drop(command);
        None
    }
}

/// What a look at the messages finds.
pub enum Look<T> {
    /// A message, taken out.
    Taken(T),
    /// None yet.
    Nothing,
    /// None, and none will come.
    Closed,
}

/// One who looks for a message, and waits for it. Before it goes it has to [`leave`](Reader::leave).
#[derive(Default)]
pub struct Reader {
    /// The number of the first message that it has not looked at.
    next: u64,
    /// How much had come when it looked last.
    seen: u64,
    place: Option<usize>,
}

impl Reader {
    /// Whether it is worth while to look again.
    pub fn has_news<M, C>(&self, queue: &Queue<M, C>) -> bool {
        queue.arrived.load(Ordering::Relaxed) != self.seen
    }

    /// The first message that `choose` gives something for. If there is none yet, `waker` is woken when more have come, or none will;
    /// without one it is a mere look.
    pub fn look<M, C, T>(
        &mut self,
        queue: &Queue<M, C>,
        mut choose: impl FnMut(&M) -> Option<T>,
        waker: Option<&Waker>,
    ) -> Look<T> {
        let mut state = queue.lock();
        self.seen = queue.arrived.load(Ordering::Relaxed);
        let mut index = self.next.saturating_sub(state.taken) as usize;
        while let Some(message) = state.messages.get(index) {
            if let Some(taken) = choose(message) {
                let message = state.messages.remove(index);
                // Others that have passed this place look at one message again.
                state.taken += 1;
                drop(state);
                drop(message);
                return Look::Taken(taken);
            }
            index += 1;
        }
        self.next = state.taken + index as u64;
        if state.is_closed {
            return Look::Closed;
        }
        let old = waker.and_then(|waker| match self.place.and_then(|place| state.readers.get_mut(place)) {
            Some(old) if old.will_wake(waker) => None,
            Some(old) => Some(std::mem::replace(old, waker.clone())),
            None => {
                self.place = Some(state.readers.insert(waker.clone()));
                None
            }
        });
        drop(state);
        // A waker's drop is foreign code too.
        drop(old);
        Look::Nothing
    }

    /// It waits no more.
    pub fn leave<M, C>(&mut self, queue: &Queue<M, C>) {
        if let Some(place) = self.place.take() {
            let waker = queue.lock().readers.try_remove(place);
            drop(waker);
        }
    }
}

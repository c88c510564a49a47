//! Loom models of what threads of the host wait for, over the library's own source files: the answer of a call, and the messages of a
//! mailbox. Whatever the order of steps: nothing is lost, everybody who waits is told, and who goes away is no longer told.

#[path = "../src/process/answer.rs"]
#[allow(dead_code, reason = "the models use a part of the interface")]
mod answer;
#[path = "../src/vm/mailbox/queue.rs"]
#[allow(dead_code, reason = "the models use a part of the interface")]
mod queue;
#[path = "loom_support/mod.rs"]
mod support;

/// What the included files call `crate::sync`.
mod sync {
    pub use super::support::{
        atomic,
        lock::{Mutex, MutexGuard},
    };
    pub use loom::sync::Arc;
}

/// What the included files call `crate::heap`.
mod heap {
    /// A value.
    #[derive(Debug)]
    pub struct Fragment(pub u32);
}

use std::task::{Wake, Waker};

use answer::{Answer, Awaited, Ended};
use heap::Fragment;
use loom::cell::UnsafeCell;
use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;
use queue::{Look, Queue, Reader};
use support::{Fault, caught, fault_is, holds};

/// Of an exception; no model raises one.
#[derive(Debug)]
pub enum Class {}

/// What a thread of the model sleeps on.
#[derive(Default)]
struct Bell {
    is_rung: Mutex<bool>,
    rings: Condvar,
}

impl Wake for Bell {
    fn wake(self: std::sync::Arc<Self>) {
        if !fault_is(Fault::WakeForgotten) {
            *self.is_rung.lock().unwrap() = true;
            self.rings.notify_one();
        }
    }
}

impl Bell {
    /// Sleeps until it is rung, or was since the last time. With a lost wake-up this is for ever, which loom reports as a deadlock.
    fn sleep(&self) {
        let mut is_rung = self.is_rung.lock().unwrap();
        while !*is_rung {
            is_rung = self.rings.wait(is_rung).unwrap();
        }
        *is_rung = false;
    }
}

fn bell() -> (std::sync::Arc<Bell>, Waker) {
    let bell = std::sync::Arc::new(Bell::default());
    (std::sync::Arc::clone(&bell), Waker::from(bell))
}

// ---- answers ----

/// What the process does before it is gone, which the asker may rely on.
struct World(UnsafeCell<u32>);

// SAFETY: loom checks that the asker reads it after the process has written it.
unsafe impl Sync for World {}
// SAFETY: as above.
unsafe impl Send for World {}

impl World {
    fn new() -> Arc<World> {
        Arc::new(World(UnsafeCell::new(0)))
    }

    fn is_left(&self) {
        // SAFETY: what the models are about.
        self.0.with(|world| assert_eq!(unsafe { *world }, 1));
    }
}

/// Runs a process that returns 7, and lets go.
fn process(answer: Answer, world: &World) {
    if !fault_is(Fault::SaidTooLate) {
        answer.put(Ended::Returned(Fragment(7)));
    }
    // What comes later does not count.
    answer.put(Ended::Exited(Fragment(8)));
    // SAFETY: what the models are about.
    world.0.with_mut(|world| unsafe { *world = 1 });
    drop(answer);
}

fn is_seven(ended: Option<Ended>) {
    assert!(matches!(ended, Some(Ended::Returned(Fragment(7)))), "{ended:?}");
}

/// Blocks as `Vm::call` does once it has looked often enough.
fn wait(awaited: &Awaited) -> Ended {
    let (bell, waker) = bell();
    loop {
        if fault_is(Fault::WakerNotLeft) {
            if let Some(ended) = awaited.take() {
                return ended;
            }
        } else if let Some(ended) = awaited.take_or_wait(&waker) {
            return ended;
        }
        bell.sleep();
    }
}

#[test]
fn an_answer_is_never_lost() {
    holds(|| {
        let (answer, awaited) = answer::answer();
        let world = World::new();
        let theirs = Arc::clone(&world);
        let running = thread::spawn(move || process(answer, &theirs));
        is_seven(Some(wait(&awaited)));
        world.is_left();
        running.join().unwrap();
    });
}

/// A thread that spins sees a flag, and relies on what the process did before.
#[test]
fn who_sees_that_a_process_is_gone_sees_what_it_did() {
    holds(|| {
        let (answer, awaited) = answer::answer();
        let world = World::new();
        let theirs = Arc::clone(&world);
        let running = thread::spawn(move || process(answer, &theirs));
        if awaited.is_done() {
            world.is_left();
            is_seven(awaited.take());
            assert!(matches!(awaited.take(), Some(Ended::Lost)), "it is taken once");
        }
        running.join().unwrap();
    });
}

/// A future that is polled on one thread, then on another: who polled last is told.
#[test]
fn a_future_may_move_between_threads() {
    holds(|| {
        let (answer, awaited) = answer::answer();
        let world = World::new();
        let theirs = Arc::clone(&world);
        let running = thread::spawn(move || process(answer, &theirs));
        if let Some(ended) = awaited.take_or_wait(&bell().1) {
            is_seven(Some(ended));
        } else {
            let polls = move || is_seven(Some(wait(&awaited)));
            thread::spawn(polls).join().unwrap();
        }
        world.is_left();
        running.join().unwrap();
    });
}

/// The asker goes away while the process ends. What it would have got is dropped with the last side.
#[test]
fn an_asker_may_go_away_at_any_moment() {
    holds(|| {
        let (answer, awaited) = answer::answer();
        let world = World::new();
        let theirs = Arc::clone(&world);
        let running = thread::spawn(move || process(answer, &theirs));
        // Polled once, then dropped.
        let _ = awaited.take_or_wait(&bell().1);
        drop(awaited);
        running.join().unwrap();
        world.is_left();
    });
}

/// The machine is taken down: the process lets go without a word.
#[test]
fn a_process_that_says_nothing_is_lost_and_told() {
    holds(|| {
        let (answer, awaited) = answer::answer();
        let running = thread::spawn(move || drop(answer));
        assert!(matches!(wait(&awaited), Ended::Lost));
        running.join().unwrap();
    });
}

#[test]
fn planted_faults_of_answers_are_caught() {
    let faults = [
        Fault::LockSkipped,
        Fault::WakeForgotten,
        Fault::WakerNotLeft,
        Fault::FlagNotSeen,
        Fault::SaidTooLate,
    ];
    for fault in faults {
        caught(fault, "an_answer_is_never_lost");
    }
    caught(Fault::StoreRelaxed, "who_sees_that_a_process_is_gone_sees_what_it_did");
    for fault in [Fault::WakeForgotten, Fault::WakerNotLeft, Fault::LockSkipped] {
        caught(fault, "a_future_may_move_between_threads");
    }
    caught(Fault::LockSkipped, "an_asker_may_go_away_at_any_moment");
    for fault in [Fault::WakeForgotten, Fault::FlagNotSeen] {
        caught(fault, "a_process_that_says_nothing_is_lost_and_told");
    }
}

// ---- mailboxes ----

/// What the host asks the body for.
#[derive(Debug, PartialEq, Eq)]
enum Command {
    Link,
    Send,
}

type Shared = Arc<Queue<u32, Command>>;

fn wake(wakers: Vec<Waker>) {
    let most = if fault_is(Fault::OneWoken) { 1 } else { usize::MAX };
    wakers.into_iter().take(most).for_each(Waker::wake);
}

fn hand_over(queue: &Shared, message: u32) {
    wake(queue.hand_over([message].into_iter()));
}

/// Receives the first message that is wanted; `None` when none will come any more.
fn receive(queue: &Shared, is_wanted: impl Fn(u32) -> bool) -> Option<u32> {
    let (bell, waker) = bell();
    let mut reader = Reader::default();
    loop {
        let left = (!fault_is(Fault::WakerNotLeft)).then_some(&waker);
        match reader.look(queue, |message| is_wanted(*message).then_some(*message), left) {
            Look::Taken(message) => {
                reader.leave(queue);
                return Some(message);
            }
            Look::Closed => {
                reader.leave(queue);
                return None;
            }
            Look::Nothing => bell.sleep(),
        }
    }
}

#[test]
fn messages_come_in_their_order_and_then_the_end() {
    holds(|| {
        let queue = Shared::new(Queue::new());
        let body = {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                hand_over(&queue, 1);
                hand_over(&queue, 2);
                wake(queue.close());
            })
        };
        let got: Vec<_> = (0..3).map(|_| receive(&queue, |_| true)).collect();
        assert_eq!(got, [Some(1), Some(2), None]);
        body.join().unwrap();
    });
}

/// Two who want different messages: each gets its own, whatever comes first and whoever is woken first.
#[test]
fn readers_that_choose_get_what_they_want() {
    holds(|| {
        let queue = Shared::new(Queue::new());
        let even = {
            let queue = Arc::clone(&queue);
            thread::spawn(move || assert_eq!(receive(&queue, |message| message % 2 == 0), Some(2)))
        };
        let body = {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                hand_over(&queue, 1);
                hand_over(&queue, 2);
            })
        };
        assert_eq!(receive(&queue, |message| message % 2 == 1), Some(1));
        even.join().unwrap();
        body.join().unwrap();
        assert_eq!(queue.len(), 0);
    });
}

/// A future that waits is dropped, perhaps after it was woken: the message is for the other reader, and nothing of the future stays.
#[test]
fn a_reader_that_goes_away_takes_nothing_with_it() {
    holds(|| {
        let queue = Shared::new(Queue::new());
        let body = {
            let queue = Arc::clone(&queue);
            thread::spawn(move || hand_over(&queue, 5))
        };
        let (dropped, waker) = bell();
        let other = {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                let mut reader = Reader::default();
                assert!(!matches!(reader.look(&queue, |_| None::<()>, Some(&waker)), Look::Taken(())));
                if !fault_is(Fault::WakerStays) {
                    reader.leave(&queue);
                }
            })
        };
        assert_eq!(receive(&queue, |_| true), Some(5));
        other.join().unwrap();
        body.join().unwrap();
        assert_eq!(std::sync::Arc::strong_count(&dropped), 1, "its waker is gone with it");
    });
}

/// A thread that spins before it sleeps looks at a number alone, and may believe it only when it says that there is news.
#[test]
fn a_look_without_the_lock_misleads_nobody() {
    holds(|| {
        let queue = Shared::new(Queue::new());
        let body = {
            let queue = Arc::clone(&queue);
            thread::spawn(move || hand_over(&queue, 3))
        };
        let (bell, waker) = bell();
        let mut reader = Reader::default();
        let got = loop {
            if fault_is(Fault::WakerNotLeft) && !reader.has_news(&queue) {
                bell.sleep();
            }
            if let Look::Taken(message) = reader.look(&queue, |message| Some(*message), Some(&waker)) {
                break message;
            }
            while !reader.has_news(&queue) {
                bell.sleep();
            }
        };
        reader.leave(&queue);
        assert_eq!(got, 3);
        body.join().unwrap();
    });
}

/// What the host asks for is done in the order it was asked for, by the body or, if it has nothing else to do, by the host.
#[test]
fn what_is_asked_for_is_done_in_order() {
    holds(|| {
        let queue = Shared::new(Queue::new());
        let done = Arc::new(Mutex::new(Vec::new()));
        assert!(queue.command(Command::Link));
        let body = {
            let (queue, done) = (Arc::clone(&queue), Arc::clone(&done));
            thread::spawn(move || {
                loop {
                    let commands = queue.take_commands();
                    if commands.is_empty() {
                        return;
                    }
                    for command in commands {
                        done.lock().unwrap().push(command);
                    }
                }
            })
        };
        let at_once =
            if fault_is(Fault::NotBehind) { Some(Command::Send) } else { queue.behind(Command::Send) };
        if let Some(command) = at_once {
            done.lock().unwrap().push(command);
        }
        body.join().unwrap();
        let mut done = done.lock().unwrap();
        // What came after the body's last look is done at its next step.
        done.extend(queue.take_commands());
        assert_eq!(*done, [Command::Link, Command::Send]);
    });
}

#[test]
fn planted_faults_of_mailboxes_are_caught() {
    for fault in [Fault::LockSkipped, Fault::WakeForgotten, Fault::WakerNotLeft] {
        caught(fault, "messages_come_in_their_order_and_then_the_end");
    }
    for fault in [Fault::OneWoken, Fault::LockSkipped] {
        caught(fault, "readers_that_choose_get_what_they_want");
    }
    for fault in [Fault::WakerStays, Fault::OneWoken] {
        caught(fault, "a_reader_that_goes_away_takes_nothing_with_it");
    }
    for fault in [Fault::WakerNotLeft, Fault::WakeForgotten] {
        caught(fault, "a_look_without_the_lock_misleads_nobody");
    }
    caught(Fault::NotBehind, "what_is_asked_for_is_done_in_order");
}

//! Loom models of the signal word and the slot: every interleaving of a few senders and an owner, with the very source files
//! of the library compiled over loom's atomics. Each property has seeded faults that must be caught: an ordering
//! weakened, a fence left out, a step of a protocol skipped or put in another order.

#[path = "../src/process/signal_word.rs"]
#[allow(dead_code, reason = "the models use a part of the interface")]
mod signal_word;
#[path = "../src/process/slot.rs"]
#[allow(dead_code, reason = "the models use a part of the interface")]
mod slot;
#[path = "loom_support/mod.rs"]
mod support;

/// What the included files call `crate::sync`.
mod sync {
    pub use super::support::atomic;
}

use loom::cell::UnsafeCell;
use loom::sync::{Arc, Mutex};
use loom::thread;
use signal_word::{Node, Park};
use slot::{Delivery, Slot};
use support::{Fault, caught, holds};

/// A signal: a number for a pid.
struct Letter {
    next: UnsafeCell<usize>,
    to: u64,
    number: UnsafeCell<u32>,
}

// SAFETY: a box is unique memory, aligned to its pointer fields.
unsafe impl Node for Box<Letter> {
    fn into_raw(self) -> usize {
        Box::into_raw(self) as usize
    }
    unsafe fn from_raw(raw: usize) -> Self {
        // SAFETY: by contract `raw` came from `into_raw`.
        unsafe { Box::from_raw(raw as *mut Letter) }
    }
    unsafe fn set_next(raw: usize, next: usize) {
        // SAFETY: by contract the letter is live; loom checks that the access is exclusive.
        unsafe { (*(raw as *mut Letter)).next.with_mut(|link| *link = next) }
    }
    unsafe fn next(raw: usize) -> usize {
        // SAFETY: as above.
        unsafe { (*(raw as *mut Letter)).next.with(|link| *link) }
    }
}

fn letter(to: u64, number: u32) -> Box<Letter> {
    Box::new(Letter { next: UnsafeCell::new(0), to, number: UnsafeCell::new(number) })
}

fn number(letter: &Letter) -> u32 {
    // SAFETY: the letter is owned by the caller; loom checks that its writing happened before.
    letter.number.with(|number| unsafe { *number })
}

/// What only the holder may touch; loom checks that.
struct Body {
    pid: u64,
    got: UnsafeCell<Vec<u32>>,
}

impl Body {
    fn new(pid: u64) -> *mut Body {
        Box::into_raw(Box::new(Body { pid, got: UnsafeCell::new(Vec::new()) }))
    }

    fn receive(&self, number: u32) {
        // SAFETY: the caller holds the body; loom checks that.
        self.got.with_mut(|got| unsafe { (*got).push(number) });
    }
}

type Slots = Arc<Slot<Body>>;

/// Runs the body as a worker does: take, handle, park; again if signals came.
fn run(slot: &Slots, body: *mut Body, bounced: &Mutex<Vec<u32>>) {
    // SAFETY: bodies are freed after all threads have been joined.
    let body = unsafe { &*body };
    loop {
        let mut taken = slot.take::<Box<Letter>>();
        while taken.reverse(1) > 0 {}
        while let Some(letter) = taken.pop() {
            let dest_is_checked = !support::fault_is(Fault::ForeignNotChecked);
            if dest_is_checked && letter.to != body.pid {
                bounced.lock().unwrap().push(number(&letter));
            } else {
                body.receive(number(&letter));
            }
        }
        match slot.park() {
            Park::Parked => return,
            Park::Signals => {}
        }
    }
}

fn post(slot: &Slots, to: u64, number: u32, bounced: &Mutex<Vec<u32>>) {
    match slot.deliver(to, letter(to, number)) {
        Delivery::Queued => {}
        Delivery::Woke(body) => run(slot, body, bounced),
        Delivery::Dead(letter) => bounced.lock().unwrap().push(self::number(&letter)),
    }
}

/// SAFETY contract of the models: called once per body when all threads are joined.
fn finish(body: *mut Body) -> Vec<u32> {
    // SAFETY: made by `Body::new`, and nobody else is left.
    let body = unsafe { Box::from_raw(body) };
    body.got.into_inner()
}

fn two_senders_and_an_owner() {
    let slot = Slots::default();
    let bounced = Arc::new(Mutex::new(Vec::new()));
    let body = Body::new(1);
    slot.open(1, body);
    let senders: Vec<_> = [[10, 11], [20, 21]]
        .into_iter()
        .map(|numbers| {
            let (slot, bounced) = (slot.clone(), bounced.clone());
            thread::spawn(move || numbers.into_iter().for_each(|number| post(&slot, 1, number, &bounced)))
        })
        .collect();
    run(&slot, body, &bounced);
    senders.into_iter().for_each(|sender| sender.join().unwrap());
    assert!(slot.is_parked(), "whoever held the owner last has parked it");
    let got = finish(body);
    let of = |tens| got.iter().copied().filter(move |number| number / 10 == tens).collect::<Vec<_>>();
    assert_eq!((of(1), of(2)), (vec![10, 11], vec![20, 21]), "nothing lost, order kept per sender");
}

#[test]
fn a_signal_word_loses_nothing_and_wakes_once() {
    holds(two_senders_and_an_owner);
}

#[test]
fn seeded_faults_of_the_signal_word_are_caught() {
    for fault in [Fault::PushRelaxed, Fault::TakeRelaxed, Fault::ParkRelaxed, Fault::ParkBlindly] {
        caught(fault, "a_signal_word_loses_nothing_and_wakes_once");
    }
}

/// A slot changes hands while an old acquaintance writes to the first owner.
fn reuse() {
    let slot = Slots::default();
    let bounced = Arc::new(Mutex::new(Vec::new()));
    let first = Body::new(1);
    slot.open(1, first);
    let sender = {
        let (slot, bounced) = (slot.clone(), bounced.clone());
        thread::spawn(move || post(&slot, 1, 10, &bounced))
    };
    let friend = {
        let (slot, bounced) = (slot.clone(), bounced.clone());
        thread::spawn(move || {
            // Writes to the second owner as soon as its pid is public.
            if slot.pid() == 2 {
                post(&slot, 2, 20, &bounced);
                1
            } else {
                0
            }
        })
    };
    let mut dead = slot.close::<Box<Letter>>();
    while dead.reverse(1) > 0 {}
    while let Some(letter) = dead.pop() {
        bounced.lock().unwrap().push(number(&letter));
    }
    let second = Body::new(2);
    slot.open(2, second);
    run(&slot, second, &bounced);
    sender.join().unwrap();
    let friendly = friend.join().unwrap();
    let (first, second) = (finish(first), finish(second));
    assert!(first.is_empty(), "the first owner died without taking anything");
    assert_eq!(second.len(), friendly, "the second gets what was written to it, and nothing else");
    assert_eq!(*bounced.lock().unwrap(), [10], "the letter to the dead is bounced, once");
}

#[test]
fn a_slot_that_changed_hands_bounces_old_letters() {
    holds(reuse);
}

#[test]
fn seeded_faults_of_slot_reuse_are_caught() {
    for fault in [Fault::ForeignNotChecked, Fault::StoreRelaxed] {
        caught(fault, "a_slot_that_changed_hands_bounces_old_letters");
    }
}

/// D writes to O and dies; O asks for D (a monitor), finds it dead and answers itself. What D wrote comes first.
fn dead_answer() {
    let (d, o) = (Slots::default(), Slots::default());
    let last_words = Arc::new(UnsafeCell::new(0));
    let bounced = Arc::new(Mutex::new(Vec::new()));
    d.open(1, Body::new(1));
    let body = Body::new(2);
    o.open(2, body);
    let dying = {
        let (d, o, bounced, last_words) = (d.clone(), o.clone(), bounced.clone(), last_words.clone());
        thread::spawn(move || {
            // SAFETY: read only by who has seen the death; loom checks that.
            last_words.with_mut(|words| unsafe { *words = 1 });
            post(&o, 2, 10, &bounced);
            drop(d.close::<Box<Letter>>());
        })
    };
    if let Delivery::Dead(_) = d.deliver(1, letter(1, 30)) {
        // SAFETY: as above.
        last_words.with(|words| assert_eq!(unsafe { *words }, 1));
        if support::fault_is(Fault::AnswerStraight) {
            // SAFETY: this thread holds O until `run` parks it.
            unsafe { (*body).receive(99) };
        } else {
            post(&o, 2, 99, &bounced);
        }
    }
    run(&o, body, &bounced);
    dying.join().unwrap();
    let got = finish(body);
    assert!(
        got == [10] || got == [10, 99],
        "the answer never overtakes what was sent before the death: {got:?}"
    );
}

#[test]
fn a_dead_answer_overtakes_nothing() {
    holds(dead_answer);
}

#[test]
fn seeded_faults_of_the_dead_path_are_caught() {
    for fault in [Fault::FenceDropped, Fault::DieRelaxed, Fault::AnswerStraight] {
        caught(fault, "a_dead_answer_overtakes_nothing");
    }
}

/// P exits while R registers a name for it and W waits for P's death to take the name itself.
fn exit_order() {
    const NOBODY: u64 = 0;
    let slot = Slots::default();
    let name = Arc::new(Mutex::new(1u64));
    let down = Slots::default();
    let watcher = Body::new(3);
    down.open(3, watcher);
    assert_eq!(down.park(), Park::Parked);
    slot.open(1, Body::new(1));
    slot.note_name();
    let free = |slot: &Slot<Body>, name: &Mutex<u64>| {
        // The exit takes the lock only if a name was noted in the slot.
        if !slot.may_have_name() {
            return;
        }
        let mut owner = name.lock().unwrap();
        if *owner == 1 {
            *owner = NOBODY;
        }
    };
    let registrar = {
        let (slot, name) = (slot.clone(), name.clone());
        thread::spawn(move || {
            let mut owner = name.lock().unwrap();
            // As `register/2`: into the table if the name is free and the process alive. It must be asked under the
            // lock, or a name can be seen on the dead after DOWN.
            if *owner == NOBODY {
                *owner = 1;
                if support::fault_is(Fault::AskedWithoutLock) {
                    drop(owner);
                    thread::yield_now();
                    owner = name.lock().unwrap();
                }
                slot.note_name();
                if !slot.is_alive(1) && *owner == 1 {
                    *owner = NOBODY;
                }
            }
        })
    };
    let dying = {
        let (slot, name, down) = (slot.clone(), name.clone(), down.clone());
        thread::spawn(move || {
            if !support::fault_is(Fault::NameAfterDown) {
                free(&slot, &name);
            }
            drop(slot.close::<Box<Letter>>());
            if !support::fault_is(Fault::NotLookedAgain) && !support::fault_is(Fault::NameAfterDown) {
                free(&slot, &name);
            }
            let Delivery::Woke(_) = down.deliver(3, letter(3, 7)) else {
                panic!("the watcher waits for this")
            };
            // The watcher, on another worker.
            let watcher = {
                let name = name.clone();
                thread::spawn(move || {
                    assert_ne!(*name.lock().unwrap(), 1, "when DOWN is here the name is free")
                })
            };
            if support::fault_is(Fault::NameAfterDown) {
                free(&slot, &name);
            }
            watcher.join().unwrap();
        })
    };
    registrar.join().unwrap();
    dying.join().unwrap();
    assert_eq!(*name.lock().unwrap(), NOBODY, "no name is left on a dead process");
    drop(down.close::<Box<Letter>>());
    finish(watcher);
}

#[test]
fn a_name_is_free_before_down_and_never_stays_on_the_dead() {
    holds(exit_order);
}

#[test]
fn seeded_faults_of_the_exit_order_are_caught() {
    for fault in [Fault::NameAfterDown, Fault::NotLookedAgain, Fault::AskedWithoutLock] {
        caught(fault, "a_name_is_free_before_down_and_never_stays_on_the_dead");
    }
}

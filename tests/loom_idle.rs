//! Loom models of the idle protocol, over the library's own source file: no work is left while everybody sleeps.

#[path = "../src/runtime/idle.rs"]
#[allow(dead_code, reason = "the models use a part of the interface")]
mod idle;
#[path = "loom_support/mod.rs"]
mod support;

/// What the included file calls `crate::sync`.
mod sync {
    pub use super::support::atomic;
    pub use loom::sync::Mutex;
}

use idle::{Found, Idle};
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;
use support::{Fault, caught, fault_is, holds};

/// Two workers and a queue that is a mere count, touched with relaxed operations, so that only the protocol's own fences
/// order it against the counts of the protocol.
struct Machine {
    idle: Idle,
    queue: AtomicUsize,
    done: AtomicUsize,
    tokens: [(Mutex<bool>, Condvar); 2],
    jobs: usize,
}

impl Machine {
    fn push(&self) {
        self.queue.fetch_add(1, Ordering::Relaxed);
        if !fault_is(Fault::NobodyWoken) {
            self.notify();
        }
    }

    fn notify(&self) {
        if let Some(worker) = self.idle.to_wake() {
            self.wake(worker);
        }
    }

    fn wake(&self, worker: usize) {
        let (token, bell) = &self.tokens[worker];
        *token.lock().unwrap() = true;
        bell.notify_one();
    }

    fn pop(&self) -> bool {
        let mut queued = self.queue.load(Ordering::Relaxed);
        while queued > 0 {
            match self.queue.compare_exchange(queued, queued - 1, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) => queued = now,
            }
        }
        false
    }

    /// Works until `jobs` jobs are done; the one that does the last wakes all others to leave.
    fn work(&self, worker: usize) {
        let mut searching = self.idle.start_search();
        loop {
            if self.done.load(Ordering::SeqCst) == self.jobs {
                return;
            }
            if self.pop() {
                if searching && self.idle.found() == Found::WakeAnother && !fault_is(Fault::DutyDropped) {
                    self.notify();
                }
                searching = false;
                if self.done.fetch_add(1, Ordering::SeqCst) + 1 == self.jobs {
                    (0..2).for_each(|other| self.wake(other));
                }
                continue;
            }
            self.idle.sleep(worker, searching);
            let nothing = self.queue.load(Ordering::Relaxed) == 0 || fault_is(Fault::SleepBlindly);
            if nothing && self.done.load(Ordering::SeqCst) != self.jobs {
                let (token, bell) = &self.tokens[worker];
                let mut token = token.lock().unwrap();
                while !*token {
                    // With a lost wake-up this waits for ever, which loom reports as a deadlock.
                    token = bell.wait(token).unwrap();
                }
                *token = false;
            }
            self.idle.woke(worker);
            searching = true;
        }
    }
}

fn machine(jobs: usize) -> Arc<Machine> {
    Arc::new(Machine {
        idle: Idle::new(2),
        queue: AtomicUsize::new(0),
        done: AtomicUsize::new(0),
        tokens: [(Mutex::new(false), Condvar::new()), (Mutex::new(false), Condvar::new())],
        jobs,
    })
}

/// One worker and a host thread that pushes.
fn push_against_sleep() {
    let machine = machine(1);
    let worker = {
        let machine = machine.clone();
        thread::spawn(move || machine.work(0))
    };
    machine.push();
    worker.join().unwrap();
}

/// Two workers, one of which may be the last searcher when more work comes than one push wakes for.
fn two_workers() {
    let machine = machine(2);
    let worker = {
        let machine = machine.clone();
        thread::spawn(move || machine.work(0))
    };
    machine.push();
    machine.push();
    machine.work(1);
    worker.join().unwrap();
}

/// Two jobs of which the first waits for the second: both workers must run, or they wait for ever.
fn both_workers_are_needed() {
    let machine = machine(2);
    let started = Arc::new((Mutex::new(0), Condvar::new()));
    let workers: Vec<_> = (0..2)
        .map(|worker| {
            let (machine, started) = (machine.clone(), started.clone());
            thread::spawn(move || {
                let mut searching = false;
                loop {
                    if machine.pop() {
                        if searching
                            && machine.idle.found() == Found::WakeAnother
                            && !fault_is(Fault::DutyDropped)
                        {
                            machine.notify();
                        }
                        let (count, bell) = &*started;
                        let mut count = count.lock().unwrap();
                        *count += 1;
                        bell.notify_all();
                        while *count < 2 {
                            count = bell.wait(count).unwrap();
                        }
                        return;
                    }
                    machine.idle.sleep(worker, searching);
                    if machine.queue.load(Ordering::Relaxed) == 0 {
                        let (token, bell) = &machine.tokens[worker];
                        let mut token = token.lock().unwrap();
                        while !*token {
                            token = bell.wait(token).unwrap();
                        }
                        *token = false;
                    }
                    machine.idle.woke(worker);
                    searching = true;
                }
            })
        })
        .collect();
    machine.push();
    machine.push();
    workers.into_iter().for_each(|worker| worker.join().unwrap());
}

#[test]
fn a_push_against_a_sleeper_is_never_lost() {
    holds(push_against_sleep);
}

#[test]
fn work_is_done_by_two_workers() {
    holds(two_workers);
}

#[test]
fn two_pushes_get_two_workers_running() {
    holds(both_workers_are_needed);
}

#[test]
fn seeded_faults_of_the_idle_protocol_are_caught() {
    caught(Fault::FenceDropped, "a_push_against_a_sleeper_is_never_lost");
    caught(Fault::SleepBlindly, "a_push_against_a_sleeper_is_never_lost");
    caught(Fault::NobodyWoken, "a_push_against_a_sleeper_is_never_lost");
    caught(Fault::DutyDropped, "two_pushes_get_two_workers_running");
}

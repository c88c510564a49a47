//! Blocking work off the schedulers.
//!
//! The pool owns *jobs*, never processes: a job carries its own arguments and hands its result to whatever it was made with
//! (as a rule a signal to the process that waits). Threads start on demand up to a cap and leave when idle. In the
//! single-thread modes nothing is started: the driver runs queued jobs inline, so that their order is a matter of the seed.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use super::clock::host_ns;

/// Work that may block.
pub type Job = Box<dyn FnOnce() + Send>;

/// What a job does, for the quotas: one kind cannot take all threads from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// File system.
    File,
    /// Name resolution.
    Resolve,
    /// A function of the embedding program declared blocking.
    Host,
    /// Long computation on terms (comparison, copy, collection, big arithmetic).
    Bulk,
}

const KINDS: usize = 4;

impl JobKind {
    /// What it is called in reports.
    pub fn name(self) -> &'static str {
        match self {
            JobKind::File => "file",
            JobKind::Resolve => "resolve",
            JobKind::Host => "host",
            JobKind::Bulk => "bulk",
        }
    }
}

const ALL_KINDS: [JobKind; KINDS] = [JobKind::File, JobKind::Resolve, JobKind::Host, JobKind::Bulk];

/// Who is told how long each job took, in nanoseconds.
pub type JobWatcher = Box<dyn Fn(JobKind, u64) + Send + Sync>;

/// How long an idle thread stays: long enough to serve a burst of file operations, short enough not to be noticed.
const IDLE_STAY: Duration = Duration::from_secs(2);

/// The pool of one virtual machine.
#[derive(Clone)]
pub struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    work: Condvar,
    /// Most threads of one kind at a time; zero: jobs wait for [`Pool::run_one`].
    quota: usize,
    watcher: OnceLock<JobWatcher>,
}

struct State {
    queues: [VecDeque<Job>; KINDS],
    running: [usize; KINDS],
    threads: usize,
    idle: usize,
    stopping: bool,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("threads", &self.threads()).finish()
    }
}

impl Pool {
    /// A pool that runs at most `quota` jobs of each kind at a time; 0 for one whose jobs the driver runs itself.
    pub fn new(quota: usize) -> Pool {
        Pool {
            shared: Arc::new(Shared {
                state: Mutex::new(State {
                    queues: Default::default(),
                    running: [0; KINDS],
                    threads: 0,
                    idle: 0,
                    stopping: false,
                }),
                work: Condvar::new(),
                quota,
                watcher: OnceLock::new(),
            }),
        }
    }

    /// Tells `watcher` how long each job takes from now on; the first one counts.
    pub fn watch(&self, watcher: JobWatcher) {
        // The builder does it once.
        let _ = self.shared.watcher.set(watcher);
    }

    /// Queues a job. A job queued after [`stop`](Pool::stop) is dropped.
    pub fn submit(&self, kind: JobKind, job: Job) {
        let mut state = self.shared.lock();
        if state.stopping {
            drop(state);
            drop(job);
            return;
        }
        state.queues[kind as usize].push_back(job);
        if self.shared.quota == 0 {
            return;
        }
        // A thread that was notified counts as idle until it has the lock: what tells whether the idle ones are enough is how
        // many jobs could run at once, since one job may wait for another.
        if state.threads < state.useful_threads(self.shared.quota) {
            state.threads += 1;
            drop(state);
            let shared = Arc::clone(&self.shared);
            let started = std::thread::Builder::new().name("erlet-pool".into()).spawn(move || shared.serve());
            if started.is_err() {
                // No thread to be had: another one will take the job; with none at all, the caller must.
                let mut state = self.shared.lock();
                state.threads -= 1;
                let alone = state.threads == 0;
                drop(state);
                if alone {
                    self.run_one();
                } else {
                    self.shared.work.notify_one();
                }
            }
        } else if state.idle > 0 {
            self.shared.work.notify_one();
        }
    }

    /// Runs one queued job on this thread; whether there was one.
    pub fn run_one(&self) -> bool {
        let mut state = self.shared.lock();
        let Some((kind, job)) = state.pick(usize::MAX) else { return false };
        state.running[kind] += 1;
        drop(state);
        self.shared.run(kind, job);
        self.shared.lock().running[kind] -= 1;
        true
    }

    /// Jobs that are queued or running.
    pub fn outstanding(&self) -> usize {
        let state = self.shared.lock();
        state.queues.iter().map(VecDeque::len).sum::<usize>() + state.running.iter().sum::<usize>()
    }

    /// Threads that exist now.
    pub fn threads(&self) -> usize {
        self.shared.lock().threads
    }

    /// Drops what is queued and lets idle threads leave; running jobs finish unobserved.
    pub fn stop(&self) {
        let mut state = self.shared.lock();
        state.stopping = true;
        let dropped = std::mem::take(&mut state.queues);
        drop(state);
        // Outside the lock: a job's own drop may run foreign code.
        drop(dropped);
        self.shared.work.notify_all();
    }
}

impl State {
    /// How many threads could be busy with what is queued and running.
    fn useful_threads(&self, quota: usize) -> usize {
        (0..KINDS).map(|kind| quota.min(self.running[kind] + self.queues[kind].len())).sum()
    }

    fn pick(&mut self, quota: usize) -> Option<(usize, Job)> {
        for kind in 0..KINDS {
            if self.running[kind] < quota
                && let Some(job) = self.queues[kind].pop_front()
            {
                return Some((kind, job));
            }
        }
        None
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no code that holds this lock panics")
    }

    fn run(&self, kind: usize, job: Job) {
        let watcher = self.watcher.get().map(|watcher| (watcher, host_ns()));
        // A panicking job must not take the thread's accounting with it; its waiter learns through the job's own drop.
        let _ = std::panic::catch_unwind(AssertUnwindSafe(job));
        if let Some((watcher, begun)) = watcher {
            watcher(ALL_KINDS[kind], host_ns().saturating_sub(begun));
        }
    }

    fn serve(&self) {
        let mut state = self.lock();
        loop {
            if let Some((kind, job)) = state.pick(self.quota) {
                state.running[kind] += 1;
                drop(state);
                self.run(kind, job);
                state = self.lock();
                state.running[kind] -= 1;
                continue;
            }
            if state.stopping {
                break;
            }
            state.idle += 1;
            let (after, wait) =
                self.work.wait_timeout(state, IDLE_STAY).expect("no code that holds this lock panics");
            state = after;
            state.idle -= 1;
            if wait.timed_out() && state.queues.iter().all(VecDeque::is_empty) {
                break;
            }
        }
        state.threads -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_hundred_jobs_run_on_few_threads_and_a_panic_hurts_nobody() {
        let pool = Pool::new(3);
        let (sender, receiver) = mpsc::channel();
        for number in 0..100 {
            let sender = sender.clone();
            pool.submit(
                JobKind::File,
                Box::new(move || {
                    assert!(number != 50, "one job fails");
                    sender.send(number).expect("the test listens");
                }),
            );
        }
        drop(sender);
        let mut got: Vec<i32> = receiver.iter().collect();
        got.sort_unstable();
        assert_eq!(got, (0..100).filter(|n| *n != 50).collect::<Vec<_>>());
        assert!(pool.threads() <= 3);
        pool.stop();
    }

    #[test]
    fn a_job_may_wait_for_the_next_one_while_one_thread_is_idle() {
        for _ in 0..200 {
            let pool = Pool::new(2);
            pool.submit(JobKind::Host, Box::new(|| ()));
            while pool.outstanding() > 0 {
                std::thread::yield_now();
            }
            let (done, ended) = mpsc::channel();
            let (sender, receiver) = mpsc::channel::<()>();
            let waits = done.clone();
            pool.submit(
                JobKind::Host,
                Box::new(move || waits.send(receiver.recv().is_ok()).expect("the test listens")),
            );
            pool.submit(
                JobKind::Host,
                Box::new(move || done.send(sender.send(()).is_ok()).expect("the test listens")),
            );
            assert_eq!(ended.recv_timeout(Duration::from_secs(20)), Ok(true));
            assert_eq!(ended.recv_timeout(Duration::from_secs(20)), Ok(true));
            pool.stop();
        }
    }

    #[test]
    fn one_kind_does_not_starve_another() {
        let pool = Pool::new(1);
        let (gate_in, gate_out) = mpsc::channel::<()>();
        let (sender, receiver) = mpsc::channel();
        pool.submit(
            JobKind::File,
            Box::new(move || {
                let _ = gate_out.recv();
            }),
        );
        pool.submit(JobKind::Host, Box::new(move || sender.send(()).expect("the test listens")));
        receiver
            .recv_timeout(Duration::from_secs(10))
            .expect("the host job runs beside the blocked file job");
        drop(gate_in);
        pool.stop();
    }

    #[test]
    fn without_threads_the_driver_runs_the_jobs() {
        let pool = Pool::new(0);
        let (sender, receiver) = mpsc::channel();
        pool.submit(JobKind::Bulk, Box::new(move || sender.send(7).expect("the test listens")));
        assert_eq!((pool.outstanding(), pool.threads()), (1, 0));
        assert!(pool.run_one() && !pool.run_one());
        assert_eq!(receiver.recv(), Ok(7));
    }
}

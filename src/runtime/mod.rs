//! Services of one virtual machine: what natives, the interpreter and the schedulers share.
//!
//! [`Runtime`] is the machine's shared state, [`WorkerCx`] what each worker has for itself. Everything here is per machine;
//! several live in one operating system process and know nothing of each other.
//!
//! - [`send`], [`signals`]: delivering signals, and what they do.
//! - [`spawn`], [`exit`]: the beginning and the end of a process.
//! - [`names`], [`timers`], [`requests`], [`info`]: services behind the natives of those names.
//! - [`queues`], [`idle`], [`worker`]: who runs next and where; the schedulers drive them.
//! - [`clock`], [`entropy`]: the only doors to time and chance.
//! - [`pool`], [`jobs`], [`output`]: work that may block. [`outside`]: threads that are no workers.
//! - [`purge`]: freeing code.
//! - [`environment`], [`servers`], [`reports`], [`host`]: what programs find around them.
//! - [`limits`]: counting what processes use, and ending those that use too much.
//! - [`statistics`]: what was done.
//!
//! Invariant: nothing here knows how bytecode is run, and nothing blocks but `pool`'s and `output`'s own threads.

pub mod clock;
pub mod compose;
pub mod entropy;
pub mod environment;
pub mod exit;
pub mod host;
pub mod idle;
pub mod info;
pub mod jobs;
pub mod limits;
pub mod log;
pub mod names;
pub mod native;
pub mod output;
pub mod outside;
pub mod pool;
pub mod purge;
pub mod queues;
pub mod reports;
pub mod requests;
pub mod send;
pub mod servers;
pub mod settings;
pub mod signals;
pub mod spawn;
pub mod statistics;
pub mod timers;
pub mod watch;
pub mod wheel;
pub mod worker;

#[cfg(test)]
mod idle_tests;

use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};

use crate::atom::Atoms;
use crate::code::CodeServer;
use crate::ets::{Table, Tables};
use crate::heap::work::Mode;
use crate::heap::{Account, Fragment, Policy};
use crate::limits::{Capabilities, Limits, Quota};
use crate::process::{Process, SliceEnd, SlotTable};
use crate::sync::quiescence::Quiescence;
use clock::{Clock, HostClocks};
use entropy::Entropy;
use environment::Environment;
use idle::Idle;
use names::Names;
use output::Output;
use outside::Outside;
use pool::Pool;
use queues::{LocalQueues, Queues};
use reports::Reports;
use servers::Servers;
use statistics::AllCounts;
use timers::Timers;

pub use native::Native;
use native::NativeBody;
pub use spawn::{Measured, MonitorOptions, SpawnError, SpawnOptions, Spawned, Start};
pub use worker::WorkerCx;

/// Reductions of a slice: at some nanoseconds each, a small part of a millisecond.
pub const SLICE: i32 = 4000;

/// What the embedder chose.
#[derive(Clone, Debug)]
pub struct Config {
    /// Workers; 0: the machine is driven by its caller.
    pub workers: usize,
    /// Every scheduling choice comes from this seed, and time is virtual.
    pub seed: Option<u64>,
    /// Most processes at a time.
    pub max_processes: usize,
    /// Most atoms.
    pub max_atoms: u32,
    /// Most bytes that all processes, tables and binaries may hold together.
    pub max_memory_bytes: usize,
    /// Limits of the whole machine.
    pub limits: Limits,
    /// What its processes may touch of the world.
    pub capabilities: Capabilities,
    /// Clocks that the embedder supplies.
    pub clocks: HostClocks,
    /// Heap policy of processes that ask for none.
    pub policy: Policy,
    /// Longest slice in reductions.
    pub slice: i32,
    /// Whether the time that collections take is measured.
    pub measure_collections: bool,
    /// Arguments after the program's name, for `init:get_plain_arguments/0`.
    pub arguments: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            workers: 1,
            seed: None,
            // As many as the slot table can index: a limit is the account's business.
            max_processes: 1 << 27,
            // As OTP's default.
            max_atoms: 1 << 20,
            max_memory_bytes: crate::heap::account::default_limit_bytes(),
            limits: Limits::new(),
            capabilities: Capabilities::none(),
            clocks: HostClocks::default(),
            policy: Policy::default(),
            slice: SLICE,
            measure_collections: false,
            arguments: Vec::new(),
        }
    }
}

impl Config {
    /// Whether there is no thread but the owner's: then what may block has to run on that one.
    pub fn is_threadless(&self) -> bool {
        self.seed.is_some() || self.workers == 0
    }
}

/// What is to be reported of a process.
#[derive(Clone, Copy, Debug)]
pub enum Report<'a> {
    /// An uncaught error ends it, with this reason.
    Uncaught(&'a Fragment),
    /// Its heap, of so many words, is larger than it may be.
    HeapLimit(usize),
    /// It has used more of this than it may.
    Limit(Quota),
}

/// What upper floors do.
pub struct Hooks {
    /// Runs bytecode of a process for one slice: the interpreter.
    pub run: fn(&mut WorkerCx, &mut Process, &Runtime) -> SliceEnd,
    /// Reports what ends a process.
    pub report: fn(&Runtime, &mut WorkerCx, &mut Process, Report<'_>),
    /// An exiting process gives up what it owns, before its death.
    pub owner_exits: fn(&Runtime, &mut WorkerCx, &mut Process),
    /// It has died: what was attached to it meanwhile.
    pub owner_died: fn(&Runtime, &mut WorkerCx, &mut Process),
}

impl Default for Hooks {
    fn default() -> Self {
        Hooks {
            run: |_, _, _| SliceEnd::Wait,
            report: |_, _, _, _| {},
            owner_exits: |_, _, _| {},
            owner_died: |_, _, _| {},
        }
    }
}

/// How many machines this OS process has had.
static MACHINES: AtomicU64 = AtomicU64::new(1);

/// The shared state of one virtual machine.
pub struct Runtime {
    /// The atoms.
    pub atoms: Atoms,
    /// Loaded code.
    pub code: CodeServer,
    /// The processes.
    pub slots: SlotTable,
    /// Registered names.
    pub names: Names,
    /// Tables of `ets`.
    pub tables: Tables,
    /// Terms of `persistent_term`, a table nobody else reaches.
    pub persistent: Table,
    /// The microsecond that `now/0` gave last.
    pub last_now: AtomicI64,
    /// The last integer of `unique_integer([monotonic])`.
    pub monotonic_unique: AtomicU64,
    /// Time.
    pub clock: Clock,
    /// Chance.
    pub entropy: Entropy,
    /// Threads for what may block.
    pub pool: Pool,
    /// Standard output.
    pub stdout: Output,
    /// Standard error.
    pub stderr: Output,
    /// Where events are logged, if not on standard error.
    pub log: OnceLock<log::Log>,
    watcher: OnceLock<watch::Watcher>,
    /// Typed functions of the embedder.
    pub host_functions: host::HostFunctions,
    /// Standard input, working directory, environment variables.
    pub environment: Environment,
    /// The servers of standard output and error.
    pub servers: Servers,
    /// Reports on their way.
    pub reports: Reports,
    /// Patterns used lately.
    pub regexes: crate::regex::Cache,
    /// Who pays for everything.
    pub account: Arc<Account>,
    /// Who pays for the machine's own servers, which no limit ends.
    pub own_account: Arc<Account>,
    /// What the embedder chose.
    pub config: Config,
    /// What programs have changed.
    pub settings: settings::Settings,
    /// What upper floors do.
    pub hooks: Hooks,
    /// The shared side of the run queues.
    pub queues: Queues,
    /// Who is awake.
    pub idle: Idle,
    /// Tells this machine from all others of the OS process: what names one of its processes carries it.
    pub identity: u64,
    /// Purged code that is being freed.
    pub purging: purge::Purging,
    /// Who is in the middle of something.
    pub quiescence: Quiescence,
    me: Weak<Runtime>,
    timers: Box<[Timers]>,
    wakers: Box<[OnceLock<mio::Waker>]>,
    /// Starts the thread of a worker that is woken for the first time.
    starter: OnceLock<Box<dyn Fn(usize) + Send + Sync>>,
    /// Whether anything has limits here: see [`Runtime::has_limits`].
    limits: AtomicBool,
    /// What lets the code server load code for who asks: see `erlet_code:ticket/0`.
    pub tickets: Mutex<std::collections::BTreeSet<u64>>,
    stopping: AtomicBool,
    halt: Halt,
    outside_unique: AtomicU64,
    /// Host threads that speak to the machine or wait for it.
    pub outside: Outside,
    /// The embedder's handle, for what runs in the machine and speaks of it.
    embedder: OnceLock<Weak<dyn Any + Send + Sync>>,
    /// What was done.
    pub counts: AllCounts,
    /// What `statistics(runtime | wall_clock | reductions)` told last.
    pub asked: [AtomicU64; 3],
}

#[derive(Default)]
struct Halt {
    is_requested: AtomicBool,
    status: AtomicI32,
    state: Mutex<HaltState>,
}

#[derive(Default)]
struct HaltState {
    requested: bool,
    /// Told once: by the first `halt`, or when the machine is stopped.
    listeners: Vec<HaltListener>,
}

/// Who wants to know that the machine has halted (with which status) or was stopped (`None`).
pub type HaltListener = Box<dyn FnOnce(Option<i32>) + Send>;

impl std::fmt::Debug for Runtime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runtime").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Runtime {
    /// The services of a new machine, and the queues of its workers (one set, if the caller drives it).
    pub fn new(
        config: Config,
        atoms: Atoms,
        code: CodeServer,
        hooks: Hooks,
        entropy: Entropy,
        outputs: [Output; 2],
    ) -> (Arc<Runtime>, Vec<LocalQueues>) {
        let workers = if config.seed.is_some() { 1 } else { config.workers.max(1) };
        let threadless = config.is_threadless();
        let (queues, locals) = Queues::new(workers, config.seed.is_some());
        let [stdout, stderr] = outputs;
        let account = Account::machine(config.max_memory_bytes, &config.limits, config.capabilities.clone());
        // Its servers do things for others, who must not get more rights that way than they have.
        let own_account = Account::of_servers(&account, Capabilities::none());
        let runtime = Arc::new_cyclic(|me| Runtime {
            // Relaxed: a number nobody else gets is all that is wanted.
            identity: MACHINES.fetch_add(1, Ordering::Relaxed),
            me: me.clone(),
            atoms,
            code,
            slots: SlotTable::new(config.max_processes),
            names: Names::default(),
            tables: Tables::new(),
            persistent: Table::unowned(Arc::clone(&account)),
            last_now: AtomicI64::new(0),
            monotonic_unique: AtomicU64::new(0),
            clock: Clock::new(config.seed.is_some(), config.clocks.clone()),
            entropy,
            pool: Pool::new(if threadless { 0 } else { POOL_THREADS }),
            stdout,
            stderr,
            log: OnceLock::new(),
            watcher: OnceLock::new(),
            host_functions: host::HostFunctions::default(),
            environment: Environment::default(),
            servers: Servers::default(),
            reports: Reports::default(),
            regexes: crate::regex::Cache::default(),
            account,
            own_account,
            hooks,
            queues,
            idle: Idle::new(workers),
            purging: purge::Purging::default(),
            quiescence: Quiescence::new(workers),
            timers: (0..workers).map(|_| Timers::default()).collect(),
            wakers: (0..workers).map(|_| OnceLock::new()).collect(),
            starter: OnceLock::new(),
            limits: AtomicBool::new(!config.limits.is_empty()),
            tickets: Mutex::default(),
            stopping: AtomicBool::new(false),
            halt: Halt::default(),
            outside_unique: AtomicU64::new(worker::OUTSIDE_UNIQUE),
            outside: Outside::default(),
            embedder: OnceLock::new(),
            counts: AllCounts::new(workers),
            asked: Default::default(),
            settings: settings::Settings::new(config.policy),
            config,
        });
        (runtime, locals)
    }

    /// A handle that does not keep the machine alive, for jobs.
    pub fn weak(&self) -> Weak<Runtime> {
        self.me.clone()
    }

    /// Sets, once, the embedder's handle of this machine.
    pub fn set_embedder(&self, embedder: Weak<dyn Any + Send + Sync>) {
        let first = self.embedder.set(embedder).is_ok();
        debug_assert!(first, "the machine is built once");
    }

    /// The embedder's handle, while there is one.
    pub fn embedder(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        self.embedder.get()?.upgrade()
    }

    /// Whether any process has limits, or once had.
    pub fn has_limits(&self) -> bool {
        // Relaxed: set before the first of them runs.
        self.limits.load(Ordering::Relaxed)
    }

    /// A process is going to have limits.
    pub(super) fn note_limits(&self) {
        self.limits.store(true, Ordering::Relaxed);
    }

    /// Number of workers.
    pub fn workers(&self) -> usize {
        self.wakers.len()
    }

    /// Whether a seed decides.
    #[inline]
    pub fn is_seeded(&self) -> bool {
        self.config.seed.is_some()
    }

    /// A context for a thread that is no worker: what it enqueues goes to the injectors.
    pub fn outside(&self) -> WorkerCx {
        let unique = self.outside_unique.fetch_add(worker::OUTSIDE_REFERENCES, Ordering::Relaxed);
        WorkerCx::outside(self.workers(), self.entropy.fork(), unique)
    }

    /// A number for a reference that is made outside any context.
    pub fn make_outside_unique(&self) -> u64 {
        self.outside_unique.fetch_add(1, Ordering::Relaxed)
    }

    /// A context for a pool thread that runs a process.
    pub fn on_pool(&self) -> WorkerCx {
        let unique = self.outside_unique.fetch_add(worker::OUTSIDE_REFERENCES, Ordering::Relaxed);
        let mut worker = WorkerCx::of_pool(self.workers(), self.entropy.fork(), unique, self.work_at_once());
        worker.blocks.tally.clock = self.collection_clock();
        worker
    }

    /// What measures collections, if anything is to; under a seed nothing is, since no run may depend on the host's time.
    pub fn collection_clock(&self) -> Option<fn() -> u64> {
        (self.config.measure_collections && !self.is_seeded()).then_some(clock::host_ns as fn() -> u64)
    }

    /// How the heap of a process grows that asks for nothing.
    #[inline]
    pub fn policy(&self) -> Policy {
        self.settings.policy().unwrap_or(self.config.policy)
    }

    /// How much a native may do at once on a worker. Where there are no threads, there is no pool to do the rest.
    pub fn work_at_once(&self) -> Mode {
        if self.config.is_threadless() {
            return Mode::Free;
        }
        if self.config.policy.stress { Mode::Stressed } else { Mode::AtOnce }
    }

    /// After a process was queued: wakes a worker if one is needed.
    #[inline]
    pub fn notify(&self) {
        if let Some(worker) = self.idle.to_wake() {
            self.wake_worker(worker);
        }
    }

    /// Wakes this worker if it sleeps: something was put where only it looks.
    pub(super) fn nudge(&self, worker: usize) {
        if self.idle.claim_this(worker) {
            self.wake_worker(worker);
        }
    }

    /// Gets a claimed sleeper going.
    #[cold]
    fn wake_worker(&self, worker: usize) {
        self.counts.outside.wakes.add_shared();
        match self.wakers[worker].get() {
            // A waker fails only if the machine is out of kernel memory; the worker then wakes at its next timer.
            Some(waker) => drop(waker.wake()),
            None => {
                if let Some(start) = self.starter.get() {
                    start(worker);
                }
            }
        }
    }

    /// Starts the thread of the first worker, unless it was started before.
    pub fn start_first_worker(&self) {
        if self.wakers[0].get().is_none() && self.idle.claim_this(0) {
            self.wake_worker(0);
        }
    }

    /// The worker's waker, once its poll exists.
    pub fn set_waker(&self, worker: usize, waker: mio::Waker) {
        let first = self.wakers[worker].set(waker).is_ok();
        debug_assert!(first, "a worker makes its poll once");
    }

    /// How threads of workers are started.
    pub fn set_starter(&self, starter: Box<dyn Fn(usize) + Send + Sync>) {
        let first = self.starter.set(starter).is_ok();
        debug_assert!(first, "the machine is built once");
    }

    /// The timers of a worker.
    pub fn timers_of(&self, worker: usize) -> &Timers {
        &self.timers[worker]
    }

    // ---- stopping ----

    /// Whether the machine is being taken down.
    #[inline]
    pub fn is_stopping(&self) -> bool {
        // Relaxed: a worker that sees it late runs one slice more.
        self.stopping.load(Ordering::Relaxed)
    }

    /// Lets all workers leave within a slice.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        self.pool.stop();
        self.wake_all();
        self.tell_listeners(None);
        self.wake_outside();
    }

    /// Wakes all workers that sleep; they look at the flags before they sleep again.
    fn wake_all(&self) {
        for worker in 0..self.workers() {
            if self.idle.claim_this(worker)
                && let Some(waker) = self.wakers[worker].get()
            {
                drop(waker.wake());
            }
        }
    }

    /// `halt`: the machine ends with this status. The first one counts.
    pub fn halt(&self, status: i32) {
        let mut state = self.halt.state.lock().expect("no code that holds this lock panics");
        if std::mem::replace(&mut state.requested, true) {
            return;
        }
        self.halt.status.store(status, Ordering::Relaxed);
        drop(state);
        // Release: pairs with the Acquire in `halted`; who sees the request sees the status.
        self.halt.is_requested.store(true, Ordering::Release);
        self.wake_all();
        self.tell_listeners(Some(status));
        self.wake_outside();
    }

    fn tell_listeners(&self, status: Option<i32>) {
        let mut state = self.halt.state.lock().expect("no code that holds this lock panics");
        let listeners = std::mem::take(&mut state.listeners);
        drop(state);
        // Outside the lock: they are the embedder's.
        listeners.into_iter().for_each(|listener| listener(status));
    }

    /// The status `halt` was called with. Asked by workers at every pick; one that sees it late runs one slice more.
    #[inline]
    pub fn halted(&self) -> Option<i32> {
        if !self.halt.is_requested.load(Ordering::Acquire) {
            return None;
        }
        Some(self.halt.status.load(Ordering::Relaxed))
    }

    /// Calls `listener` once, when the machine halts or is stopped; at once if it has.
    pub fn on_halt(&self, listener: HaltListener) {
        let mut state = self.halt.state.lock().expect("no code that holds this lock panics");
        if !state.requested && !self.is_stopping() {
            state.listeners.push(listener);
            return;
        }
        drop(state);
        listener(self.halted());
    }
}

/// Most pool threads of each kind of job.
const POOL_THREADS: usize = 10;

//! Building a machine.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::loader::{Hosted, InFolder, Loader};
use super::machine::{Machine, Workers};
use super::pool::Pool;
use super::trace::{self, Tracer};
use super::{Vm, common, report};
use crate::atom::{Atoms, HashKey, known};
use crate::bif;
use crate::code::path::{CodePath, Folder, FolderSource};
use crate::code::{CodeServer, Mfa, ModuleSource};
use crate::error::Error;
use crate::heap::Account;
use crate::host::{Host, Offered};
use crate::interp;
use crate::limits::{Capabilities, Limits};
use crate::process::Process;
use crate::runtime::entropy::Entropy;
use crate::runtime::environment::Source;
use crate::runtime::idle::MAX_WORKERS;
use crate::runtime::log::{Log, LogEvent};
use crate::runtime::output::{Output, Sink};
use crate::runtime::{Config, Hooks, Runtime, SpawnOptions, Start, WorkerCx};
use crate::stdlib;

/// What tests do to a machine to find faults.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stress {
    /// Collect at every safepoint and poison what was left.
    pub collect_always: bool,
    /// Longest slice in reductions, so that processes are interrupted everywhere.
    pub budget: Option<u32>,
}

/// Settings of a machine to be built.
///
/// ```
/// # fn main() -> Result<(), erlet::Error> {
/// use erlet::{Capabilities, Limits, Vm};
/// let vm = Vm::builder()
///     .threads(2)
///     .limits(Limits::new().memory(64 << 20))
///     .capabilities(Capabilities::none())
///     .build()?;
/// # drop(vm);
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
pub struct Builder {
    config: Config,
    log: Option<crate::runtime::log::Sink>,
    pub(super) tracing: Option<trace::Setting>,
    threads: Option<usize>,
    pool: Option<Pool>,
    first_sources: Vec<Box<dyn ModuleSource>>,
    sources: Vec<Box<dyn ModuleSource>>,
    path: Vec<PathBuf>,
    folder_source: Option<Box<dyn FolderSource>>,
    outputs: [Option<Sink>; 2],
    input: Option<Source>,
    host: Option<Arc<dyn Host>>,
}

impl Builder {
    /// How many threads run the machine's processes: one for each usable core by default. With 0 it has none, and runs while its owner
    /// drives it: in [`Vm::call`], or by [`Vm::run_until_idle`] and [`Vm::poll`].
    ///
    /// Threads are started when there is work for them, the first when code is loaded.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(2).build()?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Builder {
        self.threads = Some(threads);
        self
    }

    /// The machine has no threads of its own; those of the pool run it, one at a time. [`Builder::threads`] says nothing then.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let pool = erlet::Pool::new(2)?;
    /// let vm = erlet::Vm::builder().pool(&pool).build()?;
    /// assert_eq!(vm.call::<i64>("erlang", "abs", (-1,))?, 1);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn pool(mut self, pool: &Pool) -> Builder {
        self.pool = Some(pool.clone());
        self
    }

    /// One thread, every scheduling choice from this seed, virtual time: the same seed gives the same run.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use erlet::Vm;
    /// let run = |seed| Vm::builder().seed(seed).build()?.call::<i64>("rand", "uniform", (1_000_000,));
    /// assert_eq!(run(7)?, run(7)?);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Builder {
        self.config.seed = Some(seed);
        self
    }

    /// Most processes at a time.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).max_processes(1000).build()?;
    /// # drop(vm);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn max_processes(mut self, processes: usize) -> Builder {
        self.config.max_processes = processes;
        self
    }

    /// Most bytes that processes, tables and binaries may hold together; half of the memory there is, by default. Who asks for more
    /// dies with the reason `{limit, memory}`. [`Limits::memory`] of [`Builder::limits`] takes its place, and is more exact.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).max_memory(64 << 20).build()?;
    /// assert!(vm.metrics().memory_limit_bytes == 64 << 20);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn max_memory(mut self, bytes: usize) -> Builder {
        self.config.max_memory_bytes = bytes;
        self
    }

    /// Limits of everything the machine runs: what passes one ends the process that did so. The machine's own servers (of output,
    /// reports and code) are not counted.
    ///
    /// ```
    /// use erlet::Vm;
    /// let limits = erlet::Limits::new().memory(64 << 20).processes(1000).reductions(1_000_000_000);
    /// let vm = Vm::builder().limits(limits).build()?;
    /// # Ok::<(), erlet::Error>(())
    /// ```
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Builder {
        self.config.limits = limits;
        self
    }

    /// What the machine's programs may touch of the world outside it; by default nothing.
    ///
    /// ```
    /// use erlet::Vm;
    /// let rights = erlet::Capabilities::none().read("/usr/share").environment(true);
    /// let vm = Vm::builder().capabilities(rights).build()?;
    /// # Ok::<(), erlet::Error>(())
    /// ```
    #[must_use]
    pub fn capabilities(mut self, capabilities: Capabilities) -> Builder {
        self.config.capabilities = capabilities;
        self
    }

    /// What tells the time of day, as time since 1970-01-01T00:00:00Z, instead of the system: for programs (that have the
    /// [right](Capabilities::clock) to it) and for reports. It is asked whenever somebody wants to know, on any thread, and must not
    /// block. Timers, time-outs and monotonic time do not depend on it.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use std::time::Duration;
    /// use erlet::{Capabilities, Vm};
    ///
    /// let rights = Capabilities::none().clock(true);
    /// let vm = Vm::builder().threads(0).capabilities(rights).clock(|| Duration::from_secs(86_400)).build()?;
    /// assert_eq!(vm.call::<(i64, i64, i64)>("erlang", "date", ())?.0, 1970);
    /// assert_eq!(vm.call::<i64>("os", "system_time", (erlet::Atom::new("second"),))?, 86_400);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn clock(mut self, clock: impl Fn() -> Duration + Send + Sync + 'static) -> Builder {
        self.config.clocks.wall = Some(Arc::new(clock));
        self
    }

    /// What tells monotonic time, as time since any moment, in a machine that is driven by its owner (`threads(0)`): timers and
    /// time-outs are due by it, limits of wall time and time-outs of calls are counted by it. So a game can stop it, or a test
    /// let an hour pass. Steps back are not seen.
    ///
    /// A machine with a seed has virtual time already, and threads sleep by the system's clock: neither takes another one.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    /// use std::{sync::Arc, time::Duration};
    /// use erlet::{Progress, Vm};
    ///
    /// let seconds = Arc::new(AtomicU64::new(0));
    /// let told = seconds.clone();
    /// let vm = Vm::builder().threads(0).monotonic_clock(move || Duration::from_secs(told.load(Relaxed))).build()?;
    /// let sleeper = vm.spawn("timer", "sleep", (3_600_000,))?;
    /// assert_eq!(vm.run_until_idle()?, Progress::Timer(Duration::from_secs(3600)));
    /// seconds.store(3600, Relaxed);
    /// assert_eq!(vm.run_until_idle()?, Progress::Idle);
    /// assert!(!vm.call::<bool>("erlang", "is_process_alive", (sleeper,))?);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn monotonic_clock(mut self, clock: impl Fn() -> Duration + Send + Sync + 'static) -> Builder {
        self.config.clocks.monotonic = Some(Arc::new(clock));
        self
    }

    /// Where what is logged goes: reports of the machine's and events of `logger`'s default handler, instead of standard
    /// error. The sink has a thread of its own and may take its time; when a thousand events wait for it, more are dropped.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use std::sync::mpsc::channel;
    /// use erlet::{Limits, Vm};
    ///
    /// let (sender, events) = channel();
    /// let limits = Limits::new().reductions(100_000);
    /// let vm = Vm::builder().threads(0).limits(limits).log(move |event| drop(sender.send(event))).build()?;
    /// let _ = vm.run("lists", "sum", (vec![1; 1_000_000],));
    /// let event = events.recv().expect("a process has ended");
    /// assert!(event.level == "error" && event.text.contains("limit of reductions reached"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn log(mut self, sink: impl FnMut(LogEvent) + Send + 'static) -> Builder {
        self.log = Some(Box::new(sink));
        self
    }

    /// Measure the time that collections take, for [`Vm::statistics`]; it adds the time of two looks at the clock to each.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).measure_collections().build()?;
    /// vm.call::<bool>("erlang", "garbage_collect", ())?;
    /// assert!(vm.statistics().collection_ns > 0);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn measure_collections(mut self) -> Builder {
        self.config.measure_collections = true;
        self
    }

    /// What tests do to a machine to find faults.
    #[doc(hidden)]
    #[must_use]
    pub fn stress(mut self, stress: Stress) -> Builder {
        self.config.policy.stress = stress.collect_always;
        if let Some(budget) = stress.budget {
            self.config.slice = budget.clamp(1, i32::MAX as u32) as i32;
        }
        self
    }

    /// What `init:get_plain_arguments/0` gives.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).arguments(vec!["-v".into()]).build()?;
    /// let arguments: Vec<erlet::Charlist> = vm.call("init", "get_plain_arguments", ())?;
    /// assert_eq!(arguments, [erlet::Charlist::from("-v")]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn arguments(mut self, arguments: Vec<String>) -> Builder {
        self.config.arguments = arguments;
        self
    }

    /// Modules of the host's that take the place of the standard library's: a loader that is asked before it. What the library itself
    /// calls of a module is then the host's as well, so that a replacement is to export what the original does; those on which
    /// the machine itself rests (`erlang`, and all whose names begin with `erlet_`) are better left alone.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use erlet::{Code, Loader, Vm};
    ///
    /// struct Fixed;
    ///
    /// impl Loader for Fixed {
    ///     fn module(&self, name: &str) -> Option<Code> {
    ///         let text = "uniform() -> 0.5. uniform(N) -> N.";
    ///         (name == "rand").then(|| Code::Source { path: "rand.erl".into(), text: text.into() })
    ///     }
    /// }
    ///
    /// let vm = Vm::builder().threads(0).replacements(Fixed).build()?;
    /// assert_eq!(vm.call::<i64>("rand", "uniform", (6,))?, 6);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn replacements(self, loader: impl Loader + 'static) -> Builder {
        self.source_before(Box::new(Hosted(loader)))
    }

    /// Where modules come from that are called before they were loaded, asked even before the standard library: modules
    /// found here take the place of its own.
    #[doc(hidden)]
    #[must_use]
    pub fn source_before(mut self, source: Box<dyn ModuleSource>) -> Builder {
        self.first_sources.push(source);
        self
    }

    /// Where modules come from that are called before they were loaded; the standard library is asked first, then the sources
    /// in the order they were added.
    #[doc(hidden)]
    #[must_use]
    pub fn source(mut self, source: Box<dyn ModuleSource>) -> Builder {
        self.sources.push(source);
        self
    }

    /// Where modules come from that are called before they were loaded; the standard library is asked first, then loaders in the
    /// order they were added, then search paths.
    ///
    /// ```
    /// fn build(assets: impl erlet::Loader + 'static) -> Result<erlet::Vm, erlet::Error> {
    ///     erlet::Vm::builder().loader(assets).build()
    /// }
    /// ```
    #[must_use]
    pub fn loader(self, loader: impl Loader + 'static) -> Builder {
        self.source(Box::new(Hosted(loader)))
    }

    /// A folder in which `NAME.erl` is the module `NAME`, compiled when it is first called; it may include files from there. Search
    /// paths are what `code:get_path/0` gives, and programs that may load code and read all files can change them
    /// (`code:add_path/1`).
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).search_path("scripts").build()?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn search_path(mut self, folder: impl Into<PathBuf>) -> Builder {
        let folder = folder.into();
        if !self.path.contains(&folder) {
            self.path.push(folder);
        }
        self
    }

    /// How modules of search paths are read.
    #[doc(hidden)]
    #[must_use]
    pub fn folder_source(mut self, source: Box<dyn FolderSource>) -> Builder {
        self.folder_source = Some(source);
        self
    }

    /// Where standard output goes; the process's own by default.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let file = std::io::sink(); // anything that is `Write + Send`
    /// let vm = erlet::Vm::builder().threads(0).stdout(Box::new(file)).build()?;
    /// # drop(vm);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn stdout(mut self, sink: Sink) -> Builder {
        self.outputs[0] = Some(sink);
        self
    }

    /// Where standard input comes from; the process's own by default.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let text: &[u8] = b"a line\n"; // anything that is `Read + Send`
    /// let vm = erlet::Vm::builder().threads(0).stdin(Box::new(text)).build()?;
    /// assert_eq!(vm.call::<erlet::Charlist>("io", "get_line", ("",))?, erlet::Charlist::from("a line\n"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn stdin(mut self, source: Source) -> Builder {
        self.input = Some(source);
        self
    }

    /// Where standard error goes; the process's own by default.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).stderr(Box::new(std::io::sink())).build()?;
    /// # drop(vm);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn stderr(mut self, sink: Sink) -> Builder {
        self.outputs[1] = Some(sink);
        self
    }

    /// What programs may call of the embedding program, by `erlet_host:call/2`.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// use erlet::{Value, host::Host};
    /// struct Echo;
    /// impl Host for Echo {
    ///     fn call(&self, _function: &str, args: &[Value]) -> Value {
    ///         Value::list(args.iter().cloned())
    ///     }
    /// }
    /// let vm = erlet::Vm::builder().threads(1).host(std::sync::Arc::new(Echo)).build()?;
    /// assert_eq!(vm.call::<Vec<i64>>("erlet_host", "call", (erlet::Atom::new("echo"), vec![1, 2]))?, [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn host(mut self, host: Arc<dyn Host>) -> Builder {
        self.host = Some(host);
        self
    }

    /// Builds the machine.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().build()?;
    /// assert!(vm.whereis("logger").is_some());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If a setting makes no sense or the operating system refuses what is needed.
    pub fn build(self) -> Result<Vm, Error> {
        let Builder {
            mut config,
            threads,
            pool,
            first_sources,
            sources,
            path,
            folder_source,
            outputs: [stdout, stderr],
            input,
            host,
            log,
            tracing,
        } = self;
        config.workers = match &pool {
            Some(_) => 1,
            None => threads.unwrap_or_else(default_workers),
        };
        if config.workers > MAX_WORKERS {
            return Err(Error::Setting("a machine has at most 1024 threads"));
        }
        let entropy = config.seed.map_or_else(Entropy::from_host, Entropy::from_seed);
        let workers = match &pool {
            _ if config.seed.is_some() => Workers::Owner,
            Some(pool) => Workers::Pool(pool),
            None if config.workers == 0 => Workers::Owner,
            None => Workers::Own,
        };
        if config.clocks.monotonic.is_some() && (config.seed.is_some() || !matches!(workers, Workers::Owner))
        {
            return Err(Error::Setting(
                "a monotonic clock is for machines with threads(0) and without a seed",
            ));
        }
        let key = HashKey::from_seed(entropy.next_u64());
        let atoms = Atoms::with_prefix(common::prefix(), key, config.max_atoms);
        let code = CodeServer::new(common::natives());
        let code = if config.policy.stress { code.under_stress() } else { code };
        let mut all = first_sources;
        all.push(stdlib::source());
        all.extend(sources);
        let folders = path.into_iter().map(Folder::of).collect();
        code.set_sources(all, CodePath::new(folders, folder_source.unwrap_or_else(|| Box::new(InFolder))));
        let hooks = Hooks {
            run: interp::run,
            report: report::send,
            owner_exits: release_tables,
            owner_died: release_tables,
        };
        let outputs = [
            Output::new(stdout.unwrap_or_else(|| Box::new(std::io::stdout()))),
            Output::new(stderr.unwrap_or_else(|| Box::new(std::io::stderr()))),
        ];
        let (rt, locals) = Runtime::new(config, atoms, code, hooks, entropy, outputs);
        if let Some(source) = input {
            rt.environment.set_input(source);
        }
        #[cfg(feature = "tracing")]
        let log = match &tracing {
            Some(setting) => Some(trace::sink(setting, log)),
            None => log,
        };
        if let Some(sink) = log {
            let first = rt.log.set(Log::start(sink)?).is_ok();
            debug_assert!(first, "the machine is built once");
        }
        if let Some(host) = host {
            rt.environment.set_host(Arc::new(Offered(host)));
        }
        let tracer = tracing.map_or_else(Tracer::off, |setting| Tracer::start(setting, &rt));
        let machine = Machine::start(rt, locals, &workers, tracer)?;
        start_user(&machine.rt)?;
        Ok(Vm::new(machine))
    }
}

fn default_workers() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(MAX_WORKERS)
}

/// Starts the I/O servers, the logger and the code server, which load their code with the first request that is sent to them.
fn start_user(rt: &Runtime) -> Result<(), Error> {
    let mut worker = rt.lend();
    let mut servers = Vec::new();
    let first = [
        ("erlet_user", "user", known::USER),
        ("erlet_user", "standard_error", known::STANDARD_ERROR),
        ("erlet_reporter", "start", known::LOGGER),
        ("erlet_code_server", "start", known::CODE_SERVER),
    ];
    for (module, function, name) in first {
        let module = rt.atoms.intern(module)?;
        let mfa = Mfa { module, function: rt.atoms.intern(function)?, arity: 0 };
        let account = match name {
            // It loads code for others, once they have shown that they may.
            known::CODE_SERVER => Account::of_servers(&rt.account, Capabilities::none().code(true)),
            // It writes when things have happened.
            known::LOGGER => Account::of_servers(&rt.account, Capabilities::none().clock(true)),
            _ => Arc::clone(&rt.own_account),
        };
        let options = SpawnOptions {
            waits_for_a_message: true,
            is_protected: true,
            group_leader: rt.names.get(known::USER),
            account: Some(account),
            ..SpawnOptions::default()
        };
        let spawned = rt.spawn(&mut worker, None, Start::Call(mfa, &[]), options)?;
        let named = rt.names.register(name, spawned.pid, &rt.slots);
        debug_assert!(named.is_ok(), "the first processes take the first names");
        servers.push(spawned.pid);
    }
    if let [user, standard_error, ..] = servers[..] {
        rt.servers.set(user, standard_error);
    }
    Ok(())
}

/// An exiting process gives up its tables.
fn release_tables(rt: &Runtime, worker: &mut WorkerCx, process: &mut Process) {
    if !rt.tables.is_unowned() {
        bif::release_tables(rt, worker, process);
    }
}

//! Runs programs that nobody trusts: each in a machine of its own, with limits and without any rights.
//!
//! ```text
//! cargo run --release --example sandbox
//! cargo run --release --example sandbox -- --measure
//! ```
//!
//! The programs of `scripts.rs` try what hostile programs try. Each ends with the reason that says what it ran into, in little
//! time and memory, while a neighbour in the same operating system process goes on as if nothing were there: it ticks every
//! millisecond, exchanges messages with a server and with the host, and tells how late it was.
//!
//! With `--measure`, each runs in an operating system process of its own, whose greatest resident memory is told too.

mod scripts;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use erlet::limits::Direction;
use erlet::{Builder, Capabilities, Context, HostError, Limits, Outcome, Pid, Pool, Value, Vm};
pub use scripts::{SCRIPTS, Script};

/// What programs may do that would never end: some seconds of work at most, whether optimised or not.
const REDUCTIONS: u64 = if cfg!(debug_assertions) { 400_000 } else { 10_000_000 };

/// What each program may use. Time and reductions are many where something else is to come first, however busy the computer is.
pub fn limits(script: &Script) -> Limits {
    let time = if script.end == "{limit,wall_time}" { 500 } else { 60_000 };
    let reductions =
        if script.end == "{limit,reductions}" { REDUCTIONS } else { 10 * REDUCTIONS.max(10_000_000) };
    Limits::new()
        .memory(32 << 20)
        .reductions(reductions)
        .wall_time(Duration::from_millis(time))
        .processes(100)
        .atoms(1000)
        .mailbox_messages(10_000)
        .mailbox_bytes(4 << 20)
        .ets_bytes(4 << 20)
        .output_bytes(64 * 1024)
        .open_files(20)
}

/// Where programs run that nobody trusts. However many there are, they get as many threads as there are processors and no more,
/// so that the operating system has never many threads to choose from when somebody else wakes up.
pub struct Ward {
    pool: Pool,
    /// Their texts are compiled one at a time: that, too, is work that they make.
    admission: Mutex<()>,
    /// The one directory that programs may read; it has a file `readme`.
    directory: PathBuf,
}

/// Wards so far, each with a directory of its own.
static WARDS: AtomicUsize = AtomicUsize::new(0);

impl Ward {
    /// An empty one.
    ///
    /// # Errors
    /// If there is no room for a file.
    pub fn new() -> Result<Ward, String> {
        let number = WARDS.fetch_add(1, Ordering::Relaxed);
        let directory = std::env::temp_dir().join(format!("erlet-sandbox-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
        std::fs::write(directory.join("readme"), "nothing").map_err(|error| error.to_string())?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let pool = Pool::new(processors.min(64)).map_err(|error| error.to_string())?;
        Ok(Ward { pool, admission: Mutex::new(()), directory })
    }

    /// A machine of its own for a program.
    fn admit(&self, script: &Script) -> Result<Vm, String> {
        let _one_at_a_time = self.admission.lock().unwrap_or_else(PoisonError::into_inner);
        let source = script.source.replace("@DIR@", &self.directory.display().to_string());
        let rights = Capabilities::none().read(&self.directory);
        machine(Vm::builder().pool(&self.pool), limits(script), rights, "hostile", &source)
    }
}

impl Drop for Ward {
    fn drop(&mut self) {
        // Who cannot remove it leaves it to the operating system.
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// Runs a program in a machine of its own: what it ended with, and how long it took.
///
/// # Errors
/// What the compiler or the machine has against it.
pub fn run(ward: &Ward, script: &Script) -> Result<(String, Duration), String> {
    let started = Instant::now();
    let vm = ward.admit(script)?;
    offer(&vm).map_err(|error| error.to_string())?;
    let _flooded = host(&vm).map_err(|error| error.to_string())?;
    let outcome = vm.run("hostile", "main", ()).map_err(|error| error.to_string())?;
    let end = match outcome {
        Outcome::Failed { reason, .. } => reason,
        outcome => format!("{outcome:?}"),
    };
    Ok((end, started.elapsed()))
}

/// A machine that runs nothing yet but has a module loaded.
fn machine(
    builder: Builder,
    limits: Limits,
    rights: Capabilities,
    module: &str,
    body: &str,
) -> Result<Vm, String> {
    let source = format!(
        "-module({module}).\n-compile([export_all, nowarn_export_all, nowarn_unused_function]).\n{body}\n"
    );
    let vm = builder
        .limits(limits)
        .capabilities(rights)
        .stdout(Box::new(std::io::sink()))
        .stderr(Box::new(std::io::sink()))
        .build()
        .map_err(|error| error.to_string())?;
    vm.load_source(format!("{module}.erl"), &source).map_err(|error| error.to_string())?;
    Ok(vm)
}

/// What the host does for programs. Whether they may, it asks.
fn offer(vm: &Vm) -> Result<(), erlet::Error> {
    vm.module("net")
        .blocking("connect", |caller: Context, host: String, port: u16| {
            let addresses = caller.capabilities().addresses(&host, port, Direction::Connect)?;
            Ok::<bool, HostError>(std::net::TcpStream::connect(&addresses[..]).is_ok())
        })
        .function("atom", |text: String| Value::atom(text))
        .function("swallow", |texts: Vec<String>| texts.len())
        .install()
}

/// A mailbox named `host` that nobody reads.
fn host(vm: &Vm) -> Result<erlet::Mailbox, erlet::Error> {
    let mailbox = vm.mailbox()?;
    vm.register("host", mailbox.pid())?;
    Ok(mailbox)
}

/// The neighbour: for a time it ticks every millisecond and asks a server, and the host; in the end it tells how many
/// microseconds late ticks and answers were, thrice `[Median, P99, Worst]`, after their number.
const NEIGHBOUR: &str = "
main() ->
    Server = spawn_link(fun serve/0),
    Late = tick(erlang:monotonic_time(millisecond) + @TIME@, [Server, whereis(host)], []),
    unlink(Server),
    exit([length(Late) | [part([element(I, L) || L <- Late], Part) || I <- [1, 2, 3], Part <- [50, 99, 100]]]).
serve() -> receive {From, Ref} -> From ! Ref end, serve().
tick(End, Servers, Late) ->
    T0 = erlang:monotonic_time(microsecond),
    receive after 1 -> ok end,
    T1 = erlang:monotonic_time(microsecond),
    [Own, Host] = [ask(Server) || Server <- Servers],
    case T1 div 1000 < End of
        true -> tick(End, Servers, [{T1 - T0 - 1000, Own, Host} | Late]);
        false -> Late
    end.
ask(Server) ->
    T1 = erlang:monotonic_time(microsecond),
    Ref = make_ref(),
    Server ! {self(), Ref},
    receive Ref -> ok end,
    erlang:monotonic_time(microsecond) - T1.
part(List, Percent) -> lists:nth(max(1, length(List) * Percent div 100), lists:sort(List)).
";

/// Microseconds: half of them are not later than this, 99 of 100, and all.
#[derive(Clone, Copy, Debug)]
pub struct Late {
    pub median: u64,
    pub p99: u64,
    pub worst: u64,
}

/// How a neighbour fared.
#[derive(Debug)]
pub struct Latency {
    pub count: u64,
    /// How late ticks came.
    pub ticks: Late,
    /// How long a server took to answer.
    pub answers: Late,
    /// How long a thread of the host took.
    pub echoes: Late,
}

/// Runs a neighbour for this time, and `beside` again and again meanwhile.
///
/// # Errors
/// What went wrong in either.
pub fn beside_a_neighbour(
    time: Duration,
    mut beside: impl FnMut() -> Result<(), String>,
) -> Result<Latency, String> {
    let body = NEIGHBOUR.replace("@TIME@", &time.as_millis().to_string());
    let vm = machine(
        Vm::builder().threads(1),
        Limits::new(),
        Capabilities::none().clock(true),
        "neighbour",
        &body,
    )?;
    let host = host(&vm).map_err(|error| error.to_string())?;
    let echo = std::thread::spawn(move || {
        while let Ok((from, reference)) = host.recv::<(Pid, Value)>() {
            let _ = host.send(from, reference);
        }
    });
    let ends = std::thread::spawn(move || vm.run("neighbour", "main", ()).map_err(|error| error.to_string()));
    while !ends.is_finished() {
        beside()?;
    }
    let outcome = ends.join().map_err(|_| "the neighbour's thread panicked")??;
    drop(echo);
    let reason = match outcome {
        Outcome::Failed { reason, .. } => reason,
        outcome => format!("{outcome:?}"),
    };
    let numbers: Vec<u64> =
        reason.trim_matches(['[', ']']).split(',').filter_map(|number| number.parse().ok()).collect();
    let late = |at: usize| Late { median: numbers[at], p99: numbers[at + 1], worst: numbers[at + 2] };
    match numbers.len() {
        10 => Ok(Latency { count: numbers[0], ticks: late(1), answers: late(4), echoes: late(7) }),
        _ => Err(format!("the neighbour ended with {reason}")),
    }
}

/// Runs all programs at once.
///
/// # Errors
/// The first that ended in another way than it should.
pub fn all_at_once() -> Result<(), String> {
    let ward = &Ward::new()?;
    std::thread::scope(|scope| {
        let threads: Vec<_> = SCRIPTS.iter().map(|script| scope.spawn(move || check(ward, script))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| "a thread panicked")?.map(drop))
    })
}

/// Runs a program that must end as it should.
///
/// # Errors
/// If it does not.
pub fn check(ward: &Ward, script: &Script) -> Result<(String, Duration), String> {
    let (end, time) = run(ward, script)?;
    if script.end == end { Ok((end, time)) } else { Err(format!("{}: {end}", script.name)) }
}

/// Greatest resident memory of this operating system process so far, in KiB; 0 where it is not told.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// Runs the program of that name and tells its end, time and memory on one line.
fn run_one(name: &str) -> Result<(), String> {
    let script = SCRIPTS.iter().find(|script| script.name == name).ok_or("no such program")?;
    let (end, time) = run(&Ward::new()?, script)?;
    let is_right = if end == script.end { "" } else { "WRONG " };
    println!("{name:38} {:8.1} ms {:6} KiB   {is_right}{end:.60}", time.as_secs_f64() * 1000.0, peak_kib());
    Ok(())
}

/// Runs each program in an operating system process of its own.
fn measure() -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    for script in SCRIPTS {
        let status = std::process::Command::new(&own).args(["--only", script.name]).status();
        if !status.map_err(|error| error.to_string())?.success() {
            println!("{:38} ENDED ITS PROCESS", script.name);
        }
    }
    Ok(())
}

fn tell(what: &str, latency: &Latency) {
    println!("neighbour {what}: {} ticks", latency.count);
    for (what, late) in
        [("ticks late", latency.ticks), ("answers", latency.answers), ("host's answers", latency.echoes)]
    {
        let Late { median, p99, worst } = late;
        println!("    {what:15} p50 {median:6} us   p99 {p99:6} us   max {worst:6} us");
    }
}

#[cfg_attr(test, allow(dead_code))]
fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--only", name] => return run_one(name),
        ["--measure"] => return measure(),
        _ => {}
    }
    let ward = Ward::new()?;
    for script in SCRIPTS {
        let (end, time) = check(&ward, script)?;
        println!("{:38} {:8.1} ms   {end:.60}", script.name, time.as_secs_f64() * 1000.0);
    }
    let alone = beside_a_neighbour(Duration::from_secs(2), || {
        std::thread::sleep(Duration::from_millis(1));
        Ok(())
    })?;
    tell("alone", &alone);
    let mut next = SCRIPTS.iter().cycle();
    let one = beside_a_neighbour(Duration::from_secs(5), || match next.next() {
        Some(script) => check(&ward, script).map(drop),
        None => Ok(()),
    })?;
    tell("beside one after the other", &one);
    tell("beside all at once", &beside_a_neighbour(Duration::from_secs(5), all_at_once)?);
    Ok(())
}

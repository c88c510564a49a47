//! Long work and much memory: nothing holds a worker, and nothing takes the machine.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use erlet::lang::{NoIncludes, Options, compile, verify::verify};
use erlet::vm::{Builder, Outcome, Vm};

/// Runs `main/0` of a module of `tests/bulk`.
fn run(file: &str, source: &str, builder: Builder) -> Outcome {
    let vm = builder.stderr(Box::new(std::io::sink())).build().expect("a machine");
    let mut compilation = compile(file, source.as_bytes(), &Options::default(), &mut NoIncludes);
    let Some(module) = compilation.module else { panic!("{}", compilation.session.render(false)) };
    vm.load(&verify(module).expect("what is compiled is accepted")).expect("room for a module");
    vm.run(file.trim_end_matches(".erl"), "main", &[]).expect("room for a process")
}

/// Both tests take much memory, and one looks at how much.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// With one worker, a process that ticks does so only if what goes on beside it has left the worker, or gives way.
#[test]
fn a_ticker_goes_on_beside_long_work_on_the_only_worker() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let outcome = run("long.erl", include_str!("bulk/long.erl"), Vm::builder().threads(1));
    assert_eq!(outcome, Outcome::Finished);
}

/// Bytes that the machine of the test may hold.
const LIMIT: usize = 128 << 20;

/// Bytes that the operating system sees more of it: code, stacks, free blocks, what is below the accounts' notice.
const BESIDES: usize = 256 << 20;

#[test]
fn a_program_that_wants_all_memory_gets_an_error() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let watcher = Watcher::start();
    let outcome = run("limits.erl", include_str!("bulk/limits.erl"), Vm::builder().max_memory(LIMIT));
    assert_eq!(outcome, Outcome::Finished);
    let most = watcher.stop();
    assert!(most < LIMIT + BESIDES, "{} MiB were resident", most >> 20);
}

/// Looks at the resident memory of this process now and then.
struct Watcher {
    stop: std::sync::mpsc::Sender<()>,
    thread: std::thread::JoinHandle<usize>,
}

impl Watcher {
    fn start() -> Watcher {
        let (stop, stopped) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let mut most = 0;
            while stopped.recv_timeout(Duration::from_millis(5)).is_err_and(|error| error == TIMEOUT) {
                most = most.max(resident());
            }
            most
        });
        Watcher { stop, thread }
    }

    fn stop(self) -> usize {
        self.stop.send(()).expect("the watcher waits for this");
        self.thread.join().expect("the watcher does not panic")
    }
}

const TIMEOUT: std::sync::mpsc::RecvTimeoutError = std::sync::mpsc::RecvTimeoutError::Timeout;

/// Resident bytes; nothing is known of them but on Linux.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: usize = statm.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
    pages * 4096
}

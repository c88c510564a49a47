//! Much memory: nothing takes more of it than a machine may have. It is alone in its process, whose memory it looks at.

#[path = "bulk/run.rs"]
mod run;

use std::time::Duration;

use erlet::vm::{Outcome, Vm};
use run::run;

/// Bytes that the machine of the test may hold.
const LIMIT: usize = 128 << 20;

/// Bytes that the operating system sees more of it: code, stacks, free blocks, what is below the accounts' notice.
const BESIDES: usize = 256 << 20;

#[test]
fn a_program_that_wants_all_memory_gets_an_error() {
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

//! What the tests of the embedding API share: machines of each kind with a module loaded, and the smallest executor.
#![allow(dead_code, reason = "each test uses its part")]

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

use erlet::{Capabilities, Outcome, Pool, Vm};

/// A machine of each kind, with module `m` of this source.
pub fn machines(source: &str, rights: &Capabilities) -> Vec<(&'static str, Vm)> {
    let pool = Pool::new(1).unwrap();
    let builders = [
        ("driven", Vm::builder().threads(0)),
        ("one thread", Vm::builder().threads(1)),
        ("two threads", Vm::builder().threads(2)),
        ("seed", Vm::builder().seed(5)),
        ("pool", Vm::builder().pool(&pool)),
    ];
    let load = |(name, builder): (&'static str, erlet::Builder)| {
        let vm = builder.capabilities(rights.clone()).build().unwrap();
        vm.load_source("m.erl", source).unwrap();
        (name, vm)
    };
    builders.into_iter().map(load).collect()
}

/// The reason that `main/0` of module `caller` of this source, run as a program, ends with.
pub fn reason(vm: &Vm, source: &str) -> String {
    vm.load_source("caller.erl", source).unwrap_or_else(|error| panic!("{error}"));
    match vm.run("caller", "main", &[]).expect("room for a process") {
        Outcome::Failed { reason, .. } => reason,
        outcome => panic!("{outcome:?}"),
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// The smallest executor: one future, on this thread.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut cx = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
        std::thread::park_timeout(Duration::from_millis(1));
    }
}

/// Waits for something that comes by itself.
pub fn until(what: impl Fn() -> bool) {
    let start = Instant::now();
    while !what() {
        assert!(start.elapsed() < Duration::from_secs(20), "it does not come");
        std::thread::sleep(Duration::from_millis(1));
    }
}

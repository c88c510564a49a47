//! The last handle of a machine goes away in all kinds of places, and a thousand machines leave no memory: every allocation is
//! counted, so nothing else may run in this program meanwhile.

mod embedding;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use embedding::block_on;
use erlet::{Error, Pid, Pool, Resource, Value, Vm, WeakVm};

/// Counts what is allocated and not freed.
struct Counting;

static ALLOCATIONS: AtomicIsize = AtomicIsize::new(0);
static BYTES: AtomicIsize = AtomicIsize::new(0);

// SAFETY: everything is the system's allocator's; it only counts.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        BYTES.fetch_add(layout.size() as isize, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        ALLOCATIONS.fetch_sub(1, Ordering::Relaxed);
        BYTES.fetch_sub(layout.size() as isize, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        BYTES.fetch_add(size as isize - layout.size() as isize, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The tests of this file run in turn: they look at what the whole program holds.
static ALONE: Mutex<()> = Mutex::new(());

/// What the program holds: allocations, bytes, machines' threads (those of the test program come and go), open files.
#[derive(Clone, Copy, Debug)]
struct Held {
    allocations: isize,
    bytes: isize,
    threads: usize,
    files: usize,
}

fn held() -> Held {
    let entries = |folder: &str| std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_ours = |thread: &std::fs::DirEntry| {
        std::fs::read_to_string(thread.path().join("comm")).is_ok_and(|name| name.starts_with("erlet"))
    };
    let (threads, files) =
        (entries("/proc/self/task").filter(is_ours).count(), entries("/proc/self/fd").count());
    Held {
        allocations: ALLOCATIONS.load(Ordering::SeqCst),
        bytes: BYTES.load(Ordering::SeqCst),
        threads,
        files,
    }
}

/// What libraries keep for a thread or for ever, whenever they are first used: queues' epochs, names of threads, standard output.
const KEPT_ALLOCATIONS: isize = 16;
const KEPT_BYTES: isize = 8 << 10;

/// Threads leave a moment after the last handle has gone.
fn settle(before: Held) {
    let start = Instant::now();
    loop {
        let now = held();
        let memory = now.allocations <= before.allocations + KEPT_ALLOCATIONS
            && now.bytes <= before.bytes + KEPT_BYTES;
        if memory && now.threads <= before.threads && now.files <= before.files {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "before {before:?}, after {now:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

const SOURCE: &str = "
-module(m).
-export([main/1, calls/1, keeps/1, waits/0, late/1, spins/0]).
main(N) ->
    process_flag(trap_exit, true),
    T = ets:new(t, [named_table]),
    ets:insert(T, [{K, lists:seq(1, K)} || K <- lists:seq(1, 50)]),
    Ps = [spawn_link(fun() -> receive {go, From} -> From ! {done, self(), binary:copy(<<1>>, 1000)} end end) || _ <- lists:seq(1, N)],
    [P ! {go, self()} || P <- Ps],
    [receive {done, P, _} -> ok end || P <- Ps],
    erlang:send_after(3600000, self(), later),
    spawn(fun() -> receive never -> ok end end),
    persistent_term:put(key, lists:seq(1, 100)),
    length([atom_to_list(list_to_atom(\"a\" ++ integer_to_list(K))) || K <- lists:seq(1, 20)]).
calls(R) -> host:last(), keeps(R).
keeps(R) -> receive never -> R end.
waits() -> receive never -> ok end.
late(Pid) -> timer:sleep(30), Pid ! late.
spins() -> spins().
";

fn alone() -> std::sync::MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A resource whose drop shows that the machine's processes are gone.
struct Gone(Arc<AtomicUsize>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn is_gone(weak: &WeakVm, gone: &Arc<AtomicUsize>, what: &str) {
    let start = Instant::now();
    while weak.upgrade().is_some() || gone.load(Ordering::SeqCst) == 0 {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}: the machine is still there");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A machine with `m`, a process that holds a resource, and a sign that the resource was dropped.
fn machine(builder: erlet::Builder) -> (Vm, Arc<AtomicUsize>) {
    let vm = builder.build().unwrap();
    vm.load_source("m.erl", SOURCE).unwrap();
    let gone = Arc::new(AtomicUsize::new(0));
    vm.spawn("m", "keeps", (Resource::new(Gone(Arc::clone(&gone))),)).unwrap();
    (vm, gone)
}

#[test]
fn a_thousand_machines_leave_no_memory() {
    let _alone = alone();
    let compiled = Vm::builder().threads(0).build().unwrap().compile("m.erl", SOURCE).unwrap();
    let life = |threads: usize| {
        let vm = Vm::builder().threads(threads).build().unwrap();
        vm.load_bytecode(&compiled).unwrap();
        vm.module("host").function("last", || 0).install().unwrap();
        let mailbox = vm.mailbox().unwrap();
        assert_eq!(vm.call::<i64>("m", "main", (10,)).unwrap(), 20);
        vm.send(mailbox.pid(), ("text", vec![0_u8; 500])).unwrap();
    };
    (0..50).for_each(|number| life(number % 3));
    // Threads of a pool stay for two seconds.
    std::thread::sleep(Duration::from_millis(2500));
    let before = held();
    (0..1000).for_each(|number| life(number % 3));
    settle(before);
    println!("before {before:?}, after {:?}", held());
}

/// The host keeps a handle only in a host function, which lets go of it: on the very worker that the machine's end has to wait for.
#[test]
fn the_last_handle_goes_in_a_host_function() {
    let _alone = alone();
    let pool = Pool::new(1).unwrap();
    let kinds = [
        ("a worker", Vm::builder().threads(1)),
        ("two", Vm::builder().threads(2)),
        ("a pool", Vm::builder().pool(&pool)),
    ];
    for (what, builder) in kinds {
        let (vm, gone) = machine(builder);
        let slot = Arc::new(Mutex::new(None));
        let last = Arc::clone(&slot);
        vm.module("host").function("last", move || drop(last.lock().unwrap().take())).install().unwrap();
        let weak = vm.downgrade();
        *slot.lock().unwrap() = Some(vm.clone());
        vm.spawn("m", "calls", (0,)).unwrap();
        drop(vm);
        is_gone(&weak, &gone, what);
    }
    // A blocking one lets go of it on a thread of the machine's own pool.
    let (vm, gone) = machine(Vm::builder().threads(1));
    let slot = Arc::new(Mutex::new(None));
    let last = Arc::clone(&slot);
    vm.module("host").blocking("last", move || drop(last.lock().unwrap().take())).install().unwrap();
    let weak = vm.downgrade();
    *slot.lock().unwrap() = Some(vm.clone());
    vm.spawn("m", "calls", (0,)).unwrap();
    drop(vm);
    is_gone(&weak, &gone, "a blocking function");
}

/// A future holds the last handle: dropped while it waits, or when it has its answer.
#[test]
fn the_last_handle_goes_in_an_async_task() {
    let _alone = alone();
    for threads in [0, 1, 2] {
        let (vm, gone) = machine(Vm::builder().threads(threads));
        let weak = vm.downgrade();
        let task = async move { vm.call_async::<i64>("m", "main", (3,)).await };
        assert_eq!(block_on(task).unwrap(), 20);
        is_gone(&weak, &gone, "an async task");

        let (vm, gone) = machine(Vm::builder().threads(threads));
        let weak = vm.downgrade();
        let call = vm.call_async::<Value>("m", "waits", ());
        drop(vm);
        assert!(weak.upgrade().is_some(), "a call that is awaited keeps its machine");
        drop(call);
        is_gone(&weak, &gone, "a call that is given up");
    }
}

/// Dropped on another thread while a process runs without end, and while calls are made.
#[test]
fn the_last_handle_goes_while_others_are_busy() {
    let _alone = alone();
    for threads in [1, 2] {
        let (vm, gone) = machine(Vm::builder().threads(threads));
        let weak = vm.downgrade();
        vm.spawn("m", "spins", ()).unwrap();
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let vm = vm.clone();
                std::thread::spawn(move || {
                    (0..20).for_each(|_| assert_eq!(vm.call::<i64>("m", "main", (2,)).unwrap_or(20), 20))
                })
            })
            .collect();
        drop(vm);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        is_gone(&weak, &gone, "threads");
    }
}

/// A mailbox that somebody waits at keeps its machine; the message comes, and then all is gone.
#[test]
fn the_last_handle_is_that_of_a_mailbox_that_waits() {
    let _alone = alone();
    for threads in [0, 1] {
        let (vm, gone) = machine(Vm::builder().threads(threads));
        let weak = vm.downgrade();
        let mailbox = vm.mailbox().unwrap();
        vm.spawn("m", "late", (mailbox.pid(),)).unwrap();
        let (ready, is_ready) = channel();
        let waiting = std::thread::spawn(move || {
            ready.send(()).unwrap();
            mailbox.recv::<Value>().unwrap()
        });
        is_ready.recv().unwrap();
        drop(vm);
        assert_eq!(waiting.join().unwrap(), Value::atom("late"));
        is_gone(&weak, &gone, "a mailbox");
    }
    // One that waits for nothing is told when the machine is stopped.
    let (vm, gone) = machine(Vm::builder().threads(1));
    let weak = vm.downgrade();
    let mailbox = vm.mailbox().unwrap();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| mailbox.recv::<Pid>());
        std::thread::sleep(Duration::from_millis(20));
        vm.stop();
        assert!(matches!(waiting.join().unwrap(), Err(Error::Stopped)));
    });
    drop(mailbox);
    drop(vm);
    is_gone(&weak, &gone, "a mailbox of a stopped machine");
}

#[test]
fn a_pool_outlives_its_machines_and_goes_when_it_may() {
    let _alone = alone();
    let before = held();
    let pool = Pool::new(2).unwrap();
    let (vm, gone) = machine(Vm::builder().pool(&pool));
    let (other, other_gone) = machine(Vm::builder().pool(&pool));
    let (weak, other_weak) = (vm.downgrade(), other.downgrade());
    assert_eq!(vm.call::<i64>("m", "main", (2,)).unwrap(), 20);
    drop(pool);
    assert_eq!(other.call::<i64>("m", "main", (2,)).unwrap(), 20);
    drop(vm);
    is_gone(&weak, &gone, "the first of a pool");
    assert_eq!(other.call::<Value>("erlang", "is_atom", (Value::atom("a"),)).unwrap(), Value::from(true));
    drop(other);
    is_gone(&other_weak, &other_gone, "the last of a pool");
    let start = Instant::now();
    while held().threads > before.threads {
        assert!(start.elapsed() < Duration::from_secs(20), "the pool's threads stay");
        std::thread::sleep(Duration::from_millis(5));
    }
}

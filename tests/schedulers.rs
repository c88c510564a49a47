//! Schedulers, signals and exits, driven with native bodies: no bytecode is needed to pass messages.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use erlet::atom::{Atoms, HashKey};
use erlet::code::{CodeServer, Natives};
use erlet::heap::Fragment;
use erlet::process::{Process, Signal, SignalKind, SliceEnd};
use erlet::runtime::entropy::Entropy;
use erlet::runtime::output::Output;
use erlet::runtime::{Config, Hooks, Native, Runtime, WorkerCx};
use erlet::sched::{Driver, Idleness, thread};
use erlet::term::{Pid, Word};

fn machine(config: Config) -> (Arc<Runtime>, Vec<erlet::runtime::queues::LocalQueues>) {
    let seed = config.seed.unwrap_or(1);
    let outputs = [Output::new(Box::new(std::io::sink())), Output::new(Box::new(std::io::sink()))];
    let atoms = Atoms::new(HashKey::from_seed(seed), 1 << 20);
    Runtime::new(
        config,
        atoms,
        CodeServer::new(Arc::new(Natives::new(std::iter::empty()))),
        Hooks::default(),
        Entropy::from_seed(seed),
        outputs,
    )
}

fn threaded(workers: usize) -> Arc<Runtime> {
    let (rt, locals) = machine(Config { workers, ..Config::default() });
    thread::prepare(&rt, locals);
    rt
}

fn send(worker: &mut WorkerCx, rt: &Runtime, from: &mut Process, to: Pid, number: i64) {
    let content = Fragment::immediate(Word::small(number)).expect("memory");
    rt.deliver_from(worker, Some(from), Signal::new(SignalKind::Message, to, content));
}

fn tell(rt: &Runtime, to: Pid, number: i64) {
    let content = Fragment::immediate(Word::small(number)).expect("memory");
    rt.deliver(&mut rt.outside(), Signal::new(SignalKind::Message, to, content));
}

fn next(process: &mut Process) -> Option<i64> {
    process.mailbox.remove().map(|message| message.root().small_value())
}

/// A body made of a closure.
struct Body<F>(F);

impl<F: FnMut(&mut WorkerCx, &Runtime, &mut Process) -> SliceEnd + Send> Native for Body<F> {
    fn step(&mut self, worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) -> SliceEnd {
        (self.0)(worker, rt, process)
    }
}

fn spawn(
    rt: &Runtime,
    body: impl FnMut(&mut WorkerCx, &Runtime, &mut Process) -> SliceEnd + Send + 'static,
) -> Pid {
    rt.spawn_native(&mut rt.outside(), Box::new(Body(body))).expect("room for a process")
}

/// A ring in which a number goes round and loses one at each step.
fn ring(rt: &Arc<Runtime>, members: usize, start: i64) -> mpsc::Receiver<()> {
    let (done, finished) = mpsc::channel();
    let mut next_pid: Option<Pid> = None;
    let first = Arc::new(AtomicU64::new(0));
    for _ in 0..members {
        let (done, to, first) = (done.clone(), next_pid, first.clone());
        next_pid = Some(spawn(rt, move |worker, rt, process| {
            process.charge(1);
            while let Some(number) = next(process) {
                if number == 0 {
                    let _ = done.send(());
                } else {
                    let to = to.unwrap_or_else(|| Pid::from_bits(first.load(Ordering::SeqCst)));
                    send(worker, rt, process, to, number - 1);
                }
            }
            SliceEnd::Wait
        }));
    }
    let head = next_pid.expect("the ring has members");
    first.store(head.bits(), Ordering::SeqCst);
    tell(rt, head, start);
    finished
}

#[test]
fn a_ring_runs_on_one_two_and_four_workers() {
    for workers in [1, 2, 4] {
        let rt = threaded(workers);
        let rings: Vec<_> = (0..4).map(|_| ring(&rt, 50, 20_000)).collect();
        for finished in rings {
            finished.recv_timeout(Duration::from_secs(60)).expect("the ring comes to its end");
        }
        rt.stop();
    }
}

#[test]
fn all_workers_take_part_after_a_burst() {
    const WORKERS: usize = 4;
    let rt = threaded(WORKERS);
    let seen: Arc<Vec<AtomicUsize>> = Arc::new((0..WORKERS).map(|_| AtomicUsize::new(0)).collect());
    // Each body goes on until all workers have been seen at work.
    let (done, finished) = mpsc::channel();
    for _ in 0..64 {
        let (seen, done) = (seen.clone(), done.clone());
        spawn(&rt, move |worker, _, process| {
            process.charge(4000);
            seen[worker.index()].fetch_add(1, Ordering::SeqCst);
            if seen.iter().all(|count| count.load(Ordering::SeqCst) > 0) {
                let _ = done.send(());
                return SliceEnd::Wait;
            }
            std::thread::yield_now();
            SliceEnd::Yield
        });
    }
    (0..64).for_each(|_| {
        finished.recv_timeout(Duration::from_secs(60)).expect("every worker gets something to do")
    });
    rt.stop();
}

#[test]
fn a_million_messages_from_many_senders_arrive_in_order() {
    let rt = threaded(3);
    let (done, finished) = mpsc::channel();
    const SENDERS: i64 = 8;
    const EACH: i64 = 20_000;
    let mut last = vec![-1; SENDERS as usize];
    let mut left = SENDERS * EACH;
    let sink = spawn(&rt, move |_, _, process| {
        while let Some(number) = next(process) {
            let (sender, count) = ((number / EACH) as usize, number % EACH);
            assert_eq!(last[sender] + 1, count, "order between one sender and one receiver");
            last[sender] = count;
            left -= 1;
        }
        if left == 0 {
            let _ = done.send(());
        }
        SliceEnd::Wait
    });
    for sender in 0..SENDERS {
        let mut sent = 0;
        spawn(&rt, move |worker, rt, process| {
            for _ in 0..500 {
                if sent == EACH {
                    return SliceEnd::Wait;
                }
                send(worker, rt, process, sink, sender * EACH + sent);
                process.charge(1);
                sent += 1;
            }
            SliceEnd::Yield
        });
    }
    finished.recv_timeout(Duration::from_secs(60)).expect("all arrive");
    rt.stop();
}

/// Runs a seeded machine to its end and gives what `program` reported.
fn seeded(seed: u64, program: impl Fn(&Arc<Runtime>, mpsc::Sender<String>)) -> Vec<String> {
    let (rt, mut locals) = machine(Config { seed: Some(seed), ..Config::default() });
    let (report, reports) = mpsc::channel();
    program(&rt, report);
    let mut driver = Driver::new(rt.clone(), 0, locals.remove(0), false).expect("a driver needs nothing");
    assert_eq!(driver.run_until_idle(1_000_000), Idleness::Quiet);
    drop(driver);
    drop(rt);
    reports.try_iter().collect()
}

#[test]
fn the_same_seed_gives_the_same_order_and_other_seeds_other_orders() {
    let program = |rt: &Arc<Runtime>, report: mpsc::Sender<String>| {
        for name in 0..6 {
            let report = report.clone();
            let mut steps = 0;
            spawn(rt, move |_, _, _| {
                let _ = report.send(format!("{name}.{steps}"));
                steps += 1;
                if steps < 5 { SliceEnd::Yield } else { SliceEnd::Wait }
            });
        }
    };
    let orders: Vec<_> = (0..5).map(|seed| seeded(seed, program)).collect();
    for (seed, order) in orders.iter().enumerate() {
        assert_eq!(*order, seeded(seed as u64, program));
        assert_eq!(order.len(), 30);
    }
    assert!((1..5).any(|seed| orders[seed] != orders[0]), "the seed decides");
}

//! What it costs to cross the border between Rust and Erlang, on this computer: `cargo run --release --example call_cost`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use erlet::{Error, Function, Mailbox, Pid, Vm};

const SOURCE: &str = "
add(A, B) -> A + B.
make() -> fun(A, B) -> A + B end.
serve() -> receive {From, N, What} -> From ! {N, What}, serve() end.
";

/// The best of several rounds, in nanoseconds for each of `times`.
fn best(times: usize, mut round: impl FnMut() -> Result<(), Error>) -> Result<f64, Error> {
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        round()?;
        best = best.min(start.elapsed().as_nanos() as f64 / times as f64);
    }
    Ok(best)
}

fn calls(vm: &Vm, times: usize) -> Result<f64, Error> {
    best(times, || {
        for n in 0..times {
            let sum: usize = vm.call("cost", "add", (black_box(n), 1))?;
            assert_eq!(sum, n + 1);
        }
        Ok(())
    })
}

fn fun_calls(vm: &Vm, times: usize) -> Result<f64, Error> {
    let fun: Function = vm.call("cost", "make", ())?;
    best(times, || {
        for n in 0..times {
            let sum: usize = fun.call(vm, (black_box(n), 1))?;
            assert_eq!(sum, n + 1);
        }
        Ok(())
    })
}

/// One call after a pause in which everybody has fallen asleep.
fn cold(vm: &Vm) -> Result<f64, Error> {
    let mut best = f64::INFINITY;
    for n in 0..200_usize {
        std::thread::sleep(Duration::from_millis(2));
        let start = Instant::now();
        let _: usize = vm.call("cost", "add", (n, 1))?;
        best = best.min(start.elapsed().as_nanos() as f64);
    }
    Ok(best)
}

/// Requests to a server, with so many on their way at a time.
fn requests(vm: &Vm, outstanding: usize, times: usize) -> Result<f64, Error> {
    let server = vm.spawn("cost", "serve", ())?;
    let mailbox = vm.mailbox()?;
    let send = |mailbox: &Mailbox, n: usize| vm.send(server, (mailbox.pid(), n, 42));
    let cost = best(times, || {
        (0..outstanding).try_for_each(|n| send(&mailbox, n))?;
        for n in 0..times {
            let (number, _): (usize, i64) = mailbox.recv()?;
            assert_eq!(number, n);
            send(&mailbox, n + outstanding)?;
        }
        (0..outstanding).try_for_each(|_| mailbox.recv::<(usize, i64)>().map(drop))
    })?;
    vm.exit(server, erlet::Atom::new("kill"))?;
    Ok(cost)
}

/// Calls of which so many are on their way at a time.
fn many_calls(vm: &Vm, outstanding: usize, times: usize) -> Result<f64, Error> {
    best(times, || {
        for _ in 0..times / outstanding {
            let calls: Vec<_> =
                (0..outstanding).map(|n| vm.call_async::<usize>("cost", "add", (n, 1))).collect();
            for (n, call) in calls.into_iter().enumerate() {
                assert_eq!(call.wait()?, n + 1);
            }
        }
        Ok(())
    })
}

fn report(name: &str, vm: &Vm, times: usize) -> Result<(), Error> {
    vm.load_source("cost.erl", SOURCE)?;
    println!("{name}: call {:.0} ns", calls(vm, times)?);
    println!("{name}: call of a fun {:.0} ns", fun_calls(vm, times)?);
    println!("{name}: call_async, 64 outstanding {:.0} ns", many_calls(vm, 64, times)?);
    println!("{name}: request and reply, 1 outstanding {:.0} ns", requests(vm, 1, times)?);
    println!("{name}: request and reply, 64 outstanding {:.0} ns", requests(vm, 64, times)?);
    Ok(())
}

fn main() -> Result<(), Error> {
    let _: Option<Pid> = None;
    let driven = Vm::builder().threads(0).build()?;
    report("driven", &driven, 100_000)?;
    for threads in [1, 2] {
        let vm = Vm::builder().threads(threads).build()?;
        report(&format!("{threads} threads"), &vm, 20_000)?;
        println!("{threads} threads: cold call {:.0} ns", cold(&vm)?);
    }
    let pool = erlet::Pool::new(1)?;
    let pooled = Vm::builder().pool(&pool).build()?;
    report("pool", &pooled, 20_000)?;
    let start = Instant::now();
    for _ in 0..200 {
        let vm = Vm::builder().threads(0).build()?;
        vm.load_source("cost.erl", SOURCE)?;
        vm.call::<i64>("cost", "add", (1, 2))?;
    }
    println!("create, load, call, drop: {:.1} us", start.elapsed().as_micros() as f64 / 200.0);
    Ok(())
}

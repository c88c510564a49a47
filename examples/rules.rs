//! Business rules in Erlang, called 100,000 times from four threads and replaced while they are: `cargo run --example rules`.
//!
//! A call that has begun ends with the rules it began with, the next one finds the new ones: nobody waits for a reload, and
//! nobody sees half of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use erlet::{Atom, Error, Vm};

const CALLS: usize = 100_000;
const THREADS: usize = 4;

/// The rules with this much off for good customers, in percent.
fn rules(percent_off: u32) -> String {
    format!(
        r#"
        -module(rules).
        -export([price/2]).

        %% What a customer pays for goods of this worth, in cents.
        price(_, Cents) when not is_integer(Cents); Cents < 0 -> {{error, bad_price}};
        price(gold, Cents) when Cents >= 10000 -> {{ok, reduced(Cents)}};
        price(Kind, Cents) when Kind =:= gold; Kind =:= plain -> {{ok, Cents}};
        price(_, _) -> {{error, unknown_customer}}.

        reduced(Cents) -> Cents - Cents * {percent_off} div 100.
        "#
    )
}

fn main() -> Result<(), Error> {
    let vm = Vm::builder().build()?;
    vm.load_source("rules.erl", rules(10))?;

    // `{ok, Price}` and `{error, Reason}` are Rust's `Result`.
    let refused: Result<i64, Atom> = vm.call("rules", "price", (Atom::new("gold"), -1))?;
    assert_eq!(refused, Err(Atom::new("bad_price")));

    let (done, begun) = (AtomicBool::new(false), Instant::now());
    let reloads = std::thread::scope(|scope| {
        let callers: Vec<_> = (0..THREADS).map(|_| scope.spawn(|| call(&vm))).collect();
        let reloader = scope.spawn(|| reload(&vm, &done));
        let called: Result<Vec<()>, Error> =
            callers.into_iter().map(|caller| caller.join().expect("no panic")).collect();
        done.store(true, Ordering::Relaxed);
        let reloads = reloader.join().expect("no panic")?;
        called.map(|_| reloads)
    })?;
    let seconds = begun.elapsed().as_secs_f64();
    println!("{CALLS} calls from {THREADS} threads and {reloads} reloads in {seconds:.2} s");
    Ok(())
}

/// A quarter of the calls. Each answer is that of one set of rules or the other.
fn call(vm: &Vm) -> Result<(), Error> {
    let gold = Atom::new("gold");
    for _ in 0..CALLS / THREADS {
        let price: Result<i64, Atom> = vm.call("rules", "price", (&gold, 20_000))?;
        assert!(matches!(price, Ok(18_000 | 15_000)), "{price:?}");
    }
    Ok(())
}

/// Loads new rules, again and again, until all calls are made; how often that was.
fn reload(vm: &Vm, done: &AtomicBool) -> Result<usize, Error> {
    let mut reloads = 0;
    while !done.load(Ordering::Relaxed) {
        reloads += 1;
        vm.load_source("rules.erl", rules(if reloads % 2 == 0 { 10 } else { 25 }))?;
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(reloads)
}

#[test]
fn every_answer_is_that_of_one_set_of_rules() {
    main().expect("no error");
}

//! `cargo bench`: all engines side by side.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use erlet_bench_embed::erlang::{Driven, Threaded};
use erlet_bench_embed::{Engine, lua::Lua, rhai::Rhai, rune::Rune};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Host calls in one run of the script's loop: the cost of one is a thousandth of the figure's.
const HOST_CALLS: i64 = 1000;

/// How long an engine rests before a call that finds its threads parked.
const REST: Duration = Duration::from_millis(2);

/// One call after each rest; only the calls count.
fn cold_calls<E: Engine>(criterion: &mut Criterion) {
    let mut engine = E::new();
    let mut group = criterion.benchmark_group("call_cold");
    // The time is that of the calls alone: with the rests, a second.
    group.warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(10)).sample_size(20);
    group.bench_function(BenchmarkId::from_parameter(E::NAME), |bencher| {
        bencher.iter_custom(|times| {
            let one = |_| {
                std::thread::sleep(REST);
                let start = Instant::now();
                black_box(engine.add(black_box(40), black_box(2)));
                start.elapsed()
            };
            (0..times).map(one).sum()
        });
    });
    group.finish();
}

fn engine<E: Engine>(criterion: &mut Criterion) {
    if E::PARKS {
        cold_calls::<E>(criterion);
    }
    let mut measure = |what: &str, body: &mut dyn FnMut()| {
        let mut group = criterion.benchmark_group(what);
        group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1)).sample_size(20);
        group.bench_function(BenchmarkId::from_parameter(E::NAME), |bencher| bencher.iter(&mut *body));
        group.finish();
    };
    measure("create_first_call_drop", &mut || {
        let mut engine = E::new();
        assert_eq!(engine.add(40, 2), 42);
    });
    if let Some(bytecode) = E::new().bytecode() {
        measure("create_from_bytecode", &mut || {
            let mut engine = E::of_bytecode(&bytecode).expect("it gives bytecode");
            assert_eq!(engine.add(40, 2), 42);
        });
    }
    let mut engine = E::new();
    measure("call_two_integers", &mut || {
        black_box(engine.add(black_box(40), black_box(2)));
    });
    measure("host_calls_1000", &mut || {
        black_box(engine.host_calls(black_box(HOST_CALLS)));
    });
    let text = "x".repeat(10_000);
    measure("string_10_kb", &mut || {
        black_box(engine.length(black_box(&text)));
    });
    let numbers: Vec<i64> = (1..=1000).collect();
    measure("list_of_1000", &mut || {
        black_box(engine.sum(black_box(&numbers)));
    });
    measure("fib_25", &mut || {
        black_box(engine.fib(black_box(25)));
    });
    if engine.requests(1).is_some() {
        measure("requests_64_outstanding", &mut || {
            black_box(engine.requests(black_box(64)));
        });
    }
    if engine.tasks(1).is_some() {
        measure("tasks_10000", &mut || {
            black_box(engine.tasks(black_box(10_000)));
        });
    }
}

fn all(criterion: &mut Criterion) {
    engine::<Driven>(criterion);
    engine::<Threaded>(criterion);
    engine::<Lua>(criterion);
    engine::<Rhai>(criterion);
    engine::<Rune>(criterion);
}

criterion_group!(embed, all);
criterion_main!(embed);

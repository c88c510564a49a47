//! Many machines in one operating system process: nothing of one reaches another, and nothing is left of any.

use std::sync::Arc;
use std::time::{Duration, Instant};

use erlet::lang::{NoIncludes, Options, compile::compile, verify::Verified, verify::verify};
use erlet::vm::{Outcome, Value, Vm};

/// A program in which processes, timers, names, links and monitors are alive when it ends.
const PROGRAM: &str = r#"
-module(little).
-export([main/1]).
main(N) ->
    Me = self(),
    register(main, Me),
    process_flag(trap_exit, true),
    Workers = [spawn_link(fun() -> receive {go, K} -> Me ! {done, self(), K * 2}, receive never -> ok end end end)
               || _ <- [a, b, c, d]],
    erlang:send_after(3600000, Me, later),
    send(Workers, 1),
    20 = collect(4, 0),
    P = spawn(fun() -> exit(gone) end),
    R = monitor(process, P),
    receive {'DOWN', R, process, P, _} -> ok end,
    spawn(fun() -> receive after 1800000 -> ok end end),
    exit({result, N + 1}).
send([], _) -> ok;
send([W | Ws], K) -> W ! {go, K}, send(Ws, K + 1).
collect(0, Sum) -> Sum;
collect(N, Sum) -> receive {done, _, K} -> collect(N - 1, Sum + K) end.
"#;

fn program() -> Arc<Verified> {
    let mut includes = NoIncludes;
    let mut compilation = compile("little.erl", PROGRAM.as_bytes(), &Options::default(), &mut includes);
    let Some(module) = compilation.module.take() else { panic!("{}", compilation.session.render(false)) };
    Arc::new(verify(module).expect("what is compiled is accepted"))
}

fn run_one(program: &Verified, number: i64, vm: Vm) {
    vm.load(program).expect("room for a module");
    let outcome = vm.run("little", "main", &[Value::Int(number)]).expect("room for a process");
    let reason = format!("{{result,{}}}", number + 1);
    assert_eq!(outcome, Outcome::Failed { reason, reported: false });
}

/// Threads and open files of this operating system process.
#[cfg(target_os = "linux")]
fn threads_and_files() -> (usize, usize) {
    let count = |folder: &str| std::fs::read_dir(folder).map_or(0, Iterator::count);
    (count("/proc/self/task"), count("/proc/self/fd"))
}

#[cfg(target_os = "linux")]
fn resident_kilobytes() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
    let pages: usize = statm.split_whitespace().nth(1).expect("the second field").parse().expect("a number");
    pages * 4
}

/// Dropping a machine does not wait for its workers, so their end is waited for here.
#[cfg(target_os = "linux")]
fn settle(before: (usize, usize)) {
    let start = Instant::now();
    loop {
        let now = threads_and_files();
        if now.0 <= before.0 && now.1 <= before.1 {
            return;
        }
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "threads and files: before {before:?}, after {now:?}"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_hundred_at_once_and_a_thousand_in_turn_leave_nothing() {
    let program = program();
    run_one(&program, 0, Vm::builder().threads(2).build().expect("a machine"));
    std::thread::sleep(Duration::from_millis(200));
    let before = threads_and_files();

    let machines: Vec<Vm> = (0..100).map(|_| Vm::builder().threads(2).build().expect("a machine")).collect();
    std::thread::scope(|scope| {
        for (number, vm) in machines.into_iter().enumerate() {
            let program = &program;
            scope.spawn(move || run_one(program, number as i64, vm));
        }
    });
    settle(before);

    for number in 0..100 {
        run_one(&program, number, Vm::builder().threads(2).build().expect("a machine"));
    }
    settle(before);
    let memory = resident_kilobytes();
    for number in 0..1000 {
        run_one(&program, number, Vm::builder().threads(1 + number as usize % 2).build().expect("a machine"));
    }
    settle(before);
    let grown = resident_kilobytes().saturating_sub(memory);
    assert!(grown < 16 * 1024, "{grown} KB more after a thousand machines");
}

#[test]
fn a_machine_driven_by_its_owner_runs_without_threads() {
    let program = program();
    run_one(&program, 7, Vm::builder().threads(0).build().expect("a machine"));
    run_one(&program, 8, Vm::builder().seed(3).build().expect("a machine"));
}

#[test]
fn a_program_in_which_nothing_can_happen_is_stuck() {
    let source = "-module(stuck).\n-export([main/0]).\nmain() -> receive never -> ok end.\n";
    let mut includes = NoIncludes;
    let compilation = compile("stuck.erl", source.as_bytes(), &Options::default(), &mut includes);
    let module = verify(compilation.module.expect("it compiles")).expect("and is accepted");
    let vm = Vm::builder().seed(1).build().expect("a machine");
    vm.load(&module).expect("room for a module");
    assert_eq!(vm.run("stuck", "main", &[]).expect("room for a process"), Outcome::Stuck);
}

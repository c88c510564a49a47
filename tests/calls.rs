//! Calling Erlang from Rust: what comes back, what goes wrong, and what is left afterwards.

use std::time::Duration;

mod embedding;

use embedding::{block_on, until};
use erlet::{Atom, Capabilities, Class, Error, Function, Pid, ProcessOptions, Value, Vm};

const SOURCE: &str = "
-module(m).
-compile(export_all).
fails() -> error({bad, thing}).
exits() -> exit(tired).
throws() -> throw(ball).
deep(0) -> error(bottom);
deep(N) -> 1 + deep(N - 1).
clause(a) -> ok.
waits() -> receive never -> ok end.
sleeps(Time) -> receive after Time -> slept end.
spins() -> spins().
killed() -> exit(self(), kill), receive never -> ok end.
linked() -> spawn_link(fun() -> exit(broken) end), receive never -> ok end.
halts() -> erlang:halt(7).
named() -> register(only_one, self()), whereis(only_one) =:= self().
owns() -> ets:new(table, [named_table]), ets:insert(table, {a, 1}), ets:lookup(table, a).
leader() -> group_leader().
traps() -> process_info(self(), trap_exit).
spawns() ->
    Me = self(),
    Child = spawn_link(fun() -> Me ! ready, receive never -> ok end end),
    receive ready -> ok end,
    register(child, Child),
    receive never -> ok end.
adder(N) -> fun(X) -> X + N end.
";

fn machines() -> Vec<(&'static str, Vm)> {
    embedding::machines(SOURCE, &Capabilities::none().halt(true))
}

#[test]
fn exceptions_come_back_with_class_reason_and_stack() {
    for (name, vm) in machines() {
        let raised = |function: &str, args: Vec<Value>| match vm.call::<Value>("m", function, args) {
            Err(Error::Exception(exception)) => *exception,
            other => panic!("{name}: {other:?}"),
        };
        let error = raised("fails", vec![]);
        assert_eq!((error.class, error.reason.to_string().as_str()), (Class::Error, "{bad,thing}"));
        let frame = &error.stack[0];
        assert_eq!((frame.module.as_str(), frame.function.as_str(), frame.arity), ("m", "fails", 0));
        assert_eq!((frame.file.as_deref(), frame.line), (Some("m.erl"), Some(4)));

        let exit = raised("exits", vec![]);
        assert_eq!((exit.class, exit.reason), (Class::Exit, Value::atom("tired")));
        assert_eq!(exit.stack[0].function, "exits");
        let throw = raised("throws", vec![]);
        assert_eq!((throw.class, throw.reason), (Class::Throw, Value::atom("ball")));
        let clause = raised("clause", vec![Value::atom("b")]);
        assert_eq!(clause.reason, Value::atom("function_clause"));
        assert_eq!(clause.stack[0].arguments, Some(vec![Value::atom("b")]));
        let undefined = raised("nothing", vec![]);
        assert_eq!(undefined.reason, Value::atom("undef"));
        assert_eq!(raised("deep", vec![Value::from(3)]).reason, Value::atom("bottom"));
    }
}

#[test]
fn one_that_is_ended_from_outside_gives_the_reason() {
    for (name, vm) in machines() {
        let reason = |function| match vm.call::<Value>("m", function, ()) {
            Err(Error::Exit(reason)) => *reason,
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(reason("killed"), Value::atom("killed"));
        assert_eq!(reason("linked"), Value::atom("broken"));
    }
}

#[test]
fn what_a_call_owned_is_free_when_it_returns() {
    for (name, vm) in machines() {
        for _ in 0..3 {
            assert!(vm.call::<bool>("m", "named", ()).unwrap(), "{name}");
            assert!(vm.whereis("only_one").is_none(), "{name}");
            let found: Vec<(Atom, i64)> = vm.call("m", "owns", ()).unwrap();
            assert_eq!(found, [(Atom::new("a"), 1)], "{name}");
        }
    }
}

#[test]
fn options_are_those_of_the_process() {
    for (name, vm) in machines() {
        let leader: Pid = vm.call("m", "leader", ()).unwrap();
        assert_eq!(Some(leader), vm.whereis("user"), "{name}");
        let mailbox = vm.mailbox().unwrap();
        let options = ProcessOptions::new().trap_exit(true).group_leader(mailbox.pid());
        let leader: Pid = vm.call_with(&options, "m", "leader", ()).unwrap();
        assert_eq!(leader, mailbox.pid(), "{name}");
        let traps: (Atom, bool) = vm.call_with(&options, "m", "traps", ()).unwrap();
        assert!(traps.1, "{name}");
    }
}

#[test]
fn time_that_has_passed_ends_the_process_and_what_is_linked_to_it() {
    for (name, vm) in machines() {
        let before: Vec<Value> = vm.call("erlang", "processes", ()).unwrap();
        for function in ["waits", "spins", "spawns"] {
            let result = vm.call_timeout::<Value>(Duration::from_millis(20), "m", function, ());
            assert!(matches!(result, Err(Error::Timeout)), "{name} {function}: {result:?}");
        }
        let slept: Atom = vm.call_timeout(Duration::from_secs(30), "m", "sleeps", (1,)).unwrap();
        assert_eq!(slept, "slept");
        until(|| vm.call::<Vec<Value>>("erlang", "processes", ()).unwrap().len() == before.len());
    }
}

#[test]
fn a_machine_that_is_over_says_so() {
    for (name, vm) in machines() {
        assert!(matches!(vm.call::<Value>("m", "halts", ()), Err(Error::Halted(7))), "{name}");
        assert!(matches!(vm.call::<Value>("m", "traps", ()), Err(Error::Halted(7))), "{name}");
    }
    for (name, vm) in machines() {
        vm.stop();
        assert!(matches!(vm.call::<Value>("m", "traps", ()), Err(Error::Stopped)), "{name}");
    }
}

#[test]
fn stopping_wakes_who_waits() {
    let vm = Vm::builder().threads(1).build().unwrap();
    vm.load_source("m.erl", SOURCE).unwrap();
    std::thread::scope(|scope| {
        let called = scope.spawn(|| vm.call::<Value>("m", "waits", ()));
        let awaited = scope.spawn(|| block_on(vm.call_async::<Value>("m", "waits", ())));
        std::thread::sleep(Duration::from_millis(20));
        vm.stop();
        assert!(matches!(called.join().unwrap(), Err(Error::Stopped)));
        assert!(matches!(awaited.join().unwrap(), Err(Error::Stopped)));
    });
}

#[test]
fn a_driven_machine_in_which_nothing_can_happen_is_stuck() {
    for vm in [Vm::builder().threads(0), Vm::builder().seed(1)].map(|builder| builder.build().unwrap()) {
        vm.load_source("m.erl", SOURCE).unwrap();
        assert!(matches!(vm.call::<Value>("m", "waits", ()), Err(Error::Stuck)));
    }
}

#[test]
fn calls_are_futures() {
    for (name, vm) in machines() {
        let sums = block_on(async {
            let calls: Vec<_> = (0..100).map(|n| vm.call_async::<i64>("erlang", "+", (n, n))).collect();
            let mut sums = Vec::new();
            for call in calls {
                sums.push(call.await?);
            }
            Ok::<_, Error>(sums)
        });
        assert_eq!(sums.unwrap(), (0..100).map(|n| n + n).collect::<Vec<i64>>(), "{name}");
        let failed = block_on(vm.call_async::<i64>("m", "fails", ()));
        assert!(matches!(failed, Err(Error::Exception(_))), "{name}");
    }
}

#[test]
fn a_dropped_future_ends_its_process_and_what_is_linked_to_it() {
    let vm = Vm::builder().threads(2).build().unwrap();
    vm.load_source("m.erl", SOURCE).unwrap();
    let call = vm.call_async::<Value>("m", "spawns", ());
    until(|| vm.whereis("child").is_some());
    let (caller, child) = (call.pid().unwrap(), vm.whereis("child").unwrap());
    drop(call);
    until(|| !vm.is_alive(caller) && !vm.is_alive(child));
}

#[test]
fn funs_are_kept_and_called_also_after_their_module_was_replaced() {
    for (name, vm) in machines() {
        let add: Function = vm.call("m", "adder", (40,)).unwrap();
        assert_eq!(add.call::<i64>(&vm, (2,)).unwrap(), 42, "{name}");
        vm.load_source("m.erl", SOURCE.replace("X + N", "X - N")).unwrap();
        assert_eq!(add.call::<i64>(&vm, (2,)).unwrap(), 42, "{name}: a fun is the code it was made by");
        let bad = add.call::<i64>(&vm, ());
        assert!(matches!(&bad, Err(Error::Exception(e)) if e.reason.to_string().starts_with("{badarity")));
        let other = Vm::builder().threads(0).build().unwrap();
        assert!(matches!(add.call::<i64>(&other, (1,)), Err(Error::OtherVm)));
    }
}

#[test]
fn code_is_replaced_as_often_as_one_likes() {
    for (name, vm) in machines() {
        for n in 0..10 {
            vm.load_source("v.erl", format!("version() -> {n}.")).unwrap();
            assert_eq!(vm.call::<i64>("v", "version", ()).unwrap(), n, "{name}");
        }
    }
}

#[test]
fn what_does_not_compile_is_told_as_data_and_as_text() {
    let vm = Vm::builder().threads(0).build().unwrap();
    let Err(Error::Compile(diagnostics)) = vm.load_source("x.erl", "f() -> A.\ng( -> 1.\n") else {
        panic!("it has two errors")
    };
    let lines: Vec<u32> = diagnostics.errors().map(|diagnostic| diagnostic.line).collect();
    assert!(lines.contains(&2), "{diagnostics}");
    assert!(diagnostics.to_string().contains("x.erl"), "{diagnostics}");
    // A file that cannot be read is named.
    for failed in [vm.load_file("no/such.erl").map(drop), vm.load_files(["no/such.erl"]).map(drop)] {
        let Err(Error::System(error)) = failed else { panic!("there is no such file") };
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
        assert!(error.to_string().contains("no/such.erl"), "{error}");
    }
    let loaded = vm.load_source("y.erl", "f() -> A = 1, ok.\n").unwrap();
    assert_eq!(loaded.warnings.iter().count(), 1, "{}", loaded.warnings);
    assert!(matches!(vm.eval::<Value>("1 +"), Err(Error::Compile(_))));
    assert_eq!(vm.eval::<i64>("A = 20, A + 22.").unwrap(), 42);
}

#[test]
fn many_threads_call_one_machine() {
    for (name, vm) in machines() {
        std::thread::scope(|scope| {
            for thread in 0..4_i64 {
                let vm = vm.clone();
                scope.spawn(move || {
                    for n in 0..500_i64 {
                        assert_eq!(vm.call::<i64>("erlang", "+", (n, thread)).unwrap(), n + thread, "{name}");
                    }
                });
            }
        });
    }
}

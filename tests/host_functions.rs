//! Host functions: Rust closures called from Erlang, what they raise, what happens when they panic, wait, or hold objects.

mod embedding;

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context as TaskContext, Poll, Wake, Waker};
use std::time::Duration;

use erlet::vm::Vm;
use erlet::{AsTerm, Atom, Bytes, Context, Error, HostError, Pid, Pool, ProcessOptions, Resource, Value};

/// What the program's `main/0` ends with, an expression and functions that it calls.
fn result_of(vm: &Vm, body: &str) -> String {
    let source = format!(
        "-module(caller).\n-export([main/0, raised/1]).\nmain() -> exit({{result, {body}}}).\n\
         raised(F) -> try F() catch C:R -> {{C, R}} end.\n"
    );
    embedding::reason(vm, &source)
}

fn machine(threads: usize) -> Vm {
    Vm::builder().threads(threads).build().expect("a machine")
}

fn both(install: impl Fn(&Vm), body: &str, expected: &str) {
    for threads in [0, 2] {
        let vm = machine(threads);
        install(&vm);
        assert_eq!(result_of(&vm, body), format!("{{result,{expected}}}"), "with {threads} threads");
    }
}

/// Sixty levels of sharing would be 2^60 cells, and a list of one list ten thousand million integers.
#[test]
fn what_is_huge_only_by_sharing_is_refused() {
    let install = |vm: &Vm| {
        let module = vm.module("takes").function("value", |_: Value| 0);
        module.function("lists", |lists: Vec<Vec<i64>>| lists.len()).install().expect("a module");
    };
    let body = "{raised(fun() -> takes:value(lists:foldl(fun(_, T) -> [T | T] end, [], lists:seq(1, 60))) end), \
                raised(fun() -> takes:lists(lists:duplicate(100000, lists:seq(1, 100000))) end), \
                takes:lists(lists:duplicate(3, [1, 2]))}";
    both(install, body, "{{error,badarg},{error,badarg},3}");
}

#[test]
fn closures_are_functions_of_a_module() {
    let install = |vm: &Vm| {
        let module = vm.module("calc").function("zero", || 0).function("add", |a: i64, b: i64| a + b);
        let module = module.function("join", |texts: Vec<String>, by: String| texts.join(&by));
        module
            .function("eight", |a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8| {
                [a, b, c, d, e, f, g, h]
            })
            .install()
            .expect("room");
    };
    both(
        install,
        "{calc:zero(), calc:add(1, 2), calc:join([<<\"a\">>, <<\"b\">>], <<\"-\">>), (fun calc:add/2)(3, 4), \
         apply(calc, add, [5, 6]), calc:eight(1, 2, 3, 4, 5, 6, 7, 8)}",
        "{0,3,<<\"a-b\">>,7,11,[1,2,3,4,5,6,7,8]}",
    );
}

#[test]
fn the_module_is_one_like_others() {
    let install =
        |vm: &Vm| vm.module("calc").function("add", |a: i64, b: i64| a + b).install().expect("room");
    both(
        install,
        "{erlang:function_exported(calc, add, 2), erlang:function_exported(calc, add, 3), \
         lists:member({add, 2}, calc:module_info(exports)), \
         raised(fun() -> calc:add(1) end), raised(fun() -> calc:add(1, a) end), raised(fun() -> calc:add(1, 1 bsl 70) end)}",
        "{true,false,true,{error,undef},{error,badarg},{error,badarg}}",
    );
}

#[test]
fn a_module_can_be_replaced() {
    let vm = machine(0);
    for number in 0..4 {
        vm.module("version").function("number", move || number).install().expect("room");
        assert_eq!(result_of(&vm, "version:number()"), format!("{{result,{number}}}"));
    }
}

#[test]
fn errors_are_exceptions_with_class_and_reason() {
    let install = |vm: &Vm| {
        vm.module("fails")
            .function("text", || Err::<(), _>(HostError::from("no")))
            .function("exit", || Err::<(), _>(HostError::exit(Atom::new("gone"))))
            .function("throw", || Err::<(), _>(HostError::throw(Value::tuple([1, 2]))))
            .function("own", |n: i64| if n > 0 { Ok(n) } else { Err(Atom::new("small")) })
            .function("tagged", |n: i64| AsTerm(if n > 0 { Ok(n) } else { Err("small") }))
            .function("nan", || f64::NAN)
            .blocking("later", |n: i64| if n > 0 { Ok(n) } else { Err(HostError::throw(Atom::new("small"))) })
            .install()
            .expect("room");
    };
    both(
        install,
        "{raised(fun fails:text/0), raised(fun fails:exit/0), raised(fun fails:throw/0), fails:own(1), \
         raised(fun() -> fails:own(0) end), fails:tagged(1), fails:tagged(0), raised(fun fails:nan/0), \
         fails:later(1), raised(fun() -> fails:later(0) end), raised(fun() -> fails:later(x) end)}",
        "{{error,<<\"no\">>},{exit,gone},{throw,{1,2}},1,{error,small},{ok,1},{error,<<\"small\">>},\
         {error,<<\"expected a finite float, found NaN\">>},1,{throw,small},{error,badarg}}",
    );
}

#[test]
fn a_trace_names_the_host_function() {
    let vm = machine(0);
    vm.module("fails").function("now", |_: i64| Err::<(), _>("no")).install().expect("room");
    let body = "try fails:now(1) catch _:_:S -> [{M, F, A, _} | _] = S, {M, F, A} end";
    assert_eq!(result_of(&vm, body), "{result,{fails,now,1}}");
}

#[test]
fn a_panic_ends_the_caller_and_nobody_else() {
    let install = |vm: &Vm| {
        vm.module("bad")
            .function("panic", |n: i64| -> i64 { panic!("number {n}") })
            .blocking("later", |n: i64| -> i64 { panic!("number {n}") })
            .install()
            .expect("room");
    };
    both(
        install,
        "begin {P, M} = spawn_monitor(fun() -> catch bad:panic(7) end), \
         R = receive {'DOWN', M, process, P, Reason} -> Reason end, {R, raised(fun() -> bad:later(1) end)} end",
        "{{internal_error,<<\"number 7\">>},{error,internal_error}}",
    );
}

#[test]
fn a_context_tells_who_calls() {
    let install = |vm: &Vm| {
        vm.module("me")
            .function("pid", |context: Context| context.pid())
            .function("tell", |context: Context, to: Pid, what: Vec<i64>| {
                context.send(to, (context.pid(), what))
            })
            .function("twice", |n: i64, context: Context, m: i64| (context.pid(), n * m))
            .install()
            .expect("room");
    };
    both(
        install,
        "begin S = self(), M = spawn(fun() -> receive {S, [1, 2]} -> S ! got_it end end), \
          ok = me:tell(M, [1, 2]), {me:pid() =:= self(), me:twice(2, 3) =:= {self(), 6}, receive R -> R end} end",
        "{true,true,got_it}",
    );
}

#[test]
fn large_binaries_come_and_go_without_a_copy() {
    let vm = machine(0);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = seen.clone();
    let keep = move |bytes: Bytes| {
        kept.lock().unwrap().push(bytes.clone());
        bytes
    };
    vm.module("bytes").function("keep", keep).install().expect("room");
    let body = "begin B = binary:copy(<<7>>, 10000), <<_, Rest/binary>> = bytes:keep(bytes:keep(B)), \
                byte_size(bytes:keep(Rest)) end";
    assert_eq!(result_of(&vm, body), "{result,9999}");
    let seen = seen.lock().unwrap();
    assert_eq!(seen[0].as_ptr(), seen[1].as_ptr());
    assert_eq!(seen[2].as_ptr(), seen[0][1..].as_ptr());
}

/// Counts its drops, and says on which thread.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn resources_are_opaque_checked_and_dropped() {
    for threads in [0, 2] {
        let drops = Arc::new(AtomicUsize::new(0));
        let vm = machine(threads);
        let counter = drops.clone();
        vm.module("thing")
            .function("new", move || Resource::new(Counted(counter.clone())))
            .function("is", |_: Resource<Counted>| true)
            .function("other", || Resource::new(5_i64))
            .function("number", |number: Resource<i64>| *number)
            .function("echo", |value: Value| value)
            .install()
            .expect("room");
        let body = "begin T = thing:new(), N = thing:other(), Self = self(), \
             spawn(fun() -> [thing:new() || _ <- lists:seq(1, 100)], Self ! {T, done} end), \
             receive {T, done} -> ok end, garbage_collect(), \
             {is_reference(T), thing:is(T), thing:is(thing:echo(T)), T =:= thing:echo(T), thing:number(N), \
              raised(fun() -> thing:is(N) end), raised(fun() -> thing:is(make_ref()) end), thing:new() =:= T} end";
        assert_eq!(
            result_of(&vm, body),
            "{result,{true,true,true,true,5,{error,badarg},{error,badarg},false}}"
        );
        drop(vm);
        // Processes are freed by the worker that leaves last, which may be a moment later.
        for _ in 0..1000 {
            if drops.load(Ordering::SeqCst) == 102 {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        assert_eq!(drops.load(Ordering::SeqCst), 102, "with {threads} threads");
    }
}

/// Unparks the thread that polls.
struct Unpark(std::thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future on a thread of its own.
fn on_a_thread(mut future: Pin<Box<dyn Future<Output = ()> + Send>>) {
    std::thread::spawn(move || {
        let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
        while future.as_mut().poll(&mut TaskContext::from_waker(&waker)).is_pending() {
            std::thread::park();
        }
    });
}

/// Ready when it is polled a second time, some milliseconds later.
struct Later(bool);

impl Future for Later {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut TaskContext<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) {
            return Poll::Ready(());
        }
        let waker = cx.waker().clone();
        std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(20));
            waker.wake();
        });
        Poll::Pending
    }
}

#[test]
fn futures_answer_callers_that_wait() {
    let vm = machine(2);
    let double = |n: i64| async move {
        Later(false).await;
        if n < 0 { Err(HostError::throw(Atom::new("negative"))) } else { Ok(2 * n) }
    };
    let panics = |n: i64| async move {
        Later(false).await;
        assert!(n < 0, "a number that is not negative");
        n
    };
    vm.module("slow")
        .async_function("double", double, on_a_thread)
        .async_function("panics", panics, on_a_thread)
        .async_function("lost", |n: i64| async move { n }, drop)
        .install()
        .expect("room");
    let body = "begin Self = self(), Ps = [spawn(fun() -> Self ! {self(), slow:double(N)} end) || N <- lists:seq(1, 20)], \
                {[receive {P, R} -> R end || P <- Ps], raised(fun() -> slow:double(-1) end), \
                 raised(fun() -> slow:panics(1) end), raised(fun() -> slow:lost(1) end)} end";
    let answers = (1..=20).map(|n| (2 * n).to_string()).collect::<Vec<_>>().join(",");
    assert_eq!(
        result_of(&vm, body),
        format!(
            "{{result,{{[{answers}],{{throw,negative}},{{error,internal_error}},{{error,internal_error}}}}}}"
        )
    );
}

#[test]
fn a_future_is_dropped_when_its_caller_is_killed() {
    let vm = machine(2);
    let drops = Arc::new(AtomicUsize::new(0));
    let counter = drops.clone();
    let wait = move || {
        let held = Counted(counter.clone());
        async move {
            std::future::pending::<()>().await;
            drop(held);
        }
    };
    let (begun, has_begun) = mpsc::channel();
    let begun = Mutex::new(begun);
    vm.module("slow")
        .async_function("wait", wait, on_a_thread)
        .function("begun", move || begun.lock().unwrap().send(()).is_ok())
        .install()
        .expect("room");
    let body =
        "begin P = spawn(fun() -> slow:begun(), slow:wait() end), timer:sleep(100), exit(P, kill), ok end";
    assert_eq!(result_of(&vm, body), "{result,ok}");
    has_begun.recv().expect("it has been called");
    for _ in 0..1000 {
        if drops.load(Ordering::SeqCst) == 1 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(drops.load(Ordering::SeqCst), 1, "while the machine lives");
    drop(vm);
}

#[test]
fn a_context_gives_the_machine() {
    for threads in [0, 2] {
        let vm = machine(threads);
        let of_context = |context: &Context| context.vm().expect("it is held by the test");
        vm.module("host")
            .function("spawn", move |context: Context| of_context(&context).spawn("erlang", "self", ()))
            .function("call", move |context: Context| {
                let called = of_context(&context).call::<Value>("erlang", "self", ());
                matches!(called, Err(Error::WouldBlockScheduler))
            })
            .blocking("waits", move |context: Context, n: i64| {
                of_context(&context).call_with::<i64>(&ProcessOptions::new(), "erlang", "+", (n, 1))
            })
            .install()
            .expect("room");
        let waits = if threads == 0 { "skipped" } else { "host:waits(1)" };
        let body = format!("{{is_pid(host:spawn()), host:call(), {waits}}}");
        let expected = if threads == 0 { "{result,{true,true,skipped}}" } else { "{result,{true,true,2}}" };
        assert_eq!(result_of(&vm, &body), expected, "with {threads} threads");
    }
}

#[test]
fn modules_say_what_they_are_for() {
    let vm = machine(0);
    vm.module("img")
        .doc("Pictures.")
        .function("area", |w: i64, h: i64| w * h)
        .doc("Pixels of a picture.")
        .function("plain", || 1)
        .function("is empty?", |_: Value| false)
        .doc("Whether there is nothing to see.")
        .install()
        .expect("room");
    let notes = vm.notes("img").expect("it was installed");
    assert_eq!(notes.text, "Pictures.");
    let entries: Vec<_> =
        notes.entries.iter().map(|e| (e.heading.as_str(), e.arity, e.text.as_str())).collect();
    let expected = [
        ("area(A, B)", 2, "Pixels of a picture."),
        ("plain()", 0, ""),
        ("'is empty?'(A)", 1, "Whether there is nothing to see."),
    ];
    assert_eq!(entries, expected);
    assert!(vm.notes("lists").is_none());
}

/// The one thread of a pool goes on with other machines while a function of one waits for them.
#[test]
fn a_blocking_function_holds_no_thread_of_a_pool() {
    let pool = Pool::new(1).expect("a pool");
    let build = || Vm::builder().pool(&pool).build().expect("a machine");
    let (waiting, other) = (build(), build());
    let (go, gate) = mpsc::channel::<()>();
    let gate = Mutex::new(gate);
    let wait = move || gate.lock().unwrap().recv_timeout(std::time::Duration::from_secs(20)).is_ok();
    waiting.module("host").blocking("wait", wait).install().expect("a module");
    for n in 0..200_i64 {
        let vm = waiting.clone();
        let call = std::thread::spawn(move || vm.call::<bool>("host", "wait", ()));
        assert_eq!(other.call::<i64>("erlang", "abs", (-n,)).expect("an answer"), n);
        go.send(()).expect("it is listening");
        assert!(call.join().expect("no panic").expect("an answer"), "the other machine had to wait");
    }
}

/// What takes long to read is read by the pool, before the function is called, and once it was called its answer is made.
#[test]
fn long_arguments_and_answers_call_a_function_once() {
    for threads in [0, 1] {
        let vm = machine(threads);
        let calls = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&calls);
        vm.module("host")
            .function("indexed", move |numbers: Vec<i64>| {
                count.fetch_add(1, Ordering::Relaxed);
                numbers.iter().map(|n| (*n, vec![*n])).collect::<std::collections::BTreeMap<_, _>>()
            })
            .install()
            .expect("a module");
        let body = "M = host:indexed(lists:seq(1, 200000)), {map_size(M), maps:get(200000, M)}";
        let source = format!("begin {body} end");
        assert_eq!(result_of(&vm, &source), "{result,{200000,[200000]}}", "with {threads} threads");
        assert_eq!(calls.load(Ordering::Relaxed), 1, "with {threads} threads");
    }
}

#[test]
fn while_a_function_holds_a_worker_another_one_answers() {
    let vm = machine(2);
    let ((go, wait), (enter, entered)) = (mpsc::channel::<()>(), mpsc::channel::<()>());
    let wait = Mutex::new(wait);
    let hold = move || enter.send(()).is_ok() && wait.lock().expect("nothing panics").recv().is_ok();
    vm.module("slow").function("hold", hold).install().expect("room");
    for _ in 0..3 {
        let held = vm.call_async::<bool>("slow", "hold", ());
        entered.recv().expect("it is called");
        let time = Duration::from_secs(30);
        assert_eq!(vm.call_timeout::<i64>(time, "erlang", "abs", (-1,)).expect("an answer"), 1);
        go.send(()).expect("it waits");
        assert!(held.wait().expect("no error"));
    }
}

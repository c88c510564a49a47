//! Limits and capabilities, as an embedder sets them: hostile programs end as they should, in bounded time and memory, and
//! their neighbours go on.

#[path = "../examples/sandbox/main.rs"]
#[allow(dead_code, reason = "the example's own main")]
mod sandbox;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use erlet::lang::{NoIncludes, Options, compile};
use erlet::{Builder, Capabilities, Limits, Outcome, Vm};

/// How `main/0` of this module ends.
fn end_of(builder: Builder, body: &str) -> String {
    let source = format!("-module(tried).\n-export([main/0]).\n{body}\n");
    let mut compilation = compile("tried.erl", source.as_bytes(), &Options::default(), &mut NoIncludes);
    let Some(module) = compilation.module.take() else { panic!("{}", compilation.session.render(false)) };
    let vm = builder.build().expect("a machine");
    vm.load_module(module).expect("room for a module");
    match vm.run("tried", "main", ()).expect("room for a process") {
        Outcome::Failed { reason, .. } => reason,
        outcome => format!("{outcome:?}"),
    }
}

fn quiet() -> Builder {
    Vm::builder().threads(2).stderr(Box::new(std::io::sink()))
}

/// These take all that there is of processors and memory.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Far more than a program takes here, and far less than one without a limit would.
const LONGEST: Duration = Duration::from_secs(60);

/// What the machine may hold of memory that its limits do not count: code, stacks of threads, free blocks.
const BESIDES: usize = 160 << 20;

#[test]
fn hostile_programs_end_with_their_reason_in_bounded_time_and_memory() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let mut wrong = Vec::new();
    let ward = sandbox::Ward::new().expect("a pool");
    for script in sandbox::SCRIPTS {
        let before = resident();
        match sandbox::check(&ward, script) {
            Ok((_, time)) if time > LONGEST => wrong.push(format!("{} took {time:?}", script.name)),
            Ok(_) => {}
            Err(error) => wrong.push(error),
        }
        let more = resident().saturating_sub(before);
        if more > BESIDES {
            wrong.push(format!("{}: {} MiB more are resident", script.name, more >> 20));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn neighbours_go_on_beside_all_hostile_programs_at_once() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let latency =
        sandbox::beside_a_neighbour(Duration::from_secs(2), sandbox::all_at_once).expect("they end");
    // What the operating system adds on a busy machine is not ours; without preemption it would be seconds.
    for late in [latency.ticks, latency.answers, latency.echoes] {
        assert!(late.p99 < 200_000, "{latency:?}");
    }
}

#[test]
fn machines_without_threads_have_limits_too() {
    for builder in [Vm::builder().threads(0), Vm::builder().seed(1)] {
        let builder = builder.stderr(Box::new(std::io::sink())).limits(Limits::new().reductions(1_000_000));
        let body =
            "main() -> re:run(lists:duplicate(100, $a) ++ \"b\", \"^(([a-z])+.)+[A-Z]([a-z])+$\"), main().";
        assert_eq!(end_of(builder, body), "{limit,reductions}");
    }
    let limits = || Limits::new().wall_time(Duration::from_millis(50));
    for builder in [Vm::builder().threads(0), Vm::builder().seed(1)] {
        let builder = builder.stderr(Box::new(std::io::sink())).limits(limits());
        assert_eq!(end_of(builder, "main() -> receive never -> ok end."), "{limit,wall_time}");
    }
}

/// Whoever hears of an end may have what the one that ended had: its place, and the room of its rows.
#[test]
fn what_a_process_had_is_free_when_its_end_is_known() {
    let body = "main() -> [one(Kind) || _ <- lists:seq(1, 10), Kind <- [set, ordered_set]], exit(ok).
        one(Kind) ->
            {_, Monitor} = spawn_monitor(fun() ->
                Table = ets:new(table, [Kind]),
                [ets:insert(Table, {N, N}) || N <- lists:seq(1, 30000)]
            end),
            receive {'DOWN', Monitor, process, _, Why} -> normal = Why end.";
    let limits = || Limits::new().processes(2).ets_bytes(8_000_000);
    for builder in [quiet(), quiet().threads(0), quiet().seed(1)] {
        assert_eq!(end_of(builder.limits(limits()), body), "ok");
    }
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn who_passed_which_limit_is_reported() {
    let lines = Lines::default();
    let builder = Vm::builder().stderr(Box::new(lines.clone())).limits(Limits::new().atoms(5));
    let body = "main() -> [list_to_atom(\"new_\" ++ integer_to_list(N)) || N <- lists:seq(1, 100)].";
    assert_eq!(end_of(builder, body), "{limit,atoms}");
    let text = String::from_utf8(lines.0.lock().expect("nobody panics").clone()).expect("text");
    for part in ["limit of atoms reached", "Limit:              5", "In use:             6"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn rights_are_by_directory() {
    let root = std::env::temp_dir().join(format!("erlet-limits-{}", std::process::id()));
    std::fs::create_dir_all(root.join("in")).expect("a directory");
    std::fs::write(root.join("secret"), "x").expect("a file");
    let rights = || Capabilities::none().write(root.join("in"));
    let shown = root.display();
    let body = format!(
        "main() -> In = \"{shown}/in/\", exit([file:write_file(In ++ \"a\", \"1\"), file:read_file(In ++ \"a\"), \
         file:read_file(In ++ \"../secret\"), file:make_symlink(\"{shown}/secret\", In ++ \"link\"), \
         file:make_link(\"{shown}/secret\", In ++ \"link\"), file:rename(\"{shown}/secret\", In ++ \"b\"), \
         file:make_symlink(\"a\", In ++ \"link\"), file:read_file(In ++ \"link\"), \
         element(1, file:consult(In ++ \"none\")), file:read_file(In ++ \"none\")])."
    );
    let denied = "{error,eacces}";
    assert_eq!(
        end_of(quiet().capabilities(rights()), &body),
        format!(
            "[ok,{{ok,<<\"1\">>}},{denied},{denied},{denied},{denied},ok,{{ok,<<\"1\">>}},error,{{error,enoent}}]"
        )
    );
    // What a process gives to those it spawns it can only narrow.
    let body = format!(
        "main() -> {{P, R}} = spawn_opt(fun() -> exit([file:read_file(\"{shown}/in/a\"), file:delete(\"{shown}/in/a\"), \
         file:read_file(\"{shown}/secret\"), try halt() catch error:E -> E end]) end, \
         [monitor, {{capabilities, [{{read, \"{shown}\"}}, halt]}}]), receive {{'DOWN', R, process, P, Why}} -> exit(Why) end."
    );
    assert_eq!(
        end_of(quiet().capabilities(rights()), &body),
        format!("[{{ok,<<\"1\">>}},{denied},{denied},eacces]")
    );
    std::fs::remove_dir_all(root).expect("the directory is ours");
}

#[test]
fn the_clock_is_a_right_and_the_library_does_without() {
    let eacces = "main() -> exit([try F() catch error:R -> R end || F <- [fun erlang:system_time/0, fun erlang:localtime/0]]).";
    assert_eq!(end_of(quiet(), eacces), "[eacces,eacces]");
    // Given to the machine, not to a tree of it.
    let body = "main() -> true = erlang:system_time(second) > 0, {_, R} = spawn_opt(fun() -> exit(catch erlang:now()) end, \
                [monitor, {capabilities, []}]), receive {'DOWN', R, _, _, {'EXIT', {Why, _}}} -> exit(Why) end.";
    assert_eq!(end_of(quiet().capabilities(Capabilities::none().clock(true)), body), "eacces");
    // What needs a time, or chance, and gets none of the day's.
    let body = "main() -> N = rand:uniform(10), true = N >= 1 andalso N =< 10, receive after 1 -> ok end, \
                {{2024, 2, 29}, _} = calendar:system_time_to_local_time(1709164800, second), \
                {ok, S} = gen_server:start(?MODULE, [], []), ok = sys:statistics(S, true), {ok, [_ | _]} = sys:statistics(S, get), \
                exit(done). init(_) -> {ok, []}. handle_call(_, _, S) -> {reply, ok, S}. handle_cast(_, S) -> {noreply, S}.";
    let body = body.replace("main() -> N", "-export([init/1, handle_call/3, handle_cast/2]).\nmain() -> N");
    assert_eq!(end_of(quiet(), &body), "done");
}

#[test]
fn reports_tell_the_true_time_though_their_writer_may_not_know_it() {
    let (sender, events) = std::sync::mpsc::channel();
    let time = Duration::from_secs(1_000_000_000);
    let builder = Vm::builder().threads(1).clock(move || time).log(move |event| drop(sender.send(event)));
    assert_eq!(end_of(builder, "main() -> logger:error(\"boo\"), exit(done)."), "done");
    let event = events.recv_timeout(LONGEST).expect("an event");
    assert_eq!(event.time_us, 1_000_000_000_000_000);
    assert!(
        event.text.starts_with("=ERROR REPORT====") && event.text.contains("Sep-2001::"),
        "{}",
        event.text
    );
    assert!(event.text.ends_with("===\nboo\n"), "{}", event.text);
}

#[test]
fn only_an_owner_that_drives_the_machine_tells_its_monotonic_time() {
    let clock = || Duration::ZERO;
    for builder in [Vm::builder().threads(1), Vm::builder().seed(1)] {
        assert!(matches!(builder.monotonic_clock(clock).build(), Err(erlet::Error::Setting(_))));
    }
    // Time that stands still keeps nobody from ending otherwise.
    let vm = Vm::builder().threads(0).monotonic_clock(clock).build().expect("a machine");
    assert_eq!(vm.call::<i64>("erlang", "monotonic_time", ()).expect("a time"), 0);
}

#[test]
fn files_end_with_the_process_that_opened_them() {
    let root = std::env::temp_dir().join(format!("erlet-open-{}", std::process::id()));
    std::fs::create_dir_all(&root).expect("a directory");
    std::fs::write(root.join("file"), "text").expect("a file");
    let builder =
        || quiet().capabilities(Capabilities::none().read(&root)).limits(Limits::new().open_files(1));
    let shown = root.join("file").display().to_string();
    let body = format!(
        "main() -> Me = self(), {{P, R}} = spawn_monitor(fun() -> {{ok, F}} = file:open(\"{shown}\", [read, raw, binary]), \
         Me ! F, receive stop -> ok end end), receive F -> ok end, {{ok, <<\"te\">>}} = file:read(F, 2), P ! stop, \
         receive {{'DOWN', R, _, _, _}} -> ok end, Gone = file:read(F, 2), \
         [begin {{ok, G}} = file:open(\"{shown}\", Modes), ok = file:close(G) end || _ <- [1, 2, 3], Modes <- [[read], [read, raw]]], \
         exit(Gone)."
    );
    assert_eq!(end_of(builder(), &body), "{error,einval}");
    let body = format!("main() -> [file:open(\"{shown}\", Modes) || Modes <- [[read], [read, raw]]].");
    assert_eq!(end_of(builder(), &body), "{limit,open_files}");
    std::fs::remove_dir_all(root).expect("the directory is ours");
}

/// How a tree with limits, and what else is said, ends in a machine without; it runs `tree/0`.
fn end_of_tree(options: &str, body: &str) -> String {
    let body = format!(
        "main() -> {{_, R}} = spawn_opt(fun tree/0, [monitor, {{limits, #{{reductions => 10000000}}}} {options}]), \
         receive {{'DOWN', R, _, _, Why}} -> exit(Why) end.\n{body}"
    );
    end_of(quiet().capabilities(Capabilities::all()), &body)
}

#[test]
fn a_tree_with_limits_does_not_get_before_its_neighbours() {
    let body = "tree() -> process_flag(priority, max), process_flag(priority, high), Me = self(), \
                spawn_opt(fun() -> Me ! process_info(self(), priority) end, [{priority, high}]), \
                exit([process_info(self(), priority), receive {priority, P} -> P end, process_flag(priority, low)]).";
    assert_eq!(end_of_tree("", body), "[{priority,normal},normal,normal]");
}

#[test]
fn a_tree_ends_alone_of_its_limits() {
    // Neighbours in the same machine: one that answers, one that ticks, and the table of somebody else.
    let body = "main() -> T = ets:new(t, [public]), Echo = spawn_link(fun echo/0), C = counters:new(1, []), \
                spawn_link(fun() -> tick(C) end), N = length(processes()), \
                Ends = [after_tree(Limits, F, Echo) || {Limits, F} <- [ \
                {#{reductions => 1000000}, fun loop/0}, \
                {#{reductions => 1000000}, fun() -> [spawn_opt(fun loop/0, [{priority, max}]) || _ <- lists:seq(1, 20)], loop() end}, \
                {#{memory => 8000000}, fun() -> grow([]) end}, \
                {#{memory => 8000000}, fun() -> grow_bin(<<0>>) end}, \
                {#{processes => 20, reductions => 2000000}, fun fork/0}, \
                {#{mailbox_messages => 1000}, fun flood/0}, \
                {#{ets_bytes => 1000000}, fun() -> fill(ets:new(t, []), 0) end}, \
                {#{memory => 8000000}, fun() -> fill(T, 0) end}]], \
                Ticks = counters:get(C, 1), wait_until(fun() -> length(processes()) =:= N end), \
                wait_until(fun() -> counters:get(C, 1) > Ticks end), exit({Ends, Ticks > 0}). \
                after_tree(Limits, F, Echo) -> {_, R} = spawn_opt(F, [monitor, {limits, Limits#{wall_time => 60000}}]), \
                Why = receive {'DOWN', R, _, _, Reason} -> Reason end, Echo ! {self(), R}, receive R -> Why end. \
                echo() -> receive {From, R} -> From ! R, echo() end. \
                tick(C) -> receive after 1 -> counters:add(C, 1, 1), tick(C) end. \
                wait_until(F) -> case F() of true -> ok; false -> receive after 1 -> wait_until(F) end end. \
                loop() -> loop(). grow(L) -> grow([1, 2, 3, 4 | L]). grow_bin(B) -> grow_bin(<<B/binary, B/binary>>). \
                fork() -> spawn(fun fork/0), fork(). flood() -> self() ! boo, flood(). \
                fill(T, N) when N < 20000 -> ets:insert(T, {N, some, data}), fill(T, N + 1); fill(_, _) -> exit(done).";
    let ends = "[{limit,reductions},{limit,reductions},{limit,memory},{limit,memory},{limit,processes},\
                {limit,mailbox_messages},{limit,ets_bytes},done]";
    assert_eq!(end_of(quiet().capabilities(Capabilities::all()), body), format!("{{{ends},true}}"));
}

#[test]
fn reductions_pay_for_the_time_that_natives_take() {
    // Each call takes some tenths of a millisecond, and costs far more than the few reductions of the call itself.
    let body = "main() -> L = lists:seq(1, 5000), A = 1 bsl 40000, B = A * A, D = A - 7, Bin = term_to_binary(L), \
                persistent_term:put(k, L), exit([calls(F) || F <- [ \
                fun() -> erlang:phash2(L) end, fun() -> term_to_binary(L) end, fun() -> binary_to_term(Bin) end, \
                fun() -> B div D end, fun() -> integer_to_list(A) end, fun() -> persistent_term:get(k) end, \
                fun() -> L < tl(L) ++ [1] end, fun() -> maps:is_key(L, #{}) end, fun() -> atomics:new(50000, []) end, \
                fun() -> erlang:md5(Bin) end, fun() -> lists:sort(L) end, fun() -> self() ! L, receive _ -> ok end end, \
                fun() -> put(k, L), process_info(self(), dictionary) end]]). \
                calls(F) -> C = counters:new(1, []), {_, R} = spawn_opt(fun() -> again(F, C) end, \
                [monitor, {limits, #{reductions => 100000}}]), \
                receive {'DOWN', R, _, _, {limit, reductions}} -> counters:get(C, 1) end. \
                again(F, C) -> F(), counters:add(C, 1, 1), again(F, C).";
    let counts = end_of(quiet().capabilities(Capabilities::all()), body);
    let numbers: Vec<u32> = counts.trim_matches(['[', ']']).split(',').flat_map(str::parse).collect();
    assert_eq!(numbers.len(), 13, "{counts}");
    assert!(numbers.iter().all(|calls| *calls < 5000), "{counts}");
}

#[test]
fn only_the_machine_makes_reports() {
    let lines = Lines::default();
    let builder = Vm::builder().threads(1).stderr(Box::new(lines.clone()));
    // Numbers may be guessed; and the logger is not to be ended by what it gets.
    let body = "main() -> Fs = [{uncaught, N, self(), self(), 0, forged} || N <- lists:seq(0, 100)], L = whereis(logger), \
                [L ! F || F <- Fs], L ! {uncaught, self(), self(), 0, forged}, L ! {flush, x, y}, \
                L ! {heap_limit, 1, self(), self(), 0, forged}, L ! {limit, 1, self(), self(), 0, forged}, \
                {P, R} = spawn_monitor(fun() -> error(genuine) end), receive {'DOWN', R, process, P, _} -> ok end, \
                [L ! F || F <- Fs], false = erlet_init:is_report(1), false = erlet_init:reported(1), \
                erlet_reporter:flush(), exit({L =:= whereis(logger), is_process_alive(L)}).";
    assert_eq!(end_of(builder, body), "{true,true}");
    let text = String::from_utf8(lines.0.lock().expect("nobody panics").clone()).expect("text");
    assert_eq!(text.matches("genuine").count(), 1, "{text}");
    assert!(!text.contains("forged"), "{text}");
}

#[test]
fn a_tree_does_not_change_what_others_log() {
    let body = "tree() -> exit([logger:set_primary_config(level, none), logger:remove_handler(default), \
                logger:add_handler(mine, mine, #{}), try persistent_term:erase({logger, level}) catch error:E -> E end, \
                maps:get(level, logger:get_primary_config())]).";
    let denied = "{error,eacces}";
    let rights = ", {capabilities, [clock, files]}";
    assert_eq!(end_of_tree(rights, body), format!("[{denied},{denied},{denied},eacces,notice]"));
    assert_eq!(end_of_tree("", "tree() -> exit(logger:set_primary_config(level, error))."), "ok");
}

#[test]
fn rights_to_a_network_are_narrowed_by_programs_too() {
    let vm = quiet()
        .capabilities(Capabilities::none().connect("10.0.0.0/8", ..).connect("a.example", 80..=90))
        .build()
        .expect("a machine");
    vm.module("net")
        .function("may", |caller: erlet::Context, address: String| {
            caller
                .capabilities()
                .may_reach(address.parse().expect("an address"), erlet::limits::Direction::Connect)
        })
        .install()
        .expect("room for a module");
    let source = "-module(tried).\n-export([main/0]).\nmain() -> May = fun() -> [net:may(A) || A <- [<<\"10.0.0.1:80\">>, \
                  <<\"10.1.0.1:80\">>, <<\"10.1.0.1:81\">>, <<\"11.0.0.1:80\">>]] end, {_, R} = spawn_opt(fun() -> exit(May()) end, \
                  [monitor, {capabilities, [{connect, \"10.1.0.0/16\", {1, 80}}, {connect, \"11.0.0.0/8\", 80}]}]), \
                  receive {'DOWN', R, _, _, Narrow} -> exit({May(), Narrow}) end.";
    vm.load_source("tried.erl", source).expect("a module");
    let Outcome::Failed { reason, .. } = vm.run("tried", "main", ()).expect("room for a process") else {
        panic!("it exits")
    };
    assert_eq!(reason, "{[true,true,true,false],[false,true,false,false]}");
}

#[test]
fn what_host_functions_read_and_make_is_work_of_their_callers() {
    let vm = quiet().limits(Limits::new().reductions(1_000_000).memory(64 << 20)).build().expect("a machine");
    let calls = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    vm.module("host")
        .function("echo", move |numbers: Vec<i64>| {
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            numbers
        })
        .install()
        .expect("room for a module");
    let source = "-module(tried).\n-export([main/0]).\nmain() -> loop(lists:seq(1, 100000)). loop(L) -> host:echo(L), loop(L).";
    vm.load_source("tried.erl", source).expect("a module");
    let outcome = vm.run("tried", "main", ()).expect("room for a process");
    assert!(
        matches!(&outcome, Outcome::Failed { reason, .. } if reason == "{limit,reductions}"),
        "{outcome:?}"
    );
    // 200,000 words in and as many out, each time.
    let calls = calls.load(std::sync::atomic::Ordering::Relaxed);
    assert!((5..=100).contains(&calls), "{calls} calls");
}

#[test]
fn a_flood_of_small_messages_ends_who_gets_them() {
    let limits = Limits::new().memory(16 << 20);
    let body = "main() -> Me = self(), P = spawn(fun() -> receive never -> ok end end), \
                spawn_link(fun() -> flood(P, 10000000), Me ! done end), R = monitor(process, P), \
                receive {'DOWN', R, process, P, Why} -> exit(Why) end. \
                flood(_, 0) -> ok; flood(P, N) -> P ! {a, small, message}, flood(P, N - 1).";
    assert_eq!(end_of(quiet().limits(limits), body), "{limit,memory}");
}

/// Resident bytes of this process.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).map_or(0, |pages| pages * 4096)
}

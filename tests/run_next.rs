//! Who runs next on a machine with one scheduler: children in the order they were made, before what waits already, but for no
//! longer than a slice; and whoever answers and ends is gone before the answer is looked at; and nobody is
//! passed by those woken later.

use std::sync::Arc;

use erlet::lang::{NoIncludes, Options, compile::compile, verify::verify};
use erlet::vm::{Outcome, Vm};

/// Runs `main/0` of a module on one scheduler; it is to exit with `ok`.
fn ends_well(text: &str) {
    let text = format!("-module(m).\n-export([main/0]).\n{text}");
    let mut includes = NoIncludes;
    let mut compilation = compile("m.erl", text.as_bytes(), &Options::default(), &mut includes);
    let Some(module) = compilation.module.take() else { panic!("{}", compilation.session.render(false)) };
    let program = Arc::new(verify(module).expect("what is compiled is accepted"));
    let vm = Vm::builder().threads(1).build().expect("a machine");
    vm.load(&program).expect("room for a module");
    let outcome = vm.run("m", "main", &[]).expect("room for a process");
    assert_eq!(outcome, Outcome::Failed { reason: "ok".into(), reported: false });
}

#[test]
fn siblings_run_in_the_order_they_were_made_however_many_they_are() {
    for count in [3, 63, 64, 65, 200, 3000] {
        ends_well(&format!(
            "main() ->
                Me = self(),
                Numbers = lists:seq(1, {count}),
                [spawn(fun() -> Me ! N end) || N <- Numbers],
                Numbers = [receive N -> N end || _ <- Numbers],
                exit(ok)."
        ));
    }
}

#[test]
fn a_line_of_children_without_end_starves_nobody() {
    ends_well(
        "main() ->
            Me = self(),
            spawn(fun() -> line() end),
            spawn(fun() -> bush() end),
            Counter = spawn(fun() -> count(0, Me) end),
            receive after 20 -> ok end,
            Counter ! stop,
            receive {counted, N} when N > 0 -> exit(ok) end.
         line() -> spawn(fun() -> line() end).
         bush() -> spawn(fun() -> ok end), spawn(fun() -> bush() end), receive never -> ok after 0 -> ok end.
         count(N, Me) ->
            receive stop -> Me ! {counted, N} after 0 -> count(N + 1, Me) end.",
    );
}

#[test]
fn a_pair_that_wakes_each_other_without_end_starves_nobody() {
    ends_well(
        "main() ->
            Me = self(),
            A = spawn(fun() -> echo() end),
            spawn(fun() -> flood(A) end),
            spawn(fun() -> Me ! here end),
            receive here -> ok end,
            receive after 20 -> exit(ok) end.
         echo() -> receive {From, X} -> From ! X, echo() end.
         flood(A) -> [A ! {self(), X} || X <- lists:seq(1, 1000)], [receive X -> ok end || X <- lists:seq(1, 1000)], flood(A).",
    );
}

#[test]
fn a_woken_process_of_high_priority_does_not_wait_for_children() {
    ends_well(
        "main() ->
            Me = self(),
            High = spawn_opt(fun() -> receive go -> Me ! high end end, [{priority, high}]),
            erlang:yield(),
            spawn(fun() -> High ! go, spawn(fun() -> Me ! child end) end),
            high = receive A -> A end,
            child = receive B -> B end,
            exit(ok).",
    );
}

#[test]
fn whoever_answers_and_ends_is_gone_whenever_it_was_woken() {
    ends_well(
        "main() ->
            [gone(Used) || Used <- lists:seq(0, 4100, 3)],
            exit(ok).
         gone(Used) ->
            Me = self(),
            Third = spawn(fun() -> receive stop -> ok end end),
            Server = spawn(fun() ->
                register(server, self()),
                ets:new(table, [named_table, public]),
                Me ! ready,
                receive stop -> use_up(50) end,
                Third ! stop,
                Me ! stopped,
                use_up(20)
            end),
            receive ready -> erlang:yield() end,
            use_up(Used),
            Server ! stop,
            receive stopped -> ok end,
            {Used, undefined, undefined, false} = {Used, whereis(server), ets:whereis(table), is_process_alive(Server)}.
         use_up(0) -> ok;
         use_up(N) -> use_up(N - 1).",
    );
}

#[test]
fn a_line_of_processes_that_wake_each_other_does_not_pass_one_woken_before_them() {
    ends_well(
        "main() ->
            [round() || _ <- lists:seq(1, 500)],
            exit(ok).
         round() ->
            Me = self(),
            Line = lists:foldl(fun(_, Next) -> spawn(fun() -> receive go -> Next ! go end end) end, Me, lists:seq(1, 20)),
            Server = spawn(fun() -> register(server, self()), Me ! ready, receive stop -> ok end end),
            receive ready -> erlang:yield() end,
            First = spawn(fun() -> receive both -> Line ! go, Server ! stop end end),
            erlang:yield(),
            First ! both,
            receive go -> ok end,
            undefined = whereis(server).",
    );
}

#[test]
fn a_child_does_not_pass_one_woken_before_it_was_made() {
    ends_well(
        "main() ->
            [round() || _ <- lists:seq(1, 500)],
            exit(ok).
         round() ->
            Me = self(),
            Server = spawn(fun() -> register(server, self()), Me ! ready, receive stop -> ok end end),
            Parent = spawn(fun() -> receive go -> spawn(fun() -> Me ! {seen, whereis(server)} end) end end),
            receive ready -> erlang:yield() end,
            spawn(fun() -> Parent ! go, Server ! stop end),
            receive {seen, undefined} -> ok end,
            undefined = whereis(server).",
    );
}

/// Also after a pause in which the scheduler has fallen asleep, and when others hear of the end before.
#[test]
fn a_server_that_is_stopped_is_gone_when_that_is_known() {
    ends_well(
        "-export([init/1, handle_call/3, handle_cast/2, terminate/2]).
         main() ->
            [Round(Pause) || Round <- [fun called/1, fun started_by_another/1], Pause <- [0, 1], _ <- lists:seq(1, 50)],
            exit(ok).
         called(Pause) ->
            stop(start(), Pause),
            gone().
         started_by_another(Pause) ->
            {_, Monitor} = spawn_monitor(fun() -> stop(start(), Pause) end),
            receive {'DOWN', Monitor, process, _, normal} -> gone() end.
         start() ->
            Other = spawn(fun() -> receive stop -> ok end end),
            {ok, Pid} = gen_server:start_link({local, server}, ?MODULE, Other, []),
            Pid.
         stop(Server, Pause) ->
            timer:sleep(Pause),
            ok = gen_server:call(Server, stop).
         gone() ->
            {undefined, undefined} = {whereis(server), ets:whereis(table)}.
         init(Other) ->
            table = ets:new(table, [named_table, public]),
            {ok, Other}.
         handle_call(stop, _, Other) -> {stop, normal, ok, Other}.
         handle_cast(_, Other) -> {noreply, Other}.
         terminate(normal, Other) -> Other ! stop.",
    );
}

%% How late a process is that sleeps 1 ms a thousand times beside two busy loops for each scheduler, in nanoseconds.
-module(timers_hogs).
-export([bench/0]).

bench() -> [{timers_hogs, metrics, fun() -> run(1000) end}].

run(Times) ->
    Hogs = [spawn(fun hog/0) || _ <- lists:seq(1, 2 * erlang:system_info(schedulers_online))],
    receive after 50 -> ok end,
    Late = lists:sort(sleep(Times, [])),
    [exit(Hog, kill) || Hog <- Hogs],
    [{timers_hogs_p50_ns, lists:nth(Times div 2, Late)},
     {timers_hogs_p99_ns, lists:nth(Times * 99 div 100, Late)},
     {timers_hogs_max_ns, lists:last(Late)}].

hog() -> spin(1000), hog().
spin(0) -> ok;
spin(N) -> spin(N - 1).

sleep(0, Late) -> Late;
sleep(N, Late) ->
    Before = erlang:monotonic_time(nanosecond),
    receive after 1 -> ok end,
    After = erlang:monotonic_time(nanosecond),
    sleep(N - 1, [After - Before - 1000000 | Late]).

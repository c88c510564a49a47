%% How late timers are on an idle machine, in nanoseconds: 100 processes that sleep 5 to 25 ms again and again, begun at random
%% moments, for three seconds. A process may sleep longer than it asked for, never shorter.
-module(timers_idle).
-export([bench/0]).

bench() -> [{timers_idle, metrics, fun() -> run(100, 3000) end}].

run(Sleepers, Milliseconds) ->
    End = erlang:monotonic_time(nanosecond) + Milliseconds * 1000000,
    Pids = [spawn_monitor(fun() -> phase(N), exit({late, sleep(N, End, [])}) end) || N <- lists:seq(1, Sleepers)],
    Late = lists:sort(lists:append([receive {'DOWN', Ref, process, Pid, {late, L}} -> L end || {Pid, Ref} <- Pids])),
    Count = length(Late),
    true = hd(Late) >= 0,
    [{timers_idle_p50_ns, lists:nth(max(1, Count div 2), Late)},
     {timers_idle_p99_ns, lists:nth(max(1, Count * 99 div 100), Late)},
     {timers_idle_max_ns, lists:last(Late)}].

%% Busy for some microseconds, another number for each: so they do not sleep in step.
phase(N) -> spin(erlang:phash2({N, erlang:monotonic_time()}, 20000)).
spin(0) -> ok;
spin(N) -> spin(N - 1).

sleep(N, End, Late) ->
    Time = 5 + erlang:phash2({N, length(Late), self()}, 21),
    Before = erlang:monotonic_time(nanosecond),
    receive after Time -> ok end,
    After = erlang:monotonic_time(nanosecond),
    spin(erlang:phash2({After, N}, 3000)),
    if
        After >= End -> [After - Before - Time * 1000000 | Late];
        true -> sleep(N, End, [After - Before - Time * 1000000 | Late])
    end.

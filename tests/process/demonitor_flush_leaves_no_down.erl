%% After demonitor with flush no DOWN of that monitor is ever received.
-module(demonitor_flush_leaves_no_down).
-export([main/0]).

main() ->
    show(rounds(200)),
    show(demonitor(make_ref())),
    {P, R} = spawn_monitor(fun() -> receive stop -> ok end end),
    show(demonitor(R, [info])),
    show(demonitor(R, [info])),
    show(demonitor(R, [flush, info])),
    P ! stop,
    show(receive Any -> Any after 20 -> nothing end),
    show(attempt(fun() -> demonitor(id(a)) end)),
    show(attempt(fun() -> demonitor(make_ref(), [nonsense]) end)).

rounds(0) ->
    receive {'DOWN', _, _, _, _} -> stray after 20 -> clean end;
rounds(N) ->
    {P, R} = spawn_monitor(fun() -> receive stop -> ok end end),
    P ! stop,
    [erlang:yield() || _ <- lists:seq(1, N rem 4)],
    demonitor(R, [flush]),
    rounds(N - 1).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: clean
%% expect: true
%% expect: true
%% expect: false
%% expect: false
%% expect: nothing
%% expect: {error,badarg}
%% expect: {error,badarg}

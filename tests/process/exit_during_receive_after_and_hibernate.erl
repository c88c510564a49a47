%% Exit signals reach processes in every waiting state.
-module(exit_during_receive_after_and_hibernate).

-export([main/0, nap/0]).
main() ->
    [show(killed(F)) || F <- [fun() -> receive x -> ok end end, fun() -> receive x -> ok after 100000 -> ok end end, fun() -> erlang:hibernate(?MODULE, nap, []) end,
                              fun() -> timer:sleep(infinity) end, fun() -> loop(0) end, fun() -> lists:foldl(fun(X, A) -> X + A end, 0, lists:seq(1, 100000000)) end]],
    ok.

nap() -> ok.

loop(N) -> loop(N + 1).

killed(F) ->
    {P, R} = spawn_monitor(F),
    receive after 15 -> ok end,
    exit(P, stop_now),
    receive {'DOWN', R, process, P, W} -> W after 60000 -> still_there end.

show(X) -> io:format("~p~n", [X]).

%% expect: stop_now
%% expect: stop_now
%% expect: stop_now
%% expect: stop_now
%% expect: stop_now
%% expect: stop_now

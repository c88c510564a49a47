%% The time-out comes not before its time and not for ever later.
-module(after_waits_as_long_as_it_says).
-export([main/0]).

main() ->
    [show(timed(T)) || T <- [1, 10, 50]],
    ok.

timed(T) ->
    T0 = erlang:monotonic_time(microsecond),
    receive after T -> ok end,
    Dt = erlang:monotonic_time(microsecond) - T0,
    {T, Dt >= T * 1000, Dt < T * 1000 + 60000000}.

show(X) -> io:format("~p~n", [X]).

%% expect: {1,true,true}
%% expect: {10,true,true}
%% expect: {50,true,true}

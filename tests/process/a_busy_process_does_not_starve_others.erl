%% Endless loops share the processors with a ticker.
-module(a_busy_process_does_not_starve_others).
-export([main/0]).

main() ->
    Loopers = [spawn(fun loop/0) || _ <- lists:seq(1, 4)],
    T0 = erlang:monotonic_time(millisecond),
    ticks(10),
    Dt = erlang:monotonic_time(millisecond) - T0,
    [exit(P, kill) || P <- Loopers],
    show(Dt < 60000).

loop() -> loop().

ticks(0) -> ok;
ticks(N) -> receive after 5 -> ticks(N - 1) end.

show(X) -> io:format("~p~n", [X]).

%% expect: true

%% 2^40 nodes behind 40 cells: comparing and sending them ends by kill or limit, and a ticker keeps ticking.
%% never on OTP: it would exhaust the memory
%% plain only: it takes as long as the limit allows
-module(forty_levels_of_sharing_stop_no_one).
-export([main/0]).

main() ->
    C = spawn(fun() -> A = share(40, a), B = share(40, a), exit(A =:= B) end),
    Self = self(),
    {S, R} = spawn_monitor(fun() -> Self ! share(40, a), exit(sent) end),
    show(ticks(50, erlang:monotonic_time(millisecond), 0) < 10000),
    exit(C, kill),
    exit(S, kill),
    show(receive {'DOWN', R, process, S, Why} -> Why =/= sent end),
    show(receive X when is_list(X) -> got_it after 0 -> nothing end).

%% expect: true
%% expect: true
%% expect: nothing

share(0, X) -> X;
share(N, X) -> share(N - 1, [X | X]).

%% The longest time a tick of one millisecond took.
ticks(0, _, Worst) -> Worst;
ticks(N, T0, Worst) ->
    receive after 1 -> ok end,
    T1 = erlang:monotonic_time(millisecond),
    ticks(N - 1, T1, max(Worst, T1 - T0)).

show(X) -> io:format("~p~n", [X]).

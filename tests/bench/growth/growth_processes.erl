%% What an operation costs with 10 to 1,000,000 processes alive, in picoseconds: a process made and ended, and a message that
%% wakes one of them in turn and is passed on.
-module(growth_processes).
-export([bench/0]).

bench() ->
    Sizes = [10, 100, 1000, 10000, 100000, 1000000],
    [{growth_processes_spawn, metrics, fun() -> [spawned(N) || N <- Sizes] end},
     {growth_processes_wake, metrics, fun() -> [woken(N) || N <- Sizes] end}].

%% N processes are made, live at the same time and end.
spawned(N) ->
    Rounds = max(1, 200000 div N),
    spawn_rounds(max(1, Rounds div 10), N),
    {Time, ok} = time(fun() -> spawn_rounds(Rounds, N) end),
    {name("growth_processes_spawn_", N), Time * 1000 div (Rounds * N)}.

spawn_rounds(0, _) -> ok;
spawn_rounds(R, N) ->
    Me = self(),
    Waiting = start(N, Me, []),
    all(Waiting, stop),
    count(N),
    spawn_rounds(R - 1, N).

start(0, _, Pids) -> Pids;
start(N, Me, Pids) -> start(N - 1, Me, [spawn(fun() -> receive stop -> Me ! done end end) | Pids]).

%% A token goes round a ring of N processes.
woken(N) ->
    Me = self(),
    First = ring(N, Me),
    Laps = max(1, 400000 div N),
    laps(max(1, Laps div 10), First),
    {Time, ok} = time(fun() -> laps(Laps, First) end),
    First ! stop,
    receive stop -> ok end,
    {name("growth_processes_wake_", N), Time * 1000 div (Laps * (N + 1))}.

ring(0, Next) -> Next;
ring(N, Next) -> ring(N - 1, spawn(fun() -> hop(Next) end)).

hop(Next) ->
    receive
        {token, _} = Token -> Next ! Token, hop(Next);
        stop -> Next ! stop
    end.

laps(0, _) -> ok;
laps(K, First) -> First ! {token, K}, receive {token, K} -> laps(K - 1, First) end.

all([], _) -> ok;
all([Pid | Pids], Message) -> Pid ! Message, all(Pids, Message).

count(0) -> ok;
count(N) -> receive done -> count(N - 1) end.

time(Fun) ->
    Start = erlang:monotonic_time(nanosecond),
    Result = Fun(),
    {erlang:monotonic_time(nanosecond) - Start, Result}.

name(Prefix, N) -> list_to_atom(Prefix ++ integer_to_list(N)).

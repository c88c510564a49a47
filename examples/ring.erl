%% A ring of processes that pass a token round.
%%
%%     erlet run examples/ring.erl [PROCESSES [ROUNDS]]
%%
%% Each process knows only its neighbour. The token carries a counter that every process raises by one, so at
%% the end it must be PROCESSES * ROUNDS. Worth watching: 1,000 processes start in a few milliseconds.
-module(ring).
-export([main/1]).

main([]) -> main(["1000", "100"]);
main([N]) -> main([N, "100"]);
main([N, Rounds]) -> run(list_to_integer(N), list_to_integer(Rounds)).

run(N, Rounds) ->
    First = build(N, self()),
    Hops = turn(Rounds, First, 0),
    io:format("~w processes, ~w rounds, ~w hops~n", [N, Rounds, Hops]).

%% Starts N processes; the last one's neighbour is Next, so that the ring closes at the caller.
build(0, Next) -> Next;
build(N, Next) -> build(N - 1, spawn_link(fun() -> member(Next) end)).

member(Next) ->
    receive
        {token, Count} ->
            Next ! {token, Count + 1},
            member(Next)
    end.

turn(0, _, Count) -> Count;
turn(Rounds, First, Count) ->
    First ! {token, Count},
    receive
        {token, Raised} -> turn(Rounds - 1, First, Raised)
    end.

%% A crash runs through a chain of links until someone traps it.
-module(exits_spread_through_a_chain_of_links).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> chain(100) end),
    receive {'EXIT', P, R} -> show(R) end.

chain(0) -> exit(end_of_chain);
chain(N) ->
    spawn_link(fun() -> chain(N - 1) end),
    receive never -> ok end.

show(X) -> io:format("~p~n", [X]).

%% expect: end_of_chain

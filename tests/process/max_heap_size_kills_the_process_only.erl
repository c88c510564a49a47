%% A process that outgrows max_heap_size dies with killed; others live.
-module(max_heap_size_kills_the_process_only).
-export([main/0]).

main() ->
    {P, R} = spawn_opt(fun() -> grow([]) end, [monitor, {max_heap_size, #{size => 100000, kill => true, error_logger => false}}]),
    receive {'DOWN', R, process, P, Why} -> show(Why) end,
    show(still_here).

grow(L) -> grow([L, L, L | L]).

show(X) -> io:format("~p~n", [X]).

%% expect: killed
%% expect: still_here

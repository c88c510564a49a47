%% Results come back in the order of the list; a crash in a worker is a crash of the whole.
-module(a_parallel_map_keeps_the_order).
-export([main/0]).

main() ->
    show(pmap(fun(X) -> X * X end, lists:seq(1, 50)) =:= [X * X || X <- lists:seq(1, 50)]),
    show(try pmap(fun(3) -> exit(three); (X) -> X end, [1, 2, 3, 4]) catch exit:R -> {failed, R} end).

pmap(F, L) ->
    Workers = [spawn_monitor(fun() -> exit({ok, F(X)}) end) || X <- L],
    [receive
         {'DOWN', Ref, process, Pid, {ok, V}} -> V;
         {'DOWN', Ref, process, Pid, Reason} -> exit(Reason)
     end || {Pid, Ref} <- Workers].

show(X) -> io:format("~p~n", [X]).

%% expect: true
%% expect: {failed,three}

%% A list of ten million elements is built, copied, compared, printed and collected.
%% plain only: its size is the point
-module(ten_million_elements_without_native_recursion).
-export([main/0]).

main() ->
    L = lists:seq(1, 10000000),
    show(length(L)),
    erlang:garbage_collect(),
    M = [X || X <- L],
    show(M =:= L),
    show(M == [0 | L]),
    Self = self(),
    {_, R} = spawn_monitor(fun() -> Self ! {sum, lists:sum(L)} end),
    show(receive {sum, S} -> S end),
    receive {'DOWN', R, _, _, _} -> ok end,
    show(length(lists:flatten(io_lib:format("~w", [lists:duplicate(100000, 7)])))).

show(X) -> io:format("~p~n", [X]).

%% expect: 10000000
%% expect: true
%% expect: false
%% expect: 50000005000000
%% expect: 200001

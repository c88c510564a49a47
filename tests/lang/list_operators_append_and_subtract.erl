%% ++ copies the left list, -- removes first occurrences.
-module(list_operators_append_and_subtract).
-export([main/0]).

main() ->
    show([[1, 2] ++ [3], [] ++ [], id([1]) ++ id(2), [] ++ id(a), [1] ++ [2 | 3]]),
    show([id([1, 2, 3, 2]) -- [2, 2], id([1, 2, 3]) -- [], [] -- id([1]), id([1, 1.0]) -- [1.0], id("banana") -- "an", id([[a], [b]]) -- [[a]]]),
    show([id([c, b, a, b, c]) -- [b], id([x, x, y, x, z]) -- [x, x], id([a]) -- [a, a, a], id([1, 2, 3]) -- [9, 1], length(lists:duplicate(5000, x) -- [x])]),
    show(attempt(fun() -> id(a) ++ [1] end)),
    show(attempt(fun() -> id([1 | 2]) ++ [1] end)),
    show(attempt(fun() -> id([1]) -- id(a) end)),
    show(attempt(fun() -> id(a) -- id([1]) end)),
    show(attempt(fun() -> id([1 | 2]) -- [1] end)),
    L = lists:seq(1, 3000),
    show(length(L -- lists:reverse(L))),
    show(length((L ++ L) -- L)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [[1,2,3],[],[1|2],a,[1,2|3]]
%% expect: [[1,3],[1,2,3],[],[1],"bana",[[b]]]
%% expect: [[c,a,b,c],[y,x,z],[],[2,3],4999]
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: 0
%% expect: 3000

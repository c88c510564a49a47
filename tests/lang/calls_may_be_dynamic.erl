%% M:F(A), apply/2, apply/3 and local names as variables.
-module(calls_may_be_dynamic).

-export([main/0, add/2]).
main() ->
    M = id(?MODULE), F = id(add),
    show([M:add(1, 2), ?MODULE:F(3, 4), M:F(5, 6), apply(M, F, [7, 8]), apply(fun add/2, [9, 10]), apply(erlang, '*', [2, 3])]),
    G = fun add/2,
    show(G(1, 1)),
    show(apply(lists, reverse, [[1, 2]])),
    show(attempt(fun() -> apply(M, F, id([1 | 2])) end)),
    show(attempt(fun() -> apply(M, F, id([1])) end)),
    show(attempt(fun() -> apply(id("m"), F, []) end)),
    show(attempt(fun() -> M:(id(1))() end)).

add(X, Y) -> X + Y.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [3,7,11,15,19,6]
%% expect: 2
%% expect: [2,1]
%% expect: {error,badarg}
%% expect: {error,undef}
%% expect: {error,badarg}
%% expect: {error,badarg}

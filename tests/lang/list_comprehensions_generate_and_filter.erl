%% Generators, filters, nesting, dependence and order.
-module(list_comprehensions_generate_and_filter).
-export([main/0]).

main() ->
    show([X * X || X <- [1, 2, 3]]),
    show([{X, Y} || X <- [1, 2, 3], Y <- [a, b]]),
    show([{X, Y} || X <- [1, 2, 3], Y <- lists:seq(1, X), X + Y > 3]),
    show([X || {ok, X} <- [{ok, 1}, {error, 2}, ok, {ok, 3}]]),
    show([X || X <- [1, a, 2.0, "s"], is_number(X)]),
    show([X || X <- lists:seq(1, 20), X rem 2 =:= 0, X rem 3 =:= 0]),
    show([[Y || Y <- L, Y > 1] || L <- [[1, 2], [3], []]]),
    show([yes || true] ++ [no || false]).

show(X) -> io:format("~p~n", [X]).

%% expect: [1,4,9]
%% expect: [{1,a},{1,b},{2,a},{2,b},{3,a},{3,b}]
%% expect: [{2,2},{3,1},{3,2},{3,3}]
%% expect: [1,3]
%% expect: [1,2.0]
%% expect: [6,12,18]
%% expect: [[2],[3],[]]
%% expect: [yes]

%% Clauses are tried from top to bottom, whatever they look at first.
-module(nested_patterns_choose_the_first_clause_that_fits).
-export([main/0]).

main() ->
    L = [{a, [1, {b, 2}]}, {a, [1, {b, 3}]}, {a, [2, {c, 3}]}, {a, []}, {b, [1]}, {a, [1, {b, 2}], x}, [a], a, {a, [1, [b]]}],
    show([f(X) || X <- L]),
    show([g(X, Y) || X <- [a, b, c], Y <- [a, b, c]]).

f({a, [1, {b, 2}]}) -> 1;
f({_, [1, {b, N}]}) -> {2, N};
f({a, [N, {c, _}]}) -> {3, N};
f({a, []}) -> 4;
f({a, L}) when length(L) =:= 2 -> 5;
f({X, [_]}) -> {6, X};
f({_, _, Z}) -> {7, Z};
f([X]) -> {8, X};
f(_) -> 9.

g(a, a) -> aa;
g(_, b) -> any_b;
g(b, _) -> b_any;
g(X, X) -> same;
g(a, c) -> ac;
g(_, _) -> rest.

show(X) -> io:format("~p~n", [X]).

%% expect: [1,{2,3},{3,2},4,{6,b},{7,x},{8,a},9,5]
%% expect: [aa,any_b,ac,b_any,any_b,b_any,rest,any_b,same]

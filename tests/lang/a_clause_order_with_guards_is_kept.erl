%% A guard that fails lets the next clause try, even one with the same pattern.
-module(a_clause_order_with_guards_is_kept).
-export([main/0]).

main() ->
    show([f(X) || X <- [1, 5, 50, 500, -1, a, 1.5, [1], {5}]]).

f(X) when X < 0 -> negative;
f(1) -> one;
f(X) when is_integer(X), X < 10 -> small;
f(X) when is_integer(X), X < 100 -> medium;
f(X) when is_float(X) -> float;
f({X}) when X > 5 -> big_tuple;
f({_}) -> tuple;
f(X) when is_atom(X); is_list(X) -> atom_or_list;
f(_) -> large.

show(X) -> io:format("~p~n", [X]).

%% expect: [one,small,medium,large,negative,atom_or_list,float,atom_or_list,tuple]

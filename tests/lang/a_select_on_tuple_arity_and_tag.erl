%% Tuples of the same tag and different size are different.
-module(a_select_on_tuple_arity_and_tag).
-export([main/0]).

main() ->
    show([f(X) || X <- [{}, {a}, {a, 1}, {a, 1, 2}, {b, 1}, {b, 1, 2, 3}, {c, c}, [a], {1, 1}]]).

f({}) -> empty;
f({a}) -> a0;
f({a, X}) -> {a1, X};
f({a, X, Y}) -> {a2, X, Y};
f({b, X}) -> {b1, X};
f({b, _, _, X}) -> {b3, X};
f({X, X}) -> {same, X};
f(_) -> other.

show(X) -> io:format("~p~n", [X]).

%% expect: [empty,a0,{a1,1},{a2,1,2},{b1,1},{b3,3},{same,c},other,{same,1}]

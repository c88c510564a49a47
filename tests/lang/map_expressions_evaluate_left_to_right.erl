%% Keys and values are evaluated in order.
-module(map_expressions_evaluate_left_to_right).
-export([main/0]).

main() ->
    show(#{say(1) => say(2), say(3) => say(4)}),
    show({say(a), [say(b), say(c) | say(d)]}),
    show(say(5) + say(6) * say(7)),
    show((say(fun(X, Y) -> {X, Y} end))(say(8), say(9))).

say(X) when is_function(X) -> io:format("fun "), X;
say(X) -> io:format("~w ", [X]), X.

show(X) -> io:format("~p~n", [X]).

%% expect: 1 2 3 4 #{1 => 2,3 => 4}
%% expect: a b c d {a,[b,c|d]}
%% expect: 5 6 7 47
%% expect: fun 8 9 {8,9}

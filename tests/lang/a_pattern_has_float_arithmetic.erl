%% Arithmetic in a pattern gives its value, of floats and of both kinds of numbers.
%% expect: [half,other,in_tuple]
%% expect: [two,other,three_and_a_half,negative]
%% expect: [a,half]
%% expect: [long,short,other]
-module(a_pattern_has_float_arithmetic).
-export([main/0]).

main() ->
    io:format("~p~n", [[half(X) || X <- [0.5, 1, {0.5}]]]),
    io:format("~p~n", [[mixed(X) || X <- [2.0, 2, 3.5, -0.75]]]),
    io:format("~p~n", [[keyed(X) || X <- [#{0.25 => a}, #{1 => 0.5}]]]),
    io:format("~p~n", [[segment(X) || X <- [<<0.5/float>>, <<0.5:32/float>>, <<1.5/float>>]]]).

half(1 / 2) -> half;
half({1 / 2}) -> in_tuple;
half(_) -> other.

mixed(1.0 + 1) -> two;
mixed(7 / 4 * 2) -> three_and_a_half;
mixed(-(3 / 4)) -> negative;
mixed(_) -> other.

keyed(#{1 / 4 := Value}) -> Value;
keyed(#{1 := 2 / 4}) -> half.

segment(<<(1 / 2):64/float>>) -> long;
segment(<<(1 / 2):32/float>>) -> short;
segment(_) -> other.

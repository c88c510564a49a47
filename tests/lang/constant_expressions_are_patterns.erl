%% Arithmetic on literals is allowed in patterns.
-module(constant_expressions_are_patterns).
-export([main/0]).

main() ->
    show([f(X) || X <- [3, 6, -8, 16#FF, 1 bsl 70, 4, 2, -5]]).

f(1 + 2) -> three;
f(2 * 3) -> six;
f(-(4 + 4)) -> minus_eight;
f(16#F0 bor 16#0F) -> ff;
f(1 bsl 70) -> big;
f(9 div 2) -> four;
f(11 rem 3) -> two;
f(bnot 4) -> minus_five.

show(X) -> io:format("~p~n", [X]).

%% expect: [three,six,minus_eight,ff,big,four,two,minus_five]

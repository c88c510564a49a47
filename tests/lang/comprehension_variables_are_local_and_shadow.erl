%% A generator's variable is new, even when the name is bound outside.
-module(comprehension_variables_are_local_and_shadow).
-export([main/0]).

main() ->
    X = id(1),
    show([X || X <- [2, 3]]),
    show(X),
    show([Y || {X, Y} <- [{1, a}, {2, b}], X =:= 1]),
    show([A || A <- [1, 2], B <- [A, X], B =:= A]),
    show([Z || Z <- [(fun(X) -> X * 2 end)(X), X]]),
    show([[X || X <- [X, X + 1]] || X <- [X + 10]]).

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: [2,3]
%% expect: 1
%% expect: [a]
%% expect: [1,1,2]
%% expect: [2,1]
%% expect: ["\v\f"]

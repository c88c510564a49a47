%% A match on the right of andalso binds and is true as its value says.
-module(a_match_is_a_value_in_andalso).
-export([main/0]).

main() ->
    show(id(true) andalso (1 = id(1))),
    show([X = a || false] ++ [X = b || true]),
    show(begin true = Y = id(true), Y end).

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: 1
%% expect: [b]
%% expect: true

%% Blocks give their last value; matches inside bind outside.
-module(begin_end_and_comma_sequences).
-export([main/0]).

main() ->
    X = begin A = id(1), B = A + 1, A + B end,
    show({X, A, B}),
    show([begin Y = N * 2, Y + 1 end || N <- [1, 2]]).

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: {3,1,2}
%% expect: [3,5]

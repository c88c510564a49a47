%% Anonymous funs keep the values of the variables around them.
-module(funs_close_over_their_surroundings).
-export([main/0]).

main() ->
    Adders = [fun(X) -> X + N end || N <- [1, 10, 100]],
    show([F(5) || F <- Adders]),
    A = id(1), B = id(two), C = id("three"),
    F = fun() -> fun() -> fun(D) -> {A, B, C, D} end end end,
    show(((F())())(4)),
    Compose = fun(G, H) -> fun(X) -> G(H(X)) end end,
    show((Compose(fun(X) -> X * 2 end, fun(X) -> X + 1 end))(5)),
    Curry = fun(X) -> fun(Y) -> fun(Z) -> X * Y - Z end end end,
    show(((Curry(3))(4))(5)).

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: [6,15,105]
%% expect: {1,two,"three",4}
%% expect: 12
%% expect: 7

%% A fun made in the of part of a try closes over what was matched.
-module(a_fun_in_an_of_branch).
-export([main/0]).

main() ->
    F = try id({1, 2}) of {A, B} -> fun(X) -> {A, B, X} end catch _:_ -> none end,
    show(F(3)),
    G = try id(5) of N when N > 3 -> fun() -> throw(N) end; _ -> none after io:format("after~n") end,
    show(catch G()).

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: {1,2,3}
%% expect: after
%% expect: 5

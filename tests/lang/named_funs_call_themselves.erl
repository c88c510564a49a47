%% fun Name(...) may recurse and shadows nothing outside.
-module(named_funs_call_themselves).
-export([main/0]).

main() ->
    Fact = fun F(0) -> 1; F(N) -> N * F(N - 1) end,
    show(Fact(20)),
    show(Fact(30)),
    Count = fun Loop(N, Acc) when N > 0 -> Loop(N - 1, Acc + 1); Loop(0, Acc) -> Acc end,
    show(Count(100000, 0)),
    show((fun Even(0) -> true; Even(N) -> not Even(N - 1) end)(7)).

show(X) -> io:format("~p~n", [X]).

%% expect: 2432902008176640000
%% expect: 265252859812191058636308480000000
%% expect: 100000
%% expect: false

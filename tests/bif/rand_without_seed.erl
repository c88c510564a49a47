%% Unseeded numbers lie in their ranges and differ.
-module(rand_without_seed).
-export([main/0]).

main() ->
    L = [rand:uniform(6) || _ <- lists:seq(1, 1000)],
    show(lists:usort(L)),
    show(lists:all(fun(_) -> X = rand:uniform(), X >= 0.0 andalso X < 1.0 end, L)),
    show(length(lists:usort([rand:uniform(1 bsl 60) || _ <- lists:seq(1, 100)]))),
    show(is_float(rand:normal())),
    show(byte_size(rand:bytes(10))).

show(X) -> io:format("~p~n", [X]).

%% expect: [1,2,3,4,5,6]
%% expect: true
%% expect: 100
%% expect: true
%% expect: 10

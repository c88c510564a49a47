%% An integer meeting a float becomes one.
-module(floats_and_integers_mix_in_arithmetic).
-export([main/0]).

main() ->
    show([id(1) + 1.5, id(2.5) - 1, id(2) * 1.5, id(1 bsl 70) + 0.5, id(0.1) + 0.2, 1 / id(3), id(-0.0) + 0.0, id(0.0) * -1, -id(0.0)]),
    show([+id(3), +id(2.5), -id(2.5), -id(1 bsl 80)]),
    show([id(1.0e-300) * 1.0e-300, id(5.0e-324) / 2]),
    show([id(123456789.0) * 1000, id(1.0e22) + 1, id(9007199254740993) * 1.0]).

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: [2.5,1.5,3.0,1.1805916207174113e21,0.30000000000000004,0.3333333333333333,0.0,
%% expect:  -0.0,-0.0]
%% expect: [3,2.5,-2.5,-1208925819614629174706176]
%% expect: [0.0,0.0]
%% expect: [1.23456789e11,1.0e22,9.007199254740992e15]

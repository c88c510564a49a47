%% Big integers as keys, in guards, patterns, cases, sends and comparisons.
-module(large_integers_in_every_position).
-export([main/0]).

main() ->
    B = id(1 bsl 90),
    show(case B of 1237940039285380274899124224 -> literal; _ -> no end),
    show(f(B)),
    show(f(B + 1)),
    show(f(-B)),
    M = #{B => big, -B => negative},
    show([maps:get(B, M), maps:get(-B, M), maps:get(B + 1, M, none)]),
    self() ! {n, B},
    show(receive {n, X} when X > 1 bsl 89 -> X - (1 bsl 90) end),
    show([B =:= id(1 bsl 90), B == float(B), B < B + 1, B > float(B) * 2, lists:sort([B, 1, -B, 1.0e30, a])]),
    show(lists:member(B, [1, B])).

f(X) when X =:= 1 bsl 90 -> exactly;
f(X) when X > 1 bsl 90 -> above;
f(X) when is_integer(X), X < 0 -> below.

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: literal
%% expect: exactly
%% expect: above
%% expect: below
%% expect: [big,negative,none]
%% expect: 0
%% expect: [true,true,true,false,
%% expect:  [-1237940039285380274899124224,1,1237940039285380274899124224,1.0e30,a]]
%% expect: true

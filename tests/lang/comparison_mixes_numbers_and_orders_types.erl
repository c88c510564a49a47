%% number < atom < reference < fun < port < pid < tuple < map < nil < list < bit string.
-module(comparison_mixes_numbers_and_orders_types).
-export([main/0]).

main() ->
    R = make_ref(),
    L = [1, 1.5, a, R, fun id/1, self(), {}, {a}, #{}, [], [a], <<>>, <<1>>],
    show([I || {I, {A, B}} <- lists:zip(lists:seq(1, length(L) - 1), lists:zip(lists:droplast(L), tl(L))), not (A < B)]),
    show([X < Y || {X, Y} <- [{1, 1.0}, {1.0, 1}, {1, 2}, {2, 1.5}, {1 bsl 70, 1.0e30}, {1 bsl 70, 1.0e20}, {-(1 bsl 70), -1.0e300},
                              {9007199254740993, 9007199254740992.0}, {9007199254740992.0, 9007199254740993}]]),
    show([{X == Y, X =:= Y, X /= Y, X =/= Y} || {X, Y} <- [{1, 1.0}, {1, 1}, {1.0, 1.0}, {a, a}, {[1], [1.0]}, {{1, [2]}, {1.0, [2.0]}},
                                                           {1 bsl 70, 1180591620717411303424.0}, {<<1>>, <<1>>}]]).

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: []
%% expect: [false,false,true,false,true,false,false,false,true]
%% expect: [{true,false,false,true},
%% expect:  {true,true,false,false},
%% expect:  {true,true,false,false},
%% expect:  {true,true,false,false},
%% expect:  {true,false,false,true},
%% expect:  {true,false,false,true},
%% expect:  {true,false,false,true},
%% expect:  {true,true,false,false}]

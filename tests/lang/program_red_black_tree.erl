%% A balanced tree filled with 2,000 keys in a scrambled order.
-module(program_red_black_tree).
-export([main/0]).

main() ->
    T = lists:foldl(fun(K, T) -> insert(K, K * 2, T) end, e, [(I * 7919) rem 2003 || I <- lists:seq(1, 2002)]),
    show(size_of(T)),
    show([find(K, T) || K <- [1, 1000, 2002, 2003, 0]]),
    show(keys(T) =:= lists:seq(1, 2002)),
    show(depth(T) < 23).

insert(K, V, T) -> setelement(1, ins(K, V, T), b).

ins(K, V, e) -> {r, e, K, V, e};
ins(K, V, {C, L, Y, W, R}) when K < Y -> balance({C, ins(K, V, L), Y, W, R});
ins(K, V, {C, L, Y, W, R}) when K > Y -> balance({C, L, Y, W, ins(K, V, R)});
ins(K, V, {C, L, _, _, R}) -> {C, L, K, V, R}.

balance({b, {r, {r, A, X, Vx, B}, Y, Vy, C}, Z, Vz, D}) -> {r, {b, A, X, Vx, B}, Y, Vy, {b, C, Z, Vz, D}};
balance({b, {r, A, X, Vx, {r, B, Y, Vy, C}}, Z, Vz, D}) -> {r, {b, A, X, Vx, B}, Y, Vy, {b, C, Z, Vz, D}};
balance({b, A, X, Vx, {r, {r, B, Y, Vy, C}, Z, Vz, D}}) -> {r, {b, A, X, Vx, B}, Y, Vy, {b, C, Z, Vz, D}};
balance({b, A, X, Vx, {r, B, Y, Vy, {r, C, Z, Vz, D}}}) -> {r, {b, A, X, Vx, B}, Y, Vy, {b, C, Z, Vz, D}};
balance(T) -> T.

find(_, e) -> none;
find(K, {_, L, Y, _, _}) when K < Y -> find(K, L);
find(K, {_, _, Y, _, R}) when K > Y -> find(K, R);
find(_, {_, _, _, V, _}) -> V.

keys(e) -> [];
keys({_, L, K, _, R}) -> keys(L) ++ [K | keys(R)].

size_of(e) -> 0;
size_of({_, L, _, _, R}) -> size_of(L) + 1 + size_of(R).

depth(e) -> 0;
depth({_, L, _, _, R}) -> 1 + max(depth(L), depth(R)).

show(X) -> io:format("~p~n", [X]).

%% expect: 2002
%% expect: [2,2000,4004,none,none]
%% expect: true
%% expect: true

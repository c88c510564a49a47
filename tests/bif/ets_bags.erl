%% bag and duplicate_bag.
-module(ets_bags).
-export([main/0]).

main() ->
    B = ets:new(b, [bag]),
    D = ets:new(d, [duplicate_bag]),
    [begin ets:insert(T, {a, 1}), ets:insert(T, {a, 2}), ets:insert(T, {a, 1}), ets:insert(T, {b, 1}) end || T <- [B, D]],
    show([ets:lookup(B, a), ets:lookup(D, a)]),
    ets:delete_object(D, {a, 1}),
    show([ets:lookup(D, a), ets:info(B, size), ets:lookup_element(B, a, 2)]).

show(X) -> io:format("~p~n", [X]).

%% expect: [[{a,1},{a,2}],[{a,1},{a,2},{a,1}]]
%% expect: [[{a,2}],3,[1,2]]

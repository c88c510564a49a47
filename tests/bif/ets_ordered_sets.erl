%% ordered_set: order, first, last, next, prev, numeric key equality.
-module(ets_ordered_sets).
-export([main/0]).

main() ->
    T = ets:new(t, [ordered_set]),
    [ets:insert(T, {K, v}) || K <- [c, 3, {t}, 1.5, a, "l", <<"b">>, 1, b, 2]],
    show([K || {K, _} <- ets:tab2list(T)]),
    show([ets:first(T), ets:last(T), ets:next(T, 2), ets:prev(T, a), ets:next(T, <<"b">>), ets:prev(T, 1), ets:next(T, 1.7)]),
    ets:insert(T, {1.0, replaced}),
    show(ets:lookup(T, 1)),
    show(ets:info(T, size)),
    show(ets:first(ets:new(e, [ordered_set]))).

show(X) -> io:format("~p~n", [X]).

%% expect: [1,1.5,2,3,a,b,c,{t},"l",<<"b">>]
%% expect: [1,<<"b">>,3,3,'$end_of_table','$end_of_table',2]
%% expect: [{1.0,replaced}]
%% expect: 10
%% expect: '$end_of_table'

%% sort, usort, keysort, ukeysort, merge, umerge, sort/2: stable, numeric equality.
-module(lists_sort_and_merge).
-export([main/0]).

main() ->
    L = id([3, 1, 2, 3, 1.0, 1]),
    show([lists:sort(L), lists:usort(L), lists:reverse(lists:sort(L))]),
    show(lists:sort([[1], {a}, b, 1.5, <<>>, #{}, [], 1, 2])),
    show(lists:usort([1.0, 1])),
    show(lists:usort([1, 1.0])),
    K = [{b, 1}, {a, 2}, {b, 0}, {a, 1}, {c, 3}, {a, 0}],
    show([lists:keysort(1, K), lists:keysort(2, K), lists:ukeysort(1, K)]),
    show([lists:merge([1, 3, 5], [2, 4]), lists:umerge([1, 2], [2, 3]), lists:merge([[1, 4], [2], [3, 5]]), lists:umerge([[1, 2], [2, 3], [1]]), lists:merge3([1], [0], [2]),
          lists:keymerge(1, [{a, 1}, {c, 1}], [{a, 2}, {b, 2}]), lists:ukeymerge(1, [{a, 1}], [{a, 2}, {b, 2}]), lists:merge(fun(A, B) -> A >= B end, [5, 1], [4, 2])]),
    show([lists:sort(fun(A, B) -> A >= B end, L), lists:usort(fun(A, B) -> A >= B end, L), lists:sort(fun({_, A}, {_, B}) -> A =< B end, K)]),
    Big = [(I * 7919) rem 10007 || I <- lists:seq(1, 10000)],
    S = lists:sort(Big),
    show({hd(S), lists:last(S), length(lists:usort(Big)), lists:sort(lists:reverse(S)) =:= S, lists:sort(S) =:= S}),
    show([attempt(F) || F <- [fun() -> lists:sort(id(a)) end, fun() -> lists:sort(id([1 | 2])) end, fun() -> lists:keysort(id(3), K) end, fun() -> lists:keysort(1, id([a, b])) end, fun() -> lists:sort(id(a), [1, 2]) end]]).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [[1,1.0,1,2,3,3],[1,2,3],[3,3,2,1,1.0,1]]
%% expect: [1,1.5,2,b,{a},#{},[],[1],<<>>]
%% expect: [1.0]
%% expect: [1]
%% expect: [[{a,2},{a,1},{a,0},{b,1},{b,0},{c,3}],
%% expect:  [{b,0},{a,0},{b,1},{a,1},{a,2},{c,3}],
%% expect:  [{a,2},{b,1},{c,3}]]
%% expect: [[1,2,3,4,5],
%% expect:  [1,2,3],
%% expect:  [1,2,3,4,5],
%% expect:  [1,2,3],
%% expect:  [0,1,2],
%% expect:  [{a,1},{a,2},{b,2},{c,1}],
%% expect:  [{a,1},{b,2}],
%% expect:  [5,4,2,1]]
%% expect: [[3,3,2,1,1.0,1],[3,2,1],[{b,0},{a,0},{b,1},{a,1},{a,2},{c,3}]]
%% expect: {1,10006,10000,true,true}
%% expect: [{error,function_clause},
%% expect:  {error,function_clause},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,{badfun,a}}]

%% seq, duplicate, sublist, split, nthtail, append, concat, last, droplast, nth, join.
-module(lists_build_and_cut).
-export([main/0]).

main() ->
    show([lists:seq(1, 5), lists:seq(5, 1, -2), lists:seq(1, 0), lists:seq(1, 1), lists:seq(2, 10, 3), lists:seq(1, 0, 5), lists:seq(3, 3, -1)]),
    show([lists:duplicate(3, a), lists:duplicate(0, a), lists:sublist([1, 2, 3], 2), lists:sublist([1, 2, 3], 9), lists:sublist([1, 2, 3, 4], 2, 2), lists:sublist([1], 2, 5)]),
    show([lists:split(2, [a, b, c]), lists:split(0, []), lists:nthtail(1, [a, b]), lists:nthtail(0, []), lists:nth(2, [a, b]), lists:last([1, 2]), lists:droplast([1, 2])]),
    show([lists:append([[1], [2, 3], []]), lists:append([1], [2]), lists:append([]), lists:concat([a, 1, "s", 2.5, b]), lists:join(x, [1, 2, 3]), lists:join(x, [])]),
    show([lists:flatten([1, [2, [3, [[]]], 4]]), lists:flatten([[a], b], [c]), lists:flatlength([1, [2, []]]), lists:reverse([1, 2, 3]), lists:reverse([1, 2], [3 | x])]),
    show([attempt(F) || F <- [fun() -> lists:seq(5, 1) end, fun() -> lists:seq(1, 5, 0) end, fun() -> lists:seq(1, 5, -1) end, fun() -> lists:nth(id(5), [1]) end,
                              fun() -> lists:nth(id(0), [1]) end, fun() -> lists:nthtail(id(3), [1]) end, fun() -> lists:last(id([])) end, fun() -> lists:droplast(id([])) end,
                              fun() -> lists:split(id(3), [1]) end, fun() -> lists:reverse(id(a)) end, fun() -> lists:reverse(id([1 | 2])) end, fun() -> lists:sublist(id(a), 1) end,
                              fun() -> lists:sublist([1], id(-1)) end, fun() -> lists:duplicate(id(-1), x) end, fun() -> lists:append(id(a)) end, fun() -> lists:flatten(id(a)) end,
                              fun() -> lists:sublist([1, 2], id(0), 1) end, fun() -> lists:seq(id(a), 1) end, fun() -> lists:sum(id([a])) end, fun() -> lists:max(id([])) end]]),
    show(length(lists:flatten([[I, [I]] || I <- lists:seq(1, 10000)]))).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [[1,2,3,4,5],[5,3,1],[],[1],[2,5,8],[],[3]]
%% expect: [[a,a,a],[],[1,2],[1,2,3],[2,3],[]]
%% expect: [{[a,b],[c]},{[],[]},[b],[],b,2,[1]]
%% expect: [[1,2,3],[1,2],[],"a1s2.50000000000000000000e+00b",[1,x,2,x,3],[]]
%% expect: [[1,2,3,4],[a,b,c],2,[3,2,1],[2,1,3|x]]
%% expect: [{error,function_clause},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,function_clause},
%% expect:  {error,function_clause},
%% expect:  {error,function_clause},
%% expect:  {error,function_clause},
%% expect:  {error,function_clause},
%% expect:  {error,badarg},
%% expect:  {error,function_clause},
%% expect:  {error,function_clause},
%% expect:  {error,function_clause},
%% expect:  {error,function_clause},
%% expect:  {error,function_clause},
%% expect:  {error,function_clause},
%% expect:  {error,function_clause},
%% expect:  {error,function_clause},
%% expect:  {error,function_clause},
%% expect:  {error,badarith},
%% expect:  {error,function_clause}]
%% expect: 20000

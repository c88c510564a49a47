%% map, foldl, foldr, filter, foreach, all, any, partition, takewhile, dropwhile, splitwith, flatmap, filtermap, mapfoldl, search, zipwith.
-module(lists_higher_order).
-export([main/0]).

main() ->
    L = lists:seq(1, 6),
    Even = fun(X) -> X rem 2 =:= 0 end,
    show([lists:map(fun(X) -> X * X end, L), lists:filter(Even, L), lists:foldl(fun(X, A) -> [X | A] end, [], L), lists:foldr(fun(X, A) -> [X | A] end, [], L),
          lists:all(Even, L), lists:any(Even, L), lists:all(Even, []), lists:any(Even, []), lists:partition(Even, L), lists:takewhile(fun(X) -> X < 3 end, L),
          lists:dropwhile(fun(X) -> X < 3 end, L), lists:splitwith(fun(X) -> X < 3 end, L), lists:flatmap(fun(X) -> [X, X] end, [1, 2]),
          lists:filtermap(fun(X) -> case X rem 3 of 0 -> {true, {X}}; 1 -> true; 2 -> false end end, L), lists:mapfoldl(fun(X, A) -> {X * A, A + 1} end, 1, [1, 2, 3]),
          lists:mapfoldr(fun(X, A) -> {X * A, A + 1} end, 1, [1, 2, 3]), lists:search(fun(X) -> X > 3 end, L), lists:search(fun(X) -> X > 9 end, L)]),
    show([lists:zip([1, 2], [a, b]), lists:zip3([1], [a], [x]), lists:unzip([{1, a}, {2, b}]), lists:unzip3([{1, a, x}]), lists:zipwith(fun(A, B) -> A + B end, [1, 2], [3, 4]),
          lists:zipwith3(fun(A, B, C) -> {A, B, C} end, [1], [2], [3])]),
    lists:foreach(fun(X) -> io:format("~w,", [X]) end, L), io:nl(),
    show([lists:sum([1, 2.5]), lists:sum([]), lists:max([1, 3, 2]), lists:min([b, a, 1]), lists:max([1, 1.0]), lists:min([1, 1.0])]),
    show([attempt(F) || F <- [fun() -> lists:map(a, [1]) end, fun() -> lists:map(fun(X) -> X end, id(a)) end, fun() -> lists:foldl(fun(X, A) -> X + A end, 0, id(a)) end,
                              fun() -> lists:filter(fun(_) -> maybe_so end, [1]) end, fun() -> lists:zip([1], id([])) end, fun() -> lists:all(fun(_) -> 1 end, [1]) end,
                              fun() -> lists:foreach(fun(X) -> X end, id([1 | 2])) end, fun() -> lists:partition(fun(_) -> x end, [1]) end]]).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [[1,4,9,16,25,36],
%% expect:  [2,4,6],
%% expect:  [6,5,4,3,2,1],
%% expect:  [1,2,3,4,5,6],
%% expect:  false,true,true,false,
%% expect:  {[2,4,6],[1,3,5]},
%% expect:  [1,2],
%% expect:  [3,4,5,6],
%% expect:  {[1,2],[3,4,5,6]},
%% expect:  [1,1,2,2],
%% expect:  [1,{3},4,{6}],
%% expect:  {[1,4,9],4},
%% expect:  {[3,4,3],4},
%% expect:  {value,4},
%% expect:  false]
%% expect: [[{1,a},{2,b}],[{1,a,x}],{[1,2],[a,b]},{[1],[a],[x]},[4,6],[{1,2,3}]]
%% expect: 1,2,3,4,5,6,
%% expect: [3.5,0,3,1,1,1]
%% expect: [{error,function_clause},
%% expect:  {error,{case_clause,a}},
%% expect:  {error,{case_clause,a}},
%% expect:  {error,{bad_filter,maybe_so}},
%% expect:  {error,function_clause},
%% expect:  {error,{case_clause,1}},
%% expect:  {error,function_clause},
%% expect:  {error,{case_clause,x}}]

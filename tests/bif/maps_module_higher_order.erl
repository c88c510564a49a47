%% map, filter, fold, foreach, filtermap, iterators, groups_from_list, merge_with, intersect.
-module(maps_module_higher_order).
-export([main/0]).

main() ->
    M = maps:from_list([{I, I * I} || I <- lists:seq(1, 5)]),
    show(maps:map(fun(K, V) -> {K, V} end, M)),
    show(maps:filter(fun(K, V) -> (K + V) rem 4 =:= 0 end, M)),
    show(maps:fold(fun(K, V, A) -> [{K, V} | A] end, [], M)),
    show(maps:filtermap(fun(K, _) when K < 2 -> true; (K, V) when K < 4 -> {true, -V}; (_, _) -> false end, M)),
    maps:foreach(fun(K, V) -> io:format("~w-~w ", [K, V]) end, M),
    io:nl(),
    show(iterate(maps:next(maps:iterator(M)))),
    show(maps:next(maps:iterator(#{}))),
    show(maps:merge_with(fun(K, A, B) -> {K, A, B} end, #{a => 1, b => 2}, #{b => 3, c => 4})),
    show(maps:intersect(#{a => 1, b => 2}, #{b => 3, c => 4})),
    show(maps:intersect_with(fun(K, A, B) -> {K, A, B} end, #{a => 1, b => 2}, #{b => 3, c => 4})),
    show(maps:groups_from_list(fun(X) -> X rem 3 end, lists:seq(1, 10))),
    show(maps:groups_from_list(fun length/1, fun lists:reverse/1, ["ab", "c", "de", ""])),
    Big = maps:from_list([{I, I} || I <- lists:seq(1, 1000)]),
    show(maps:fold(fun(_, V, A) -> V + A end, 0, Big)),
    show(lists:sort(maps:keys(maps:filter(fun(K, _) -> K rem 100 =:= 0 end, Big)))),
    show(lists:sum(iterate(maps:next(maps:iterator(maps:map(fun(_, V) -> V * 2 end, Big)))))),
    show(length(maps:to_list(Big)) =:= length(iterate(maps:next(maps:iterator(Big))))),
    show([attempt(F) || F <- [fun() -> maps:map(a, M) end, fun() -> maps:fold(fun(_, _, A) -> A end, 0, id(x)) end, fun() -> maps:iterator(id(x)) end, fun() -> maps:next(id(x)) end]]).

iterate(none) -> [];
iterate({_, V, I}) -> [V | iterate(maps:next(I))].

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: #{1 => {1,1},2 => {2,4},3 => {3,9},4 => {4,16},5 => {5,25}}
%% expect: #{3 => 9,4 => 16}
%% expect: [{5,25},{4,16},{3,9},{2,4},{1,1}]
%% expect: #{1 => 1,2 => -4,3 => -9}
%% expect: 1-1 2-4 3-9 4-16 5-25 
%% expect: [1,4,9,16,25]
%% expect: none
%% expect: #{a => 1,b => {b,2,3},c => 4}
%% expect: #{b => 3}
%% expect: #{b => {b,2,3}}
%% expect: #{0 => [3,6,9],1 => [1,4,7,10],2 => [2,5,8]}
%% expect: #{0 => [[]],1 => ["c"],2 => ["ba","ed"]}
%% expect: 500500
%% expect: [100,200,300,400,500,600,700,800,900,1000]
%% expect: 1001000
%% expect: true
%% expect: [{error,badarg},{error,{badmap,x}},{error,{badmap,x}},{error,badarg}]

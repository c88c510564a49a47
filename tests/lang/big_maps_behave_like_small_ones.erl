%% Maps of more than 32 keys: build, match, update, remove, compare, cross the border both ways.
-module(big_maps_behave_like_small_ones).
-export([main/0]).

main() ->
    Ns = [0, 1, 31, 32, 33, 34, 64, 100, 1000],
    [check(N) || N <- Ns],
    M = maps:from_list([{I, I * I} || I <- lists:seq(1, 40)]),
    #{7 := A, 40 := B} = M,
    show({A, B, map_size(M)}),
    show(case M of #{41 := _} -> yes; _ -> no end),
    M2 = M#{7 := x, new => y},
    show({map_size(M2), maps:get(7, M2), maps:get(new, M2)}),
    show(attempt(fun() -> M#{99 := 1} end)),
    Small = lists:foldl(fun maps:remove/2, M, lists:seq(3, 40)),
    show({Small, Small =:= #{1 => 1, 2 => 4}}).

check(N) ->
    L = [{key(I), I} || I <- lists:seq(1, N)],
    M1 = maps:from_list(L),
    M2 = lists:foldl(fun({K, V}, M) -> M#{K => V} end, #{}, lists:reverse(L)),
    true = M1 =:= M2,
    true = map_size(M1) =:= N,
    true = lists:all(fun({K, V}) -> maps:get(K, M1) =:= V end, L),
    true = lists:sort(maps:to_list(M1)) =:= lists:sort(L),
    M3 = lists:foldl(fun({K, _}, M) -> maps:remove(K, M) end, M1, L),
    #{} = M3,
    0 = map_size(M3),
    show({N, ok}).

key(I) when I rem 4 =:= 0 -> I;
key(I) when I rem 4 =:= 1 -> {t, I, [I]};
key(I) when I rem 4 =:= 2 -> integer_to_list(I);
key(I) -> I * 1.5.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

%% expect: {0,ok}
%% expect: {1,ok}
%% expect: {31,ok}
%% expect: {32,ok}
%% expect: {33,ok}
%% expect: {34,ok}
%% expect: {64,ok}
%% expect: {100,ok}
%% expect: {1000,ok}
%% expect: {49,1600,40}
%% expect: no
%% expect: {41,x,y}
%% expect: {error,{badkey,99}}
%% expect: {#{1 => 1,2 => 4},true}

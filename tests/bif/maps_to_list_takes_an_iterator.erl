%% maps:to_list/1 lists what an iterator has left; ordered iterators follow the keys.
%% differs from OTP 25: iterators in maps:to_list/1 and maps:iterator/2 came with OTP 26
-module(maps_to_list_takes_an_iterator).
-export([main/0]).

main() ->
    M = maps:from_list([{I, -I} || I <- lists:seq(1, 3)]),
    io:format("~p~n", [maps:to_list(maps:iterator(M))]),
    {1, -1, Rest} = maps:next(maps:iterator(M, ordered)),
    io:format("~p~n", [maps:to_list(Rest)]),
    io:format("~p~n", [maps:to_list(maps:iterator(M, reversed))]),
    Big = maps:from_list([{I, I} || I <- lists:seq(1, 100)]),
    io:format("~p~n", [maps:keys(Big) =/= [] andalso [K || {K, _} <- maps:to_list(maps:iterator(Big, ordered))] =:= lists:seq(1, 100)]).

%% expect: [{1,-1},{2,-2},{3,-3}]
%% expect: [{2,-2},{3,-3}]
%% expect: [{3,-3},{2,-2},{1,-1}]
%% expect: true

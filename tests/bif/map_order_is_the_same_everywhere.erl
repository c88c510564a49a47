%% keys, values, to_list, fold and iterators agree on one order; small maps print in term order.
%% differs from OTP 25: its maps:to_list/1 and iterators disagree on large maps
-module(map_order_is_the_same_everywhere).
-export([main/0]).

main() ->
    show([agree(maps:from_list([{K, K} || K <- Ks])) || Ks <- [[], [c, b, a], lists:seq(1, 32), lists:seq(1, 33), lists:seq(1, 500), [{I} || I <- lists:seq(1, 40)]]]),
    show(#{c => 1, b => 2, a => 3, 2 => x, 1.5 => y, 1 => z, {} => t, [] => n, "s" => l, <<>> => b, #{} => m}).

agree(M) ->
    L = maps:to_list(M),
    [K || {K, _} <- L] =:= maps:keys(M) andalso [V || {_, V} <- L] =:= maps:values(M)
        andalso lists:reverse(maps:fold(fun(K, V, A) -> [{K, V} | A] end, [], M)) =:= L
        andalso iterate(maps:next(maps:iterator(M))) =:= L.

iterate(none) -> [];
iterate({K, V, I}) -> [{K, V} | iterate(maps:next(I))].

show(X) -> io:format("~p~n", [X]).

%% expect: [true,true,true,true,true,true]
%% expect: #{1 => z,2 => x,1.5 => y,a => 3,b => 2,c => 1,{} => t,#{} => m,[] => n,
%% expect:   "s" => l,<<>> => b}

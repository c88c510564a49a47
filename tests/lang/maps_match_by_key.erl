%% Map patterns demand keys and leave the rest alone.
-module(maps_match_by_key).
-export([main/0]).

main() ->
    Ms = [#{}, #{a => 1}, #{a => 1, b => 2}, #{b => 2}, #{a => #{c => [x]}}, #{"s" => v}, #{1.0 => f}, #{1 => i}, not_a_map],
    show([f(M) || M <- Ms]),
    K = id(b),
    show([case M of #{K := V} -> {ok, V}; _ -> no end || M <- Ms]),
    #{{x, K} := Z} = id(#{{x, b} => 9}),
    show(Z).

f(#{a := 1, b := B}) -> {ab, B};
f(#{a := #{c := [X]}}) -> {nested, X};
f(#{a := A}) -> {a, A};
f(#{"s" := V}) -> {string_key, V};
f(#{1.0 := V}) -> {float_key, V};
f(#{1 := V}) -> {integer_key, V};
f(#{}) -> map;
f(_) -> other.

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: [map,
%% expect:  {a,1},
%% expect:  {ab,2},
%% expect:  map,
%% expect:  {nested,x},
%% expect:  {string_key,v},
%% expect:  {float_key,f},
%% expect:  {integer_key,i},
%% expect:  other]
%% expect: [no,no,{ok,2},{ok,2},no,no,no,no,no]
%% expect: 9

%% Several constant keys of a map are found in maps of any other keys, and in the order of the pattern's own.
-module(maps_match_wherever_their_keys_stand).
-export([main/0]).

main() ->
    Point = #{x => 1, y => 2},
    Large = maps:from_list([{N, N} || N <- lists:seq(1, 40)]),
    Maps = [Point, id(#{a => 0, x => 3, y => 4, z => 5}), #{y => 6}, #{}, #{w => 1, x => 7}, #{y => 8, x => 9},
            maps:merge(Large, #{x => 10, y => 11}), Large, #{1 => one, x => 12, y => 13, {t} => t}, not_a_map, {}, 7],
    [show(sum(M)) || M <- Maps],
    [show(mixed(M)) || M <- [#{1 => a, b => c}, #{b => d, 1 => e, 2 => f}, #{1.0 => a, b => c}, #{b => 1}, []]],
    show(order(#{d => 4, b => 2, c => 3, a => 1})),
    show([maps:to_list(lists:foldl(fun(K, M) -> maps:put(K, K, M) end, #{}, Ks))
          || Ks <- [[b, a, c], [c, b, a], [a, b, c], [3, a, "s", {}, 1.0, 1]]]).

sum(#{x := X, y := Y}) -> X + Y;
sum(#{x := X}) -> {x, X};
sum(#{y := Y}) -> {y, Y};
sum(M) when is_map(M) -> map;
sum(_) -> none.

mixed(#{1 := A, b := B}) -> {A, B};
mixed(#{}) -> map;
mixed(_) -> none.

order(#{c := C, a := A, d := D}) -> [A, C, D].

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: 3
%% expect: 7
%% expect: {y,6}
%% expect: map
%% expect: {x,7}
%% expect: 17
%% expect: 21
%% expect: map
%% expect: 25
%% expect: none
%% expect: none
%% expect: none
%% expect: {a,c}
%% expect: {e,d}
%% expect: map
%% expect: map
%% expect: none
%% expect: [1,3,4]
%% expect: [[{a,a},{b,b},{c,c}],
%% expect:  [{a,a},{b,b},{c,c}],
%% expect:  [{a,a},{b,b},{c,c}],
%% expect:  [{1,1},{3,3},{1.0,1.0},{a,a},{{},{}},{"s","s"}]]

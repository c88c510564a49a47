%% Keys in map order (integers before floats), then values.
-module(maps_compare_by_size_then_keys_then_values).
-export([main/0]).

main() ->
    show([{X < Y, X == Y} || {X, Y} <-
        [{#{}, #{a => 1}}, {#{z => 1}, #{a => 1, b => 2}}, {#{a => 1}, #{b => 0}}, {#{a => 1}, #{a => 2}}, {#{a => 1}, #{a => 1.0}},
         {#{1 => a}, #{1.0 => a}}, {#{1.0 => a}, #{1 => a}}, {#{2 => a}, #{1.0 => a}}, {#{aaa => v, true => v}, #{bbb => v, [] => v}},
         {#{a => 2, b => 1}, #{a => 1, b => 2}}, {#{{1} => a}, #{{1.0} => a}}]]),
    A = maps:from_list([{I, I} || I <- lists:seq(1, 100)]),
    B = maps:from_list([{I, I} || I <- lists:seq(100, 1, -1)]),
    show({A =:= B, A == B, A < B#{100 := 101}, A < B#{100 := 99}, A < maps:remove(50, B)}).

show(X) -> io:format("~p~n", [X]).

%% expect: [{true,false},
%% expect:  {true,false},
%% expect:  {true,false},
%% expect:  {true,false},
%% expect:  {false,true},
%% expect:  {true,false},
%% expect:  {false,false},
%% expect:  {true,false},
%% expect:  {true,false},
%% expect:  {false,false},
%% expect:  {true,false}]
%% expect: {true,true,true,false,false}

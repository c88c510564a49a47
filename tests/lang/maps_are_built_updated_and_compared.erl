%% => puts, := replaces only; duplicate keys: the last wins; integers and floats are different keys.
-module(maps_are_built_updated_and_compared).
-export([main/0]).

main() ->
    M = #{a => 1, "b" => 2, {c} => 3, 4 => four, 4.0 => four_float},
    show(M),
    show(M#{a := 10, z => 26}),
    show(#{a => 1, a => 2}),
    show(map_size(#{1 => a, 1.0 => b})),
    show(attempt(fun() -> M#{nope := 1} end)),
    show(attempt(fun() -> (id(x))#{a => 1} end)),
    show(attempt(fun() -> (id(x))#{a := 1} end)),
    show(#{#{} => empty, #{a => b} => one}),
    show([#{1 => a} == #{1.0 => a}, #{a => 1} == #{a => 1.0}, #{a => 1} =:= #{a => 1.0}, #{a => 1, b => 2} =:= #{b => 2, a => 1}]),
    K = id(key),
    show(#{K => id(1), {K, K} => #{K => K}}),
    show(M#{a => M#{a := 2}}).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: #{4 => four,4.0 => four_float,a => 1,{c} => 3,"b" => 2}
%% expect: #{4 => four,4.0 => four_float,a => 10,z => 26,{c} => 3,"b" => 2}
%% expect: #{a => 2}
%% expect: 2
%% expect: {error,{badkey,nope}}
%% expect: {error,{badmap,x}}
%% expect: {error,{badmap,x}}
%% expect: #{#{} => empty,#{a => b} => one}
%% expect: [false,true,false,true]
%% expect: #{key => 1,{key,key} => #{key => key}}
%% expect: #{4 => four,4.0 => four_float,
%% expect:   a => #{4 => four,4.0 => four_float,a => 2,{c} => 3,"b" => 2},
%% expect:   {c} => 3,
%% expect:   "b" => 2}

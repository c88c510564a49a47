%% An error inside a guard makes that alternative false.
-module(guards_fail_quietly).
-export([main/0]).

main() ->
    show([f(X) || X <- [1, a, [1, 2], {1}, "", <<1>>, #{}, 2.5]]),
    show([g(X) || X <- [0, 1, a]]),
    show([h(X) || X <- [[1, 2, 3], [1 | 2], a, {1, 2, 3}]]).

f(X) when length(X) > 1 -> long_list;
f(X) when tuple_size(X) =:= 1 -> one_tuple;
f(X) when byte_size(X) =:= 1 -> one_byte;
f(X) when map_size(X) =:= 0 -> empty_map;
f(X) when hd(X) > 0 -> positive_head;
f(X) when X + 1 > 2 -> above_one;
f(_) -> other.

g(X) when 1 div X =:= 1 -> one;
g(X) when 1 div X =:= 1; true -> rescued.

h(X) when length(X) =:= 3; tuple_size(X) =:= 3 -> three;
h(X) when hd(X) =:= 1 -> starts_with_one;
h(_) -> no.

show(X) -> io:format("~p~n", [X]).

%% expect: [other,other,long_list,one_tuple,other,one_byte,empty_map,above_one]
%% expect: [rescued,one,rescued]
%% expect: [three,starts_with_one,no,three]

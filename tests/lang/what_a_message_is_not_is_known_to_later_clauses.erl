%% Clauses of a receive for what earlier clauses have ruled out are never taken.
%% expect: [{other,{[1]}},{other,[]},{some,#{}},{some,[x]},none,none]
%% expect: [{tuple,{1}},{other,<<1>>},{other,{0}},none]
-module(what_a_message_is_not_is_known_to_later_clauses).
-export([main/0]).

main() ->
    [self() ! M || M <- [{[1]}, #{}, [], [x]]],
    io:format("~w~n", [[no_map(), no_map(), cells(), cells(), no_map(), cells()]]),
    [self() ! M || M <- [{1}, <<1>>, {0}]],
    io:format("~w~n", [[both(), both(), both(), both()]]).

%% What fails the guard of the first clause is a map, and so never what the second takes.
no_map() ->
    receive
        V when not (is_map(V)) -> {other, V};
        {[H | _]} -> {never, H}
    after 0 -> none
    end.

cells() ->
    receive
        V when V =/= [] -> {some, V};
        [W | _] when is_port(W) -> {never, W}
    after 0 -> none
    end.

%% What is a tuple is no bitstring, whatever is in it.
both() ->
    receive
        V = {X} when is_bitstring(V), X >= 1 -> {never, V};
        V when is_bitstring(V), element(1, V) >= 1 -> {never, V};
        {X} = V when is_tuple(V), X >= 1 -> {tuple, V};
        V -> {other, V}
    after 0 -> none
    end.

%% Clauses of a receive for what earlier clauses have ruled out are never taken.
%% expect: [{other,{[1]}},{other,[]},{some,#{}},{some,[x]},none,none]
-module(what_a_message_is_not_is_known_to_later_clauses).
-export([main/0]).

main() ->
    [self() ! M || M <- [{[1]}, #{}, [], [x]]],
    io:format("~w~n", [[no_map(), no_map(), cells(), cells(), no_map(), cells()]]).

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

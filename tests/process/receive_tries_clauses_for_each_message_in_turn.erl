%% The oldest message that any clause accepts wins, not the first clause.
-module(receive_tries_clauses_for_each_message_in_turn).
-export([main/0]).

main() ->
    [self() ! M || M <- [third, second, first]],
    show(receive first -> first; second -> second end),
    show(receive X when is_atom(X), X =/= third -> X end),
    show(receive Y -> Y end).

show(X) -> io:format("~p~n", [X]).

%% expect: second
%% expect: first
%% expect: third

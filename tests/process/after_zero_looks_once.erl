%% after 0 takes a fitting message that is there, else times out at once.
-module(after_zero_looks_once).
-export([main/0]).

main() ->
    show(receive _ -> some after 0 -> none end),
    self() ! x,
    show(receive y -> y after 0 -> no_y end),
    show(receive x -> x after 0 -> no_x end),
    show(receive after 0 -> only_after end).

show(X) -> io:format("~p~n", [X]).

%% expect: none
%% expect: no_y
%% expect: x
%% expect: only_after

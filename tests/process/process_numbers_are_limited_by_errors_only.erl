%% processes/0 lists the living.
-module(process_numbers_are_limited_by_errors_only).
-export([main/0]).

main() ->
    P = spawn(fun() -> receive stop -> ok end end),
    show(lists:member(P, processes())),
    show(lists:member(self(), processes())),
    R = monitor(process, P),
    P ! stop,
    receive {'DOWN', R, _, _, _} -> ok end,
    show(lists:member(P, processes())).

show(X) -> io:format("~p~n", [X]).

%% expect: true
%% expect: true
%% expect: false

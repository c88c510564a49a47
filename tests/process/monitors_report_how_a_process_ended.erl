%% DOWN messages: reason, noproc, by name, several monitors, order of creation does not matter.
-module(monitors_report_how_a_process_ended).
-export([main/0]).

main() ->
    [show(down(F)) || F <- [fun() -> ok end, fun() -> exit(normal) end, fun() -> exit(x) end, fun() -> exit(self(), kill) end]],
    {P, R1} = spawn_monitor(fun() -> receive stop -> exit(bye) end end),
    R2 = monitor(process, P),
    P ! stop,
    show(lists:sort([receive {'DOWN', R, process, P, bye} -> if R =:= R1 -> r1; R =:= R2 -> r2 end end || _ <- [1, 2]])),
    R3 = monitor(process, P),
    receive {'DOWN', R3, process, P, Reason} -> show(Reason) end,
    R4 = monitor(process, no_such_name),
    receive {'DOWN', R4, process, Who, Reason4} -> show({Who =:= {no_such_name, node()}, Reason4}) end,
    register(named, spawn(fun() -> receive stop -> exit(named_end) end end)),
    R5 = monitor(process, named),
    named ! stop,
    receive {'DOWN', R5, process, Who5, Reason5} -> show({Who5 =:= {named, node()}, Reason5}) end,
    R6 = monitor(process, self()),
    show(is_reference(R6)),
    show(receive {'DOWN', R6, _, _, _} -> fired after 10 -> never_fires end),
    show(attempt(fun() -> monitor(process, id("x")) end)),
    show(attempt(fun() -> monitor(id(nonsense), self()) end)).

down(F) ->
    {P, Ref} = spawn_monitor(F),
    receive {'DOWN', Ref, process, P, R} -> R end.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: normal
%% expect: normal
%% expect: x
%% expect: killed
%% expect: [r1,r2]
%% expect: noproc
%% expect: {true,noproc}
%% expect: {true,named_end}
%% expect: true
%% expect: never_fires
%% expect: {error,badarg}
%% expect: {error,badarg}

%% exit/2: normal is ignored by others, kill cannot be trapped, other reasons kill or arrive as messages.
-module(exit_2_sends_an_exit_signal).
-export([main/0]).

main() ->
    Sleeper = fun() -> receive stop -> ok end end,
    Trapper = fun() -> process_flag(trap_exit, true), trap() end,
    show(signal(Sleeper, boom)),
    show(signal(Sleeper, kill)),
    show(signal(Sleeper, killed)),
    show(signal(Sleeper, normal)),
    show(signal(Trapper, boom)),
    show(signal(Trapper, normal)),
    show(signal(Trapper, kill)),
    show(exit(spawn(fun() -> ok end), whatever)),
    show(attempt(fun() -> exit(id(not_a_pid), x) end)).

trap() -> receive {'EXIT', From, R} -> exit({trapped, is_pid(From), R}) end.

signal(F, Reason) ->
    P = spawn(F),
    Ref = monitor(process, P),
    receive after 10 -> ok end,
    true = exit(P, Reason),
    receive {'DOWN', Ref, process, P, R} -> R
    after 30 ->
        P ! stop,
        receive {'DOWN', Ref, process, P, R} -> {survived, R} end
    end.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: boom
%% expect: killed
%% expect: killed
%% expect: {survived,normal}
%% expect: {trapped,true,boom}
%% expect: {trapped,true,normal}
%% expect: killed
%% expect: true
%% expect: {error,badarg}

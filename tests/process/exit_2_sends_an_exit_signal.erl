%% exit/2: normal is ignored by others, kill cannot be trapped, other reasons kill or arrive as messages.
-module(exit_2_sends_an_exit_signal).
-export([main/0]).

main() ->
    Self = self(),
    Sleeper = fun() -> Self ! ready, receive stop -> exit(stopped) end end,
    Trapper = fun() -> process_flag(trap_exit, true), Self ! ready, trap() end,
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
    receive ready -> ok end,
    true = exit(P, Reason),
    P ! stop,
    receive {'DOWN', Ref, process, P, R} -> R end.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: boom
%% expect: killed
%% expect: killed
%% expect: stopped
%% expect: {trapped,true,boom}
%% expect: {trapped,true,normal}
%% expect: killed
%% expect: true
%% expect: {error,badarg}

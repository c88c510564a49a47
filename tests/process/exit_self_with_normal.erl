%% exit(self(), normal) ends a process that does not trap exits and is a message to one that does.
-module(exit_self_with_normal).
-export([main/0]).

main() ->
    show(outcome(fun() -> exit(self(), normal), receive after 1000 -> survived end end)),
    show(outcome(fun() -> exit(self(), boom), receive after 1000 -> survived end end)),
    show(outcome(fun() -> exit(self(), kill), receive after 1000 -> survived end end)),
    show(outcome(fun() ->
        process_flag(trap_exit, true),
        S = self(),
        exit(S, normal),
        receive {'EXIT', S, R} -> exit({message, R}) end
    end)),
    show(outcome(fun() ->
        process_flag(trap_exit, true),
        exit(self(), kill),
        receive after 1000 -> survived end
    end)).

outcome(F) ->
    {P, Ref} = spawn_monitor(F),
    receive {'DOWN', Ref, process, P, R} -> R end.

show(X) -> io:format("~p~n", [X]).

%% expect: normal
%% expect: boom
%% expect: killed
%% expect: {message,normal}
%% expect: killed

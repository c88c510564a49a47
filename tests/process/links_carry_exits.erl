%% An abnormal exit takes linked processes along, a normal one does not.
-module(links_carry_exits).
-export([main/0]).

main() ->
    show(outcome(fun() -> spawn_link(fun() -> exit(boom) end), receive after 60000 -> survived end end)),
    show(outcome(fun() -> spawn_link(fun() -> ok end), receive after 20 -> survived end end)),
    show(outcome(fun() -> spawn_link(fun() -> exit(normal) end), receive after 20 -> survived end end)),
    show(outcome(fun() ->
        process_flag(trap_exit, true),
        P = spawn_link(fun() -> exit(boom) end),
        receive {'EXIT', P, R} -> {trapped, R} end
    end)),
    show(outcome(fun() ->
        process_flag(trap_exit, true),
        P = spawn_link(fun() -> ok end),
        receive {'EXIT', P, R} -> {trapped, R} end
    end)).

outcome(F) ->
    {P, Ref} = spawn_monitor(fun() -> exit({result, F()}) end),
    receive {'DOWN', Ref, process, P, R} -> R end.

show(X) -> io:format("~p~n", [X]).

%% expect: boom
%% expect: {result,survived}
%% expect: {result,survived}
%% expect: {result,{trapped,boom}}
%% expect: {result,{trapped,normal}}

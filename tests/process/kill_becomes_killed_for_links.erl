%% A process killed by exit(P, kill) tells its links killed, which they may trap; exit(kill) inside does not kill them.
-module(kill_becomes_killed_for_links).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> receive never -> ok end end),
    exit(P, kill),
    receive {'EXIT', P, R} -> show(R) end,
    Q = spawn_link(fun() -> exit(kill) end),
    receive {'EXIT', Q, R2} -> show(R2) end,
    {M, Ref} = spawn_monitor(fun() -> spawn_link(fun() -> exit(kill) end), receive never -> ok end end),
    receive {'DOWN', Ref, process, M, R3} -> show(R3) end.

show(X) -> io:format("~p~n", [X]).

%% expect: killed
%% expect: kill
%% expect: kill

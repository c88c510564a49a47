%% A child that dies at once still reports to its monitor and its link.
-module(spawn_monitor_and_spawn_link_are_atomic).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    show(lists:usort([begin {P, R} = spawn_monitor(fun() -> exit(early) end), receive {'DOWN', R, process, P, W} -> W end end || _ <- lists:seq(1, 200)])),
    show(lists:usort([begin P = spawn_link(fun() -> exit(early) end), receive {'EXIT', P, W} -> W end end || _ <- lists:seq(1, 200)])).

show(X) -> io:format("~p~n", [X]).

%% expect: [early]
%% expect: [early]

%% EXIT messages of twenty children, each with its reason.
-module(a_process_that_traps_exits_sees_every_reason).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    Pids = [{spawn_link(fun() -> exit({reason, I}) end), I} || I <- lists:seq(1, 20)],
    show([receive {'EXIT', P, {reason, I}} -> I end || {P, I} <- Pids]).

show(X) -> io:format("~p~n", [X]).

%% expect: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]

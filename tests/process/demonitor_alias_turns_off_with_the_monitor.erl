%% alias options demonitor and reply_demonitor.
-module(demonitor_alias_turns_off_with_the_monitor).
-export([main/0]).

main() ->
    P = spawn(fun() -> loop() end),
    R = monitor(process, P, [{alias, demonitor}]),
    P ! {R, 1},
    show(receive {reply, 1} -> got after 60000 -> lost end),
    demonitor(R),
    P ! {R, 2},
    show(receive {reply, 2} -> got after 20 -> lost end),
    S = monitor(process, P, [{alias, reply_demonitor}]),
    P ! {S, 3},
    show(receive {reply, 3} -> got after 60000 -> lost end),
    P ! {S, 4},
    show(receive {reply, 4} -> got after 20 -> lost end),
    exit(P, kill),
    show(receive {'DOWN', S, _, _, _} -> down after 20 -> no_down end).

loop() -> receive {A, N} -> A ! {reply, N}, loop() end.

show(X) -> io:format("~p~n", [X]).

%% expect: got
%% expect: lost
%% expect: got
%% expect: lost
%% expect: no_down

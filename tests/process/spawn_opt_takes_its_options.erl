%% link, monitor, priority, heap sizes.
-module(spawn_opt_takes_its_options).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    {P, R} = spawn_opt(fun() -> receive stop -> exit({priority, element(2, process_info(self(), priority))}) end end,
                       [link, monitor, {priority, high}, {min_heap_size, 5000}, {fullsweep_after, 0}, {message_queue_data, off_heap}]),
    show(lists:member(P, element(2, process_info(self(), links)))),
    P ! stop,
    receive {'EXIT', P, X} -> show(X) end,
    receive {'DOWN', R, process, P, Y} -> show(Y) end,
    Q = spawn_opt(fun() -> exit(q) end, [link]),
    receive {'EXIT', Q, Z} -> show(Z) end.

show(X) -> io:format("~p~n", [X]).

%% expect: true
%% expect: {priority,high}
%% expect: {priority,high}
%% expect: q

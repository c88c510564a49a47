%% After unlink/1 no EXIT from that link arrives; links are one per pair.
-module(unlink_guarantees_silence).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> receive stop -> exit(boom) end end),
    true = link(P),
    true = link(P),
    show(element(2, process_info(self(), links)) =:= [P]),
    true = unlink(P),
    show(process_info(self(), links)),
    Ref = monitor(process, P),
    P ! stop,
    receive {'DOWN', Ref, _, _, R} -> show(R) end,
    show(receive {'EXIT', P, _} -> exit_message after 20 -> silence end),
    show(unlink(P)),
    show(unlink(self())),
    show(process_info(self(), links)).

show(X) -> io:format("~p~n", [X]).

%% expect: true
%% expect: {links,[]}
%% expect: boom
%% expect: silence
%% expect: true
%% expect: true
%% expect: {links,[]}

%% monitor/3 with tag and alias; alias/0,1 and unalias/1.
-module(monitor_tags_and_aliases).
-export([main/0]).

main() ->
    P = spawn(fun() -> receive {Alias, M} -> Alias ! {reply, M} end, receive stop -> exit(done) end end),
    R = monitor(process, P, [{alias, explicit_unalias}, {tag, gone}]),
    P ! {R, hello},
    receive {reply, X} -> show(X) end,
    P ! stop,
    receive {gone, R, process, P, Why} -> show(Why) end,
    R ! still_alive,
    show(receive still_alive -> got after 50 -> lost end),
    show(unalias(R)),
    show(unalias(R)),
    R ! not_now,
    show(receive not_now -> got after 20 -> lost end),
    A = alias([reply]),
    A ! one,
    show(receive one -> got after 50 -> lost end),
    A ! two,
    show(receive two -> got after 20 -> lost end),
    B = alias(),
    B ! b1,
    B ! b2,
    show([receive b1 -> b1 end, receive b2 -> b2 end]),
    show(unalias(B)).

show(X) -> io:format("~p~n", [X]).

%% expect: hello
%% expect: done
%% expect: got
%% expect: true
%% expect: false
%% expect: lost
%% expect: got
%% expect: lost
%% expect: [b1,b2]
%% expect: true

%% send_after to a pid that has died does nothing; nobody else gets the message.
-module(a_timer_dies_with_its_process).
-export([main/0]).

main() ->
    P = spawn(fun() -> receive stop -> ok end end),
    erlang:send_after(20, P, boo),
    Ref = monitor(process, P),
    P ! stop,
    receive {'DOWN', Ref, _, _, _} -> ok end,
    show(receive boo -> boo after 60 -> silence end).

show(X) -> io:format("~p~n", [X]).

%% expect: silence

%% Mutual process_info does not deadlock.
-module(two_processes_ask_each_other_for_process_info).
-export([main/0]).

main() ->
    Self = self(),
    A = spawn(fun() -> receive {peer, B} -> asks(B, 500), Self ! {done, self()}, receive stop -> ok end end end),
    B = spawn(fun() -> asks(A, 500), Self ! {done, self()}, receive stop -> ok end end),
    A ! {peer, B},
    receive {done, A} -> ok end,
    receive {done, B} -> ok end,
    A ! stop, B ! stop,
    show(done).

asks(_, 0) -> ok;
asks(P, N) ->
    {message_queue_len, _} = process_info(P, message_queue_len),
    true = is_process_alive(P),
    asks(P, N - 1).

show(X) -> io:format("~p~n", [X]).

%% expect: done

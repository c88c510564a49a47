%% Two processes that answer each other, and how to stop politely.
%%
%%     erlet run examples/ping_pong.erl [TIMES]
%%
%% A message carries the sender's pid, since a process knows nobody it was not told about. The receiver matches
%% on the shape of the message; `stop` ends its loop, and with it the process.
-module(ping_pong).
-export([main/1]).

main([]) -> main(["3"]);
main([Times]) ->
    Pong = spawn(fun() -> pong(0) end),
    ping(list_to_integer(Times), Pong),
    Pong ! {stop, self()},
    receive
        {stopped, Count} -> io:format("pong answered ~w times~n", [Count])
    end.

ping(0, _) -> ok;
ping(N, Pong) ->
    Pong ! {ping, N, self()},
    receive
        {pong, N} -> io:format("ping ~w, pong ~w~n", [N, N])
    end,
    ping(N - 1, Pong).

pong(Count) ->
    receive
        {ping, N, From} ->
            From ! {pong, N},
            pong(Count + 1);
        {stop, From} ->
            From ! {stopped, Count}
    end.

%% What an operation costs with 0 to 1,000,000 messages waiting, in picoseconds: a message to oneself and the oldest received, a call
%% of a server with a fresh reference, and garbage made (a collection must not look at what waits).
-module(growth_mailbox).
-export([bench/0]).

bench() ->
    Sizes = [0, 10, 100, 1000, 10000, 100000, 1000000],
    [{growth_mailbox_fifo, metrics, fun() -> [with("growth_mailbox_fifo_", fun fifo/1, 300000, N) || N <- Sizes] end},
     {growth_mailbox_call, metrics, fun() -> [with("growth_mailbox_call_", fun calls/1, 100000, N) || N <- Sizes] end},
     {growth_mailbox_collect, metrics,
      fun() -> [with("growth_mailbox_collect_", fun garbage/1, 3000000, N) || N <- Sizes] end}].

with(Prefix, Fun, Operations, N) ->
    {Pid, Ref} = spawn_monitor(fun() ->
        fill(N),
        Fun(Operations div 10),
        Start = erlang:monotonic_time(nanosecond),
        Fun(Operations),
        exit({time, erlang:monotonic_time(nanosecond) - Start})
    end),
    receive
        {'DOWN', Ref, process, Pid, {time, Time}} ->
            {list_to_atom(Prefix ++ integer_to_list(N)), Time * 1000 div Operations}
    end.

fill(0) -> ok;
fill(N) -> self() ! {waiting, N}, fill(N - 1).

fifo(0) -> ok;
fifo(K) -> self() ! {waiting, K}, receive {waiting, _} -> fifo(K - 1) end.

calls(K) ->
    Server = spawn(fun server/0),
    call(K, Server),
    exit(Server, kill).

server() -> receive {From, Ref, X} -> From ! {Ref, X}, server() end.

call(0, _) -> ok;
call(K, Server) ->
    Ref = make_ref(),
    Server ! {self(), Ref, K},
    receive {Ref, K} -> call(K - 1, Server) end.

garbage(0) -> ok;
garbage(K) -> _ = hold([K, K]), garbage(K - 1).
hold(X) -> {X, X}.

%% A reply that carries a fresh reference is found without scanning the old mail.
%% without stress: its queue is long
-module(a_call_with_a_reference_skips_a_long_queue).
-export([main/0]).

main() ->
    Server = spawn(fun server/0),
    [self() ! {noise, I} || I <- lists:seq(1, 20000)],
    T0 = erlang:monotonic_time(millisecond),
    show(calls(Server, 2000, 0)),
    show(erlang:monotonic_time(millisecond) - T0 < 5000),
    show(element(2, process_info(self(), message_queue_len))).

calls(_, 0, Sum) -> Sum;
calls(S, N, Sum) ->
    Ref = make_ref(),
    S ! {Ref, self(), N},
    receive {Ref, X} -> calls(S, N - 1, Sum + X) end.

server() -> receive {Ref, From, N} -> From ! {Ref, N * 2}, server() end.

show(X) -> io:format("~p~n", [X]).

%% expect: 4002000
%% expect: true
%% expect: 20000

%% A message arriving at any moment around the wait is received without waiting for the time-out.
-module(a_message_between_scan_and_wait_is_seen).
-export([main/0]).

main() ->
    T0 = erlang:monotonic_time(millisecond),
    show(rounds(300)),
    show(erlang:monotonic_time(millisecond) - T0 < 60000).

rounds(0) -> ok;
rounds(N) ->
    Self = self(),
    spawn(fun() -> Self ! {hello, N} end),
    receive {hello, N} -> rounds(N - 1) after 100000 -> {lost, N} end.

show(X) -> io:format("~p~n", [X]).

%% expect: ok
%% expect: true

%% With mail waiting, receive with a time-out does not wait.
-module(mail_before_the_first_timed_receive_returns_at_once).
-export([main/0]).

main() ->
    self() ! early,
    T0 = erlang:monotonic_time(millisecond),
    show(receive early -> got after 100000 -> timeout end),
    show(erlang:monotonic_time(millisecond) - T0 < 60000).

show(X) -> io:format("~p~n", [X]).

%% expect: got
%% expect: true

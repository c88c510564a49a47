%% send_after, start_timer, cancel_timer, read_timer.
-module(timers_send_messages).
-export([main/0]).

main() ->
    T0 = erlang:monotonic_time(millisecond),
    R1 = erlang:send_after(20, self(), one),
    R2 = erlang:start_timer(10, self(), two),
    R3 = erlang:send_after(100000, self(), never),
    show(is_integer(erlang:read_timer(R3))),
    show(erlang:read_timer(R3) =< 100000),
    receive {timeout, R2, two} -> show(two) end,
    receive one -> show(one) end,
    Dt = erlang:monotonic_time(millisecond) - T0,
    show(Dt >= 20 andalso Dt < 60000),
    Left = erlang:cancel_timer(R3),
    show(is_integer(Left) andalso Left > 90000),
    show([erlang:cancel_timer(R3), erlang:read_timer(R3), erlang:cancel_timer(R1), erlang:cancel_timer(make_ref())]),
    show(receive X -> X after 20 -> nothing end).

show(X) -> io:format("~p~n", [X]).

%% expect: true
%% expect: true
%% expect: two
%% expect: one
%% expect: true
%% expect: true
%% expect: [false,false,false,false]
%% expect: nothing

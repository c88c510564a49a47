%% cancel_timer/2 with {async, true} and {info, false}, absolute times.
-module(timer_options_async_and_info).
-export([main/0]).

main() ->
    R = erlang:send_after(100000, self(), x),
    show(erlang:cancel_timer(R, [{async, true}])),
    show(receive {cancel_timer, R, T} -> is_integer(T) after 60000 -> none end),
    R2 = erlang:send_after(100000, self(), x),
    show(erlang:cancel_timer(R2, [{info, false}])),
    R3 = erlang:start_timer(erlang:monotonic_time(millisecond) + 20, self(), abs, [{abs, true}]),
    show(receive {timeout, R3, abs} -> fired after 60000 -> none end),
    R4 = erlang:send_after(100000, self(), x),
    show(erlang:read_timer(R4, [{async, true}])),
    show(receive {read_timer, R4, T4} -> is_integer(T4) after 60000 -> none end),
    erlang:cancel_timer(R4),
    ok.

show(X) -> io:format("~p~n", [X]).

%% expect: ok
%% expect: true
%% expect: ok
%% expect: fired
%% expect: ok
%% expect: true

%% Negative times are badarg; 2^32 ms and more are fine.
-module(timers_check_their_arguments).
-export([main/0]).

main() ->
    show([attempt(fun() -> erlang:send_after(id(T), self(), x) end) || T <- [-1, a, 1.0]]),
    show(attempt(fun() -> erlang:send_after(10, id("x"), m) end)),
    show(attempt(fun() -> erlang:start_timer(id(-1), self(), x) end)),
    R = erlang:start_timer(4294967296, self(), x),
    show(erlang:cancel_timer(R) > 4294960000),
    R2 = erlang:send_after(9200000000000, self(), x),
    show(is_integer(erlang:cancel_timer(R2))),
    show(attempt(fun() -> erlang:cancel_timer(id(a)) end)),
    erlang:send_after(0, self(), zero),
    show(receive zero -> zero after 60000 -> lost end),
    erlang:send_after(5, no_such_name, x),
    receive after 20 -> ok end,
    show(survived).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [{error,badarg},{error,badarg},{error,badarg}]
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: true
%% expect: true
%% expect: {error,badarg}
%% expect: zero
%% expect: survived

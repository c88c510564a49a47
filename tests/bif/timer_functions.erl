%% timer:sleep, tc, send_after, apply_after, send_interval, cancel, conversions.
-module(timer_functions).
-export([main/0]).

main() ->
    T0 = erlang:monotonic_time(millisecond),
    show(timer:sleep(20)),
    show(erlang:monotonic_time(millisecond) - T0 >= 20),
    {T, V} = timer:tc(fun() -> timer:sleep(5), value end),
    show({T >= 5000, V}),
    {_, V2} = timer:tc(fun(X) -> X * 2 end, [21]),
    {_, V3} = timer:tc(lists, reverse, [[1, 2]]),
    show({V2, V3}),
    {ok, _} = timer:send_after(10, msg),
    show(receive msg -> got after 60000 -> lost end),
    {ok, _} = timer:apply_after(5, erlang, send, [self(), applied]),
    show(receive applied -> got after 60000 -> lost end),
    {ok, I} = timer:send_interval(5, tick),
    show([receive tick -> tick after 60000 -> lost end || _ <- [1, 2, 3]]),
    show(timer:cancel(I)),
    show([timer:seconds(2), timer:minutes(1), timer:hours(1), timer:hms(1, 2, 3)]),
    show(timer:now_diff({0, 2, 5}, {0, 1, 0})),
    show(timer:sleep(0)).

show(X) -> io:format("~p~n", [X]).

%% expect: ok
%% expect: true
%% expect: {true,value}
%% expect: {42,[2,1]}
%% expect: got
%% expect: got
%% expect: [tick,tick,tick]
%% expect: {ok,cancel}
%% expect: [2000,60000,3600000,3723000]
%% expect: 1000005
%% expect: ok

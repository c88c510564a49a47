%% Cancelling a timer that the server does not know harms nobody: its other timers go on.
-module(a_timer_that_never_was_can_be_cancelled).

-export([main/0]).

main() ->
    {ok, Timer} = timer:send_interval(20, tick),
    [io:format("~p~n", [timer:cancel({Kind, make_ref()})]) || Kind <- [once, interval]],
    receive tick -> io:format("ticks~n") after 60000 -> io:format("nothing~n") end,
    io:format("~p ~p~n", [timer:cancel(Timer), timer:cancel(Timer)]),
    io:format("~p~n", [timer:cancel(nothing)]).

%% expect: {ok,cancel}
%% expect: {ok,cancel}
%% expect: ticks
%% expect: {ok,cancel} {ok,cancel}
%% expect: {error,badarg}

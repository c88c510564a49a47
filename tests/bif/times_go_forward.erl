%% monotonic_time, system_time, timestamp, convert_time_unit, time_offset, localtime shapes.
-module(times_go_forward).
-export([main/0]).

main() ->
    A = erlang:monotonic_time(),
    B = erlang:monotonic_time(),
    show(B >= A),
    show([is_integer(erlang:monotonic_time(U)) || U <- [second, millisecond, microsecond, nanosecond, native, 1000]]),
    show([is_integer(erlang:system_time(U)) || U <- [second, millisecond, nanosecond]]),
    {Mega, S, Us} = erlang:timestamp(),
    show(Mega >= 0 andalso S < 1000000 andalso Us < 1000000),
    show([erlang:convert_time_unit(X, F, T) || {X, F, T} <- [{1500, millisecond, second}, {-1500, millisecond, second}, {2, second, microsecond}, {1, second, 60}, {999, 1000, second}]]),
    {{Y, Mo, D}, {H, Mi, Sec}} = erlang:localtime(),
    show(Y >= 1970 andalso Mo =< 12 andalso D =< 31 andalso H =< 23 andalso Mi =< 59 andalso Sec =< 60),
    show(is_tuple(erlang:universaltime())),
    show(tuple_size(time()) + tuple_size(date())),
    show(attempt(fun() -> erlang:monotonic_time(id(fortnight)) end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: true
%% expect: [true,true,true,true,true,true]
%% expect: [true,true,true]
%% expect: true
%% expect: [1,-2,2000000,60,0]
%% expect: true
%% expect: true
%% expect: 6
%% expect: {error,badarg}

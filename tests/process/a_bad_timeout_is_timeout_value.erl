%% Time-outs outside 0..16#FFFFFFFF and non-integers are errors; 16#FFFFFFFF is not.
-module(a_bad_timeout_is_timeout_value).
-export([main/0]).

main() ->
    [show({T, attempt(fun() -> receive after id(T) -> ok end end)}) || T <- [-1, 4294967296, 1 bsl 70, a, 1.5, "1"]],
    self() ! m,
    show(receive m -> m after id(16#FFFFFFFF) -> timeout end),
    show(attempt(fun() -> receive m -> m after id(-5) -> timeout end end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: {-1,{error,timeout_value}}
%% expect: {4294967296,{error,timeout_value}}
%% expect: {1180591620717411303424,{error,timeout_value}}
%% expect: {a,{error,timeout_value}}
%% expect: {1.5,{error,timeout_value}}
%% expect: {"1",{error,timeout_value}}
%% expect: m
%% expect: {error,timeout_value}

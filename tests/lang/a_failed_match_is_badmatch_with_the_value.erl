%% The match operator raises {badmatch, Value}.
-module(a_failed_match_is_badmatch_with_the_value).
-export([main/0]).

main() ->
    show(attempt(fun() -> {a, _} = id({b, 1}) end)),
    show(attempt(fun() -> [] = id("x") end)),
    show(attempt(fun() -> 1 = id(1.0) end)),
    show(attempt(fun() -> X = id(1), X = id(2) end)),
    show(attempt(fun() -> #{k := _} = id(#{}) end)),
    show(attempt(fun() -> <<_:16>> = id(<<1>>) end)),
    show(attempt(fun() -> {_, _} = X = id({1, 2}), X end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: {error,{badmatch,{b,1}}}
%% expect: {error,{badmatch,"x"}}
%% expect: {error,{badmatch,1.0}}
%% expect: {error,{badmatch,2}}
%% expect: {error,{badmatch,#{}}}
%% expect: {error,{badmatch,<<1>>}}
%% expect: {1,2}

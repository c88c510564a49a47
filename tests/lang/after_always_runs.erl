%% The after part runs on every way out, and its value is dropped.
-module(after_always_runs).
-export([main/0]).

main() ->
    show(run(fun() -> value end)),
    show(run(fun() -> throw(t) end)),
    show(run(fun() -> error(e) end)),
    show(run(fun() -> exit(x) end)),
    show(attempt(fun() -> try error(first) after error(second) end end)),
    show(try 1 of 1 -> two after io:format("after of~n") end),
    show(attempt(fun() -> try error(a) catch error:a -> throw(b) after io:format("after catch~n") end end)),
    show(try try 1 after io:format("inner~n") end after io:format("outer~n") end).

run(F) ->
    attempt(fun() -> try F() after io:format("after~n"), ignored end end).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

%% expect: after
%% expect: value
%% expect: after
%% expect: {throw,t}
%% expect: after
%% expect: {error,e}
%% expect: after
%% expect: {exit,x}
%% expect: {error,second}
%% expect: after of
%% expect: two
%% expect: after catch
%% expect: {throw,b}
%% expect: inner
%% expect: outer
%% expect: 1

%% error/1,2,3, exit/1, throw/1, raise/3 as functions.
-module(error_and_exit_take_terms).
-export([main/0]).

main() ->
    show([attempt(F) || F <- [fun() -> error({complex, [1]}) end, fun() -> error(a, [x]) end, fun() -> error(a, none) end, fun() -> error(a, [1], [{error_info, #{}}]) end,
                              fun() -> exit({x}) end, fun() -> throw([]) end, fun() -> erlang:raise(throw, t, []) end, fun() -> erlang:nif_error(undefined) end]]).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

%% expect: [{error,{complex,[1]}},
%% expect:  {error,a},
%% expect:  {error,a},
%% expect:  {error,a},
%% expect:  {exit,{x}},
%% expect:  {throw,[]},
%% expect:  {throw,t},
%% expect:  {error,undefined}]

%% throw, error and exit are caught by class; a bare pattern catches throws.
-module(exceptions_have_three_classes).
-export([main/0]).

main() ->
    show([try F() of V -> {value, V} catch throw:T -> {thrown, T}; error:E -> {error, E}; exit:X -> {exit, X} end
          || F <- [fun() -> 1 end, fun() -> throw(t) end, fun() -> error(e) end, fun() -> exit(x) end, fun() -> id(1) + id(a) end,
                   fun() -> erlang:error(e, [args]) end, fun() -> erlang:raise(exit, r, []) end]]),
    show(try throw(a) catch a -> bare end),
    show(try error(a) catch _:_ -> any end),
    show(try try error(a) catch a -> bare end catch error:a -> passed_through end),
    show(try exit(a) catch C:_ -> C end).

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: [{value,1},{thrown,t},{error,e},{exit,x},{error,badarith},{error,e},{exit,r}]
%% expect: bare
%% expect: any
%% expect: passed_through
%% expect: exit

%% Exceptions leave comprehensions, funs and higher-order functions with nothing half done.
-module(exceptions_inside_comprehensions_and_funs).
-export([main/0]).

main() ->
    show(attempt(fun() -> [10 div X || X <- [5, 2, 0, 1]] end)),
    show(attempt(fun() -> lists:map(fun(X) -> 10 div X end, [5, 0]) end)),
    show([try 10 div X catch error:badarith -> inf end || X <- [5, 0, 2]]),
    show([catch throw(X) || X <- [1, 2]]),
    show(try [throw({found, X}) || X <- [1, 2, 3], X > 1] catch {found, Y} -> Y end),
    show(try lists:foreach(fun(X) when X > 2 -> throw({stop, X}); (_) -> ok end, [1, 2, 3, 4]) catch {stop, N} -> N end).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

%% expect: {error,badarith}
%% expect: {error,badarith}
%% expect: [2,inf,5]
%% expect: [1,2]
%% expect: 2
%% expect: 3

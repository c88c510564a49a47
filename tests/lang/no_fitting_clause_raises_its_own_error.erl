%% function_clause, case_clause, if_clause, try_clause, badmatch, badarity, badfun, undef.
-module(no_fitting_clause_raises_its_own_error).
-export([main/0]).

main() ->
    show(attempt(fun() -> f(id(2)) end)),
    show(attempt(fun() -> case id(2) of 1 -> ok end end)),
    show(attempt(fun() -> X = id(2), if X > 3 -> ok; X < 1 -> ok end end)),
    show(attempt(fun() -> try id(2) of 1 -> ok catch _:_ -> caught end end)),
    show(attempt(fun() -> (id(fun(1) -> ok end))(2) end)),
    show(attempt(fun() -> (id(not_a_fun))(2) end)),
    show(element(1, element(2, attempt(fun() -> (id(fun() -> ok end))(1) end)))),
    show(attempt(fun() -> no_such_module:f(1) end)),
    show(attempt(fun() -> ?MODULE:no_such_function() end)),
    show(attempt(fun() -> (id(lists)):no_such_function(1, 2) end)),
    show(attempt(fun() -> (id(1)):f() end)).

f(1) -> ok.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: {error,function_clause}
%% expect: {error,{case_clause,2}}
%% expect: {error,if_clause}
%% expect: {error,{try_clause,2}}
%% expect: {error,function_clause}
%% expect: {error,{badfun,not_a_fun}}
%% expect: badarity
%% expect: {error,undef}
%% expect: {error,undef}
%% expect: {error,undef}
%% expect: {error,badarg}

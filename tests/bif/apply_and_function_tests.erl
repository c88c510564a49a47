%% apply/2,3, is_function/2, function_exported, is_builtin, fun_info.
-module(apply_and_function_tests).
-export([main/0]).

main() ->
    show([apply(fun(A, B) -> A - B end, [5, 3]), apply(erlang, '+', [1, 2]), apply(lists, seq, [1, 3])]),
    show([is_function(fun() -> ok end, 0), is_function(fun id/1, 1), is_function(fun id/1, 2), is_function(a, 1), is_function({lists, map}, 2)]),
    show(attempt(fun() -> is_function(fun() -> ok end, id(-1)) end)),
    show([erlang:is_builtin(erlang, self, 0), erlang:is_builtin(lists, reverse, 2), erlang:is_builtin(lists, nope, 2)]),
    show([erlang:function_exported(lists, map, 2), erlang:function_exported(lists, nope, 2)]),
    F = fun(X) -> X end,
    show([erlang:fun_info(F, arity), erlang:fun_info(F, module), erlang:fun_info(F, type), erlang:fun_info(F, env)]),
    show(attempt(fun() -> apply(id(F), id(a)) end)),
    show(attempt(fun() -> apply(id(a), [1]) end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [2,3,[1,2,3]]
%% expect: [true,true,false,false,false]
%% expect: {error,badarg}
%% expect: [true,true,false]
%% expect: [true,false]
%% expect: [{arity,1},{module,apply_and_function_tests},{type,local},{env,[]}]
%% expect: {error,badarg}
%% expect: {error,{badfun,a}}

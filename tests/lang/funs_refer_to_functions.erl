%% fun f/1, fun m:f/1 and fun M:F/A.
-module(funs_refer_to_functions).

-export([main/0, twice/1]).
main() ->
    show(lists:map(fun twice/1, [1, 2])),
    show(lists:map(fun ?MODULE:twice/1, [3])),
    M = id(lists), F = id(reverse), A = id(1),
    R = fun M:F/A,
    show(R([1, 2, 3])),
    show((fun lists:sum/1)([1, 2])),
    show((fun erlang:'+'/2)(1, 2)),
    show([is_function(G, 1) || G <- [fun twice/1, R, fun(_) -> ok end, fun() -> ok end]]),
    show(fun lists:map/2),
    show(R =:= fun lists:reverse/1),
    show(fun twice/1 =:= fun twice/1),
    show(attempt(fun() -> (fun no_mod:f/0)() end)),
    show(erlang:fun_info(R, module)),
    show(erlang:fun_info(R, name)),
    show(erlang:fun_info(R, arity)),
    show(erlang:fun_info(R, type)).

twice(X) -> 2 * X.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [2,4]
%% expect: [6]
%% expect: [3,2,1]
%% expect: 3
%% expect: 3
%% expect: [true,true,true,false]
%% expect: fun lists:map/2
%% expect: true
%% expect: true
%% expect: {error,undef}
%% expect: {module,lists}
%% expect: {name,reverse}
%% expect: {arity,1}
%% expect: {type,external}

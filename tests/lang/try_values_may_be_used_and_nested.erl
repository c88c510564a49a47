%% try is an expression anywhere an expression may stand.
-module(try_values_may_be_used_and_nested).
-export([main/0]).

main() ->
    X = [try id(A) of 1 -> one; V -> {V} catch _ -> no end || A <- [1, 2]],
    show(X),
    show({try throw(1) catch N -> N + 1 end, try 5 catch _ -> 0 end}),
    show(f(fun() -> throw({a, 1}) end)),
    show(f(fun() -> throw({b, 1}) end)),
    show(f(fun() -> try throw({b, 1}) catch {b, K} -> throw({a, K + 1}) end end)).

f(F) ->
    try
        try F() catch throw:{a, N} -> {inner, N} end
    catch
        throw:Any -> {outer, Any}
    end.

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: [one,{2}]
%% expect: {2,5}
%% expect: {inner,1}
%% expect: {outer,{b,1}}
%% expect: {inner,2}

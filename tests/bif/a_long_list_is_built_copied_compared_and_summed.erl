%% Lists of a million elements through the usual functions.
%% without stress: a collection of the long list at every safepoint is quadratic
-module(a_long_list_is_built_copied_compared_and_summed).
-export([main/0]).

main() ->
    L = lists:seq(1, 1000000),
    show(lists:sum(L)),
    show(length(L ++ [x])),
    show(lists:reverse(lists:reverse(L)) =:= L),
    show(lists:last(L)),
    show(lists:foldl(fun(X, A) -> X bxor A end, 0, L)),
    show(length(lists:filter(fun(X) -> X rem 3 =:= 0 end, L))),
    show(list_to_tuple(L) =:= list_to_tuple(lists:map(fun(X) -> X end, L))),
    show(lists:nth(500000, L)),
    show(lists:member(1000000, L)).

show(X) -> io:format("~p~n", [X]).

%% expect: 500000500000
%% expect: 1000001
%% expect: true
%% expect: 1000000
%% expect: 1000000
%% expect: 333333
%% expect: true
%% expect: 500000
%% expect: true

%% Pattern = Pattern binds both sides.
-module(an_alias_names_the_whole_and_the_parts).
-export([main/0]).

main() ->
    show(f({a, [1, 2, 3]})),
    show(f([x | y])),
    {A, _} = {_, B} = W = id({1, 2}),
    show({A, B, W}),
    [H | _] = [_ | T] = id([1, 2]),
    show({H, T}).

f({_, [_ | T] = L} = Whole) -> {T, L, Whole};
f(Whole = [H | T]) -> {H, T, Whole}.

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: {[2,3],[1,2,3],{a,[1,2,3]}}
%% expect: {x,y,[x|y]}
%% expect: {1,2,{1,2}}
%% expect: {1,[2]}

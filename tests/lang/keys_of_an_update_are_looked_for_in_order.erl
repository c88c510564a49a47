%% Constant keys side by side are updated in the order of their terms, others in that of the text; the first that is
%% missing is told.
%% expect: {badkey,b}
%% expect: {badkey,a}
%% expect: {badkey,z}
%% expect: {badkey,{1}}
%% expect: {badkey,<<1>>}
%% expect: {badkey,{}}
%% expect: {badkey,3}
%% expect: {badkey,a}
%% expect: {badkey,18446744073709551615}
%% expect: {badkey,[a]}
%% expect: {badkey,"abcc"}
%% expect: {badkey,2}
%% expect: #{1 => x,1.0 => y,b => 2}
%% expect: {badkey,b}
-module(keys_of_an_update_are_looked_for_in_order).
-export([main/0]).

main() ->
    M = id(#{1 => x, 1.0 => y}),
    {A, I, B, T} = {id(a), id(7), id(<<1>>), id({1})},
    show(fun() -> M#{ok := 1, b := 2} end),
    show(fun() -> M#{A := 1, z := 2, 7 := 3} end),
    show(fun() -> M#{z := 1, A := 2, b := 3} end),
    show(fun() -> M#{{1} := 2, [1] := 4, <<1>> := 3, "k" := 2} end),
    show(fun() -> M#{B := 2, T := 3, I := 2} end),
    show(fun() -> M#{[] := 2, {} := 4, #{} := 5} end),
    show(fun() -> M#{2.0 := 2, 3 := 4} end),
    show(fun() -> M#{c := 2, b => 4, a := 5} end),
    show(fun() -> M#{18446744073709551616 := 2, 18446744073709551615 := 5} end),
    show(fun() -> M#{[a, b] := 2, [a] := 5} end),
    show(fun() -> M#{"abcd" := 2, "abcc" := 5} end),
    show(fun() -> M#{1.5 := 4, 1 := 5, 2 := 3} end),
    show(fun() -> M#{b => 1, b := 2} end),
    show(fun() -> M#{b := 1, b => 2} end).

show(F) ->
    io:format("~p~n", [try F() catch error:Reason -> Reason end]).

id(X) -> X.

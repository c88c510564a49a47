%% A test as the value of a case whose clauses leave out `true`, `false` or both.
%% expect: {error,{case_clause,true}}
%% expect: {error,{case_clause,false}}
%% expect: {error,{case_clause,true}}
%% expect: 1
%% expect: {error,{case_clause,false}}
%% expect: 2
%% expect: {error,{case_clause,{true,true}}}
-module(a_boolean_that_no_clause_takes_is_a_case_clause).
-export([main/0]).

main() ->
    show(fun() -> neither(ok, ok) end), show(fun() -> neither(a, ok) end),
    show(fun() -> no_true(ok, ok) end), show(fun() -> no_true(a, ok) end),
    show(fun() -> no_false(a, ok) end), show(fun() -> no_false(ok, ok) end),
    show(fun() -> in_a_tuple(ok) end).

neither(X, Y) -> case X >= Y of b -> 1; ok -> 2 end.

no_true(X, Y) -> case X =:= Y of false -> 1; ok -> 2 end.

no_false(X, Y) -> case X =:= Y of b -> 1; true -> 2 end.

in_a_tuple(X) ->
    B = is_atom(X),
    case B of ok -> 1; _ -> case {B, B} of {false, _} -> 3; {_, false} -> 4 end end.

show(F) -> io:format("~p~n", [try F() catch error:Reason -> {error, Reason} end]).

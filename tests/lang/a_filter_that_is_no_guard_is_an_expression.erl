%% A filter is a guard only if all of it may be in one: the defaults of a record count, and functions imported from `erlang` are its own.
%% expect: [a]
%% expect: [2]
%% expect: [<<"ab">>]
%% expect: [four,1]
%% expect: [[a]]
-module(a_filter_that_is_no_guard_is_an_expression).
-compile({no_auto_import, [byte_size/1, length/1]}).
-import(erlang, [byte_size/1]).
-export([main/0]).

-record(bird, {name, wings = id(2)}).

main() ->
    io:format("~p~n", [[X || X <- [a, b], #bird{name = X} =:= {bird, a, 2}]]),
    io:format("~p~n", [[X || X <- [1, 2], #bird{wings = X} =:= {bird, undefined, 2}]]),
    io:format("~p~n", [[X || X <- [<<"ab">>, <<"a">>, ab], byte_size(X) =:= 2]]),
    io:format("~p~n", [[guarded(X) || X <- [<<"abcd">>, <<"a">>]]]),
    io:format("~p~n", [catch [X || X <- [[a], b], length(X) =:= 1]]).

guarded(X) when byte_size(X) =:= 4 -> four;
guarded(X) -> byte_size(X).

length(b) -> 0;
length(_) -> 1.

id(X) -> X.

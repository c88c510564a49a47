%% erlang:raise/3 uses the trace it is given.
-module(raise_keeps_the_given_stack).
-export([main/0]).

main() ->
    S0 = [{m, f, 1, [{file, "m.erl"}, {line, 3}]}, {m, g, 0, []}],
    show(try erlang:raise(error, r, S0) catch C:R:S -> {C, R, lists:prefix([{m, f, 1, [{file, "m.erl"}, {line, 3}]}], S)} end),
    show(try erlang:raise(throw, r, []) catch C1:R1:S1 -> {C1, R1, S1} end),
    show(attempt(fun() -> erlang:raise(id(not_a_class), r, []) end)),
    show(catch erlang:raise(error, a, [])).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: {error,r,true}
%% expect: {throw,r,[]}
%% expect: badarg
%% expect: {'EXIT',{a,[]}}

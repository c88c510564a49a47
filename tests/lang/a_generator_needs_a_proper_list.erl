%% bad_generator with the rest that is not a list.
-module(a_generator_needs_a_proper_list).
-export([main/0]).

main() ->
    show(attempt(fun() -> [Y || Y <- id([1 | 2])] end)),
    show(attempt(fun() -> [Y || Y <- id(a)] end)),
    show(attempt(fun() -> [Y || _ <- [1], Y <- id({})] end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: {error,{bad_generator,2}}
%% expect: {error,{bad_generator,a}}
%% expect: {error,{bad_generator,{}}}

%% [A || A <- L, a] raises {bad_filter, a} in compiled code.
-module(a_comprehension_filter_atom_is_bad_filter).
-export([main/0]).

main() ->
    show(attempt(fun() -> [A || A <- [1, 2, 3], id(a)] end)),
    show(attempt(fun() -> [A || A <- [1, 2, 3], id(A)] end)),
    show([A || A <- [], id(a)]).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: {error,{bad_filter,a}}
%% expect: {error,{bad_filter,1}}
%% expect: []

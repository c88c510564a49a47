%% A filter that is a guard fails quietly; another expression must be boolean.
-module(comprehension_filters_are_guards_or_booleans).
-export([main/0]).

main() ->
    show([X || X <- [1, a, 3], X + 1 > 2]),
    show([X || X <- [1, a, 3], is_integer(X), ok(X)]),
    show(attempt(fun() -> [X || X <- [1, 2], id(maybe_so) =:= x orelse id(X)] end)),
    show(attempt(fun() -> [X || X <- [1, 2], not_bool(X)] end)),
    show([X || X <- [[], [1], a], hd(X) =:= 1]).

ok(X) -> X > 1.

not_bool(X) -> {X}.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [3]
%% expect: [3]
%% expect: {error,{bad_filter,1}}
%% expect: {error,{bad_filter,{1}}}
%% expect: [[1]]

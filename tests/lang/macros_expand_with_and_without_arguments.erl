%% -define of every kind, stringification, predefined macros, conditionals.
-module(macros_expand_with_and_without_arguments).
-export([main/0]).

-define(ONE, 1).
-define(ADD(X, Y), ((X) + (Y))).
-define(TWICE(X), ?ADD(X, X)).
-define(SHOW(E), {??E, E}).
-define(OVER, none).
-define(OVER(X), {one, X}).
-define(OVER(X, Y), {two, X, Y}).
-define(EMPTY(), empty).
-define(CLAUSES, c(1) -> one; c(2) -> two;).
-define(STR, "str" "ing").
-ifdef(ONE).
-define(WHICH, defined).
-else.
-define(WHICH, undefined).
-endif.
-ifndef(NOT_THERE).
-define(WHICH2, absent).
-endif.
-undef(ONE).
-ifdef(ONE).
-define(ONE_LEFT, yes).
-else.
-define(ONE_LEFT, no).
-endif.
-define(ONE, 11).

main() ->
    show([?ONE, ?ADD(1, 2), ?TWICE(?ADD(1, 1)), ?SHOW(1 + 2), ?OVER, ?OVER(a), ?OVER(a, b), ?EMPTY(), ?STR, ?WHICH, ?WHICH2, ?ONE_LEFT]),
    show([?MODULE, ?MODULE_STRING, ?LINE, filename:basename(?FILE), ?FUNCTION_NAME, ?FUNCTION_ARITY, ?MACHINE]),
    show([c(X) || X <- [1, 2, 3]]),
    show(?ADD({1, 2} =:= {1, 2} andalso 1, fun() -> 5 end())).

?CLAUSES
c(_) -> many.

show(X) -> io:format("~p~n", [X]).

%% expect: [11,3,4,{"1 + 2",3},none,{one,a},{two,a,b},empty,"string",defined,absent,no]
%% expect: [macros_expand_with_and_without_arguments,
%% expect:  "macros_expand_with_and_without_arguments",33,
%% expect:  "macros_expand_with_and_without_arguments.erl",main,0,'BEAM']
%% expect: [one,two,many]
%% expect: 6

%% Warnings about what a program does for nothing: how they are told. The compiler that finds them is not this module.
-module(sys_core_fold).

-export([format_error/1]).

-spec format_error(term()) -> io_lib:chars().
format_error({nomatch, shadow}) -> "a clause before this one always matches";
format_error({nomatch, no_clause}) -> "no clause matches";
format_error({nomatch, guard}) -> "the guard is never true";
format_error({ignored, useless_building}) -> "a term is built, but never used";
format_error({failed, {eval_failure, {Module, Name, Arity}, Reason}}) ->
    io_lib:format("~tw:~tw/~w always fails here with ~w", [Module, Name, Arity, Reason]);
format_error(Other) -> io_lib:format("~tp", [Other]).

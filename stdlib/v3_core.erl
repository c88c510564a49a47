%% Warnings about patterns that match nothing: how they are told. The compiler that finds them is not this module.
-module(v3_core).

-export([format_error/1]).

-spec format_error(term()) -> io_lib:chars().
format_error({nomatch, pattern}) -> "this never matches";
format_error(Other) -> io_lib:format("~tp", [Other]).

%% `erl_error:format_exception/8`, as crash reports call it: the fun that formats terms says beside the text how much is left (OTP 25's text).
-module(exceptions_are_formatted_with_a_limit).
-export([main/0]).

main() ->
    Format = fun(Term, Column, Limit) -> {io_lib:format("~.*tp", [Column, Term]), Limit} end,
    Whole = fun(_, _, _) -> false end,
    [io:format("~ts~n", [erl_error:format_exception(1, Class, Reason, [], Whole, Format, utf8, -1)])
     || {Class, Reason} <- [{error, {badmatch, [a, b]}}, {error, boom}, {exit, {x, 1}}, {throw, "t"}]].

%% expect: exception error: no match of right hand side value [a,b]
%% expect: exception error: boom
%% expect: exception exit: {x,1}
%% expect: exception throw: "t"

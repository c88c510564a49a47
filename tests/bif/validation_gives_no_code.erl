%% The options basic_validation and strong_validation of the compiler say whether there would be code; transforms that compile on
%% the way are not run again for that.
-module(validation_gives_no_code).
-export([main/0, parse_transform/2]).

main() ->
    Forms = [form(Text) || Text <- ["-module(m).", "-compile({parse_transform, validation_gives_no_code}).", "-export([f/0]).", "f() -> A = 1, ok."]],
    [show(compile:forms(Forms, [Option | Options])) || Option <- [basic_validation, strong_validation], Options <- [[], [return]]],
    {ok, m, Code} = compile:forms(Forms, []),
    show(is_binary(Code)).

parse_transform(Forms, _) ->
    show([Options || {attribute, _, compile, Options} <- Forms]),
    {ok, m, _} = compile:noenv_forms(Forms, [strong_validation, return]),
    Forms.

form(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Form} = erl_parse:parse_form(Tokens),
    Form.

show(X) -> io:format("~p~n", [X]).

%% expect: []
%% expect: {ok,[]}
%% expect: []
%% expect: {ok,[],[{[],[{1,erl_lint,{unused_var,'A'}}]}]}
%% expect: []
%% expect: {ok,m}
%% expect: []
%% expect: {ok,m,[{[],[{1,erl_lint,{unused_var,'A'}}]}]}
%% expect: []
%% expect: true

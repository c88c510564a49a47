#!/usr/bin/env escript
%% Reads lines `source<TAB>include folders...`; answers with what erl_lint says of the source: a line `kind line` each,
%% then a line `end`.
-mode(compile).

main(_) ->
    loop().

loop() ->
    case io:get_line("") of
        eof -> ok;
        Line ->
            [Source | Includes] = string:split(string:trim(Line, trailing, "\n"), "\t", all),
            Opts = [{includes, Includes}, {macros, [{'COMPILER_VSN', "8"}, {'OTP_RELEASE', 27, redefine}]},
                    {features, [maybe_expr]}, {reserved_word_fun, fun reserved/1}],
            {ok, Forms} = epp:parse_file(Source, Opts),
            {Errors, Warnings} =
                try erl_lint:module(Forms, Source, []) of
                    {ok, Ws} -> {[], Ws};
                    {error, Es, Ws} -> {Es, Ws}
                catch
                    _:_ -> {[{Source, [{0, x, crash}]}], []}
                end,
            [show("E", M) || {_, Ms} <- Errors, M <- Ms],
            [show("W", M) || {_, Ms} <- Warnings, M <- Ms],
            io:put_chars("end\n"),
            loop()
    end.

show(Letter, {Line, _Module, What}) ->
    Tag = if is_tuple(What) -> element(1, What); true -> What end,
    io:format("~s ~s ~w~n", [Letter, if is_atom(Tag) -> Tag; true -> other end, Line]);
show(Letter, {_Module, _What}) ->
    io:format("~s other 0~n", [Letter]).

reserved('maybe') -> true;
reserved('else') -> true;
reserved(W) -> erl_scan:reserved_word(W).

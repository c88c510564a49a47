#!/usr/bin/env escript
%% Reads paths, one a line; answers `ok` or `error`, one a line: whether epp:parse_file finds an error.
-mode(compile).

main(_) ->
    io:setopts([{encoding, unicode}]),
    loop().

loop() ->
    case io:get_line("") of
        eof -> ok;
        Line ->
            Path = string:trim(Line),
            Opts = [{includes, []}, {features, [maybe_expr]}, {reserved_word_fun, fun reserved/1}],
            Answer = try epp:parse_file(Path, Opts) of
                {ok, Forms} ->
                    case [E || {error, E} <- Forms] of
                        [] -> "ok";
                        [{L, M, D} | _] -> io_lib:format("error ~p ~ts", [L, M:format_error(D)]);
                        [E | _] -> io_lib:format("error ~p", [E])
                    end;
                {error, E} -> io_lib:format("error ~p", [E])
            catch
                _:Reason -> io_lib:format("error crash ~0p", [Reason])
            end,
            io:put_chars([re:replace(Answer, "\\s+", " ", [global, unicode]), "\n"]),
            loop()
    end.

reserved('maybe') -> true;
reserved('else') -> true;
reserved(W) -> erl_scan:reserved_word(W).

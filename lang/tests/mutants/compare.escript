#!/usr/bin/env escript
%% Reads lines `source<TAB>forms<TAB>include folders...`; answers whether OTP's parser makes the forms listed, as terms
%% with positions 0, of the source.
-mode(compile).

main(_) ->
    loop().

loop() ->
    case io:get_line("") of
        eof -> ok;
        Line ->
            [Source, Ours | Includes] = string:split(string:trim(Line, trailing, "\n"), "\t", all),
            Opts = [{includes, Includes}, {macros, [{'COMPILER_VSN', "8"}, {'OTP_RELEASE', 27, redefine}]},
                    {features, [maybe_expr]}, {reserved_word_fun, fun reserved/1}],
            {ok, Theirs0} = epp:parse_file(Source, Opts),
            Theirs = [erl_parse:map_anno(fun(_) -> 0 end, F) || F <- Theirs0, wanted(F)],
            {ok, Mine0} = file:consult(Ours),
            Mine = [M || M <- Mine0],
            io:put_chars([compare(Mine, Theirs), "\n"]),
            loop()
    end.

wanted({attribute, _, file, _}) -> false;
wanted({eof, _}) -> false;
wanted({warning, _}) -> false;
wanted(_) -> true.

compare([F | Mine], [F | Theirs]) -> compare(Mine, Theirs);
compare([{attribute, 0, behaviour, B} | Mine], [{attribute, 0, behavior, B} | Theirs]) -> compare(Mine, Theirs);
compare([], []) -> "ok";
compare([], [T | _]) -> io_lib:format("missing: ~0p", [T]);
compare([M | _], []) -> io_lib:format("too many: ~0p", [M]);
compare([M | _], [T | _]) ->
    {A, B} = narrow(M, T),
    io_lib:format("ours: ~0p theirs: ~0p", [A, B]).

%% The innermost terms that differ.
narrow(A, B) when is_tuple(A), is_tuple(B), tuple_size(A) =:= tuple_size(B) ->
    narrow(tuple_to_list(A), tuple_to_list(B));
narrow([H | A], [H | B]) -> narrow(A, B);
narrow([A | T], [B | T]) -> narrow(A, B);
narrow(A, B) -> {A, B}.

reserved('maybe') -> true;
reserved('else') -> true;
reserved(W) -> erl_scan:reserved_word(W).

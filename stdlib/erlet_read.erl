%% Terms out of a stream of characters, for `io:read` and the like.
%%
%% The text up to a full stop (a dot before white space, a comment or the end of input, outside of quotes) is gathered
%% here; the compiler, `erlet_compiler:parse_terms/1`, makes the term of it.
-module(erlet_read).

-export([term/3]).

%% The function of a `get_until` request. The state is the reversed text so far and where in a token it stands.
-spec term([] | {string(), atom()}, string() | eof, pos_integer()) -> {more, term()} | {done, term(), string() | eof}.
term([], Input, Line) -> scan(Input, [], between, Line);
term({Text, Where}, Input, Line) -> scan(Input, Text, Where, Line).

%% between: where white space may stand; word: inside a token; dot: behind a dot that may be the full stop;
%% number: inside digits; dollar, {escape, W}: behind `$` or a backslash; comment; quoted by a string or atom quote.
scan([], Text, Where, _) -> {more, {Text, Where}};
scan(eof, Text, Where, Line) ->
    case {Where, is_blank(Text)} of
        {dot, _} -> {done, parse(Text, Line), eof};
        {_, true} -> {done, {eof, line(Text, Line)}, eof};
        _ -> {done, {error, {line(Text, Line), erl_parse, "syntax error before: "}, line(Text, Line)}, eof}
    end;
scan([C | Cs] = Input, Text, Where, Line) ->
    case Where of
        dot when C =:= $\n; C =:= $\s; C =:= $\t; C =:= $\r -> {done, parse([C | Text], Line), Cs};
        dot when C =:= $% -> {done, parse(Text, Line), Input};
        comment when C =:= $\n -> scan(Cs, [C | Text], between, Line);
        comment -> scan(Cs, [C | Text], comment, Line);
        {escape, Back} -> scan(Cs, [C | Text], Back, Line);
        {quoted, _} when C =:= $\\ -> scan(Cs, [C | Text], {escape, Where}, Line);
        {quoted, C} -> scan(Cs, [C | Text], word, Line);
        {quoted, _} -> scan(Cs, [C | Text], Where, Line);
        dollar when C =:= $\\ -> scan(Cs, [C | Text], {escape, word}, Line);
        dollar -> scan(Cs, [C | Text], word, Line);
        _ when C =:= $"; C =:= $' -> scan(Cs, [C | Text], {quoted, C}, Line);
        _ when C =:= $$ -> scan(Cs, [C | Text], dollar, Line);
        _ when C =:= $% -> scan(Cs, [C | Text], comment, Line);
        _ when C =:= $. -> scan(Cs, [C | Text], dot, Line);
        _ -> scan(Cs, [C | Text], word, Line)
    end.

parse(Text, Line) ->
    End = line(Text, Line),
    case erlet_compiler:parse_terms(lists:reverse(Text)) of
        {ok, [Term]} -> {ok, Term, End};
        {ok, _} -> {error, {End, erl_parse, "syntax error before: "}, End};
        {error, {At, Module, Description}} -> {error, {At + Line - 1, Module, Description}, End}
    end.

line(Text, Line) -> Line + length([C || C <- Text, C =:= $\n]).

is_blank(Text) -> lists:all(fun(C) -> C =:= $\s orelse C =:= $\n orelse C =:= $\t orelse C =:= $\r end, Text).

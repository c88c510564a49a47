%% Text to tokens.
%%
%% The lexer is the compiler's own: erlet_forms:scan/4 runs it over a whole text. What arrives in pieces is gathered here up
%% to the full stop (a dot before white space, a comment or the end, outside of quotes), and then cut at once.
-module(erl_scan).

-export([string/1, string/2, string/3, tokens/3, tokens/4, format_error/1, reserved_word/1, f_reserved_word/1, category/1, column/1,
         end_location/1, line/1, location/1, symbol/1, text/1, continuation_location/1]).
-export_type([token/0, tokens/0, error_info/0, options/0, category/0, symbol/0, return_cont/0, tokens_result/0]).

-type category() :: atom().
-type symbol() :: atom() | float() | integer() | string().
-type token() :: {category(), erl_anno:anno(), symbol()} | {category(), erl_anno:anno()}.
-type tokens() :: [token()].
-type error_info() :: {erl_anno:location(), module(), term()}.
-type option() :: return | return_white_spaces | return_comments | text | {reserved_word_fun, fun((atom()) -> boolean())}
                  | {text_fun, fun((atom(), string()) -> boolean())}.
-type options() :: option() | [option()].
-type tokens_result() :: {ok, tokens(), erl_anno:location()} | {eof, erl_anno:location()}
                         | {error, error_info(), erl_anno:location()}.
-type where() :: term().
-opaque return_cont() :: {erl_scan_continuation, string(), where(), erl_anno:location(), options()}.

-spec string(string()) -> {ok, tokens(), erl_anno:location()} | {error, error_info(), erl_anno:location()}.
string(Text) -> string(Text, 1, []).

-spec string(string(), erl_anno:location()) ->
          {ok, tokens(), erl_anno:location()} | {error, error_info(), erl_anno:location()}.
string(Text, Start) -> string(Text, Start, []).

-spec string(string(), erl_anno:location(), options()) ->
          {ok, tokens(), erl_anno:location()} | {error, error_info(), erl_anno:location()}.
string(Text, Start, Options) when is_list(Text) -> scan(Text, Start, list(Options)).

list(Options) when is_list(Options) -> Options;
list(Option) -> [Option].

scan(Text, Line, Options) when is_integer(Line) -> scan(Text, Line, 0, Options);
scan(Text, {Line, Column}, Options) when is_integer(Line), is_integer(Column), Column >= 1 ->
    scan(Text, Line, Column, Options).

scan(Text, Line, Column, Options) ->
    Has = fun(Option) -> proplists:get_bool(Option, Options) end,
    Words = proplists:get_value(reserved_word_fun, Options),
    Texts =
        case Has(text) of
            true -> all;
            false -> proplists:get_value(text_fun, Options, none)
        end,
    (Words =:= undefined orelse is_function(Words, 1)) orelse error(badarg, [Options]),
    Wanted =
        [comments || Has(return) orelse Has(return_comments)]
        ++ [white_space || Has(return) orelse Has(return_white_spaces)]
        ++ [text || Texts =/= none orelse Words =/= undefined],
    case erlet_forms:scan(Text, Line, Column, Wanted) of
        {ok, Tokens, End} -> {ok, adapted(Tokens, Words, Texts), End};
        Error -> Error
    end.

%% Reserved words and texts as the caller wants them.
adapted(Tokens, undefined, Texts) when Texts =:= none; Texts =:= all -> Tokens;
adapted(Tokens, Words, Texts) -> [with_text(with_word(Token, Words), Texts) || Token <- Tokens].

with_word(Token, undefined) -> Token;
with_word({atom, Anno, Atom} = Token, Words) ->
    case hd(erl_anno:text(Anno)) =/= $' andalso Words(Atom) of
        true -> {Atom, Anno};
        false -> Token
    end;
with_word({Word, Anno} = Token, Words) ->
    case reserved_word(Word) andalso not Words(Word) of
        true -> {atom, Anno, Word};
        false -> Token
    end;
with_word(Token, _) -> Token.

with_text(Token, all) -> Token;
with_text(Token, Texts) ->
    Anno = element(2, Token),
    case Texts =/= none andalso Texts(element(1, Token), erl_anno:text(Anno)) of
        true -> Token;
        false -> setelement(2, Token, erl_anno:location(Anno))
    end.

%% Text in pieces.

-spec tokens([] | return_cont(), string() | eof, erl_anno:location()) ->
          {done, tokens_result(), string() | eof} | {more, return_cont()}.
tokens(Continuation, Text, Start) -> tokens(Continuation, Text, Start, []).

-spec tokens([] | return_cont(), string() | eof, erl_anno:location(), options()) ->
          {done, tokens_result(), string() | eof} | {more, return_cont()}.
tokens([], Text, Start, Options) -> gather(Text, [], plain, Start, list(Options));
tokens({erl_scan_continuation, Before, Where, Start, Options}, Text, _, _) -> gather(Text, Before, Where, Start, Options).

-spec continuation_location(return_cont()) -> erl_anno:location().
continuation_location({erl_scan_continuation, Before, _, Start, _}) ->
    {ok, _, End} = erlet_end(lists:reverse(Before), Start),
    End.

erlet_end(Text, Start) ->
    case [C || C <- Text, C =:= $\n] of
        [] when is_tuple(Start) -> {ok, [], {element(1, Start), element(2, Start) + length(Text)}};
        Lines when is_tuple(Start) ->
            Last = lists:takewhile(fun(C) -> C =/= $\n end, lists:reverse(Text)),
            {ok, [], {element(1, Start) + length(Lines), length(Last) + 1}};
        Lines -> {ok, [], Start + length(Lines)}
    end.

%% Before is reversed.
gather([], Before, Where, Start, Options) -> {more, {erl_scan_continuation, Before, Where, Start, Options}};
gather(eof, Before, _, Start, Options) ->
    Result =
        case scan(lists:reverse(Before), Start, Options) of
            {ok, [], End} -> {eof, End};
            Cut -> Cut
        end,
    {done, Result, eof};
gather([C | Text] = Here, Before, Where, Start, Options) when is_integer(C) ->
    case step(C, Where) of
        {stop, with} -> {done, scan(lists:reverse(Before, [C]), Start, Options), Text};
        {stop, without} -> {done, scan(lists:reverse(Before), Start, Options), Here};
        Next -> gather(Text, [C | Before], Next, Start, Options)
    end.

-define(WHITE(C), (C >= 0 andalso C =< $\s orelse C >= 16#80 andalso C =< 16#A0)).

%% Where the character C leads to. plain: between and inside of tokens; dot: behind a dot that may be the full stop; dots: behind
%% two; comment; dollar: behind `$`; {escape, W}: behind a backslash; {quotes, N}: behind so many double quotes, which
%% may be those of a string in lines; {quoted, C}: up to the character C; sigil: in the letters of one;
%% {lines, N, W}: in a string in lines, with W the quotes seen at the beginning of a line, or text.
step(C, plain) ->
    case C of
        $" -> {quotes, 1};
        $' -> {quoted, C};
        $$ -> dollar;
        $% -> comment;
        $. -> dot;
        $~ -> sigil;
        _ -> plain
    end;
step($., dot) -> dots;
step($%, dot) -> {stop, without};
step(C, dot) when ?WHITE(C) -> {stop, with};
step(C, dot) -> step(C, plain);
step($., dots) -> plain;
step(C, dots) -> step(C, plain);
step($\n, comment) -> plain;
step(_, comment) -> comment;
step($\\, dollar) -> {escape, plain};
step(_, dollar) -> plain;
step(_, {escape, Where}) -> Where;
step($", {quotes, N}) -> {quotes, N + 1};
step(C, {quotes, 1}) -> step(C, {quoted, $"});
step(C, {quotes, 2}) -> step(C, plain);
step(C, {quotes, N}) -> step(C, {lines, N, text});
step(C, {quoted, C}) -> plain;
step($\\, {quoted, _} = Where) -> {escape, Where};
step(_, {quoted, _} = Where) -> Where;
step($", sigil) -> {quotes, 1};
step(C, sigil) when C >= $a, C =< $z; C >= $A, C =< $Z -> sigil;
step(C, sigil) ->
    case lists:keyfind(C, 1, [{$(, $)}, {$[, $]}, {${, $}}, {$<, $>}]) of
        {_, Close} -> {quoted, Close};
        false when C =:= $/; C =:= $|; C =:= $'; C =:= $`; C =:= $# -> {quoted, C};
        false -> step(C, plain)
    end;
step($\n, {lines, N, _}) -> {lines, N, 0};
step(_, {lines, N, text}) -> {lines, N, text};
step($", {lines, N, Seen}) when Seen + 1 =:= N -> plain;
step($", {lines, N, Seen}) -> {lines, N, Seen + 1};
step(C, {lines, N, 0}) when ?WHITE(C) -> {lines, N, 0};
step(_, {lines, N, _}) -> {lines, N, text}.

%% What tokens carry.

-spec category(token()) -> category().
category({Category, _}) -> Category;
category({Category, _, _}) -> Category;
category(Token) -> error(badarg, [Token]).

-spec symbol(token()) -> symbol().
symbol({Category, _}) -> Category;
symbol({_, _, Symbol}) -> Symbol;
symbol(Token) -> error(badarg, [Token]).

-spec column(token()) -> erl_anno:column() | undefined.
column(Token) -> erl_anno:column(element(2, Token)).

-spec line(token()) -> erl_anno:line().
line(Token) -> erl_anno:line(element(2, Token)).

-spec location(token()) -> erl_anno:location().
location(Token) -> erl_anno:location(element(2, Token)).

-spec end_location(token()) -> erl_anno:location() | undefined.
end_location(Token) -> erl_anno:end_location(element(2, Token)).

-spec text(token()) -> erl_anno:text() | undefined.
text(Token) -> erl_anno:text(element(2, Token)).

-spec reserved_word(atom()) -> boolean().
reserved_word(Word) ->
    lists:member(Word, ['after', 'and', 'andalso', 'band', 'begin', 'bnot', 'bor', 'bsl', 'bsr', 'bxor', 'case', 'catch',
                        'cond', 'div', 'else', 'end', 'fun', 'if', 'let', 'maybe', 'not', 'of', 'or', 'orelse', 'receive',
                        'rem', 'try', 'when', 'xor']).

%% The words that are reserved whatever features are on.
-spec f_reserved_word(atom()) -> boolean().
f_reserved_word(Word) -> reserved_word(Word).

-spec format_error(term()) -> string().
format_error({string, Quote, Head}) ->
    What =
        case Quote of
            $' -> "atom";
            _ -> "string"
        end,
    lists:flatten(["unterminated ", What, " starting with ", io_lib:write_string(Head, Quote)]);
format_error({illegal, What}) -> lists:flatten(io_lib:format("illegal ~w", [What]));
format_error(char) -> "unterminated character";
format_error({base, Base}) -> lists:flatten(io_lib:format("illegal base '~w'", [Base]));
format_error(Other) -> lists:flatten(io_lib:write(Other)).

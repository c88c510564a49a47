%% Terms and text: the public face of formatting.
%%
%% Formatting proper is in `io_lib_format` (control sequences), `io_lib_pretty` (`~p` layout), `io_lib_fread` (reading) and
%% `io_lib_input` (what an I/O server needs). Here: terms in `~w` form, atoms, strings and characters as they are written
%% in source, and the tests on character lists that decide how a term is shown.
%%
%% Whole terms go through the native `erlet_io:write_flat/2`; only depth-limited output is done in Erlang.
-module(io_lib).

-export([fwrite/2, fwrite/3, format/2, format/3, scan_format/2, unscan_format/1, build_text/1, build_text/2,
         fread/2, fread/3, print/1, print/4, indentation/2, format_prompt/1, format_prompt/2, nl/0]).
-export([write/1, write/2, write/3, write_atom/1, write_atom_as_latin1/1, quote_atom/2,
         write_string/1, write_string/2, write_unicode_string/1, write_latin1_string/1, write_latin1_string/2,
         write_string_as_latin1/1, write_string_as_latin1/2, write_binary/3,
         write_char/1, write_unicode_char/1, write_latin1_char/1, write_char_as_latin1/1]).
-export([char_list/1, latin1_char_list/1, deep_char_list/1, deep_latin1_char_list/1, deep_unicode_char_list/1,
         printable_list/1, printable_latin1_list/1, printable_unicode_list/1, chars_length/1, limit_term/2]).
-export([collect_chars/3, collect_chars/4, collect_line/3, collect_line/4, get_until/3, get_until/4]).
-export_type([chars/0, continuation/0, format_spec/0]).

-type chars() :: [char() | chars()].
-type continuation() :: term().
-type format_spec() :: map().

%%% Formatting

fwrite(Format, Args) -> format(Format, Args).

fwrite(Format, Args, Options) -> format(Format, Args, Options).

%% Whatever goes wrong inside is the caller's format or arguments: one exception for all of it.
-spec format(io:format(), [term()]) -> chars().
format(Format, Args) ->
    try io_lib_format:fwrite(Format, Args)
    catch _:_ -> error(badarg, [Format, Args])
    end.

-spec format(io:format(), [term()], [{chars_limit, integer()}]) -> chars().
format(Format, Args, Options) ->
    try io_lib_format:fwrite(Format, Args, Options)
    catch _:_ -> error(badarg, [Format, Args, Options])
    end.

scan_format(Format, Args) ->
    try io_lib_format:scan(Format, Args)
    catch _:_ -> error(badarg, [Format, Args])
    end.

unscan_format(FormatList) -> io_lib_format:unscan(FormatList).

build_text(FormatList) ->
    try io_lib_format:build(FormatList)
    catch _:_ -> error(badarg, [FormatList])
    end.

build_text(FormatList, Options) ->
    try io_lib_format:build(FormatList, Options)
    catch _:_ -> error(badarg, [FormatList, Options])
    end.

fread(String, Format) -> io_lib_fread:fread(String, Format).

fread(Continuation, String, Format) -> io_lib_fread:fread(Continuation, String, Format).

print(Term) -> io_lib_pretty:print(Term).

print(Term, Column, LineLength, Depth) -> io_lib_pretty:print(Term, Column, LineLength, Depth).

indentation(Chars, Column) -> io_lib_format:indentation(Chars, Column).

nl() -> "\n".

%% A prompt is text, `{format, Format, Args}` or any term; a bad one must not break reading.
format_prompt(Prompt) -> format_prompt(Prompt, latin1).

format_prompt({format, Format, Args}, _) -> prompt(Format, Args);
format_prompt(Prompt, latin1) when is_list(Prompt); is_atom(Prompt); is_binary(Prompt) -> prompt("~s", [Prompt]);
format_prompt(Prompt, _) when is_list(Prompt); is_atom(Prompt); is_binary(Prompt) -> prompt("~ts", [Prompt]);
format_prompt(Prompt, latin1) -> prompt("~p", [Prompt]);
format_prompt(Prompt, _) -> prompt("~tp", [Prompt]).

prompt(Format, Args) ->
    try format(Format, Args)
    catch error:_ -> "???"
    end.

%%% Terms in ~w form

-spec write(term()) -> chars().
write(Term) -> erlet_io:write_flat(Term, latin1).

%% The second argument is a depth, or options: depth, encoding, chars_limit.
-spec write(term(), integer() | [tuple()]) -> chars().
write(Term, Options) when is_list(Options) ->
    Depth = proplists:get_value(depth, Options, -1),
    Limit = proplists:get_value(chars_limit, Options, -1),
    Encoding =
        case proplists:get_value(encoding, Options, utf8) of
            latin1 -> latin1;
            _ -> unicode
        end,
    if
        Depth =:= 0; Limit =:= 0 -> "...";
        Limit > 0 -> io_lib_measure:limited(Term, Depth, Limit, Encoding);
        true -> write_depth(Term, Depth, Encoding)
    end;
write(Term, Depth) -> write_depth(Term, Depth, latin1).

write(Term, Depth, true) -> io_lib_pretty:print(Term, 1, 80, Depth);
write(Term, Depth, false) -> write_depth(Term, Depth, latin1).

%% Each level, and each further element of a level, costs one of the depth; what is left at 1 becomes "...".
write_depth(Term, Depth, Enc) when Depth < 0 -> erlet_io:write_flat(Term, Enc);
write_depth(_, 0, _) -> "...";
write_depth([_ | _], 1, _) -> "[...]";
write_depth([X | T], D, Enc) -> [$[, [write_depth(X, D - 1, Enc) | write_tail(T, D - 1, Enc)], $]];
write_depth({}, _, _) -> "{}";
write_depth(T, 1, _) when is_tuple(T) -> "{...}";
write_depth(T, D, Enc) when is_tuple(T) ->
    [X | Xs] = tuple_to_list(T),
    [${, [write_depth(X, D - 1, Enc) | write_elements(Xs, D - 1, Enc)], $}];
write_depth(M, 1, _) when is_map(M) -> "#{}";
write_depth(M, D, Enc) when is_map(M), map_size(M) > 0 ->
    {K, V, Rest} = maps:next(maps:iterator(M)),
    [$#, ${, [write_pair(K, V, D - 1, Enc) | write_pairs(Rest, D - 1, D - 1, Enc)], $}];
write_depth(B, D, _) when is_bitstring(B) -> element(1, write_binary(B, D, -1));
write_depth(Term, _, Enc) -> erlet_io:write_flat(Term, Enc).

write_tail([], _, _) -> "";
write_tail(_, 1, _) -> "|...";
write_tail([X | T], D, Enc) -> [$,, write_depth(X, D - 1, Enc) | write_tail(T, D - 1, Enc)];
write_tail(Tail, D, Enc) -> [$|, write_depth(Tail, D - 1, Enc)].

write_elements([], _, _) -> "";
write_elements(_, 1, _) -> ",...";
write_elements([X | Xs], D, Enc) -> [$,, write_depth(X, D - 1, Enc) | write_elements(Xs, D - 1, Enc)].

write_pairs(_, 1, _, _) -> ",...";
write_pairs(Iterator, D, Inner, Enc) ->
    case maps:next(Iterator) of
        {K, V, Rest} -> [$,, write_pair(K, V, Inner, Enc) | write_pairs(Rest, D - 1, Inner, Enc)];
        none -> ""
    end.

write_pair(K, V, D, Enc) -> [write_depth(K, D, Enc), " => ", write_depth(V, D, Enc)].

%% At most Depth bytes in at most Limit characters (negative: no bound); also what was left out.
-spec write_binary(bitstring(), integer(), integer()) -> {chars(), bitstring()}.
write_binary(B, Depth, Limit) ->
    {Parts, Rest} = io_lib_measure:binary_parts(B, Depth, io_lib_measure:less(Limit, 4)),
    {[$<, $<, lists:join($,, Parts), $>, $>], Rest}.

%%% Atoms, strings and characters as source text

-spec write_atom(atom()) -> chars().
write_atom(A) when is_atom(A) -> erlet_io:write_flat(A, unicode).

-spec write_atom_as_latin1(atom()) -> chars().
write_atom_as_latin1(A) when is_atom(A) -> erlet_io:write_flat(A, latin1).

%% Must the atom with this text stand in quotes?
-spec quote_atom(atom(), string()) -> boolean().
quote_atom(Atom, [C | Cs]) ->
    reserved(Atom) orelse not (is_lower(C) andalso lists:all(fun is_name_char/1, Cs));
quote_atom(_, []) -> true.

is_lower(C) -> (C >= $a andalso C =< $z) orelse (C >= 16#DF andalso C =< 16#FF andalso C =/= 16#F7).

is_name_char(C) ->
    is_lower(C) orelse (C >= $A andalso C =< $Z) orelse (C >= $0 andalso C =< $9) orelse C =:= $_ orelse C =:= $@
        orelse (C >= 16#C0 andalso C =< 16#DE andalso C =/= 16#D7).

reserved(A) ->
    lists:member(A, ['after', 'and', 'andalso', 'band', 'begin', 'bnot', 'bor', 'bsl', 'bsr', 'bxor', 'case', 'catch',
                     'cond', 'div', 'else', 'end', 'fun', 'if', 'let', 'maybe', 'not', 'of', 'or', 'orelse', 'receive',
                     'rem', 'try', 'when', 'xor']).

%% Three ways with characters above 127: as they are, only up to 255, or above 255 as `\x{...}`.
write_string(S) -> write_string(S, $").

write_string(S, Quote) -> [Quote | write_string1(unicode_as_unicode, S, Quote)].

write_unicode_string(S) -> write_string(S).

write_latin1_string(S) -> write_latin1_string(S, $").

write_latin1_string(S, Quote) -> [Quote | write_string1(latin1, S, Quote)].

write_string_as_latin1(S) -> write_string_as_latin1(S, $").

write_string_as_latin1(S, Quote) -> [Quote | write_string1(unicode_as_latin1, S, Quote)].

write_string1(Mode, [C | Cs], Quote) when C >= $\s, C =< $~, C =/= Quote, C =/= $\\ -> [C | write_string1(Mode, Cs, Quote)];
write_string1(Mode, [C | Cs], Quote) -> string_char(Mode, C, Quote, write_string1(Mode, Cs, Quote));
write_string1(_, [], Quote) -> [Quote].

string_char(latin1, C, Quote, Tail) when is_integer(C), C =< 16#FF -> char_escape(C, Quote, Tail);
string_char(unicode_as_unicode, C, Quote, Tail) -> char_escape(C, Quote, Tail);
string_char(unicode_as_latin1, C, Quote, Tail) when is_integer(C), C =< 16#FF -> char_escape(C, Quote, Tail);
string_char(unicode_as_latin1, C, _, Tail) -> "\\x{" ++ integer_to_list(C, 16) ++ [$} | Tail].

char_escape(C, Quote, Tail) ->
    case C of
        Quote -> [$\\, C | Tail];
        $\\ -> [$\\, $\\ | Tail];
        $\n -> [$\\, $n | Tail];
        $\r -> [$\\, $r | Tail];
        $\t -> [$\\, $t | Tail];
        $\v -> [$\\, $v | Tail];
        $\b -> [$\\, $b | Tail];
        $\f -> [$\\, $f | Tail];
        $\e -> [$\\, $e | Tail];
        $\d -> [$\\, $d | Tail];
        _ when C >= $\s, C =< $~ -> [C | Tail];
        _ when C < 16#A0 -> [$\\, $0 + (C bsr 6), $0 + (C bsr 3) band 7, $0 + C band 7 | Tail];
        _ -> [C | Tail]
    end.

write_char($\s) -> "$\\s";
write_char(C) when is_integer(C), C >= 0 -> char_text(C, unicode_as_unicode).

write_unicode_char(C) -> write_char(C).

write_latin1_char(C) when is_integer(C), C >= 0, C =< 16#FF -> char_text(C, latin1).

write_char_as_latin1(C) when is_integer(C), C >= 0 -> char_text(C, unicode_as_latin1).

%% -1 is no character, so no quote is escaped.
char_text(C, Mode) -> [$$ | string_char(Mode, C, -1, [])].

%%% Character lists

-define(IS_UNICODE(C),
        (is_integer(C) andalso C >= 0 andalso C =< 16#10FFFF andalso not (C >= 16#D800 andalso C =< 16#DFFF)
         andalso C =/= 16#FFFE andalso C =/= 16#FFFF)).

char_list([C | Cs]) when ?IS_UNICODE(C) -> char_list(Cs);
char_list([]) -> true;
char_list(_) -> false.

latin1_char_list([C | Cs]) when is_integer(C), C >= 0, C =< 16#FF -> latin1_char_list(Cs);
latin1_char_list([]) -> true;
latin1_char_list(_) -> false.

deep_char_list(Deep) -> deep_char_list_1(Deep, []).

deep_char_list_1([C | Cs], Todo) when ?IS_UNICODE(C) -> deep_char_list_1(Cs, Todo);
deep_char_list_1([L | Cs], Todo) when is_list(L) -> deep_char_list_1(L, [Cs | Todo]);
deep_char_list_1([], [Cs | Todo]) -> deep_char_list_1(Cs, Todo);
deep_char_list_1([], []) -> true;
deep_char_list_1(_, _) -> false.

deep_unicode_char_list(Deep) -> deep_char_list(Deep).

deep_latin1_char_list(Deep) -> deep_latin1_1(Deep, []).

deep_latin1_1([C | Cs], Todo) when is_integer(C), C >= 0, C =< 16#FF -> deep_latin1_1(Cs, Todo);
deep_latin1_1([L | Cs], Todo) when is_list(L) -> deep_latin1_1(L, [Cs | Todo]);
deep_latin1_1([], [Cs | Todo]) -> deep_latin1_1(Cs, Todo);
deep_latin1_1([], []) -> true;
deep_latin1_1(_, _) -> false.

printable_list(L) ->
    case io:printable_range() of
        latin1 -> printable_latin1_list(L);
        unicode -> printable_unicode_list(L)
    end.

-define(IS_CONTROL(C), (C >= $\b andalso C =< $\r orelse C =:= $\e)).

printable_latin1_list([C | Cs]) when is_integer(C), C >= $\s, C =< $~ -> printable_latin1_list(Cs);
printable_latin1_list([C | Cs]) when is_integer(C), C >= 16#A0, C =< 16#FF -> printable_latin1_list(Cs);
printable_latin1_list([C | Cs]) when is_integer(C), ?IS_CONTROL(C) -> printable_latin1_list(Cs);
printable_latin1_list([]) -> true;
printable_latin1_list(_) -> false.

printable_unicode_list([C | Cs]) when is_integer(C), C >= $\s, C =< $~ -> printable_unicode_list(Cs);
printable_unicode_list([C | Cs]) when ?IS_UNICODE(C), C >= 16#A0 -> printable_unicode_list(Cs);
printable_unicode_list([C | Cs]) when is_integer(C), ?IS_CONTROL(C) -> printable_unicode_list(Cs);
printable_unicode_list([]) -> true;
printable_unicode_list(_) -> false.

%% Bytes if that is what they are (fast), else grapheme clusters.
-spec chars_length(chars()) -> non_neg_integer().
chars_length(Chars) ->
    try iolist_size(Chars)
    catch error:_ -> string:length(Chars)
    end.

%%% Cutting a term down to a depth, for reports

-spec limit_term(term(), integer()) -> term().
limit_term(Term, Depth) -> limit(Term, Depth).

%% Subterms beyond the depth become the atom '...', which prints like the dots of depth-limited output.
limit(_, 0) -> '...';
limit([_ | _] = L, D) ->
    case D > 1 andalso printable_list(L) of
        true -> L;
        false when D =:= 1 -> ['...'];
        false -> [limit(hd(L), D - 1) | limit_tail(tl(L), D - 1)]
    end;
limit({}, _) -> {};
limit(T, 1) when is_tuple(T) -> {'...'};
limit(T, D) when is_tuple(T) ->
    [X | Xs] = tuple_to_list(T),
    list_to_tuple([limit(X, D - 1) | limit_elements(Xs, D - 1)]);
limit(M, D) when is_map(M) -> maps:from_list(limit_pairs(maps:next(maps:iterator(M)), D + 1, D));
limit(Term, _) -> Term.

limit_tail([], _) -> [];
limit_tail(_, 1) -> ['...'];
limit_tail([X | T], D) -> [limit(X, D - 1) | limit_tail(T, D - 1)];
limit_tail(Tail, D) -> limit(Tail, D - 1).

limit_elements([], _) -> [];
limit_elements(_, 1) -> ['...'];
limit_elements([X | Xs], D) -> [limit(X, D - 1) | limit_elements(Xs, D - 1)].

%% One association more than the depth shows, so that the printer knows there is more; keys stay whole, lest they clash.
limit_pairs(_, 0, _) -> [];
limit_pairs({K, V, Rest}, N, D) -> [{K, limit(V, D - 1)} | limit_pairs(maps:next(Rest), N - 1, D)];
limit_pairs(none, _, _) -> [].

%%% What an I/O server reads with

collect_chars(Tag, Data, N) -> io_lib_input:collect_chars(Tag, Data, latin1, N).
collect_chars(Tag, Data, Encoding, N) -> io_lib_input:collect_chars(Tag, Data, Encoding, N).
collect_line(Tag, Data, Any) -> io_lib_input:collect_line(Tag, Data, latin1, Any).
collect_line(Tag, Data, Encoding, Any) -> io_lib_input:collect_line(Tag, Data, Encoding, Any).
get_until(Tag, Data, MFA) -> io_lib_input:get_until(Tag, Data, latin1, MFA).
get_until(Tag, Data, Encoding, MFA) -> io_lib_input:get_until(Tag, Data, Encoding, MFA).

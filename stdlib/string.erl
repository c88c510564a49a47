%% Strings: chardata of grapheme clusters, and the older functions on lists of characters.
%%
%% A string is a list of characters, a UTF-8 binary, or a nest of both. What a reader calls a character is a *cluster*: a
%% code point, or a list of several (a letter with its accents, `\r\n`). Clusters and case mappings come from natives
%% (`unicode_util:gc/1` one at a time, `erlet_unicode` in bulk). Functions that only look at the beginning of a string walk it one cluster at a
%% time and leave the rest as it is; the others take all of it apart. Binaries give binaries and lists give
%% lists. Runs of ASCII need no native: `?PLAIN(A, B)` says that A, followed by B, is a cluster.
-module(string).

-export([is_empty/1, length/1, to_graphemes/1, reverse/1, equal/2, equal/3, equal/4, slice/2, slice/3,
         pad/2, pad/3, pad/4, trim/1, trim/2, trim/3, chomp/1, take/2, take/3, take/4,
         lowercase/1, uppercase/1, titlecase/1, casefold/1, to_integer/1, to_float/1, jaro_similarity/2,
         prefix/2, split/2, split/3, replace/3, replace/4, find/2, find/3, lexemes/2, nth_lexeme/3,
         next_codepoint/1, next_grapheme/1]).
-export([len/1, concat/2, chr/2, rchr/2, str/2, rstr/2, span/2, cspan/2, substr/2, substr/3, tokens/2, join/2,
         chars/2, chars/3, copies/2, words/1, words/2, sub_word/2, sub_word/3, strip/1, strip/2, strip/3,
         left/2, left/3, right/2, right/3, centre/2, centre/3, sub_string/2, sub_string/3,
         to_lower/1, to_upper/1]).

-compile({no_auto_import, [length/1]}).

-define(PLAIN(A, B), (is_integer(A) andalso is_integer(B) andalso A < 128 andalso B < 128 andalso A =/= $\r)).

%%% Whole strings

-spec is_empty(unicode:chardata()) -> boolean().
is_empty([]) -> true;
is_empty(<<>>) -> true;
is_empty([S | Rest]) -> is_empty(S) andalso is_empty(Rest);
is_empty(_) -> false.

-spec length(unicode:chardata()) -> non_neg_integer().
length(S) ->
    case bulk(fun erlet_unicode:length/1, S) of
        none -> length_1(S, 0);
        N -> N
    end.

%% What a native makes of all of S. `none` is for what is not text from end to end: taken apart cluster by cluster it fails where OTP fails,
%% with numbers that are no characters it does not fail at all.
bulk(Native, S) ->
    try Native(S) of
        {error, _} -> none;
        {error, _, _} -> none;
        Result -> Result
    catch error:badarg -> none
    end.

length_1(S, N) ->
    case unicode_util:gc(S) of
        [_ | Rest] -> length_1(Rest, N + 1);
        [] -> N;
        {error, Bytes} -> error({badarg, Bytes})
    end.

-spec to_graphemes(unicode:chardata()) -> [char() | [char()]].
to_graphemes(S) ->
    case bulk(fun erlet_unicode:graphemes/1, S) of
        none ->
            case unicode_util:gc(S) of
                [Cluster | Rest] -> [Cluster | clusters(Rest)];
                [] -> [];
                {error, Bytes} -> error({badarg, Bytes})
            end;
        Clusters -> Clusters
    end.

clusters(S) ->
    case unicode_util:gc(S) of
        [Cluster | Rest] -> [Cluster | clusters(Rest)];
        [] -> [];
        {error, Bytes} -> error({badarg, Bytes})
    end.

%% The characters of S.
chars(S) ->
    case bulk(fun unicode:characters_to_list/1, S) of
        none -> chars_1(unicode_util:cp(S));
        Chars -> Chars
    end.

chars_1([C | Rest]) -> [C | chars_1(unicode_util:cp(Rest))];
chars_1([]) -> [];
chars_1({error, Bytes}) -> error({badarg, Bytes}).

valid({error, Rest}) -> error({badarg, Rest});
valid({error, _, Rest}) -> error({badarg, Rest});
valid(Result) -> Result.

reverse(S) ->
    case bulk(fun erlet_unicode:graphemes/1, S) of
        none -> reverse_1(S, []);
        Clusters -> lists:reverse(Clusters)
    end.

reverse_1(S, Acc) ->
    case unicode_util:gc(S) of
        [Cluster | Rest] -> reverse_1(Rest, [Cluster | Acc]);
        [] -> Acc;
        {error, Bytes} -> error({badarg, Bytes})
    end.

%% Code points in the form of the string they came from.
like(S, Chars) when is_binary(S) -> valid(unicode:characters_to_binary(Chars));
like(_, Chars) ->
    case unicode:characters_to_list(Chars) of
        Flat when is_list(Flat) -> Flat;
        _ -> Chars
    end.

-spec equal(unicode:chardata(), unicode:chardata()) -> boolean().
equal(A, B) when is_binary(A), is_binary(B) -> A =:= B;
equal(A, B) when is_binary(A); is_binary(B) ->
    case {bulk(fun unicode:characters_to_list/1, A), bulk(fun unicode:characters_to_list/1, B)} of
        {As, Bs} when As =/= none, Bs =/= none -> As =:= Bs;
        _ -> equal_1(A, B)
    end;
equal(A, B) -> equal_1(A, B).

equal_1([A | As], [B | Bs]) when is_integer(A), is_integer(B) ->
    case A =:= B of
        true -> equal_1(As, Bs);
        false -> false
    end;
equal_1([], B) -> is_empty(B);
equal_1(A, B) ->
    case {unicode_util:cp(A), unicode_util:cp(B)} of
        {[C | As], [C | Bs]} -> equal_1(As, Bs);
        {[], []} -> true;
        {As, Bs} when is_list(As), is_list(Bs) -> false
    end.

equal(A, B, false) -> equal(A, B);
equal(A, B, true) -> equal_nocase(A, B).

equal_nocase(A, B) ->
    case {bulk(fun erlet_unicode:casefold/1, A), bulk(fun erlet_unicode:casefold/1, B)} of
        {As, Bs} when As =/= none, Bs =/= none -> equal(As, Bs);
        _ -> equal_nocase_1(A, B)
    end.

equal_nocase_1(A, B) ->
    case {unicode_util:casefold(A), unicode_util:casefold(B)} of
        {[C | As], [C | Bs]} -> equal_nocase_1(As, Bs);
        {[], []} -> true;
        {As, Bs} when is_list(As), is_list(Bs) -> false
    end.

equal(A, B, IgnoreCase, none) -> equal(A, B, IgnoreCase);
equal(A, B, false, Form) -> normal(A, Form) =:= normal(B, Form);
equal(A, B, true, Form) -> equal(casefold(normal(A, Form)), casefold(normal(B, Form))).

normal(S, nfc) -> unicode:characters_to_nfc_list(S);
normal(S, nfd) -> unicode:characters_to_nfd_list(S);
normal(S, nfkc) -> unicode:characters_to_nfkc_list(S);
normal(S, nfkd) -> unicode:characters_to_nfkd_list(S).

lowercase(S) when is_list(S); is_binary(S) -> cased(S, bulk(fun erlet_unicode:lowercase/1, S), lowercase);
lowercase(S) -> error({badarg, S}).

uppercase(S) when is_list(S); is_binary(S) -> cased(S, bulk(fun erlet_unicode:uppercase/1, S), uppercase);
uppercase(S) -> error({badarg, S}).

casefold(S) when is_list(S); is_binary(S) -> cased(S, bulk(fun erlet_unicode:casefold/1, S), casefold);
casefold(S) -> error({badarg, S}).

%% What is not text from end to end goes one character after another.
cased(S, none, Case) ->
    case unicode_util:Case(S) of
        [C | Rest] when is_list(C) -> C ++ cased(Rest, none, Case);
        [C | Rest] -> [C | cased(Rest, none, Case)];
        [] -> [];
        {error, Bytes} -> error({badarg, Bytes})
    end;
cased(_, Cased, _) -> Cased.

titlecase(S) when is_list(S); is_binary(S) ->
    case bulk(fun erlet_unicode:titlecase/1, S) of
        none ->
            case unicode_util:titlecase(S) of
                [C | Rest] when is_list(C) -> C ++ Rest;
                {error, Bytes} -> error({badarg, Bytes});
                Cased -> Cased
            end;
        Cased -> Cased
    end.

next_codepoint(S) -> unicode_util:cp(S).

next_grapheme(S) -> unicode_util:gc(S).

%%% Parts by position

-spec slice(unicode:chardata(), non_neg_integer()) -> unicode:chardata().
slice(S, Start) when is_integer(Start), Start >= 0 -> rest(S, slice_l(S, Start)).

-spec slice(unicode:chardata(), non_neg_integer(), non_neg_integer() | infinity) -> unicode:chardata().
slice(S, Start, infinity) -> slice(S, Start);
slice(S, _, 0) when is_binary(S) -> <<>>;
slice(_, _, 0) -> [];
slice(S, Start, Len) when is_integer(Start), Start >= 0, is_integer(Len), Len > 0 ->
    case slice_l(S, Start) of
        Bin when is_binary(Bin), is_binary(S) -> front(Bin, slice_l(Bin, Len));
        List -> keep(List, Len)
    end.

%% Nothing left is nothing of the string's kind.
rest(S, Rest) when is_binary(S), Rest =:= [] -> <<>>;
rest(S, Rest) when is_list(S), Rest =:= <<>> -> [];
rest(_, Rest) -> Rest.

slice_l(S, 0) -> S;
slice_l([A, B | _] = S, N) when ?PLAIN(A, B) -> slice_l(tl(S), N - 1);
slice_l(<<A, B, _/binary>> = S, N) when ?PLAIN(A, B) ->
    <<_, Rest/binary>> = S,
    slice_l(Rest, N - 1);
slice_l(S, N) ->
    case valid(unicode_util:gc(S)) of
        [_ | Rest] -> slice_l(Rest, N - 1);
        [] when is_binary(S) -> <<>>;
        [] -> []
    end.

keep(_, 0) -> [];
keep([A, B | _] = S, N) when ?PLAIN(A, B) -> [A | keep(tl(S), N - 1)];
keep(S, N) ->
    case valid(unicode_util:gc(S)) of
        [Cluster | Rest] when is_integer(Cluster) -> [Cluster | keep(Rest, N - 1)];
        [Cluster | Rest] -> Cluster ++ keep(Rest, N - 1);
        [] -> []
    end.

%% What stands in Bin before its tail Rest.
front(Bin, []) -> Bin;
front(Bin, Rest) -> binary:part(Bin, 0, byte_size(Bin) - byte_size(Rest)).

pad(S, Length) -> pad(S, Length, trailing, $\s).

pad(S, Length, Direction) -> pad(S, Length, Direction, $\s).

-spec pad(unicode:chardata(), integer(), leading | trailing | both, char() | [char()]) -> unicode:chardata().
pad(S, Length, leading, Char) when is_integer(Length) ->
    Missing = max(0, Length - length(S)),
    [lists:duplicate(Missing, Char), S];
pad(S, Length, trailing, Char) when is_integer(Length) ->
    Missing = max(0, Length - length(S)),
    [S | lists:duplicate(Missing, Char)];
pad(S, Length, both, Char) when is_integer(Length) ->
    Missing = max(0, Length - length(S)),
    Half = lists:duplicate(Missing div 2, Char),
    [Half, S, Half | lists:duplicate(Missing rem 2, Char)].

%%% Parts by the clusters in a set

trim(S) -> trim(S, both, whitespace()).

trim(S, Direction) -> trim(S, Direction, whitespace()).

whitespace() -> [[$\r, $\n], $\t, $\n, $\v, $\f, $\r, $\s, 16#85, 16#200E, 16#200F, 16#2028, 16#2029].

-spec trim(unicode:chardata(), leading | trailing | both, [char() | [char()]]) -> unicode:chardata().
trim(S, _, []) -> S;
trim(S, leading, Set) when is_list(Set) -> trim_l(S, Set);
trim(S, trailing, Set) when is_list(Set) -> trim_t(S, Set);
trim(S, both, Set) when is_list(Set) -> trim_t(trim_l(S, Set), Set).

trim_t(S, Set) when is_binary(S) -> trim_end(S, Set);
trim_t(S, Set) when is_list(S) -> trim_last(chars(S), Set).

chomp(S) -> trim(S, trailing, [[$\r, $\n], $\n]).

%% S from the first cluster that is not in the set.
trim_l([A, B | _] = S, Set) when ?PLAIN(A, B) ->
    case lists:member(A, Set) of
        true -> trim_l(tl(S), Set);
        false -> S
    end;
trim_l(S, Set) when is_list(S); is_binary(S) ->
    case valid(unicode_util:gc(S)) of
        [Cluster | Rest] ->
            case lists:member(Cluster, Set) of
                true when Rest =:= [], is_binary(S) -> <<>>;
                true -> trim_l(Rest, Set);
                false -> S
            end;
        [] -> S
    end.

%% A byte below 128 that follows another one is a cluster, unless they are `\r\n`.
trim_end(<<>>, _) -> <<>>;
trim_end(S, Set) ->
    Last = byte_size(S) - 1,
    Before = max(0, Last - 1),
    case S of
        <<C>> when C < 128 -> trim_byte(S, C, Last, Set);
        <<_:Before/binary, $\r, $\n>> -> trim_clusters(S, Set);
        <<_:Before/binary, B, C>> when B < 128, C < 128 -> trim_byte(S, C, Last, Set);
        _ -> trim_clusters(S, Set)
    end.

trim_byte(S, C, Last, Set) ->
    case lists:member(C, Set) of
        true -> trim_end(binary:part(S, 0, Last), Set);
        false -> S
    end.

%% Bytes that are no text have no white space at their end.
trim_clusters(S, Set) ->
    case bulk(fun erlet_unicode:graphemes/1, S) of
        none when is_binary(S) -> S;
        none -> like(S, lists:reverse(drop_last(reverse(S), Set)));
        Clusters -> like(S, lists:reverse(drop_last(lists:reverse(Clusters), Set)))
    end.

drop_last([Cluster | Before] = Reversed, Set) ->
    case lists:member(Cluster, Set) of
        true -> drop_last(Before, Set);
        false -> Reversed
    end;
drop_last([], _) -> [].

%% The same on a flat list, through its reverse.
trim_last(Chars, Set) ->
    case trim_reversed(lists:reverse(Chars), Set) of
        clusters -> trim_clusters(Chars, Set);
        Reversed -> lists:reverse(Reversed)
    end.

trim_reversed([C, B | _] = Reversed, Set) when ?PLAIN(B, C) ->
    case lists:member(C, Set) of
        true -> trim_reversed(tl(Reversed), Set);
        false -> Reversed
    end;
trim_reversed([C] = Reversed, Set) when C < 128 ->
    case lists:member(C, Set) of
        true -> [];
        false -> Reversed
    end;
trim_reversed([], _) -> [];
trim_reversed(_, _) -> clusters.

take(S, Set) -> take(S, Set, false, leading).

take(S, Set, Complement) -> take(S, Set, Complement, leading).

%% The longest leading (trailing) part of clusters in the set, or with Complement not in it: `{Leading, Trailing}`.
-spec take(unicode:chardata(), [char() | [char()]], boolean(), leading | trailing) ->
          {unicode:chardata(), unicode:chardata()}.
take(S, [], Complement, Direction) ->
    Nothing =
        case is_binary(S) of
            true -> <<>>;
            false -> []
        end,
    case {Complement, Direction} of
        {false, leading} -> {Nothing, S};
        {false, trailing} -> {S, Nothing};
        {true, leading} -> {S, Nothing};
        {true, trailing} -> {Nothing, S}
    end;
take(S, Set, false, leading) -> take_l(S, Set, []);
take(S, Set, true, leading) ->
    _ = search_pattern(Set),
    take_lc(S, Set, []);
take(S, Set, Complement, trailing) when is_boolean(Complement) ->
    {Taken, Front} = lists:splitwith(fun(C) -> lists:member(C, Set) =/= Complement end, reverse(S)),
    {like(S, lists:reverse(Front)), like(S, lists:reverse(Taken))}.

take_l(S, Set, Taken) when is_list(S); is_binary(S) ->
    case valid(unicode_util:gc(S)) of
        [Cluster | Rest] ->
            case lists:member(Cluster, Set) of
                true -> take_l(like_tail(S, Rest), Set, [Cluster | Taken]);
                false -> {like(S, lists:reverse(Taken)), S}
            end;
        [] -> {like(S, lists:reverse(Taken)), S}
    end.

take_lc(S, Set, Taken) when is_list(S); is_binary(S) ->
    case valid(unicode_util:gc(S)) of
        [Cluster | Rest] ->
            case lists:member(Cluster, Set) of
                false -> take_lc(like_tail(S, Rest), Set, [Cluster | Taken]);
                true -> {like(S, lists:reverse(Taken)), S}
            end;
        [] -> {like(S, lists:reverse(Taken)), S}
    end.

%% Nothing behind the last cluster of a binary is the empty binary.
like_tail(S, []) when is_binary(S) -> <<>>;
like_tail(_, Rest) -> Rest.

%% The first characters of the clusters of a set, which must be text.
search_pattern(Set) ->
    Firsts = search_cp(Set),
    lists:usort(Firsts).

search_cp([C | Set]) when is_integer(C) -> [C | search_cp(Set)];
search_cp([Cluster | Set]) ->
    First = hd(unicode_util:cp(Cluster)),
    [First | search_cp(Set)];
search_cp([]) -> [].

%% The parts between clusters of the set; none of them is empty.
-spec lexemes(unicode:chardata(), [char() | [char()]]) -> [unicode:chardata()].
lexemes([], _) -> [];
lexemes(S, []) -> [S];
lexemes(S, Set) when is_list(Set) -> lexemes_m(S, {Set, search_pattern(Set), undefined}, []).

lexemes_m(S, {Set, _, _}, []) when is_list(S); is_binary(S) -> [like(S, Clusters) || Clusters <- lexemes_1(to_graphemes(S), Set)].

lexemes_1(Clusters, Set) ->
    case drop_last(Clusters, Set) of
        [] -> [];
        Rest ->
            {Lexeme, Rest1} = lists:splitwith(fun(C) -> not lists:member(C, Set) end, Rest),
            [Lexeme | lexemes_1(Rest1, Set)]
    end.

nth_lexeme(S, 1, []) -> S;
nth_lexeme(S, N, Set) when is_list(Set), is_integer(N), N > 0 ->
    _ = search_pattern(Set),
    Lexemes = lexemes(S, Set),
    case lists:nthtail(min(N - 1, erlang:length(Lexemes)), Lexemes) of
        [Lexeme | _] -> Lexeme;
        [] when is_binary(S) -> <<>>;
        [] -> []
    end.

%%% Parts by a string in them

%% A match must not end inside of a cluster: "e" is not found in "e" with an accent. Only the last code point of a pattern
%% can have that happen to it.

-spec prefix(unicode:chardata(), unicode:chardata()) -> unicode:chardata() | nomatch.
prefix(S, Prefix) ->
    P = unicode:characters_to_list(Prefix),
    case prefix_1(S, P) of
        [] when is_binary(S) -> <<>>;
        nomatch -> nomatch;
        Rest ->
            case P =:= [] orelse whole(lists:last(P), Rest) of
                true -> Rest;
                false -> nomatch
            end
    end.

%% What is no text as a prefix has no clause.
prefix_1(S, []) -> S;
prefix_1([C | S], [C | Prefix]) -> prefix_1(S, Prefix);
prefix_1([C | _], [_ | _]) when is_integer(C) -> nomatch;
prefix_1(S, [C | Prefix]) ->
    case unicode_util:cp(S) of
        [C | Rest] -> prefix_1(Rest, Prefix);
        _ -> nomatch
    end.

%% Is the code point Last, followed by Rest, a cluster?
whole(_, []) -> true;
whole(_, <<>>) -> true;
whole(Last, [C | _]) when is_integer(C), C < 128, Last =/= $\r -> true;
whole(Last, <<C, _/binary>>) when C < 128, Last =/= $\r -> true;
whole(Last, Rest) ->
    case unicode_util:gc([Last | Rest]) of
        [Last | _] -> true;
        _ -> false
    end.

split(S, Pattern) -> split(S, Pattern, leading).

-spec split(unicode:chardata(), unicode:chardata(), leading | trailing | all) -> [unicode:chardata()].
split(S, Pattern, Where) ->
    case is_empty(Pattern) of
        true -> [S];
        false ->
            case unicode:characters_to_list(Pattern) of
                Chars when not is_list(Chars) -> error(function_clause, [S, Pattern, Where]);
                _ when not is_list(S), not is_binary(S) -> error({badmatch, S});
                Chars when is_binary(S) -> split_1(S, pattern(S, Chars), Where);
                Chars ->
                    case split_1(chars(S), pattern(S, Chars), Where) of
                        [_] -> [S];
                        Parts -> Parts
                    end
            end
    end.

split_1(S, Pattern, Where) ->
    case search(S, Pattern, Where) of
        nomatch -> [S];
        {Front, _, Rest} when Where =:= all -> [Front | split_1(Rest, Pattern, all)];
        {Front, _, Rest} -> [Front, Rest]
    end.

%% The pattern in the form of the string, and its last code point.
pattern(S, Chars) ->
    case is_binary(S) of
        true -> {unicode:characters_to_binary(Chars), lists:last(Chars)};
        false -> {Chars, lists:last(Chars)}
    end.

%% `{Before, MatchAndAfter, After}` of the first match, or of the last for `trailing`.
search(S, {P, Last}, Where) when is_binary(S) ->
    case match_binary(S, P, Last, 0) of
        nomatch -> nomatch;
        At when Where =:= trailing -> found(S, P, last_binary(S, P, Last, At));
        At -> found(S, P, At)
    end;
search(S, {P, Last}, trailing) -> last_list(S, P, Last, 0, nomatch, S);
search(S, {P, Last}, _) -> match_list(S, P, Last, []).

found(S, P, At) ->
    {_, Match} = split_binary(S, At),
    {Front, _} = split_binary(S, At),
    {_, After} = split_binary(Match, byte_size(P)),
    {Front, Match, After}.

%% The place of the first match at From or later.
match_binary(S, P, Last, From) ->
    case binary:match(S, P, [{scope, {From, byte_size(S) - From}}]) of
        nomatch -> nomatch;
        {At, Len} ->
            {_, After} = split_binary(S, At + Len),
            case whole(Last, After) of
                true -> At;
                false -> match_binary(S, P, Last, At + 1)
            end
    end.

%% Matches may overlap.
last_binary(S, P, Last, At) ->
    case match_binary(S, P, Last, At + 1) of
        nomatch -> At;
        Later -> last_binary(S, P, Last, Later)
    end.

match_list([C | Cs] = S, [C | _] = P, Last, Front) ->
    case list_match(S, P, Last) of
        {true, After} -> {lists:reverse(Front), S, After};
        false -> match_list(Cs, P, Last, [C | Front])
    end;
match_list([C | Cs], P, Last, Front) -> match_list(Cs, P, Last, [C | Front]);
match_list([], _, _, _) -> nomatch.

last_list([_ | Cs] = S, P, Last, I, Found, Whole) ->
    case list_match(S, P, Last) of
        {true, After} -> last_list(Cs, P, Last, I + 1, {I, S, After}, Whole);
        false -> last_list(Cs, P, Last, I + 1, Found, Whole)
    end;
last_list([], _, _, _, {I, Match, After}, Whole) -> {lists:sublist(Whole, I), Match, After};
last_list([], _, _, _, nomatch, _) -> nomatch.

list_match(S, [C | P], Last) when hd(S) =:= C ->
    case prefix_1(tl(S), P) of
        nomatch -> false;
        After ->
            case whole(Last, After) of
                true -> {true, After};
                false -> false
            end
    end;
list_match(_, _, _) -> false.

replace(S, Pattern, Replacement) -> lists:join(Replacement, split(S, Pattern)).

replace(S, Pattern, Replacement, Where) -> lists:join(Replacement, split(S, Pattern, Where)).

find(S, Pattern) -> find(S, Pattern, leading).

%% The string from the first (last) place where the pattern stands.
-spec find(unicode:chardata(), unicode:chardata(), leading | trailing) -> unicode:chardata() | nomatch.
find(S, "", _) -> S;
find(S, <<>>, _) -> S;
find(S, Pattern, Direction) when Direction =:= leading; Direction =:= trailing ->
    Chars = unicode:characters_to_list(Pattern),
    if
        is_list(S) -> found_in(chars(S), pattern(S, Chars), Direction);
        is_binary(S) -> found_in(S, {unicode:characters_to_binary(Chars), lists:last(Chars)}, Direction);
        true ->
            _ = unicode:characters_to_binary(Chars),
            error({badmatch, S})
    end.

found_in(S, Sought, Direction) ->
    case search(S, Sought, Direction) of
        {_, Match, _} -> Match;
        nomatch -> nomatch
    end.

%%% Numbers at the beginning of a string

-spec to_integer(unicode:chardata()) -> {integer(), unicode:chardata()} | {error, no_integer | badarg}.
to_integer(S) -> erlet_string:to_number(S, "+-0123456789", fun string:list_to_integer/1, no_integer).

-spec to_float(unicode:chardata()) -> {float(), unicode:chardata()} | {error, no_float | badarg}.
to_float(S) -> erlet_string:to_number(S, "+-0123456789eE.,", fun string:list_to_float/1, no_float).

%%% The older functions, on flat lists: see erlet_string

%% How alike two strings are, from 0.0 to 1.0 (Jaro).
jaro_similarity(A, B) -> erlet_string:jaro_similarity(to_graphemes(A), to_graphemes(B)).

len(S) -> erlang:length(S).
concat(A, B) -> A ++ B.
chr(S, C) -> erlet_string:chr(S, C).
rchr(S, C) -> erlet_string:rchr(S, C).
str(S, Sub) -> erlet_string:str(S, Sub).
rstr(S, Sub) -> erlet_string:rstr(S, Sub).
span(S, Set) -> erlet_string:span(S, Set).
cspan(S, Set) -> erlet_string:cspan(S, Set).
substr(S, Start) -> erlet_string:substr(S, Start).
substr(S, Start, Len) -> erlet_string:substr(S, Start, Len).
tokens(S, Set) ->
    case Set of
        [_ | _] -> erlet_string:tokens(S, Set);
        [] ->
            case S of
                [_ | _] -> [S];
                [] -> []
            end
    end.
join(Strings, Separator) -> erlet_string:join(Strings, Separator).
chars(C, N) -> erlet_string:chars(C, N, []).
chars(C, N, Tail) -> erlet_string:chars(C, N, Tail).
copies(S, N) -> erlet_string:copies(S, N).
words(S) -> erlet_string:words(S, $\s).
words(S, C) -> erlet_string:words(S, C).
sub_word(S, N) -> erlet_string:sub_word(S, N, $\s).
sub_word(S, N, C) -> erlet_string:sub_word(S, N, C).
strip(S) -> erlet_string:strip(S, both).
strip(S, Direction) -> erlet_string:strip(S, Direction).
strip(S, Direction, C) -> erlet_string:strip(S, Direction, C).
left(S, N) when is_integer(N) -> erlet_string:left(S, N, $\s).
left(S, N, C) -> erlet_string:left(S, N, C).
right(S, N) when is_integer(N) -> erlet_string:right(S, N, $\s).
right(S, N, C) -> erlet_string:right(S, N, C).
centre(S, N) when is_integer(N) -> erlet_string:centre(S, N, $\s).
centre(S, N, C) -> erlet_string:centre(S, N, C).
sub_string(S, Start) -> erlet_string:substr(S, Start).
sub_string(S, Start, Stop) -> erlet_string:substr(S, Start, Stop - Start + 1).
to_lower(S) -> erlet_string:to_lower(S).
to_upper(S) -> erlet_string:to_upper(S).

%% The older functions of `string`: strings as flat lists of Latin-1 characters, positions counted from 1.
-module(erlet_string).

-erlet_part_of(string).

-export([chr/2, rchr/2, str/2, rstr/2, span/2, cspan/2, substr/2, substr/3, tokens/2, join/2, chars/3, copies/2,
         words/2, sub_word/3, strip/2, strip/3, left/3, right/3, centre/3, to_lower/1, to_upper/1, jaro_similarity/2]).
-export([list_to_integer/1, list_to_float/1, to_number/4]).

-compile({no_auto_import, [list_to_integer/1, list_to_float/1]}).

%%% Searching: 0 is "not found"

chr(S, C) when is_integer(C) -> chr(S, C, 1).

chr([C | _], C, I) -> I;
chr([_ | Cs], C, I) -> chr(Cs, C, I + 1);
chr([], _, _) -> 0.

rchr(S, C) when is_integer(C) -> rchr(S, C, 1, 0).

rchr([C | Cs], C, I, _) -> rchr(Cs, C, I + 1, I);
rchr([_ | Cs], C, I, Last) -> rchr(Cs, C, I + 1, Last);
rchr([], _, _, Last) -> Last.

%% An empty string is found nowhere.
str(S, Sub) when is_list(Sub) -> str(S, Sub, 1).

str([], _, _) -> 0;
str([_ | Cs] = S, Sub, I) ->
    case Sub =/= [] andalso l_prefix(Sub, S) of
        true -> I;
        false -> str(Cs, Sub, I + 1)
    end.

rstr(S, Sub) when is_list(Sub) -> rstr(S, Sub, 1, 0).

rstr([], _, _, Last) -> Last;
rstr([_ | Cs] = S, Sub, I, Last) ->
    case Sub =/= [] andalso l_prefix(Sub, S) of
        true -> rstr(Cs, Sub, I + 1, I);
        false -> rstr(Cs, Sub, I + 1, Last)
    end.

l_prefix([C | Prefix], [C | S]) -> l_prefix(Prefix, S);
l_prefix([], S) when is_list(S) -> true;
l_prefix([_ | _], S) when is_list(S) -> false.

%% How many characters at the beginning are (are not) in the set.
span(S, Set) when is_list(Set) -> span(S, Set, 0).

span([C | Cs], Set, N) ->
    case lists:member(C, Set) of
        true -> span(Cs, Set, N + 1);
        false -> N
    end;
span([], _, N) -> N.

cspan(S, Set) when is_list(Set) -> cspan(S, Set, 0).

cspan([C | Cs], Set, N) ->
    case lists:member(C, Set) of
        true -> N;
        false -> cspan(Cs, Set, N + 1)
    end;
cspan([], _, N) -> N.

%%% Parts

substr(S, 1) when is_list(S) -> S;
substr(S, Start) when is_integer(Start), Start > 1 -> substr2(S, Start).

substr2(S, 1) when is_list(S) -> S;
substr2([_ | Cs], Start) -> substr2(Cs, Start - 1).

substr(S, Start, Len) when is_integer(Start), Start > 0, is_integer(Len), Len >= 0 ->
    lists:sublist(substr2(S, Start), Len).

%% The parts between characters of the set; none of them is empty.
tokens(S, Set) ->
    case erlet_chars:tokens(S, Set) of
        false -> tokens_multiple_1(lists:reverse(S), Set, []);
        Tokens -> Tokens
    end.

%% From the end on, so that nothing has to be turned round again.
tokens_multiple_1([C | S], Set, Tokens) ->
    case lists:member(C, Set) of
        true -> tokens_multiple_1(S, Set, Tokens);
        false -> tokens_multiple_2(S, Set, Tokens, [C])
    end;
tokens_multiple_1([], _, Tokens) -> Tokens.

tokens_multiple_2([C | S], Set, Tokens, Token) ->
    case lists:member(C, Set) of
        true -> tokens_multiple_1(S, Set, [Token | Tokens]);
        false -> tokens_multiple_2(S, Set, Tokens, [C | Token])
    end;
tokens_multiple_2([], _, Tokens, Token) -> [Token | Tokens].

join([], Separator) when is_list(Separator) -> [];
join([S | Strings], Separator) -> S ++ lists:append([Separator ++ T || T <- Strings]).

chars(C, N, Tail) when N > 0 -> chars(C, N - 1, [C | Tail]);
chars(C, 0, Tail) when is_integer(C) -> Tail.

copies(S, N) when is_list(S), is_integer(N), N >= 0 -> copies(S, N, []).

copies(_, 0, Copies) -> Copies;
copies(S, N, Copies) -> copies(S, N - 1, S ++ Copies).

%% The separators between words, and one: so even an empty string has a word.
words(S, C) when is_integer(C) -> count_words(strip(S, both, C), C, 1).

count_words([C | Cs], C, N) -> count_words(strip(Cs, left, C), C, N + 1);
count_words([_ | Cs], C, N) -> count_words(Cs, C, N);
count_words([], _, N) -> N.

sub_word(S, N, C) when is_integer(N), is_integer(C) ->
    case words(S, C) of
        Words when Words < N -> [];
        _ -> s_word(strip(S, left, C), N, C, 1, [])
    end.

%% I is the number of the word that S is in.
s_word([], _, _, _, Word) -> lists:reverse(Word);
s_word([C | _], N, C, N, Word) -> lists:reverse(Word);
s_word([X | S], N, C, N, Word) -> s_word(S, N, C, N, [X | Word]);
s_word([C | S], N, C, I, Word) when I < N -> s_word(strip(S, left, C), N, C, I + 1, Word);
s_word([_ | S], N, C, I, Word) when I < N -> s_word(S, N, C, I, Word).

%%% Fields

strip(S, left) -> strip_left(S, $\s);
strip(S, right) -> strip_right(S, $\s);
strip(S, both) -> strip_right(strip_left(S, $\s), $\s).

strip(S, left, C) -> strip_left(S, C);
strip(S, right, C) -> strip_right(S, C);
strip(S, both, C) -> strip_right(strip_left(S, C), C).

strip_left([C | Cs], C) -> strip_left(Cs, C);
strip_left([_ | _] = S, C) when is_integer(C) -> S;
strip_left([], C) when is_integer(C) -> [].

strip_right([C | Cs], C) ->
    case strip_right(Cs, C) of
        [] -> [];
        Rest -> [C | Rest]
    end;
strip_right([X | Cs], C) -> [X | strip_right(Cs, C)];
strip_right([], C) when is_integer(C) -> [].

left(S, N, C) when is_integer(C) ->
    case length(S) of
        Len when Len > N -> substr(S, 1, N);
        Len -> S ++ chars(C, N - Len, [])
    end.

right(S, N, C) when is_integer(C) ->
    case length(S) of
        Len when Len > N -> substr(S, 1 + Len - N);
        Len -> chars(C, N - Len, S)
    end.

centre(S, 0, C) when is_list(S), is_integer(C) -> [];
centre(S, N, C) when is_integer(C) ->
    case length(S) of
        Len when Len > N -> substr(S, (Len - N) div 2 + 1, N);
        Len ->
            Left = (N - Len) div 2,
            chars(C, Left, S ++ chars(C, N - Len - Left, []))
    end.

%%% Case: of a string or a character, Latin-1

to_lower(S) when is_list(S) ->
    case erlet_chars:lower(S) of
        false -> [lower(C) || C <- S];
        Lower -> Lower
    end;
to_lower(C) when is_integer(C) -> lower(C).

to_upper(S) when is_list(S) ->
    case erlet_chars:upper(S) of
        false -> [upper(C) || C <- S];
        Upper -> Upper
    end;
to_upper(C) when is_integer(C) -> upper(C).

lower(C) when is_integer(C), C >= $A, C =< $Z -> C + 32;
lower(C) when is_integer(C), C >= 16#C0, C =< 16#DE, C =/= 16#D7 -> C + 32;
lower(C) -> C.

upper(C) when is_integer(C), C >= $a, C =< $z -> C - 32;
upper(C) when is_integer(C), C >= 16#E0, C =< 16#FE, C =/= 16#F7 -> C - 32;
upper(C) -> C.

%%% Likeness

%% Clusters match if they are equal and not further apart than half the longer string; out of order ones count half.
jaro_similarity([], []) -> 1.0;
jaro_similarity(A, B) ->
    Reach = max(0, max(length(A), length(B)) div 2 - 1),
    Indexed = lists:enumerate(B),
    {MatchedA, Used} = jaro_matches(lists:enumerate(A), Indexed, Reach, [], []),
    case length(MatchedA) of
        0 -> 0.0;
        M ->
            MatchedB = [C || {_, C} <- lists:keysort(1, Used)],
            Moved = length([x || {X, Y} <- lists:zip(MatchedA, MatchedB), X =/= Y]) div 2,
            (M / length(A) + M / length(B) + (M - Moved) / M) / 3
    end.

jaro_matches([{I, C} | As], Bs, Reach, Matched, Used) ->
    case lists:search(fun({J, D}) -> C =:= D andalso abs(I - J) =< Reach end, Bs) of
        {value, Match} -> jaro_matches(As, lists:delete(Match, Bs), Reach, [C | Matched], [Match | Used]);
        false -> jaro_matches(As, Bs, Reach, Matched, Used)
    end;
jaro_matches([], _, _, Matched, Used) -> {lists:reverse(Matched), Used}.

%%% Numbers at the beginning of any string, by a parser of flat lists

to_number(S, Set, Parse, Error) ->
    try
        {Head, Tail} = string:take(S, Set),
        case string:is_empty(Head) of
            true -> {error, Error};
            false ->
                case Parse(unicode:characters_to_list(Head)) of
                    {error, _} = NoNumber -> NoNumber;
                    {Number, Rest} when is_binary(S) -> {Number, <<(list_to_binary(Rest))/binary, Tail/binary>>};
                    {Number, ""} -> {Number, Tail};
                    {Number, Rest} when is_list(Tail) -> {Number, Rest ++ Tail};
                    {Number, Rest} -> {Number, [Rest | Tail]}
                end
        end
    catch
        _:_ -> {error, badarg}
    end.

%%% Numbers at the beginning: behind the natives of `string` of these names, so that they are there for any module of that name

list_to_integer([C | Cs]) when C =:= $+; C =:= $- ->
    case {digits(Cs), C} of
        {{"", _}, _} -> {error, no_integer};
        {{Digits, Rest}, $-} -> {-erlang:list_to_integer(Digits), Rest};
        {{Digits, Rest}, $+} -> {erlang:list_to_integer(Digits), Rest}
    end;
list_to_integer(Cs) when is_list(Cs) ->
    case digits(Cs) of
        {"", _} -> {error, no_integer};
        {Digits, Rest} -> {erlang:list_to_integer(Digits), Rest}
    end;
list_to_integer(_) -> {error, not_a_list}.

digits([C | Cs]) when C >= $0, C =< $9 ->
    {Digits, Rest} = digits(Cs),
    {[C | Digits], Rest};
digits(Rest) -> {"", Rest}.

%% The point may be a comma.
list_to_float(Cs) when is_list(Cs) ->
    {Sign, Cs1} = sign(Cs),
    case digits(Cs1) of
        {[_ | _] = Whole, [Point | Cs2]} when Point =:= $.; Point =:= $, ->
            case digits(Cs2) of
                {"", _} -> {error, no_float};
                {Decimals, Cs3} ->
                    {Exponent, Rest} = exponent(Cs3),
                    try {erlang:list_to_float(Sign ++ Whole ++ "." ++ Decimals ++ Exponent), Rest}
                    catch error:badarg -> {error, no_float}
                    end
            end;
        _ -> {error, no_float}
    end;
list_to_float(_) -> {error, not_a_list}.

sign([$- | Cs]) -> {"-", Cs};
sign([$+ | Cs]) -> {"", Cs};
sign(Cs) -> {"", Cs}.

exponent([C | Cs] = All) when C =:= $e; C =:= $E ->
    {Sign, Cs1} = sign(Cs),
    case digits(Cs1) of
        {"", _} -> {"", All};
        {Digits, Rest} -> {"e" ++ Sign ++ Digits, Rest}
    end;
exponent(Cs) -> {"", Cs}.

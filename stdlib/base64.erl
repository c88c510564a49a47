%% Base 64: bytes as text, three as four characters.
-module(base64).

-export([encode/1, encode/2, encode_to_string/1, encode_to_string/2, decode/1, decode/2, decode_to_string/1,
         decode_to_string/2, mime_decode/1, mime_decode/2, mime_decode_to_string/1, mime_decode_to_string/2]).

%% Options: `mode => standard | urlsafe`, `padding => boolean()`.
encode(Data) -> encode(Data, #{}).

-spec encode(iodata(), map()) -> binary().
encode(Data, Options) when is_binary(Data); is_list(Data) ->
    list_to_binary(encode_bytes(binary_to_list(iolist_to_binary(Data)), alphabet(Options), maps:get(padding, Options, true))).

encode_to_string(Data) -> encode_to_string(Data, #{}).

encode_to_string(Data, Options) -> binary_to_list(encode(Data, Options)).

alphabet(Options) ->
    case maps:get(mode, Options, standard) of
        standard -> {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"};
        urlsafe -> {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"}
    end.

encode_bytes(Bytes, {Alphabet}, Padding) -> encode_1(Bytes, list_to_tuple(Alphabet), Padding).

encode_1([A, B, C | Bytes], T, Padding) ->
    N = (A bsl 16) bor (B bsl 8) bor C,
    [element((N bsr 18) + 1, T), element(((N bsr 12) band 63) + 1, T), element(((N bsr 6) band 63) + 1, T),
     element((N band 63) + 1, T) | encode_1(Bytes, T, Padding)];
encode_1([A, B], T, Padding) ->
    N = (A bsl 10) bor (B bsl 2),
    [element((N bsr 12) + 1, T), element(((N bsr 6) band 63) + 1, T), element((N band 63) + 1, T) | pad("=", Padding)];
encode_1([A], T, Padding) ->
    N = A bsl 4,
    [element((N bsr 6) + 1, T), element((N band 63) + 1, T) | pad("==", Padding)];
encode_1([], _, _) -> [].

pad(Text, true) -> Text;
pad(_, false) -> [].

decode(Text) -> decode(Text, #{}).

%% White space is skipped; any other character that does not belong is an error.
-spec decode(iodata(), map()) -> binary().
decode(Text, Options) -> decode_chars(binary_to_list(iolist_to_binary(Text)), Options, strict).

decode_to_string(Text) -> decode_to_string(Text, #{}).

decode_to_string(Text, Options) -> binary_to_list(decode(Text, Options)).

mime_decode(Text) -> mime_decode(Text, #{}).

%% Whatever does not belong is skipped.
mime_decode(Text, Options) -> decode_chars(binary_to_list(iolist_to_binary(Text)), Options, lenient).

mime_decode_to_string(Text) -> mime_decode_to_string(Text, #{}).

mime_decode_to_string(Text, Options) -> binary_to_list(mime_decode(Text, Options)).

decode_chars(Chars, Options, Strictness) ->
    Mode = maps:get(mode, Options, standard),
    Padding = maps:get(padding, Options, true),
    Values = values(Chars, Mode, Strictness),
    Padded = case Strictness of strict -> Values; lenient -> padded(lists:reverse(Values), []) end,
    list_to_binary(decode_1(Padded, Padding)).

%% Padding counts at the end alone, where a little stands for all that is needed.
padded([pad | Reversed], _) -> padded(Reversed, [pad, pad]);
padded(Reversed, Pads) ->
    Values = [Value || Value <- lists:reverse(Reversed), Value =/= pad],
    Values ++ lists:sublist(Pads, (4 - length(Values) rem 4) rem 4).

%% The values of the characters; padding is the atom `pad`.
values([C | Cs], Mode, Strictness) ->
    case value(C, Mode) of
        space -> values(Cs, Mode, Strictness);
        bad when Strictness =:= strict -> error({badarg, C});
        bad -> values(Cs, Mode, Strictness);
        Value -> [Value | values(Cs, Mode, Strictness)]
    end;
values([], _, _) -> [].

value(C, _) when C >= $A, C =< $Z -> C - $A;
value(C, _) when C >= $a, C =< $z -> C - $a + 26;
value(C, _) when C >= $0, C =< $9 -> C - $0 + 52;
value($+, standard) -> 62;
value($/, standard) -> 63;
value($-, urlsafe) -> 62;
value($_, urlsafe) -> 63;
value($=, _) -> pad;
value(C, _) when C =:= $\s; C =:= $\t; C =:= $\n; C =:= $\r -> space;
value(_, _) -> bad.

decode_1([A, B, C, D | Rest], Padding) when is_integer(A), is_integer(B), is_integer(C), is_integer(D) ->
    N = (A bsl 18) bor (B bsl 12) bor (C bsl 6) bor D,
    [N bsr 16, (N bsr 8) band 255, N band 255 | decode_1(Rest, Padding)];
decode_1([], _) -> [];
decode_1([A, B, C, pad], _) when is_integer(A), is_integer(B), is_integer(C) -> two(A, B, C);
decode_1([A, B, pad, pad], _) when is_integer(A), is_integer(B) -> one(A, B);
decode_1([A, B, C], false) when is_integer(A), is_integer(B), is_integer(C) -> two(A, B, C);
decode_1([A, B], false) when is_integer(A), is_integer(B) -> one(A, B);
decode_1(_, _) -> error(missing_padding).

two(A, B, C) -> [(A bsl 2) bor (B bsr 4), ((B band 15) bsl 4) bor (C bsr 2)].

one(A, B) -> [(A bsl 2) bor (B bsr 4)].

%% What conversions that fail leave, for the natives of `unicode`: an encoding that Erlang/OTP converts from or to without natives of its own
%% is taken part by part, and the shape of the rest shows it. A character that the output has no room for stands alone in a list, what is
%% left of a binary stands where the binary stood, and a binary is taken in pieces.
-module(erlet_transcode).

-erlet_part_of(unicode).

-export([characters_to_binary/2, characters_to_binary/3, characters_to_list/2]).

-define(PIECE, 8192).
-define(INFO, [{error_info, #{module => erl_stdlib_errors}}]).

characters_to_list(Data, In) ->
    try convert(Data, In, unicode) of
        Text when is_binary(Text) -> unicode:characters_to_list(Text);
        {Failure, Done, Rest} -> {Failure, unicode:characters_to_list(Done), Rest}
    catch
        error:badarg -> error(badarg, [Data, In], ?INFO)
    end.

characters_to_binary(Data, In) ->
    try convert(Data, In, unicode)
    catch
        error:badarg -> error(badarg, [Data, In], ?INFO)
    end.

characters_to_binary(Data, In, Out) ->
    try convert(Data, In, Out)
    catch
        error:badarg -> error(badarg, [Data, In, Out], ?INFO)
    end.

convert(Data, In, Out) ->
    case walk(Data, {encoding(In), encoding(Out)}, none, <<>>) of
        {ok, none, Done} -> Done;
        {ok, {Bytes, _}, Done} -> {incomplete, Done, Bytes};
        {error, _, _} = Error -> Error
    end.

encoding(utf8) -> unicode;
encoding(utf16) -> {utf16, big};
encoding(utf32) -> {utf32, big};
encoding(Encoding) -> Encoding.

%% Converts as far as it goes. A binary may end within a character: how it begins, and how many bytes are missing, is Part.
walk([], _, Part, Done) -> {ok, Part, Done};
walk([Char | _] = Rest, _, {Begun, _}, Done) when is_integer(Char) -> {error, Done, [Begun | Rest]};
walk([Char | Rest], Way, none, Done) when is_integer(Char) ->
    case encode(Char, Way) of
        error -> {error, Done, [[Char] | Rest]};
        Bytes -> walk(Rest, Way, none, <<Done/binary, Bytes/binary>>)
    end;
walk([Bytes | Rest], Way, {Begun, Missing}, Done) when is_binary(Bytes) ->
    case Bytes of
        <<End:Missing/binary, More/binary>> -> walk([<<Begun/binary, End/binary>>, More | Rest], Way, none, Done);
        _ -> walk(Rest, Way, {<<Begun/binary, Bytes/binary>>, Missing - byte_size(Bytes)}, Done)
    end;
walk([<<Piece:?PIECE/binary, More/binary>> | Rest], Way, none, Done) when More =/= <<>> ->
    walk([Piece, More | Rest], Way, none, Done);
walk([First | Rest], Way, Part, Done) ->
    case walk(First, Way, Part, Done) of
        {ok, NewPart, NewDone} -> walk(Rest, Way, NewPart, NewDone);
        {error, NewDone, Left} -> {error, NewDone, [Left | Rest]}
    end;
walk(Bytes, Way, {Begun, Missing}, Done) when is_binary(Bytes), byte_size(Bytes) >= Missing ->
    walk([Begun, Bytes], Way, none, Done);
walk(Bytes, _, {Begun, Missing}, Done) when is_binary(Bytes) ->
    {ok, {<<Begun/binary, Bytes/binary>>, Missing - byte_size(Bytes)}, Done};
walk(<<Piece:?PIECE/binary, More/binary>>, Way, none, Done) when More =/= <<>> -> walk([Piece, More], Way, none, Done);
walk(Bytes, Way, none, Done) when is_binary(Bytes) -> binary(Bytes, Way, Done);
walk(_, _, _, _) -> error(badarg).

binary(<<>>, _, Done) -> {ok, none, Done};
binary(Bytes, {In, Out} = Way, Done) ->
    case first(In, Bytes) of
        {Char, Rest} when Out =/= latin1; Char =< 255 ->
            Encoded = encode(Char, Way),
            binary(Rest, Way, <<Done/binary, Encoded/binary>>);
        {_, _} -> {error, Done, Bytes};
        none ->
            case missing(In, Bytes) of
                0 -> {error, Done, Bytes};
                Missing -> {ok, {Bytes, Missing}, Done}
            end
    end.

first(latin1, <<Char, Rest/binary>>) -> {Char, Rest};
first(unicode, <<Char/utf8, Rest/binary>>) -> {Char, Rest};
first({utf16, big}, <<Char/utf16, Rest/binary>>) -> {Char, Rest};
first({utf16, little}, <<Char/utf16-little, Rest/binary>>) -> {Char, Rest};
first({utf32, big}, <<Char/utf32, Rest/binary>>) -> {Char, Rest};
first({utf32, little}, <<Char/utf32-little, Rest/binary>>) -> {Char, Rest};
first(_, _) -> none.

encode(Char, {_, latin1}) when Char < 0 -> error(badarg);
encode(Char, {In, Out}) when Char > 255, In =:= latin1; Char > 255, Out =:= latin1 -> error;
encode(Char, {_, Out}) when Char >= 0, Char < 16#D800; Char > 16#DFFF, Char =< 16#10FFFF ->
    case Out of
        latin1 -> <<Char>>;
        unicode -> <<Char/utf8>>;
        {utf16, big} -> <<Char/utf16>>;
        {utf16, little} -> <<Char/utf16-little>>;
        {utf32, big} -> <<Char/utf32>>;
        {utf32, little} -> <<Char/utf32-little>>
    end;
encode(_, _) -> error.

%% How many bytes a character lacks of which these are all there is; 0 if none begins so.
missing(unicode, <<2#110:3, _:5>>) -> 1;
missing(unicode, <<2#1110:4, _:4, More/binary>>) -> continued(2, More);
missing(unicode, <<2#11110:5, _:3, More/binary>>) -> continued(3, More);
missing({utf16, big}, <<2#110110:6, _:2>>) -> 3;
missing({utf16, big}, <<2#110110:6, _:10>>) -> 2;
missing({utf16, big}, <<2#110110:6, _:10, 2#110111:6, _:2>>) -> 1;
missing({utf16, big}, <<High>>) when High < 16#D8; High > 16#DF -> 1;
missing({utf16, little}, <<_>>) -> 1;
missing({utf16, little}, <<_, 2#110110:6, _:2>>) -> 2;
missing({utf16, little}, <<_, 2#110110:6, _:2, _>>) -> 1;
missing({utf32, big}, <<0>>) -> 3;
missing({utf32, big}, <<0, Plane>>) when Plane =< 16 -> 2;
missing({utf32, big}, <<0, Plane, High>>) when Plane > 0, Plane =< 16; Plane =:= 0, (High < 16#D8 orelse High > 16#DF) -> 1;
missing({utf32, little}, <<_>>) -> 3;
missing({utf32, little}, <<_, _>>) -> 2;
missing({utf32, little}, <<Low, 16#FF, 0>>) when Low >= 16#FE -> 0;
missing({utf32, little}, <<_, High, Plane>>) when Plane > 0, Plane =< 16; Plane =:= 0, (High < 16#D8 orelse High > 16#DF) -> 1;
missing(_, _) -> 0.

%% As many bytes of `10xxxxxx` as there are, of so many at the most.
continued(Left, <<>>) -> Left;
continued(Left, <<2#10:2, _:6, More/binary>>) when Left > 1 -> continued(Left - 1, More);
continued(_, _) -> 0.

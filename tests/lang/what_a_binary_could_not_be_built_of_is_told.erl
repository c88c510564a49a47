%% The error information of a construction that fails: which of the segments written, of what type, why, and the value; and its text.
-module(what_a_binary_could_not_be_built_of_is_told).
-export([main/0]).

main() ->
    All = [a, 1.5, -1, <<1, 2, 3>>, <<1:3>>, {x}, 1 bsl 70, 1 bsl 1100, list_to_binary(lists:seq(1, 60)), 2, 64, 55296],
    [attempt(F, V) || F <- constructions(), V <- All],
    ok.

attempt(F, V) ->
    try F(V) of
        _ -> ok
    catch error:Reason:Stack ->
        [{_, _, _, Info} | _] = Stack,
        {error_info, #{cause := {Segment, Type, What, _}, module := erl_erts_errors, function := format_bs_fail}} = lists:keyfind(error_info, 1, Info),
        Text = lists:flatten(erl_error:format_exception(error, Reason, [hd(Stack)])),
        [First | _] = string:split(Text, "\n"),
        {_, [_ | _] = Last} = lists:splitwith(fun(C) -> C =/= $* end, Text),
        io:format("~p ~p ~p ~p ~ts ~ts~n", [Reason, Segment, Type, What, First, string:trim(Last)])
    end.

constructions() ->
    [fun(V) -> <<V>> end,
     fun(V) -> <<1, "abc", V:16/little, 2>> end,
     fun(V) -> <<(id(<<1>>))/binary, 3:7, 4:9, V/float, 2>> end,
     fun(V) -> <<0, (id(1.0)):V/float>> end,
     fun(V) -> <<1:V>> end,
     fun(V) -> <<"x", V/binary>> end,
     fun(V) -> <<V/bitstring, V:4/binary>> end,
     fun(V) -> <<(id(<<1, 2>>)):V/binary>> end,
     fun(V) -> <<V/binary-unit:5>> end,
     fun(V) -> <<1, V/utf8>> end,
     fun(V) -> <<V/utf16, 1>> end,
     fun(V) -> <<V/utf32-little>> end,
     fun(V) -> << <<"a", V>> || _ <- [1] >> end,
     fun(V) -> << (id(V)) || _ <- [1] >> end].

id(X) -> X.

%% expect: badarg 1 integer type exception error: construction of binary failed *** segment 1 of type 'integer': expected an integer but got: a
%% expect: badarg 1 integer type exception error: construction of binary failed *** segment 1 of type 'integer': expected an integer but got: 1.5
%% expect: badarg 1 integer type exception error: construction of binary failed *** segment 1 of type 'integer': expected an integer but got: <<1,2,3>>
%% expect: badarg 1 integer type exception error: construction of binary failed *** segment 1 of type 'integer': expected an integer but got: <<1:3>>
%% expect: badarg 1 integer type exception error: construction of binary failed *** segment 1 of type 'integer': expected an integer but got: {x}
%% expect: badarg 1 integer type exception error: construction of binary failed *** segment 1 of type 'integer': expected an integer but got: <<1,2,3,4,5,6,7,8...,59,60>>
%% expect: badarg 3 integer type exception error: construction of binary failed *** segment 3 of type 'integer': expected an integer but got: a
%% expect: badarg 3 integer type exception error: construction of binary failed *** segment 3 of type 'integer': expected an integer but got: 1.5
%% expect: badarg 3 integer type exception error: construction of binary failed *** segment 3 of type 'integer': expected an integer but got: <<1,2,3>>
%% expect: badarg 3 integer type exception error: construction of binary failed *** segment 3 of type 'integer': expected an integer but got: <<1:3>>
%% expect: badarg 3 integer type exception error: construction of binary failed *** segment 3 of type 'integer': expected an integer but got: {x}
%% expect: badarg 3 integer type exception error: construction of binary failed *** segment 3 of type 'integer': expected an integer but got: <<1,2,3,4,5,6,7,8...,59,60>>
%% expect: badarg 4 float type exception error: construction of binary failed *** segment 4 of type 'float': expected a float or an integer but got: a
%% expect: badarg 4 float type exception error: construction of binary failed *** segment 4 of type 'float': expected a float or an integer but got: <<1,2,3>>
%% expect: badarg 4 float type exception error: construction of binary failed *** segment 4 of type 'float': expected a float or an integer but got: <<1:3>>
%% expect: badarg 4 float type exception error: construction of binary failed *** segment 4 of type 'float': expected a float or an integer but got: {x}
%% expect: badarg 4 float no_float exception error: construction of binary failed *** segment 4 of type 'float': the value 135829852904...552744165376 is outside the range expressible as a float
%% expect: badarg 4 float type exception error: construction of binary failed *** segment 4 of type 'float': expected a float or an integer but got: <<1,2,3,4,5,6,7,8...,59,60>>
%% expect: badarg 2 float size exception error: construction of binary failed *** segment 2 of type 'float': expected a non-negative integer as size but got: a
%% expect: badarg 2 float size exception error: construction of binary failed *** segment 2 of type 'float': expected a non-negative integer as size but got: 1.5
%% expect: badarg 2 float size exception error: construction of binary failed *** segment 2 of type 'float': expected a non-negative integer as size but got: -1
%% expect: badarg 2 float size exception error: construction of binary failed *** segment 2 of type 'float': expected a non-negative integer as size but got: <<1,2,3>>
%% expect: badarg 2 float size exception error: construction of binary failed *** segment 2 of type 'float': expected a non-negative integer as size but got: <<1:3>>
%% expect: badarg 2 float size exception error: construction of binary failed *** segment 2 of type 'float': expected a non-negative integer as size but got: {x}
%% expect: system_limit 2 float size exception error: construction of binary failed *** segment 2 of type 'float': the size 1180591620717411303424 is too large
%% expect: system_limit 2 float size exception error: construction of binary failed *** segment 2 of type 'float': the size 13582985290493858492773514283592667786034938469317445497485196697278130927542418487205392083207560592298578262953847383475038725543234929971155548342800628721885763499406390331782864144164680730766837160526223176512798435772129956553355286032203080380775759732320198985094884004069116123084147875437183658467465148948790552744165376 is too large
%% expect: badarg 2 float size exception error: construction of binary failed *** segment 2 of type 'float': expected a non-negative integer as size but got: <<1,2,3,4,5,6,7,8...,59,60>>
%% expect: badarg 2 float invalid exception error: construction of binary failed *** segment 2 of type 'float': expected one of the supported sizes 16, 32, or 64 but got: 2
%% expect: badarg 2 float invalid exception error: construction of binary failed *** segment 2 of type 'float': expected one of the supported sizes 16, 32, or 64 but got: 55296
%% expect: badarg 1 integer size exception error: construction of binary failed *** segment 1 of type 'integer': expected a non-negative integer as size but got: a
%% expect: badarg 1 integer size exception error: construction of binary failed *** segment 1 of type 'integer': expected a non-negative integer as size but got: 1.5
%% expect: badarg 1 integer size exception error: construction of binary failed *** segment 1 of type 'integer': expected a non-negative integer as size but got: -1
%% expect: badarg 1 integer size exception error: construction of binary failed *** segment 1 of type 'integer': expected a non-negative integer as size but got: <<1,2,3>>
%% expect: badarg 1 integer size exception error: construction of binary failed *** segment 1 of type 'integer': expected a non-negative integer as size but got: <<1:3>>
%% expect: badarg 1 integer size exception error: construction of binary failed *** segment 1 of type 'integer': expected a non-negative integer as size but got: {x}
%% expect: system_limit 1 integer size exception error: construction of binary failed *** segment 1 of type 'integer': the size 1180591620717411303424 is too large
%% expect: system_limit 1 integer size exception error: construction of binary failed *** segment 1 of type 'integer': the size 13582985290493858492773514283592667786034938469317445497485196697278130927542418487205392083207560592298578262953847383475038725543234929971155548342800628721885763499406390331782864144164680730766837160526223176512798435772129956553355286032203080380775759732320198985094884004069116123084147875437183658467465148948790552744165376 is too large
%% expect: badarg 1 integer size exception error: construction of binary failed *** segment 1 of type 'integer': expected a non-negative integer as size but got: <<1,2,3,4,5,6,7,8...,59,60>>
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: a
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: 1.5
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: -1
%% expect: badarg 2 binary unit exception error: construction of binary failed *** segment 2 of type 'binary': the size of the value <<1:3>> is not a multiple of the unit for the segment
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: {x}
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: 1180591620717411303424
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: 135829852904...552744165376
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: 2
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: 64
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: 55296
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: a
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: 1.5
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: -1
%% expect: badarg 2 binary short exception error: construction of binary failed *** segment 2 of type 'binary': the value <<1,2,3>> is shorter than the size of the segment
%% expect: badarg 2 binary short exception error: construction of binary failed *** segment 2 of type 'binary': the value <<1:3>> is shorter than the size of the segment
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: {x}
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: 1180591620717411303424
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: 135829852904...552744165376
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: 2
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: 64
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: 55296
%% expect: badarg 1 binary size exception error: construction of binary failed *** segment 1 of type 'binary': expected a non-negative integer as size but got: a
%% expect: badarg 1 binary size exception error: construction of binary failed *** segment 1 of type 'binary': expected a non-negative integer as size but got: 1.5
%% expect: badarg 1 binary size exception error: construction of binary failed *** segment 1 of type 'binary': expected a non-negative integer as size but got: -1
%% expect: badarg 1 binary size exception error: construction of binary failed *** segment 1 of type 'binary': expected a non-negative integer as size but got: <<1,2,3>>
%% expect: badarg 1 binary size exception error: construction of binary failed *** segment 1 of type 'binary': expected a non-negative integer as size but got: <<1:3>>
%% expect: badarg 1 binary size exception error: construction of binary failed *** segment 1 of type 'binary': expected a non-negative integer as size but got: {x}
%% expect: system_limit 1 binary size exception error: construction of binary failed *** segment 1 of type 'binary': the size 1180591620717411303424 is too large
%% expect: system_limit 1 binary size exception error: construction of binary failed *** segment 1 of type 'binary': the size 13582985290493858492773514283592667786034938469317445497485196697278130927542418487205392083207560592298578262953847383475038725543234929971155548342800628721885763499406390331782864144164680730766837160526223176512798435772129956553355286032203080380775759732320198985094884004069116123084147875437183658467465148948790552744165376 is too large
%% expect: badarg 1 binary size exception error: construction of binary failed *** segment 1 of type 'binary': expected a non-negative integer as size but got: <<1,2,3,4,5,6,7,8...,59,60>>
%% expect: badarg 1 binary short exception error: construction of binary failed *** segment 1 of type 'binary': the value <<1,2>> is shorter than the size of the segment
%% expect: badarg 1 binary short exception error: construction of binary failed *** segment 1 of type 'binary': the value <<1,2>> is shorter than the size of the segment
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: a
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: 1.5
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: -1
%% expect: badarg 1 binary unit exception error: construction of binary failed *** segment 1 of type 'binary': the size of the value <<1,2,3>> is not a multiple of the unit for the segment
%% expect: badarg 1 binary unit exception error: construction of binary failed *** segment 1 of type 'binary': the size of the value <<1:3>> is not a multiple of the unit for the segment
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: {x}
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: 1180591620717411303424
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: 135829852904...552744165376
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: 2
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: 64
%% expect: badarg 1 binary type exception error: construction of binary failed *** segment 1 of type 'binary': expected a binary but got: 55296
%% expect: badarg 2 utf8 type exception error: construction of binary failed *** segment 2 of type 'utf8': expected a non-negative integer encodable as utf8 but got: a
%% expect: badarg 2 utf8 type exception error: construction of binary failed *** segment 2 of type 'utf8': expected a non-negative integer encodable as utf8 but got: 1.5
%% expect: badarg 2 utf8 type exception error: construction of binary failed *** segment 2 of type 'utf8': expected a non-negative integer encodable as utf8 but got: -1
%% expect: badarg 2 utf8 type exception error: construction of binary failed *** segment 2 of type 'utf8': expected a non-negative integer encodable as utf8 but got: <<1,2,3>>
%% expect: badarg 2 utf8 type exception error: construction of binary failed *** segment 2 of type 'utf8': expected a non-negative integer encodable as utf8 but got: <<1:3>>
%% expect: badarg 2 utf8 type exception error: construction of binary failed *** segment 2 of type 'utf8': expected a non-negative integer encodable as utf8 but got: {x}
%% expect: badarg 2 utf8 type exception error: construction of binary failed *** segment 2 of type 'utf8': expected a non-negative integer encodable as utf8 but got: 1180591620717411303424
%% expect: badarg 2 utf8 type exception error: construction of binary failed *** segment 2 of type 'utf8': expected a non-negative integer encodable as utf8 but got: 135829852904...552744165376
%% expect: badarg 2 utf8 type exception error: construction of binary failed *** segment 2 of type 'utf8': expected a non-negative integer encodable as utf8 but got: <<1,2,3,4,5,6,7,8...,59,60>>
%% expect: badarg 2 utf8 type exception error: construction of binary failed *** segment 2 of type 'utf8': expected a non-negative integer encodable as utf8 but got: 55296
%% expect: badarg 1 utf16 type exception error: construction of binary failed *** segment 1 of type 'utf16': expected a non-negative integer encodable as utf16 but got: a
%% expect: badarg 1 utf16 type exception error: construction of binary failed *** segment 1 of type 'utf16': expected a non-negative integer encodable as utf16 but got: 1.5
%% expect: badarg 1 utf16 type exception error: construction of binary failed *** segment 1 of type 'utf16': expected a non-negative integer encodable as utf16 but got: -1
%% expect: badarg 1 utf16 type exception error: construction of binary failed *** segment 1 of type 'utf16': expected a non-negative integer encodable as utf16 but got: <<1,2,3>>
%% expect: badarg 1 utf16 type exception error: construction of binary failed *** segment 1 of type 'utf16': expected a non-negative integer encodable as utf16 but got: <<1:3>>
%% expect: badarg 1 utf16 type exception error: construction of binary failed *** segment 1 of type 'utf16': expected a non-negative integer encodable as utf16 but got: {x}
%% expect: badarg 1 utf16 type exception error: construction of binary failed *** segment 1 of type 'utf16': expected a non-negative integer encodable as utf16 but got: 1180591620717411303424
%% expect: badarg 1 utf16 type exception error: construction of binary failed *** segment 1 of type 'utf16': expected a non-negative integer encodable as utf16 but got: 135829852904...552744165376
%% expect: badarg 1 utf16 type exception error: construction of binary failed *** segment 1 of type 'utf16': expected a non-negative integer encodable as utf16 but got: <<1,2,3,4,5,6,7,8...,59,60>>
%% expect: badarg 1 utf16 type exception error: construction of binary failed *** segment 1 of type 'utf16': expected a non-negative integer encodable as utf16 but got: 55296
%% expect: badarg 1 utf32 type exception error: construction of binary failed *** segment 1 of type 'utf32': expected a non-negative integer encodable as utf32 but got: a
%% expect: badarg 1 utf32 type exception error: construction of binary failed *** segment 1 of type 'utf32': expected a non-negative integer encodable as utf32 but got: 1.5
%% expect: badarg 1 utf32 type exception error: construction of binary failed *** segment 1 of type 'utf32': expected a non-negative integer encodable as utf32 but got: -1
%% expect: badarg 1 utf32 type exception error: construction of binary failed *** segment 1 of type 'utf32': expected a non-negative integer encodable as utf32 but got: <<1,2,3>>
%% expect: badarg 1 utf32 type exception error: construction of binary failed *** segment 1 of type 'utf32': expected a non-negative integer encodable as utf32 but got: <<1:3>>
%% expect: badarg 1 utf32 type exception error: construction of binary failed *** segment 1 of type 'utf32': expected a non-negative integer encodable as utf32 but got: {x}
%% expect: badarg 1 utf32 type exception error: construction of binary failed *** segment 1 of type 'utf32': expected a non-negative integer encodable as utf32 but got: 1180591620717411303424
%% expect: badarg 1 utf32 type exception error: construction of binary failed *** segment 1 of type 'utf32': expected a non-negative integer encodable as utf32 but got: 135829852904...552744165376
%% expect: badarg 1 utf32 type exception error: construction of binary failed *** segment 1 of type 'utf32': expected a non-negative integer encodable as utf32 but got: <<1,2,3,4,5,6,7,8...,59,60>>
%% expect: badarg 1 utf32 type exception error: construction of binary failed *** segment 1 of type 'utf32': expected a non-negative integer encodable as utf32 but got: 55296
%% expect: badarg 3 integer type exception error: construction of binary failed *** segment 3 of type 'integer': expected an integer but got: a
%% expect: badarg 3 integer type exception error: construction of binary failed *** segment 3 of type 'integer': expected an integer but got: 1.5
%% expect: badarg 3 integer type exception error: construction of binary failed *** segment 3 of type 'integer': expected an integer but got: <<1,2,3>>
%% expect: badarg 3 integer type exception error: construction of binary failed *** segment 3 of type 'integer': expected an integer but got: <<1:3>>
%% expect: badarg 3 integer type exception error: construction of binary failed *** segment 3 of type 'integer': expected an integer but got: {x}
%% expect: badarg 3 integer type exception error: construction of binary failed *** segment 3 of type 'integer': expected an integer but got: <<1,2,3,4,5,6,7,8...,59,60>>
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: a
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: 1.5
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: -1
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: {x}
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: 1180591620717411303424
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: 135829852904...552744165376
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: 2
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: 64
%% expect: badarg 2 binary type exception error: construction of binary failed *** segment 2 of type 'binary': expected a binary but got: 55296

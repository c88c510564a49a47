%% utf8, utf16 and utf32 segments, and what they refuse.
-module(utf_segments_match_code_points).
-export([main/0]).

main() ->
    show([f(B) || B <- [<<"a">>, <<16#E9/utf8>>, <<16#20AC/utf8, "x">>, <<16#1F600/utf8>>, <<255>>, <<16#ED, 16#A0, 16#80>>,
                        <<16#C0, 16#80>>, <<16#F4, 16#90, 16#80, 16#80>>, <<16#E2, 16#82>>]]),
    <<X/utf16, Y/utf16-little, Z/utf32>> = <<16#1F600/utf16, 16#20AC/utf16-little, 16#10FFFF/utf32>>,
    show({X, Y, Z}),
    show(<<16#1F600/utf8, "é"/utf8, 16#E9>>),
    show(attempt(fun() -> <<(id(16#D800))/utf8>> end)),
    show(attempt(fun() -> <<(id(16#110000))/utf8>> end)),
    show(attempt(fun() -> <<(id(-1))/utf32>> end)),
    show(case id(<<16#D8, 0, 16#D8, 0>>) of <<C/utf16, _/binary>> -> C; _ -> no end).

f(<<C/utf8, Rest/binary>>) -> {C, Rest};
f(_) -> invalid.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [{97,<<>>},
%% expect:  {233,<<>>},
%% expect:  {8364,<<"x">>},
%% expect:  {128512,<<>>},
%% expect:  invalid,invalid,invalid,invalid,invalid]
%% expect: {128512,8364,1114111}
%% expect: <<240,159,152,128,195,169,233>>
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: no

%% Binary patterns of whole bytes: sizes, types, signs, byte order, tails.
-module(whole_bytes_match_in_binaries).
-export([main/0]).

main() ->
    show([f(B) || B <- [<<>>, <<1>>, <<1, 2>>, <<2, 0, 3, "abc", 9>>, <<3, 255, 254>>, <<4, 1, 0, 0, 0>>, <<5, "hi there">>,
                        <<6, 63, 240, 0, 0, 0, 0, 0, 0>>, <<7, 200>>, <<8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10>>]]).

f(<<>>) -> empty;
f(<<X>>) -> {byte, X};
f(<<2, N:16, S:N/binary, Rest/binary>>) -> {counted, S, Rest};
f(<<3, X:16/signed-big>>) -> {signed, X};
f(<<4, X:32/little-unsigned>>) -> {little, X};
f(<<5, "hi", Rest/bytes>>) -> {text, Rest};
f(<<6, F/float>>) -> {float, F};
f(<<7, X/signed>>) -> {signed_byte, X};
f(<<8, X:72/little, Y>>) -> {wide, X, Y};
f(<<B/binary>>) -> {other, byte_size(B)}.

show(X) -> io:format("~p~n", [X]).

%% expect: [empty,
%% expect:  {byte,1},
%% expect:  {other,2},
%% expect:  {counted,<<"abc">>,<<"\t">>},
%% expect:  {signed,-2},
%% expect:  {little,1},
%% expect:  {text,<<" there">>},
%% expect:  {float,1.0},
%% expect:  {signed_byte,-56},
%% expect:  {wide,166599134359138271745,10}]

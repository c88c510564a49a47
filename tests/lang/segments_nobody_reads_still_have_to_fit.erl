%% Unused segments are passed over, and a pattern fails where one of them does not fit.
-module(segments_nobody_reads_still_have_to_fit).
-export([main/0]).

main() ->
    show([header(B) || B <- [<<4:4, 5:4, 1, 2:16, "ab">>, <<4:4, 5:4, 1, 2:8>>, <<4:4, 5:4>>, <<5:4, 5:4, 1, 2:16>>]]),
    show([sized(N, <<"abcdef">>) || N <- [0, 2, 6, 7, -1, a, 1 bsl 70]]),
    show([parts(B) || B <- [<<"abcdefgh">>, <<"abcdefg">>, <<>>, <<"abcdefgh", 1:1>>]]),
    show([floats(B) || B <- [<<1.5:64/float, 7>>, <<16#7ff0:16, 0:48, 7>>, <<0:63>>]]),
    show([utf(B) || B <- [<<"a", 1>>, <<"\xc3\xa9", 1>>, <<16#ff, 1>>, <<"\xc3">>]]),
    show([two(B) || B <- [<<1, 2, 3>>, <<1, 2>>, <<1>>, <<>>]]),
    show([guarded(B) || B <- [<<1, 9, 9, 5>>, <<1, 9, 9, 4>>, <<1, 9, 5>>]]),
    show([mixed(B) || B <- [<<1:3, 2:13/little, -1:16/signed, 5>>, <<1:3, 2:13/little>>, <<7:3>>]]),
    show([ends(B) || B <- [<<"GET / ", 1, 2>>, <<"GET /">>, <<"PUT / x">>, <<"GET ", 0:4>>]]),
    show([runs(B) || B <- [<<1:4, 2:4, 3:16, 9, 8, 7>>, <<1:4, 2:4, 3:16, 9>>, <<1:4, 3:4, 3:16, 9, 8, 7>>, <<1:4>>, <<1:4, 2:4, 3:16, 9, 8, 7, 1:1>>]]).

header(<<4:4, _Ihl:4, _Tos, Len:16, Rest/binary>>) -> {Len, Rest};
header(<<_:4, Low:4, _/bits>>) -> {low, Low};
header(_) -> none.

sized(N, B) ->
    case B of
        <<_A:N/binary, _B/binary>> -> {fits, N};
        _ -> {no, N}
    end.

parts(<<_:2/binary, _X:3/binary, _:16, _Y:8>>) -> eight;
parts(<<_X:7/binary>>) -> seven;
parts(<<_:64, R/bits>>) -> R;
parts(_) -> none.

floats(<<_F:64/float, X>>) -> X;
floats(<<_:64, X>>) -> {no_float, X};
floats(_) -> none.

utf(<<_C/utf8, X>>) -> X;
utf(<<_, X>>) -> {byte, X};
utf(_) -> none.

two(<<_A, _B, C>>) -> C;
two(<<_A, B>>) -> B;
two(<<A>>) -> A;
two(<<>>) -> none.

guarded(<<A, _, _, B>>) when B > 4 -> {A, B};
guarded(<<_, B, _, _>>) -> B;
guarded(<<_A, _B, C>>) -> C.

mixed(<<A:3, B:13/little, C:16/signed, D>>) -> {A, B, C, D};
mixed(<<A:3, B:13/little>>) -> {A, B};
mixed(<<A:3>>) -> A.

ends(<<"GET / ", _, X>>) -> {get, X};
ends(<<"GET ", R/binary>>) -> {get, R};
ends(<<"GET ", R/bits>>) -> {bits, R};
ends(<<_:3/binary, R/binary>>) -> R.

runs(<<A:4, 2:4, B:16, C, R/binary>>) when byte_size(R) > 0 -> {A, B, C, R};
runs(<<A:4, X:4, _:16, C, _/binary>>) -> {A, X, C};
runs(<<A:4, R/bits>>) -> {A, bit_size(R)}.

show(X) -> io:format("~w~n", [X]).

%% expect: [{2,<<97,98>>},{low,5},{low,5},{low,5}]
%% expect: [{fits,0},{fits,2},{fits,6},{no,7},{no,-1},{no,a},{no,1180591620717411303424}]
%% expect: [eight,seven,none,<<1:1>>]
%% expect: [7,{no_float,7},none]
%% expect: [1,1,{byte,1},none]
%% expect: [3,2,1,none]
%% expect: [{1,5},9,5]
%% expect: [{1,2,-1,5},{1,2},7]
%% expect: [{get,2},{get,<<47>>},<<32,47,32,120>>,{bits,<<0:4>>}]
%% expect: [{1,3,9,<<8,7>>},{1,2,9},{1,3,9},{1,0},{1,45}]

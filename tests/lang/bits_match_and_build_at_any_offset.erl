%% Segments that are not whole bytes.
-module(bits_match_and_build_at_any_offset).
-export([main/0]).

main() ->
    {X, Y} = f(<<16#AB, 3:3>>),
    show({X, Y}),
    show([<<1:1, 0:1, 1:1>>, <<5:3, 6:5>>, <<1:9>>, <<(-1):3>>, <<1:1, 255:8, 0:7>>]),
    show([bit_size(<<1:9>>), byte_size(<<1:9>>), is_binary(<<1:9>>), is_bitstring(<<1:9>>)]),
    <<A:1, B:2, C:3, D:10>> = <<16#ABCD:16>>,
    show({A, B, C, D}),
    <<E:3/signed, F:13/little, G/bits>> = <<16#FEDC:16, 5:5>>,
    show({E, F, G}),
    show(<<(<<1:1>>)/bits, (<<2:2>>)/bits, 7:5>>),
    show(case <<1:4>> of <<_:8>> -> yes; <<_:4>> -> nibble end),
    show(<<16#1FFFFFFFFFFFFFFFFF:67>>),
    <<_:3, Big:70, _/bits>> = <<0:3, 16#3FFFFFFFFFFFFFFFFF:70, 0:7>>,
    show(Big).

f(<<X:4, Y/bits>>) -> {X, Y}.

show(X) -> io:format("~p~n", [X]).

%% expect: {10,<<91:7>>}
%% expect: [<<5:3>>,<<"¦">>,<<0,1:1>>,<<7:3>>,<<255,128>>]
%% expect: [9,2,false,true]
%% expect: {1,1,2,973}
%% expect: {-1,7414,<<5:5>>}
%% expect: <<"Ç">>
%% expect: nibble
%% expect: <<255,255,255,255,255,255,255,255,7:3>>
%% expect: 1180591620717411303423

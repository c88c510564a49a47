%% A float that a segment of 16 or 32 bits cannot hold becomes the bits of an infinity, which match no float.
%% expect: [<<124,0>>,<<252,0>>,<<"{ÿ">>,<<124,0>>]
%% expect: [<<127,128,0,0>>,<<255,128,0,0>>,<<0,0,128,255>>]
%% expect: no
%% expect: {'EXIT',badarg}
-module(floats_too_large_for_a_segment_are_infinite_bits).
-export([main/0]).

main() ->
    io:format("~0p~n", [[<<X:16/float>> || X <- id([1.0e300, -1.0e300, 65504.0, 65520.0])]]),
    io:format("~0p~n", [[<<(id(1.0e300)):32/float>>, <<(id(-1.0e300)):32/float>>, <<(id(-(1 bsl 128))):32/float-little>>]]),
    io:format("~0p~n", [case <<(id(1.0e300)):32/float>> of <<F:32/float>> -> F; _ -> no end]),
    io:format("~0p~n", [try <<(id(1 bsl 1024)):32/float>> catch error:Reason -> {'EXIT', Reason} end]).

id(X) -> X.

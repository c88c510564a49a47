%% Binaries around 64 bytes and beyond: parts, appends, equality, conversion.
-module(large_binaries_are_shared_and_cut).
-export([main/0]).

main() ->
    [check(N) || N <- [0, 1, 63, 64, 65, 100, 1000, 70000]],
    A = binary:copy(<<"x">>, 100),
    B = <<A/binary, 3>>,
    C = <<A/binary, 4>>,
    show({binary:last(B), binary:last(C), byte_size(B), B =:= C, binary:part(B, 0, 100) =:= A}),
    L = lists:foldl(fun(I, Acc) -> <<Acc/binary, (I rem 256)>> end, <<>>, lists:seq(1, 5000)),
    show({byte_size(L), binary:at(L, 4999), erlang:crc32(L)}).

check(N) ->
    B = binary:copy(<<"z">>, N),
    N = byte_size(B),
    B = list_to_binary(binary_to_list(B)),
    B = iolist_to_binary([binary:part(B, 0, N div 2), binary:part(B, N div 2, N - N div 2)]),
    <<H:(N div 2)/binary, T/binary>> = B,
    B = <<H/binary, T/binary>>,
    show({N, ok}).

show(X) -> io:format("~p~n", [X]).

%% expect: {0,ok}
%% expect: {1,ok}
%% expect: {63,ok}
%% expect: {64,ok}
%% expect: {65,ok}
%% expect: {100,ok}
%% expect: {1000,ok}
%% expect: {70000,ok}
%% expect: {3,4,101,false,true}
%% expect: {5000,136,881598486}

%% Appending in a loop: small and large, from one prefix twice, of parts, across processes, with numbers of all shapes.
-module(a_binary_that_grows_leaves_others_as_they_were).
-export([main/0]).

main() ->
    A = grow(200, <<>>),
    show({byte_size(A), erlang:phash2(A)}),
    B = <<A/binary, 1>>,
    C = <<A/binary, 2>>,
    D = <<B/binary, 3:16>>,
    E = <<B/binary, 4:16/little>>,
    show([{byte_size(X), binary:last(X), erlang:phash2(X)} || X <- [A, B, C, D, E]]),
    show([binary:part(X, byte_size(X), -3) || X <- [B, C, D, E]]),
    %% A part that ends where its whole does, and one that does not.
    P = binary:part(B, 10, byte_size(B) - 10),
    Q = binary:part(B, 0, 100),
    show([{byte_size(X), erlang:phash2(X)} || X <- [<<P/binary, 9>>, <<P/binary, 8>>, <<Q/binary, 7>>, B, P, Q]]),
    show(shapes(<<>>)),
    show(erlang:phash2(shapes(A))),
    show([catch wrong(X) || X <- [a, 1.5, <<1:1>>, 1 bsl 70, -1]]),
    show(sizes(70, <<>>, [])),
    show(between(A)),
    show(bits(20, <<>>)),
    show(<< <<X:3>> || X <- [1, 2, 3, 4, 5, 6, 7] >>),
    show(erlang:phash2(<< <<X:12>> || X <- lists:seq(1, 300) >>)),
    show(<< <<(X + 1)>> || <<X>> <= <<"HAL">> >>),
    show(news(-1, 16#abcdef)),
    show(tails(A)).

grow(0, B) -> B;
grow(N, B) -> grow(N - 1, <<B/binary, N>>).

shapes(B0) ->
    B1 = <<B0/binary, -1:16>>,
    B2 = <<B1/binary, 258:16/little, "ab", 300:8>>,
    B3 = <<B2/binary, 1:1, 5:7>>,
    B4 = <<B3/binary, -2:64>>,
    B5 = <<B4/binary, 3:64/little>>,
    N = byte_size(B5),
    B6 = <<B5/binary, N:24/little, (N bsl 3):32>>,
    <<B6/binary, N:56, 1:8>>.

wrong(X) -> 
    try <<(grow(100, <<>>))/binary, X:8>> of
        B -> binary:last(B)
    catch
        error:R -> R
    end.

sizes(0, _, Acc) -> lists:reverse(Acc);
sizes(N, B, Acc) -> sizes(N - 1, <<B/binary, N:16>>, [erlang:phash2(B) rem 100 | Acc]).

%% Two processes extend what both have.
between(A) ->
    Self = self(),
    Pids = [spawn_link(fun() -> extend(Self, A, K) end) || K <- [1, 2, 3]],
    Own = lists:foldl(fun(K, B) -> <<B/binary, K>> end, A, lists:seq(1, 50)),
    Others = [receive {P, X} -> X end || P <- Pids],
    [{byte_size(X), erlang:phash2(X)} || X <- [A, Own | Others]].

extend(To, A, K) ->
    B = lists:foldl(fun(_, B) -> <<B/binary, K>> end, A, lists:seq(1, 100)),
    To ! {self(), B}.

bits(0, B) -> B;
bits(N, B) -> bits(N - 1, <<B/bits, N:3>>).

news(A, B) -> [<<A:8>>, <<A:3>>, <<B:16/little>>, <<B:64>>, <<1:2, B:30>>, <<"x", B:24>>, <<A:7, B:9>>].

%% What is matched out of a grown binary, and grows again.
tails(A) ->
    B = <<A/binary, "0123456789">>,
    <<_:100/binary, T/binary>> = B,
    T1 = <<T/binary, "x">>,
    T2 = <<T/binary, "y">>,
    <<_:110/binary, U/binary>> = <<T1/binary, "zz">>,
    {byte_size(T), T1 =:= T2, binary:last(T1), binary:last(T2), binary:last(B), U, erlang:phash2(T1)}.

show(X) -> io:format("~w~n", [X]).

%% expect: {200,116875713}
%% expect: [{200,1,116875713},{201,1,49365595},{201,2,88831685},{203,3,41244112},{203,0,1582310}]
%% expect: [<<2,1,1>>,<<2,1,2>>,<<1,0,3>>,<<1,4,0>>]
%% expect: [{192,44040712},{192,38989723},{101,69007231},{201,49365595},{191,79343689},{100,2361748}]
%% expect: <<255,255,2,1,97,98,44,133,255,255,255,255,255,255,255,254,3,0,0,0,0,0,0,0,24,0,0,0,0,0,192,0,0,0,0,0,0,24,1>>
%% expect: 87234061
%% expect: [badarg,badarg,badarg,0,255]
%% expect: [1,7,52,77,80,32,21,25,88,89,26,25,54,57,89,80,75,24,86,77,45,98,5,85,3,5,19,44,39,68,7,91,61,85,86,3,11,16,94,6,88,10,98,50,10,52,96,92,54,94,42,64,3,68,76,91,33,92,67,85,18,95,94,75,34,41,71,31,19,76]
%% expect: [{200,116875713},{250,48927094},{300,48400172},{300,72098485},{300,88311107}]
%% expect: <<141,17,245,141,17,245,141,1:4>>
%% expect: <<41,203,23:5>>
%% expect: 10280002
%% expect: <<73,66,77>>
%% expect: [<<255>>,<<7:3>>,<<239,205>>,<<0,0,0,0,0,171,205,239>>,<<64,171,205,239>>,<<120,171,205,239>>,<<255,239>>]
%% expect: {110,false,120,121,57,<<120,122,122>>,69148034}

%% Digests, message authentication codes by digests, and random bytes. Ciphers and keys are not here.
-module(crypto).

-export([start/0, stop/0, hash/2, hash_init/1, hash_update/2, hash_final/1, hash_equals/2, hash_info/1, mac/3, mac/4, macN/4, macN/5,
         strong_rand_bytes/1, rand_uniform/2, exor/2, bytes_to_integer/1, rand_seed/0, rand_seed_s/0, rand_seed/1, supports/1]).

start() -> ok.

stop() -> ok.

hash(Type, Data) ->
    try erlet_crypto:hash(type(Type), Data)
    catch error:badarg -> erlang:error(badarg, [Type, Data])
    end.

type(sha1) -> sha;
type(Type) -> Type.

%% What was given so far, last first: the digest is made at the end.
hash_init(Type) ->
    _ = hash(Type, []),
    {Type, []}.

hash_update({Type, Parts}, Data) -> {Type, [iolist_to_binary(Data) | Parts]}.

hash_final({Type, Parts}) -> hash(Type, lists:reverse(Parts)).

hash_info(Type) ->
    #{size => byte_size(hash(Type, [])), block_size => block_size(Type), type => undefined}.

block_size(sha384) -> 128;
block_size(sha512) -> 128;
block_size(_) -> 64.

%% Compares all bytes, whatever the first ones are.
hash_equals(A, B) when is_binary(A), is_binary(B), byte_size(A) =:= byte_size(B) ->
    lists:foldl(fun({X, Y}, Acc) -> Acc bor (X bxor Y) end, 0, lists:zip(binary_to_list(A), binary_to_list(B))) =:= 0;
hash_equals(A, B) -> erlang:error(badarg, [A, B]).

mac(hmac, Type, Key, Data) ->
    Size = block_size(Type),
    Short = case iolist_to_binary(Key) of
        Long when byte_size(Long) > Size -> hash(Type, Long);
        Fits -> Fits
    end,
    Padded = <<Short/binary, 0:(8 * (Size - byte_size(Short)))>>,
    Inner = hash(Type, [exor(Padded, binary:copy(<<16#36>>, Size)), Data]),
    hash(Type, [exor(Padded, binary:copy(<<16#5c>>, Size)), Inner]);
mac(Kind, Type, Key, Data) -> erlang:error(notsup, [Kind, Type, Key, Data]).

mac(Kind, Key, Data) -> erlang:error(notsup, [Kind, Key, Data]).

macN(Kind, Type, Key, Data, Length) -> binary:part(mac(Kind, Type, Key, Data), 0, Length).

macN(Kind, Key, Data, Length) -> erlang:error(notsup, [Kind, Key, Data, Length]).

strong_rand_bytes(_) -> erlang:nif_error(undefined).

%% A number from Low up to High, which is left out.
rand_uniform(Low, High) when is_integer(Low), is_integer(High), Low < High ->
    Range = High - Low,
    %% So many bytes more that no number is noticeably likelier than another.
    Bytes = length(binary_to_list(binary:encode_unsigned(Range))) + 8,
    Low + binary:decode_unsigned(strong_rand_bytes(Bytes)) rem Range.

exor(A, B) ->
    Left = iolist_to_binary(A),
    Right = iolist_to_binary(B),
    Size = bit_size(Left),
    case bit_size(Right) of
        Size ->
            <<X:Size>> = Left,
            <<Y:Size>> = Right,
            <<(X bxor Y):Size>>;
        _ -> erlang:error(badarg, [A, B])
    end.

bytes_to_integer(Bytes) -> binary:decode_unsigned(Bytes).

rand_seed() -> rand:seed(rand_seed_s()).

rand_seed_s() ->
    <<A:58, B:58, _/bits>> = strong_rand_bytes(16),
    rand:seed_s(exsss, [A bor 1, B bor 1]).

rand_seed(Seed) ->
    <<A:58, B:58, _/bits>> = hash(sha256, Seed),
    rand:seed(exsss, [A bor 1, B bor 1]).

supports(hashs) -> [sha, sha224, sha256, sha384, sha512, md5];
supports(macs) -> [hmac];
supports(_) -> [].

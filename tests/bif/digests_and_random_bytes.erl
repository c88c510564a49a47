%% Digests and codes as crypto gives them; random bytes are as many as asked for and not the same twice.
-module(digests_and_random_bytes).
-export([main/0]).

main() ->
    [show({T, hex(crypto:hash(T, "abc")), hex(crypto:hash(T, [<<"a">>, $b, ["c"]])) =:= hex(crypto:hash(T, "abc"))})
     || T <- [md5, sha, sha224, sha256, sha384, sha512]],
    show(hex(crypto:hash(sha256, ""))),
    show(hex(crypto:mac(hmac, sha256, "key", "The quick brown fox jumps over the lazy dog"))),
    show(hex(crypto:mac(hmac, sha, binary:copy(<<"k">>, 100), "data"))), show(hex(crypto:mac(hmac, sha512, "k", "d"))),
    State = crypto:hash_update(crypto:hash_update(crypto:hash_init(sha256), "a"), "bc"),
    show(crypto:hash_final(State) =:= crypto:hash(sha256, "abc")),
    show(hex(crypto:exor(<<1, 2, 3>>, <<255, 2, 0>>))),
    [A, B] = [crypto:strong_rand_bytes(20) || _ <- [1, 2]],
    show({byte_size(A), A =/= B, crypto:strong_rand_bytes(0)}),
    show(lists:all(fun(N) -> N >= 3 andalso N < 7 end, [crypto:rand_uniform(3, 7) || _ <- lists:seq(1, 50)])),
    show(element(1, element(2, catch crypto:strong_rand_bytes(-1)))),
    show([erlang:phash(T, 1 bsl 32)
          || T <- [0, 1, 255, 256, -1, 134217728, 1 bsl 64, (1 bsl 64) + (1 bsl 32) + 5, -(1 bsl 32) - 1, [], a, {}, {1, 2}, {a, {b}}, [a, b],
                   "abc", [1, a], [a, 1], [1, [2], 3], [a | b], <<>>, <<1, 2>>, <<1:1>>, 1.0, -1.0, 0.0, #{}, {a, #{}}, {1, -1}, {1, 2.5},
                   fun lists:map/2, {x, fun lists:map/2}]]),
    show([erlang:phash(abc, R) || R <- [1, 10, 1000]]), show(element(1, element(2, catch erlang:phash(a, 0)))).

hex(Bytes) -> lists:flatten([io_lib:format("~2.16.0b", [B]) || <<B>> <= Bytes]).

show(X) -> io:format("~0p~n", [X]).

%% expect: {md5,"900150983cd24fb0d6963f7d28e17f72",true}
%% expect: {sha,"a9993e364706816aba3e25717850c26c9cd0d89d",true}
%% expect: {sha224,"23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",true}
%% expect: {sha256,"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",true}
%% expect: {sha384,"cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",true}
%% expect: {sha512,"ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",true}
%% expect: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
%% expect: "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
%% expect: "e3dc391a03c12663fd33148b959da47d0c5b8c66"
%% expect: "75e6621bf12000a13d8dae79fed84aadffbbceaefd36ae061493b34aef6a2988f0fb91b8ba4fef293ed0bd09e6bb7578858b8f2f7f70fe3ca7490d37f655fd38"
%% expect: true
%% expect: "fe0003"
%% expect: {20,true,<<>>}
%% expect: true
%% expect: badarg
%% expect: [1,2788898428,2499495046,1920229268,1680185270,2147483673,2788898428,1239982014,2759934539,2,98,1,3114748240,1377818379,667932113,3654580166,3787715100,605004010,2767584781,4159696708,1,540096580,808817679,1072693249,3220176897,1,1113425985,2244753886,554409727,1306553572,904024396,3550017380]
%% expect: [1,10,500]
%% expect: badarg

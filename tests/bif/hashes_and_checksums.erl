%% phash2, crc32, adler32, md5 give OTP's values.
-module(hashes_and_checksums).
-export([main/0]).

main() ->
    show([erlang:phash2(T) || T <- [{a, 1}, 1.0, 1, a, [], "abc", <<"abc">>, {}, 1 bsl 70, -1, #{}, [a | b], {1, {2, [3]}}, 0, true, 1 bsl 59, 1 bsl 60, -(1 bsl 64)]]),
    show([erlang:phash2(T, 100) || T <- [a, b, c, 1, 2]]),
    show([erlang:crc32("abc"), erlang:adler32("abc"), erlang:crc32(<<>>), erlang:adler32(<<>>), erlang:crc32([1, <<2>>, [3]]), erlang:crc32(erlang:crc32("ab"), "c")]),
    show(erlang:md5("abc")),
    show(erlang:phash2(#{a => 1, b => 2}) =:= erlang:phash2(#{b => 2, a => 1})).

show(X) -> io:format("~p~n", [X]).

%% expect: [72425156,77147068,2614250,97,113427502,117343302,98228475,87486268,131422029,
%% expect:  44071773,39679005,74710280,10921990,88723725,506293,26969617,31803508,
%% expect:  13457787]
%% expect: "abc>D"
%% expect: [891568578,38600999,0,1,1438416925,891568578]
%% expect: <<144,1,80,152,60,210,79,176,214,150,63,125,40,225,127,114>>
%% expect: true

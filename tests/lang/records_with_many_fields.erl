%% Large records: build, update of several fields, matching some, nested update in a loop.
-module(records_with_many_fields).
-export([main/0]).

-record(big, {a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k, l, m, n, o, p, q, r, s, t}).

main() ->
    R = #big{k = kk, t = tt},
    show(R),
    R2 = R#big{a = x, j = y, t = z},
    show([R2#big.a, R2#big.j, R2#big.t, R2#big.k]),
    #big{b = B, s = S, h = H} = R2,
    show({B, S, H}),
    R3 = lists:foldl(fun(I, X) -> X#big{a = I, b = X#big.a} end, R, lists:seq(1, 100)),
    show({R3#big.a, R3#big.b}),
    show([is_record(X, big) || X <- [R, setelement(1, R, bag), erlang:delete_element(2, R)]]).

show(X) -> io:format("~p~n", [X]).

%% expect: {big,1,2,3,4,5,6,7,8,9,10,kk,undefined,undefined,undefined,undefined,
%% expect:      undefined,undefined,undefined,undefined,tt}
%% expect: [x,y,z,kk]
%% expect: {2,undefined,8}
%% expect: {100,99}
%% expect: [true,false,false]

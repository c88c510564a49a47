%% Big integers: modular powers, the digits of 2^N, and binomial coefficients.
-module(big_primes).
-export([bench/0]).

bench() ->
    [{big_modular_power, 127, fun() -> 1 = power(3, (1 bsl 127) - 2, (1 bsl 127) - 1) end},
     {big_digits, 1000, fun() -> 13561 = lists:sum([C - $0 || C <- integer_to_list(1 bsl 10000)]) end},
     {big_binomial, 500, fun() -> 299 = length(integer_to_list(binomial(1000, 500))) - 1 end}].

power(_, 0, _) -> 1;
power(X, N, M) when N band 1 =:= 1 -> X * power(X, N - 1, M) rem M;
power(X, N, M) -> power(X * X rem M, N bsr 1, M).

binomial(N, K) -> binomial(N, K, 1, 1).

binomial(_, K, I, Acc) when I > K -> Acc;
binomial(N, K, I, Acc) -> binomial(N, K, I + 1, Acc * (N - I + 1) div I).

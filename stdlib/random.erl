%% The old generator of random numbers (Wichmann and Hill, AS 183), for programs that still name it; `rand` is better in every way.
-module(random).

-export([seed/0, seed/1, seed/3, seed0/0, uniform/0, uniform/1, uniform_s/1, uniform_s/2]).

-define(P1, 30269).
-define(P2, 30307).
-define(P3, 30323).

seed0() -> {3172, 9814, 20125}.

%% These answer the seed there was before.
seed() -> put_seed(seed0()).

seed({A, B, C}) -> seed(A, B, C).

seed(A, B, C) -> put_seed({abs(A) rem (?P1 - 1) + 1, abs(B) rem (?P2 - 1) + 1, abs(C) rem (?P3 - 1) + 1}).

put_seed(Seed) -> put(random_seed, Seed).

uniform() ->
    Seed =
        case get(random_seed) of
            undefined -> seed0();
            Known -> Known
        end,
    {X, Seed1} = uniform_s(Seed),
    put_seed(Seed1),
    X.

uniform(N) when is_integer(N), N >= 1 -> trunc(uniform() * N) + 1.

uniform_s({A, B, C}) ->
    X = A * 171 rem ?P1,
    Y = B * 172 rem ?P2,
    Z = C * 170 rem ?P3,
    Sum = X / ?P1 + Y / ?P2 + Z / ?P3,
    {Sum - trunc(Sum), {X, Y, Z}}.

uniform_s(N, Seed) when is_integer(N), N >= 1 ->
    {X, Seed1} = uniform_s(Seed),
    {trunc(X * N) + 1, Seed1}.

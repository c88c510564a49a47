%% Pseudo random numbers. The same algorithm and seed give the same numbers as on any Erlang system.
%%
%% The generators themselves (a state to a number and the next state) are in `erlet_random`; here is what is made of their bits. A state is
%% `{Algorithm, AlgorithmState}`, where Algorithm is a map: `next` is the generator, `bits` how many bits it gives, `weak_low_bits` how many
%% of the lowest are better not used. Older algorithms have `max` in place of `bits`. Functions without `_s` keep the state in the process
%% dictionary.
-module(rand).

-export([seed/1, seed/2, seed_s/1, seed_s/2, export_seed/0, export_seed_s/1,
         uniform/0, uniform/1, uniform_s/1, uniform_s/2, uniform_real/0, uniform_real_s/1, bytes/1, bytes_s/2,
         normal/0, normal/2, normal_s/1, normal_s/3, jump/0, jump/1, shuffle/1, shuffle_s/2]).
-export([splitmix64_next/1, exsp_next/1, exsp_jump/1, mwc59/1, mwc59_value32/1, mwc59_value/1, mwc59_float/1,
         mwc59_seed/0, mwc59_seed/1]).

-define(TWO_POW_MINUS_53, 1.1102230246251565e-16).

%%% Seeding

-spec seed(term()) -> term().
seed(AlgorithmOrState) -> keep(seed_s(AlgorithmOrState)).

seed(Algorithm, Seed) -> keep(seed_s(Algorithm, Seed)).

%% A state, an exported state, or an algorithm that gets a seed of its own.
seed_s({#{}, _} = State) -> State;
seed_s({Algorithm, State}) when is_atom(Algorithm) -> {erlet_random:mk_alg(Algorithm), State};
seed_s(default) -> seed_s(exsss);
seed_s(Algorithm) -> seed_s(Algorithm, fresh_seed()).

fresh_seed() ->
    <<A:56, B:56, C:56>> = crypto:strong_rand_bytes(21),
    {A, B, C}.

%% The seed is an integer, three integers, or a list with the words of the state.
seed_s(default, Seed) -> seed_s(exsss, Seed);
seed_s(Algorithm, Seed) -> {erlet_random:mk_alg(Algorithm), erlet_random:seed(Algorithm, Seed)}.

export_seed() ->
    case get(rand_seed) of
        {#{type := Algorithm}, State} -> {Algorithm, State};
        _ -> undefined
    end.

export_seed_s({#{type := Algorithm}, State}) -> {Algorithm, State}.

keep(State) ->
    put(rand_seed, State),
    State.

state() ->
    case get(rand_seed) of
        undefined -> seed(exsss);
        State -> State
    end.

%% The number of a function that takes and gives a state.
with_state(F) ->
    {Number, State} = F(state()),
    put(rand_seed, State),
    Number.

%%% Uniformly distributed numbers

%% A float, 0.0 =< X < 1.0.
-spec uniform() -> float().
uniform() -> with_state(fun uniform_s/1).

%% An integer, 1 =< X =< N.
-spec uniform(pos_integer()) -> pos_integer().
uniform(N) ->
    {X, State} = uniform_s(N, state()),
    put(rand_seed, State),
    X.

uniform_s({#{bits := Bits, next := Next} = Algorithm, S}) ->
    {V, S1} = Next(S),
    {(V bsr (Bits - 53)) * ?TWO_POW_MINUS_53, {Algorithm, S1}};
uniform_s({#{max := Max, next := Next} = Algorithm, S}) ->
    {V, S1} = Next(S),
    {V / (Max + 1), {Algorithm, S1}}.

%% The remainder is fair unless the value is from the last, cut off part of the generator's range: then another one is drawn.
uniform_s(N, {#{type := dummy, next := Next} = Algorithm, S}) when is_integer(N), N >= 1 ->
    {_, S1} = Next(S),
    {1, {Algorithm, S1}};
uniform_s(N, {#{bits := Bits, next := Next} = Algorithm, S}) when is_integer(N), N >= 1 ->
    {V, S1} = Next(S),
    Spare = (1 bsl Bits) - N,
    if
        Spare < 0 -> large(N, Algorithm, S1, V);
        V < N -> {V + 1, {Algorithm, S1}};
        true ->
            X = V rem N,
            case V - X =< Spare of
                true -> {X + 1, {Algorithm, S1}};
                false -> uniform_s(N, {Algorithm, S1})
            end
    end;
uniform_s(N, {#{max := Max, next := Next} = Algorithm, S}) when is_integer(N), N >= 1 ->
    {V, S1} = Next(S),
    case N =< Max of
        true -> {V rem N + 1, {Algorithm, S1}};
        false -> {trunc(V / (Max + 1) * N) + 1, {Algorithm, S1}}
    end.

%% Ranges of more bits than the generator gives: values are strung together, without their weak bits.
large(N, #{bits := Bits, next := Next} = Algorithm, S, V) ->
    Weak = maps:get(weak_low_bits, Algorithm, 0),
    case N band (N - 1) of
        0 ->
            {X, S1, _} = string_bits(N bsr Bits, Next, S, V, Weak, Bits - Weak, Bits),
            {X band (N - 1) + 1, {Algorithm, S1}};
        _ ->
            %% Two bits more than needed make another draw unlikely.
            {X, S1, Got} = string_bits(N bsr (Bits - 2), Next, S, V, Weak, Bits - Weak, Bits),
            Y = X rem N,
            case X - Y =< (1 bsl Got) - N of
                true -> {Y + 1, {Algorithm, S1}};
                false ->
                    {V2, S2} = Next(S1),
                    large(N, Algorithm, S2, V2)
            end
    end.

string_bits(Left, _, S, V, _, _, Got) when Left =< 1 -> {V, S, Got};
string_bits(Left, Next, S, V, Weak, Good, Got) ->
    {V1, S1} = Next(S),
    string_bits(Left bsr Good, Next, S1, ((V bsr Weak bsl Weak) bsl Good) bor V1, Weak, Good, Got + Good).

%% A float greater than 0.0 with full precision at all magnitudes.
uniform_real() -> with_state(fun uniform_real_s/1).

%% 56 bits are drawn; leading zeros are made good with more bits, so the mantissa always has 53.
uniform_real_s({Algorithm, S}) ->
    {M, S1} = bits_56(Algorithm, S),
    case width(M) of
        W when W >= 53 -> {(M bsr (W - 53)) * math:pow(2.0, W - 109), {Algorithm, S1}};
        _ -> tail_bits(Algorithm, M, -56, S1)
    end.

bits_56(#{bits := Bits, next := Next}, S) ->
    {V, S1} = Next(S),
    {V bsr (Bits - 56), S1};
bits_56(#{next := Next}, S) ->
    {V, S1} = Next(S),
    {V band (1 bsl 56 - 1), S1}.

%% M holds fewer than 53 significant bits of a number with its last bit at 2^Exponent.
tail_bits(Algorithm, 0, Exponent, S) when Exponent > -1064 ->
    {M, S1} = bits_56(Algorithm, S),
    case width(M) of
        W when W >= 53 -> {(M bsr (W - 53)) * math:pow(2.0, Exponent + W - 109), {Algorithm, S1}};
        W when Exponent =:= -1008, W < 43 -> uniform_real_s({Algorithm, S1});
        _ -> tail_bits(Algorithm, M, Exponent - 56, S1)
    end;
tail_bits(Algorithm, M, Exponent, S) ->
    {V, Bits, S1} =
        case Algorithm of
            #{bits := B, next := Next} ->
                {V0, S0} = Next(S),
                {V0, B, S0};
            #{next := Next} ->
                %% The older algorithms take the value as it is, which may have more bits than are asked for.
                {V0, S0} = Next(S),
                {V0, 56, S0}
        end,
    Missing = 53 - width(M),
    {((M bsl Missing) bor (V bsr (Bits - Missing))) * math:pow(2.0, Exponent - Missing), {Algorithm, S1}}.

%% Bits up to the highest one set.
width(N) -> width(N, 0).

width(0, W) -> W;
width(N, W) when N >= 16#10000 -> width(N bsr 16, W + 16);
width(N, W) -> width(N bsr 1, W + 1).

%%% Bytes

bytes(N) ->
    {Bytes, State} = bytes_s(N, state()),
    put(rand_seed, State),
    Bytes.

%% As many whole bytes of each value as there are good bits, the highest first.
bytes_s(N, {Algorithm, S}) when is_integer(N), N >= 0 ->
    {Bits, Weak} =
        case Algorithm of
            #{bits := B} -> {B, maps:get(weak_low_bits, Algorithm, 0)};
            #{max := _} -> {58, 2}
        end,
    Good = (Bits - Weak) bsr 3,
    {Parts, S1} = bytes(N, Good, Bits - Good * 8, maps:get(next, Algorithm), S, []),
    {list_to_binary(Parts), {Algorithm, S1}}.

bytes(N, Good, Shift, Next, S, Parts) when N > Good ->
    {V, S1} = Next(S),
    bytes(N - Good, Good, Shift, Next, S1, [<<(V bsr Shift):Good/unit:8>> | Parts]);
bytes(N, Good, _, Next, S, Parts) ->
    {V, S1} = Next(S),
    {lists:reverse(Parts, [<<(V bsr ((Good - N) * 8)):N/unit:8>>]), S1}.

%%% Normally distributed numbers: the ziggurat method with 256 layers

normal() -> with_state(fun normal_s/1).

normal(Mean, Variance) -> Mean + math:sqrt(Variance) * normal().

normal_s(Mean, Variance, State) when Variance > 0 ->
    {X, State1} = normal_s(State),
    {Mean + math:sqrt(Variance) * X, State1}.

-define(ZIGGURAT_R, 3.6541528853610088).

normal_s({#{next := Next} = Algorithm, S}) ->
    {V, S1} = Next(S),
    {Negative, M} =
        case Algorithm of
            #{bits := Bits} -> {V band (1 bsl (Bits - 52)) =/= 0, V bsr (Bits - 51)};
            #{} -> {V band (1 bsl 51) =/= 0, V band (1 bsl 51 - 1)}
        end,
    State = {Algorithm, S1},
    Layer = M band 255,
    {Inside, Scale} = element(Layer + 1, erlet_ziggurat:layers()),
    X = M * Scale,
    case M < Inside of
        true when Negative -> {-X, State};
        true -> {X, State};
        false -> outside(Layer, Negative, X, State)
    end.

%% In the tail beyond the lowest layer, or in the part of a layer that the curve cuts.
outside(0, Negative, X0, State) ->
    {U, State1} = uniform_s(State),
    X = -(1 / ?ZIGGURAT_R) * math:log(U),
    {W, State2} = uniform_s(State1),
    Y = -math:log(W),
    case Y + Y > X * X of
        false -> outside(0, Negative, X0, State2);
        true when Negative -> {-?ZIGGURAT_R - X, State2};
        true -> {?ZIGGURAT_R + X, State2}
    end;
outside(Layer, Negative, X, State) ->
    Heights = erlet_ziggurat:heights(),
    Low = element(Layer + 1, Heights),
    {U, State1} = uniform_s(State),
    case (element(Layer, Heights) - Low) * U + Low < math:exp(-0.5 * X * X) of
        true when Negative -> {-X, State1};
        true -> {X, State1};
        false -> normal_s(State1)
    end.

%%% Long jumps: as if 2^64 and more numbers had been drawn

jump() -> keep(jump(state())).

jump({#{jump := Jump} = Algorithm, S}) -> {Algorithm, Jump(S)};
jump({#{}, _}) -> error(not_implemented).

%%% Shuffling

shuffle(L) ->
    {Shuffled, State} = shuffle_s(L, state()),
    put(rand_seed, State),
    Shuffled.

%% Sorted by random keys; equal keys are so rare with 2^58 of them that drawing all again in that case is fair.
shuffle_s(L, State) ->
    {Keyed, State1} = lists:mapfoldl(fun(X, S) ->
                                             {Key, S1} = uniform_s(1 bsl 58, S),
                                             {{Key, X}, S1}
                                     end, State, L),
    Sorted = lists:keysort(1, Keyed),
    case length(lists:ukeysort(1, Sorted)) =:= length(Sorted) of
        true -> {[X || {_, X} <- Sorted], State1};
        false -> shuffle_s(L, State1)
    end.

%%% Generators to be used by themselves

splitmix64_next(S) -> erlet_random:splitmix64(S).

exsp_next(S) -> erlet_random:exsp(S).

exsp_jump(S) -> erlet_random:exsp_jump(S).

%% A multiply-with-carry generator of 59 bits; its state is its value, of which the functions below make better ones.
mwc59(S) -> 16#7FA6502 * (S band 16#FFFFFFFF) + ((S band (1 bsl 59 - 1)) bsr 32).

mwc59_value32(S) ->
    X = S band 16#FFFFFFFF,
    X bxor ((X bsl 8) band 16#FFFFFFFF).

mwc59_value(S) -> xorshift(S, 1 bsl 59 - 1).

mwc59_float(S) -> xorshift(S, 1 bsl 53 - 1) * ?TWO_POW_MINUS_53.

xorshift(S, Mask) ->
    X = S band Mask,
    Y = X bxor ((X bsl 4) band Mask),
    Y bxor ((Y bsl 27) band Mask).

mwc59_seed() ->
    {A, B, C} = fresh_seed(),
    (hash58(A) bxor hash58(B) bxor hash58(C)) + 1.

mwc59_seed(S) when is_integer(S), S >= 0, S < 1 bsl 58 -> hash58(S) + 1.

hash58(N) ->
    Mask = 1 bsl 58 - 1,
    A = N band Mask,
    B = ((A bxor (A bsr 29)) * 16#351AFD7ED558CCD) band Mask,
    C = ((B bxor (B bsr 29)) * 16#0CEB9FE1A85EC53) band Mask,
    C bxor (C bsr 29).

%% The generators behind `rand`: xorshift and xoroshiro families, mostly of 58-bit words, which are small integers here.
%%
%% Each is a function of a state that gives a number and the next state. States keep the shape other Erlang systems give them, so
%% that exported ones can be read back: two words are an improper list, sixteen are a pair of lists used as a ring.
-module(erlet_random).

-erlet_part_of(rand).

-export([mk_alg/1, seed/2, splitmix64/1, exsp/1, exsp_jump/1]).

-define(MASK58, 16#3FFFFFFFFFFFFFF).
-define(MASK64, 16#FFFFFFFFFFFFFFFF).

%%% What there is

mk_alg(exsss) -> #{type => exsss, bits => 58, next => fun exsss/1, jump => fun exsp_jump/1};
mk_alg(exsp) -> #{type => exsp, bits => 58, weak_low_bits => 1, next => fun exsp/1, jump => fun exsp_jump/1};
mk_alg(exrop) -> #{type => exrop, bits => 58, weak_low_bits => 1, next => fun exrop/1, jump => fun exrop_jump/1};
mk_alg(exro928ss) -> #{type => exro928ss, bits => 58, next => fun exro928ss/1};
mk_alg(exs1024s) -> #{type => exs1024s, bits => 64, weak_low_bits => 3, next => fun exs1024/1};
mk_alg(exs1024) -> #{type => exs1024, max => ?MASK64, next => fun exs1024/1};
mk_alg(exsplus) -> #{type => exsplus, max => ?MASK58, next => fun exsp/1, jump => fun exsp_jump/1};
mk_alg(exs64) -> #{type => exs64, max => ?MASK64, next => fun exs64/1};
mk_alg(dummy) -> #{type => dummy, bits => 58, next => fun(S) -> {S, S bxor ?MASK58} end}.

%%% Seeds

seed(Algorithm, Words) when is_list(Words) ->
    case Algorithm of
        exs64 -> hd(words(1, Words, 64, false));
        dummy -> hd(words(1, Words, 58, true));
        _ when Algorithm =:= exs1024; Algorithm =:= exs1024s -> {words(16, Words, 64, false), []};
        exro928ss -> {words(16, Words, 58, false), []};
        _ ->
            [A, B] = words(2, Words, 58, false),
            [A | B]
    end;
seed(Algorithm, N) when is_integer(N) ->
    case Algorithm of
        exs64 -> hd(spread64(1, N));
        dummy -> element(1, splitmix64(N)) band ?MASK58;
        _ when Algorithm =:= exs1024; Algorithm =:= exs1024s -> {spread64(16, N), []};
        exro928ss -> {spread58(16, N), []};
        _ ->
            [A, B] = spread58(2, N),
            [A | B]
    end;
seed(Algorithm, {A, B, C}) when is_integer(A), is_integer(B), is_integer(C) -> seed3(Algorithm, A, B, C).

%% Words given by the caller: fewer are filled up with zeros, but all zeros would stay so for ever.
words(_, [], _, false) -> error(zero_seed);
words(0, [_ | _], _, _) -> error(too_many_seed_integers);
words(0, [], _, _) -> [];
words(N, [], Bits, true) -> [0 | words(N - 1, [], Bits, true)];
words(N, [W | Ws], Bits, NonZero) when is_integer(W) ->
    Word = W band (1 bsl Bits - 1),
    [Word | words(N - 1, Ws, Bits, NonZero orelse Word =/= 0)];
words(_, _, _, _) -> error(non_integer_seed).

%% N words that are not 0, made of one integer.
spread58(0, _) -> [];
spread58(N, S) ->
    {Word, S1} = word58(S),
    [Word | spread58(N - 1, S1)].

word58(S) ->
    {V, S1} = splitmix64(S),
    case V band ?MASK58 of
        0 -> word58(S1);
        Word -> {Word, S1}
    end.

spread64(0, _) -> [];
spread64(N, S) ->
    case splitmix64(S) of
        {0, S1} -> spread64(N, S1);
        {Word, S1} -> [Word | spread64(N - 1, S1)]
    end.

%% Each algorithm has its own way with three integers.
seed3(exs64, A, B, C) ->
    {V1, _} = exs64((A band 16#FFFFFFFF) * 4294967197 + 1),
    {V2, _} = exs64((B band 16#FFFFFFFF) * 4294967231 + 1),
    {V3, _} = exs64((C band 16#FFFFFFFF) * 4294967279 + 1),
    V1 * V2 * V3 rem (?MASK64 - 1) + 1;
seed3(dummy, A, B, C) ->
    {_, X} = splitmix64(A),
    {_, Y} = splitmix64(B bxor X),
    element(1, splitmix64(C bxor Y)) band ?MASK58;
seed3(Algorithm, A, B, C) when Algorithm =:= exs1024; Algorithm =:= exs1024s ->
    Part = fun(N, Factor) -> ((N band 16#1FFFFF + 1) * Factor) band 16#1FFFFF end,
    Start = (Part(A, 2097131) bsl 43) bor (Part(B, 2097133) bsl 22) bor (Part(C, 2097143) bsl 1) bor 1,
    {fill1024(16, Start, []), []};
seed3(Algorithm, A, B, C) when Algorithm =:= exsplus; Algorithm =:= exsp ->
    {_, [_ | Tail]} = exsp([(A * 4294967197 + 1) band ?MASK58 | (B * 4294967231 + 1) band ?MASK58]),
    {_, State} = exsp([(C * 4294967279 + 1) band ?MASK58 | Tail]),
    State;
seed3(exrop, A, B, C) ->
    [_ | Tail] = exrop_state((A * 4294967197 + 1) band ?MASK58, (B * 4294967231 + 1) band ?MASK58),
    exrop_state((C * 4294967279 + 1) band ?MASK58, Tail);
seed3(exsss, A, B, C) ->
    {_, X} = word58(A),
    {S0, Y} = word58(B bxor X),
    {S1, _} = word58(C bxor Y),
    [S0 | S1];
seed3(exro928ss, A, B, C) ->
    {S0, X} = word58(A),
    {S1, Y} = word58(B bxor X),
    {S2, Z} = word58(C bxor Y),
    {[S0, S1, S2 | spread58(13, Z)], []}.

fill1024(0, _, Words) -> Words;
fill1024(N, S, Words) ->
    {V, S1} = exs64(S),
    fill1024(N - 1, S1, [V | Words]).

%%% Generators

%% Used to spread seeds.
splitmix64(S) ->
    X = (S + 16#9E3779B97F4A7C15) band ?MASK64,
    Y = ((X bxor (X bsr 30)) * 16#BF58476D1CE4E5B9) band ?MASK64,
    Z = ((Y bxor (Y bsr 27)) * 16#94D049BB133111EB) band ?MASK64,
    {Z bxor (Z bsr 31), X}.

%% Xorshift116+.
exsp([S1 | S0]) ->
    A = S0 band ?MASK58,
    New = xorshift116(A, S1),
    {(A + New) band ?MASK58, [A | New]}.

%% Xorshift116**: the same state, better scrambled.
exsss([S1 | S0]) ->
    A = S0 band ?MASK58,
    {scramble(A), [A | xorshift116(A, S1)]}.

%% Shifts to the left drop the bits that would leave the word, before they can make a big integer.
xorshift116(S0, S1) ->
    B = (S1 band ?MASK58) bxor ((S1 band 16#3FFFFFFFF) bsl 24),
    B bxor S0 bxor (B bsr 11) bxor (S0 bsr 41).

%% Times 5, rotated by 7, times 9, modulo 2^58.
scramble(S) ->
    A = S + ((S band 16#FFFFFFFFFFFFFF) bsl 2),
    B = ((A band 16#7FFFFFFFFFFFF) bsl 7) bor ((A bsr 51) band 127),
    (B + ((B band 16#7FFFFFFFFFFFFF) bsl 3)) band ?MASK58.

%% 2^64 steps: the states at the set bits of a constant, added up.
exsp_jump(State) ->
    {State1, Sum} = exsp_jump(State, [0 | 0], 16#2F8EA6BC32C797, 58),
    {_, Sum1} = exsp_jump(State1, Sum, 16#345D2A0F85F788C, 58),
    Sum1.

exsp_jump(State, Sum, _, 0) -> {State, Sum};
exsp_jump([A | B] = State, [X | Y] = Sum, Constant, N) ->
    {_, Next} = exsp(State),
    Sum1 =
        case Constant band 1 of
            1 -> [X bxor A | Y bxor B];
            0 -> Sum
        end,
    exsp_jump(Next, Sum1, Constant bsr 1, N - 1).

%% Xoroshiro116+.
exrop([S0 | S1]) -> {(S0 + S1) band ?MASK58, exrop_state(S0, S1)}.

exrop_state(S0, S1) ->
    X = S0 bxor S1,
    [rotate(S0, 24) bxor X bxor ((X bsl 2) band ?MASK58) | rotate(X, 35)].

rotate(N, By) -> ((N bsl By) band ?MASK58) bor (N bsr (58 - By)).

exrop_jump(State) -> exrop_jump(State, 0, 0, 16#9863200F83FCD4A11293241FCB12A, 116).

exrop_jump(_, A, B, _, 0) -> [A | B];
exrop_jump([S0 | S1], A, B, Constant, N) ->
    Next = exrop_state(S0, S1),
    case Constant band 1 of
        1 -> exrop_jump(Next, A bxor S0, B bxor S1, Constant bsr 1, N - 1);
        0 -> exrop_jump(Next, A, B, Constant bsr 1, N - 1)
    end.

%% Xoroshiro928**. The ring is what is still to come and, in reverse, what has been.
exro928ss({[S15, S0 | Ss], Rs}) ->
    A = S0 band ?MASK58,
    Q = (S15 band ?MASK58) bxor A,
    {scramble(S0), {[rotate(Q, 45) | Ss], [rotate(A, 44) bxor Q bxor ((Q bsl 9) band ?MASK58) | Rs]}};
exro928ss({[S15], Rs}) -> exro928ss({[S15 | lists:reverse(Rs)], []}).

%% Xorshift1024*.
exs1024({[S0, S1 | Ss], Rs}) ->
    A = S1 bxor ((S1 bsl 31) band ?MASK64),
    New = (S0 bxor (S0 bsr 30)) bxor (A bxor (A bsr 11)),
    {(New * 1181783497276652981) band ?MASK64, {[New | Ss], [S0 | Rs]}};
exs1024({[S], Rs}) -> exs1024({[S | lists:reverse(Rs)], []}).

%% Xorshift64*.
exs64(S) ->
    A = S bxor (S bsr 12),
    B = A bxor ((A bsl 25) band ?MASK64),
    C = B bxor (B bsr 27),
    {(C * 2685821657736338717) band ?MASK64, C}.

%% Floats: numerical integration, Newton's method, a discrete Fourier transform.
-module(flt_numeric).
-export([bench/0]).

bench() ->
    Signal = [math:sin(N / 5) + N rem 3 || N <- lists:seq(1, 128)],
    [{flt_integrate, 20000, fun() -> true = abs(integrate(20000) - 2) < 1.0e-6 end},
     {flt_newton, 10000, fun() -> true = abs(roots(10000, 0.0) - 666716.459) < 0.01 end},
     {flt_fourier, 128 * 7, fun() -> 128 = length(fourier([{X, 0.0} || X <- Signal])) end}].

%% The sine from 0 to pi, by the trapezoidal rule.
integrate(N) -> integrate(N, math:pi() / N, 0.0, 0.0).

integrate(0, Step, _, Sum) -> Sum * Step;
integrate(N, Step, X, Sum) -> integrate(N - 1, Step, X + Step, Sum + math:sin(X)).

%% The sum of the square roots of 1..N.
roots(0, Sum) -> Sum;
roots(N, Sum) -> roots(N - 1, Sum + newton(float(N), float(N), 40)).

newton(_, Guess, 0) -> Guess;
newton(A, Guess, N) ->
    Next = (Guess + A / Guess) * 0.5,
    if abs(Next - Guess) < 1.0e-9 * Next -> Next; true -> newton(A, Next, N - 1) end.

fourier([X]) -> [X];
fourier(L) ->
    {Even, Odd} = split(L, [], []),
    combine(fourier(Even), fourier(Odd), length(L), 0, [], []).

split([A, B | Rest], Even, Odd) -> split(Rest, [A | Even], [B | Odd]);
split([], Even, Odd) -> {lists:reverse(Even), lists:reverse(Odd)}.

combine([{A, B} | Even], [{C, D} | Odd], N, K, Low, High) ->
    Angle = -2 * math:pi() * K / N,
    {Cos, Sin} = {math:cos(Angle), math:sin(Angle)},
    {R, I} = {C * Cos - D * Sin, C * Sin + D * Cos},
    combine(Even, Odd, N, K + 1, [{A + R, B + I} | Low], [{A - R, B - I} | High]);
combine([], [], _, _, Low, High) -> lists:reverse(Low, lists:reverse(High)).

%% Sums, products and comparisons of floats in a loop.
-module(float_arithmetic_in_loops).
-export([main/0]).

main() ->
    show(sum(1, 1000, 0.0)),
    show(newton(2.0, 1.0, 20)),
    show(pi(100000, 1.0, 1, 0.0) > 3.14158),
    show([X / 4 || X <- lists:seq(1, 8)]),
    show(mandel(0.0, 0.0, -0.5, 0.5, 0)).

sum(N, N, Acc) -> Acc;
sum(I, N, Acc) -> sum(I + 1, N, Acc + 1 / (I * I)).

newton(_, X, 0) -> X;
newton(A, X, N) -> newton(A, (X + A / X) / 2, N - 1).

pi(0, _, _, Acc) -> Acc * 4;
pi(N, Sign, D, Acc) -> pi(N - 1, -Sign, D + 2, Acc + Sign / D).

mandel(X, Y, _, _, N) when X * X + Y * Y > 4.0; N >= 50 -> N;
mandel(X, Y, A, B, N) -> mandel(X * X - Y * Y + A, 2 * X * Y + B, A, B, N + 1).

show(X) -> io:format("~p~n", [X]).

%% expect: 1.6439335666815615
%% expect: 1.414213562373095
%% expect: true
%% expect: [0.25,0.5,0.75,1.0,1.25,1.5,1.75,2.0]
%% expect: 50

%% Precedence and associativity.
-module(operators_bind_as_the_manual_says).
-export([main/0]).

main() ->
    [A, B, C] = id([2, 3, 4]),
    show([A + B * C, (A + B) * C, A - B - C, A * B div C, -A * B, - - A, A bsl B + 1, A band B bor C, A rem B * C,
          A - -B, bnot A + 1, A div B * C]),
    show([[1] ++ [2] ++ [3], [1, 2, 3] -- [1] -- [1], [1, 2] -- ([2] ++ [1])]),
    show([A < B andalso B < C, not (A > B), (not true) =:= false, A == B orelse C > A]),
    show([A + B < B * C, A =:= A, [A] ++ [B] =:= [A, B], (A < B) =:= true]),
    show(begin catch A + B end),
    show([(catch A + 1 * 2), (X = Y = A)]),
    show({X, Y}).

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: [14,20,-5,1,-6,2,17,6,8,5,-2,0]
%% expect: [[1,2,3],[1,2,3],[]]
%% expect: [true,true,true,true]
%% expect: [true,true,true,true]
%% expect: 5
%% expect: [4,2]
%% expect: {2,2}

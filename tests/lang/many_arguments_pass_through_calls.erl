%% Functions and funs of many arguments.
-module(many_arguments_pass_through_calls).
-export([main/0]).

main() ->
    show(f(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)),
    F = fun(A, B, C, D, E, G, H, I, J, K) -> [K, J, I, H, G, E, D, C, B, A] end,
    show(F(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)),
    show(apply(F, lists:seq(11, 20))).

f(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T) ->
    g(T, S, R, Q, P, O, N, M, L, K, J, I, H, G, F, E, D, C, B, A).

g(A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T) ->
    {A, B, C, D, E, {F, G, H, I, J}, [K, L, M, N, O], P + Q, R - S, T}.

show(X) -> io:format("~p~n", [X]).

%% expect: {20,19,18,17,16,{15,14,13,12,11},[10,9,8,7,6],9,1,1}
%% expect: [10,9,8,7,6,5,4,3,2,1]
%% expect: [20,19,18,17,16,15,14,13,12,11]

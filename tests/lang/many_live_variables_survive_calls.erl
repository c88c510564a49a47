%% Forty variables alive across calls, in nested cases and funs.
-module(many_live_variables_survive_calls).
-export([main/0]).

main() ->
    show(f(1)).

f(N) ->
    A1 = id(N + 1), A2 = id(N + 2), A3 = id(N + 3), A4 = id(N + 4), A5 = id(N + 5), A6 = id(N + 6), A7 = id(N + 7), A8 = id(N + 8), A9 = id(N + 9), A10 = id(N + 10),
    B1 = id({A1}), B2 = id({A2}), B3 = id({A3}), B4 = id({A4}), B5 = id({A5}), B6 = id({A6}), B7 = id({A7}), B8 = id({A8}), B9 = id({A9}), B10 = id({A10}),
    C1 = id([B1, A10]), C2 = id([B2, A9]), C3 = id([B3, A8]), C4 = id([B4, A7]), C5 = id([B5, A6]), C6 = id([B6, A5]), C7 = id([B7, A4]), C8 = id([B8, A3]), C9 = id([B9, A2]), C10 = id([B10, A1]),
    F = fun(X) -> {X, A1, B2, C3, A4, B5, C6, A7, B8, C9, A10, B1, C2, A3} end,
    D = case id(A1 + A2) of
            5 -> E1 = id(C1), case id(E1) of [{2}, 11] -> id({E1, C2}); _ -> no end;
            _ -> E1 = none
        end,
    {A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, F(x), D, E1}.

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: {2,3,4,5,6,7,8,9,10,11,
%% expect:  {2},
%% expect:  {3},
%% expect:  {4},
%% expect:  {5},
%% expect:  {6},
%% expect:  {7},
%% expect:  {8},
%% expect:  {9},
%% expect:  {10},
%% expect:  {11},
%% expect:  [{2},11],
%% expect:  [{3},10],
%% expect:  [{4},9],
%% expect:  [{5},8],
%% expect:  [{6},7],
%% expect:  [{7},6],
%% expect:  [{8},5],
%% expect:  [{9},4],
%% expect:  [{10},3],
%% expect:  [{11},2],
%% expect:  {x,2,{3},[{4},9],5,{6},[{7},6],8,{9},[{10},3],11,{2},[{3},10],4},
%% expect:  {[{2},11],[{3},10]},
%% expect:  [{2},11]}

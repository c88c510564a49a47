%% Matrices as lists of lists; exact determinants with big integers.
-module(program_matrix_and_determinant).
-export([main/0]).

main() ->
    A = [[(I * J + I - J) rem 7 || J <- lists:seq(1, 5)] || I <- lists:seq(1, 5)],
    show(A),
    show(mul(A, A)),
    show(transpose(A)),
    show(det([[1 bsl 40, 3], [5, 1 bsl 41]])),
    show(det([[2, 0, 1], [1, 3, 2], [1, 1, 4]])).

mul(A, B) -> T = transpose(B), [[dot(R, C) || C <- T] || R <- A].

dot(X, Y) -> lists:sum([A * B || {A, B} <- lists:zip(X, Y)]).

transpose([[] | _]) -> [];
transpose(M) -> [[hd(R) || R <- M] | transpose([tl(R) || R <- M])].

det([[X]]) -> X;
det([Row | Rest]) -> det(Row, Rest, 1, []).

det([], _, _, _) -> 0;
det([X | Xs], Rest, Sign, Before) ->
    K = length(Before),
    Minor = [lists:sublist(R, K) ++ lists:nthtail(K + 1, R) || R <- Rest],
    Sign * X * det(Minor) + det(Xs, Rest, -Sign, [X | Before]).

show(X) -> io:format("~p~n", [X]).

%% expect: [[1,1,1,1,1],[3,4,5,6,0],[5,0,2,4,6],[0,3,6,2,5],[2,6,3,0,4]]
%% expect: [[11,14,17,13,16],"(%E;?",[27,53,51,21,61],"106.B","+222$"]
%% expect: [[1,3,5,0,2],[1,4,0,3,6],[1,5,2,6,3],[1,6,4,2,0],[1,0,6,5,4]]
%% expect: 2417851639229258349412337
%% expect: 18

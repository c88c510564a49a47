%% All solutions of the eight queens puzzle.
-module(program_eight_queens).
-export([main/0]).

main() ->
    S = queens(8),
    show(length(S)),
    show(hd(S)),
    show([length(queens(N)) || N <- lists:seq(1, 7)]).

queens(N) -> place(N, N).

place(0, _) -> [[]];
place(K, N) -> [[Q | Qs] || Qs <- place(K - 1, N), Q <- lists:seq(1, N), safe(Q, 1, Qs)].

safe(_, _, []) -> true;
safe(Q, D, [X | Xs]) -> Q =/= X andalso abs(Q - X) =/= D andalso safe(Q, D + 1, Xs).

show(X) -> io:format("~p~n", [X]).

%% expect: 92
%% expect: [4,2,7,3,6,8,5,1]
%% expect: [1,0,0,2,10,4,40]

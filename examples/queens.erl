%% The N queens puzzle: list comprehensions as search, and one process per first move.
%%
%%     erlet run examples/queens.erl [N]
-module(queens).
-export([main/1]).

main([]) -> main(["8"]);
main([Arg]) ->
    N = list_to_integer(Arg),
    Solutions = solve(N),
    io:format("~w queens: ~w solutions~n", [N, length(Solutions)]),
    case Solutions of
        [First | _] -> draw(First);
        [] -> ok
    end.

%% Each place for the first queen is a problem of its own: a process searches it and sends what it found.
solve(N) ->
    Self = self(),
    Searchers = [spawn_link(fun() -> Self ! {self(), extend(N - 1, N, [First])} end) || First <- lists:seq(1, N)],
    lists:append([receive {S, Found} -> Found end || S <- Searchers]).

%% All ways to place K more queens in front of those placed already. A board is the list of columns, the
%% latest row first.
extend(0, _, Board) -> [Board];
extend(K, N, Board) ->
    [Solution || Column <- lists:seq(1, N), safe(Column, 1, Board), Solution <- extend(K - 1, N, [Column | Board])].

safe(_, _, []) -> true;
safe(Column, Distance, [Queen | Board]) ->
    Column =/= Queen andalso abs(Column - Queen) =/= Distance andalso safe(Column, Distance + 1, Board).

draw(Board) ->
    N = length(Board),
    [io:format("~s~n", [[square(Column, Queen) || Column <- lists:seq(1, N)]]) || Queen <- Board],
    ok.

square(Queen, Queen) -> " Q";
square(_, _) -> " .".

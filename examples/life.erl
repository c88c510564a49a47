%% Conway's Game of Life with a process per cell.
%%
%%     erlet run examples/life.erl [GENERATIONS]
%%
%% Every cell tells its neighbours whether it lives, hears their eight answers, and knows its next state. There is
%% no clock and no lock: a message carries the generation it belongs to, and selective receive keeps those of a
%% faster neighbour for later.
-module(life).
-export([main/1]).

-define(WIDTH, 16).
-define(HEIGHT, 8).

main([]) -> main(["4"]);
main([Arg]) ->
    Generations = list_to_integer(Arg),
    Self = self(),
    Glider = [{2, 1}, {3, 2}, {1, 3}, {2, 3}, {3, 3}],
    Blinker = [{10, 3}, {11, 3}, {12, 3}],
    Alive = Glider ++ Blinker,
    Places = [{X, Y} || Y <- lists:seq(1, ?HEIGHT), X <- lists:seq(1, ?WIDTH)],
    Cells = maps:from_list([{P, spawn_link(fun() -> cell(P, Self) end)} || P <- Places]),
    maps:foreach(fun(Place, Cell) ->
        Neighbours = [maps:get(N, Cells) || N <- neighbours(Place)],
        Cell ! {start, Neighbours, lists:member(Place, Alive), Generations}
    end, Cells),
    [show(Generation, Places) || Generation <- lists:seq(0, Generations)],
    ok.

%% The board is a torus: the right edge touches the left one, the top the bottom.
neighbours({X, Y}) ->
    [{wrap(X + Dx, ?WIDTH), wrap(Y + Dy, ?HEIGHT)} || Dx <- [-1, 0, 1], Dy <- [-1, 0, 1], {Dx, Dy} =/= {0, 0}].

wrap(0, Max) -> Max;
wrap(I, Max) when I > Max -> 1;
wrap(I, _) -> I.

%% --- a cell

cell(Place, Screen) ->
    receive
        {start, Neighbours, Alive, Generations} -> live(Place, Screen, Neighbours, Alive, 0, Generations)
    end.

live(Place, Screen, Neighbours, Alive, Generation, Last) ->
    Screen ! {cell, Generation, Place, Alive},
    case Generation of
        Last ->
            ok;
        _ ->
            [N ! {neighbour, Generation, Alive} || N <- Neighbours],
            Count = count(Generation, length(Neighbours), 0),
            live(Place, Screen, Neighbours, next(Alive, Count), Generation + 1, Last)
    end.

%% Only messages of this generation; those of the next wait in the mailbox.
count(_, 0, Living) -> Living;
count(Generation, Waiting, Living) ->
    receive
        {neighbour, Generation, true} -> count(Generation, Waiting - 1, Living + 1);
        {neighbour, Generation, false} -> count(Generation, Waiting - 1, Living)
    end.

next(true, 2) -> true;
next(_, 3) -> true;
next(_, _) -> false.

%% --- the screen

show(Generation, Places) ->
    io:format("generation ~w~n", [Generation]),
    Marks = [receive {cell, Generation, P, Alive} -> mark(Alive) end || P <- Places],
    print(Marks).

print([]) -> ok;
print(Marks) ->
    {Row, Rest} = lists:split(?WIDTH, Marks),
    io:format("~s~n", [Row]),
    print(Rest).

mark(true) -> $#;
mark(false) -> $..

%% Maps: words counted, a breadth-first walk over a grid, and small records that are updated.
-module(map_graph).
-export([bench/0]).

bench() ->
    Words = [list_to_atom("word" ++ integer_to_list(N * N rem 97)) || N <- lists:seq(1, 5000)],
    Grid = maps:from_list([{{X, Y}, [{X + 1, Y}, {X - 1, Y}, {X, Y + 1}, {X, Y - 1}]}
                           || X <- lists:seq(1, 40), Y <- lists:seq(1, 40)]),
    [{map_count_words, 5000, fun() -> 5000 = lists:sum(maps:values(count(Words, #{}))) end},
     {map_walk_grid, 1600, fun() -> 78 = walk([{1, 1}], Grid, #{{1, 1} => true}, 0) end},
     {map_small_updates, 10000, fun() -> 10000 = step(10000, #{x => 0, y => 0, steps => 0, name => robot}) end}].

count([Word | Words], Counts) ->
    case Counts of
        #{Word := N} -> count(Words, Counts#{Word := N + 1});
        _ -> count(Words, Counts#{Word => 1})
    end;
count([], Counts) -> Counts.

%% The distance of the farthest node.
walk(Nodes, Grid, Seen, Distance) ->
    Visit = fun(Node, Acc) -> visit(maps:get(Node, Grid), Grid, Acc) end,
    case lists:foldl(Visit, {[], Seen}, Nodes) of
        {[], _} -> Distance;
        {Next, NowSeen} -> walk(Next, Grid, NowSeen, Distance + 1)
    end.

visit([Node | Nodes], Grid, {Next, Seen}) when is_map_key(Node, Grid), not is_map_key(Node, Seen) ->
    visit(Nodes, Grid, {[Node | Next], Seen#{Node => true}});
visit([_ | Nodes], Grid, Acc) -> visit(Nodes, Grid, Acc);
visit([], _, Acc) -> Acc.

step(0, #{steps := Steps}) -> Steps;
step(N, #{x := X, y := Y, steps := Steps} = Robot) -> step(N - 1, Robot#{x := X + 1, y := Y - X, steps := Steps + 1}).

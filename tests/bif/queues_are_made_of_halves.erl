%% The two lists of a queue, which a program sees when it prints one: what runs out gets half of the other list. (OTP 25.)
%% expect: {[],[]}
%% expect: {[1],[]}
%% expect: {[2],[1]}
%% expect: {[3,2],[1]}
%% expect: {[4,3],[1,2]}
%% expect: {[5,4,3],[1,2]}
%% expect: {[6,5,4,3,2],[1]} {[1],[6,5,4,3,2]}
%% expect: {[6,5],[2,3,4]} {[6,5],[3,4]} {[6,5],[4]} {[6],[5]} {[],[6]} {[],[]} 
%% expect: {[5,4,3,2],[1]} {[4,3,2],[1]} {[3,2],[1]} {[2],[1]} {[1],[]} {[],[]} 
%% expect: {[1],[5,4,3,2]} {[1],[4,3,2]} {[1],[3,2]} {[1],[2]} {[],[1]} {[],[]} 
%% expect: {[2,3,4],[6,5]} {[3,4],[6,5]} {[4],[6,5]} {[5],[6]} {[6],[]} {[],[]} 
%% expect: {[9,8,7,6,5],[2,3,4]} {[9,8,7,6,5],[3,4]} {[9,8,7,6,5],[4]} {[9,8],[5,6,7]} {[9,8],[6,7]} {[9,8],[7]} {[9],[8]} {[],[9]} {[],[]} 
%% expect: {[8,7,6,5],[1,2,3,4]} {[7,6,5],[1,2,3,4]} {[6,5],[1,2,3,4]} {[5],[1,2,3,4]} {[4,3],[1,2]} {[3],[1,2]} {[2],[1]} {[1],[]} {[],[]} 
%% expect: split 79391608
%% expect: split 96348295
%% expect: split 13077860
%% expect: filter 36337964
%% expect: delete_with 47330695
%% expect: delete_with_r 119964484
%% expect: filter 26812313
%% expect: delete_with 65601202
%% expect: delete_with_r 124745918
%% expect: filter 11896830
%% expect: delete_with 6255842
%% expect: delete_with_r 102061228
%% expect: delete 33298145
%% expect: delete_r 33298145
%% expect: delete 42004555
%% expect: delete_r 42004555
%% expect: delete 71220260
%% expect: delete_r 71220260
%% expect: filter 2015159
%% expect: filter 24633822
%% expect: filter 58330065
%% expect: filtermap 113370905
%% expect: filtermap 80312710
%% expect: filtermap 19706840
-module(queues_are_made_of_halves).
-export([main/0]).

main() ->
    [io:format("~w~n", [queue:from_list(lists:seq(1, N))]) || N <- lists:seq(0, 5)],
    Rear = lists:foldl(fun queue:in/2, queue:new(), lists:seq(1, 6)),
    Front = lists:foldl(fun queue:in_r/2, queue:new(), lists:seq(1, 6)),
    Both = queue:from_list(lists:seq(1, 9)),
    io:format("~w ~w~n", [Rear, Front]),
    Queues = [Rear, Front, Both],
    [walk(Q, Out) || Q <- Queues, Out <- [fun queue:out/1, fun queue:out_r/1]],
    [hash(split, [queue:split(N, Q) || N <- lists:seq(0, queue:len(Q))]) || Q <- Queues],
    [hash(F, [queue:F(fun(X) -> X > N end, Q) || N <- lists:seq(0, 9)]) || Q <- Queues, F <- [filter, delete_with, delete_with_r]],
    [hash(F, [queue:F(N, Q) || N <- lists:seq(0, 9)]) || Q <- Queues, F <- [delete, delete_r]],
    [hash(filter, [queue:filter(fun(X) when X > N -> [X, X]; (X) -> X =:= 1 end, Q) || N <- lists:seq(0, 9)]) || Q <- Queues],
    [hash(filtermap, [queue:filtermap(fun(X) when X > N -> {true, -X}; (X) -> X =:= 1 end, Q) || N <- lists:seq(0, 9)]) || Q <- Queues].

walk({[], []}, _) -> io:format("~n");
walk(Q, Out) ->
    {_, Rest} = Out(Q),
    io:format("~w ", [Rest]),
    walk(Rest, Out).

hash(F, Queues) -> io:format("~w ~w~n", [F, erlang:phash2(Queues)]).

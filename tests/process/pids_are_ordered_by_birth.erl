%% The younger process compares greater, whoever ended before it was born. OTP 25 prints the same.
-module(pids_are_ordered_by_birth).
-export([main/0]).

main() ->
    Forever = fun() -> receive stop -> ok end end,
    Pids = [begin in_between(I rem 5), spawn(Forever) end || I <- lists:seq(1, 1000)],
    io:format("~p~n", [lists:sort(Pids) =:= Pids]),
    io:format("~p~n", [Pids -- [P || P <- processes(), lists:member(P, Pids)]]),
    {Gone, Left} = lists:partition(fun(P) -> erlang:phash2(P) rem 3 =:= 0 end, Pids),
    [begin M = monitor(process, P), P ! stop, receive {'DOWN', M, _, _, _} -> ok end end || P <- Gone],
    Younger = [spawn(Forever) || _ <- Gone],
    io:format("~p~n", [lists:usort(Younger ++ Left) =:= Left ++ Younger]),
    io:format("~p~n", [self() < hd(Pids)]),
    %% Children of children, one after the other.
    Me = self(),
    Nest = fun Nest(0) -> Me ! done; Nest(N) -> Me ! self(), spawn(fun() -> Nest(N - 1) end) end,
    spawn(fun() -> Nest(100) end),
    Line = collect(),
    io:format("~p ~p~n", [length(Line), lists:sort(Line) =:= Line]).

%% Processes that come and go.
in_between(N) ->
    [begin {P, M} = spawn_monitor(fun() -> ok end), receive {'DOWN', M, process, P, _} -> ok end end || _ <- lists:seq(1, N)].

collect() ->
    receive done -> []; P when is_pid(P) -> [P | collect()] end.
%% expect: true
%% expect: []
%% expect: true
%% expect: true
%% expect: 100 true

%% Groups of processes: who is in them, who hears of changes, and that the dead are no members.
-module(groups_of_processes).

-export([main/0]).

main() ->
    {ok, Pg} = pg:start_link(),
    io:format("~p~n", [pg:start_link() =:= {error, {already_started, Pg}}]),
    [A, B] = [spawn(fun() -> receive stop -> ok end end) || _ <- [1, 2]],
    io:format("~p~n", [pg:get_members(group)]),
    io:format("~p~n", [[pg:join(group, A), pg:join(group, [A, B]), pg:join({other, 1}, self())]]),
    io:format("~p~n", [lists:sort(pg:get_members(group)) =:= lists:sort([A, A, B])]),
    io:format("~p~n", [lists:sort(pg:which_groups())]),
    {Ref, All} = pg:monitor_scope(),
    io:format("~p~n", [All =:= #{group => pg:get_members(group), {other, 1} => [self()]}]),
    {Ref2, [Self]} = pg:monitor({other, 1}),
    io:format("~p~n", [[pg:leave(group, A), pg:leave(group, self()), pg:leave(nothing, A)]]),
    A ! stop,
    changes(Ref, 2, [{A, a}, {B, b}, {Self, self}]),
    B ! stop,
    changes(Ref, 1, [{A, a}, {B, b}, {Self, self}]),
    pg:join({other, 1}, [self()]),
    changes(Ref2, 1, [{Self, self}]),
    io:format("~p ~p~n", [pg:get_members(group), pg:which_groups()]),
    io:format("~p ~p~n", [pg:demonitor(Ref2), pg:demonitor(Ref2)]),
    io:format("~p~n", [pg:leave({other, 1}, [self(), self()])]),
    changes(Ref, 2, [{Self, self}]),
    io:format("~p~n", [pg:which_local_groups()]),
    {ok, _} = pg:start(scope),
    io:format("~p ~p ~p~n", [pg:join(scope, g, self()), pg:get_local_members(scope, g) =:= [self()], pg:get_members(g)]),
    io:format("~p~n", [try pg:join(g, nobody) catch error:Reason -> Reason end]).

%% That many, and no more, with names for pids.
changes(Ref, 0, _) -> receive {Ref, Change, Group, _} -> io:format("also ~p ~p~n", [Change, Group]) after 20 -> ok end;
changes(Ref, Count, Names) ->
    receive
        {Ref, Change, Group, Pids} ->
            io:format("~p ~p ~p~n", [Change, Group, [proplists:get_value(Pid, Names) || Pid <- Pids]]),
            changes(Ref, Count - 1, Names)
    end.

%% expect: true
%% expect: []
%% expect: [ok,ok,ok]
%% expect: true
%% expect: [group,{other,1}]
%% expect: true
%% expect: [ok,not_joined,not_joined]
%% expect: leave group [a]
%% expect: leave group [a]
%% expect: leave group [b]
%% expect: join {other,1} [self]
%% expect: [] [{other,1}]
%% expect: ok false
%% expect: ok
%% expect: join {other,1} [self]
%% expect: leave {other,1} [self,self]
%% expect: []
%% expect: ok true []
%% expect: function_clause

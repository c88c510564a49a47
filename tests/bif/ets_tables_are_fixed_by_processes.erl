%% A table is fixed by a process as often as that says so, and no longer than it lives.
-module(ets_tables_are_fixed_by_processes).
-export([main/0]).

main() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{N} || N <- lists:seq(1, 100)]),
    ets:safe_fixtable(T, false),
    show(ets:info(T, fixed)),
    ets:safe_fixtable(T, true),
    ets:safe_fixtable(T, true),
    ets:safe_fixtable(T, false),
    show(ets:info(T, fixed)),
    ended(fun() -> ets:safe_fixtable(T, false) end),
    show(ets:info(T, fixed)),
    ets:safe_fixtable(T, false),
    show(ets:info(T, fixed)),
    ended(fun() -> ets:safe_fixtable(T, true), ets:safe_fixtable(T, true), First = ets:first(T), ets:delete(T, First), ets:next(T, First) end),
    show(ets:info(T, fixed)),
    show(ets:info(T, size)),
    ended(fun() -> catch ets:foldl(fun(_, _) -> exit(self(), kill), receive never -> ok end end, x, T) end),
    show(ets:info(T, fixed)),
    Other = ets:new(other, [public]),
    ets:safe_fixtable(Other, true),
    ets:delete(Other),
    show(ets:info(Other, fixed)).

ended(F) ->
    {Pid, Monitor} = spawn_monitor(F),
    receive {'DOWN', Monitor, process, Pid, _} -> ok end.

show(X) -> io:format("~p~n", [X]).

%% expect: false
%% expect: true
%% expect: true
%% expect: false
%% expect: false
%% expect: 99
%% expect: false
%% expect: undefined

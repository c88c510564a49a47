%% What an element costs in lists of 10 to 10,000,000 elements, in picoseconds: built, mapped, reversed and summed. Each list is
%% made in a process of its own, as programs make large ones, which ends with it.
-module(growth_lists).
-export([bench/0]).

bench() ->
    Sizes = [10, 100, 1000, 10000, 100000, 1000000, 10000000],
    [{growth_lists_build, metrics, fun() -> [measured("growth_lists_build_", fun build/1, N) || N <- Sizes] end},
     {growth_lists_map, metrics, fun() -> [measured("growth_lists_map_", fun map/1, N) || N <- Sizes] end},
     {growth_lists_keep, metrics, fun() -> [measured("growth_lists_keep_", fun keep/1, N) || N <- Sizes] end}].

measured(Prefix, Fun, N) ->
    Rounds = max(2, 10000000 div N),
    in_process(fun() -> rounds(max(1, Rounds div 10), Fun, N) end),
    Times = [in_process(fun() -> rounds(Rounds, Fun, N) end) || _ <- [1, 2, 3]],
    {list_to_atom(Prefix ++ integer_to_list(N)), lists:min(Times) * 1000 div (Rounds * N)}.

in_process(Fun) ->
    {Pid, Ref} = spawn_monitor(fun() ->
        Start = erlang:monotonic_time(nanosecond),
        Fun(),
        exit({time, erlang:monotonic_time(nanosecond) - Start})
    end),
    receive {'DOWN', Ref, process, Pid, {time, Time}} -> Time end.

rounds(0, _, _) -> ok;
rounds(K, Fun, N) -> Fun(N), rounds(K - 1, Fun, N).

build(N) -> up(N, []).
up(0, List) -> List;
up(N, List) -> up(N - 1, [N | List]).

map(N) -> sum(twice(up(N, [])), 0).
twice([X | Rest]) -> [2 * X | twice(Rest)];
twice([]) -> [].

%% The list lives on while as much again is made beside it, three times.
keep(N) ->
    Kept = up(N, []),
    lists:foreach(fun(_) -> up(N, []) end, [1, 2]),
    sum(lists:reverse(Kept), 0).

sum([X | Rest], S) -> sum(Rest, S + X);
sum([], S) -> S.

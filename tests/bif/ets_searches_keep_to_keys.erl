%% Replacements keep the key, whatever they would come to; keys with open parts are found in their order; continuations outlive names.
-module(ets_searches_keep_to_keys).
-export([main/0]).

main() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{{N rem 3, N}, N} || N <- lists:seq(1, 9)] ++ [{a, x}, {[b, 1], y}, {[c, 2], z}]),
    show(ets:match(T, {{1, '$1'}, '_'})),
    show(ets:select(T, [{{{'$2', 5}, '$1'}, [], ['$1']}])),
    show(ets:match_object(T, {[b, '_'], '_'})),
    {First, Cont} = ets:select(T, [{{{2, '$1'}, '_'}, [], ['$1']}], 2),
    show({First, element(1, ets:select(Cont))}),
    show(ets:select_count(T, [{{'$1', '_'}, [{is_tuple, '$1'}], [true]}])),
    [show(replaced(T, Spec)) || Spec <- specs()],
    show(ets:lookup(T, {1, 4})),
    S = ets:new(s, [set, named_table, public]),
    ets:insert(S, [{N, N} || N <- lists:seq(1, 50)]),
    Reversed = ets:select_reverse(S, [{{'$1', '_'}, [], ['$1']}]),
    show(Reversed =:= ets:select(S, [{{'$1', '_'}, [], ['$1']}])),
    {_, More} = ets:select(S, [{{'$1', '_'}, [], ['$1']}], 1),
    ets:rename(S, other),
    ets:new(s, [set, named_table]),
    show(is_tuple(ets:select(More))),
    show(catch_badarg(fun() -> ets:match_object(other, {#{'$1' => '_'}, 7}) end)),
    show(catch_badarg(fun() -> ets:update_element(other, 1, [{2, 1} | {2, 2}]) end)),
    show(catch_badarg(fun() -> ets:update_counter(other, 1, [{2, 1} | {2, 2}]) end)),
    show(catch_badarg(fun() -> ets:next(T, '$end_of_table') end)),
    fixed().

specs() ->
    [[{{{'$1', '$3'}, '$2'}, [], [{{{{{'+', '$1', 0}, '$3'}}, '$2'}}]}],
     [{{{'$1', '$3'}, '$2'}, [], [{{{{'$3', '$1'}}, '$2'}}]}],
     [{{{1, '$3'}, '$2'}, [], [{{{{1, '$3'}}, {{'$2', new}}}}]}],
     [{{'$1', '$2'}, [{'=:=', '$1', a}], [{{'$1', new}}]}],
     [{{{2, 5}, '$2'}, [], [{{{const, {2, 5}}, const}}]}],
     [{{'_', x}, [], ['$_']}],
     [{{'_', z}, [], [{{{element, 1, '$_'}, zz}}]}]].

replaced(T, Spec) -> catch_badarg(fun() -> ets:select_replace(T, Spec) end).

catch_badarg(F) ->
    try F()
    catch error:badarg -> badarg
    end.

fixed() ->
    T = ets:new(t, [set]),
    ets:insert(T, [{N} || N <- lists:seq(1, 10)]),
    show([ets:info(T, safe_fixed), ets:info(T, safe_fixed_monotonic_time)]),
    First = ets:first(T),
    Before = erlang:monotonic_time(),
    ets:safe_fixtable(T, true),
    ets:safe_fixtable(T, true),
    After = erlang:monotonic_time(),
    {Time, Fixers} = ets:info(T, safe_fixed_monotonic_time),
    {{_, _, _}, Fixers} = ets:info(T, safe_fixed),
    show([Time >= Before, Time =< After, Fixers =:= [{self(), 2}]]),
    ets:delete_all_objects(T),
    show([ets:next(T, First), ets:info(T, size)]).

show(X) -> io:format("~p~n", [X]).

%% expect: [[1],[4],[7]]
%% expect: [5]
%% expect: [{[b,1],y}]
%% expect: {[2,5],"\b"}
%% expect: 9
%% expect: badarg
%% expect: badarg
%% expect: 3
%% expect: 1
%% expect: 1
%% expect: 0
%% expect: 1
%% expect: [{{1,4},{4,new}}]
%% expect: true
%% expect: true
%% expect: badarg
%% expect: badarg
%% expect: badarg
%% expect: badarg
%% expect: [false,false]
%% expect: [true,true,true]
%% expect: ['$end_of_table',0]

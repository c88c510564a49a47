%% match, match_object, match_delete, select.
-module(ets_matches).
-export([main/0]).

main() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{1, a, x}, {2, b, y}, {3, a, z}, {4, {a}, "s"}]),
    show([ets:match(T, {'$1', a, '_'}), ets:match(T, {'$2', '$1', '_'}), ets:match_object(T, {'_', a, '_'}), ets:match(T, {'$1', '$2', '$2'}), ets:match(T, '$1')]),
    show([ets:select(T, [{{'$1', '$2', '_'}, [{'>', '$1', 1}, {'is_atom', '$2'}], ['$1']}]), ets:select(T, [{{'$1', a, '$3'}, [], [{{'$3', '$1'}}]}]), ets:select(T, [{{'$1', '_', '_'}, [{'=:=', {'rem', '$1', 2}, 0}], ['$_']}]),
          ets:select_count(T, [{{'_', a, '_'}, [], [true]}])]),
    show(ets:match_delete(T, {'_', a, '_'})),
    show(ets:tab2list(T)),
    show(ets:select_delete(T, [{{4, '_', '_'}, [], [true]}])),
    show(ets:tab2list(T)).

show(X) -> io:format("~p~n", [X]).

%% expect: [[[1],[3]],
%% expect:  [[a,1],[b,2],[a,3],[{a},4]],
%% expect:  [{1,a,x},{3,a,z}],
%% expect:  [],
%% expect:  [[{1,a,x}],[{2,b,y}],[{3,a,z}],[{4,{a},"s"}]]]
%% expect: [[2,3],[{x,1},{z,3}],[{2,b,y},{4,{a},"s"}],2]
%% expect: true
%% expect: [{2,b,y},{4,{a},"s"}]
%% expect: 1
%% expect: [{2,b,y}]

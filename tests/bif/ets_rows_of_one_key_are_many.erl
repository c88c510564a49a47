%% A bag may have many rows of one key: what is done to all of them takes as long as they are many, and not the square of that.
%% plain only: takes long
-module(ets_rows_of_one_key_are_many).
-export([main/0]).

main() ->
    Rows = [{k, I, I rem 2} || I <- lists:seq(1, 20000)],
    B = filled(bag, Rows),
    true = ets:insert(B, lists:reverse(Rows)),
    true = ets:insert(B, [{k, 0, 0}, {k, 0, 0}, {k, 0, 0.0}, {k, 0, 0}]),
    show(ets:info(B, size)),
    show([lists:member(Row, ets:lookup(B, k)) || Row <- [{k, 0, 0}, {k, 0, 0.0}, {k, 0, 0.5}]]),
    %% From one key to the next past all rows of the first.
    true = ets:insert(B, [{l, 1, 1} | [{Key, I, x} || I <- lists:seq(1, 5000), Key <- [k, l]]]),
    show(lists:sort(keys(B, ets:first(B)))),
    show(ets:select_delete(B, [{{k, '_', x}, [], [true]}, {{l, '_', x}, [], [true]}])),
    true = ets:match_delete(B, {k, '_', 1}),
    show({ets:info(B, size), length(ets:lookup(B, k)), ets:lookup(B, l)}),
    show(ets:select_delete(B, [{{k, '$1', '_'}, [{'>', '$1', 100}], [true]}])),
    true = ets:delete_object(B, {k, 100, 0}),
    show(lists:last(lists:sort(ets:lookup(B, k)))),
    D = filled(duplicate_bag, Rows ++ Rows),
    true = ets:delete_object(D, {k, 7, 1}),
    show(ets:info(D, size)),
    show(ets:select_replace(D, [{{k, '$1', 0}, [], [{{k, '$1', new}}]}])),
    show(ets:select_count(D, [{{k, '_', new}, [], [true]}])),
    %% Deleted while a traversal goes on, and swept after it.
    true = ets:safe_fixtable(D, true),
    show(ets:select_delete(D, [{{k, '_', new}, [], [true]}])),
    true = ets:insert(D, {k, 1, last}),
    true = ets:safe_fixtable(D, false),
    show({ets:info(D, size), lists:member({k, 1, last}, ets:take(D, k)), ets:info(D, size)}),
    %% A queue: the first of those that are left comes after the places of all that were taken.
    S = filled(set, Rows0 = [{I, I} || I <- lists:seq(1, 20000)]),
    show(emptied(S, ets:first(S), 0) =:= lists:sum([I || {I, _} <- Rows0])),
    show(ets:first(S)).

filled(Kind, Rows) ->
    T = ets:new(t, [Kind]),
    true = ets:insert(T, Rows),
    T.

keys(_, '$end_of_table') -> [];
keys(T, Key) -> [Key | keys(T, ets:next(T, Key))].

emptied(_, '$end_of_table', Sum) -> Sum;
emptied(T, Key, Sum) ->
    true = ets:delete(T, Key),
    emptied(T, ets:first(T), Sum + Key).

show(X) -> io:format("~p~n", [X]).

%% expect: 20002
%% expect: [true,true,false]
%% expect: [k,l]
%% expect: 10000
%% expect: {10003,10002,[{l,1,1}]}
%% expect: 9950
%% expect: {k,98,0}
%% expect: 39998
%% expect: 20000
%% expect: 20000
%% expect: 20000
%% expect: {19999,true,0}
%% expect: true
%% expect: '$end_of_table'

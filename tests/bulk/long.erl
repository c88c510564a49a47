%% Long work of every kind, beside which a process on the same worker goes on ticking once a millisecond.
-module(long).
-export([main/0]).

%% Work that takes less says nothing: two ticks may fall on its edges.
-define(LONG_US, 60000).

main() ->
    Starved = [Result || Result <- work(), Result =/= fine],
    case Starved of
        [] -> ok;
        _ -> exit({starved, Starved})
    end.

during(Name, Work) ->
    Me = self(),
    Ticker = spawn(fun() -> ticker(Me, 0) end),
    receive {Ticker, ready} -> ok end,
    Before = erlang:monotonic_time(microsecond),
    Value = Work(),
    Elapsed = erlang:monotonic_time(microsecond) - Before,
    Ticker ! {stop, Me},
    Ticks = receive {Ticker, N} -> N end,
    true = Value =/= wrong,
    if
        Elapsed > ?LONG_US, Ticks < 3 -> {Name, Elapsed, Ticks};
        true -> fine
    end.

ticker(Me, Ticks) ->
    if Ticks =:= 0 -> Me ! {self(), ready}; true -> ok end,
    receive {stop, From} -> From ! {self(), Ticks}
    after 1 -> ticker(Me, Ticks + 1)
    end.

work() ->
    lists:append([lists(), bytes(), terms(), numbers(), tables()]).

lists() ->
    N = 10000000,
    L = lists:seq(1, N),
    Same = lists:seq(1, N),
    [during(length, fun() -> length(L) end),
     during('=:=', fun() -> L =:= Same end),
     during('==', fun() -> L == Same end),
     during('=<', fun() -> L =< Same end),
     during(max, fun() -> max(L, Same) end),
     during(reverse, fun() -> lists:reverse(L) end),
     during(append, fun() -> L ++ [last] end),
     during(member, fun() -> lists:member(nobody, L) end),
     during(keyfind, fun() -> lists:keyfind(nobody, 1, L) end),
     during(list_to_tuple, fun() -> list_to_tuple(L) end),
     during(send, fun() -> self() ! L, receive Got -> length(Got) end end),
     during(spawn, fun() -> {P, R} = spawn_monitor(fun() -> hd(L) end), receive {'DOWN', R, process, P, _} -> ok end end),
     during(collect, fun() -> erlang:garbage_collect() end)].

bytes() ->
    N = 3000000,
    S = lists:duplicate(N, $a),
    B = binary:copy(<<"a">>, N),
    Odd = <<0:1, B/binary>>,
    <<_:1, Unaligned/binary>> = Odd,
    [during(list_to_binary, fun() -> list_to_binary(S) end),
     during(iolist_to_binary, fun() -> iolist_to_binary([S, B, S]) end),
     during(iolist_size, fun() -> iolist_size([S, B, S]) end),
     during(binary_to_list, fun() -> binary_to_list(B) end),
     during(unaligned, fun() -> binary_to_list(Unaligned) end),
     during(unaligned_equality, fun() -> B =:= Unaligned end),
     during(matches, fun() -> binary:matches(B, <<"a">>) end),
     during(split, fun() -> binary:split(B, <<"a">>, [global]) end),
     during(replace, fun() -> binary:replace(B, <<"a">>, <<"bb">>, [global]) end),
     during(copy, fun() -> binary:copy(B, 100) end),
     during(characters_to_list, fun() -> unicode:characters_to_list(B) end),
     during(characters_to_binary, fun() -> unicode:characters_to_binary([S, S]) end),
     during(string_length, fun() -> string:length(S) end),
     during(uppercase, fun() -> string:uppercase(B) end),
     during(md5, fun() -> erlang:md5(binary:copy(B, 20)) end),
     during(crc32, fun() -> erlang:crc32([S, S]) end)].

terms() ->
    N = 1500000,
    L = lists:seq(1, N),
    M = maps:from_keys(L, value),
    T = term_to_binary([L, L]),
    Deep = deep(40),
    Deeper = deep(40),
    [during(subtract, fun() -> L -- L end),
     during(sort, fun() -> lists:sort([{X, X} || X <- lists:reverse(L)]) end),
     during(term_to_binary, fun() -> term_to_binary([L, L]) end),
     during(external_size, fun() -> erlang:external_size([L, L, L]) end),
     during(binary_to_term, fun() -> binary_to_term(T) end),
     during(phash2, fun() -> erlang:phash2([L, L]) end),
     during(print, fun() -> io_lib:format("~w", [L]) end),
     during(from_list, fun() -> maps:from_list([{X, X} || X <- L]) end),
     during(maps_keys, fun() -> maps:keys(M) end),
     during(maps_to_list, fun() -> maps:to_list(M) end),
     during(maps_merge, fun() -> maps:merge(M, #{x => y}) end),
     during(equal_maps, fun() -> M =:= maps:from_keys(L, value) end),
     during(large_key, fun() -> case #{L => 1, [L] => 2} of #{L := 1} -> ok; _ -> wrong end end),
     during(dictionary, fun() -> put(L, 1), erase(L) end),
     during(equal_shared, fun() -> case Deep =:= Deeper of true -> ok; false -> wrong end end),
     during(order_shared, fun() -> case Deep < Deeper of true -> wrong; false -> ok end end),
     during(send_shared, fun() -> case catch self() ! Deep of {'EXIT', {system_limit, _}} -> ok; _ -> wrong end end),
     during(encode_shared, fun() -> try term_to_binary(Deep) of _ -> wrong catch error:system_limit -> ok end end)].

numbers() ->
    Big = 1 bsl 8000000,
    Digits = lists:duplicate(1000000, $7),
    [during(product, fun() -> (Big + 1) * (Big - 1) end),
     during(quotient, fun() -> ((Big * Big) div (Big + 3)) end),
     during(integer_to_list, fun() -> integer_to_list(Big) end),
     during(list_to_integer, fun() -> list_to_integer(Digits) end)].

tables() ->
    N = 500000,
    Table = ets:new(table, [ordered_set]),
    Rows = [{X, X} || X <- lists:seq(1, N)],
    Same = [{key, X} || X <- lists:seq(1, N)],
    [Bag, Other, Twice] = [ets:new(table, [Kind]) || Kind <- [bag, bag, duplicate_bag]],
    ets:insert(Other, {other, 1}),
    [during(insert_of_one_key, fun() -> ets:insert(Bag, Same) end),
     during(insert_again, fun() -> [ets:insert(Bag, {key, X}) || X <- [0, 1, 2]], ets:insert(Bag, lists:nthtail(N - 100, Same)) end),
     during(lookup_of_one_key, fun() -> ets:lookup(Bag, key) end),
     during(next_of_one_key, fun() -> ets:insert(Other, Same), ets:next(Other, other), ets:next(Other, key) end),
     during(delete_object, fun() -> ets:delete_object(Bag, {key, 1}) end),
     during(match_delete, fun() -> ets:match_delete(Bag, {key, 0}), ets:match_delete(Bag, {key, '_'}) end),
     during(replace_of_one_key, fun() -> ets:insert(Twice, Same), ets:select_replace(Twice, [{{key, '$1'}, [], [{{key, {{'$1'}}}}]}]) end),
     during(select_delete, fun() -> ets:select_delete(Twice, [{{key, {'$1'}}, [{'>', '$1', 5}], [true]}]) end),
     during(delete_all_objects, fun() -> ets:delete_all_objects(Other) end),
     during(exit_of_owner, fun() -> {P, R} = spawn_monitor(fun() -> ets:insert(ets:new(mine, []), Rows) end),
                                    receive {'DOWN', R, process, P, Why} -> normal = Why end end),
     during(insert, fun() -> ets:insert(Table, Rows) end),
     during(insert_large, fun() -> ets:insert(Table, {large, Rows, Rows}) end),
     during(lookup_large, fun() -> ets:lookup(Table, large) end),
     during(tab2list, fun() -> ets:tab2list(Table) end),
     during(select, fun() -> ets:select(Table, [{{'$1', '$2'}, [{'>', '$2', 5}], ['$1']}]) end)].

deep(0) -> [leaf];
deep(N) -> A = deep(N - 1), [A | A].

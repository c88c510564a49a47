%% A table used a moment ago is not taken for another: deletion, renaming, new owners and new rights count at once.
-module(ets_a_table_is_found_as_it_is_now).
-export([main/1]).

main(_) ->
    ets:new(t, [named_table, public]),
    true = ets:insert(t, {k, 1}),
    2 = ets:update_counter(t, k, 1),
    ets:delete(t),
    io:format("~p~n", [failure(fun() -> ets:lookup(t, k) end)]),
    ets:new(t, [named_table, public]),
    io:format("~p~n", [ets:lookup(t, k)]),
    true = ets:insert(t, {k, 10}),
    u = ets:rename(t, u),
    io:format("~p~n", [failure(fun() -> ets:lookup(t, k) end)]),
    ets:new(t, [named_table, public]),
    io:format("~p~n", [{ets:lookup(t, k), ets:lookup(u, k)}]),
    Mine = ets:new(mine, [protected]),
    true = ets:insert(Mine, {k, 1}),
    Me = self(),
    Other = spawn(fun() -> other(Me) end),
    io:format("~p~n", [{ask(Other, {lookup, Mine}), ask(Other, {insert, Mine})}]),
    true = ets:give_away(Mine, Other, data),
    io:format("~p~n", [{ask(Other, {insert, Mine}), failure(fun() -> ets:insert(Mine, {k, 3}) end), ets:lookup(Mine, k)}]),
    Wide = ets:new(wide, [{keypos, 2}]),
    true = ets:insert(Wide, {a, key, 1 bsl 59, small}),
    io:format("~p~n", [failure(fun() -> ets:insert(Wide, {short}) end)]),
    %% Beyond the small integers, and back.
    io:format("~p~n", [[ets:update_counter(Wide, key, N) || N <- [0, 1 bsl 59, -1, 6 - (1 bsl 60)]]]),
    io:format("~p~n", [failure(fun() -> ets:update_counter(Wide, nobody, 1) end)]),
    io:format("~p~n", [ets:lookup(Wide, key)]).

failure(F) ->
    try F()
    catch error:Reason -> {'EXIT', Reason}
    end.

ask(Pid, Question) ->
    Pid ! Question,
    receive {answer, Answer} -> Answer end.

other(Parent) ->
    receive
        {lookup, T} -> Parent ! {answer, ets:lookup(T, k)};
        {insert, T} -> Parent ! {answer, failure(fun() -> ets:insert(T, {k, 2}) end)};
        {'ETS-TRANSFER', _, _, _} -> ok
    end,
    other(Parent).

%% expect: {'EXIT',badarg}
%% expect: []
%% expect: {'EXIT',badarg}
%% expect: {[],[{k,10}]}
%% expect: {[{k,1}],{'EXIT',badarg}}
%% expect: {true,{'EXIT',badarg},[{k,2}]}
%% expect: {'EXIT',badarg}
%% expect: [576460752303423488,1152921504606846976,1152921504606846975,5]
%% expect: {'EXIT',badarg}
%% expect: [{a,key,5,small}]

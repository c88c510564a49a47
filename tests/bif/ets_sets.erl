%% ets set: new, insert, lookup, delete, member, update_counter, tab2list, info.
-module(ets_sets).
-export([main/0]).

main() ->
    T = ets:new(tab, []),
    show(ets:insert(T, {a, 1})),
    show(ets:insert(T, [{b, 2}, {c, 3}])),
    show([ets:lookup(T, a), ets:lookup(T, z), ets:member(T, b), ets:insert_new(T, {a, 9}), ets:insert_new(T, {d, 4})]),
    show([ets:update_counter(T, a, 5), ets:update_counter(T, a, {2, -1}), ets:update_counter(T, a, {2, 10, 12, 0}), ets:update_counter(T, n, 1, {n, 100}), ets:update_element(T, b, {2, x}), ets:lookup(T, b)]),
    show(lists:sort(ets:tab2list(T))),
    show([ets:delete(T, a), ets:lookup(T, a), ets:info(T, size), ets:info(T, type), ets:lookup_element(T, c, 2)]),
    ets:insert(T, {1, i}), ets:insert(T, {1.0, f}),
    show([ets:lookup(T, 1), ets:lookup(T, 1.0)]),
    show(ets:foldl(fun(_, N) -> N + 1 end, 0, T)),
    show(ets:take(T, 1)),
    show(ets:delete_all_objects(T)),
    show(ets:tab2list(T)),
    show(ets:delete(T)),
    show([attempt(F) || F <- [fun() -> ets:lookup(T, a) end, fun() -> ets:insert(id(nope), {a}) end]]),
    U = ets:new(named, [named_table, public, {keypos, 2}]),
    show(U),
    show(ets:insert(named, {x, key})),
    show(ets:lookup(named, key)),
    show([attempt(F) || F <- [fun() -> ets:insert(named, id({short})) end, fun() -> ets:insert(named, id(a)) end, fun() -> ets:lookup_element(named, zz, 1) end,
                              fun() -> ets:update_counter(named, zz, 1) end, fun() -> ets:new(named, [named_table]) end, fun() -> ets:new(id("x"), []) end, fun() -> ets:new(x, [id(nonsense)]) end]]),
    show(ets:whereis(nope)),
    show(ets:info(nope)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: true
%% expect: true
%% expect: [[{a,1}],[],true,false,true]
%% expect: [6,5,0,101,true,[{b,x}]]
%% expect: [{a,0},{b,x},{c,3},{d,4},{n,101}]
%% expect: [true,[],4,set,3]
%% expect: [[{1,i}],[{1.0,f}]]
%% expect: 6
%% expect: [{1,i}]
%% expect: true
%% expect: []
%% expect: true
%% expect: [{error,badarg},{error,badarg}]
%% expect: named
%% expect: true
%% expect: [{x,key}]
%% expect: [{error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg}]
%% expect: undefined
%% expect: undefined

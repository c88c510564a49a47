%% A table dies with its owner; protected tables are read by all, private by none.
-module(ets_tables_belong_to_processes).
-export([main/0]).

main() ->
    Self = self(),
    P = spawn(fun() -> T = ets:new(t, [protected]), ets:insert(T, {k, v}), Q = ets:new(q, [private]), Self ! {T, Q}, receive stop -> ok end end),
    {T, Q} = receive M -> M end,
    show(ets:lookup(T, k)),
    show([attempt(F) || F <- [fun() -> ets:insert(T, {k, w}) end, fun() -> ets:lookup(Q, k) end]]),
    R = monitor(process, P),
    P ! stop,
    receive {'DOWN', R, _, _, _} -> ok end,
    show(attempt(fun() -> ets:lookup(T, k) end)),
    show(ets:info(T)),
    A = spawn(fun() -> U = ets:new(given, [public]), ets:insert(U, {x, 1}), ets:give_away(U, Self, gift), receive stop -> ok end end),
    {'ETS-TRANSFER', U, A, gift} = receive X -> X end,
    exit(A, kill),
    show(ets:lookup(U, x)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

%% expect: [{k,v}]
%% expect: [{error,badarg},{error,badarg}]
%% expect: {error,badarg}
%% expect: undefined
%% expect: [{x,1}]

%% register, whereis, send by name, unregister, and the name's end with its process.
-module(registered_names).
-export([main/0]).

main() ->
    show(register(me, self())),
    show(whereis(me) =:= self()),
    me ! by_name,
    show(receive M -> M end),
    {me, node()} ! by_node,
    show(receive M2 -> M2 end),
    show(lists:member(me, registered())),
    show(process_info(self(), registered_name)),
    show(attempt(fun() -> register(me2, self()) end)),
    show(attempt(fun() -> register(me, spawn(fun() -> receive after 100 -> ok end end)) end)),
    show(unregister(me)),
    show(whereis(me)),
    show(process_info(self(), registered_name)),
    show(attempt(fun() -> unregister(me) end)),
    show(attempt(fun() -> register(undefined, self()) end)),
    show(attempt(fun() -> register("me", self()) end)),
    Dead = spawn(fun() -> ok end),
    wait_dead(Dead),
    show(attempt(fun() -> register(dead, Dead) end)),
    show(whereis(dead)).

wait_dead(P) -> Ref = monitor(process, P), receive {'DOWN', Ref, _, _, _} -> ok end.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

%% expect: true
%% expect: true
%% expect: by_name
%% expect: by_node
%% expect: true
%% expect: {registered_name,me}
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: true
%% expect: undefined
%% expect: []
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: undefined

%% link/1 to a dead process: EXIT noproc for one that traps exits, the error noproc for another.
-module(linking_to_a_dead_process).
-export([main/0]).

main() ->
    Dead = dead(),
    process_flag(trap_exit, true),
    show(link(Dead)),
    receive {'EXIT', Dead, R} -> show(R) end,
    process_flag(trap_exit, false),
    show(attempt(fun() -> link(Dead) end)),
    show(link(self())),
    show(attempt(fun() -> link(id(a)) end)).

dead() ->
    {P, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, _, _, _} -> P end.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: true
%% expect: noproc
%% expect: {error,noproc}
%% expect: true
%% expect: {error,badarg}

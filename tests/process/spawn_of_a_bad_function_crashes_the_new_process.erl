%% The spawner goes on; the child dies with undef or badarity.
%% differs from OTP 25: its compiler drops what follows spawn_link of a fun with the wrong arity
-module(spawn_of_a_bad_function_crashes_the_new_process).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    P = spawn_link(no_such_module, f, [1]),
    receive {'EXIT', P, {undef, [{no_such_module, f, [1], []} | _]}} -> show(undef) end,
    Q = spawn_link(fun(_) -> ok end),
    receive {'EXIT', Q, {{badarity, {F, []}}, _}} -> show({badarity, is_function(F, 1)}) end.

show(X) -> io:format("~p~n", [X]).

%% expect: undef
%% expect: {badarity,true}

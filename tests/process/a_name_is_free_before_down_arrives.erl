%% When DOWN or EXIT is received the dead process has no name any more.
-module(a_name_is_free_before_down_arrives).
-export([main/0]).

main() ->
    show([once(I) || I <- lists:seq(1, 50)] =:= lists:duplicate(50, ok)).

once(_) ->
    P = spawn(fun() -> receive stop -> ok end end),
    register(name, P),
    Ref = monitor(process, P),
    P ! stop,
    receive {'DOWN', Ref, process, P, normal} -> ok end,
    undefined = whereis(name),
    true = register(name, self()),
    true = unregister(name),
    ok.

show(X) -> io:format("~p~n", [X]).

%% expect: true

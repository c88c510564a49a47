%% unlink and link again: only the new link's exit counts.
-module(an_old_links_exit_does_not_reach_a_new_link).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    show(rounds(100)).

rounds(0) -> ok;
rounds(N) ->
    P = spawn_link(fun() -> receive go -> exit(N) end end),
    unlink(P),
    P ! go,
    catch link(P),
    receive
        {'EXIT', P, N} -> rounds(N - 1);
        {'EXIT', P, noproc} -> rounds(N - 1);
        Other -> {wrong, Other}
    after 60000 -> no_exit
    end.

show(X) -> io:format("~p~n", [X]).

%% expect: ok

%% Work on terms that sharing makes astronomical ends with its process: exit/2 acts in the middle of it.
%% plain only: without threads the work is done in place, to its end
%% never on OTP: it would not come back
-module(a_kill_ends_work_that_would_never_end).
-export([main/0]).

main() ->
    show(ends(kill, fun() -> erlang:phash2(deep(45)) end)),
    show(ends(enough, fun() -> erlang:phash2({deep(45)}) end)),
    show(ends(enough, fun() -> process_flag(trap_exit, true), Self = self(), spawn_link(fun() -> exit(Self, ignored), timer:sleep(50), exit(Self, kill) end), erlang:phash2(deep(45)) end)),
    show(ends(kill, fun() -> #{deep(45) => 1} end)).

ends(Why, Work) ->
    {Pid, Monitor} = spawn_monitor(Work),
    timer:sleep(100),
    exit(Pid, Why),
    receive {'DOWN', Monitor, process, Pid, Reason} -> reason(Reason)
    after 20000 -> never
    end.

%% A key that large may be refused before the signal comes.
reason({system_limit, _}) -> killed;
reason(system_limit) -> killed;
reason(Reason) -> Reason.

deep(0) -> [leaf];
deep(N) -> A = deep(N - 1), [A | A].

show(X) -> io:format("~p~n", [X]).

%% expect: killed
%% expect: enough
%% expect: killed
%% expect: killed

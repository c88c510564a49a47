%% A report of something too large to be written is made without it, and the next report is as any other.
%% never on OTP: it writes integers of any size
%% plain only: the integer is large
-module(what_cannot_be_written_is_reported_without_it).
-export([main/0]).

main() ->
    N = 1 bsl 10000000,
    Logger = whereis(logger),
    {_, Monitor} = spawn_monitor(fun() -> exit({error, [N]}) end),
    receive {'DOWN', Monitor, process, _, {error, [N]}} -> ok end,
    {_, Other} = spawn_monitor(fun() -> error({bad, N}) end),
    receive {'DOWN', Other, process, _, _} -> ok end,
    logger:error("~p", [N]),
    logger:error(#{number => N}),
    erlet_reporter:flush(),
    show({is_pid(Logger), whereis(logger) =:= Logger}).

show(X) -> io:format("~p~n", [X]).

%% expect: {true,true}

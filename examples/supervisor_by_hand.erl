%% "Let it crash": a supervisor written by hand with links and trapped exits.
%%
%%     erlet run examples/supervisor_by_hand.erl
%%
%% The worker is a counter that dies when it is asked to divide by zero. The supervisor is linked to it and
%% traps exits, so the crash arrives as a message; it starts a new worker under the same name, but gives up
%% after too many crashes. (The crash reports on standard error are part of the show.)
-module(supervisor_by_hand).
-export([main/1]).

-define(MAX_RESTARTS, 3).

main(_) ->
    process_flag(trap_exit, true),
    Supervisor = spawn_link(fun supervisor/0),
    await(counter),
    io:format("5 -> ~w~n", [call(counter, {add, 5})]),
    io:format("7 -> ~w~n", [call(counter, {add, 7})]),
    lists:foreach(fun(N) ->
        io:format("crash ~w -> ~w~n", [N, call(counter, {divide, 0})]),
        case N > ?MAX_RESTARTS of
            false ->
                await(counter),
                io:format("a new counter starts at ~w~n", [call(counter, {add, 0})]);
            true ->
                receive
                    {'EXIT', Supervisor, Reason} -> io:format("the supervisor gave up: ~w~n", [Reason])
                end
        end
    end, lists:seq(1, ?MAX_RESTARTS + 1)).

%% --- the supervisor

supervisor() ->
    process_flag(trap_exit, true),
    supervise(start_worker(), 0).

supervise(Worker, Restarts) ->
    receive
        {'EXIT', Worker, _Reason} when Restarts >= ?MAX_RESTARTS -> exit(too_many_restarts);
        {'EXIT', Worker, _Reason} -> supervise(start_worker(), Restarts + 1);
        {'EXIT', _Parent, Reason} -> exit(Reason)
    end.

start_worker() ->
    spawn_link(fun() -> register(counter, self()), counter(0) end).

%% --- the worker

counter(Sum) ->
    receive
        {add, N, From, Ref} ->
            From ! {Ref, Sum + N},
            counter(Sum + N);
        {divide, N, From, Ref} ->
            Quotient = Sum div N,
            From ! {Ref, Quotient},
            counter(Quotient)
    end.

%% A call that does not wait for ever on a dead worker: the monitor's DOWN comes instead of an answer.
call(Name, {Request, Argument}) ->
    Pid = whereis(Name),
    Ref = monitor(process, Pid),
    Pid ! {Request, Argument, self(), Ref},
    receive
        {Ref, Answer} -> demonitor(Ref, [flush]), Answer;
        {'DOWN', Ref, process, _, {Reason, _Stack}} -> {crashed, Reason}
    end.

%% Waits until the name is taken (again).
await(Name) ->
    case whereis(Name) of
        undefined -> receive after 1 -> await(Name) end;
        Pid -> Pid
    end.

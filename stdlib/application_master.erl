%% What stands above an application: its group leader, which passes on what its processes read and write, and by which they are known.
%%
%% The master has one process below it that runs the callback module: that one is the parent of what the callback starts, waits for its
%% end, and ends it when the application is stopped. Whatever the application has left then is killed.
-module(application_master).

-export([start/4, stop/1]).
-export([init/4, starter/4]).

-type start_phases() :: undefined | [{atom(), term()}].

%% Starts an application for the controller, who is told of it: `{started, Master, ok | {error, Reason}}`. The master, with a monitor.
-spec start(pid(), atom(), {module(), term()}, start_phases()) -> {pid(), reference()}.
start(Controller, Name, Mod, Phases) ->
    Master = proc_lib:spawn(?MODULE, init, [Controller, Name, Mod, Phases]),
    {Master, monitor(process, Master)}.

%% Stops the application; then the master ends.
-spec stop(pid()) -> ok.
stop(Master) ->
    Master ! stop,
    ok.

init(Controller, _Name, Mod, Phases) ->
    process_flag(trap_exit, true),
    Leader = group_leader(),
    group_leader(self(), self()),
    Starter = spawn_link(?MODULE, starter, [self(), Controller, Mod, Phases]),
    loop(Leader, Starter, monitor(process, Controller)).

loop(Leader, Starter, Watch) ->
    receive
        Request when element(1, Request) =:= io_request ->
            Leader ! Request,
            loop(Leader, Starter, Watch);
        stop ->
            Starter ! {stop, self()},
            loop(Leader, Starter, Watch);
        {'DOWN', Watch, process, _, _} ->
            Starter ! {stop, self()},
            loop(Leader, Starter, Watch);
        {'EXIT', Starter, Reason} ->
            group_leader(Leader, self()),
            [exit(Pid, kill) || Pid <- processes(), process_info(Pid, group_leader) =:= {group_leader, self()}],
            terminate(Reason);
        _ -> loop(Leader, Starter, Watch)
    end.

terminate(Reason) -> exit(Reason).

%%% Below the master

starter(Master, Controller, {Module, Args}, Phases) ->
    process_flag(trap_exit, true),
    case callback(Module, Args) of
        {ok, Pid, Kept} when is_pid(Pid) ->
            link(Pid),
            case phases(Module, Phases) of
                ok ->
                    Controller ! {started, Master, ok},
                    run(Master, Pid, Module, Kept);
                Error ->
                    Controller ! {started, Master, Error},
                    finish(Pid, Module, Kept),
                    exit(element(2, Error))
            end;
        {error, Reason} ->
            Controller ! {started, Master, {error, Reason}},
            exit(Reason)
    end.

callback(Module, Args) ->
    Call = {Module, start, [normal, Args]},
    case catch Module:start(normal, Args) of
        {ok, Pid} when is_pid(Pid) -> {ok, Pid, []};
        {ok, Pid, Kept} when is_pid(Pid) -> {ok, Pid, Kept};
        {error, Reason} -> {error, {Reason, Call}};
        Other -> {error, {bad_return, {Call, Other}}}
    end.

phases(_, undefined) -> ok;
phases(_, []) -> ok;
phases(Module, [{Phase, Args} | Rest]) ->
    case catch Module:start_phase(Phase, normal, Args) of
        ok -> phases(Module, Rest);
        {error, Reason} -> {error, {Reason, {Module, start_phase, [Phase, normal, Args]}}};
        Other -> {error, {bad_return, {{Module, start_phase, [Phase, normal, Args]}, Other}}}
    end.

run(Master, Pid, Module, Kept) ->
    receive
        {stop, Master} ->
            finish(Pid, Module, Kept),
            exit(normal);
        {'EXIT', Master, _} ->
            finish(Pid, Module, Kept),
            exit(normal);
        {'EXIT', Pid, Reason} ->
            finish(Pid, Module, Kept),
            exit(Reason);
        _ -> run(Master, Pid, Module, Kept)
    end.

%% Ends the application's first process, between two callbacks.
finish(Pid, Module, Kept) ->
    Prepared =
        case erlang:function_exported(Module, prep_stop, 1) of
            true ->
                case catch Module:prep_stop(Kept) of
                    {'EXIT', _} -> Kept;
                    State -> State
                end;
            false -> Kept
        end,
    Monitor = monitor(process, Pid),
    exit(Pid, shutdown),
    receive {'DOWN', Monitor, process, Pid, _} -> ok end,
    catch Module:stop(Prepared),
    ok.

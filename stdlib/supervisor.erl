%% The supervisor: a server that starts other processes, restarts them when they die, and takes them down with it.
%%
%% Children are known by their ids and by their pids, so that one among many is found at once, and their ids are kept in a list with the
%% latest started first: the order in which they are taken down. Under `simple_one_for_one` there is one specification, and the
%% running children are a map of pids to their arguments.
%%
%% A restart that fails is not repeated on the spot: the supervisor sends itself a cast and stays open to requests, such as
%% the one to shut down. Every attempt counts towards the restart intensity.
-module(supervisor).
-behaviour(gen_server).

-export([start_link/2, start_link/3, start_child/2, restart_child/2, delete_child/2, terminate_child/2, which_children/1,
         which_child/2, count_children/1, check_childspecs/1, check_childspecs/2, get_childspec/2, get_callback_module/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2, code_change/3, format_status/2,
         format_log/1, format_log/2]).

-include("erlet_supervisor.hrl").

-callback init(term()) -> {ok, {map() | tuple(), [map() | tuple()]}} | ignore.

%% ids: the latest started first; children: from ids; pids: of those that run, to ids; spec: the one of simple_one_for_one;
%% dynamic: its running children, pid or {restarting, pid} to arguments; restarts: times of recent restarts in seconds, the latest
%% first.
-record(state, {name, strategy, intensity, period, auto_shutdown, ids = [], children = #{}, pids = #{}, spec, dynamic = #{},
                restarts = [], module, args}).

-define(IS_SIMPLE(State), State#state.strategy =:= simple_one_for_one).

%%% For clients

start_link(Module, Args) -> gen_server:start_link(supervisor, {self, Module, Args}, []).
start_link(Name, Module, Args) -> gen_server:start_link(Name, supervisor, {Name, Module, Args}, []).

start_child(Supervisor, Spec) -> call(Supervisor, {start_child, Spec}).
restart_child(Supervisor, Id) -> call(Supervisor, {restart_child, Id}).
delete_child(Supervisor, Id) -> call(Supervisor, {delete_child, Id}).
terminate_child(Supervisor, Id) -> call(Supervisor, {terminate_child, Id}).
get_childspec(Supervisor, Id) -> call(Supervisor, {get_childspec, Id}).
which_children(Supervisor) -> call(Supervisor, which_children).
which_child(Supervisor, Id) -> call(Supervisor, {which_child, Id}).
count_children(Supervisor) -> call(Supervisor, count_children).

call(Supervisor, Request) -> gen_server:call(Supervisor, Request, infinity).

check_childspecs(Specs) -> check_childspecs(Specs, undefined).

check_childspecs(Specs, AutoShutdown) when not is_list(Specs) ->
    _ = AutoShutdown,
    {error, {badarg, Specs}};
check_childspecs(Specs, AutoShutdown) ->
    case lists:member(AutoShutdown, [undefined, never, any_significant, all_significant]) of
        true ->
            case erlet_child_spec:children(Specs, AutoShutdown) of
                {ok, _} -> ok;
                Error -> Error
            end;
        false -> {error, {badarg, AutoShutdown}}
    end.

get_callback_module(Pid) ->
    {status, _, {module, _}, [_, _, _, _, Misc]} = sys:get_status(Pid),
    {_, [{"Callback", Module}]} = lists:keyfind(supervisor, 1, Misc),
    Module.

%%% Starting

init({Name, Module, Args}) ->
    process_flag(trap_exit, true),
    case Module:init(Args) of
        {ok, {Flags, Specs}} ->
            case erlet_child_spec:flags(Flags) of
                {ok, Checked} ->
                    Base = #state{name = if Name =:= self -> {self(), Module}; true -> Name end, module = Module, args = Args},
                    start(set_flags(Checked, Base), Specs);
                {error, Reason} -> {stop, {supervisor_data, Reason}}
            end;
        ignore -> ignore;
        Other -> {stop, {bad_return, {Module, init, Other}}}
    end.

set_flags(#{strategy := Strategy, intensity := Intensity, period := Period, auto_shutdown := AutoShutdown}, State) ->
    State#state{strategy = Strategy, intensity = Intensity, period = Period, auto_shutdown = AutoShutdown}.

start(State, Specs) when ?IS_SIMPLE(State) ->
    case Specs of
        [_] ->
            case erlet_child_spec:children(Specs, State#state.auto_shutdown) of
                {ok, [Spec]} -> {ok, State#state{spec = Spec}};
                {error, Reason} -> {stop, {start_spec, Reason}}
            end;
        _ -> {stop, {bad_start_spec, Specs}}
    end;
start(#state{name = Name, auto_shutdown = AutoShutdown} = State, Specs) ->
    case erlet_child_spec:children(Specs, AutoShutdown) of
        {ok, Children} ->
            case start_all(Children, Name, []) of
                {ok, Started} -> {ok, know(Started, State)};
                {error, Children1, Reason} ->
                    stop_all(Children1, Name),
                    {stop, {shutdown, Reason}}
            end;
        {error, Reason} -> {stop, {start_spec, Reason}}
    end.

%% In the order given. The result has the latest first; on failure those not started yet are in it, too.
start_all([#child{id = Id, restart = Restart} = Child | Children], Name, Started) ->
    case start_one(Child, Name) of
        {ok, undefined} when Restart =:= temporary -> start_all(Children, Name, Started);
        {ok, Pid} -> start_all(Children, Name, [Child#child{pid = Pid} | Started]);
        {ok, Pid, _} -> start_all(Children, Name, [Child#child{pid = Pid} | Started]);
        {error, Reason} ->
            report(start_error, Reason, Child, Name),
            {error, lists:reverse(Children, [Child | Started]), {failed_to_start_child, Id, Reason}}
    end;
start_all([], _, Started) -> {ok, Started}.

start_one(#child{start = {M, F, A}} = Child, Name) ->
    case run(M, F, A) of
        {ok, Pid} when is_pid(Pid) ->
            progress(Child#child{pid = Pid}, Name),
            {ok, Pid};
        {ok, Pid, Info} ->
            progress(Child#child{pid = Pid}, Name),
            {ok, Pid, Info};
        Other -> Other
    end.

run(M, F, A) ->
    case catch apply(M, F, A) of
        {ok, Pid} when is_pid(Pid) -> {ok, Pid};
        {ok, Pid, Info} when is_pid(Pid) -> {ok, Pid, Info};
        ignore -> {ok, undefined};
        {error, Reason} -> {error, Reason};
        Other -> {error, Other}
    end.

%%% Requests

handle_call({start_child, Args}, _, #state{spec = #child{start = {M, F, A}}} = State) when ?IS_SIMPLE(State) ->
    All = A ++ Args,
    case run(M, F, All) of
        {ok, Pid} when is_pid(Pid) -> {reply, {ok, Pid}, keep(Pid, All, State)};
        {ok, Pid, Info} -> {reply, {ok, Pid, Info}, keep(Pid, All, State)};
        Other -> {reply, Other, State}
    end;
handle_call({start_child, Spec}, _, #state{auto_shutdown = AutoShutdown} = State) ->
    case erlet_child_spec:child(Spec, AutoShutdown) of
        {ok, Child} ->
            {Reply, State1} = add_child(Child, State),
            {reply, Reply, State1};
        Error -> {reply, Error, State}
    end;
handle_call({terminate_child, Pid}, _, #state{spec = Spec} = State) when ?IS_SIMPLE(State) ->
    case is_pid(Pid) of
        true ->
            case dynamic_key(Pid, State) of
                {ok, Key} ->
                    stop_one(Spec#child{pid = Key}, State#state.name),
                    {reply, ok, State#state{dynamic = maps:remove(Key, State#state.dynamic)}};
                error ->
                    case is_process_alive(Pid) of
                        true -> {reply, {error, not_found}, State};
                        false -> {reply, ok, State}
                    end
            end;
        false -> {reply, {error, simple_one_for_one}, State}
    end;
handle_call({get_childspec, Id}, _, #state{spec = #child{id = SpecId} = Spec, dynamic = Dynamic} = State) when ?IS_SIMPLE(State) ->
    %% All children have the one specification; a process that has ended may have been one.
    IsChild =
        case is_pid(Id) of
            true -> is_map_key(Id, Dynamic) orelse is_map_key({restarting, Id}, Dynamic) orelse not is_process_alive(Id);
            false -> Id =:= SpecId
        end,
    Reply =
        case IsChild of
            true -> {ok, erlet_child_spec:to_spec(Spec)};
            false -> {error, not_found}
        end,
    {reply, Reply, State};
handle_call(which_children, _, #state{spec = #child{type = Type, modules = Modules}, dynamic = Dynamic} = State)
  when ?IS_SIMPLE(State) ->
    Show = fun({restarting, _}) -> {undefined, restarting, Type, Modules};
              (Pid) -> {undefined, Pid, Type, Modules}
           end,
    {reply, lists:map(Show, maps:keys(Dynamic)), State};
handle_call(count_children, _, #state{spec = #child{type = Type}, dynamic = Dynamic} = State) when ?IS_SIMPLE(State) ->
    Size = map_size(Dynamic),
    Active = length([Pid || Pid <- maps:keys(Dynamic), is_pid(Pid)]),
    {Supervisors, Workers} =
        case Type of
            supervisor -> {Size, 0};
            worker -> {0, Size}
        end,
    {reply, [{specs, 1}, {active, Active}, {supervisors, Supervisors}, {workers, Workers}], State};
handle_call({Request, _}, _, State) when ?IS_SIMPLE(State), (Request =:= restart_child orelse Request =:= delete_child) ->
    {reply, {error, simple_one_for_one}, State};
handle_call(which_children, _, State) -> {reply, lists:map(fun show/1, listed(State)), State};
handle_call(count_children, _, State) ->
    Children = listed(State),
    Count = fun(Pred) -> length(lists:filter(Pred, Children)) end,
    {reply, [{specs, length(Children)},
             {active, Count(fun(#child{pid = Pid}) -> is_pid(Pid) andalso is_process_alive(Pid) end)},
             {supervisors, Count(fun(#child{type = Type}) -> Type =:= supervisor end)},
             {workers, Count(fun(#child{type = Type}) -> Type =:= worker end)}], State};
handle_call({Request, Id}, _, #state{children = Children} = State) ->
    case Children of
        #{Id := Child} ->
            {Reply, State1} = on_child(Request, Child, State),
            {reply, Reply, State1};
        #{} -> {reply, {error, not_found}, State}
    end.

show(#child{id = Id, pid = {restarting, _}, type = Type, modules = Modules}) -> {Id, restarting, Type, Modules};
show(#child{id = Id, pid = Pid, type = Type, modules = Modules}) -> {Id, Pid, Type, Modules}.

on_child(terminate_child, Child, #state{name = Name} = State) ->
    stop_one(Child, Name),
    {ok, forget(Child, State)};
on_child(get_childspec, Child, State) -> {{ok, erlet_child_spec:to_spec(Child)}, State};
on_child(which_child, Child, State) -> {{ok, show(Child)}, State};
on_child(restart_child, #child{pid = undefined} = Child, #state{name = Name} = State) ->
    case start_one(Child, Name) of
        {ok, Pid} = Reply -> {Reply, update(Child#child{pid = Pid}, State)};
        {ok, Pid, _} = Reply -> {Reply, update(Child#child{pid = Pid}, State)};
        Error -> {Error, State}
    end;
on_child(delete_child, #child{id = Id, pid = undefined}, State) -> {ok, remove(Id, State)};
on_child(_, #child{pid = {restarting, _}}, State) -> {{error, restarting}, State};
on_child(_, _, State) -> {{error, running}, State}.

add_child(#child{id = Id, restart = Restart} = Child, #state{name = Name, children = Children} = State) ->
    case Children of
        #{Id := #child{pid = Pid}} when is_pid(Pid) -> {{error, {already_started, Pid}}, State};
        #{Id := _} -> {{error, already_present}, State};
        #{} ->
            case start_one(Child, Name) of
                {ok, undefined} when Restart =:= temporary -> {{ok, undefined}, State};
                {ok, Pid} = Reply -> {Reply, add(lean(Child#child{pid = Pid}), State)};
                {ok, Pid, _} = Reply -> {Reply, add(lean(Child#child{pid = Pid}), State)};
                {error, Reason} -> {{error, {Reason, Child}}, State}
            end
    end.

%% The arguments of a child that will never be restarted need not be kept.
lean(#child{restart = temporary, start = {M, F, _}} = Child) -> Child#child{start = {M, F, undefined}};
lean(Child) -> Child.

handle_cast({try_again_restart, Key}, State) ->
    case restarting_child(Key, State) of
        #child{} = Child -> restarted(restart(Child, State));
        false -> {noreply, State}
    end.

restarting_child(Key, #state{spec = Spec, dynamic = Dynamic} = State) when ?IS_SIMPLE(State) ->
    case Dynamic of
        #{Key := Args} -> with_args(Spec#child{pid = Key}, Args);
        #{} -> false
    end;
restarting_child(Id, #state{children = Children}) ->
    case Children of
        #{Id := #child{pid = {restarting, _}} = Child} -> Child;
        #{} -> false
    end.

with_args(#child{start = {M, F, _}} = Child, Args) -> Child#child{start = {M, F, Args}}.

handle_info({'EXIT', Pid, Reason}, State) ->
    case child_of(Pid, State) of
        #child{} = Child -> restarted(died(Reason, Child, State));
        false -> {noreply, State}
    end;
handle_info(Message, State) ->
    logger:log(error, "Supervisor received unexpected message: ~tp~n", [Message], #{domain => [otp]}),
    {noreply, State}.

restarted({ok, State}) -> {noreply, State};
restarted({shutdown, State}) -> {stop, shutdown, State}.

child_of(Pid, #state{spec = Spec, dynamic = Dynamic} = State) when ?IS_SIMPLE(State) ->
    case Dynamic of
        #{Pid := Args} -> with_args(Spec#child{pid = Pid}, Args);
        #{} -> false
    end;
child_of(Pid, #state{children = Children, pids = Pids}) ->
    case Pids of
        #{Pid := Id} -> map_get(Id, Children);
        #{} -> false
    end.

dynamic_key(Pid, #state{dynamic = Dynamic}) ->
    case Dynamic of
        #{Pid := _} -> {ok, Pid};
        #{{restarting, Pid} := _} -> {ok, {restarting, Pid}};
        #{} -> error
    end.

keep(Key, Args, #state{spec = #child{restart = temporary}, dynamic = Dynamic} = State) ->
    _ = Args,
    State#state{dynamic = Dynamic#{Key => undefined}};
keep(Key, Args, #state{dynamic = Dynamic} = State) -> State#state{dynamic = Dynamic#{Key => Args}}.

%% The children in the order in which they are taken down, and back.
listed(#state{ids = Ids, children = Children}) -> [map_get(Id, Children) || Id <- Ids].

know(Children, State) ->
    State#state{ids = [Id || #child{id = Id} <- Children], children = maps:from_list([{Id, Child} || #child{id = Id} = Child <- Children]),
                pids = maps:from_list([{Pid, Id} || #child{id = Id, pid = Pid} <- Children, is_pid(Pid)])}.

add(#child{id = Id} = Child, #state{ids = Ids} = State) -> update(Child, State#state{ids = [Id | Ids]}).

update(#child{id = Id, pid = Pid} = Child, #state{children = Children} = State) ->
    Pids = pids_without(Id, State),
    State#state{children = Children#{Id => Child}, pids = case is_pid(Pid) of true -> Pids#{Pid => Id}; false -> Pids end}.

remove(Id, #state{ids = Ids, children = Children} = State) ->
    State#state{ids = lists:delete(Id, Ids), children = maps:remove(Id, Children), pids = pids_without(Id, State)}.

pids_without(Id, #state{children = Children, pids = Pids}) ->
    case Children of
        #{Id := #child{pid = Pid}} -> maps:remove(Pid, Pids);
        #{} -> Pids
    end.

%% A child that is not coming back: temporary ones are gone, others stay known.
forget(#child{pid = Pid}, State) when ?IS_SIMPLE(State) -> State#state{dynamic = maps:remove(Pid, State#state.dynamic)};
forget(#child{id = Id, restart = temporary}, State) -> remove(Id, State);
forget(Child, State) -> update(Child#child{pid = undefined}, State).

%%% Deaths and restarts

died(Reason, #child{restart = permanent} = Child, State) ->
    report(child_terminated, Reason, Child, State#state.name),
    restart(Child, State);
died(Reason, Child, State) ->
    case {is_normal(Reason), Child#child.restart} of
        {true, _} -> auto_shutdown(Child, forget(Child, State));
        {false, transient} ->
            report(child_terminated, Reason, Child, State#state.name),
            restart(Child, State);
        {false, temporary} ->
            report(child_terminated, Reason, Child, State#state.name),
            auto_shutdown(Child, forget(Child, State))
    end.

is_normal(normal) -> true;
is_normal(shutdown) -> true;
is_normal({shutdown, _}) -> true;
is_normal(_) -> false.

auto_shutdown(#child{significant = true}, #state{auto_shutdown = any_significant} = State) -> {shutdown, State};
auto_shutdown(#child{significant = true}, #state{auto_shutdown = all_significant} = State) ->
    Left =
        case ?IS_SIMPLE(State) of
            true -> map_size(State#state.dynamic) > 0;
            false -> lists:any(fun(#child{pid = Pid, significant = S}) -> S andalso Pid =/= undefined end, listed(State))
        end,
    case Left of
        true -> {ok, State};
        false -> {shutdown, State}
    end;
auto_shutdown(_, State) -> {ok, State}.

restart(Child, #state{name = Name, intensity = Intensity, period = Period, restarts = Restarts} = State) ->
    Now = erlang:monotonic_time(second),
    Recent = [Now | lists:takewhile(fun(Time) -> Time >= Now - Period end, Restarts)],
    State1 = State#state{restarts = Recent},
    case length(Recent) =< Intensity of
        true ->
            case restart(State#state.strategy, Child, State1) of
                {{try_again, Key}, State2} ->
                    gen_server:cast(self(), {try_again_restart, Key}),
                    {ok, State2};
                Restarted -> Restarted
            end;
        false ->
            report(shutdown, reached_max_restart_intensity, Child, Name),
            {shutdown, forget(Child, State1)}
    end.

restart(simple_one_for_one, #child{pid = OldPid, start = {M, F, A}} = Child, #state{dynamic = Dynamic} = State) ->
    State1 = State#state{dynamic = maps:remove(OldPid, Dynamic)},
    case run(M, F, A) of
        {ok, Pid} -> {ok, keep(Pid, A, State1)};
        {ok, Pid, _} -> {ok, keep(Pid, A, State1)};
        {error, Reason} ->
            report(start_error, Reason, Child, State#state.name),
            Key = restarting(OldPid),
            {{try_again, Key}, keep(Key, A, State1)}
    end;
restart(one_for_one, #child{id = Id, pid = OldPid} = Child, #state{name = Name} = State) ->
    case start_one(Child, Name) of
        {ok, Pid} -> {ok, update(Child#child{pid = Pid}, State)};
        {ok, Pid, _} -> {ok, update(Child#child{pid = Pid}, State)};
        {error, Reason} ->
            report(start_error, Reason, Child, Name),
            {{try_again, Id}, update(Child#child{pid = restarting(OldPid)}, State)}
    end;
restart(one_for_all, Child, State) -> restart_all(Child, listed(State), [], State);
restart(rest_for_one, #child{id = Id} = Child, State) ->
    %% The child itself and all that were started after it.
    {Later, [Self | Earlier]} = lists:splitwith(fun(#child{id = Other}) -> Other =/= Id end, listed(State)),
    restart_all(Child, Later ++ [Self], Earlier, State).

restart_all(#child{id = Id, pid = OldPid} = Child, Children, Others, #state{name = Name} = State) ->
    Stopped = stop_all(listed(forget(Child, know(Children, State#state{strategy = one_for_all}))), Name),
    case start_all(lists:reverse(Stopped), Name, []) of
        {ok, Started} -> {ok, know(Started ++ Others, State)};
        {error, Known, {failed_to_start_child, FailedId, _}} ->
            Pid =
                case FailedId =:= Id of
                    true -> restarting(OldPid);
                    false -> {restarting, undefined}
                end,
            #state{children = #{FailedId := Failed}} = State1 = know(Known ++ Others, State),
            {{try_again, FailedId}, update(Failed#child{pid = Pid}, State1)}
    end.

restarting(Pid) when is_pid(Pid) -> {restarting, Pid};
restarting(Restarting) -> Restarting.

%%% Taking down

terminate(_, State) when ?IS_SIMPLE(State) -> stop_dynamic(State);
terminate(_, #state{name = Name} = State) -> stop_all(listed(State), Name).

%% One after the other; what is left are the children that can be started again.
stop_all([Child | Children], Name) ->
    stop_one(Child, Name),
    case Child of
        #child{restart = temporary} -> stop_all(Children, Name);
        _ -> [Child#child{pid = undefined} | stop_all(Children, Name)]
    end;
stop_all([], _) -> [].

stop_one(#child{pid = Pid, shutdown = Shutdown} = Child, Name) when is_pid(Pid) ->
    Monitor = monitor(process, Pid),
    exit(Pid, signal(Shutdown)),
    Timeout =
        case Shutdown of
            brutal_kill -> infinity;
            _ -> Shutdown
        end,
    Reason =
        receive
            {'DOWN', Monitor, process, Pid, Down} -> Down
        after Timeout ->
                exit(Pid, kill),
                receive {'DOWN', Monitor, process, Pid, Down} -> Down end
        end,
    check_end(exit_reason(Pid, Reason), Child, Name);
stop_one(_, _) -> ok.

signal(brutal_kill) -> kill;
signal(_) -> shutdown.

%% The linked child's exit signal tells the true reason; it must not stay in the mailbox.
exit_reason(Pid, Down) ->
    unlink(Pid),
    receive {'EXIT', Pid, Reason} -> Reason
    after 0 -> Down
    end.

check_end(Reason, Child, Name) ->
    case is_expected(Reason, Child) of
        true -> ok;
        false -> report(shutdown_error, Reason, Child, Name)
    end.

is_expected(killed, #child{shutdown = brutal_kill}) -> true;
is_expected(shutdown, #child{shutdown = Shutdown, restart = Restart}) -> Shutdown =/= brutal_kill orelse Restart =/= permanent;
is_expected(Reason, #child{restart = Restart}) -> Restart =/= permanent andalso is_normal(Reason).

%% All at the same time.
stop_dynamic(#state{spec = #child{shutdown = Shutdown} = Spec, dynamic = Dynamic, name = Name}) ->
    Monitors = maps:from_list([{monitor(process, Pid), Pid} || Pid <- maps:keys(Dynamic), is_pid(Pid)]),
    maps:foreach(fun(_, Pid) -> exit(Pid, signal(Shutdown)) end, Monitors),
    Timer =
        case is_integer(Shutdown) andalso map_size(Monitors) > 0 of
            true -> erlang:start_timer(Shutdown, self(), kill);
            false -> none
        end,
    Ends = await(Monitors, Timer, Spec, #{}),
    maps:foreach(fun(Reason, Count) -> report(shutdown_error, Reason, Spec#child{pid = {count, Count}}, Name) end, Ends).

%% How many have ended for each reason that was not to be expected.
await(Monitors, Timer, _, Ends) when map_size(Monitors) =:= 0 ->
    Timer =/= none andalso erlang:cancel_timer(Timer),
    receive {timeout, Timer, kill} -> ok
    after 0 -> ok
    end,
    Ends;
await(Monitors, Timer, Spec, Ends) ->
    receive
        {'DOWN', Monitor, process, Pid, Down} when is_map_key(Monitor, Monitors) ->
            Reason = exit_reason(Pid, Down),
            Ends1 =
                case is_expected(Reason, Spec) of
                    true -> Ends;
                    false -> maps:update_with(Reason, fun(Count) -> Count + 1 end, 1, Ends)
                end,
            await(maps:remove(Monitor, Monitors), Timer, Spec, Ends1);
        {timeout, Timer, kill} ->
            maps:foreach(fun(_, Pid) -> exit(Pid, kill) end, Monitors),
            await(Monitors, Timer, Spec, Ends)
    end.

%%% New code

code_change(_, #state{module = Module, args = Args} = State, _) ->
    case Module:init(Args) of
        {ok, {Flags, Specs}} ->
            case {erlet_child_spec:flags(Flags), erlet_child_spec:children(Specs, State#state.auto_shutdown)} of
                {{ok, Checked}, {ok, [Spec]}} when ?IS_SIMPLE(State) -> {ok, (set_flags(Checked, State))#state{spec = Spec}};
                {{ok, _}, {ok, Children}} when ?IS_SIMPLE(State) ->
                    #state{ids = Ids, children = Wrong} = know(lists:reverse(Children), State),
                    {error, {ok, {Ids, Wrong}}};
                {{ok, Checked}, {ok, Children}} -> {ok, merge_children(Children, set_flags(Checked, State))};
                {{error, {invalid_type, Wrong}}, _} -> {error, {bad_flags, Wrong}};
                {{error, _} = Error, _} -> Error;
                {_, Error} -> Error
            end;
        ignore -> {ok, State};
        Error -> Error
    end.

%% Known children keep their processes and get the new specification; those no longer mentioned stay as they are, and are the first
%% to be taken down.
merge_children(New, #state{children = Old} = State) ->
    Updated = [case Old of
                   #{Id := #child{pid = Pid}} -> Child#child{pid = Pid};
                   #{} -> Child
               end || #child{id = Id} = Child <- New],
    Mentioned = maps:from_keys([Id || #child{id = Id} <- New], true),
    Kept = [Child || #child{id = Id} = Child <- listed(State), not is_map_key(Id, Mentioned)],
    know(Kept ++ lists:reverse(Updated), State).

%%% Reports

format_status(terminate, [_, State]) -> State;
format_status(_, [_, #state{module = Module} = State]) ->
    [{data, [{"State", State}]}, {supervisor, [{"Callback", Module}]}].

report(Error, Reason, Child, Name) ->
    logger:log(error, #{label => {supervisor, Error},
                        report => [{supervisor, Name}, {errorContext, Error}, {reason, Reason}, {offender, facts(Child)}]},
               #{domain => [otp, sasl], report_cb => fun supervisor:format_log/2,
                 logger_formatter => #{title => "SUPERVISOR REPORT"},
                 error_logger => #{tag => error_report, type => supervisor_report, report_cb => fun supervisor:format_log/1}}).

progress(Child, Name) ->
    logger:log(info, #{label => {supervisor, progress}, report => [{supervisor, Name}, {started, facts(Child)}]},
               #{domain => [otp, sasl], report_cb => fun supervisor:format_log/2,
                 logger_formatter => #{title => "PROGRESS REPORT"},
                 error_logger => #{tag => info_report, type => progress, report_cb => fun supervisor:format_log/1}}).

facts(#child{pid = Pid, id = Id, start = Start, restart = Restart, significant = Significant, shutdown = Shutdown, type = Type}) ->
    [case Pid of {count, Count} -> {nb_children, Count}; _ -> {pid, Pid} end, {id, Id}, {mfargs, Start}, {restart_type, Restart}, {significant, Significant}, {shutdown, Shutdown},
     {child_type, Type}].

format_log(#{report := Report}) -> erlet_layout:format(layout(Report)).

format_log(#{report := Report}, Options) -> erlet_layout:text(layout(Report), single(Report), Options).

layout([{supervisor, _} = Supervisor | Report]) ->
    lists:append([["    ", atom_to_list(Key), ": ", part(Key, Value), "~n"] || {Key, Value} <- [Supervisor | Report]]).

part(supervisor, Name) -> {show, Name};
part(_, Value) -> {cut, Value}.

single([{supervisor, Name}, {started, Child}]) -> ["Supervisor: ", {show, Name}, "."] ++ child("Started:", Child);
single([{supervisor, Name}, {errorContext, Context}, {reason, Reason}, {offender, Child}]) ->
    ["Supervisor: ", {show, Name}, ". Context: ", {show, Context}, ". Reason: ", {show, Reason}, "."] ++ child("Offender:", Child);
single(_) -> [].

%% The title is text that may be cut, too.
child(Title, Child) ->
    {id, Id} = lists:keyfind(id, 1, Child),
    {Key, Value} =
        case lists:keyfind(pid, 1, Child) of
            false -> lists:keyfind(nb_children, 1, Child);
            Pid -> Pid
        end,
    [" ", {words, Title}, " id=", {word, Id}, ",", atom_to_list(Key), "=", {word, Value}, "."].

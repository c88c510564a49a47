%% The process `application_controller`: which applications are loaded, which run, and their environments.
%%
%% It starts with the first request that needs it. Descriptions and environments are rows of the table `ac_tab`, which everybody
%% reads; only this process writes. Each application that has a callback module runs under an `application_master` process, which says here how the
%% start went; meanwhile others are served, and what the callbacks ask of this process is answered.
%%
%% An application's description is its file `App.app` where modules are found, or else the `App.app.src` beside its sources, since
%% erlet runs modules from their sources; one that names no modules there has those beside it.
-module(application_controller).
-behaviour(gen_server).

-export([call/1, stop_all/0, environment/2, environments/1, description/1, application_of/1, running/0, loaded/0, start_type/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

-define(TABLE, ac_tab).

%% Those that are part of the system: loaded and running from the beginning.
-define(BUILT_IN, [{stdlib, "ERTS  CXC 138 10"}, {kernel, "ERTS  CXC 138 10"}]).

%% Applications of OTP whose modules are part of the library: they are loaded and started as if they had files.
-define(SHIPPED, [{compiler, "ERTS  CXC 138 10", [compile], []}, {crypto, "CRYPTO", [crypto], []}, {eunit, "EUnit", [eunit], []},
                  {sasl, "SASL  CXC 138 11", [alarm_handler, sasl], {sasl, []}}]).

%% running: newest first. starting: those whose callback is at work, with who waits for them. stopping: by their masters.
-record(state, {running = [], starting = [], stopping = []}).

-record(run, {name, master = undefined, monitor = undefined, restart, waiting = []}).

%%% For others

%% Asks the process, which is started first if that is needed.
call(Request) -> erlet_system:call({?MODULE, ?MODULE}, Request).

%% Stops all applications, the newest first, as the system ends.
stop_all() -> whereis(?MODULE) =:= undefined orelse gen_server:stop(?MODULE, shutdown, infinity).

environment(App, Key) -> row({env, App, Key}).

environments(App) -> [{Key, Value} || [Key, Value] <- matched({{env, App, '$1'}, '$2'}, ['$1', '$2'])].

%% What the application says of itself, in the order of `application:get_all_key/1`; all but its environment.
description(App) ->
    case {row({description, App}), lists:keyfind(App, 1, ?BUILT_IN)} of
        {undefined, {App, Text}} ->
            {ok, Description, []} = described(shipped(Text, [], [], [])),
            {ok, Description};
        {Found, _} -> Found
    end.

shipped(Text, Modules, Mod, Needed) ->
    [{description, Text}, {vsn, erlang:system_info(otp_release)}, {modules, Modules}, {mod, Mod}, {applications, Needed}].

%% The application that a process belongs to, by its group leader, or a module. What no application has and is in the library is
%% stdlib's.
application_of(Pid) when is_pid(Pid) ->
    case process_info(Pid, group_leader) of
        {group_leader, Leader} -> row({master, Leader});
        undefined -> undefined
    end;
application_of(Module) ->
    case matched({{module, '$1', Module}, '_'}, '$1') of
        [App | _] -> {ok, App};
        [] ->
            case code:which(Module) of
                preloaded -> {ok, stdlib};
                _ -> undefined
            end
    end.

%% `{Name, Description, Version}` of each, newest first.
running() ->
    case row(running) of
        {ok, Names} -> [told(Name) || Name <- Names] ++ built_in();
        undefined -> built_in()
    end.

loaded() -> [told(Name) || [Name] <- matched({{description, '$1'}, '_'}, ['$1'])] ++ built_in().

%% There are no other nodes to take an application over from.
start_type(Leader) ->
    case row({master, Leader}) of
        {ok, _} -> normal;
        undefined -> undefined
    end.

built_in() -> [{Name, Text, erlang:system_info(otp_release)} || {Name, Text} <- ?BUILT_IN].

told(Name) ->
    {ok, Description} = description(Name),
    {Name, value(description, Description), value(vsn, Description)}.

value(Key, List) ->
    {_, Value} = lists:keyfind(Key, 1, List),
    Value.

row(Key) ->
    try ets:lookup(?TABLE, Key) of
        [{_, Value}] -> {ok, Value};
        [] -> undefined
    catch error:badarg -> undefined
    end.

matched(Pattern, Wanted) ->
    try ets:select(?TABLE, [{Pattern, [], [Wanted]}])
    catch error:badarg -> []
    end.

%%% The process

init([]) ->
    process_flag(trap_exit, true),
    ?TABLE = ets:new(?TABLE, [named_table, {read_concurrency, true}]),
    {ok, #state{}}.

handle_call({load, What}, _, State) -> {reply, load(What), State};
handle_call({unload, Name}, _, State) -> {reply, unload(Name, State), State};
handle_call({start, Name, Restart}, From, State) -> start(Name, Restart, From, State);
handle_call({stop, Name}, From, State) -> stop(Name, From, State);
handle_call({set_env, Changes, Options}, _, State) ->
    [set(App, Key, Value, Options) || {App, Pairs} <- Changes, {Key, Value} <- Pairs],
    {reply, ok, State};
handle_call({unset_env, App, Key}, _, State) ->
    ets:delete(?TABLE, {env, App, Key}),
    ets:delete(?TABLE, {persistent, App, Key}),
    {reply, ok, State}.

handle_cast(_, State) -> {noreply, State}.

handle_info({started, Master, Result}, State) -> {noreply, started(Master, Result, State)};
handle_info({'DOWN', _, process, Master, Reason}, State) -> {noreply, ended(Master, Reason, State)};
handle_info(_, State) -> {noreply, State}.

%% The machine ends: so do the applications, in order.
terminate(_, #state{running = Running}) ->
    lists:foreach(
        fun(#run{master = Master, monitor = Monitor}) when is_pid(Master) ->
                application_master:stop(Master),
                receive {'DOWN', Monitor, process, _, _} -> ok end;
           (_) -> ok
        end, Running).

%%% Loading

load(Name) when is_atom(Name) ->
    case is_loaded(Name) of
        true -> {error, {already_loaded, Name}};
        false ->
            case read(Name) of
                {ok, Description} -> load(Description);
                Error -> Error
            end
    end;
load({application, Name, Keys}) when is_atom(Name), is_list(Keys) ->
    case {is_loaded(Name), described(Keys)} of
        {true, _} -> {error, {already_loaded, Name}};
        {false, {ok, Description, Env}} ->
            ets:insert(?TABLE, {{description, Name}, Description}),
            ets:insert(?TABLE, [{{module, Name, Module}, true} || Module <- value(modules, Description)]),
            [set(Name, Key, Value, []) || {Key, Value} <- Env, not is_persistent(Name, Key)],
            [load(Included) || Included <- value(included_applications, Description)],
            ok;
        {false, Error} -> Error
    end;
load(Other) -> {error, {bad_application, Other}}.

is_loaded(Name) -> lists:keymember(Name, 1, ?BUILT_IN) orelse ets:member(?TABLE, {description, Name}).

is_persistent(App, Key) -> ets:member(?TABLE, {persistent, App, Key}).

set(App, Key, Value, Options) ->
    ets:insert(?TABLE, {{env, App, Key}, Value}),
    proplists:get_value(persistent, Options, false) =:= true andalso ets:insert(?TABLE, {{persistent, App, Key}, true}).

%% What is not said is empty. What has the wrong shape is refused.
described(Keys) ->
    Value = fun(Key, Default) -> proplists:get_value(Key, Keys, Default) end,
    Env = Value(env, []),
    Lists = [{Key, Value(Key, [])} || Key <- [modules, registered, included_applications, optional_applications, applications]],
    Wrong = [Key || {Key, List} <- [{env, Env} | Lists], not is_proper(List)] ++ [env || is_proper(Env), Pair <- Env, not is_pair(Pair)],
    case {Wrong, Value(mod, [])} of
        {[], Mod} when Mod =:= []; is_atom(element(1, Mod)), tuple_size(Mod) =:= 2 ->
            [Modules, Registered | Others] = Lists,
            {ok, [{description, Value(description, [])}, {id, Value(id, [])}, {vsn, Value(vsn, [])}, Modules, {maxP, Value(maxP, infinity)},
                  {maxT, Value(maxT, infinity)}, Registered | Others] ++ [{mod, Mod}, {start_phases, Value(start_phases, undefined)}], Env};
        {[], Mod} -> {error, {bad_application, {mod, Mod}}};
        {[Key | _], _} -> {error, {bad_application, lists:keyfind(Key, 1, Keys)}}
    end.

is_proper(List) -> is_list(List) andalso is_integer(catch length(List)).

is_pair(Pair) -> tuple_size(Pair) =:= 2.

%% The description in the application's file.
read(Name) ->
    File = atom_to_list(Name) ++ ".app",
    Found = [Path || Suffix <- ["", ".src"], Path <- [code:where_is_file(File ++ Suffix)], Path =/= non_existing],
    case Found of
        [] ->
            case lists:keyfind(Name, 1, ?SHIPPED) of
                {_, Text, Modules, Mod} -> {ok, {application, Name, shipped(Text, Modules, Mod, [kernel, stdlib])}};
                false -> {error, {"no such file or directory", File}}
            end;
        [Path | _] ->
            case file:consult(Path) of
                {ok, [{application, Name, Keys}]} when is_list(Keys) -> {ok, {application, Name, with_modules(Path, Keys)}};
                {ok, [Other]} -> {error, {bad_application, Other}};
                {ok, _} -> {error, {"a single term is expected", File}};
                {error, Reason} -> {error, {file:format_error(Reason), File}}
            end
    end.

with_modules(Path, Keys) ->
    case lists:suffix(".src", Path) andalso proplists:get_value(modules, Keys, []) =:= [] of
        true ->
            Files = filelib:wildcard("*.erl", filename:dirname(Path)),
            [{modules, [list_to_atom(filename:rootname(File)) || File <- Files]} | proplists:delete(modules, Keys)];
        false -> Keys
    end.

unload(Name, #state{running = Running, starting = Starting}) ->
    case lists:keymember(Name, 1, ?BUILT_IN) orelse lists:keymember(Name, #run.name, Running ++ Starting) of
        true -> {error, {running, Name}};
        false ->
            case ets:member(?TABLE, {description, Name}) of
                true ->
                    ets:delete(?TABLE, {description, Name}),
                    ets:match_delete(?TABLE, {{env, Name, '_'}, '_'}),
                    ets:match_delete(?TABLE, {{module, Name, '_'}, '_'}),
                    ok;
                false -> {error, {not_loaded, Name}}
            end
    end.

%%% Starting

start(Name, Restart, From, #state{running = Running, starting = Starting} = State) ->
    case {lists:keymember(Name, 1, ?BUILT_IN) orelse lists:keymember(Name, #run.name, Running), lists:keytake(Name, #run.name, Starting)} of
        {true, _} -> {reply, {error, {already_started, Name}}, State};
        {false, {value, #run{waiting = Waiting} = Run, Rest}} ->
            {noreply, State#state{starting = [Run#run{waiting = [From | Waiting]} | Rest]}};
        {false, false} ->
            case startable(Name, Running) of
                {ok, []} -> {reply, ok, up(#run{name = Name, restart = Restart}, State)};
                {ok, Mod} ->
                    {ok, Description} = description(Name),
                    {Master, Monitor} = application_master:start(self(), Name, Mod, value(start_phases, Description)),
                    ets:insert(?TABLE, {{master, Master}, Name}),
                    Run = #run{name = Name, master = Master, monitor = Monitor, restart = Restart, waiting = [From]},
                    {noreply, State#state{starting = [Run | Starting]}};
                Error -> {reply, Error, State}
            end
    end.

%% Its callback, if all is there that it builds upon.
startable(Name, Running) ->
    case is_loaded(Name) orelse load(Name) of
        Loaded when Loaded =:= true; Loaded =:= ok ->
            {ok, Description} = description(Name),
            Optional = value(optional_applications, Description),
            IsThere = fun(App) -> lists:keymember(App, 1, ?BUILT_IN) orelse lists:keymember(App, #run.name, Running) end,
            Needed = [App || App <- value(applications, Description), not IsThere(App), not lists:member(App, Optional) orelse is_loaded(App)],
            case Needed of
                [] -> {ok, value(mod, Description)};
                [App | _] -> {error, {not_started, App}}
            end;
        Error -> Error
    end.

up(Run, #state{running = Running} = State) -> noted(State#state{running = [Run | Running]}).

noted(#state{running = Running} = State) ->
    ets:insert(?TABLE, {running, [Name || #run{name = Name} <- Running]}),
    State.

started(Master, Result, #state{starting = Starting} = State) ->
    case lists:keytake(Master, #run.master, Starting) of
        {value, #run{name = Name, waiting = Waiting} = Run, Rest} ->
            [gen_server:reply(From, Result) || From <- Waiting],
            case Result of
                ok -> up(Run#run{waiting = []}, State#state{starting = Rest});
                {error, Reason} ->
                    gone(Run),
                    exited(Name, Reason, Run#run.restart),
                    State#state{starting = Rest}
            end;
        false -> State
    end.

%%% Stopping

stop(Name, From, #state{running = Running, stopping = Stopping} = State) ->
    case lists:keytake(Name, #run.name, Running) of
        {value, #run{master = undefined} = Run, Rest} ->
            exited(Name, stopped, Run#run.restart),
            {reply, ok, noted(State#state{running = Rest})};
        {value, #run{master = Master, waiting = []} = Run, Rest} ->
            application_master:stop(Master),
            {noreply, noted(State#state{running = Rest, stopping = [Run#run{waiting = [From]} | Stopping]})};
        false ->
            case lists:keytake(Name, #run.name, Stopping) of
                {value, #run{waiting = Waiting} = Run, Rest} ->
                    {noreply, State#state{stopping = [Run#run{waiting = [From | Waiting]} | Rest]}};
                false -> {reply, {error, {not_started, Name}}, State}
            end
    end.

%% A master has ended: it was to, or its application has of itself, or it died before its application was there.
ended(Master, Reason, #state{running = Running, starting = Starting, stopping = Stopping} = State) ->
    case {lists:keytake(Master, #run.master, Stopping), lists:keytake(Master, #run.master, Running)} of
        {{value, #run{name = Name, waiting = Waiting} = Run, Rest}, _} ->
            gone(Run),
            exited(Name, stopped, Run#run.restart),
            [gen_server:reply(From, ok) || From <- Waiting],
            State#state{stopping = Rest};
        {false, {value, #run{name = Name, restart = Restart} = Run, Rest}} ->
            gone(Run),
            exited(Name, Reason, Restart),
            is_fatal(Restart, Reason) andalso end_system(Name, Reason),
            noted(State#state{running = Rest});
        {false, false} ->
            case lists:keymember(Master, #run.master, Starting) of
                true -> started(Master, {error, Reason}, State);
                false -> State
            end
    end.

gone(#run{master = Master, monitor = Monitor}) ->
    demonitor(Monitor, [flush]),
    ets:delete(?TABLE, {master, Master}).

exited(Name, Reason, Restart) ->
    logger:log(notice, #{label => {application_controller, exit}, report => [{application, Name}, {exited, Reason}, {type, Restart}]},
               #{domain => [otp], report_cb => fun logger:format_otp_report/1, error_logger => #{tag => info_report, type => std_info}}).

is_fatal(permanent, _) -> true;
is_fatal(transient, Reason) -> Reason =/= normal;
is_fatal(temporary, _) -> false.

%% The system does not go on without such an application.
end_system(Name, Reason) ->
    Why = io_lib:format("Kernel pid terminated (application_controller) (~0tp)~n", [{application_terminated, Name, Reason}]),
    io:put_chars(standard_error, Why),
    catch init:stop(1).

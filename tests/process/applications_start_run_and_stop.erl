%% Applications: their callbacks, environments, dependencies and ends.
-module(applications_start_run_and_stop).
-behaviour(application).
-behaviour(supervisor).
-export([main/0, start/2, stop/1, prep_stop/1, start_phase/3, init/1, worker/0]).

main() ->
    logger:set_primary_config(level, none),
    ets:new(notes, [named_table, public, ordered_set]),
    show(application:load(described(first, [{mod, {?MODULE, [x]}}, {env, [{key, 1}, {other, two}]}, {start_phases, [{one, a}, {two, b}]}]))),
    show(application:load(described(second, [{applications, [kernel, stdlib, first]}]))),
    show(application:load(described(third, [{applications, [second, nowhere]}]))),
    show([application:start(second), application:start(first, always), application:start(1), application:start(nowhere)]),
    show([application:get_env(first, key), application:get_env(first, no), application:get_env(first, no, default), application:get_env(key)]),
    show(application:ensure_all_started(second)),
    show(application:ensure_all_started(second)),
    show([Name || {Name, _, _} <- application:which_applications()]),
    show(lists:keyfind(first, 1, application:loaded_applications())),
    [{w, Worker, _, _}] = supervisor:which_children(first_sup),
    Worker ! {ask, self()},
    show(receive Answer -> Answer end),
    show([application:get_application(P) || P <- [Worker, self(), ?MODULE, lists]]),
    show([application:get_key(first, K) || K <- [vsn, mod, nothing]]),
    show([application:start(first), application:unload(first), application:stop(nowhere), application:ensure_started(first)]),
    Timers = timers_of(Worker),
    show([application:stop(first), application:stop(first), whereis(first_sup)]),
    show({is_process_alive(Timers), application:start(first)}),
    exit(whereis(first_sup), kill),
    gone(first),
    show([application:set_env(first, mode, M) =:= ok andalso reason(application:start(first)) || M <- [error, crash, bad]]),
    show(application:ensure_all_started(third)),
    show([Name || {Name, _, _} <- application:which_applications()]),
    show([application:unload(first), application:unload(first), application:get_env(first, key)]),
    show([application:set_env(fourth, a, 1), application:set_env(fourth, b, 1, [{persistent, true}])]),
    show(application:load(described(fourth, [{env, [{a, 2}, {b, 2}]}]))),
    show([application:get_env(fourth, a), application:get_env(fourth, b), application:unset_env(fourth, a), application:get_all_env(fourth)]),
    show(application:start(fourth)).

%% expect: ok
%% expect: ok
%% expect: ok
%% expect: [{error,{not_started,first}},
%% expect:  {error,{invalid_restart_type,always}},
%% expect:  {error,{bad_application,1}},
%% expect:  {error,{"no such file or directory","nowhere.app"}}]
%% expect: [{ok,1},undefined,default,undefined]
%% expect: {start,normal,[x],{ok,first},{ok,1}}
%% expect: {phase,one,normal,a}
%% expect: {phase,two,normal,b}
%% expect: {ok,[first,second]}
%% expect: {ok,[]}
%% expect: [second,first,stdlib,kernel]
%% expect: {first,"text","1.0"}
%% expect: {ok,first}
%% expect: [{ok,first},undefined,{ok,first},{ok,stdlib}]
%% expect: [{ok,"1.0"},{ok,{applications_start_run_and_stop,[x]}},undefined]
%% expect: [{error,{already_started,first}},
%% expect:  {error,{running,first}},
%% expect:  {error,{not_started,nowhere}},
%% expect:  ok]
%% expect: {prep_stop,kept}
%% expect: {stop,prepared}
%% expect: [ok,{error,{not_started,first}},undefined]
%% expect: {start,normal,[x],{ok,first},{ok,1}}
%% expect: {phase,one,normal,a}
%% expect: {phase,two,normal,b}
%% expect: {true,ok}
%% expect: {prep_stop,kept}
%% expect: {stop,prepared}
%% expect: [{nope,{applications_start_run_and_stop,start,[normal,[x]]}},
%% expect:  {bad_return,{{applications_start_run_and_stop,start,[normal,[x]]},
%% expect:               {'EXIT',crashed}}},
%% expect:  {bad_return,{{applications_start_run_and_stop,start,[normal,[x]]},
%% expect:               something}}]
%% expect: {error,{nowhere,{"no such file or directory","nowhere.app"}}}
%% expect: [second,stdlib,kernel]
%% expect: [ok,{error,{not_loaded,first}},undefined]
%% expect: [ok,ok]
%% expect: ok
%% expect: [{ok,2},{ok,1},ok,[{b,1}]]
%% expect: ok

described(Name, Keys) -> {application, Name, [{description, "text"}, {vsn, "1.0"}, {modules, [?MODULE || Name =:= first]} | Keys]}.

start(Type, Args) ->
    case application:get_env(mode) of
        {ok, error} -> {error, nope};
        {ok, crash} -> exit(crashed);
        {ok, bad} -> something;
        undefined ->
            note({start, Type, Args, application:get_application(), application:get_env(key)}),
            {ok, Pid} = supervisor:start_link({local, first_sup}, ?MODULE, []),
            {ok, Pid, kept}
    end.

start_phase(Phase, Type, Args) -> note({phase, Phase, Type, Args}).

prep_stop(State) ->
    note({prep_stop, State}),
    prepared.

stop(State) -> note({stop, State}).

init([]) -> {ok, {#{}, [#{id => w, start => {?MODULE, worker, []}}]}}.

worker() ->
    {ok, spawn_link(fun() ->
                            receive {ask, From} -> From ! application:get_application() end,
                            receive {timers, To} -> {ok, _} = timer:apply_after(100000, erlang, now, []), To ! started end,
                            receive never -> ok end
                    end)}.

%% The server that an application's process was the first to need.
timers_of(Worker) ->
    Worker ! {timers, self()},
    receive started -> whereis(timer_server) end.

gone(Name) ->
    case lists:keymember(Name, 1, application:which_applications()) of
        true ->
            receive after 1 -> ok end,
            gone(Name);
        false -> ok
    end.

reason({error, Reason}) -> Reason.

%% Callbacks print elsewhere: under another group leader.
note(X) ->
    ets:insert(notes, {erlang:unique_integer([monotonic]), X}),
    ok.

show(X) ->
    [io:format("~p~n", [Note]) || {_, Note} <- ets:tab2list(notes)],
    ets:delete_all_objects(notes),
    io:format("~p~n", [X]).

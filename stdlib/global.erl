%% Global names on a system of one node: any term may name a process.
%%
%% A server that starts with the first registration keeps the names and forgets those of the dead.
-module(global).
-behaviour(gen_server).

-export([register_name/2, register_name/3, re_register_name/2, re_register_name/3, unregister_name/1, whereis_name/1,
         registered_names/0, send/2, sync/0, set_lock/1, set_lock/2, set_lock/3, del_lock/1, del_lock/2, trans/2, trans/3, trans/4]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

register_name(Name, Pid) -> request({register, Name, Pid}).

%% With one node no names can clash, so there is nothing to resolve.
register_name(Name, Pid, _Resolve) -> register_name(Name, Pid).

re_register_name(Name, Pid) -> request({re_register, Name, Pid}).

re_register_name(Name, Pid, _Resolve) -> re_register_name(Name, Pid).

unregister_name(Name) -> request({unregister, Name}).

-spec whereis_name(term()) -> pid() | undefined.
whereis_name(Name) ->
    case whereis(global_name_server) of
        undefined -> undefined;
        _ -> request({whereis, Name})
    end.

registered_names() -> request(names).

send(Name, Message) ->
    case whereis_name(Name) of
        undefined -> exit({badarg, {Name, Message}});
        Pid ->
            Pid ! Message,
            Pid
    end.

sync() -> ok.

%%% Locks: `{Resource, Requester}`; one requester may set a lock several times

set_lock(Id) -> set_lock(Id, [node()]).

set_lock(Id, Nodes) -> set_lock(Id, Nodes, infinity).

set_lock({_, _} = Id, Nodes, Retries) ->
    case request({lock, Id, self()}) of
        true -> true;
        false when Retries =:= 0 -> false;
        false ->
            timer:sleep(10),
            set_lock(Id, Nodes, if Retries =:= infinity -> infinity; true -> Retries - 1 end)
    end.

del_lock(Id) -> del_lock(Id, [node()]).

del_lock({_, _} = Id, _Nodes) -> request({unlock, Id, self()}).

trans(Id, F) -> trans(Id, F, [node()]).

trans(Id, F, Nodes) -> trans(Id, F, Nodes, infinity).

%% Runs F while holding the lock, or answers `aborted`.
trans(Id, F, Nodes, Retries) ->
    case set_lock(Id, Nodes, Retries) of
        true ->
            try F()
            after del_lock(Id, Nodes)
            end;
        false -> aborted
    end.

%%% The server

request(Request) -> erlet_system:call({global_name_server, global}, Request).

%% Names to `{Pid, Monitor}`; resources to `{Requester, [{Pid, Monitor}]}`.
-record(state, {names = #{}, locks = #{}}).

init([]) -> {ok, #state{}}.

handle_call({register, Name, Pid}, _, #state{names = Names} = State) ->
    case Names of
        #{Name := _} -> {reply, no, State};
        #{} when is_pid(Pid) -> {reply, yes, add(Name, Pid, State)};
        #{} -> {reply, no, State}
    end;
handle_call({re_register, Name, Pid}, _, State) -> {reply, yes, add(Name, Pid, remove(Name, State))};
handle_call({unregister, Name}, _, State) -> {reply, ok, remove(Name, State)};
handle_call({whereis, Name}, _, #state{names = Names} = State) ->
    case Names of
        #{Name := {Pid, _}} -> {reply, Pid, State};
        #{} -> {reply, undefined, State}
    end;
handle_call(names, _, #state{names = Names} = State) -> {reply, maps:keys(Names), State};
handle_call({lock, {Resource, Requester}, Pid}, _, #state{locks = Locks} = State) ->
    case Locks of
        #{Resource := {Requester, Holders}} ->
            {reply, true, State#state{locks = Locks#{Resource := {Requester, [{Pid, monitor(process, Pid)} | Holders]}}}};
        #{Resource := _} -> {reply, false, State};
        #{} -> {reply, true, State#state{locks = Locks#{Resource => {Requester, [{Pid, monitor(process, Pid)}]}}}}
    end;
handle_call({unlock, {Resource, Requester}, Pid}, _, #state{locks = Locks} = State) ->
    case Locks of
        #{Resource := {Requester, Holders}} ->
            case lists:keytake(Pid, 1, Holders) of
                {value, {_, Monitor}, Left} ->
                    demonitor(Monitor, [flush]),
                    {reply, true, State#state{locks = held(Resource, Requester, Left, Locks)}};
                false -> {reply, true, State}
            end;
        #{} -> {reply, true, State}
    end.

held(Resource, _, [], Locks) -> maps:remove(Resource, Locks);
held(Resource, Requester, Holders, Locks) -> Locks#{Resource => {Requester, Holders}}.

add(Name, Pid, #state{names = Names} = State) -> State#state{names = Names#{Name => {Pid, monitor(process, Pid)}}}.

remove(Name, #state{names = Names} = State) ->
    case Names of
        #{Name := {_, Monitor}} ->
            demonitor(Monitor, [flush]),
            State#state{names = maps:remove(Name, Names)};
        #{} -> State
    end.

handle_cast(_, State) -> {noreply, State}.

handle_info({'DOWN', Monitor, process, _, _}, #state{names = Names, locks = Locks} = State) ->
    Names1 = maps:filter(fun(_, {_, M}) -> M =/= Monitor end, Names),
    Locks1 = maps:fold(fun(Resource, {Requester, Holders}, Acc) ->
                               held(Resource, Requester, lists:keydelete(Monitor, 2, Holders), Acc)
                       end, Locks, Locks),
    {noreply, State#state{names = Names1, locks = Locks1}};
handle_info(_, State) -> {noreply, State}.

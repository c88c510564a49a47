%% Process groups: which processes are members of which group, and who wants to know.
%%
%% A scope is a process that watches its members; its table of groups is read by everybody. There is one node: the members on it are
%% all there are. A process may join a group several times, and is a member as often.
-module(pg).

-export([start/1, start_link/0, start_link/1, join/2, join/3, leave/2, leave/3, monitor_scope/0, monitor_scope/1, monitor/1, monitor/2,
         demonitor/1, demonitor/2, get_members/1, get_members/2, get_local_members/1, get_local_members/2, which_groups/0, which_groups/1,
         which_local_groups/0, which_local_groups/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

-compile({no_auto_import, [monitor/2, demonitor/2]}).

-define(SCOPE, pg).

-type group() :: term().
-export_type([group/0]).

%% members: pid to the monitor and the groups it is in, as often as it is; scopes: the monitor of who watches all groups;
%% watchers: the monitor of who watches one group, and the group.
-record(state, {scope, members = #{}, scopes = #{}, watchers = #{}}).

%%% For clients

-spec start(atom()) -> {ok, pid()} | {error, term()}.
start(Scope) when is_atom(Scope) -> gen_server:start({local, Scope}, pg, [Scope], []).

-spec start_link() -> {ok, pid()} | {error, term()}.
start_link() -> start_link(?SCOPE).

-spec start_link(atom()) -> {ok, pid()} | {error, term()}.
start_link(Scope) when is_atom(Scope) -> gen_server:start_link({local, Scope}, pg, [Scope], []).

-spec join(group(), pid() | [pid()]) -> ok.
join(Group, Pids) -> join(?SCOPE, Group, Pids).

-spec join(atom(), group(), pid() | [pid()]) -> ok.
join(Scope, Group, Pids) ->
    ok = check(Pids),
    gen_server:call(Scope, {join, Group, Pids}, infinity).

-spec leave(group(), pid() | [pid()]) -> ok | not_joined.
leave(Group, Pids) -> leave(?SCOPE, Group, Pids).

-spec leave(atom(), group(), pid() | [pid()]) -> ok | not_joined.
leave(Scope, Group, Pids) ->
    ok = check(Pids),
    gen_server:call(Scope, {leave, Group, Pids}, infinity).

check(Pid) when is_pid(Pid), node(Pid) =:= node() -> ok;
check(Pids) when is_list(Pids) ->
    lists:foreach(fun(Pid) when is_pid(Pid), node(Pid) =:= node() -> ok;
                     (Bad) -> error({nolocal, Bad})
                  end, Pids).

%% All groups as they are, and then messages `{Ref, join | leave, Group, [pid()]}`.
-spec monitor_scope() -> {reference(), #{group() => [pid()]}}.
monitor_scope() -> monitor_scope(?SCOPE).

-spec monitor_scope(atom()) -> {reference(), #{group() => [pid()]}}.
monitor_scope(Scope) -> gen_server:call(Scope, monitor, infinity).

%% The same of one group.
-spec monitor(group()) -> {reference(), [pid()]}.
monitor(Group) -> monitor(?SCOPE, Group).

-spec monitor(atom(), group()) -> {reference(), [pid()]}.
monitor(Scope, Group) -> gen_server:call(Scope, {monitor, Group}, infinity).

-spec demonitor(reference()) -> ok | false.
demonitor(Ref) -> demonitor(?SCOPE, Ref).

%% What has come already is taken away.
-spec demonitor(atom(), reference()) -> ok | false.
demonitor(Scope, Ref) when is_reference(Ref) ->
    case gen_server:call(Scope, {demonitor, Ref}, infinity) of
        ok -> flushed(Ref);
        false -> false
    end.

flushed(Ref) ->
    receive {Ref, Change, _, _} when Change =:= join; Change =:= leave -> flushed(Ref)
    after 0 -> ok
    end.

-spec get_members(group()) -> [pid()].
get_members(Group) -> get_members(?SCOPE, Group).

-spec get_members(atom(), group()) -> [pid()].
get_members(Scope, Group) ->
    try ets:lookup_element(Scope, Group, 2)
    catch error:badarg -> []
    end.

-spec get_local_members(group()) -> [pid()].
get_local_members(Group) -> get_members(?SCOPE, Group).

-spec get_local_members(atom(), group()) -> [pid()].
get_local_members(Scope, Group) -> get_members(Scope, Group).

-spec which_groups() -> [group()].
which_groups() -> which_groups(?SCOPE).

-spec which_groups(atom()) -> [group()].
which_groups(Scope) when is_atom(Scope) -> [Group || [Group] <- ets:match(Scope, {'$1', '_'})].

-spec which_local_groups() -> [group()].
which_local_groups() -> which_groups(?SCOPE).

-spec which_local_groups(atom()) -> [group()].
which_local_groups(Scope) -> which_groups(Scope).

%%% The scope

init([Scope]) ->
    Scope = ets:new(Scope, [set, protected, named_table, {read_concurrency, true}]),
    {ok, #state{scope = Scope}}.

handle_call({join, Group, Pids}, _, #state{scope = Scope} = State) ->
    Joining = listed(Pids),
    true = ets:insert(Scope, {Group, Joining ++ get_members(Scope, Group)}),
    tell(join, Group, Joining, State),
    {reply, ok, lists:foldl(fun(Pid, S) -> joined(Pid, Group, S) end, State, Joining)};
handle_call({leave, Group, Pids}, _, #state{scope = Scope} = State) ->
    Present = get_members(Scope, Group),
    %% As many as there are.
    Leaving = listed(Pids) -- (listed(Pids) -- Present),
    case Leaving of
        [] -> {reply, not_joined, State};
        _ ->
            take_out(Scope, Group, Present, Leaving),
            tell(leave, Group, Leaving, State),
            {reply, ok, lists:foldl(fun(Pid, S) -> left(Pid, Group, S) end, State, Leaving)}
    end;
handle_call(monitor, {Pid, _}, #state{scope = Scope, scopes = Scopes} = State) ->
    Ref = erlang:monitor(process, Pid),
    {reply, {Ref, maps:from_list(ets:tab2list(Scope))}, State#state{scopes = Scopes#{Ref => Pid}}};
handle_call({monitor, Group}, {Pid, _}, #state{scope = Scope, watchers = Watchers} = State) ->
    Ref = erlang:monitor(process, Pid),
    {reply, {Ref, get_members(Scope, Group)}, State#state{watchers = Watchers#{Ref => {Pid, Group}}}};
handle_call({demonitor, Ref}, {Pid, _}, #state{scopes = Scopes, watchers = Watchers} = State) ->
    case {Scopes, Watchers} of
        {#{Ref := Pid}, _} ->
            erlang:demonitor(Ref, [flush]),
            {reply, ok, State#state{scopes = maps:remove(Ref, Scopes)}};
        {_, #{Ref := {Pid, _}}} ->
            erlang:demonitor(Ref, [flush]),
            {reply, ok, State#state{watchers = maps:remove(Ref, Watchers)}};
        _ -> {reply, false, State}
    end;
handle_call(_, _, State) -> {noreply, State}.

handle_cast(_, State) -> {noreply, State}.

handle_info({'DOWN', Ref, process, Pid, _}, #state{scope = Scope, members = Members, scopes = Scopes, watchers = Watchers} = State) ->
    case Members of
        #{Pid := {Ref, Groups}} ->
            lists:foreach(fun(Group) ->
                                  Gone = [Pid || Of <- Groups, Of =:= Group],
                                  take_out(Scope, Group, get_members(Scope, Group), Gone),
                                  tell(leave, Group, Gone, State)
                          end, lists:usort(Groups)),
            {noreply, State#state{members = maps:remove(Pid, Members)}};
        _ -> {noreply, State#state{scopes = maps:remove(Ref, Scopes), watchers = maps:remove(Ref, Watchers)}}
    end;
handle_info(_, State) -> {noreply, State}.

terminate(_, #state{scope = Scope}) -> true = ets:delete(Scope).

listed(Pid) when is_pid(Pid) -> [Pid];
listed(Pids) -> Pids.

take_out(Scope, Group, Present, Leaving) ->
    case Present -- Leaving of
        [] -> ets:delete(Scope, Group);
        Left -> ets:insert(Scope, {Group, Left})
    end.

joined(Pid, Group, #state{members = Members} = State) ->
    {Ref, Groups} =
        case Members of
            #{Pid := Known} -> Known;
            _ -> {erlang:monitor(process, Pid), []}
        end,
    State#state{members = Members#{Pid => {Ref, [Group | Groups]}}}.

left(Pid, Group, #state{members = Members} = State) ->
    #{Pid := {Ref, Groups}} = Members,
    case lists:delete(Group, Groups) of
        [] ->
            erlang:demonitor(Ref, [flush]),
            State#state{members = maps:remove(Pid, Members)};
        Left -> State#state{members = Members#{Pid := {Ref, Left}}}
    end.

tell(Change, Group, Pids, #state{scopes = Scopes, watchers = Watchers}) ->
    maps:foreach(fun(Ref, Pid) -> Pid ! {Ref, Change, Group, Pids} end, Scopes),
    maps:foreach(fun(Ref, {Pid, Of}) -> Of =:= Group andalso (Pid ! {Ref, Change, Group, Pids}) end, Watchers).

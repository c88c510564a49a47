%% What the generic behaviours share: starting and naming a process, calls and replies, requests without waiting.
%%
%% A call is the message `{Label, {From, Tag}, Request}`; the answer is `{Tag, Reply}`. The tag holds the reference of a
%% monitor, so the caller learns of the server's death, and a receive that waits for it can skip all older messages. With a time-out the monitor is also an
%% alias: once the caller has given up, a late answer goes nowhere.
-module(gen).

-export([start/5, start/6, init_it/6, init_it/7, stop/1, stop/3, call/3, call/4, reply/2]).
-export([send_request/3, send_request/5, wait_response/2, wait_response/3, receive_response/2, receive_response/3,
         check_response/2, check_response/3, reqids_new/0, reqids_size/1, reqids_add/3, reqids_to_list/1]).
-export([name/1, unregister_name/1, get_proc_name/1, get_parent/0, debug_options/2, hibernate_after/1,
         format_status/4, format_status_header/2]).

-define(DEFAULT_TIMEOUT, 5000).

%%% Starting
%%
%% `start(Behaviour, link | monitor | nolink, [Name,] Module, Args, Options)`: the new process registers its name and runs
%% `Behaviour:init_it/6`, which must answer with proc_lib:init_ack/2.

start(Behaviour, Link, Name, Module, Args, Options) ->
    case where(Name) of
        undefined -> spawned(Link, [Behaviour, self(), parent(Link), Name, Module, Args, Options], Options);
        Pid -> {error, {already_started, Pid}}
    end.

start(Behaviour, Link, Module, Args, Options) ->
    spawned(Link, [Behaviour, self(), parent(Link), Module, Args, Options], Options).

%% Only a linked parent's death ends the process.
parent(link) -> self();
parent(monitor) -> self();
parent(_) -> self.

spawned(Link, InitArgs, Options) ->
    Timeout = option(timeout, Options, infinity),
    SpawnOptions = option(spawn_opt, Options, []),
    case Link of
        link -> proc_lib:start_link(gen, init_it, InitArgs, Timeout, SpawnOptions);
        monitor ->
            case proc_lib:start_monitor(gen, init_it, InitArgs, Timeout, SpawnOptions) of
                {{ok, Pid}, Monitor} -> {ok, {Pid, Monitor}};
                {Error, Monitor} ->
                    receive {'DOWN', Monitor, process, _, _} -> ok end,
                    Error
            end;
        _ -> proc_lib:start(gen, init_it, InitArgs, Timeout, SpawnOptions)
    end.

%% The entry points of the new process.
init_it(Behaviour, Starter, Parent, Module, Args, Options) ->
    Behaviour:init_it(Starter, Parent, self(), Module, Args, Options).

init_it(Behaviour, Starter, Parent, Name, Module, Args, Options) ->
    case register_name(Name) of
        true -> Behaviour:init_it(Starter, Parent, Name, Module, Args, Options);
        {false, Pid} -> proc_lib:init_ack(Starter, {error, {already_started, Pid}})
    end.

option(Key, Options, Default) ->
    case lists:keyfind(Key, 1, Options) of
        {_, Value} -> Value;
        false -> Default
    end.

hibernate_after(Options) -> option(hibernate_after, Options, infinity).

debug_options(Name, Options) ->
    case option(debug, Options, []) of
        [] -> [];
        Debug ->
            try sys:debug_options(Debug)
            catch
                _:_ ->
                    error_logger:format("~tp: ignoring erroneous debug options - ~tp~n", [Name, Debug]),
                    []
            end
    end.

%%% Names: `{local, Atom}`, `{global, Term}`, `{via, Module, Term}`

where({local, Name}) -> whereis(Name);
where({global, Name}) -> global:whereis_name(Name);
where({via, Module, Name}) -> Module:whereis_name(Name);
where(Pid) when is_pid(Pid) -> undefined.

register_name({local, Name} = Full) ->
    try register(Name, self())
    catch error:_ -> {false, where(Full)}
    end;
register_name({global, Name}) -> registered(global:register_name(Name, self()), {global, Name});
register_name({via, Module, Name}) -> registered(Module:register_name(Name, self()), {via, Module, Name}).

registered(yes, _) -> true;
registered(no, Name) -> {false, where(Name)}.

%% How a server is spoken of.
name({local, Name}) -> Name;
name({global, Name}) -> Name;
name({via, _, Name}) -> Name;
name(Pid) when is_pid(Pid) -> Pid.

unregister_name({local, Name}) ->
    try unregister(Name)
    catch _:_ -> ok
    end;
unregister_name({global, Name}) -> global:unregister_name(Name);
unregister_name({via, Module, Name}) -> Module:unregister_name(Name);
unregister_name(Pid) when is_pid(Pid) -> Pid.

%% A process that enters a behaviour's loop by itself must bear the name it gives.
get_proc_name(Pid) when is_pid(Pid) -> Pid;
get_proc_name({local, Name}) ->
    case process_info(self(), registered_name) of
        {registered_name, Name} -> Name;
        {registered_name, _} -> exit(process_not_registered);
        [] -> exit(process_not_registered)
    end;
get_proc_name({global, Name} = Full) ->
    case where(Full) of
        Pid when Pid =:= self() -> Name;
        _ -> exit(process_not_registered_globally)
    end;
get_proc_name({via, Module, Name} = Full) ->
    case where(Full) of
        Pid when Pid =:= self() -> Name;
        _ -> exit({process_not_registered_via, Module})
    end.

get_parent() ->
    case get('$ancestors') of
        [Parent | _] when is_pid(Parent) -> Parent;
        [Parent | _] when is_atom(Parent) ->
            case whereis(Parent) of
                undefined -> exit(could_not_find_registered_name);
                Pid -> Pid
            end;
        _ -> exit(process_was_not_started_by_proc_lib)
    end.

%%% Calling

call(Server, Label, Request) -> call(Server, Label, Request, ?DEFAULT_TIMEOUT).

%% The reply as `{ok, Reply}`; everything that goes wrong is an exit.
-spec call(term(), term(), term(), timeout()) -> {ok, term()}.
call(Server, Label, Request, Timeout) when Timeout =:= infinity; is_integer(Timeout), Timeout >= 0 ->
    case is_pid(Server) of
        true -> call_1(Server, Label, Request, Timeout);
        false -> call_1(server(Server), Label, Request, Timeout)
    end.

call_1(Server, _, _, _) when Server =:= self() -> exit(calling_self);
call_1(Pid, Label, Request, infinity) when is_pid(Pid), node(Pid) =:= node() ->
    Monitor = monitor(process, Pid),
    Pid ! {Label, {self(), Monitor}, Request},
    receive
        {Monitor, Reply} ->
            demonitor(Monitor, [flush]),
            {ok, Reply};
        {'DOWN', Monitor, _, _, Reason} -> exit(Reason)
    end;
call_1(Server, Label, Request, Timeout) ->
    Monitor = monitor(process, Server, [{alias, demonitor}]),
    erlang:send(Server, {Label, {self(), [alias | Monitor]}, Request}, [noconnect]),
    receive
        {[alias | Monitor], Reply} ->
            demonitor(Monitor, [flush]),
            {ok, Reply};
        {'DOWN', Monitor, _, _, noconnection} -> exit({nodedown, node_of(Server)});
        {'DOWN', Monitor, _, _, Reason} -> exit(Reason)
    after Timeout ->
            demonitor(Monitor, [flush]),
            %% It may have come just now.
            receive
                {[alias | Monitor], Reply} -> {ok, Reply}
            after 0 -> exit(timeout)
            end
    end.

node_of({_, Node}) -> Node;
node_of(Pid) -> node(Pid).

%% Something a message can be sent to.
server(Pid) when is_pid(Pid) -> Pid;
server(Name) when is_atom(Name) -> found(whereis(Name));
server({Name, Node}) when is_atom(Node), Node =:= node() -> found(whereis(Name));
server({global, Name}) -> found(global:whereis_name(Name));
server({via, Module, Name}) -> found(Module:whereis_name(Name));
server({_, Node}) when is_atom(Node), node() =:= nonode@nohost -> exit({nodedown, Node});
server({Name, Node}) when is_atom(Node) -> {Name, Node}.

found(Pid) when is_pid(Pid) -> Pid;
found(undefined) -> exit(noproc).

-spec reply({pid(), term()}, term()) -> ok.
reply({_, [alias | Alias] = Tag}, Reply) when is_reference(Alias) ->
    Alias ! {Tag, Reply},
    ok;
reply({_, [[alias | Alias] | _] = Tag}, Reply) when is_reference(Alias) ->
    Alias ! {Tag, Reply},
    ok;
reply({To, Tag}, Reply) ->
    try
        To ! {Tag, Reply},
        ok
    catch _:_ -> ok
    end.

%%% Stopping

stop(Server) -> stop(Server, normal, infinity).

stop(Server, Reason, Timeout) when Timeout =:= infinity; is_integer(Timeout), Timeout >= 0 ->
    proc_lib:stop(server(Server), Reason, Timeout).

%%% Requests answered later
%%
%% A request id is the monitor's reference; a collection is a map of request ids to labels.

send_request(Server, Label, Request) ->
    try server(Server) of
        To ->
            Id = monitor(process, To, [{alias, demonitor}]),
            erlang:send(To, {Label, {self(), [alias | Id]}, Request}, [noconnect]),
            Id
    catch
        exit:Reason ->
            Id = make_ref(),
            self() ! {'DOWN', Id, process, Server, Reason},
            Id
    end.

send_request(Server, Tag, Request, Label, Ids) when is_map(Ids) -> Ids#{send_request(Server, Tag, Request) => Label}.

%% Waiting leaves the request open when the time is over.
wait_response(Id, Timeout) when is_reference(Id) ->
    Wait = time_left(Timeout),
    receive
        {[alias | Id], _} = Message -> check_response(Message, Id);
        {'DOWN', Id, _, _, _} = Message -> check_response(Message, Id)
    after Wait -> timeout
    end.

wait_response(Ids, Timeout, Delete) when is_map(Ids), is_boolean(Delete) ->
    Wait = time_left(Timeout),
    case map_size(Ids) of
        0 -> no_request;
        _ ->
            receive
                {[alias | Id], _} = Message when is_map_key(Id, Ids) -> check_response(Message, Ids, Delete);
                {'DOWN', Id, _, _, _} = Message when is_map_key(Id, Ids) -> check_response(Message, Ids, Delete)
            after Wait -> timeout
            end
    end.

%% Receiving abandons it.
receive_response(Id, Timeout) when is_reference(Id) ->
    case wait_response(Id, Timeout) of
        timeout ->
            demonitor(Id, [flush]),
            wait_response(Id, 0);
        Response -> Response
    end.

receive_response(Ids, Timeout, Delete) when is_map(Ids), is_boolean(Delete) ->
    case wait_response(Ids, Timeout, Delete) of
        timeout ->
            maps:foreach(fun(Id, _) -> demonitor(Id, [flush]) end, Ids),
            drop_responses(Ids),
            timeout;
        Response -> Response
    end.

drop_responses(Ids) ->
    receive
        {[alias | Id], _} when is_map_key(Id, Ids) -> drop_responses(Ids)
    after 0 -> ok
    end.

check_response({[alias | Id], Reply}, Id) ->
    demonitor(Id, [flush]),
    {reply, Reply};
check_response({'DOWN', Id, _, Object, Reason}, Id) -> {error, {Reason, Object}};
check_response(_, Id) when is_reference(Id) -> no_reply.

check_response(_, Ids, Delete) when is_map(Ids), map_size(Ids) =:= 0, is_boolean(Delete) -> no_request;
check_response(Message, Ids, Delete) when is_map(Ids), is_boolean(Delete) ->
    case Message of
        {[alias | Id], _} when is_map_key(Id, Ids) -> labelled(Message, Id, Ids, Delete);
        {'DOWN', Id, _, _, _} when is_map_key(Id, Ids) -> labelled(Message, Id, Ids, Delete);
        _ -> no_reply
    end.

labelled(Message, Id, Ids, Delete) ->
    Left =
        case Delete of
            true -> maps:remove(Id, Ids);
            false -> Ids
        end,
    {check_response(Message, Id), maps:get(Id, Ids), Left}.

time_left({abs, Time}) when is_integer(Time) -> max(0, Time - erlang:monotonic_time(millisecond));
time_left(infinity) -> infinity;
time_left(Timeout) when is_integer(Timeout), Timeout >= 0 -> Timeout;
time_left(_) -> error(badarg).

reqids_new() -> #{}.

reqids_size(Ids) when is_map(Ids) -> map_size(Ids);
reqids_size(_) -> error(badarg).

reqids_add(Id, _, Ids) when is_reference(Id), is_map_key(Id, Ids) -> error(badarg);
reqids_add(Id, Label, Ids) when is_reference(Id), is_map(Ids) -> Ids#{Id => Label};
reqids_add(_, _, _) -> error(badarg).

reqids_to_list(Ids) when is_map(Ids) -> maps:to_list(Ids);
reqids_to_list(_) -> error(badarg).

%%% How a server's state is shown

%% By the module's `format_status/1`, by its older `format_status/2`, or as it is. What the older one shows is under `'$status'`, what
%% went wrong under `'EXIT'`.
format_status(Module, Option, Status, Args) ->
    case {erlang:function_exported(Module, format_status, 1), erlang:function_exported(Module, format_status, 2)} of
        {true, _} ->
            try Module:format_status(Status) of
                #{} = New ->
                    Merged = maps:merge(Status, New),
                    case map_size(Merged) =:= map_size(New) of
                        true -> Merged;
                        false -> no_status(Status, Module, "1 returned a map with unknown keys")
                    end;
                _ -> no_status(Status, Module, "1 did not return a map")
            catch _:_ -> no_status(Status, Module, "1 crashed")
            end;
        {false, true} ->
            try Module:format_status(Option, Args) of
                Shown -> Status#{'$status' => Shown}
            catch
                throw:Shown -> Status#{'$status' => Shown};
                _:_ -> no_status(Status, Module, "2 crashed")
            end;
        _ -> Status
    end.

no_status(Status, Module, Why) -> Status#{'EXIT' => atom_to_list(Module) ++ ":format_status/" ++ Why}.

format_status_header(Line, Pid) when is_pid(Pid) -> lists:concat([Line, " ", pid_to_list(Pid)]);
format_status_header(Line, Name) when is_atom(Name) -> lists:concat([Line, " ", Name]);
format_status_header(Line, Name) -> {Line, Name}.

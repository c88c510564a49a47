%% The generic server: one process that owns a state and answers requests one after the other.
%%
%% The callback module's `init/1` makes the state; `handle_call/3`, `handle_cast/2`, `handle_info/2` and `handle_continue/2` get a message and the state
%% and say what to do next. Every message is taken from the head of the mailbox, so a long queue costs nothing.
%%
%% The life of a server is `init_it/6`, then rounds of `wait/4` (a message, a time-out or hibernation) and `handled/6` (what
%% the callback answered), until `terminate/8`, which never returns.
-module(gen_server).

-export([start/3, start/4, start_link/3, start_link/4, start_monitor/3, start_monitor/4, stop/1, stop/3,
         call/2, call/3, cast/2, reply/1, reply/2, abcast/2, abcast/3, multi_call/2, multi_call/3, multi_call/4,
         enter_loop/3, enter_loop/4, enter_loop/5]).
-export([send_request/2, send_request/4, wait_response/2, wait_response/3, receive_response/2, receive_response/3,
         check_response/2, check_response/3, reqids_new/0, reqids_size/1, reqids_add/3, reqids_to_list/1]).
-export([init_it/6, wake/3, system_continue/3, system_terminate/4, system_code_change/4, system_get_state/1,
         system_replace_state/2, format_status/2, print_event/3, format_log/1, format_log/2]).

-callback init(term()) ->
    {ok, term()} | {ok, term(), timeout() | hibernate | {continue, term()}} | {stop, term()} | {error, term()} | ignore.
-callback handle_call(term(), {pid(), term()}, term()) -> tuple().
-callback handle_cast(term(), term()) -> tuple().
-callback handle_info(term(), term()) -> tuple().
-callback handle_continue(term(), term()) -> tuple().
-callback terminate(term(), term()) -> term().
-callback code_change(term(), term(), term()) -> {ok, term()} | {error, term()}.
-callback format_status(map()) -> map().
-callback format_status(atom(), list()) -> term().
-optional_callbacks([handle_info/2, handle_continue/2, terminate/2, code_change/3, format_status/1, format_status/2]).

%% What stays the same as long as the server lives.
-record(server, {parent, name, module, hibernate_after}).

-define(IS_TIMEOUT(T), (T =:= infinity orelse is_integer(T) andalso T >= 0)).

%%% For clients

start(Module, Args, Options) -> gen:start(gen_server, nolink, Module, Args, Options).
start(Name, Module, Args, Options) -> gen:start(gen_server, nolink, Name, Module, Args, Options).

start_link(Module, Args, Options) -> gen:start(gen_server, link, Module, Args, Options).
start_link(Name, Module, Args, Options) -> gen:start(gen_server, link, Name, Module, Args, Options).

start_monitor(Module, Args, Options) -> gen:start(gen_server, monitor, Module, Args, Options).
start_monitor(Name, Module, Args, Options) -> gen:start(gen_server, monitor, Name, Module, Args, Options).

stop(Server) -> gen:stop(Server).
stop(Server, Reason, Timeout) -> gen:stop(Server, Reason, Timeout).

call(Server, Request) ->
    try gen:call(Server, '$gen_call', Request) of
        {ok, Reply} -> Reply
    catch
        exit:Reason -> exit({Reason, {gen_server, call, [Server, Request]}});
        error:Reason:Stack -> exit({{Reason, Stack}, {gen_server, call, [Server, Request]}})
    end.

call(Server, Request, Timeout) ->
    try gen:call(Server, '$gen_call', Request, Timeout) of
        {ok, Reply} -> Reply
    catch
        exit:Reason -> exit({Reason, {gen_server, call, [Server, Request, Timeout]}});
        error:Reason:Stack -> exit({{Reason, Stack}, {gen_server, call, [Server, Request, Timeout]}})
    end.

%% Never fails: a server that is not there does not matter to who casts.
cast({global, Name}, Message) -> send_to(fun() -> global:send(Name, {'$gen_cast', Message}) end);
cast({via, Module, Name}, Message) -> send_to(fun() -> Module:send(Name, {'$gen_cast', Message}) end);
cast(Pid, Message) when is_pid(Pid) ->
    Pid ! {'$gen_cast', Message},
    ok;
cast(Server, Message) when is_atom(Server); is_tuple(Server), tuple_size(Server) =:= 2 ->
    send_to(fun() -> Server ! {'$gen_cast', Message} end).

send_to(Send) ->
    try Send() of
        _ -> ok
    catch _:_ -> ok
    end.

reply(Client, Reply) -> gen:reply(Client, Reply).

reply([{Client, Reply} | Replies]) ->
    gen:reply(Client, Reply),
    reply(Replies);
reply([]) -> ok.

abcast(Name, Message) -> abcast([node() | nodes()], Name, Message).

abcast(Nodes, Name, Message) ->
    lists:foreach(fun(Node) -> cast({Name, Node}, Message) end, Nodes),
    abcast.

multi_call(Name, Request) -> multi_call([node() | nodes()], Name, Request).

multi_call(Nodes, Name, Request) -> multi_call(Nodes, Name, Request, infinity).

%% The replies, and the nodes that gave none. All requests are sent before the first answer is waited for.
multi_call(Nodes, Name, Request, Timeout) when is_list(Nodes), is_atom(Name), ?IS_TIMEOUT(Timeout) ->
    Requests = [{Node, send_request({Name, Node}, Request)} || Node <- Nodes, is_atom(Node)],
    Deadline =
        case Timeout of
            infinity -> infinity;
            _ -> {abs, erlang:monotonic_time(millisecond) + Timeout}
        end,
    lists:foldl(fun({Node, Id}, {Replies, Bad}) ->
                        case receive_response(Id, Deadline) of
                            {reply, Reply} -> {[{Node, Reply} | Replies], Bad};
                            _ -> {Replies, [Node | Bad]}
                        end
                end, {[], []}, Requests).

send_request(Server, Request) -> gen:send_request(Server, '$gen_call', Request).
send_request(Server, Request, Label, Ids) -> gen:send_request(Server, '$gen_call', Request, Label, Ids).
wait_response(Id, Timeout) -> gen:wait_response(Id, Timeout).
wait_response(Ids, Timeout, Delete) -> gen:wait_response(Ids, Timeout, Delete).
receive_response(Id, Timeout) -> gen:receive_response(Id, Timeout).
receive_response(Ids, Timeout, Delete) -> gen:receive_response(Ids, Timeout, Delete).
check_response(Message, Id) -> gen:check_response(Message, Id).
check_response(Message, Ids, Delete) -> gen:check_response(Message, Ids, Delete).
reqids_new() -> gen:reqids_new().
reqids_size(Ids) -> gen:reqids_size(Ids).
reqids_add(Id, Label, Ids) -> gen:reqids_add(Id, Label, Ids).
reqids_to_list(Ids) -> gen:reqids_to_list(Ids).

%%% Becoming a server

enter_loop(Module, Options, State) -> enter_loop(Module, Options, State, self(), infinity).

enter_loop(Module, Options, State, {Scope, _} = Name) when Scope =:= local; Scope =:= global ->
    enter_loop(Module, Options, State, Name, infinity);
enter_loop(Module, Options, State, {via, _, _} = Name) -> enter_loop(Module, Options, State, Name, infinity);
enter_loop(Module, Options, State, Pid) when is_pid(Pid) -> enter_loop(Module, Options, State, Pid, infinity);
enter_loop(Module, Options, State, Next) -> enter_loop(Module, Options, State, self(), Next).

%% A process started by proc_lib goes on as a server.
enter_loop(Module, Options, State, ServerName, Next) when is_atom(Module), is_list(Options) ->
    Name = gen:get_proc_name(ServerName),
    Server = #server{parent = gen:get_parent(), name = Name, module = Module, hibernate_after = gen:hibernate_after(Options)},
    next(Next, Server, State, gen:debug_options(Name, Options)).

init_it(Starter, self, ServerName, Module, Args, Options) -> init_it(Starter, self(), ServerName, Module, Args, Options);
init_it(Starter, Parent, ServerName, Module, Args, Options) ->
    Name = gen:name(ServerName),
    Server = #server{parent = Parent, name = Name, module = Module, hibernate_after = gen:hibernate_after(Options)},
    Debug = gen:debug_options(Name, Options),
    Result =
        try Module:init(Args)
        catch
            throw:Thrown -> Thrown;
            Class:Reason:Stack ->
                gen:unregister_name(ServerName),
                Failure =
                    case Class of
                        error -> {Reason, Stack};
                        exit -> Reason
                    end,
                proc_lib:init_fail(Starter, {error, Failure}, {Class, Reason, Stack})
        end,
    case Result of
        {ok, State} -> started(Starter, infinity, Server, State, Debug);
        {ok, State, Next} when ?IS_TIMEOUT(Next); Next =:= hibernate -> started(Starter, Next, Server, State, Debug);
        {ok, State, {continue, _} = Next} -> started(Starter, Next, Server, State, Debug);
        {stop, Stop} -> not_started(Starter, ServerName, {error, Stop}, {exit, Stop});
        {error, Error} -> not_started(Starter, ServerName, {error, Error}, {exit, normal});
        ignore -> not_started(Starter, ServerName, ignore, {exit, normal});
        Other -> not_started(Starter, ServerName, {error, {bad_return_value, Other}}, {exit, {bad_return_value, Other}})
    end.

started(Starter, Next, Server, State, Debug) ->
    proc_lib:init_ack(Starter, {ok, self()}),
    next(Next, Server, State, Debug).

%% The name is free before the starter hears of it, so that it can try again at once.
not_started(Starter, ServerName, Result, Exception) ->
    gen:unregister_name(ServerName),
    proc_lib:init_fail(Starter, Result, Exception).

%%% The loop

next({continue, Term}, #server{module = Module, name = Name} = Server, State, Debug) ->
    Debug1 = debug(Debug, Name, {continue, Term}),
    try Module:handle_continue(Term, State) of
        Result -> handled(Result, {continue, Term}, undefined, Server, State, Debug1)
    catch
        throw:Result -> handled(Result, {continue, Term}, undefined, Server, State, Debug1);
        Class:Reason:Stack -> raised(Class, Reason, Stack, {continue, Term}, undefined, Server, State, Debug1)
    end;
next(hibernate, Server, State, Debug) -> proc_lib:hibernate(gen_server, wake, [Server, State, Debug]);
next(infinity, #server{hibernate_after = Idle} = Server, State, Debug) ->
    receive
        Message -> message(Message, infinity, Server, State, Debug, false)
    after Idle -> next(hibernate, Server, State, Debug)
    end;
next(Time, Server, State, Debug) ->
    receive
        Message -> message(Message, Time, Server, State, Debug, false)
    after Time -> message(timeout, Time, Server, State, Debug, false)
    end.

wake(Server, State, Debug) ->
    receive
        Message -> message(Message, hibernate, Server, State, Debug, true)
    end.

message(Message, Wait, #server{parent = Parent, name = Name} = Server, State, Debug, Hibernated) ->
    case Message of
        {'$gen_call', From, Request} -> handle_call(Request, From, Server, State, debug(Debug, Name, {in, Message}));
        {'$gen_cast', Cast} ->
            #server{module = Module} = Server,
            Debug1 = debug(Debug, Name, {in, Message}),
            try Module:handle_cast(Cast, State) of
                Result -> handled(Result, Message, undefined, Server, State, Debug1)
            catch
                throw:Result -> handled(Result, Message, undefined, Server, State, Debug1);
                Class:Reason:Stack -> raised(Class, Reason, Stack, Message, undefined, Server, State, Debug1)
            end;
        {system, From, Request} ->
            sys:handle_system_msg(Request, From, Parent, gen_server, Debug, [Server, State, Wait], Hibernated);
        {'EXIT', Parent, Reason} -> terminate(exit, Reason, undefined, Message, undefined, Server, State, Debug);
        _ -> handle_info(Message, Server, State, debug(Debug, Name, {in, Message}))
    end.

handle_call(Request, From, #server{module = Module} = Server, State, Debug) ->
    try Module:handle_call(Request, From, State) of
        {reply, Reply, State1} when Debug =:= [] ->
            gen:reply(From, Reply),
            next(infinity, Server, State1, Debug);
        Result -> called(Result, Request, From, Server, State, Debug)
    catch
        throw:Result -> called(Result, Request, From, Server, State, Debug);
        Class:Reason:Stack -> raised(Class, Reason, Stack, Request, From, Server, State, Debug)
    end.

called({reply, Reply, State1}, _, From, Server, _, Debug) ->
    next(infinity, Server, State1, answer(From, Reply, State1, Server, Debug));
called({reply, Reply, State1, Next}, _, From, Server, _, Debug) when ?IS_TIMEOUT(Next); Next =:= hibernate ->
    next(Next, Server, State1, answer(From, Reply, State1, Server, Debug));
called({reply, Reply, State1, {continue, _} = Next}, _, From, Server, _, Debug) ->
    next(Next, Server, State1, answer(From, Reply, State1, Server, Debug));
called({stop, Reason, Reply, State1}, Request, From, Server, _, Debug) ->
    try terminate(exit, Reason, undefined, Request, From, Server, State1, Debug)
    after answer(From, Reply, State1, Server, Debug)
    end;
called(Result, Request, From, Server, State, Debug) -> handled(Result, Request, From, Server, State, Debug).

answer(From, Reply, State, #server{name = Name}, Debug) ->
    gen:reply(From, Reply),
    debug(Debug, Name, {out, Reply, From, State}).

handle_info(Message, #server{module = Module} = Server, State, Debug) ->
    try Module:handle_info(Message, State) of
        Result -> handled(Result, Message, undefined, Server, State, Debug)
    catch
        throw:Result -> handled(Result, Message, undefined, Server, State, Debug);
        error:undef:Stack ->
            case erlang:function_exported(Module, handle_info, 2) of
                true -> raised(error, undef, Stack, Message, undefined, Server, State, Debug);
                false ->
                    logger:log(warning, #{label => {gen_server, no_handle_info}, module => Module, message => Message},
                               #{domain => [otp], report_cb => fun gen_server:format_log/2,
                                 error_logger => #{tag => warning_msg, report_cb => fun gen_server:format_log/1}}),
                    next(infinity, Server, State, Debug)
            end;
        Class:Reason:Stack -> raised(Class, Reason, Stack, Message, undefined, Server, State, Debug)
    end.

handled({noreply, State1}, _, _, Server, _, []) -> next(infinity, Server, State1, []);
handled({noreply, State1}, _, _, #server{name = Name} = Server, _, Debug) ->
    next(infinity, Server, State1, debug(Debug, Name, {noreply, State1}));
handled({noreply, State1, Next}, _, _, #server{name = Name} = Server, _, Debug) when ?IS_TIMEOUT(Next); Next =:= hibernate ->
    next(Next, Server, State1, debug(Debug, Name, {noreply, State1}));
handled({noreply, State1, {continue, _} = Next}, _, _, #server{name = Name} = Server, _, Debug) ->
    next(Next, Server, State1, debug(Debug, Name, {noreply, State1}));
handled({stop, Reason, State1}, Message, From, Server, _, Debug) ->
    terminate(exit, Reason, undefined, Message, From, Server, State1, Debug);
handled(Other, Message, From, Server, State, Debug) ->
    terminate(exit, {bad_return_value, Other}, undefined, Message, From, Server, State, Debug).

debug([], _, _) -> [];
debug(Debug, Name, Event) -> sys:handle_debug(Debug, fun gen_server:print_event/3, Name, Event).

%%% The end

raised(Class, Reason, Stack, Message, From, Server, State, Debug) ->
    terminate(Class, Reason, Stack, Message, From, Server, State, Debug).

%% Stack is that of an exception in a callback, or undefined.
-spec terminate(error | exit, term(), list() | undefined, term(), term(), #server{}, term(), list()) -> no_return().
terminate(Class, Reason, Stack, Message, From, #server{module = Module} = Server, State, Debug) ->
    Told =
        case Class of
            error -> {Reason, Stack};
            exit -> Reason
        end,
    try
        case erlang:function_exported(Module, terminate, 2) of
            true -> Module:terminate(Told, State);
            false -> ok
        end
    catch
        throw:_ -> ok;
        Class1:Reason1:Stack1 ->
            report(Reason1, Stack1, Message, From, Server, State, Debug),
            erlang:raise(Class1, Reason1, Stack1)
    end,
    case {Class, Reason} of
        {exit, normal} -> ok;
        {exit, shutdown} -> ok;
        {exit, {shutdown, _}} -> ok;
        _ -> report(Reason, Stack, Message, From, Server, State, Debug)
    end,
    case Stack of
        undefined -> exit(Reason);
        _ -> erlang:raise(Class, Reason, Stack)
    end.

report(Reason, Stack, Message, From, #server{module = Module, name = Name}, State, Debug) ->
    Status = gen:format_status(Module, terminate,
                               #{reason => Reason, state => State, message => Message, log => sys:get_log(Debug)},
                               [get(), State]),
    Shown =
        case Status of
            #{'EXIT' := Text} -> Text;
            #{'$status' := Formatted} -> Formatted;
            #{state := Formatted} -> Formatted
        end,
    Full =
        case Stack of
            undefined -> maps:get(reason, Status);
            _ -> {maps:get(reason, Status), Stack}
        end,
    logger:log(error, #{label => {gen_server, terminate}, name => Name, last_message => maps:get(message, Status),
                        state => Shown, log => maps:get(log, Status), reason => Full, client_info => client(From)},
               #{domain => [otp], report_cb => fun gen_server:format_log/2,
                 error_logger => #{tag => error, report_cb => fun gen_server:format_log/1}}).

client(undefined) -> undefined;
client({Pid, _}) -> erlet_layout:client_info(Pid).

format_log(Report) -> erlet_layout:format(layout(Report)).

format_log(Report, Options) -> erlet_layout:text(layout(Report), single(Report), Options).

layout(#{label := {gen_server, terminate}, name := Name, last_message := Message, state := State, log := Log, reason := Reason,
         client_info := Client}) ->
    ["** Generic server ", {show, Name}, " terminating \n** Last message in was ", {cut, Message}, "~n** When Server state == ",
     {cut, State}, "~n** Reason for termination ==~n** ", {cut, erlet_layout:explained(Reason)}, "~n"]
        ++ case Log of
               [] -> [];
               _ -> ["** Log ==~n** ["] ++ lists:join(",~n    ", [{cut, Event} || Event <- Log]) ++ ["]~n"]
           end ++ erlet_layout:client(Client, false);
layout(#{label := {gen_server, no_handle_info}, module := Module, message := Message}) ->
    ["** Undefined handle_info in ", {plain, Module}, "~n** Unhandled message: ", {cut, Message}, "~n"].

single(#{label := {gen_server, terminate}, name := Name, last_message := Message, state := State, log := Log, reason := Reason,
         client_info := Client}) ->
    ["Generic server ", {show, Name}, " terminating. Reason: ", {show, erlet_layout:explained(Reason)}, ". Last message: ",
     {show, Message}, ". State: ", {show, State}, "."]
        ++ case Log of
               [] -> [];
               _ -> [" Log: ", {show, Log}]
           end ++ erlet_layout:client(Client, true);
single(#{label := {gen_server, no_handle_info}, module := Module, message := Message}) ->
    ["Undefined handle_info in ", {show, Module}, ". Unhandled message: ", {show, Message}, "."].

%%% System messages

system_continue(Parent, Debug, [Server, State, Wait]) -> next(Wait, Server#server{parent = Parent}, State, Debug).

-spec system_terminate(term(), pid(), list(), list()) -> no_return().
system_terminate(Reason, _, Debug, [Server, State, _]) ->
    terminate(exit, Reason, undefined, [], undefined, Server, State, Debug).

system_code_change([#server{module = Module} = Server, State, Wait], _, Vsn, Extra) ->
    case catch Module:code_change(Vsn, State, Extra) of
        {ok, State1} -> {ok, [Server, State1, Wait]};
        Other -> Other
    end.

system_get_state([_, State, _]) -> {ok, State}.

system_replace_state(F, [Server, State, Wait]) ->
    State1 = F(State),
    {ok, State1, [Server, State1, Wait]}.

format_status(Option, [Dictionary, Status, Parent, Debug, [#server{name = Name, module = Module}, State, _]]) ->
    Formatted = gen:format_status(Module, Option, #{state => State, log => sys:get_log(Debug)}, [Dictionary, State]),
    Specific =
        case Formatted of
            #{'EXIT' := Text} -> [{data, [{"State", Text}]}];
            #{'$status' := Own} when is_list(Own) -> Own;
            #{'$status' := Own} -> [Own];
            #{state := Shown} -> [{data, [{"State", Shown}]}]
        end,
    [{header, gen:format_status_header("Status for generic server", Name)},
     {data, [{"Status", Status}, {"Parent", Parent}, {"Logged events", maps:get(log, Formatted)}]} | Specific].

print_event(Device, Event, Name) ->
    case Event of
        {in, {'$gen_call', {From, _}, Call}} -> io:format(Device, "*DBG* ~tp got call ~tp from ~tw~n", [Name, Call, From]);
        {in, {'$gen_cast', Cast}} -> io:format(Device, "*DBG* ~tp got cast ~tp~n", [Name, Cast]);
        {in, Message} -> io:format(Device, "*DBG* ~tp got ~tp~n", [Name, Message]);
        {out, Message, {To, _}, State} ->
            io:format(Device, "*DBG* ~tp sent ~tp to ~tw, new state ~tp~n", [Name, Message, To, State]);
        {noreply, State} -> io:format(Device, "*DBG* ~tp new state ~tp~n", [Name, State]);
        _ -> io:format(Device, "*DBG* ~tp dbg  ~tp~n", [Name, Event])
    end.

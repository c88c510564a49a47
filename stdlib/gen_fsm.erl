%% State machines in the way of old: a function for each state. What new programs do with gen_statem.
%%
%% Events are messages of their own: for the function that the state is named after, or for all states alike, and each kind once more
%% for those who wait for an answer. Whatever else comes is for `handle_info/3`.
-module(gen_fsm).

-export([start/3, start/4, start_link/3, start_link/4, stop/1, stop/3, send_event/2, sync_send_event/2, sync_send_event/3,
         send_all_state_event/2, sync_send_all_state_event/2, sync_send_all_state_event/3, reply/2, start_timer/2, send_event_after/2,
         cancel_timer/1, enter_loop/4, enter_loop/5, enter_loop/6]).
-export([init_it/6, wake/4, system_continue/3, system_terminate/4, system_code_change/4, system_get_state/1,
         system_replace_state/2, format_status/2, format_log/1, format_log/2]).

-callback init(Args :: term()) ->
    {ok, StateName :: atom(), StateData :: term()} | {ok, StateName :: atom(), StateData :: term(), timeout() | hibernate}
    | {stop, Reason :: term()} | ignore.
-callback handle_event(Event :: term(), StateName :: atom(), StateData :: term()) -> term().
-callback handle_sync_event(Event :: term(), From :: term(), StateName :: atom(), StateData :: term()) -> term().
-callback handle_info(Info :: term(), StateName :: atom(), StateData :: term()) -> term().
-callback terminate(Reason :: term(), StateName :: atom(), StateData :: term()) -> term().
-callback code_change(Old :: term(), StateName :: atom(), StateData :: term(), Extra :: term()) -> term().
-callback format_status(Option :: atom(), StatusData :: list()) -> term().
-optional_callbacks([handle_info/3, terminate/3, code_change/4, format_status/2]).

%% What stays the same as long as the machine lives.
-record(machine, {parent, name, module, hibernate_after}).

%%% For clients

start(Module, Args, Options) -> gen:start(gen_fsm, nolink, Module, Args, Options).
start(Name, Module, Args, Options) -> gen:start(gen_fsm, nolink, Name, Module, Args, Options).

start_link(Module, Args, Options) -> gen:start(gen_fsm, link, Module, Args, Options).
start_link(Name, Module, Args, Options) -> gen:start(gen_fsm, link, Name, Module, Args, Options).

stop(Machine) -> gen:stop(Machine).
stop(Machine, Reason, Timeout) -> gen:stop(Machine, Reason, Timeout).

send_event(Machine, Event) -> send(Machine, {'$gen_event', Event}).
send_all_state_event(Machine, Event) -> send(Machine, {'$gen_all_state_event', Event}).

%% Whether a name of another registry is known does not matter to who sends.
send({global, Name}, Message) -> sent(fun() -> global:send(Name, Message) end);
send({via, Module, Name}, Message) -> sent(fun() -> Module:send(Name, Message) end);
send(Machine, Message) ->
    Machine ! Message,
    ok.

sent(Send) ->
    try Send() of
        _ -> ok
    catch _:_ -> ok
    end.

sync_send_event(Machine, Event) -> called(Machine, '$gen_sync_event', Event, [], sync_send_event).
sync_send_event(Machine, Event, Timeout) -> called(Machine, '$gen_sync_event', Event, [Timeout], sync_send_event).

sync_send_all_state_event(Machine, Event) -> called(Machine, '$gen_sync_all_state_event', Event, [], sync_send_all_state_event).
sync_send_all_state_event(Machine, Event, Timeout) ->
    called(Machine, '$gen_sync_all_state_event', Event, [Timeout], sync_send_all_state_event).

called(Machine, Label, Event, Timeout, Function) ->
    try apply(gen, call, [Machine, Label, Event | Timeout]) of
        {ok, Reply} -> Reply
    catch
        exit:Reason -> exit({Reason, {gen_fsm, Function, [Machine, Event | Timeout]}});
        error:Reason:Stack -> exit({{Reason, Stack}, {gen_fsm, Function, [Machine, Event | Timeout]}})
    end.

reply(From, Reply) -> gen:reply(From, Reply).

%% Timers of the machine itself: an event, or a message that says which timer it was.
start_timer(Time, Message) -> erlang:start_timer(Time, self(), {'$gen_timer', Message}).

send_event_after(Time, Event) -> erlang:start_timer(Time, self(), {'$gen_event', Event}).

%% A timer that has gone off may have left its message.
cancel_timer(Timer) ->
    case erlang:cancel_timer(Timer) of
        false ->
            receive {timeout, Timer, _} -> 0
            after 0 -> false
            end;
        Left -> Left
    end.

%%% Becoming a machine

enter_loop(Module, Options, StateName, Data) -> enter_loop(Module, Options, StateName, Data, self(), infinity).

enter_loop(Module, Options, StateName, Data, Name) when is_pid(Name); is_tuple(Name) ->
    enter_loop(Module, Options, StateName, Data, Name, infinity);
enter_loop(Module, Options, StateName, Data, Timeout) -> enter_loop(Module, Options, StateName, Data, self(), Timeout).

enter_loop(Module, Options, StateName, Data, ServerName, Timeout) when is_atom(Module), is_list(Options) ->
    Name = gen:get_proc_name(ServerName),
    Machine = #machine{parent = gen:get_parent(), name = Name, module = Module, hibernate_after = gen:hibernate_after(Options)},
    wait(Timeout, Machine, {StateName, Data}, gen:debug_options(Name, Options)).

init_it(Starter, self, ServerName, Module, Args, Options) -> init_it(Starter, self(), ServerName, Module, Args, Options);
init_it(Starter, Parent, ServerName, Module, Args, Options) ->
    Name = gen:name(ServerName),
    Debug = gen:debug_options(Name, Options),
    Machine = #machine{parent = Parent, name = Name, module = Module, hibernate_after = gen:hibernate_after(Options)},
    case catch Module:init(Args) of
        {ok, StateName, Data} -> started(Starter, infinity, Machine, {StateName, Data}, Debug);
        {ok, StateName, Data, Timeout} -> started(Starter, Timeout, Machine, {StateName, Data}, Debug);
        {stop, Reason} -> not_started(Starter, ServerName, {error, Reason}, Reason);
        ignore -> not_started(Starter, ServerName, ignore, normal);
        {'EXIT', Reason} -> not_started(Starter, ServerName, {error, Reason}, Reason);
        Other -> not_started(Starter, ServerName, {error, {bad_return_value, Other}}, {bad_return_value, Other})
    end.

started(Starter, Timeout, Machine, State, Debug) ->
    proc_lib:init_ack(Starter, {ok, self()}),
    wait(Timeout, Machine, State, Debug).

not_started(Starter, ServerName, Result, Reason) ->
    gen:unregister_name(ServerName),
    proc_lib:init_fail(Starter, Result, {exit, Reason}).

%%% The loop

wait(hibernate, Machine, State, Debug) -> proc_lib:hibernate(gen_fsm, wake, [Machine, State, Debug, hibernate]);
wait(infinity, #machine{hibernate_after = Idle} = Machine, State, Debug) ->
    receive
        Message -> message(Message, infinity, Machine, State, Debug, false)
    after Idle -> wait(hibernate, Machine, State, Debug)
    end;
wait(Time, Machine, State, Debug) ->
    receive
        Message -> message(Message, Time, Machine, State, Debug, false)
    after Time -> message({'$gen_event', timeout}, Time, Machine, State, Debug, false)
    end.

wake(Machine, State, Debug, Wait) ->
    receive
        Message -> message(Message, Wait, Machine, State, Debug, true)
    end.

message(Message, Wait, #machine{parent = Parent, module = Module} = Machine, {StateName, Data} = State, Debug, Hibernated) ->
    case Message of
        {system, From, Request} ->
            sys:handle_system_msg(Request, From, Parent, gen_fsm, Debug, [Machine, State, Wait], Hibernated);
        {'EXIT', Parent, Reason} -> terminate(Reason, undefined, Message, Machine, State, Debug);
        _ ->
            Debug1 = told({in, Message, StateName}, Machine, Debug),
            result(catch handle(Message, Module, StateName, Data), client(Message), Message, Machine, State, Debug1)
    end.

handle({'$gen_event', Event}, Module, StateName, Data) -> Module:StateName(Event, Data);
handle({'$gen_all_state_event', Event}, Module, StateName, Data) -> Module:handle_event(Event, StateName, Data);
handle({'$gen_sync_event', From, Event}, Module, StateName, Data) -> Module:StateName(Event, From, Data);
handle({'$gen_sync_all_state_event', From, Event}, Module, StateName, Data) -> Module:handle_sync_event(Event, From, StateName, Data);
handle({timeout, Timer, {'$gen_timer', Message}}, Module, StateName, Data) -> Module:StateName({timeout, Timer, Message}, Data);
handle({timeout, _, {'$gen_event', Event}}, Module, StateName, Data) -> Module:StateName(Event, Data);
handle(Info, Module, StateName, Data) -> Module:handle_info(Info, StateName, Data).

client({'$gen_sync_event', From, _}) -> From;
client({'$gen_sync_all_state_event', From, _}) -> From;
client(_) -> undefined.

result(Result, From, Message, #machine{module = Module} = Machine, State, Debug) ->
    case Result of
        {next_state, StateName, Data} -> wait(infinity, Machine, {StateName, Data}, told({noreply, StateName}, Machine, Debug));
        {next_state, StateName, Data, Time} -> wait(Time, Machine, {StateName, Data}, told({noreply, StateName}, Machine, Debug));
        {reply, Reply, StateName, Data} when From =/= undefined ->
            wait(infinity, Machine, {StateName, Data}, answer(From, Reply, StateName, Machine, Debug));
        {reply, Reply, StateName, Data, Time} when From =/= undefined ->
            wait(Time, Machine, {StateName, Data}, answer(From, Reply, StateName, Machine, Debug));
        {stop, Reason, Data} -> terminate(Reason, From, Message, Machine, {element(1, State), Data}, Debug);
        {stop, Reason, Reply, Data} when From =/= undefined ->
            try terminate(Reason, From, Message, Machine, {element(1, State), Data}, Debug)
            after answer(From, Reply, element(1, State), Machine, Debug)
            end;
        {'EXIT', {undef, [{Module, handle_info, [_, _, _], _} | _]}} ->
            logger:log(warning, #{label => {gen_fsm, no_handle_info}, module => Module, message => Message},
                       #{domain => [otp], report_cb => fun gen_fsm:format_log/2,
                         error_logger => #{tag => warning_msg, report_cb => fun gen_fsm:format_log/1}}),
            wait(infinity, Machine, State, Debug);
        {'EXIT', Reason} -> terminate(Reason, From, Message, Machine, State, Debug);
        Other -> terminate({bad_return_value, Other}, From, Message, Machine, State, Debug)
    end.

answer(From, Reply, StateName, Machine, Debug) ->
    gen:reply(From, Reply),
    told({out, Reply, From, StateName}, Machine, Debug).

%% What `sys` is told.
told(_, _, []) -> [];
told(Step, #machine{name = Name}, Debug) -> sys:handle_debug(Debug, fun print_event/3, Name, Step).

print_event(Device, Step, Name) ->
    Say = fun(Format, Args) -> io:format(Device, "*DBG* ~tp " ++ Format ++ "~n", [Name | Args]) end,
    case Step of
        {in, {'$gen_event', Event}, In} -> Say("got event ~tp in state ~tw", [Event, In]);
        {in, {'$gen_all_state_event', Event}, In} -> Say("got all_state_event ~tp in state ~tw", [Event, In]);
        {in, {'$gen_sync_event', {From, _}, Event}, In} -> Say("got sync_event ~tp from ~tw in state ~tw", [Event, From, In]);
        {in, {'$gen_sync_all_state_event', {From, _}, Event}, In} ->
            Say("got sync_all_state_event ~tp from ~tw in state ~tw", [Event, From, In]);
        {in, {timeout, Timer, {'$gen_timer', Message}}, In} -> Say("got timer ~tp in state ~tw", [{timeout, Timer, Message}, In]);
        {in, {timeout, _, {'$gen_event', Event}}, In} -> Say("got timer ~tp in state ~tw", [Event, In]);
        {in, Message, In} -> Say("got ~tp in state ~tw", [Message, In]);
        {out, Reply, {To, _}, Next} -> Say("sent ~tp to ~tw~n      and switched to state ~tw", [Reply, To, Next]);
        {noreply, Next} -> Say("switched to state ~tw", [Next])
    end.

%%% The end

-spec terminate(term(), term(), term(), #machine{}, {atom(), term()}, list()) -> no_return().
terminate(Reason, From, Message, #machine{module = Module} = Machine, {StateName, Data} = State, Debug) ->
    Ended =
        case erlang:function_exported(Module, terminate, 3) andalso catch Module:terminate(Reason, StateName, Data) of
            {'EXIT', Failure} -> {failed, Failure};
            _ -> Reason
        end,
    case Ended of
        {failed, Why} ->
            report(Why, From, Message, Machine, State, Debug),
            exit(Why);
        _ ->
            is_expected(Reason) orelse report(Reason, From, Message, Machine, State, Debug),
            exit(Reason)
    end.

is_expected(normal) -> true;
is_expected(shutdown) -> true;
is_expected({shutdown, _}) -> true;
is_expected(_) -> false.

report(Reason, From, Message, #machine{name = Name, module = Module}, {StateName, Data}, Debug) ->
    logger:log(error, #{label => {gen_fsm, terminate}, name => Name, last_message => Message, state_name => StateName,
                        state_data => shown(terminate, Module, get(), Data), log => sys:get_log(Debug), reason => Reason,
                        client_info => client_info(From)},
               #{domain => [otp], report_cb => fun gen_fsm:format_log/2,
                 error_logger => #{tag => error, report_cb => fun gen_fsm:format_log/1}}).

client_info(undefined) -> undefined;
client_info({Pid, _}) -> erlet_layout:client_info(Pid).

format_log(Report) -> erlet_layout:format(layout(Report)).

format_log(Report, Options) -> erlet_layout:text(layout(Report), single(Report), Options).

layout(#{label := {gen_fsm, terminate}, name := Name, last_message := Message, state_name := StateName, state_data := Data,
         log := Log, reason := Reason, client_info := Client}) ->
    ["** State machine ", {show, Name}, " terminating \n** Last "] ++ last(Message)
        ++ ["~n** When State == ", {show, StateName}, "~n**      Data  == ", {cut, Data}, "~n** Reason for termination ==~n** ",
            {cut, erlet_layout:explained(Reason)}, "~n"]
        ++ case Log of
               [] -> [];
               _ -> ["** Log ==~n**", {cut_each, Log}, "~n"]
           end ++ erlet_layout:client(Client, false);
layout(#{label := {gen_fsm, no_handle_info}, module := Module, message := Message}) ->
    ["** Undefined handle_info in ", {plain, Module}, "~n** Unhandled message: ", {cut, Message}, "~n"].

last({'$gen_event', Event}) -> ["event in was ", {cut, Event}];
last({'$gen_all_state_event', Event}) -> ["event in was ", {cut, Event}, " (for all states)"];
last({'$gen_sync_event', {From, _}, Event}) -> ["sync event in was ", {cut, Event}, " from ", {word, From}];
last({'$gen_sync_all_state_event', {From, _}, Event}) ->
    ["sync event in was ", {cut, Event}, " (for all states) from ", {show, From}];
last({timeout, Timer, {'$gen_timer', Message}}) -> ["timer event in was ", {cut, {timeout, Timer, Message}}];
last({timeout, _, {'$gen_event', Event}}) -> ["timer event in was ", {cut, Event}];
last(Message) -> ["message in was ", {cut, Message}].

single(#{label := {gen_fsm, terminate}, name := Name, last_message := Message, state_name := StateName, state_data := Data,
         log := Log, reason := Reason, client_info := Client}) ->
    Last = [Term || {_, Term} <- last(Message)],
    ["State machine ", {show, Name}, " terminating. Reason: ", {show, erlet_layout:explained(Reason)}, ". Last event: ", {show, Last},
     ". State: ", {show, StateName}, ". Data: ", {show, Data}]
        ++ case Log of
               [] -> [];
               _ -> [". Log: ", {show, Log}]
           end ++ ["."] ++ erlet_layout:client(Client, true);
single(#{label := {gen_fsm, no_handle_info}, module := Module, message := Message}) ->
    ["Undefined handle_info in ", {show, Module}, ". Unhandled message: ", {show, Message}, "."].

%%% System messages

system_continue(Parent, Debug, [Machine, State, Wait]) -> wait(Wait, Machine#machine{parent = Parent}, State, Debug).

-spec system_terminate(term(), pid(), list(), list()) -> no_return().
system_terminate(Reason, _, Debug, [Machine, State, _]) -> terminate(Reason, undefined, [], Machine, State, Debug).

system_code_change([#machine{module = Module} = Machine, {StateName, Data}, Wait], _, Vsn, Extra) ->
    case catch Module:code_change(Vsn, StateName, Data, Extra) of
        {ok, NewName, NewData} -> {ok, [Machine, {NewName, NewData}, Wait]};
        Other -> Other
    end.

system_get_state([_, State, _]) -> {ok, State}.

system_replace_state(F, [Machine, State, Wait]) ->
    {_, _} = State1 = F(State),
    {ok, State1, [Machine, State1, Wait]}.

format_status(Option, [Dictionary, Status, Parent, Debug, [#machine{name = Name, module = Module}, {StateName, Data}, _]]) ->
    Specific =
        case shown(Option, Module, Dictionary, Data) of
            Shown when is_list(Shown) -> Shown;
            Shown -> [Shown]
        end,
    [{header, gen:format_status_header("Status for state machine", Name)},
     {data, [{"Status", Status}, {"Parent", Parent}, {"Logged events", sys:get_log(Debug)}, {"StateName", StateName}]} | Specific].

%% As the module shows it, or as it is.
shown(Option, Module, Dictionary, Data) ->
    Plain =
        case Option of
            terminate -> Data;
            _ -> [{data, [{"StateData", Data}]}]
        end,
    case erlang:function_exported(Module, format_status, 2) andalso catch Module:format_status(Option, [Dictionary, Data]) of
        false -> Plain;
        {'EXIT', _} -> Plain;
        Shown -> Shown
    end.

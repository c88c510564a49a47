%% The event manager: one process that hands every event to each of its handlers.
%%
%% A handler is a callback module with a state, known as `Module` or `{Module, Id}`. Handlers are kept in a list, the latest
%% first. One that fails is taken out and reported; the manager and the others go on. A supervised handler is linked to the process that
%% added it: that one hears `{gen_event_EXIT, Handler, Reason}` when the handler goes, and its own death takes the handler out.
-module(gen_event).

-export([start/0, start/1, start/2, start_link/0, start_link/1, start_link/2, start_monitor/0, start_monitor/1, start_monitor/2,
         stop/1, stop/3, notify/2, sync_notify/2, add_handler/3, add_sup_handler/3, delete_handler/3, swap_handler/3,
         swap_sup_handler/3, which_handlers/1, call/3, call/4, send_request/3, send_request/5, wait_response/2, wait_response/3,
         receive_response/2, receive_response/3, check_response/2, check_response/3, reqids_new/0, reqids_size/1, reqids_add/3,
         reqids_to_list/1]).
-export([init_it/6, wake/3, system_continue/3, system_terminate/4, system_code_change/4, system_get_state/1,
         system_replace_state/2, format_status/2, format_log/1, format_log/2]).

-callback init(term()) -> {ok, term()} | {ok, term(), hibernate} | {error, term()}.
-callback handle_event(term(), term()) -> tuple() | remove_handler.
-callback handle_call(term(), term()) -> tuple().
-callback handle_info(term(), term()) -> tuple() | remove_handler.
-callback terminate(term(), term()) -> term().
-callback code_change(term(), term(), term()) -> {ok, term()}.
-callback format_status(map()) -> map().
-callback format_status(atom(), list()) -> term().
-optional_callbacks([handle_info/2, terminate/2, code_change/3, format_status/1, format_status/2]).

%% id is false for a handler known by its module alone; supervised is the pid that supervises it, or false.
-record(handler, {module, id = false, state, supervised = false}).

-record(manager, {parent, name, hibernate_after}).

%%% For clients

start() -> gen:start(gen_event, nolink, [], [], []).

start({_, _} = Name) -> start(Name, []);
start({_, _, _} = Name) -> start(Name, []);
start(Options) when is_list(Options) -> gen:start(gen_event, nolink, [], [], Options).

start(Name, Options) -> gen:start(gen_event, nolink, Name, [], [], Options).

start_link() -> gen:start(gen_event, link, [], [], []).

start_link({_, _} = Name) -> start_link(Name, []);
start_link({_, _, _} = Name) -> start_link(Name, []);
start_link(Options) when is_list(Options) -> gen:start(gen_event, link, [], [], Options).

start_link(Name, Options) -> gen:start(gen_event, link, Name, [], [], Options).

start_monitor() -> gen:start(gen_event, monitor, [], [], []).

start_monitor({_, _} = Name) -> start_monitor(Name, []);
start_monitor({_, _, _} = Name) -> start_monitor(Name, []);
start_monitor(Options) when is_list(Options) -> gen:start(gen_event, monitor, [], [], Options).

start_monitor(Name, Options) -> gen:start(gen_event, monitor, Name, [], [], Options).

stop(Manager) -> gen:stop(Manager).

stop(Manager, Reason, Timeout) -> gen:stop(Manager, Reason, Timeout).

notify(Manager, Event) -> send(Manager, {notify, Event}).

send({global, Name}, Message) ->
    catch global:send(Name, Message),
    ok;
send({via, Module, Name}, Message) ->
    catch Module:send(Name, Message),
    ok;
send(Manager, Message) ->
    Manager ! Message,
    ok.

sync_notify(Manager, Event) -> request(Manager, {sync_notify, Event}).
add_handler(Manager, Handler, Args) -> request(Manager, {add_handler, Handler, Args}).
add_sup_handler(Manager, Handler, Args) -> request(Manager, {add_sup_handler, Handler, Args, self()}).
delete_handler(Manager, Handler, Args) -> request(Manager, {delete_handler, Handler, Args}).
swap_handler(Manager, {Old, Args1}, {New, Args2}) -> request(Manager, {swap_handler, Old, Args1, New, Args2}).
swap_sup_handler(Manager, {Old, Args1}, {New, Args2}) -> request(Manager, {swap_sup_handler, Old, Args1, New, Args2, self()}).
which_handlers(Manager) -> request(Manager, which_handlers).

%% The requesting process is the label, so no other message can look like one of these.
request(Manager, Request) ->
    {ok, Reply} = gen:call(Manager, self(), Request, infinity),
    Reply.

call(Manager, Handler, Query) ->
    try gen:call(Manager, self(), {call, Handler, Query}) of
        {ok, Reply} -> Reply
    catch exit:Reason -> exit({Reason, {gen_event, call, [Manager, Handler, Query]}})
    end.

call(Manager, Handler, Query, Timeout) ->
    try gen:call(Manager, self(), {call, Handler, Query}, Timeout) of
        {ok, Reply} -> Reply
    catch exit:Reason -> exit({Reason, {gen_event, call, [Manager, Handler, Query, Timeout]}})
    end.

send_request(Manager, Handler, Query) -> gen:send_request(Manager, self(), {call, Handler, Query}).
send_request(Manager, Handler, Query, Label, Ids) -> gen:send_request(Manager, self(), {call, Handler, Query}, Label, Ids).
wait_response(Id, Timeout) -> unwrapped(gen:wait_response(Id, Timeout)).
wait_response(Ids, Timeout, Delete) -> unwrapped(gen:wait_response(Ids, Timeout, Delete)).
receive_response(Id, Timeout) -> unwrapped(gen:receive_response(Id, Timeout)).
receive_response(Ids, Timeout, Delete) -> unwrapped(gen:receive_response(Ids, Timeout, Delete)).
check_response(Message, Id) -> unwrapped(gen:check_response(Message, Id)).
check_response(Message, Ids, Delete) -> unwrapped(gen:check_response(Message, Ids, Delete)).
reqids_new() -> gen:reqids_new().
reqids_size(Ids) -> gen:reqids_size(Ids).
reqids_add(Id, Label, Ids) -> gen:reqids_add(Id, Label, Ids).
reqids_to_list(Ids) -> gen:reqids_to_list(Ids).

%% A handler's failure comes as a reply.
unwrapped({reply, {error, _} = Error}) -> Error;
unwrapped({{reply, {error, _} = Error}, Label, Ids}) -> {Error, Label, Ids};
unwrapped(Other) -> Other.

%%% The loop

init_it(Starter, self, Name, Module, Args, Options) -> init_it(Starter, self(), Name, Module, Args, Options);
init_it(Starter, Parent, FullName, _, _, Options) ->
    process_flag(trap_exit, true),
    Name = gen:name(FullName),
    Debug = gen:debug_options(Name, Options),
    proc_lib:init_ack(Starter, {ok, self()}),
    loop(#manager{parent = Parent, name = Name, hibernate_after = gen:hibernate_after(Options)}, [], Debug, false).

loop(Manager, Handlers, Debug, true) -> proc_lib:hibernate(gen_event, wake, [Manager, Handlers, Debug]);
loop(#manager{hibernate_after = Idle} = Manager, Handlers, Debug, false) ->
    receive
        Message -> message(Message, Manager, Handlers, Debug, false)
    after Idle -> loop(Manager, Handlers, Debug, true)
    end.

wake(Manager, Handlers, Debug) ->
    receive
        Message -> message(Message, Manager, Handlers, Debug, true)
    end.

message({system, From, Request}, #manager{parent = Parent} = Manager, Handlers, Debug, Hibernated) ->
    sys:handle_system_msg(Request, From, Parent, gen_event, Debug, [Manager, Handlers, Hibernated], Hibernated);
message({'EXIT', Parent, Reason}, #manager{parent = Parent} = Manager, Handlers, _, _) -> terminate(Reason, Manager, Handlers);
message(Message, Manager, Handlers, [], _) -> handle(Message, Manager, Handlers, []);
message(Message, #manager{name = Name} = Manager, Handlers, Debug, _) ->
    Print = fun(Device, Event, N) -> io:format(Device, "*DBG* ~tp got event ~tp~n", [N, Event]) end,
    handle(Message, Manager, Handlers, sys:handle_debug(Debug, Print, Name, {in, Message})).

handle(Message, #manager{name = Name} = Manager, Handlers, Debug) ->
    case Message of
        {notify, Event} -> all(Event, handle_event, Manager, Handlers, Debug);
        {Pid, Client, Request} when is_pid(Pid), is_tuple(Client) ->
            case request(Request, Name, Handlers) of
                {sync_notify, Event} ->
                    {Hibernate, Handlers1} = notify_all(Event, handle_event, Name, Handlers),
                    gen:reply(Client, ok),
                    loop(Manager, Handlers1, Debug, Hibernate);
                {Hibernate, Reply, Handlers1} ->
                    gen:reply(Client, Reply),
                    loop(Manager, Handlers1, Debug, Hibernate)
            end;
        {'EXIT', From, Reason} ->
            %% Handlers that From supervised go; for the others it is a message.
            {Gone, Left} = lists:partition(fun(#handler{supervised = Pid}) -> Pid =:= From end, Handlers),
            %% Nobody is left to be told.
            lists:foreach(fun(Handler) -> stop_handler(Handler#handler{supervised = false}, {stop, Reason}, Name, Message, shutdown) end,
                          Gone),
            all(Message, handle_info, Manager, Left, Debug);
        _ -> all(Message, handle_info, Manager, Handlers, Debug)
    end.

all(Event, Callback, #manager{name = Name} = Manager, Handlers, Debug) ->
    {Hibernate, Handlers1} = notify_all(Event, Callback, Name, Handlers),
    loop(Manager, Handlers1, Debug, Hibernate).

request({sync_notify, Event}, _, _) -> {sync_notify, Event};
request({add_handler, Handler, Args}, _, Handlers) -> add(named(Handler), Args, Handlers);
request({add_sup_handler, Handler, Args, Pid}, _, Handlers) ->
    link(Pid),
    add((named(Handler))#handler{supervised = Pid}, Args, Handlers);
request({delete_handler, Name, Args}, Manager, Handlers) ->
    case taken(Name, Handlers) of
        {Handler, Before, After} ->
            Result = stop_handler(Handler, Args, Manager, delete, normal),
            {false, Result, Before ++ After};
        none -> {false, {error, module_not_found}, Handlers}
    end;
request({swap_handler, Old, Args1, New, Args2}, Manager, Handlers) -> swap(Old, Args1, New, Args2, keep, Manager, Handlers);
request({swap_sup_handler, Old, Args1, New, Args2, Pid}, Manager, Handlers) ->
    swap(Old, Args1, New, Args2, Pid, Manager, Handlers);
request(which_handlers, _, Handlers) -> {false, [name(Handler) || Handler <- Handlers], Handlers};
request({call, Name, Query}, Manager, Handlers) ->
    case taken(Name, Handlers) of
        {Handler, Before, After} ->
            {Hibernate, Reply, Left} = call_handler(Query, Handler, Manager),
            {Hibernate, Reply, Before ++ Left ++ After};
        none -> {false, {error, bad_module}, Handlers}
    end;
request(_, _, Handlers) -> {false, {error, unknown_request}, Handlers}.

named({Module, Id}) -> #handler{module = Module, id = Id};
named(Module) -> #handler{module = Module}.

name(#handler{module = Module, id = false}) -> Module;
name(#handler{module = Module, id = Id}) -> {Module, Id}.

taken(Name, Handlers) ->
    case lists:splitwith(fun(Handler) -> name(Handler) =/= Name end, Handlers) of
        {Before, [Handler | After]} -> {Handler, Before, After};
        _ -> none
    end.

%%% Handlers come and go

add(#handler{module = Module} = Handler, Args, Handlers) ->
    case guarded(fun() -> Module:init(Args) end) of
        {ok, State} -> {false, ok, [Handler#handler{state = State} | Handlers]};
        {ok, State, hibernate} -> {true, ok, [Handler#handler{state = State} | Handlers]};
        Other -> {false, Other, Handlers}
    end.

%% What a callback answers or throws, or `{'EXIT', Reason}`.
guarded(F) ->
    try F()
    catch
        throw:Thrown -> Thrown;
        error:Reason:Stack -> {'EXIT', {Reason, Stack}};
        exit:Reason -> {'EXIT', Reason}
    end.

%% The new handler's init gets the old one's farewell; a supervised one stays so unless Pid takes over.
swap(Old, Args1, New, Args2, Pid, Manager, Handlers) ->
    case swap_in(Old, Args1, New, Args2, Pid, Manager, Handlers) of
        {_, ok, _} = Done -> Done;
        {Hibernate, Other, Left} -> {Hibernate, {error, Other}, Left}
    end.

swap_in(Old, Args1, New, Args2, Pid, Manager, Handlers) ->
    {Farewell, Supervised, Left} =
        case taken(Old, Handlers) of
            {#handler{supervised = Before} = Handler, Front, Rest} ->
                Answer = stop_handler(Handler, Args1, Manager, swapped, {swapped, New, watcher(Pid, Before)}),
                {Answer, Before, Front ++ Rest};
            none -> {error, false, Handlers}
        end,
    Watcher = watcher(Pid, Supervised),
    Watcher =/= false andalso link(Watcher),
    add((named(New))#handler{supervised = Watcher}, {Args2, Farewell}, Left).

watcher(keep, Before) -> Before;
watcher(Pid, _) -> Pid.

%% Calls terminate and tells who supervised; Why is what it hears, or `normal`, `shutdown`, or the failure to report.
stop_handler(#handler{module = Module, state = State} = Handler, Args, Manager, Event, Why) ->
    Answer =
        case erlang:function_exported(Module, terminate, 2) of
            true -> guarded(fun() -> Module:terminate(Args, State) end);
            false -> ok
        end,
    tell(Handler, Why),
    report(Handler, Why, Answer, Manager, Event),
    Answer.

tell(#handler{supervised = false}, _) -> ok;
tell(#handler{supervised = Pid} = Handler, Why) ->
    %% The link stays: it may be that of the manager's parent.
    Pid ! {gen_event_EXIT, name(Handler), Why},
    ok.

report(_, normal, _, _, _) -> ok;
report(_, shutdown, _, _, _) -> ok;
report(_, {swapped, _, _}, _, _, _) -> ok;
report(#handler{module = Module, state = State} = Handler, Why, _, Manager, Event) ->
    %% Callbacks that format see the reason alone.
    {Reason, Around} =
        case Why of
            {'EXIT', {Inner, Stack}} -> {Inner, fun(Shown) -> {'EXIT', {Shown, Stack}} end};
            {'EXIT', Inner} -> {Inner, fun(Shown) -> {'EXIT', Shown} end};
            _ -> {Why, fun(Shown) -> Shown end}
        end,
    Status = gen:format_status(Module, terminate, #{state => State, message => Event, reason => Reason}, [get(), State]),
    logger:log(error, #{label => {gen_event, terminate}, handler => name(Handler), name => Manager,
                        last_message => maps:get(message, Status), state => maps:get('$status', Status, maps:get(state, Status)),
                        reason => Around(maps:get(reason, Status))},
               #{domain => [otp], report_cb => fun gen_event:format_log/2,
                 error_logger => #{tag => error, report_cb => fun gen_event:format_log/1}}).

%%% Events

notify_all(Event, Callback, Name, [Handler | Handlers]) ->
    {Hibernate, Now} = one(Event, Callback, Name, Handler),
    {Hibernate1, Rest} = notify_all(Event, Callback, Name, Handlers),
    {Hibernate orelse Hibernate1, Now ++ Rest};
notify_all(_, _, _, []) -> {false, []}.

one(Event, Callback, Name, #handler{module = Module, state = State} = Handler) ->
    case Callback =:= handle_info andalso not erlang:function_exported(Module, handle_info, 2) of
        true ->
            logger:log(warning, #{label => {gen_event, no_handle_info}, module => Module, message => Event},
                       #{domain => [otp], report_cb => fun gen_event:format_log/2,
                         error_logger => #{tag => warning_msg, report_cb => fun gen_event:format_log/1}}),
            {false, [Handler]};
        false ->
            case guarded(fun() -> Module:Callback(Event, State) end) of
                {ok, State1} -> {false, [Handler#handler{state = State1}]};
                {ok, State1, hibernate} -> {true, [Handler#handler{state = State1}]};
                {swap_handler, Args1, State1, New, Args2} ->
                    swapped(Handler#handler{state = State1}, Args1, New, Args2, Name);
                remove_handler ->
                    stop_handler(Handler, remove_handler, Name, remove, normal),
                    {false, []};
                {'EXIT', Reason} -> failed(Handler, {'EXIT', Reason}, Name, Event);
                Other -> failed(Handler, Other, Name, Event)
            end
    end.

failed(Handler, Reason, Name, Event) ->
    stop_handler(Handler, {error, Reason}, Name, Event, Reason),
    {false, []}.

swapped(Handler, Args1, New, Args2, Name) ->
    {Hibernate, _, Handlers} = swap(name(Handler), Args1, New, Args2, keep, Name, [Handler]),
    {Hibernate, Handlers}.

call_handler(Query, #handler{module = Module, state = State} = Handler, Name) ->
    case guarded(fun() -> Module:handle_call(Query, State) end) of
        {ok, Reply, State1} -> {false, Reply, [Handler#handler{state = State1}]};
        {ok, Reply, State1, hibernate} -> {true, Reply, [Handler#handler{state = State1}]};
        {swap_handler, Reply, Args1, State1, New, Args2} ->
            {Hibernate, Handlers} = swapped(Handler#handler{state = State1}, Args1, New, Args2, Name),
            {Hibernate, Reply, Handlers};
        {remove_handler, Reply} ->
            stop_handler(Handler, remove_handler, Name, remove, normal),
            {false, Reply, []};
        Other ->
            {_, []} = failed(Handler, Other, Name, Query),
            {false, {error, Other}, []}
    end.

%%% The end

-spec terminate(term(), #manager{}, [#handler{}]) -> no_return().
terminate(Reason, #manager{name = Name}, Handlers) ->
    lists:foreach(fun(Handler) -> stop_handler(Handler, stop, Name, stop, shutdown) end, Handlers),
    exit(Reason).

format_log(Report) -> erlet_layout:format(layout(Report)).

format_log(Report, Options) -> erlet_layout:text(layout(Report), single(Report), Options).

layout(#{label := {gen_event, terminate}, handler := Handler, name := Name, last_message := Event, state := State, reason := Reason}) ->
    ["** gen_event handler ", {show, Handler}, " crashed.\n** Was installed in ", {show, Name}, "\n** Last event was: ", {cut, Event},
     "\n** When handler state == ", {cut, State}, "\n** Reason == ", {cut, explained(Reason)}, "\n"];
layout(#{label := {gen_event, no_handle_info}, module := Module, message := Message}) ->
    ["** Undefined handle_info in ", {plain, Module}, "\n** Unhandled message: ", {cut, Message}, "\n"].

single(#{label := {gen_event, terminate}, handler := Handler, name := Name, last_message := Event, state := State, reason := Reason}) ->
    ["Generic event handler ", {show, Handler}, " crashed. Installed: ", {show, Name}, ". Last event: ", {show, Event}, ". State: ",
     {show, State}, ". Reason: ", {show, explained(Reason)}, "."];
single(#{label := {gen_event, no_handle_info}, module := Module, message := Message}) ->
    ["Undefined handle_info in ", {show, Module}, ". Unhandled message: ", {show, Message}, "."].

explained({'EXIT', Reason}) -> erlet_layout:explained(Reason);
explained(Reason) -> Reason.

%%% System messages

system_continue(Parent, Debug, [Manager, Handlers, Hibernate]) -> loop(Manager#manager{parent = Parent}, Handlers, Debug, Hibernate).

-spec system_terminate(term(), pid(), list(), list()) -> no_return().
system_terminate(Reason, _, _, [Manager, Handlers, _]) -> terminate(Reason, Manager, Handlers).

system_code_change([Manager, Handlers, Hibernate], Module, Vsn, Extra) ->
    Handlers1 = [case Handler of
                     #handler{module = Module, state = State} ->
                         {ok, State1} = Module:code_change(Vsn, State, Extra),
                         Handler#handler{state = State1};
                     _ -> Handler
                 end || Handler <- Handlers],
    {ok, [Manager, Handlers1, Hibernate]}.

system_get_state([_, Handlers, _]) ->
    {ok, [{Module, Id, State} || #handler{module = Module, id = Id, state = State} <- Handlers]}.

%% The fun sees each handler as `{Module, Id, State}`; one it fails on stays as it is.
system_replace_state(F, [Manager, Handlers, Hibernate]) ->
    Replaced = [try F({Module, Id, State}) of
                    {Module, Id, State1} -> {{Module, Id, State1}, Handler#handler{state = State1}};
                    _ -> {{Module, Id, State}, Handler}
                catch _:_ -> {{Module, Id, State}, Handler}
                end || #handler{module = Module, id = Id, state = State} = Handler <- Handlers],
    {ok, [Shown || {Shown, _} <- Replaced], [Manager, [Handler || {_, Handler} <- Replaced], Hibernate]}.

format_status(Option, [Dictionary, Status, Parent, Debug, [#manager{name = Name}, Handlers, _]]) ->
    {Shown, Events} = lists:mapfoldl(fun(Handler, Log) -> shown(Handler, Log, Option, Dictionary) end, sys:get_log(Debug), Handlers),
    [{header, gen:format_status_header("Status for event handler", Name)},
     {data, [{"Status", Status}, {"Logged Events", Events}, {"Parent", Parent}]},
     {items, {"Installed handlers", Shown}}].

shown(#handler{module = Module, state = State} = Handler, Log, Option, Dictionary) ->
    Status = gen:format_status(Module, Option, #{log => Log, state => State}, [Dictionary, State]),
    {Handler#handler{state = maps:get('$status', Status, maps:get(state, Status))}, maps:get(log, Status)}.

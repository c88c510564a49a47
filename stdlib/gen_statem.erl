%% The generic state machine: events, each handled in the current state, which says what the next one is.
%%
%% An event is `{Type, Content}`. The callback answers with the next state, new data and a list of actions. One *round* is: an event, its
%% callback, perhaps state enter calls, and the *transition* at the end. What the callbacks of a round ask for gathers in a `#step{}`;
%% only the transition makes it true, in this order: the event is consumed or postponed; on a change of state the postponed events
%% come back in front of the queue and the state time-out ends; the event time-out ends in any case; new time-outs start; inserted
%% events go to the very front. Time-outs of zero are never timers: they are delivered when the queue has run empty.
-module(gen_statem).

-export([start/3, start/4, start_link/3, start_link/4, start_monitor/3, start_monitor/4, stop/1, stop/3, cast/2, call/2, call/3,
         reply/1, reply/2, enter_loop/4, enter_loop/5, enter_loop/6, send_request/2, send_request/4, wait_response/1,
         wait_response/2, wait_response/3, receive_response/1, receive_response/2, receive_response/3, check_response/2,
         check_response/3, reqids_new/0, reqids_size/1, reqids_add/3, reqids_to_list/1]).
-export([init_it/6, wake/3, system_continue/3, system_terminate/4, system_code_change/4, system_get_state/1,
         system_replace_state/2, format_status/2, format_log/1, format_log/2]).

-callback init(term()) -> {ok, term(), term()} | {ok, term(), term(), term()} | ignore | {stop, term()} | {error, term()}.
-callback callback_mode() -> atom() | [atom()].
-callback handle_event(term(), term(), term(), term()) -> term().
-callback terminate(term(), term(), term()) -> term().
-callback code_change(term(), term(), term(), term()) -> {ok, term(), term()} | term().
-callback format_status(map()) -> map().
-callback format_status(atom(), list()) -> term().
-optional_callbacks([handle_event/4, terminate/3, code_change/4, format_status/1, format_status/2]).

%% Changes only with the callback module, which is the first of a stack.
-record(machine, {parent, name, modules, mode = state_functions, enter = false, hibernate_after}).

%% Between rounds. timers: type to `{TimerRef, Content}`; zero: types due at once, whose reference is 0, in order.
-record(now, {state, data, postponed = [], timers = #{}, zero = [], hibernate = false}).

%% In a round: next state and data, and the effects of actions; events and timeouts have the latest first.
-record(step, {state, data, events = [], hibernate = false, timeouts = [], postpone = false}).

%%% For clients

start(Module, Args, Options) -> gen:start(gen_statem, nolink, Module, Args, Options).
start(Name, Module, Args, Options) -> gen:start(gen_statem, nolink, Name, Module, Args, Options).
start_link(Module, Args, Options) -> gen:start(gen_statem, link, Module, Args, Options).
start_link(Name, Module, Args, Options) -> gen:start(gen_statem, link, Name, Module, Args, Options).
start_monitor(Module, Args, Options) -> gen:start(gen_statem, monitor, Module, Args, Options).
start_monitor(Name, Module, Args, Options) -> gen:start(gen_statem, monitor, Name, Module, Args, Options).

stop(Server) -> gen:stop(Server).
stop(Server, Reason, Timeout) -> gen:stop(Server, Reason, Timeout).

cast(Server, Message) -> gen_server:cast(Server, Message).

call(Server, Request) -> call(Server, Request, infinity).

call(Server, Request, Timeout) ->
    Time =
        case Timeout of
            {clean_timeout, T} -> T;
            {dirty_timeout, T} -> T;
            T -> T
        end,
    try gen:call(Server, '$gen_call', Request, Time) of
        {ok, Reply} -> Reply
    catch
        exit:Reason -> exit({Reason, {gen_statem, call, [Server, Request, Timeout]}});
        error:Reason:Stack -> exit({{Reason, Stack}, {gen_statem, call, [Server, Request, Timeout]}})
    end.

reply({reply, From, Reply}) -> reply(From, Reply);
reply(Replies) when is_list(Replies) -> lists:foreach(fun reply/1, Replies).

reply(From, Reply) -> gen:reply(From, Reply).

send_request(Server, Request) -> gen:send_request(Server, '$gen_call', Request).
send_request(Server, Request, Label, Ids) -> gen:send_request(Server, '$gen_call', Request, Label, Ids).
wait_response(Id) -> wait_response(Id, infinity).
wait_response(Id, Timeout) -> gen:wait_response(Id, Timeout).
wait_response(Ids, Timeout, Delete) -> gen:wait_response(Ids, Timeout, Delete).
receive_response(Id) -> receive_response(Id, infinity).
receive_response(Id, Timeout) -> gen:receive_response(Id, Timeout).
receive_response(Ids, Timeout, Delete) -> gen:receive_response(Ids, Timeout, Delete).
check_response(Message, Id) -> gen:check_response(Message, Id).
check_response(Message, Ids, Delete) -> gen:check_response(Message, Ids, Delete).
reqids_new() -> gen:reqids_new().
reqids_size(Ids) -> gen:reqids_size(Ids).
reqids_add(Id, Label, Ids) -> gen:reqids_add(Id, Label, Ids).
reqids_to_list(Ids) -> gen:reqids_to_list(Ids).

%%% Becoming a machine

enter_loop(Module, Options, State, Data) -> enter_loop(Module, Options, State, Data, self(), []).

enter_loop(Module, Options, State, Data, Name)
  when is_pid(Name); is_tuple(Name), tuple_size(Name) >= 2, element(1, Name) =:= local;
       is_tuple(Name), element(1, Name) =:= global; is_tuple(Name), element(1, Name) =:= via ->
    enter_loop(Module, Options, State, Data, Name, []);
enter_loop(Module, Options, State, Data, Actions) -> enter_loop(Module, Options, State, Data, self(), Actions).

enter_loop(Module, Options, State, Data, ServerName, Actions) when is_atom(Module), is_list(Options) ->
    Name = gen:get_proc_name(ServerName),
    Machine = #machine{parent = gen:get_parent(), name = Name, modules = [Module], hibernate_after = gen:hibernate_after(Options)},
    enter(Machine, State, Data, Actions, gen:debug_options(Name, Options)).

init_it(Starter, self, ServerName, Module, Args, Options) -> init_it(Starter, self(), ServerName, Module, Args, Options);
init_it(Starter, Parent, ServerName, Module, Args, Options) ->
    Name = gen:get_proc_name(ServerName),
    Debug = gen:debug_options(Name, Options),
    Machine = #machine{parent = Parent, name = Name, modules = [Module], hibernate_after = gen:hibernate_after(Options)},
    Result =
        try Module:init(Args)
        catch
            throw:Thrown -> Thrown;
            Class:Reason:Stack ->
                gen:unregister_name(ServerName),
                report(Class, Reason, Stack, Machine, #now{}, [], Debug),
                proc_lib:init_fail(Starter, {error, Reason}, {Class, Reason, Stack})
        end,
    case Result of
        {ok, State, Data} -> started(Starter, Machine, State, Data, [], Debug);
        {ok, State, Data, Actions} -> started(Starter, Machine, State, Data, Actions, Debug);
        {stop, Stop} -> not_started(Starter, ServerName, {error, Stop}, {exit, Stop});
        {error, Error} -> not_started(Starter, ServerName, {error, Error}, {exit, normal});
        ignore -> not_started(Starter, ServerName, ignore, {exit, normal});
        Other ->
            Bad = {bad_return_from_init, Other},
            report(error, Bad, [], Machine, #now{}, [], Debug),
            not_started(Starter, ServerName, {error, Bad}, {exit, Bad})
    end.

started(Starter, Machine, State, Data, Actions, Debug) ->
    proc_lib:init_ack(Starter, {ok, self()}),
    enter(Machine, State, Data, Actions, Debug).

not_started(Starter, ServerName, Result, Exception) ->
    gen:unregister_name(ServerName),
    proc_lib:init_fail(Starter, Result, Exception).

%% The first state is entered as if by an event.
enter(Machine, State, Data, Actions, Debug) ->
    Now = #now{state = State, data = Data},
    Queue = [{internal, init_state}],
    case with_mode(Machine) of
        %% That event is nobody's, and cannot be postponed.
        {ok, Machine1} ->
            First = #step{state = State, data = Data},
            Debug1 = told({enter, hd(Machine1#machine.modules), State}, Machine1, Debug),
            actions(listed(Actions) ++ [{postpone, false}], true, state, First, Machine1, Now, Queue, Debug1);
        {Class, Reason, Stack} -> terminate(Class, Reason, Stack, Machine, Now, Queue, Debug)
    end.

%% Asks the module on top how it wants to be called.
with_mode(#machine{modules = [Module | _]} = Machine) ->
    try Module:callback_mode() of
        Mode -> mode(Mode, Machine)
    catch
        throw:Mode -> mode(Mode, Machine);
        Class:Reason:Stack -> {Class, Reason, Stack}
    end.

mode(Answer, Machine) ->
    Words = listed(Answer),
    Modes = [Word || Word <- Words, Word =/= state_enter],
    case lists:usort(Modes) of
        [Mode] when Mode =:= state_functions; Mode =:= handle_event_function ->
            {ok, Machine#machine{mode = Mode, enter = lists:member(state_enter, Words)}};
        _ -> {error, {bad_return_from_callback_mode, Answer}, []}
    end.

listed(L) when is_list(L) -> L;
listed(X) -> [X].

%%% Receiving

wait(Machine, #now{hibernate = true} = Now, Debug) -> proc_lib:hibernate(gen_statem, wake, [Machine, Now, Debug]);
wait(#machine{hibernate_after = Idle} = Machine, Now, Debug) ->
    receive
        Message -> message(Message, Machine, Now, Debug)
    after Idle -> proc_lib:hibernate(gen_statem, wake, [Machine, Now, Debug])
    end.

wake(Machine, Now, Debug) ->
    receive
        Message -> message(Message, Machine, Now, Debug)
    end.

message(Message, #machine{parent = Parent} = Machine, #now{timers = Timers} = Now, Debug) ->
    case Message of
        {'$gen_call', From, Request} -> event({{call, From}, Request}, Machine, Now, Debug);
        {'$gen_cast', Content} -> event({cast, Content}, Machine, Now, Debug);
        {timeout, Ref, Type} ->
            case Timers of
                #{Type := {Ref, Content}} -> event({Type, Content}, Machine, Now#now{timers = maps:remove(Type, Timers)}, Debug);
                #{} -> event({info, Message}, Machine, Now, Debug)
            end;
        {system, From, Request} ->
            sys:handle_system_msg(Request, From, Parent, gen_statem, Debug, [Machine, Now], Now#now.hibernate);
        {'EXIT', Parent, Reason} -> terminate(exit, Reason, [], Machine, Now, [], Debug);
        _ -> event({info, Message}, Machine, Now, Debug)
    end.

event(Event, Machine, Now, Debug) -> round([Event], Machine, Now, told({in, Event, Now#now.state}, Machine, Debug)).

%% What `sys` is told.
told(_, _, []) -> [];
told(Step, #machine{name = Name}, Debug) -> sys:handle_debug(Debug, fun print_event/3, Name, Step).

%%% A round

round([{Type, Content} | _] = Queue, Machine, #now{state = State, data = Data} = Now, Debug) ->
    callback(Type, Content, state, #step{state = State, data = Data}, Machine, Now, Queue, Debug).

%% Kind is `state` for an event, `enter` for a state enter call, of which less is allowed.
callback(Type, Content, Kind, #step{state = State, data = Data} = Step, Machine, Now, Queue, Debug) ->
    #machine{modules = [Module | _], mode = Mode} = Machine,
    try
        case Mode of
            state_functions -> Module:State(Type, Content, Data);
            handle_event_function -> Module:handle_event(Type, Content, State, Data)
        end
    of
        Result -> result(Result, Kind, Step, Machine, Now, Queue, Debug)
    catch
        throw:Result -> result(Result, Kind, Step, Machine, Now, Queue, Debug);
        Class:Reason:Stack -> terminate(Class, Reason, Stack, Machine, Now#now{state = State, data = Data}, Queue, Debug)
    end.

result(Result, Kind, #step{state = State, data = Data} = Step, Machine, Now, Queue, Debug) ->
    Go = fun(NewState, NewData, Actions, Enter) ->
                 actions(Actions, Enter, Kind, Step#step{state = NewState, data = NewData}, Machine, Now, Queue, Debug)
         end,
    Stop = fun(Reason, Replies, NewData) ->
                   stop(Reason, Replies, Machine, Now#now{state = State, data = NewData}, Queue, Debug)
           end,
    case Result of
        {next_state, State, NewData} -> Go(State, NewData, [], false);
        {next_state, State, NewData, Actions} -> Go(State, NewData, Actions, false);
        {next_state, NewState, NewData} when Kind =:= state -> Go(NewState, NewData, [], true);
        {next_state, NewState, NewData, Actions} when Kind =:= state -> Go(NewState, NewData, Actions, true);
        {keep_state, NewData} -> Go(State, NewData, [], false);
        {keep_state, NewData, Actions} -> Go(State, NewData, Actions, false);
        keep_state_and_data -> Go(State, Data, [], false);
        {keep_state_and_data, Actions} -> Go(State, Data, Actions, false);
        {repeat_state, NewData} -> Go(State, NewData, [], true);
        {repeat_state, NewData, Actions} -> Go(State, NewData, Actions, true);
        repeat_state_and_data -> Go(State, Data, [], true);
        {repeat_state_and_data, Actions} -> Go(State, Data, Actions, true);
        stop -> Stop(normal, [], Data);
        {stop, Reason} -> Stop(Reason, [], Data);
        {stop, Reason, NewData} -> Stop(Reason, [], NewData);
        {stop_and_reply, Reason, Replies} -> Stop(Reason, Replies, Data);
        {stop_and_reply, Reason, Replies, NewData} -> Stop(Reason, Replies, NewData);
        _ ->
            Bad =
                case Result of
                    %% An enter call must not lead elsewhere.
                    {next_state, _, _} when Kind =:= enter -> {bad_state_enter_return_from_state_function, Result};
                    {next_state, _, _, _} when Kind =:= enter -> {bad_state_enter_return_from_state_function, Result};
                    _ -> {bad_return_from_state_function, Result}
                end,
            terminate(error, Bad, [], Machine, Now#now{state = State, data = Data}, Queue, Debug)
    end.

stop(Reason, Replies, Machine, Now, Queue, Debug) ->
    case [Reply || Reply <- listed(Replies), not is_reply(Reply)] of
        [] ->
            reply(listed(Replies)),
            Debug1 = lists:foldl(fun({reply, From, Reply}, D) -> told({out, Reply, From}, Machine, D) end, Debug, listed(Replies)),
            terminate(exit, Reason, [], Machine, Now, Queue, Debug1);
        [Bad | _] -> terminate(error, {bad_reply_action_from_state_function, Bad}, [], Machine, Now, Queue, Debug)
    end.

is_reply({reply, {_, _}, _}) -> true;
is_reply(_) -> false.

%% All actions, then the enter call if there is one to be made.
actions([], Enter, _, Step, Machine, #now{state = Before} = Now, Queue, Debug) ->
    case Enter andalso Machine#machine.enter of
        true -> callback(enter, Before, enter, Step, Machine, Now, Queue, Debug);
        false -> transition(Step, Machine, Now, Queue, Debug)
    end;
actions([Action | Actions], Enter, Kind, Step, Machine, Now, Queue, Debug) ->
    case action(Action, Kind, Step) of
        #step{} = Step1 -> actions(Actions, Enter, Kind, Step1, Machine, Now, Queue, told_of(Action, Step1, Machine, Debug));
        {modules, Change} ->
            case change_modules(Change, Machine) of
                {ok, #machine{modules = [Module | _]} = Machine1} ->
                    Debug1 = told({module, Module, Step#step.state}, Machine1, Debug),
                    actions(Actions, Enter, Kind, Step, Machine1, Now, Queue, Debug1);
                {Class, Reason, Stack} -> failed(Class, Reason, Stack, Step, Machine, Now, Queue, Debug)
            end;
        bad ->
            Bad =
                case Kind of
                    enter when Action =:= postpone; is_tuple(Action), element(1, Action) =:= postpone;
                               is_tuple(Action), element(1, Action) =:= next_event ->
                        {bad_state_enter_action_from_state_function, Action};
                    _ -> {bad_action_from_state_function, Action}
                end,
            failed(error, Bad, [], Step, Machine, Now, Queue, Debug)
    end;
actions(Action, Enter, Kind, Step, Machine, Now, Queue, Debug) ->
    actions([Action], Enter, Kind, Step, Machine, Now, Queue, Debug).

told_of({reply, From, Reply}, _, Machine, Debug) -> told({out, Reply, From}, Machine, Debug);
told_of({next_event, Type, Content}, #step{state = State}, Machine, Debug) -> told({in, {Type, Content}, State}, Machine, Debug);
told_of(_, _, _, Debug) -> Debug.

failed(Class, Reason, Stack, #step{state = State, data = Data}, Machine, Now, Queue, Debug) ->
    terminate(Class, Reason, Stack, Machine, Now#now{state = State, data = Data}, Queue, Debug).

change_modules(pop, #machine{modules = [_ | [_ | _] = Modules]} = Machine) -> with_mode(Machine#machine{modules = Modules});
change_modules(pop, _) -> {error, {bad_action_from_state_function, pop_callback_module}, []};
change_modules({push, Module}, #machine{modules = Modules} = Machine) -> with_mode(Machine#machine{modules = [Module | Modules]});
change_modules({change, Module}, #machine{modules = [_ | Modules]} = Machine) ->
    with_mode(Machine#machine{modules = [Module | Modules]}).

-define(IS_TYPE(Type), (Type =:= timeout orelse Type =:= state_timeout
                        orelse is_tuple(Type) andalso tuple_size(Type) =:= 2 andalso element(1, Type) =:= timeout)).

action(Action, Kind, #step{events = Events, timeouts = Timeouts} = Step) ->
    case Action of
        {reply, {_, _} = From, Reply} ->
            gen:reply(From, Reply),
            Step;
        postpone when Kind =:= state -> Step#step{postpone = true};
        {postpone, Postpone} when is_boolean(Postpone), not Postpone orelse Kind =:= state -> Step#step{postpone = Postpone};
        hibernate -> Step#step{hibernate = true};
        {hibernate, Hibernate} when is_boolean(Hibernate) -> Step#step{hibernate = Hibernate};
        {next_event, Type, Content} when Kind =:= state ->
            case is_event_type(Type) of
                true -> Step#step{events = [{Type, Content} | Events]};
                false -> bad
            end;
        {change_callback_module, Module} when is_atom(Module) -> {modules, {change, Module}};
        {push_callback_module, Module} when is_atom(Module) -> {modules, {push, Module}};
        pop_callback_module -> {modules, pop};
        infinity -> Step#step{timeouts = [{timeout, infinity, infinity, []} | Timeouts]};
        Time when is_integer(Time), Time >= 0 -> Step#step{timeouts = [{timeout, Time, Time, []} | Timeouts]};
        {Type, cancel} when ?IS_TYPE(Type) -> Step#step{timeouts = [{Type, infinity, undefined, []} | Timeouts]};
        {Type, update, Content} when ?IS_TYPE(Type) -> Step#step{timeouts = [{Type, update, Content, []} | Timeouts]};
        {Type, Time, Content} when ?IS_TYPE(Type) -> timeout(Type, Time, Content, [], Step);
        {Type, Time, Content, Options} when ?IS_TYPE(Type) -> timeout(Type, Time, Content, listed(Options), Step);
        _ -> bad
    end.

is_event_type({call, {_, _}}) -> true;
is_event_type({timeout, _}) -> true;
is_event_type(Type) -> lists:member(Type, [cast, info, timeout, state_timeout, internal]).

timeout(Type, Time, Content, Options, #step{timeouts = Timeouts} = Step) ->
    Absolute = lists:member({abs, true}, Options),
    case Time =:= infinity orelse is_integer(Time) andalso (Time >= 0 orelse Absolute) of
        true -> Step#step{timeouts = [{Type, Time, Content, if Absolute -> [{abs, true}]; true -> [] end} | Timeouts]};
        false -> bad
    end.

%%% The transition

transition(#step{state = New, data = Data} = Step, Machine, Now, [Event | Queue], Debug) ->
    #now{state = Old, postponed = Postponed0, timers = Timers} = Now,
    #step{events = Events, postpone = Postpone, hibernate = Hibernate, timeouts = Timeouts} = Step,
    Postponed =
        case Postpone of
            true -> [Event | Postponed0];
            false -> Postponed0
        end,
    Debug1 = told({if Postpone -> postpone; true -> consume end, Event, Old, New}, Machine, Debug),
    Now1 = cancel(timeout, Now#now{state = New, data = Data, hibernate = Hibernate, timers = Timers}),
    {Queue1, Now2} =
        case New =:= Old of
            true -> {Queue, Now1#now{postponed = Postponed}};
            false -> {lists:reverse(Postponed, Queue), cancel(state_timeout, Now1#now{postponed = []})}
        end,
    Now3 = start_timeouts(Timeouts, #{}, [], Now2),
    done(lists:reverse(Events, Queue1), Machine, Now3, told_of_timers(Timeouts, [], Now2, Machine, Debug1)).

done([], Machine, #now{zero = [Type | _], timers = Timers} = Now, Debug) ->
    #{Type := {0, Content}} = Timers,
    event({Type, Content}, Machine, cancel(Type, Now), Debug);
done([], Machine, Now, Debug) -> wait(Machine, Now, Debug);
done(Queue, Machine, #now{hibernate = Hibernate} = Now, Debug) ->
    %% There is no time to hibernate, but what it is for can be had.
    Hibernate andalso garbage_collect(),
    round(Queue, Machine, Now, Debug).

%% Of several time-outs of a type the latest counts; they come latest first. Due collects those of zero, in the order of actions.
start_timeouts([{Type, _, _, _} | Timeouts], Seen, Due, Now) when is_map_key(Type, Seen) -> start_timeouts(Timeouts, Seen, Due, Now);
start_timeouts([{Type, Time, Content, Options} | Timeouts], Seen, Due, #now{timers = Timers} = Now) ->
    Seen1 = Seen#{Type => true},
    case {Time, Timers} of
        {infinity, _} -> start_timeouts(Timeouts, Seen1, Due, cancel(Type, Now));
        {update, #{Type := {Ref, _}}} -> start_timeouts(Timeouts, Seen1, Due, Now#now{timers = Timers#{Type := {Ref, Content}}});
        _ when Time =:= update; Time =:= 0, Options =:= [] ->
            #now{timers = Left} = Now1 = cancel(Type, Now),
            start_timeouts(Timeouts, Seen1, [Type | Due], Now1#now{timers = Left#{Type => {0, Content}}});
        _ ->
            #now{timers = Left} = Now1 = cancel(Type, Now),
            Ref = erlang:start_timer(Time, self(), Type, Options),
            start_timeouts(Timeouts, Seen1, Due, Now1#now{timers = Left#{Type => {Ref, Content}}})
    end;
start_timeouts([], _, [], Now) -> Now;
start_timeouts([], _, Due, #now{zero = Zero} = Now) -> Now#now{zero = Zero ++ Due}.

%% Those that start_timeouts has started.
told_of_timers([{Type, Time, _, _} = Timeout | Timeouts], Seen, #now{state = State} = Now, Machine, Debug) when Debug =/= [] ->
    Debug1 =
        case is_integer(Time) andalso not lists:member(Type, Seen) of
            true -> told({start_timer, Timeout, State}, Machine, Debug);
            false -> Debug
        end,
    told_of_timers(Timeouts, [Type | Seen], Now, Machine, Debug1);
told_of_timers(_, _, _, _, Debug) -> Debug.

cancel(Type, #now{timers = Timers, zero = Zero} = Now) ->
    case Timers of
        #{Type := {0, _}} -> Now#now{timers = maps:remove(Type, Timers), zero = lists:delete(Type, Zero)};
        #{Type := {Ref, _}} ->
            case erlang:cancel_timer(Ref) of
                false ->
                    receive {timeout, Ref, _} -> ok
                    after 0 -> ok
                    end;
                _ -> ok
            end,
            Now#now{timers = maps:remove(Type, Timers)};
        #{} -> Now
    end.

%%% The end

-spec terminate(error | exit | throw, term(), list(), #machine{}, #now{}, list(), list()) -> no_return().
terminate(Class, Reason, [], Machine, Now, Queue, Debug) ->
    {current_stacktrace, [_ | Stack]} = process_info(self(), current_stacktrace),
    terminate(Class, Reason, Stack, Machine, Now, Queue, Debug);
terminate(Class, Reason, Stack, #machine{modules = [Module | _]} = Machine, #now{state = State, data = Data} = Now, Queue, Debug) ->
    try
        case erlang:function_exported(Module, terminate, 3) of
            true -> Module:terminate(Reason, State, Data);
            false -> ok
        end
    catch
        throw:_ -> ok;
        Class1:Reason1:Stack1 ->
            report(Class1, Reason1, Stack1, Machine, Now, Queue, Debug),
            erlang:raise(Class1, Reason1, Stack1)
    end,
    case Reason of
        _ when Reason =:= normal; Reason =:= shutdown; is_tuple(Reason), tuple_size(Reason) =:= 2, element(1, Reason) =:= shutdown ->
            told({terminate, Reason, State}, Machine, Debug);
        _ -> report(Class, Reason, Stack, Machine, Now, Queue, Debug)
    end,
    erlang:raise(Class, Reason, Stack).

report(Class, Reason, Stack, #machine{name = Name, modules = [Module | _] = Modules, mode = Mode, enter = Enter},
       #now{state = State, data = Data, postponed = Postponed} = Now, Queue, Debug) ->
    {Running, Timeouts} = timeouts(Now),
    Status = gen:format_status(Module, terminate,
                               #{reason => Reason, state => State, data => Data, queue => Queue, postponed => Postponed,
                                 timeouts => Timeouts, log => sys:get_log(Debug)},
                               [get(), State, Data]),
    Shown =
        case Status of
            #{'$status' := Formatted} -> Formatted;
            #{state := S, data := D} -> {S, D}
        end,
    logger:log(error, #{label => {gen_statem, terminate}, name => Name, queue => maps:get(queue, Status),
                        postponed => maps:get(postponed, Status), modules => Modules,
                        callback_mode => Mode, state_enter => Enter =:= true, state => Shown,
                        timeouts => {Running, maps:get(timeouts, Status)}, log => maps:get(log, Status),
                        reason => {Class, maps:get(reason, Status), Stack}, client_info => client(Queue)},
               #{domain => [otp], report_cb => fun gen_statem:format_log/2,
                 error_logger => #{tag => error, report_cb => fun gen_statem:format_log/1}}).

%% The caller of the event that was handled.
client([{{call, {Pid, _}}, _} | _]) when is_pid(Pid) -> erlet_layout:client_info(Pid);
client(_) -> undefined.

format_log(Report) -> erlet_layout:format(layout(Report)).

format_log(Report, Options) -> erlet_layout:text(layout(Report), single(Report), Options).

layout(#{label := {gen_statem, terminate}, name := Name, queue := Queue, postponed := Postponed, modules := Modules,
         callback_mode := Mode, state_enter := Enter, state := State, timeouts := Timeouts, log := Log,
         reason := {Class, Reason, Stack}, client_info := Client}) ->
    {Told, Rest} = explained(Class, Reason, Stack),
    {Last, Queued} = last(Queue),
    ["** State machine ", {show, Name}, " terminating~n"]
        ++ line("** Last event = ", Last)
        ++ ["** When server state  = ", {cut, State}, "~n** Reason for termination = ", {show, Class}, ":", {cut, Told},
            "~n** Callback modules = ", {cut, Modules}, "~n** Callback mode = ", {show, shown_mode(Mode, Enter)}, "~n"]
        ++ line("** Queued = ", shown(Queued)) ++ line("** Postponed = ", shown(Postponed))
        ++ line("** Stacktrace =~n**  ", shown(Rest))
        ++ case Timeouts of
               {0, _} -> [];
               _ -> line("** Time-outs: ", [{cut, Timeouts}])
           end
        ++ line("** Log =~n**  ", [{cut_each, Log} || Log =/= []]) ++ erlet_layout:client(Client, false).

single(#{label := {gen_statem, terminate}, name := Name, queue := Queue, state := State, log := Log,
         reason := {Class, Reason, Stack}, client_info := Client}) ->
    {Told, Rest} = explained(Class, Reason, Stack),
    {Last, _} = last(Queue),
    ["State machine ", {show, Name}, " terminating. Reason: ", {show, Told}]
        ++ item(". Stack: ", shown(Rest)) ++ item(". Last event: ", Last) ++ [". State: ", {show, State}]
        ++ item(". Log: ", shown(Log)) ++ ["."] ++ erlet_layout:client(Client, true).

last([]) -> {[], []};
last([Event | Events]) -> {[{cut, Event}], Events}.

shown([]) -> [];
shown(Term) -> [{cut, Term}].

line(Text, Terms) -> [Part || Term <- Terms, Part <- [Text, Term, "~n"]].

item(Text, Terms) -> [Part || Term <- Terms, Part <- [Text, Term]].

shown_mode(Mode, true) -> [Mode, state_enter];
shown_mode(Mode, _) -> Mode.

%% A call of a function that is not there, told in words instead of its entry of the stack.
explained(error, undef, [{Module, Function, Args, _} | Rest] = Stack) ->
    Arity = if is_list(Args) -> length(Args); true -> Args end,
    case {code:is_loaded(Module), erlang:function_exported(Module, Function, Arity)} of
        {false, _} -> {{'module could not be loaded', Module}, Rest};
        {_, false} -> {{'function not exported', {Module, Function, Arity}}, Rest};
        _ -> {undef, Stack}
    end;
explained(_, Reason, Stack) -> {Reason, Stack}.

print_event(Device, Step, Name) ->
    Say = fun(Format, Args) -> io:format(Device, "*DBG* ~tp " ++ Format ++ "~n", [Name | Args]) end,
    case Step of
        {in, Event, State} -> Say("receive ~ts in state ~tp", [event_text(Event), State]);
        {out, Reply, {To, _}} -> Say("send ~tp to ~tw", [Reply, To]);
        {What, Event, State, State} -> Say("~tw ~ts in state ~tp", [What, event_text(Event), State]);
        {What, Event, State, New} -> Say("~tw ~ts in state ~tp => ~tp", [What, event_text(Event), State, New]);
        {What, About, State} -> Say("~tw ~tp in state ~tp", [What, About, State])
    end.

event_text({{call, {Pid, _}}, Request}) -> io_lib:format("call ~tp from ~tw", [Request, Pid]);
event_text({Type, Content}) -> io_lib:format("~tw ~tp", [Type, Content]).

%%% System messages

system_continue(Parent, Debug, [Machine, Now]) -> wait(Machine#machine{parent = Parent}, Now, Debug).

-spec system_terminate(term(), pid(), list(), list()) -> no_return().
system_terminate(Reason, _, Debug, [Machine, Now]) -> terminate(exit, Reason, [], Machine, Now, [], Debug).

system_code_change([#machine{modules = [Module | _]} = Machine, #now{state = State, data = Data} = Now], _, Vsn, Extra) ->
    case catch Module:code_change(Vsn, State, Data, Extra) of
        {ok, State1, Data1} ->
            case with_mode(Machine) of
                {ok, Machine1} -> {ok, [Machine1, Now#now{state = State1, data = Data1}]};
                {_, Reason, _} -> {error, Reason}
            end;
        Other -> Other
    end.

system_get_state([_, #now{state = State, data = Data}]) -> {ok, {State, Data}}.

system_replace_state(F, [Machine, #now{state = State, data = Data} = Now]) ->
    {State1, Data1} = Result = F({State, Data}),
    {ok, Result, [Machine, Now#now{state = State1, data = Data1}]}.

format_status(Option, [Dictionary, Status, Parent, Debug, [#machine{name = Name, modules = [Module | _] = Modules}, Now]]) ->
    #now{state = State, data = Data, postponed = Postponed} = Now,
    {Running, Timeouts} = timeouts(Now),
    Plain = #{state => State, data => Data, postponed => Postponed, log => sys:get_log(Debug), timeouts => Timeouts},
    Formatted =
        case gen:format_status(Module, Option, Plain, [Dictionary, State, Data]) of
            #{'EXIT' := Text} -> Plain#{'$status' => [{data, [{"State", {State, Text}}]}]};
            #{'$status' := Own} = Shown when is_list(Own) -> Shown;
            #{'$status' := Own} = Shown -> Shown#{'$status' := [Own]};
            #{state := S, data := D} = Shown -> Shown#{'$status' => [{data, [{"State", {S, D}}]}]}
        end,
    [{header, gen:format_status_header("Status for state machine", Name)},
     {data, [{"Status", Status}, {"Parent", Parent}, {"Modules", Modules},
             {"Time-outs", {Running, maps:get(timeouts, Formatted)}},
             {"Logged Events", maps:get(log, Formatted)}, {"Postponed", maps:get(postponed, Formatted)}]}
     | maps:get('$status', Formatted)].

%% How many time-outs run, and what they will say.
timeouts(#now{timers = Timers}) ->
    Shown = lists:reverse([{Type, Content} || {Type, {_, Content}} <- maps:to_list(Timers)]),
    {length(Shown), Shown}.

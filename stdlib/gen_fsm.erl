%% State machines in the way of old: a function for each state. What new programs do with gen_statem.
%%
%% A machine is a gen_server whose state is `{Module, StateName, StateData}`, and this module its callbacks: casts, calls and messages become
%% events for the function that the state is named after.
-module(gen_fsm).

-export([start/3, start/4, start_link/3, start_link/4, stop/1, stop/3, send_event/2, sync_send_event/2, sync_send_event/3,
         send_all_state_event/2, sync_send_all_state_event/2, sync_send_all_state_event/3, reply/2, start_timer/2, send_event_after/2,
         cancel_timer/1, enter_loop/4, enter_loop/5, enter_loop/6]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2, code_change/3, format_log/1, format_log/2]).

-callback init(Args :: term()) ->
    {ok, StateName :: atom(), StateData :: term()} | {ok, StateName :: atom(), StateData :: term(), timeout() | hibernate}
    | {stop, Reason :: term()} | ignore.
-callback handle_event(Event :: term(), StateName :: atom(), StateData :: term()) -> term().
-callback handle_sync_event(Event :: term(), From :: term(), StateName :: atom(), StateData :: term()) -> term().
-callback handle_info(Info :: term(), StateName :: atom(), StateData :: term()) -> term().
-callback terminate(Reason :: term(), StateName :: atom(), StateData :: term()) -> term().
-callback code_change(Old :: term(), StateName :: atom(), StateData :: term(), Extra :: term()) -> term().
-optional_callbacks([handle_info/3, terminate/3, code_change/4]).

start(Mod, Args, Options) -> gen_server:start(?MODULE, {Mod, Args}, Options).

start(Name, Mod, Args, Options) -> gen_server:start(Name, ?MODULE, {Mod, Args}, Options).

start_link(Mod, Args, Options) -> gen_server:start_link(?MODULE, {Mod, Args}, Options).

start_link(Name, Mod, Args, Options) -> gen_server:start_link(Name, ?MODULE, {Mod, Args}, Options).

stop(Ref) -> gen_server:stop(Ref).

stop(Ref, Reason, Timeout) -> gen_server:stop(Ref, Reason, Timeout).

send_event(Ref, Event) -> gen_server:cast(Ref, {'$gen_event', Event}).

send_all_state_event(Ref, Event) -> gen_server:cast(Ref, {'$gen_all_state_event', Event}).

sync_send_event(Ref, Event) -> called(Ref, {'$gen_sync_event', Event}, 5000, {sync_send_event, [Ref, Event]}).

sync_send_event(Ref, Event, Timeout) -> called(Ref, {'$gen_sync_event', Event}, Timeout, {sync_send_event, [Ref, Event, Timeout]}).

sync_send_all_state_event(Ref, Event) ->
    called(Ref, {'$gen_sync_all_state_event', Event}, 5000, {sync_send_all_state_event, [Ref, Event]}).

sync_send_all_state_event(Ref, Event, Timeout) ->
    called(Ref, {'$gen_sync_all_state_event', Event}, Timeout, {sync_send_all_state_event, [Ref, Event, Timeout]}).

called(Ref, Request, Timeout, {Function, Args}) ->
    try gen_server:call(Ref, Request, Timeout)
    catch exit:{Reason, {gen_server, call, _}} -> exit({Reason, {?MODULE, Function, Args}})
    end.

reply(From, Reply) -> gen_server:reply(From, Reply).

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

enter_loop(Mod, Options, StateName, StateData) -> enter_loop(Mod, Options, StateName, StateData, self(), infinity).

enter_loop(Mod, Options, StateName, StateData, Name) when is_pid(Name); is_tuple(Name) ->
    enter_loop(Mod, Options, StateName, StateData, Name, infinity);
enter_loop(Mod, Options, StateName, StateData, Timeout) -> enter_loop(Mod, Options, StateName, StateData, self(), Timeout).

enter_loop(Mod, Options, StateName, StateData, Name, Timeout) ->
    gen_server:enter_loop(?MODULE, Options, {Mod, StateName, StateData}, Name, Timeout).

%%% Callbacks

init({Mod, Args}) ->
    case Mod:init(Args) of
        {ok, StateName, Data} -> {ok, {Mod, StateName, Data}};
        {ok, StateName, Data, Timeout} -> {ok, {Mod, StateName, Data}, Timeout};
        Other -> Other
    end.

handle_cast({'$gen_event', Event}, {Mod, StateName, Data}) -> next(Mod:StateName(Event, Data), Mod);
handle_cast({'$gen_all_state_event', Event}, {Mod, StateName, Data}) -> next(Mod:handle_event(Event, StateName, Data), Mod);
handle_cast(Other, State) -> handle_info({'$gen_cast', Other}, State).

handle_call({'$gen_sync_event', Event}, From, {Mod, StateName, Data}) -> answer(Mod:StateName(Event, From, Data), Mod);
handle_call({'$gen_sync_all_state_event', Event}, From, {Mod, StateName, Data}) ->
    answer(Mod:handle_sync_event(Event, From, StateName, Data), Mod);
handle_call(Other, From, State) -> handle_info({'$gen_call', From, Other}, State).

handle_info(timeout, {Mod, StateName, Data}) -> next(Mod:StateName(timeout, Data), Mod);
handle_info({timeout, Timer, {'$gen_timer', Message}}, {Mod, StateName, Data}) ->
    next(Mod:StateName({timeout, Timer, Message}, Data), Mod);
handle_info({timeout, _, {'$gen_event', Event}}, {Mod, StateName, Data}) -> next(Mod:StateName(Event, Data), Mod);
handle_info({'$gen_event', Event}, {Mod, StateName, Data}) -> next(Mod:StateName(Event, Data), Mod);
handle_info({'$gen_all_state_event', Event}, {Mod, StateName, Data}) -> next(Mod:handle_event(Event, StateName, Data), Mod);
handle_info(Info, {Mod, StateName, Data} = State) ->
    case erlang:function_exported(Mod, handle_info, 3) of
        true -> next(Mod:handle_info(Info, StateName, Data), Mod);
        false ->
            logger:log(warning, #{label => {gen_fsm, no_handle_info}, module => Mod, message => Info},
                       #{domain => [otp], report_cb => fun gen_fsm:format_log/2,
                         error_logger => #{tag => warning_msg, report_cb => fun gen_fsm:format_log/1}}),
            {noreply, State}
    end.

next({next_state, StateName, Data}, Mod) -> {noreply, {Mod, StateName, Data}};
next({next_state, StateName, Data, Timeout}, Mod) -> {noreply, {Mod, StateName, Data}, Timeout};
next({stop, Reason, Data}, Mod) -> {stop, Reason, {Mod, stopped, Data}};
next(Other, _) -> Other.

answer({reply, Reply, StateName, Data}, Mod) -> {reply, Reply, {Mod, StateName, Data}};
answer({reply, Reply, StateName, Data, Timeout}, Mod) -> {reply, Reply, {Mod, StateName, Data}, Timeout};
answer({stop, Reason, Reply, Data}, Mod) -> {stop, Reason, Reply, {Mod, stopped, Data}};
answer(Other, Mod) -> next(Other, Mod).

terminate(Reason, {Mod, StateName, Data}) ->
    case erlang:function_exported(Mod, terminate, 3) of
        true -> Mod:terminate(Reason, StateName, Data);
        false -> ok
    end.

format_log(Report) -> erlet_layout:format(layout(Report)).

format_log(Report, Options) -> erlet_layout:text(layout(Report), single(Report), Options).

layout(#{label := {gen_fsm, no_handle_info}, module := Module, message := Message}) ->
    ["** Undefined handle_info in ", {plain, Module}, "~n** Unhandled message: ", {cut, Message}, "~n"].

single(#{label := {gen_fsm, no_handle_info}, module := Module, message := Message}) ->
    ["Undefined handle_info in ", {show, Module}, ". Unhandled message: ", {show, Message}, "."].

code_change(Old, {Mod, StateName, Data}, Extra) ->
    case Mod:code_change(Old, StateName, Data, Extra) of
        {ok, NewName, NewData} -> {ok, {Mod, NewName, NewData}};
        Other -> Other
    end.

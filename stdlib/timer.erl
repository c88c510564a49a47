%% Timers in milliseconds, time units, and measuring.
%%
%% Messages to local processes are timers of the virtual machine. What must be applied, and what repeats, is kept by a
%% server, `timer_server`, that starts with the first such request. Repeated timers keep their beat: each time-out is computed from the one before,
%% not from the clock. They end with the process they were made for.
-module(timer).
-behaviour(gen_server).

-export([sleep/1, tc/1, tc/2, tc/3, tc/4, now_diff/2, seconds/1, minutes/1, hours/1, hms/3]).
-export([apply_after/2, apply_after/3, apply_after/4, send_after/2, send_after/3, exit_after/2, exit_after/3, kill_after/1, kill_after/2,
         apply_interval/2, apply_interval/3, apply_interval/4, apply_repeatedly/2, apply_repeatedly/3, apply_repeatedly/4,
         send_interval/2, send_interval/3, cancel/1, start/0, start_link/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2, code_change/3]).

%% The longest time a receive can wait.
-define(MAX_RECEIVE, 16#FFFFFFFF).

-define(IS_TIME(T), is_integer(T), T >= 0).
-define(IS_MFA(M, F, A), is_atom(M), is_atom(F), is_list(A)).

%%% Waiting, measuring, units

-spec sleep(timeout()) -> ok.
sleep(Time) when is_integer(Time), Time > ?MAX_RECEIVE ->
    receive after ?MAX_RECEIVE -> sleep(Time - ?MAX_RECEIVE) end;
sleep(Time) ->
    receive after Time -> ok end.

%% The time a call takes, in microseconds or the given unit, and its value.
tc(F) ->
    Start = erlang:monotonic_time(),
    Value = F(),
    {since(Start, microsecond), Value}.

tc(F, Args) when is_list(Args) ->
    Start = erlang:monotonic_time(),
    Value = apply(F, Args),
    {since(Start, microsecond), Value};
tc(F, Unit) ->
    Start = erlang:monotonic_time(),
    Value = F(),
    {since(Start, Unit), Value}.

tc(F, Args, Unit) when is_function(F) ->
    Start = erlang:monotonic_time(),
    Value = apply(F, Args),
    {since(Start, Unit), Value};
tc(M, F, Args) ->
    Start = erlang:monotonic_time(),
    Value = apply(M, F, Args),
    {since(Start, microsecond), Value}.

tc(M, F, Args, Unit) ->
    Start = erlang:monotonic_time(),
    Value = apply(M, F, Args),
    {since(Start, Unit), Value}.

since(Start, Unit) -> erlang:convert_time_unit(erlang:monotonic_time() - Start, native, Unit).

%% Microseconds between two results of erlang:timestamp/0, the later one first.
now_diff({Mega2, Second2, Micro2}, {Mega1, Second1, Micro1}) ->
    ((Mega2 - Mega1) * 1000000 + Second2 - Second1) * 1000000 + Micro2 - Micro1.

seconds(N) -> N * 1000.

minutes(N) -> N * 60000.

hours(N) -> N * 3600000.

hms(Hours, Minutes, Seconds) -> hours(Hours) + minutes(Minutes) + seconds(Seconds).

%%% Once

apply_after(Time, F) when is_function(F, 0) -> apply_after(Time, erlang, apply, [F, []]);
apply_after(_, _) -> {error, badarg}.

apply_after(Time, F, Args) when is_function(F, length(Args)) -> apply_after(Time, erlang, apply, [F, Args]);
apply_after(_, _, _) -> {error, badarg}.

apply_after(0, M, F, A) when ?IS_MFA(M, F, A) ->
    run({M, F, A}),
    {ok, {instant, make_ref()}};
apply_after(Time, M, F, A) when ?IS_TIME(Time), ?IS_MFA(M, F, A) -> request({once, now_ms() + Time, {M, F, A}});
apply_after(_, _, _, _) -> {error, badarg}.

send_after(Time, Message) -> send_after(Time, self(), Message).

send_after(0, To, Message) when is_pid(To); is_atom(To); is_tuple(To), tuple_size(To) =:= 2 ->
    To ! Message,
    {ok, {instant, make_ref()}};
send_after(Time, To, Message) when ?IS_TIME(Time), is_pid(To), node(To) =:= node() ->
    {ok, {send_local, erlang:send_after(Time, To, Message)}};
send_after(Time, To, Message) when is_pid(To); is_atom(To) -> apply_after(Time, erlang, send, [To, Message]);
send_after(Time, {Name, Node} = To, Message) when is_atom(Name), is_atom(Node) -> apply_after(Time, erlang, send, [To, Message]);
send_after(_, _, _) -> {error, badarg}.

exit_after(Time, Reason) -> exit_after(Time, self(), Reason).

exit_after(Time, To, Reason) -> apply_after(Time, erlang, exit, [To, Reason]).

kill_after(Time) -> exit_after(Time, self(), kill).

kill_after(Time, To) -> exit_after(Time, To, kill).

%%% Again and again: an interval starts whatever the last call is doing, a repetition waits for it

apply_interval(Time, F) when is_function(F, 0) -> apply_interval(Time, erlang, apply, [F, []]);
apply_interval(_, _) -> {error, badarg}.

apply_interval(Time, F, Args) when is_function(F, length(Args)) -> apply_interval(Time, erlang, apply, [F, Args]);
apply_interval(_, _, _) -> {error, badarg}.

apply_interval(Time, M, F, A) when ?IS_TIME(Time), ?IS_MFA(M, F, A) -> request({interval, now_ms(), Time, self(), {M, F, A}});
apply_interval(_, _, _, _) -> {error, badarg}.

apply_repeatedly(Time, F) when is_function(F, 0) -> apply_repeatedly(Time, erlang, apply, [F, []]);
apply_repeatedly(_, _) -> {error, badarg}.

apply_repeatedly(Time, F, Args) when is_function(F, length(Args)) -> apply_repeatedly(Time, erlang, apply, [F, Args]);
apply_repeatedly(_, _, _) -> {error, badarg}.

apply_repeatedly(Time, M, F, A) when ?IS_TIME(Time), ?IS_MFA(M, F, A) -> request({repeat, now_ms(), Time, self(), {M, F, A}});
apply_repeatedly(_, _, _, _) -> {error, badarg}.

send_interval(Time, Message) -> send_interval(Time, self(), Message).

send_interval(Time, To, Message) when ?IS_TIME(Time), (is_pid(To) orelse is_atom(To)) ->
    request({interval, now_ms(), Time, To, {erlang, send, [To, Message]}});
send_interval(Time, {Name, Node} = To, Message) when ?IS_TIME(Time), is_atom(Name), is_atom(Node) ->
    request({interval, now_ms(), Time, To, {erlang, send, [To, Message]}});
send_interval(_, _, _) -> {error, badarg}.

cancel({instant, Ref}) when is_reference(Ref) -> {ok, cancel};
cancel({send_local, Ref}) when is_reference(Ref) ->
    erlang:cancel_timer(Ref),
    {ok, cancel};
cancel({Kind, Ref}) when is_reference(Ref), (Kind =:= once orelse Kind =:= interval) -> request({cancel, Ref});
cancel(_) -> {error, badarg}.

now_ms() -> (erlang:monotonic_time(microsecond) + 999) div 1000.

%%% The server

start() -> erlet_system:start(timer_server, timer).

start_link() -> gen_server:start_link({local, timer_server}, timer, [], []).

request(Request) -> erlet_system:call({timer_server, timer}, Request).

%% The state maps a timer's reference (once) or monitor (others) to the running timer, or to `waiting` for the last call of a
%% repetition.
init([]) ->
    process_flag(trap_exit, true),
    {ok, #{}}.

handle_call({once, At, MFA}, _, Timers) ->
    case start_timer(At, {once, MFA}) of
        {ok, Timer} -> {reply, {ok, {once, Timer}}, Timers#{Timer => Timer}};
        Error -> {reply, Error, Timers}
    end;
handle_call({Kind, Now, Time, For, MFA}, _, Timers) when Kind =:= interval; Kind =:= repeat ->
    Monitor = monitor(process, For),
    case start_timer(Now + Time, {Kind, Now + Time, Time, Monitor, MFA}) of
        {ok, Timer} -> {reply, {ok, {interval, Monitor}}, Timers#{Monitor => Timer}};
        Error ->
            demonitor(Monitor, [flush]),
            {reply, Error, Timers}
    end;
handle_call({cancel, Ref}, _, Timers) when is_map_key(Ref, Timers) ->
    demonitor(Ref, [flush]),
    {reply, {ok, cancel}, forget(Ref, Timers)};
%% One that is over, or never was.
handle_call({cancel, _}, _, Timers) -> {reply, {ok, cancel}, Timers};
handle_call(_, _, Timers) -> {noreply, Timers}.

start_timer(At, Message) ->
    try {ok, erlang:start_timer(At, self(), Message, [{abs, true}])}
    catch error:badarg -> {error, badarg}
    end.

handle_cast(_, Timers) -> {noreply, Timers}.

handle_info({timeout, Timer, {once, MFA}}, Timers) when is_map_key(Timer, Timers) ->
    run(MFA),
    {noreply, maps:remove(Timer, Timers)};
handle_info({timeout, _, {interval, At, Time, Monitor, MFA}}, Timers) when is_map_key(Monitor, Timers) ->
    run(MFA),
    {noreply, again(interval, At, Time, Monitor, MFA, Timers)};
handle_info({timeout, _, {repeat, At, Time, Monitor, {M, F, A} = MFA}}, Timers) when is_map_key(Monitor, Timers) ->
    {_, Call} = spawn_monitor(M, F, A),
    {noreply, Timers#{Monitor := waiting, Call => {At, Time, Monitor, MFA}}};
handle_info({'DOWN', Ref, process, _, _}, Timers) ->
    case Timers of
        #{Ref := {At, Time, Monitor, MFA}} ->
            Timers1 = maps:remove(Ref, Timers),
            case is_map_key(Monitor, Timers1) of
                true -> {noreply, again(repeat, max(At, now_ms() - Time), Time, Monitor, MFA, Timers1)};
                false -> {noreply, Timers1}
            end;
        #{} -> {noreply, forget(Ref, Timers)}
    end;
handle_info(_, Timers) -> {noreply, Timers}.

again(Kind, At, Time, Monitor, MFA, Timers) ->
    {ok, Timer} = start_timer(At + Time, {Kind, At + Time, Time, Monitor, MFA}),
    Timers#{Monitor := Timer}.

forget(Ref, Timers) ->
    case Timers of
        #{Ref := Timer} when is_reference(Timer) -> erlang:cancel_timer(Timer, [{async, true}, {info, false}]);
        #{} -> ok
    end,
    maps:remove(Ref, Timers).

terminate(_, _) -> ok.

code_change(_, Timers, _) -> {ok, Timers}.

%% Messages and exits are quick enough to be done here; anything else gets a process.
run({erlang, send, [To, Message]}) -> catch To ! Message;
run({erlang, exit, [To, Reason]}) -> catch exit(pid(To), Reason);
run({M, F, A}) -> catch spawn(M, F, A).

pid(Name) when is_atom(Name) -> whereis(Name);
pid(Pid) -> Pid.

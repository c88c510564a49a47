%% What `sys:trace/2` prints of a state machine, and what `sys:log/2` keeps. Printed by OTP 25.
-module(a_state_machine_tells_sys_every_step).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, terminate/3, light/3, dark/3]).

main() ->
    {Me, Out} = {self(), group_leader()},
    group_leader(spawn(fun() -> leader(pid_to_list(Me), Out) end), Me),
    {ok, M} = gen_statem:start({local, lamp}, ?MODULE, [], [{debug, [trace]}]),
    ok = gen_statem:call(M, off),
    gen_statem:cast(M, later),
    M ! noise,
    gen_statem:call(M, timers),
    {status, _, _, [_, running, _, _, Misc]} = sys:get_status(M),
    io:format("~p~n", [[Data || {data, [{"Status", _} | _] = All} <- Misc, {"Time-outs", _} = Data <- All]]),
    gen_statem:call(M, on),
    sys:trace(M, false),
    sys:log(M, {true, 3}),
    gen_statem:cast(M, later),
    sys:log(M, {true, 1}),
    io:format("~p~n", [sys:log(M, get)]),
    sys:trace(M, true),
    gen_statem:stop(M),
    %% What init says to postpone nobody gets.
    {ok, P} = gen_statem:start(?MODULE, postpones, []),
    ok = gen_statem:call(P, off),
    gen_statem:stop(P).

%% Writes `me` for the pid of the one who calls.
leader(Caller, Out) ->
    receive
        {io_request, From, As, Request} ->
            Text =
                case Request of
                    {put_chars, _, Chars} -> Chars;
                    {put_chars, _, M, F, Args} -> apply(M, F, Args)
                end,
            io:put_chars(Out, string:replace(Text, Caller, "me", all)),
            From ! {io_reply, As, ok},
            leader(Caller, Out)
    end.

init([]) -> {ok, light, none};
init(postpones) -> {ok, light, none, postpone}.

callback_mode() -> state_functions.

light({call, From}, off, Data) -> {next_state, dark, Data, [{reply, From, ok}, {next_event, internal, click}]};
light(_, _, _) -> keep_state_and_data.

dark(internal, click, _) -> {keep_state_and_data, {state_timeout, 50000, dawn}};
dark(cast, later, Data) -> {keep_state, Data, postpone};
dark({call, From}, timers, _) -> {keep_state_and_data, [{reply, From, ok}, {{timeout, a}, 60000, x}, {timeout, 70000, y}, {{timeout, b}, 0, z}]};
dark({call, From}, on, Data) -> {next_state, light, Data, {reply, From, ok}};
dark(_, _, _) -> keep_state_and_data.

terminate(_, _, _) -> ok.

%% expect: *DBG* lamp enter a_state_machine_tells_sys_every_step in state light
%% expect: *DBG* lamp consume internal init_state in state light
%% expect: *DBG* lamp receive call off from me in state light
%% expect: *DBG* lamp send ok to me
%% expect: *DBG* lamp receive internal click in state dark
%% expect: *DBG* lamp consume call off from me in state light => dark
%% expect: *DBG* lamp consume internal click in state dark
%% expect: *DBG* lamp start_timer {state_timeout,50000,dawn,[]} in state dark
%% expect: *DBG* lamp receive cast later in state dark
%% expect: *DBG* lamp postpone cast later in state dark
%% expect: *DBG* lamp receive info noise in state dark
%% expect: *DBG* lamp consume info noise in state dark
%% expect: *DBG* lamp receive call timers from me in state dark
%% expect: *DBG* lamp send ok to me
%% expect: *DBG* lamp consume call timers from me in state dark
%% expect: *DBG* lamp start_timer {{timeout,b},0,z,[]} in state dark
%% expect: *DBG* lamp start_timer {timeout,70000,y,[]} in state dark
%% expect: *DBG* lamp start_timer {{timeout,a},60000,x,[]} in state dark
%% expect: *DBG* lamp receive {timeout,b} z in state dark
%% expect: *DBG* lamp consume {timeout,b} z in state dark
%% expect: [{"Time-outs",{2,[{{timeout,a},x},{state_timeout,dawn}]}}]
%% expect: *DBG* lamp receive call on from me in state dark
%% expect: *DBG* lamp send ok to me
%% expect: *DBG* lamp consume call on from me in state dark => light
%% expect: *DBG* lamp consume cast later in state light
%% expect: {ok,[{in,{cast,later},light},{consume,{cast,later},light,light}]}
%% expect: *DBG* lamp terminate normal in state light

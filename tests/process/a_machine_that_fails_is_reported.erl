%% What the logger is told of state machines that end in error. Printed by OTP 25.
-module(a_machine_that_fails_is_reported).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, on/3, format_status/2, log/2]).

main() ->
    ok = logger:set_primary_config(level, notice),
    ok = logger:add_handler_filter(default, quiet, {fun(_, _) -> stop end, none}),
    ok = logger:add_handler(?MODULE, ?MODULE, #{config => self()}),
    [begin
         {ok, M} = gen_statem:start(?MODULE, on, []),
         catch gen_statem:call(M, How),
         receive {report, Report} -> show(Report) after patience(How) -> io:format("nothing~n") end
     end || How <- [nonsense, action, crash, {stop, bad}, {error, normal}, timers]],
    {error, _} = gen_statem:start(?MODULE, crash, []),
    receive {report, Report1} -> show(Report1) end,
    ok = logger:remove_handler(?MODULE),
    ok = logger:remove_handler_filter(default, quiet).

patience({error, normal}) -> 50;
patience(_) -> 60000.

show(#{label := Label, state := State, callback_mode := Mode, state_enter := Enter, timeouts := Timeouts, reason := {Class, Reason, Stack}}) ->
    io:format("~p ~p ~p ~p ~p ~p ~p ~p~n", [Label, State, Mode, Enter, Timeouts, Class, Reason, Stack =/= []]);
show(_) -> ok.

log(#{msg := {report, #{label := {gen_statem, _}} = Report}}, #{config := Pid}) -> Pid ! {report, Report};
log(_, _) -> ok.

init(on) -> {ok, on, data};
init(crash) -> error(crash).

callback_mode() -> state_functions.

on({call, _}, nonsense, _) -> nonsense;
on({call, _}, action, Data) -> {keep_state, Data, nonsense};
on({call, _}, crash, _) -> error(crash);
on({call, _}, {stop, Reason}, _) -> {stop, Reason};
on({call, _}, {error, Reason}, _) -> error(Reason);
on({call, _}, timers, _) ->
    self() ! now,
    {keep_state_and_data, [{state_timeout, 50000, s}, {{timeout, a}, 50000, t}, {{timeout, b}, 50000, u}]};
on(info, now, _) -> exit(now).

%% A status that cannot be shown is left as it is.
format_status(_, _) -> error(unfit).

%% expect: {gen_statem,terminate} {on,data} state_functions false {0,[]} error {bad_return_from_state_function,
%% expect:                                                                      nonsense} true
%% expect: {gen_statem,terminate} {on,data} state_functions false {0,[]} error {bad_action_from_state_function,
%% expect:                                                                      nonsense} true
%% expect: {gen_statem,terminate} {on,data} state_functions false {0,[]} error crash true
%% expect: {gen_statem,terminate} {on,data} state_functions false {0,[]} exit bad true
%% expect: nothing
%% expect: {gen_statem,terminate} {on,data} state_functions false {3,
%% expect:                                                         [{{timeout,b},u},
%% expect:                                                          {{timeout,a},t},
%% expect:                                                          {state_timeout,s}]} exit now true
%% expect: {gen_statem,terminate} {undefined,undefined} state_functions false {0,[]} error crash true

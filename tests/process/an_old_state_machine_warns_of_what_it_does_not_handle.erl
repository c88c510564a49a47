%% A message for a gen_fsm without `handle_info/3` is warned of, and the machine goes on.
-module(an_old_state_machine_warns_of_what_it_does_not_handle).

-export([main/0, log/2, init/1, idle/3, handle_event/3, handle_sync_event/4]).

main() ->
    ok = logger:set_primary_config(level, notice),
    ok = logger:add_handler_filter(default, quiet, {fun(_, _) -> stop end, none}),
    ok = logger:add_handler(own, ?MODULE, #{config => #{to => self()}}),
    {ok, Machine} = gen_fsm:start_link(?MODULE, [], []),
    Machine ! {what, is, this},
    io:format("~p~n", [gen_fsm:sync_send_event(Machine, here)]),
    receive {logged, Level, Text} -> io:format("~p ~s", [Level, Text]) after 60000 -> io:format("nothing~n") end,
    ok = logger:remove_handler(own),
    ok = logger:remove_handler_filter(default, quiet).

log(#{level := Level, msg := {report, Report}, meta := #{report_cb := Callback}}, #{config := #{to := Pid}}) ->
    Pid ! {logged, Level, Callback(Report, #{})}.

init([]) -> {ok, idle, data}.

idle(here, _, Data) -> {reply, still_here, idle, Data}.

handle_event(_, Name, Data) -> {next_state, Name, Data}.

handle_sync_event(_, _, Name, Data) -> {reply, ok, Name, Data}.

%% expect: still_here
%% expect: warning ** Undefined handle_info in an_old_state_machine_warns_of_what_it_does_not_handle
%% expect: ** Unhandled message: {what,is,this}

%% The older interface to logging: an event manager gets messages and reports, and what the behaviours have to say.
-module(handlers_of_error_logger_get_its_events).

-export([main/0, init/1, handle_event/2, handle_call/2, handle_call/3, handle_cast/2, terminate/2]).

main() ->
    ok = logger:set_primary_config(level, notice),
    ok = logger:add_handler_filter(default, quiet, {fun(_, _) -> stop end, none}),
    io:format("~p~n", [error_logger:which_report_handlers()]),
    io:format("~p~n", [error_logger:add_report_handler(?MODULE, self())]),
    io:format("~p~n", [error_logger:which_report_handlers()]),
    error_logger:error_msg("~p is ~s", [it, "bad"]),
    error_logger:warning_msg("careful"),
    error_logger:info_msg("~w", [well]),
    error_logger:error_report([{a, 1}, b]),
    error_logger:warning_report(mine, #{a => 1}),
    error_logger:info_report("text"),
    [receive {event, Event} -> io:format("~p~n", [Event]) after 60000 -> io:format("nothing~n") end || _ <- lists:seq(1, 6)],
    logger:error("not from here"),
    {ok, Server} = gen_server:start(?MODULE, server, []),
    catch gen_server:call(Server, crash),
    receive {event, {error, Pid, Format, Args}} -> io:format("~p ~p ~p~n", [Pid =:= Server, Format, lists:sublist(Args, 2, 2)]) end,
    receive {event, {error_report, _, Type, [_ | _]}} -> io:format("~p~n", [Type]) end,
    io:format("~p~n", [error_logger:delete_report_handler(?MODULE)]),
    error_logger:error_msg("unheard"),
    receive {event, More} -> io:format("~p~n", [More]) after 50 -> io:format("nothing~n") end,
    ok = logger:remove_handler_filter(default, quiet).

init(server) -> {ok, state};
init(Pid) -> {ok, Pid}.

handle_event({Tag, _, {From, What, Rest}}, Pid) ->
    Pid ! {event, case From of Pid -> {Tag, What, Rest}; _ -> {Tag, From, What, Rest} end},
    {ok, Pid}.

handle_call(_, Pid) -> {ok, ok, Pid}.

handle_call(crash, _, State) -> {stop, crashed, State}.

handle_cast(_, State) -> {noreply, State}.

terminate(_, _) -> gone.

%% expect: []
%% expect: ok
%% expect: [handlers_of_error_logger_get_its_events]
%% expect: {error,"~p is ~s",[it,"bad"]}
%% expect: {warning_msg,"careful",[]}
%% expect: {info_msg,"~w",[well]}
%% expect: {error_report,std_error,[{a,1},b]}
%% expect: {warning_report,mine,#{a => 1}}
%% expect: {info_report,std_info,"text"}
%% expect: true "** Generic server ~tp terminating \n** Last message in was ~tp~n** When Server state == ~tp~n** Reason for termination ==~n** ~tp~n** Client ~tp stacktrace~n** ~tp~n" [crash,
%% expect:                                                                                                                                                                               state]
%% expect: crash_report
%% expect: gone
%% expect: nothing

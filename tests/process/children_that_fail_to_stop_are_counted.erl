%% Dynamic children that do not end as they should at shutdown are reported once for each reason. Printed by OTP 25.
-module(children_that_fail_to_stop_are_counted).
-behaviour(supervisor).
-export([main/0, init/1, start/1, log/2]).

main() ->
    ok = logger:set_primary_config(level, notice),
    ok = logger:add_handler_filter(default, quiet, {fun(_, _) -> stop end, none}),
    ok = logger:add_handler(?MODULE, ?MODULE, #{config => self()}),
    process_flag(trap_exit, true),
    {ok, S} = supervisor:start_link({local, counted}, ?MODULE, []),
    [{ok, _} = supervisor:start_child(S, [How]) || How <- [obeys, odd, deaf, obeys, deaf, odd, odd]],
    exit(S, shutdown),
    receive {'EXIT', S, Reason} -> io:format("~p~n", [Reason]) end,
    Reports = [receive {report, Report} -> Report end || _ <- [1, 2]],
    io:format("~p~n", [lists:sort(Reports)]),
    receive {report, More} -> io:format("~p~n", [More]) after 50 -> ok end,
    ok = logger:remove_handler(?MODULE),
    ok = logger:remove_handler_filter(default, quiet).

log(#{msg := {report, #{label := {supervisor, shutdown_error}, report := Report}}}, #{config := Pid}) -> Pid ! {report, Report};
log(_, _) -> ok.

init([]) ->
    {ok, {#{strategy => simple_one_for_one}, [#{id => c, start => {?MODULE, start, []}, restart => temporary, shutdown => 50}]}}.

start(How) ->
    Me = self(),
    P = spawn_link(fun() -> process_flag(trap_exit, true), Me ! {self(), ready}, child(How) end),
    receive {P, ready} -> {ok, P} end.

child(deaf) -> receive nothing -> ok end;
child(How) ->
    receive {'EXIT', _, Reason} -> exit(case How of obeys -> Reason; odd -> odd end) end.

%% expect: shutdown
%% expect: [[{supervisor,{local,counted}},
%% expect:   {errorContext,shutdown_error},
%% expect:   {reason,killed},
%% expect:   {offender,[{nb_children,2},
%% expect:              {id,c},
%% expect:              {mfargs,{children_that_fail_to_stop_are_counted,start,[]}},
%% expect:              {restart_type,temporary},
%% expect:              {significant,false},
%% expect:              {shutdown,50},
%% expect:              {child_type,worker}]}],
%% expect:  [{supervisor,{local,counted}},
%% expect:   {errorContext,shutdown_error},
%% expect:   {reason,odd},
%% expect:   {offender,[{nb_children,3},
%% expect:              {id,c},
%% expect:              {mfargs,{children_that_fail_to_stop_are_counted,start,[]}},
%% expect:              {restart_type,temporary},
%% expect:              {significant,false},
%% expect:              {shutdown,50},
%% expect:              {child_type,worker}]}]]

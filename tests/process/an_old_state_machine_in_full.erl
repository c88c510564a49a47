%% A machine of gen_fsm: its events, its timers, what `sys` shows of it, and how its failures are reported. Printed by OTP 25.
-module(an_old_state_machine_in_full).
-behaviour(gen_fsm).
-compile(nowarn_deprecated_function).
-export([main/0, init/1, shut/2, shut/3, open/2, open/3, handle_event/3, handle_sync_event/4, handle_info/3, terminate/3, log/2]).

main() ->
    {ok, P} = gen_fsm:start({local, door}, ?MODULE, [], []),
    io:format("~p ~p~n", [gen_fsm:sync_send_event(door, open), gen_fsm:sync_send_all_state_event(door, where)]),
    gen_fsm:send_event(door, knock),
    gen_fsm:send_all_state_event(door, {note, hello}),
    door ! rain,
    io:format("~p~n", [sys:get_state(door)]),
    {status, P, {module, Module}, [_, running, P, [], [{header, Header}, {data, Data} | More]]} = sys:get_status(door),
    io:format("~p ~p ~p ~p~n", [Module, Header, [Item || {Key, _} = Item <- Data, Key =/= "Parent"], More]),
    io:format("~p~n", [sys:replace_state(door, fun({Name, Notes}) -> {Name, [replaced | Notes]} end)]),
    {callback_failed, {gen_fsm, system_replace_state}, {error, no}} = failure(fun() -> sys:replace_state(door, fun(_) -> error(no) end) end),
    io:format("~p~n", [gen_fsm:sync_send_event(door, {timers, self()})]),
    receive {timer, T1} -> receive {timer, T2} -> io:format("~p~n", [lists:sort([T1, T2])]) end end,
    io:format("~p~n", [gen_fsm:sync_send_event(door, shut)]),
    {{nodedown, _}, {gen_fsm, sync_send_event, [{door, no@where}, x, 10]}} = failure(fun() -> gen_fsm:sync_send_event({door, no@where}, x, 10) end),
    {noproc, {gen_fsm, sync_send_all_state_event, [nobody, x]}} = failure(fun() -> gen_fsm:sync_send_all_state_event(nobody, x) end),
    {timeout, {gen_fsm, sync_send_event, [door, wait, 5]}} = failure(fun() -> gen_fsm:sync_send_event(door, wait, 5) end),
    ok = gen_fsm:stop(door),
    ok = logger:set_primary_config(level, notice),
    ok = logger:add_handler_filter(default, quiet, {fun(_, _) -> stop end, none}),
    ok = logger:add_handler(?MODULE, ?MODULE, #{}),
    lists:foreach(fun fail/1, [{send_event, crash}, {send_event, nonsense}, {send_all_state_event, {stop, bad}},
                               {sync_send_event, {stop, worse}}, {sync_send_event, {stop, normal}}, {send_event, undefined}]),
    io:format("~p~n", [[gen_fsm:start(?MODULE, Init, []) || Init <- [ignore, {stop, no}, odd]]]),
    ok = logger:remove_handler(?MODULE),
    ok = logger:remove_handler_filter(default, quiet).

failure(F) ->
    try F() catch _:Reason -> Reason end.

fail({Function, Event}) ->
    {ok, P} = gen_fsm:start(?MODULE, [], []),
    M = monitor(process, P),
    Answer = try gen_fsm:Function(P, Event) catch exit:_ -> failed end,
    receive {'DOWN', M, process, P, Reason} -> io:format("~p ~p~n", [Answer, case Reason of {Why, [_ | _]} -> Why; _ -> Reason end]) end,
    timer:sleep(20).

log(#{msg := {report, #{label := {gen_fsm, _}, reason := Reason} = Report}}, _) ->
    %% Who called and where it was is left out.
    Short = case Reason of {Why, [{_, _, _, _} | _]} -> Why; _ -> Reason end,
    Shown = Report#{name := name, client_info := undefined, reason := Short},
    io:format("~ts~n~ts~n", [no_pids(gen_fsm:format_log(Shown, #{})), no_pids(gen_fsm:format_log(Shown, #{single_line => true}))]);
log(_, _) -> ok.

no_pids(Text) -> re:replace(Text, "<[0-9.]+>", "<pid>", [global]).

init([]) -> {ok, shut, []};
init(Other) -> Other.

shut(undefined, Notes) -> {next_state, nowhere, Notes, 0};
shut(crash, Notes) -> length(x) + Notes;
shut(nonsense, _) -> nonsense;
shut(Event, Notes) -> {next_state, shut, [{shut, Event} | Notes]}.

shut(open, _, Notes) -> {reply, opened, open, Notes};
shut({stop, Reason}, _, Notes) -> {stop, Reason, stopping, Notes};
shut(wait, _, Notes) -> {next_state, shut, Notes}.

open({timeout, _, {tell, P}}, Notes) ->
    P ! {timer, told},
    {next_state, open, Notes};
open({later, P}, Notes) ->
    P ! {timer, later},
    {next_state, open, Notes};
open(Event, Notes) -> {next_state, open, [{open, Event} | Notes]}.

open({timers, P}, _, Notes) ->
    gen_fsm:start_timer(2, {tell, P}),
    gen_fsm:send_event_after(1, {later, P}),
    Cancelled = gen_fsm:send_event_after(100000, never),
    Left = gen_fsm:cancel_timer(Cancelled),
    {reply, {Left > 90000, gen_fsm:cancel_timer(Cancelled)}, open, Notes};
open(shut, _, Notes) -> {reply, lists:reverse(Notes), shut, []}.

handle_event({note, Note}, StateName, Notes) -> {next_state, StateName, [Note | Notes]};
handle_event({stop, Reason}, _, Notes) -> {stop, Reason, Notes}.

handle_sync_event(where, _, StateName, Notes) -> {reply, StateName, StateName, Notes}.

handle_info(Info, StateName, Notes) -> {next_state, StateName, [{info, Info} | Notes]}.

terminate(_, _, _) -> ok.

%% expect: opened open
%% expect: {open,[{info,rain},hello,{open,knock}]}
%% expect: gen_fsm "Status for state machine door" [{"Status",running},
%% expect:                                          {"Logged events",[]},
%% expect:                                          {"StateName",open}] [{data,
%% expect:                                                                [{"StateData",
%% expect:                                                                  [{info,rain},
%% expect:                                                                   hello,
%% expect:                                                                   {open,
%% expect:                                                                    knock}]}]}]
%% expect: {open,[replaced,{info,rain},hello,{open,knock}]}
%% expect: {true,false}
%% expect: [later,told]
%% expect: [{open,knock},hello,{info,rain},replaced]
%% expect: ** State machine name terminating 
%% expect: ** Last event in was crash
%% expect: ** When State == shut
%% expect: **      Data  == []
%% expect: ** Reason for termination ==
%% expect: ** badarg
%% expect: 
%% expect: State machine name terminating. Reason: badarg. Last event: [crash]. State: shut. Data: [].
%% expect: ok badarg
%% expect: ** State machine name terminating 
%% expect: ** Last event in was nonsense
%% expect: ** When State == shut
%% expect: **      Data  == []
%% expect: ** Reason for termination ==
%% expect: ** {bad_return_value,nonsense}
%% expect: 
%% expect: State machine name terminating. Reason: {bad_return_value,nonsense}. Last event: [nonsense]. State: shut. Data: [].
%% expect: ok {bad_return_value,nonsense}
%% expect: ** State machine name terminating 
%% expect: ** Last event in was {stop,bad} (for all states)
%% expect: ** When State == shut
%% expect: **      Data  == []
%% expect: ** Reason for termination ==
%% expect: ** bad
%% expect: 
%% expect: State machine name terminating. Reason: bad. Last event: [{stop,bad}]. State: shut. Data: [].
%% expect: ok bad
%% expect: ** State machine name terminating 
%% expect: ** Last sync event in was {stop,worse} from <pid>
%% expect: ** When State == shut
%% expect: **      Data  == []
%% expect: ** Reason for termination ==
%% expect: ** worse
%% expect: 
%% expect: State machine name terminating. Reason: worse. Last event: [{stop,worse},<pid>]. State: shut. Data: [].
%% expect: stopping worse
%% expect: stopping normal
%% expect: ** State machine name terminating 
%% expect: ** Last event in was timeout
%% expect: ** When State == nowhere
%% expect: **      Data  == []
%% expect: ** Reason for termination ==
%% expect: ** undef
%% expect: 
%% expect: State machine name terminating. Reason: undef. Last event: [timeout]. State: nowhere. Data: [].
%% expect: ok undef
%% expect: [ignore,{error,no},{error,{bad_return_value,odd}}]

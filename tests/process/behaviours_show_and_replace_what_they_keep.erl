%% What `sys` shows of the generic processes and replaces in them, also where what replaces it is wrong; children by their pids.
-module(behaviours_show_and_replace_what_they_keep).

-export([main/0, init/1, handle_event/2, handle_event/3, handle_event/4, handle_call/2, handle_sync_event/4, callback_mode/0, child/0]).

main() ->
    {ok, Manager} = gen_event:start_link(),
    ok = gen_event:add_handler(Manager, ?MODULE, first),
    ok = gen_event:add_handler(Manager, {?MODULE, two}, second),
    io:format("~p~n", [sys:get_state(Manager)]),
    io:format("~p~n", [sys:replace_state(Manager, fun({Module, two, State}) -> {Module, two, {changed, State}}; (_) -> something_else end)]),
    io:format("~p~n", [gen_event:swap_handler(Manager, {none, bye}, {?MODULE, refuse})]),
    io:format("~p~n", [gen_event:which_handlers(Manager)]),
    {status, _, _, [_, running, _, _, Shown]} = sys:get_status(Manager),
    io:format("~p~n", [[Key || {data, Data} <- Shown, {Key, _} <- Data]]),
    {ok, Machine} = gen_statem:start_link(?MODULE, machine, []),
    {status, _, _, [_, _, _, _, Of]} = sys:get_status(Machine),
    io:format("~p~n", [[Item || {data, Data} <- Of, {Key, Item} <- Data, Key =:= "Time-outs" orelse Key =:= "State" orelse Key =:= "Modules"]]),
    {ok, Old} = gen_fsm:start_link(?MODULE, old, []),
    io:format("~p ~p ~p~n", [sys:get_state(Old), sys:replace_state(Old, fun({idle, data}) -> {busy, other} end), sys:get_state(Old)]),
    {ok, Supervisor} = supervisor:start_link(?MODULE, supervisor),
    {ok, Child} = supervisor:start_child(Supervisor, []),
    {ok, #{start := Start}} = supervisor:get_childspec(Supervisor, Child),
    io:format("~p ~p~n", [Start, supervisor:get_childspec(Supervisor, self())]).

init(first) -> {ok, one};
init(second) -> {ok, two};
init({refuse, error}) -> refused;
init(machine) -> {ok, here, data, [{{timeout, later}, 60000, content}]};
init(old) -> {ok, idle, data};
init(supervisor) -> {ok, {#{strategy => simple_one_for_one}, [#{id => a, start => {?MODULE, child, []}}]}}.

child() -> {ok, spawn_link(fun() -> receive stop -> ok end end)}.

handle_event(_, State) -> {ok, State}.

handle_event(_, Name, Data) -> {next_state, Name, Data}.

handle_event(_, _, _, _) -> keep_state_and_data.

handle_sync_event(_, _, Name, Data) -> {reply, ok, Name, Data}.

handle_call(_, State) -> {ok, ok, State}.

callback_mode() -> handle_event_function.

%% expect: [{behaviours_show_and_replace_what_they_keep,two,two},
%% expect:  {behaviours_show_and_replace_what_they_keep,false,one}]
%% expect: [{behaviours_show_and_replace_what_they_keep,two,{changed,two}},
%% expect:  {behaviours_show_and_replace_what_they_keep,false,one}]
%% expect: {error,refused}
%% expect: [{behaviours_show_and_replace_what_they_keep,two},
%% expect:  behaviours_show_and_replace_what_they_keep]
%% expect: ["Status","Logged Events","Parent"]
%% expect: [[behaviours_show_and_replace_what_they_keep],
%% expect:  {1,[{{timeout,later},content}]},
%% expect:  {here,data}]
%% expect: {idle,data} {busy,other} {busy,other}
%% expect: {behaviours_show_and_replace_what_they_keep,child,[]} {error,not_found}

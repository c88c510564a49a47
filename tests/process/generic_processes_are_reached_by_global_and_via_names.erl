%% Calls, casts, events and stops reach a process by the name it has under `global`, or by a registry of the program's own.
-module(generic_processes_are_reached_by_global_and_via_names).

-export([main/0, init/1, handle_call/2, handle_call/3, handle_cast/2, handle_event/2, callback_mode/0, handle_event/4]).
-export([register_name/2, unregister_name/1, whereis_name/1, send/2]).

main() ->
    persistent_term:put(names, #{}),
    [server(Name) || Name <- [{global, a_server}, {global, {a, tuple}}, {via, ?MODULE, a_server}]],
    {ok, Manager} = gen_event:start_link({global, events}),
    io:format("~p~n", [gen_event:add_handler({global, events}, ?MODULE, handler)]),
    io:format("~p ~p~n", [gen_event:which_handlers({global, events}), gen_event:call({global, events}, ?MODULE, ask)]),
    io:format("~p ~p~n", [gen_event:stop({global, events}), is_process_alive(Manager)]),
    {ok, Machine} = gen_statem:start({global, machine}, ?MODULE, machine, []),
    io:format("~p ~p~n", [gen_statem:call({global, machine}, ask), sys:get_state({global, machine})]),
    io:format("~p ~p~n", [gen_statem:stop({global, machine}), is_process_alive(Machine)]),
    io:format("~p~n", [catch gen_server:call({global, nobody}, ask)]).

server(Name) ->
    {ok, Pid} = gen_server:start(Name, ?MODULE, server, []),
    ok = gen_server:cast(Name, {put, 7}),
    io:format("~p ~p~n", [gen_server:call(Name, ask), sys:get_state(Name)]),
    io:format("~p ~p~n", [gen_server:stop(Name), is_process_alive(Pid)]).

init(server) -> {ok, 0};
init(handler) -> {ok, none};
init(machine) -> {ok, here, data}.

handle_call(ask, none) -> {ok, asked, none}.

handle_call(ask, _From, State) -> {reply, {got, State}, State}.

handle_cast({put, X}, _) -> {noreply, X}.

handle_event(_, State) -> {ok, State}.

callback_mode() -> handle_event_function.

handle_event({call, From}, ask, State, Data) -> {keep_state_and_data, [{reply, From, {in, State, Data}}]}.

register_name(Name, Pid) ->
    persistent_term:put(names, (persistent_term:get(names))#{Name => Pid}),
    yes.

unregister_name(Name) -> persistent_term:put(names, maps:remove(Name, persistent_term:get(names))).

whereis_name(Name) -> maps:get(Name, persistent_term:get(names), undefined).

send(Name, Message) -> whereis_name(Name) ! Message.

%% expect: {got,7} 7
%% expect: ok false
%% expect: {got,7} 7
%% expect: ok false
%% expect: {got,7} 7
%% expect: ok false
%% expect: ok
%% expect: [generic_processes_are_reached_by_global_and_via_names] asked
%% expect: ok false
%% expect: {in,here,data} {here,data}
%% expect: ok false
%% expect: {'EXIT',{noproc,{gen_server,call,[{global,nobody},ask]}}}

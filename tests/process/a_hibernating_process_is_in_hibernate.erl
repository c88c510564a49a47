%% A process that waits after `hibernate/3` says so, also when a behaviour hibernates, or is suspended while it does.
-module(a_hibernating_process_is_in_hibernate).

-export([main/0, awake/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    Pid = spawn(fun() -> erlang:hibernate(?MODULE, awake, []) end),
    io:format("~p~n", [settled(Pid)]),
    io:format("~p~n", [process_info(Pid, current_location)]),
    io:format("~p~n", [process_info(Pid, current_stacktrace)]),
    {ok, Server} = gen_server:start_link(?MODULE, [], []),
    io:format("~p~n", [settled(Server)]),
    ok = sys:suspend(Server),
    io:format("~p~n", [settled(Server)]),
    ok = sys:resume(Server),
    io:format("~p~n", [gen_server:call(Server, wake)]),
    io:format("~p~n", [{current_function, {erlang, hibernate, 3}} =/= process_info(Server, current_function)]).

settled(Pid) -> settled(Pid, 200).

settled(Pid, N) ->
    case process_info(Pid, current_function) of
        {_, {erlang, hibernate, 3}} = Found -> Found;
        Other when N =:= 0 -> Other;
        _ ->
            receive after 5 -> ok end,
            settled(Pid, N - 1)
    end.

awake() -> ok.

init([]) -> {ok, state, hibernate}.

handle_call(wake, _, State) -> {reply, woken, State}.

handle_cast(_, State) -> {noreply, State}.

%% expect: {current_function,{erlang,hibernate,3}}
%% expect: {current_location,{erlang,hibernate,3,[]}}
%% expect: {current_stacktrace,[]}
%% expect: {current_function,{erlang,hibernate,3}}
%% expect: {current_function,{erlang,hibernate,3}}
%% expect: woken
%% expect: true

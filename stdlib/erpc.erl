%% Calls on other nodes that tell errors of the call from errors of what was called. There is one node: any other is `noconnection`.
-module(erpc).

-export([call/2, call/3, call/4, call/5, cast/2, cast/4, send_request/2, send_request/4, receive_response/1, receive_response/2,
         wait_response/1, wait_response/2, check_response/2, multicall/2, multicall/3, multicall/4, multicall/5, multicast/2, multicast/4]).

call(Node, Fun) -> call(Node, Fun, infinity).

call(Node, Fun, Timeout) when is_function(Fun, 0) -> call(Node, erlang, apply, [Fun, []], Timeout);
call(_, _, _) -> erlang:error({erpc, badarg}).

call(Node, M, F, Args) -> call(Node, M, F, Args, infinity).

%% With all the time there is, the caller makes the call itself.
call(Node, M, F, Args, infinity) when Node =:= node(), is_atom(M), is_atom(F), is_list(Args) ->
    result(made, {made, outcome(M, F, Args)});
call(Node, M, F, Args, Timeout) when is_atom(Node), is_atom(M), is_atom(F), is_list(Args) ->
    receive_response(send_request(Node, M, F, Args), Timeout);
call(_, _, _, _, _) -> erlang:error({erpc, badarg}).

%% A process of its own makes the call, and ends with what came of it.
send_request(Node, Fun) when is_function(Fun, 0) -> send_request(Node, erlang, apply, [Fun, []]);
send_request(_, _) -> erlang:error({erpc, badarg}).

send_request(Node, M, F, Args) when is_atom(Node), is_atom(M), is_atom(F), is_list(Args) ->
    case Node =:= node() of
        true ->
            Tag = make_ref(),
            {Pid, Monitor} = spawn_monitor(fun() -> exit({Tag, outcome(M, F, Args)}) end),
            {erpc_request, Tag, Pid, Monitor};
        false ->
            {erpc_request, noconnection, none, none}
    end;
send_request(_, _, _, _) -> erlang:error({erpc, badarg}).

outcome(M, F, Args) ->
    try {return, apply(M, F, Args)}
    catch
        throw:Thrown -> {throw, Thrown};
        exit:Reason -> {exit, Reason};
        error:Reason:Stack -> {error, Reason, own(Stack)}
    end.

%% Without the frames of this module.
own(Stack) -> lists:takewhile(fun(Frame) -> element(1, Frame) =/= ?MODULE end, Stack).

receive_response(Request) -> receive_response(Request, infinity).

receive_response({erpc_request, noconnection, _, _}, _) -> erlang:error({erpc, noconnection});
receive_response({erpc_request, Tag, Pid, Monitor}, Timeout) ->
    receive {'DOWN', Monitor, process, Pid, Reason} -> result(Tag, Reason)
    after Timeout ->
        demonitor(Monitor, [flush]),
        erlang:error({erpc, timeout})
    end;
receive_response(_, _) -> erlang:error({erpc, badarg}).

wait_response(Request) -> wait_response(Request, 0).

wait_response({erpc_request, noconnection, _, _}, _) -> erlang:error({erpc, noconnection});
wait_response({erpc_request, Tag, Pid, Monitor}, Timeout) ->
    receive {'DOWN', Monitor, process, Pid, Reason} -> {response, result(Tag, Reason)}
    after Timeout -> no_response
    end;
wait_response(_, _) -> erlang:error({erpc, badarg}).

check_response({'DOWN', Monitor, process, Pid, Reason}, {erpc_request, Tag, Pid, Monitor}) ->
    {response, result(Tag, Reason)};
check_response(_, {erpc_request, _, _, _}) -> no_response;
check_response(_, _) -> erlang:error({erpc, badarg}).

result(Tag, {Tag, {return, Value}}) -> Value;
result(Tag, {Tag, {throw, Thrown}}) -> throw(Thrown);
result(Tag, {Tag, {exit, Reason}}) -> exit({exception, Reason});
result(Tag, {Tag, {error, Reason, Stack}}) -> erlang:error({exception, Reason, Stack});
result(_, Reason) -> exit({signal, Reason}).

cast(Node, Fun) when is_function(Fun, 0) -> cast(Node, erlang, apply, [Fun, []]);
cast(_, _) -> erlang:error({erpc, badarg}).

cast(Node, M, F, Args) when is_atom(Node), is_atom(M), is_atom(F), is_list(Args) ->
    _ = Node =:= node() andalso spawn(M, F, Args),
    ok;
cast(_, _, _, _) -> erlang:error({erpc, badarg}).

multicall(Nodes, Fun) -> multicall(Nodes, Fun, infinity).

multicall(Nodes, Fun, Timeout) when is_function(Fun, 0) -> multicall(Nodes, erlang, apply, [Fun, []], Timeout);
multicall(_, _, _) -> erlang:error({erpc, badarg}).

multicall(Nodes, M, F, Args) -> multicall(Nodes, M, F, Args, infinity).

multicall(Nodes, M, F, Args, Timeout) when is_list(Nodes) ->
    Requests = [send_request(Node, M, F, Args) || Node <- Nodes],
    [try {ok, receive_response(Request, Timeout)}
     catch
         Class:{exception, _, _} = Reason -> {Class, Reason};
         Class:Reason -> {Class, Reason}
     end || Request <- Requests];
multicall(_, _, _, _, _) -> erlang:error({erpc, badarg}).

multicast(Nodes, Fun) -> lists:foreach(fun(Node) -> cast(Node, Fun) end, Nodes).

multicast(Nodes, M, F, Args) -> lists:foreach(fun(Node) -> cast(Node, M, F, Args) end, Nodes).

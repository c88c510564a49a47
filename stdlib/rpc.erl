%% Calls on other nodes. There is one node: calls on it are made, calls on any other end as if it could not be reached.
-module(rpc).

-export([call/4, call/5, block_call/4, block_call/5, async_call/4, yield/1, nb_yield/1, nb_yield/2, cast/4, abcast/2, abcast/3,
         sbcast/2, sbcast/3, eval_everywhere/3, eval_everywhere/4, multicall/3, multicall/4, multicall/5, multi_server_call/2,
         multi_server_call/3, server_call/4, parallel_eval/1, pmap/3, pinfo/1, pinfo/2]).

call(Node, M, F, Args) -> call(Node, M, F, Args, infinity).

call(Node, M, F, Args, Timeout) when is_atom(Node), is_atom(M), is_atom(F), is_list(Args) ->
    try erpc:call(Node, M, F, Args, Timeout)
    catch
        throw:Thrown -> Thrown;
        exit:{exception, Reason} -> {badrpc, {'EXIT', Reason}};
        exit:{signal, Reason} -> {badrpc, {'EXIT', Reason}};
        error:{exception, Reason, Stack} -> {badrpc, {'EXIT', {Reason, Stack}}};
        error:{erpc, timeout} -> {badrpc, timeout};
        error:{erpc, noconnection} -> {badrpc, nodedown}
    end.

block_call(Node, M, F, Args) -> call(Node, M, F, Args).

block_call(Node, M, F, Args, Timeout) -> call(Node, M, F, Args, Timeout).

%% The key is the process that makes the call; it gives the result to who started it.
async_call(Node, M, F, Args) ->
    Caller = self(),
    spawn(fun() -> Caller ! {self(), {promise_reply, call(Node, M, F, Args)}} end).

yield(Key) ->
    {value, Result} = nb_yield(Key, infinity),
    Result.

nb_yield(Key) -> nb_yield(Key, 0).

nb_yield(Key, Timeout) ->
    receive {Key, {promise_reply, Result}} -> {value, Result}
    after Timeout -> timeout
    end.

cast(Node, M, F, Args) when is_atom(Node), is_atom(M), is_atom(F), is_list(Args) ->
    _ = Node =:= node() andalso spawn(M, F, Args),
    true.

abcast(Name, Message) -> abcast([node() | nodes()], Name, Message).

abcast(Nodes, Name, Message) ->
    _ = lists:member(node(), Nodes) andalso (catch Name ! Message),
    abcast.

sbcast(Name, Message) -> sbcast([node() | nodes()], Name, Message).

sbcast(Nodes, Name, Message) ->
    Sent = [Node || Node <- Nodes, Node =:= node(), whereis(Name) =/= undefined],
    _ = Sent =/= [] andalso (Name ! Message),
    {Sent, Nodes -- Sent}.

eval_everywhere(M, F, Args) -> eval_everywhere([node() | nodes()], M, F, Args).

eval_everywhere(Nodes, M, F, Args) ->
    lists:foreach(fun(Node) -> cast(Node, M, F, Args) end, Nodes),
    abcast.

multicall(M, F, Args) -> multicall([node() | nodes()], M, F, Args, infinity).

multicall(Nodes, M, F, Args) when is_list(Nodes) -> multicall(Nodes, M, F, Args, infinity);
multicall(M, F, Args, Timeout) -> multicall([node() | nodes()], M, F, Args, Timeout).

multicall(Nodes, M, F, Args, Timeout) ->
    Results = [{Node, call(Node, M, F, Args, Timeout)} || Node <- Nodes],
    {[R || {_, R} <- Results, R =/= {badrpc, nodedown}, R =/= {badrpc, timeout}],
     [Node || {Node, {badrpc, Why}} <- Results, Why =:= nodedown orelse Why =:= timeout]}.

multi_server_call(Name, Message) -> multi_server_call([node() | nodes()], Name, Message).

multi_server_call(Nodes, Name, Message) ->
    Results = [{Node, server_call(Node, Name, Name, Message)} || Node <- Nodes],
    {[R || {_, R} <- Results, R =/= {error, nodedown}], [Node || {Node, {error, nodedown}} <- Results]}.

%% Sends `{Caller, Message}` and waits for `{ReplyWrapper, Node, Reply}`.
server_call(Node, Name, ReplyWrapper, Message) when Node =:= node() ->
    case whereis(Name) of
        undefined -> {error, nodedown};
        Pid ->
            Monitor = monitor(process, Pid),
            Pid ! {self(), Message},
            receive
                {ReplyWrapper, Node, Reply} ->
                    demonitor(Monitor, [flush]),
                    Reply;
                {'DOWN', Monitor, process, _, _} -> {error, nodedown}
            end
    end;
server_call(_, _, _, _) -> {error, nodedown}.

parallel_eval(Calls) ->
    Keys = [async_call(node(), M, F, Args) || {M, F, Args} <- Calls],
    [yield(Key) || Key <- Keys].

pmap({M, F}, Extra, List) ->
    Keys = [async_call(node(), M, F, [Element | Extra]) || Element <- List],
    Results = [yield(Key) || Key <- Keys],
    case [R || {badrpc, _} = R <- Results] of
        [] -> Results;
        _ -> exit(badrpc)
    end.

pinfo(Pid) -> process_info(Pid).

pinfo(Pid, Items) -> process_info(Pid, Items).

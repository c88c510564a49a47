%% rpc and erpc on the node itself; other nodes are not reached.
-module(calls_on_the_own_node).
-export([main/0, double/1]).

main() ->
    N = node(),
    show(rpc:call(N, ?MODULE, double, [4])), show(rpc:call(N, lists, reverse, [[1, 2]], 1000)),
    show(rpc:call(N, erlang, throw, [x])), show(rpc:call(N, erlang, exit, [x])),
    {badrpc, {'EXIT', {badarith, [{erlang, '+', [1, a], _} | _]}}} = rpc:call(N, erlang, '+', [1, a]),
    {badrpc, {'EXIT', {undef, [{no_such, f, [], []} | _]}}} = rpc:call(N, no_such, f, []),
    show(rpc:call(N, timer, sleep, [2000], 10)),
    show(rpc:call('nobody@nowhere', lists, reverse, [[]])),
    show(rpc:multicall([N], lists, sum, [[1, 2]])), show(rpc:multicall([N, 'nobody@nowhere'], lists, sum, [[1, 2]])),
    Key = rpc:async_call(N, ?MODULE, double, [21]),
    show(rpc:yield(Key)),
    show(rpc:pmap({?MODULE, double}, [], [1, 2, 3])), show(rpc:parallel_eval([{?MODULE, double, [5]}, {lists, max, [[1, 9]]}])),
    show(rpc:cast(N, erlang, send, [self(), cast])), show(receive cast -> got end),
    show(erpc:call(N, fun() -> 7 end)), show(erpc:call(N, ?MODULE, double, [8])),
    show(catch erpc:call(N, fun() -> throw(ball) end)),
    show(try erpc:call(N, fun() -> exit(out) end) catch C1:R1 -> {C1, R1} end),
    show(try erpc:call(N, fun() -> error(bad) end) catch C2:{exception, R2, _} -> {C2, R2} end),
    show(try erpc:call(N, fun() -> exit(self(), kill), receive after infinity -> ok end end, 5000) catch C3:R3 -> {C3, R3} end),
    show({rpc:call(N, erlang, self, []) =:= self(), rpc:call(N, erlang, self, [], 1000) =:= self(), erpc:call(N, fun self/0) =:= self()}),
    show(try erpc:call(N, fun() -> timer:sleep(2000) end, 10) catch C4:R4 -> {C4, R4} end),
    show(try erpc:call('nobody@nowhere', fun() -> 1 end) catch C5:R5 -> {C5, R5} end),
    Request = erpc:send_request(N, ?MODULE, double, [50]),
    show(erpc:receive_response(Request)),
    show(erpc:multicall([N], ?MODULE, double, [3])), show(erpc:cast(N, fun() -> ok end)).

double(X) -> 2 * X.

show(X) -> io:format("~0p~n", [X]).

%% expect: 8
%% expect: [2,1]
%% expect: x
%% expect: {badrpc,{'EXIT',x}}
%% expect: {badrpc,timeout}
%% expect: {badrpc,nodedown}
%% expect: {[3],[]}
%% expect: {[3],[nobody@nowhere]}
%% expect: 42
%% expect: [2,4,6]
%% expect: "\n\t"
%% expect: true
%% expect: got
%% expect: 7
%% expect: 16
%% expect: ball
%% expect: {exit,{exception,out}}
%% expect: {error,bad}
%% expect: {exit,{signal,killed}}
%% expect: {true,false,true}
%% expect: {error,{erpc,timeout}}
%% expect: {error,{erpc,noconnection}}
%% expect: 100
%% expect: [{ok,6}]
%% expect: ok

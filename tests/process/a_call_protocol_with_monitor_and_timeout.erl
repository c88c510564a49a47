%% The usual request with monitor, reply and time-out.
-module(a_call_protocol_with_monitor_and_timeout).
-export([main/0]).

main() ->
    S = spawn(fun() -> server(0) end),
    show([call(S, {add, I}) || I <- [1, 2, 3]]),
    show(call(S, slow, 20)),
    show(call(S, crash)),
    show(call(S, {add, 1})).

call(S, Req) -> call(S, Req, 2000).

call(S, Req, T) ->
    Ref = monitor(process, S),
    S ! {Ref, self(), Req},
    receive
        {Ref, Reply} -> demonitor(Ref, [flush]), {ok, Reply};
        {'DOWN', Ref, process, S, Reason} -> {down, Reason}
    after T ->
        demonitor(Ref, [flush]),
        timeout
    end.

server(N) ->
    receive
        {Ref, From, {add, K}} -> From ! {Ref, N + K}, server(N + K);
        {_, _, slow} -> server(N);
        {_, _, crash} -> exit(crashed)
    end.

show(X) -> io:format("~p~n", [X]).

%% expect: [{ok,1},{ok,3},{ok,6}]
%% expect: timeout
%% expect: {down,crashed}
%% expect: {down,noproc}

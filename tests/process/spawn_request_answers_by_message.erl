%% spawn_request/1,2 and the tag of its reply.
-module(spawn_request_answers_by_message).
-export([main/0]).

main() ->
    R = spawn_request(fun() -> ok end, [{reply_tag, spawned}]),
    show(receive {spawned, R, ok, P} -> is_pid(P) end),
    R2 = spawn_request(fun() -> exit(x) end, [monitor]),
    P2 = receive {spawn_reply, R2, ok, Q} -> Q end,
    show(receive {'DOWN', R2, process, P2, W} -> W end).

show(X) -> io:format("~p~n", [X]).

%% expect: true
%% expect: x

%% spawn/1 and spawn/3, send, receive.
-module(a_spawned_process_runs_and_answers).

-export([main/0, child/2]).
main() ->
    Self = self(),
    P = spawn(fun() -> Self ! {self(), hello} end),
    receive {P, X} -> show(X) end,
    Q = spawn(?MODULE, child, [Self, [1, 2.5, "three"]]),
    receive {Q, Y} -> show(Y) end,
    show(is_pid(P) andalso P =/= Q).

child(To, What) -> To ! {self(), What}.

show(X) -> io:format("~p~n", [X]).

%% expect: hello
%% expect: [1,2.5,"three"]
%% expect: true

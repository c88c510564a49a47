%% Two processes that always wake each other leave room for a third.
-module(a_ping_pong_pair_starves_no_one).
-export([main/0]).

main() ->
    Self = self(),
    A = spawn(fun pong/0),
    B = spawn(fun pong/0),
    A ! {ball, B},
    spawn(fun() -> count(100000), Self ! counted end),
    show(receive counted -> counted after 10000 -> starved end),
    exit(A, kill), exit(B, kill).

pong() -> receive {ball, From} -> From ! {ball, self()}, pong() end.

count(0) -> ok;
count(N) -> count(N - 1).

show(X) -> io:format("~p~n", [X]).

%% expect: counted

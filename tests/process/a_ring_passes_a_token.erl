%% 1,000 processes in a ring, the token goes round 10 times.
-module(a_ring_passes_a_token).
-export([main/0]).

main() ->
    N = 1000,
    First = lists:foldl(fun(_, Next) -> spawn(fun() -> node_loop(Next) end) end, self(), lists:seq(1, N)),
    show(round(First, 10, 0)).

round(_, 0, Sum) -> Sum;
round(First, K, Sum) ->
    First ! {token, 0},
    receive {token, X} -> round(First, K - 1, Sum + X) end.

node_loop(Next) -> receive {token, X} -> Next ! {token, X + 1}, node_loop(Next) end.

show(X) -> io:format("~p~n", [X]).

%% expect: 10000

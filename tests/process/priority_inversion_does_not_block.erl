%% A high process waiting for a low one gets its answer.
-module(priority_inversion_does_not_block).
-export([main/0]).

main() ->
    Self = self(),
    Low = spawn_opt(fun() -> receive {From, q} -> From ! a end end, [{priority, low}]),
    spawn_opt(fun() -> Low ! {self(), q}, receive a -> Self ! answered end end, [{priority, high}]),
    show(receive answered -> answered after 60000 -> blocked end).

show(X) -> io:format("~p~n", [X]).

%% expect: answered

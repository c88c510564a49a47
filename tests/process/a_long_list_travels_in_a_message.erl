%% A list of 100,000 elements is sent there and back.
-module(a_long_list_travels_in_a_message).
-export([main/0]).

main() ->
    L = lists:seq(1, 100000),
    P = spawn(fun() -> receive {From, X} -> From ! lists:reverse(X) end end),
    P ! {self(), L},
    show(receive R -> R =:= lists:reverse(L) end).

show(X) -> io:format("~p~n", [X]).

%% expect: true

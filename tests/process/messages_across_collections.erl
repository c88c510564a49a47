%% Mail waiting in the queue while the receiver collects, many times over.
-module(messages_across_collections).
-export([main/0]).

main() ->
    P = spawn(fun() -> worker([]) end),
    [P ! {item, I, lists:duplicate(I rem 50, I), <<I:32>>} || I <- lists:seq(1, 3000)],
    P ! {sum, self()},
    show(receive {sum, S} -> S end).

worker(Acc) ->
    receive
        {sum, From} -> From ! {sum, lists:sum([I + length(L) + byte_size(B) || {I, L, B} <- Acc])};
        {item, I, L, B} -> _ = lists:seq(1, I rem 100), worker([{I, L, B} | Acc])
    end.

show(X) -> io:format("~p~n", [X]).

%% expect: 4587000

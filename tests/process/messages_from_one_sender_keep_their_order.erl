%% Between two processes messages arrive in the order sent.
-module(messages_from_one_sender_keep_their_order).
-export([main/0]).

main() ->
    Self = self(),
    N = 5000,
    spawn(fun() -> [Self ! {n, I} || I <- lists:seq(1, N)], Self ! done end),
    show(check(1)).

check(I) ->
    receive
        {n, I} -> check(I + 1);
        {n, J} -> {out_of_order, I, J};
        done -> {received, I - 1}
    end.

show(X) -> io:format("~p~n", [X]).

%% expect: {received,5000}

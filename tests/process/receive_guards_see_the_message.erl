%% Guards in receive clauses, with variables bound outside.
-module(receive_guards_see_the_message).
-export([main/0]).

main() ->
    Limit = id(3),
    [self() ! {n, I} || I <- lists:seq(1, 6)],
    show([receive {n, I} when I > Limit -> I end || _ <- [1, 2, 3]]),
    show([receive {n, I} -> I end || _ <- [1, 2, 3]]),
    self() ! {bad, a},
    self() ! {bad, "x"},
    show(receive {bad, L} when length(L) =:= 1 -> L end).

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: [4,5,6]
%% expect: [1,2,3]
%% expect: "x"

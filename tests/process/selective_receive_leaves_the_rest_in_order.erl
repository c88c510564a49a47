%% A message that no clause fits stays where it was.
-module(selective_receive_leaves_the_rest_in_order).
-export([main/0]).

main() ->
    [self() ! M || M <- [{a, 1}, {b, 2}, {c, 3}, {a, 4}, {b, 5}]],
    show(receive {b, X} -> X end),
    show(receive {c, X1} -> X1 end),
    show(receive {b, X2} -> X2 end),
    show(all()).

all() -> receive M -> [M | all()] after 0 -> [] end.

show(X) -> io:format("~p~n", [X]).

%% expect: 2
%% expect: 3
%% expect: 5
%% expect: [{a,1},{a,4}]

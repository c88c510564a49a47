%% case, if, receive export what every branch binds.
-module(variables_bound_in_all_branches_are_exported).
-export([main/0]).

main() ->
    show([f(X) || X <- [1, 2, 3]]),
    self() ! {x, 9},
    receive {x, R} -> S = R + 1; {y, R} -> S = R - 1 end,
    show({R, S}).

f(X) ->
    case X of
        1 -> A = one, B = 10;
        2 -> A = two, B = 20;
        A -> B = A * 10
    end,
    if X > 1 -> C = A; true -> C = {A} end,
    {A, B, C}.

show(X) -> io:format("~p~n", [X]).

%% expect: [{one,10,{one}},{two,20,two},{3,30,3}]
%% expect: {9,10}

%% What one receive gives is still there when the next ones have run.
-module(values_of_receives_in_a_row_are_kept).
-export([main/0]).

%% expect: [timeout,timeout,timeout]
%% expect: [timeout,b,timeout]
%% expect: [a,timeout,{c,c}]
%% expect: {1,[x,none,none]}
main() ->
    io:format("~w~n", [three(none)]),
    io:format("~w~n", [three(b)]),
    self() ! a,
    io:format("~w~n", [three(c)]),
    self() ! x,
    io:format("~w~n", [later(1)]).

three(Send) ->
    First = receive A -> A after 0 -> timeout end,
    case Send of
        b -> self() ! b;
        _ -> ok
    end,
    timer:sleep(2),
    Second = receive B -> B after 0 -> timeout end,
    case Send of
        c -> self() ! c;
        _ -> ok
    end,
    Third = receive C -> {C, Send} after 0 -> timeout end,
    [First, Second, third(Third)].

third({C, C}) -> {C, C};
third(Other) -> Other.

later(N) ->
    One = receive A -> A after 1 -> none end,
    Two = case One of x -> receive B -> B after 1 -> none end; _ -> never end,
    Three = receive C -> C after 0 -> none end,
    {N, [One, Two, Three]}.

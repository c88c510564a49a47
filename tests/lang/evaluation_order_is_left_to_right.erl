%% Arguments, elements, operands and segments are evaluated from left to right, then the operation happens.
-module(evaluation_order_is_left_to_right).
-export([main/0]).

main() ->
    f(say(1), say(2), say(3)),
    [say(4), say(5) | say([])],
    {say(6), say(7)},
    say(8) + say(9),
    <<(say(10)), (say(11)):8>>,
    say(fun(_) -> say(12) end) , (say2())(say(13)),
    io:nl(),
    show(attempt(fun() -> {error(first), error(second)} end)),
    show(attempt(fun() -> error(left) + error(right) end)),
    show(attempt(fun() -> (error(function))(error(argument)) end)).

f(_, _, _) -> ok.

say2() -> say(0), fun(X) -> X end.

say(X) when is_integer(X) -> io:format("~w ", [X]), X;
say(X) -> X.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

%% expect: 1 2 3 4 5 6 7 8 9 10 11 0 13 
%% expect: {error,first}
%% expect: {error,left}
%% expect: {error,function}

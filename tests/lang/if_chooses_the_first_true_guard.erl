%% if with several guards and no fall through.
-module(if_chooses_the_first_true_guard).
-export([main/0]).

main() ->
    show([f(X, Y) || X <- [1, 2, 3], Y <- [1, 2, 3]]).

f(X, Y) ->
    if
        X > Y, X > 2 -> big_first;
        X > Y; Y =:= 3 -> first_or_three;
        X =:= Y -> same;
        true -> less
    end.

show(X) -> io:format("~p~n", [X]).

%% expect: [same,less,first_or_three,first_or_three,same,first_or_three,big_first,
%% expect:  big_first,first_or_three]

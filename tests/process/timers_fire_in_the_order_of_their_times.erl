%% Many timers of different lengths arrive sorted.
-module(timers_fire_in_the_order_of_their_times).
-export([main/0]).

main() ->
    [erlang:send_after(T, self(), T) || T <- [50, 10, 30, 20, 40, 60, 1]],
    show([receive T -> T end || _ <- lists:seq(1, 7)]).

show(X) -> io:format("~p~n", [X]).

%% expect: [1,10,20,30,40,50,60]

%% Priorities order the run queue without stopping anyone for ever.
-module(low_priority_still_runs_and_high_runs_first).
-export([main/0]).

main() ->
    Self = self(),
    [spawn_opt(fun() -> work(2000), Self ! {done, P} end, [{priority, P}]) || P <- [low, normal, high, max]],
    show(lists:sort([receive {done, P} -> P end || _ <- [1, 2, 3, 4]])).

work(0) -> ok;
work(N) -> work(N - 1).

show(X) -> io:format("~p~n", [X]).

%% expect: [high,low,max,normal]

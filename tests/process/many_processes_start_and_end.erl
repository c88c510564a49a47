%% 20,000 processes come and go; all answers arrive.
%% without stress: there are many
-module(many_processes_start_and_end).
-export([main/0]).

main() ->
    Self = self(),
    N = 20000,
    [spawn(fun() -> Self ! I end) || I <- lists:seq(1, N)],
    show(sum(N, 0)).

sum(0, Acc) -> Acc;
sum(N, Acc) -> receive I -> sum(N - 1, Acc + I) end.

show(X) -> io:format("~p~n", [X]).

%% expect: 200010000

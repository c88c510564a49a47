%% A process that yields for ever does not keep others from running.
-module(a_yield_loop_starves_no_one).
-export([main/0]).

main() ->
    P = spawn(fun yielder/0),
    Self = self(),
    [spawn(fun() -> Self ! done end) || _ <- lists:seq(1, 10)],
    [receive done -> ok end || _ <- lists:seq(1, 10)],
    exit(P, kill),
    show(done).

yielder() -> erlang:yield(), yielder().

show(X) -> io:format("~p~n", [X]).

%% expect: done

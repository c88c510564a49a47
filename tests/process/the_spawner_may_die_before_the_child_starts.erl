%% Children outlive their parent.
-module(the_spawner_may_die_before_the_child_starts).
-export([main/0]).

main() ->
    Self = self(),
    [spawn(fun() -> spawn(fun() -> Self ! child end), exit(parent_gone) end) || _ <- lists:seq(1, 100)],
    show(length([receive child -> ok end || _ <- lists:seq(1, 100)])).

show(X) -> io:format("~p~n", [X]).

%% expect: 100

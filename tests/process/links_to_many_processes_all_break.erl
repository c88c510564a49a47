%% When the hub dies, every spoke that does not trap exits dies with it.
-module(links_to_many_processes_all_break).
-export([main/0]).

main() ->
    Self = self(),
    Hub = spawn(fun() -> [spawn_link(fun() -> Self ! {up, self()}, receive never -> ok end end) || _ <- lists:seq(1, 200)], receive go -> exit(hub_down) end end),
    Spokes = [receive {up, P} -> P end || _ <- lists:seq(1, 200)],
    Refs = [monitor(process, P) || P <- Spokes],
    Hub ! go,
    show(lists:usort([receive {'DOWN', R, process, _, Why} -> Why end || R <- Refs])).

show(X) -> io:format("~p~n", [X]).

%% expect: [hub_down]

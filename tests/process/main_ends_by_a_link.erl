%% A crash of a linked process ends main too.
-module(main_ends_by_a_link).
-export([main/0]).

main() ->
    spawn_link(fun() -> exit(linked_crash) end),
    receive never -> ok after 60000 -> too_late end.

%% expect exit: linked_crash

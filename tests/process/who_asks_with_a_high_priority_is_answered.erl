%% A process of a high priority asks one of the normal priority, while others of the high priority leave that one no time: it answers
%% all the same.
%% plain only: nothing else would run
-module(who_asks_with_a_high_priority_is_answered).
-export([main/0]).

main() ->
    process_flag(priority, max),
    Asked = [spawn(fun() -> receive stop -> ok end end) || _ <- lists:seq(1, 10)],
    receive after 100 -> ok end,
    Busy = [spawn_opt(fun busy/0, [{priority, high}]) || _ <- lists:seq(1, 2 * erlang:system_info(schedulers))],
    receive after 100 -> ok end,
    Leader = self(),
    Answered =
        [group_leader(Leader, Pid) andalso process_info(Pid, group_leader) =:= {group_leader, Leader}
             andalso is_process_alive(Pid) andalso erlang:garbage_collect(Pid) || Pid <- Asked],
    %% The group leader, too, has to wait for its turn.
    [exit(Pid, kill) || Pid <- Busy ++ Asked],
%% expect: [true]
    io:format("~0p~n", [lists:usort(Answered)]).

busy() -> busy().

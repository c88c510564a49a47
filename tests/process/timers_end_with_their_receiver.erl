%% A timer whose receiver has died is gone, whoever started it; one for a dead process never is.
-module(timers_end_with_their_receiver).
-export([main/0]).

%% expect: true
%% expect: {false,false}
%% expect: {false,false}
%% expect: sent
main() ->
    {Pid, Monitor} = spawn_monitor(fun() -> receive stop -> ok end end),
    Timers = [erlang:send_after(1000000, Pid, I) || I <- lists:seq(1, 1000)],
    io:format("~w~n", [lists:all(fun(T) -> is_integer(erlang:read_timer(T)) end, Timers)]),
    exit(Pid, kill),
    receive {'DOWN', Monitor, process, Pid, killed} -> ok end,
    io:format("~w~n", [{erlang:read_timer(hd(Timers)), erlang:cancel_timer(lists:last(Timers))}]),
    Late = erlang:send_after(1000000, Pid, late),
    io:format("~w~n", [{erlang:read_timer(Late), erlang:cancel_timer(Late)}]),
    erlang:send_after(1, self(), sent),
    receive sent -> io:format("sent~n") end.

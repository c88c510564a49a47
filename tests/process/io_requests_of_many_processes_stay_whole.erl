%% Lines printed by many processes are never mixed, and all are there at the end.
-module(io_requests_of_many_processes_stay_whole).
-export([main/0]).

main() ->
    Self = self(),
    [spawn(fun() -> io:format("line\n"), Self ! done end) || _ <- lists:seq(1, 20)],
    [receive done -> ok end || _ <- lists:seq(1, 20)],
    ok.

%% expect: line
%% expect: line
%% expect: line
%% expect: line
%% expect: line
%% expect: line
%% expect: line
%% expect: line
%% expect: line
%% expect: line
%% expect: line
%% expect: line
%% expect: line
%% expect: line
%% expect: line
%% expect: line
%% expect: line
%% expect: line
%% expect: line
%% expect: line

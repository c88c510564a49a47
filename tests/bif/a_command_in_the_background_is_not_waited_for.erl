%% What a command leaves running in the background holds `os:cmd/1` not up, and a command that never ends is left when it has said enough.
-module(a_command_in_the_background_is_not_waited_for).

-export([main/0]).

main() ->
    {Time, Said} = timer:tc(fun() -> os:cmd("echo said; sleep 20 &") end),
    io:format("~p ~p~n", [Said, Time < 10000000]),
    io:format("~p~n", [os:cmd("yes", #{max_size => 9})]),
    io:format("~p~n", [os:cmd("echo all of it", #{max_size => 100})]),
    io:format("~p~n", [os:cmd("echo all of it", #{})]),
    io:format("~p~n", [length(os:cmd("head -c 300000 /dev/zero"))]).

%% expect: "said\n" true
%% expect: "y\ny\ny\ny\ny"
%% expect: "all of it\n"
%% expect: "all of it\n"
%% expect: 300000
